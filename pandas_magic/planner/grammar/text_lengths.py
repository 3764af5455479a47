"""How many characters a text has: "50 characters or less", "a maximum length of 50", "exceeds 40 characters"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Relation
from pandas_magic.constraints.algebra.expressions import Expression, TextLength, Value
from pandas_magic.planner.grammar import comparisons, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import any_of
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import whole

Found = Iterator[tuple[Position, Condition]]
_SIDES: tuple[tuple[Relation, str], ...] = (
    (">=", f"{phrases.OR_MORE}|min|at a minimum"),
    ("<=", f"{phrases.OR_LESS}|at a maximum"),
)
_COMPARED: tuple[tuple[str, Relation], ...] = (
    ("shorter than", "<"),
    ("longer than", ">"),
    ("shorter or longer than|longer or shorter than|not exactly|other than", "!="),
    ("no/not longer than|at most", "<="),
    ("no/not shorter than|at least", ">="),
    ("exactly", "=="),
)


@rule
def so_long(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "be", "have" or "of": how many characters the text has, said with its number."""
    if kind_of_expression(p.schema, table, x) not in ("text", "mixed"):
        return
    length = TextLength(of=x)
    for middle, counted in comparisons.counted(p, i, table, length):
        for end in p.seq_ends(middle, phrases.CHARACTERS, f"?{phrases.LONG}"):
            if not _are_among_others(p, i, end):
                yield p.note(i, end, "the number of characters"), counted
    for middle, limit in whole(p, i):
        for after in p.seq_ends(middle, phrases.CHARACTERS, f"?{phrases.LONG}"):
            for relation, said in _SIDES:
                for end in p.phrase(after, said):
                    limited = Compare(relation=relation, left=length, right=Value(value=limit))
                    yield p.note(i, end, "the number of characters"), limited
    yield from _of_length(p, i, length)
    yield from _outside(p, i, length)


def _outside(p: Parse, i: Position, length: TextLength) -> Found:
    """Like "shorter than 3 or longer than 60 characters"."""
    for end, (low, high) in p.seq(
        i, phrases.SHORTER, whole, f"?{phrases.CHARACTERS}", "or", phrases.LONGER, whole, phrases.CHARACTERS
    ):
        below = Compare(relation="<", left=length, right=Value(value=low))
        above = Compare(relation=">", left=length, right=Value(value=high))
        if low <= high:
            yield p.note(i, end, "the number of characters"), any_of(below, above)


def _of_length(p: Parse, i: Position, length: TextLength) -> Found:
    """Like "a maximum length of 50 characters", "a length of at most 50"."""
    for relation, said in ((">=", "minimum|minimal|smallest|min"), ("<=", "maximum|maximal|greatest|max")):
        for middle in p.seq_ends(i, "?a|the|an", said, "length|number of characters|size", "?of|:|be"):
            for after, limit in whole(p, middle):
                for end in (after, *p.phrase(after, phrases.CHARACTERS)):
                    limited = Compare(relation=relation, left=length, right=Value(value=limit))
                    yield p.note(i, end, "the number of characters"), limited


def limited(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of a text: "exceed 40 characters", "fit in 40 characters", "be up to 40 characters long"."""
    verbs: tuple[tuple[Relation, str], ...] = ((">", words.EXCEED), ("<=", phrases.FIT_IN))
    for relation, said in verbs:
        for end, (count,) in p.seq(i, said, whole, phrases.CHARACTERS):
            limit = Compare(relation=relation, left=TextLength(of=x), right=Value(value=count))
            noted = p.note(i, end, "the number of characters")
            yield from ((last, limit) for last in (noted, *p.phrase(end, phrases.LONG)))
    for start in p.phrase(i, "have|contain|be|consist of|comprise|count|include|use|hold|run to"):
        yield from so_long(p, start, table, x)
    yield from _had(p, i, table, x)


def _are_among_others(p: Parse, i: int, end: int) -> bool:
    """Like "contain at least two letters", which does not say how long the text is."""
    letters = p.tokens[end - 1].low in ("letter", "letters") and p.tokens[i].low == "at"
    return letters and i > 0 and bool(p.tokens[i - 1].forms & {"contain", "include"})


def compared(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "be": "of length 5", "longer than 3 characters", "not exactly two letters"."""
    for start in p.phrase(i, "of length|of length of|of a length of|a text of length"):
        for end, condition in comparisons.counted(p, start, table, TextLength(of=x)):
            yield p.note(i, end, "the number of characters"), condition
    for middle, condition in _longer_than(p, i, table, x):
        for end in p.phrase(middle, phrases.CHARACTERS):
            yield p.note(i, end, "the number of characters"), condition


def _longer_than(p: Parse, i: Position, table: str, x: Expression) -> Found:
    for said, relation in _COMPARED:
        for start in p.phrase(i, said):
            yield from comparisons.compared(p, start, table, TextLength(of=x), relation)


def _had(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "have 3 to 5 characters", "have a length of at most 50"."""
    length = TextLength(of=x)
    for start in p.phrase(i, "have|contain|be|consist of|comprise|count|include|use"):
        for middle, condition in comparisons.counted(p, start, table, length):
            for end in p.phrase(middle, f"{phrases.CHARACTERS}|character long|character in total"):
                if not _are_among_others(p, start, end):
                    yield p.note(i, end, "the number of characters"), condition
    for start in p.seq_ends(i, "have|be of", "?a|the", "length|length of", "?of"):
        for middle, condition in comparisons.counted(p, start, table, length):
            for end in (middle, *p.phrase(middle, phrases.CHARACTERS)):
                yield p.note(i, end, "the number of characters"), condition
    for start in p.phrase(i, "be"):
        yield from compared(p, start, table, x)


def is_allowed_up_to(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "may": "have up to 50 characters", "be 50 characters long at most"."""
    for start in p.phrase(i, "have|be|contain|count|comprise|hold|use|take|run to|consist of"):
        for end, said in so_long(p, start, table, x):
            if isinstance(said, Compare) and said.relation in ("<", "<="):
                yield end, said

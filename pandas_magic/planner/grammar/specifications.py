"""What a note says of a column behind its name or a colon: "no future dates", "min length 3", "numeric only"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Exists, Matches, OneOf, Parses, Relation
from pandas_magic.constraints.algebra.expressions import Column, Expression, TextLength
from pandas_magic.planner.grammar import comparisons, nouns, phrases, qualities, sequences, verbs
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import both, negate
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression

Found = Iterator[tuple[Position, Condition]]
_BOUNDS: tuple[tuple[Relation, str], ...] = (
    (">=", "min|min .|minimum|minimal"),
    ("<=", "max|max .|maximum|maximal"),
)


def specified(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """One or more items behind the colon, parted by commas, all of which have to hold."""
    for end, first in _item(p, i, table, x):
        yield end, first
        for middle in p.phrase(end, ",|;|and|, and|&"):
            for last, second in specified(p, middle, table, x):
                if _denies(p, i) or _denies(p, middle):
                    joined = both(first, second)
                    assert joined is not None
                    yield last, joined


def _denies(p: Parse, i: Position) -> bool:
    return p.tokens[i].low in ("no", "without")


def _item(p: Parse, i: Position, table: str, x: Expression) -> Found:
    for end, condition in qualities.quality(p, i, table, x):
        yield end, condition
        for last in p.phrase(end, "only|, nothing else") if _is_a_kind(condition) else ():
            yield last, condition
    for start in p.phrase(i, "no|without|without any"):
        yield from ((end, negate(condition)) for end, condition in qualities.plain_quality(p, start, table, x))
        for end, condition in verbs.verb(p, i, table, x) if p.tokens[i].low == "no" else ():
            yield end, condition
    yield from _length(p, i, table, x)
    yield from _null_or_known(p, i, table, x)


def _null_or_known(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "empty or an existing hotel_id", "null or valid user_id": where it is there, it refers to a row that is."""
    links = [*p.schema.links(table), *p.schema.roles(table)]
    for link in links if isinstance(x, Column) else ():
        if link.column != getattr(x, "name", ""):
            continue
        for start in p.seq_ends(
            i, f"{words.MISSING}|{words.EMPTY}|blank", "or", "?a|an|the|one of the", words.EXISTING
        ):
            named = (*nouns.named_column(p, start, link.parent), *nouns.table_noun(p, start))
            for end, name in named:
                if name in (link.key, link.parent):
                    yield (
                        p.note(i, end, f"a row of {link.parent}"),
                        Exists(of=(x,), table=link.parent, keys=(link.key,)),
                    )


def _is_a_kind(condition: Condition) -> bool:
    """What "only" can stand behind without being about something else: a list, a format, a type."""
    return isinstance(condition, OneOf | Matches | Parses)


def _length(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "length = 8", "min length 3", "max. length: 50", "length 3 to 20"."""
    if kind_of_expression(p.schema, table, x) not in ("text", "mixed"):
        return
    length = TextLength(of=x)
    for start in p.phrase(i, "length|len"):
        for begin in (start, *p.phrase(start, ":")):
            yield from comparisons.counted(p, p.note(i, begin, "the number of characters"), table, length)
    for relation, said in _BOUNDS:
        for start in p.seq_ends(i, said, "length|len", "?:|=|of"):
            noted = p.note(i, start, f"the number of characters {relation}")
            yield from comparisons.compared(p, noted, table, length, relation)


def without_gaps(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Claim]]:
    """Behind the colon: "no gaps", "no gaps in the sequence", "gapless"."""
    if isinstance(x, Column):
        for end in p.seq_ends(i, phrases.WITHOUT_GAPS_IN_SHORT, f"?{phrases.IN_THE_NUMBERS}"):
            yield from sequences.gapless(p, i, end, table, x)

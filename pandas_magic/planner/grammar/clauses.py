"""Clauses: a subject and what is said of it, with the verb's mood and every "not" counted; and/or between them."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Matches, Not, OneOf, Present, Unique
from pandas_magic.constraints.algebra.expressions import Arithmetic, Column, Expression, Now, TextLength, Value
from pandas_magic.planner.grammar import (
    associations,
    both_at_once,
    children,
    comparisons,
    events,
    had_numbers,
    margins,
    measuring_verbs,
    moods,
    phrases,
    qualities,
    references,
    row_predicates,
    rows,
    text_lengths,
    text_makeup,
    two_limits,
    values,
    verbs,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import (
    among,
    any_of,
    as_list,
    both,
    is_count_of,
    is_missing,
    negate,
    without_presence,
)
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.values import literals

Found = Iterator[tuple[Position, Condition]]
_BE = (
    "be|have been|remain|become|stay|be kept|have always been|keep being|be always|be ever|have ever been|be set to|"
    "have been set to"
)
_NOT = ("not", "never")


@rule
def value_phrase(p: Parse, i: Position, table: str, x: Expression, mood: str) -> Found:
    """All that is said of the value `x`, verb first: "must be positive", "is missing", "may not exceed the amount"."""
    for end, first in _value_phrase(p, i, table, x, mood):
        yield end, first
        for middle in p.phrase(end, phrases.AND_THEN):
            for last, second in value_phrase(p, middle, table, x, mood):
                if _starts_with_verb(p, middle):
                    joined = text_makeup.as_one(first, second) or both(first, second)
                    assert joined is not None
                    yield last, joined
        for middle in p.phrase(end, "or|, or"):
            for last, second in _value_phrase(p, middle, table, x, mood):
                if _starts_with_verb(p, middle) and not moods.is_negated(p, i):
                    yield last, any_of(first, second)


def _starts_with_verb(p: Parse, i: Position) -> bool:
    # "between 1 and 5 or 9": what follows must be a phrase of its own, not the rest of a list.
    token = p.at(i)
    return token is not None and token.kind == "word"


@rule
def _value_phrase(p: Parse, i: Position, table: str, x: Expression, mood: str) -> Found:
    if mood == "must":
        yield from _at_most_allowed(p, i, table, x)
        for start in p.phrase(i, "can|could"):  # "can be found in users" has to be so of each
            for end, condition in references.reference(p, start, table, x):
                if any(True for _ in p.phrase(start, phrases.CAN_BE_FOUND)) and not isinstance(condition, Not):
                    yield p.note(i, end, "must"), condition
    for start, negated in moods.head(p, i, mood):
        for end, (condition, several) in _predicates(p, start, table, x):
            if not negated:
                yield end, condition
            elif several != "and" and not moods.half_negated(p, i):
                yield end, negate(condition)


def _at_most_allowed(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "Can be no higher than its limit", "may be at most 5", "may be neither missing nor blank"."""
    for start in p.seq_ends(i, words.MAY, f"?{words.ADVERBS}", "be|reach|go up to|amount to|last"):
        for end, condition in comparisons.comparison(p, start, table, x):
            if isinstance(condition, Compare) and _is_upper(condition):
                yield p.note(i, end, "must"), condition
    for start in p.seq_ends(i, words.MAY, f"?{words.ADVERBS}"):
        yield from text_makeup.only_contains(p, start, x)
        yield from text_lengths.is_allowed_up_to(p, start, table, x)
        for end in p.phrase(start, words.APPEARS_ONCE):
            for last, by in qualities.unique_scope(p, p.note(i, end, "no other row has the same"), table, (x,)):
                yield last, Unique(by=by)
        for end, condition in margins.apart_by(p, start, table, x):
            if isinstance(condition, Compare) and condition.relation in ("<", "<="):
                yield p.note(i, end, "must"), condition
    for start in p.seq_ends(i, f"{words.MAY}|{words.MUST}", "be neither"):
        yield from neither(p, start, table, x)


def neither(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "neither": "zero nor negative", true where neither is."""
    for middle, first in qualities.quality(p, i, table, x):
        for start in p.phrase(middle, "nor|, nor"):
            for end, second in qualities.quality(p, start, table, x):
                joined = both(negate(first), negate(second))
                assert joined is not None
                yield p.note(i, end, "neither"), joined


def _is_upper(condition: Compare) -> bool:
    """A limit that more would break: a date "no older than 30 days" lies after the day 30 days ago."""
    right = condition.right
    back = isinstance(right, Arithmetic) and isinstance(right.left, Now) and right.sign == "-"
    return condition.relation in ((">", ">=") if back else ("<", "<="))


@rule
def _predicates(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, tuple[Condition, str]]]:
    """One predicate, or several joined by one kind of conjunction; with "" , "and" or "or"."""
    for end, (first, inner) in _predicate(p, i, table, x):
        yield end, (first, inner)
        for joint, said in (("and", "and|, and|but|, but"), ("or", "or|, or|nor")):
            for middle in p.phrase(end, said):
                for last, (second, other) in _predicates(p, middle, table, x):
                    if inner in ("", joint) and other in ("", joint):
                        joined = text_makeup.as_one(first, second) or both(first, second)
                        merged = joined if joint == "and" else any_of(first, second)
                        assert merged is not None
                        yield last, (merged, joint)


def plain_predicates(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """What is said of the value behind "must, if given,"."""
    for end, (condition, _) in _predicates(p, i, table, x):
        yield end, condition


@rule
def _predicate(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, tuple[Condition, str]]]:
    for start in p.seq_ends(i, _BE, f"?{words.ADVERBS}"):
        yield from qualities_of(p, start, table, x)
    for end, condition in _is_expression(p, i, table, x):
        yield end, (condition, "")
    for end, condition in verbs.verb(p, i, table, x):
        yield end, (condition, "")
    for start in p.phrase(i, "be neither"):
        yield from ((end, (condition, "and")) for end, condition in neither(p, start, table, x))
    for end, condition in (*qualities.run_out(p, i, table, x), *associations.belongs_to(p, i, table, x)):
        yield end, (condition, "")
    ends_in = kind_of_expression(p.schema, table, x) == "text" and any(
        True for _ in p.phrase(i, f"{phrases.START_WITH}|{phrases.END_WITH}")
    )
    for start in p.phrase(i, phrases.IS_DONE) if kind_of_expression(p.schema, table, x) == "datetime" else ():
        yield from ((end, (condition, "")) for end, condition in comparisons.comparison(p, start, table, x))
    for start in p.phrase(i, "be by|be via|be through|be with|be made by|be made via|be made in|be made with"):
        yield from ((end, (condition, "")) for end, condition in _one_that_occurs(p, start, table, x))
    for start in p.phrase(i, phrases.HAS_A_DATE) if kind_of_expression(p.schema, table, x) == "datetime" else ():
        yield from qualities_of(p, start, table, x)
    for start in p.phrase(i, phrases.WHERE_IT_LIES) if not ends_in else ():
        yield from qualities_of(p, start, table, x)


def _one_that_occurs(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Behind "the payment is by": "debit or card", which occur in the column."""
    known = p.schema.occurring(table, x.name) if isinstance(x, Column) else ()
    for end, listed in literals(p, i, table, x, False) if known else ():
        if set(listed) <= set(known):
            yield p.note(i, end, "one of these"), among(x, listed)


def _is_expression(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "Must be the number of its orders"."""
    for said, same in (
        ("be|be always|be calculated as|be computed as|be given as|be made up of", True),
        ("be not", False),
    ):
        for start in p.phrase(i, said):
            token = p.at(start)
            if token and token.kind in ("word", "number"):
                for end, condition in comparisons.compared(p, p.note(i, start, "=="), table, x, "=="):
                    of_any = references.is_any_key(p, start, table, x, condition)
                    if not isinstance(condition.right, Value) and not of_any:
                        yield end, condition if same else negate(condition)


@rule
def qualities_of(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, tuple[Condition, str]]]:
    """Like "Present and unique", "missing or negative": qualities after one "be", joined by one kind of conjunction."""
    for end, first in qualities.quality(p, i, table, x):
        yield end, (first, "")
        for joint, said in (("and", "and|, and|but|, but|,|yet"), ("or", "or|, or|,|nor")):
            for middle in p.phrase(end, said):
                for last, (second, other) in qualities_of(p, middle, table, x):
                    comma = p.tokens[end].text == "," and int(middle) == int(end) + 1
                    if _is_shape(second) and _begins_a_shape(p, end, middle, joint, first):
                        continue
                    if _two_numbers(p, end, middle) or _goes_on_listing(p, middle, table, x, first):
                        continue
                    if other == joint or (other == "" and not comma):
                        merged = _joined(p, i, middle, first, second) if joint == "or" else both(first, second)
                        if merged is not None:
                            yield last, (merged, joint)


def _joined(p: Parse, i: Position, middle: Position, first: Condition, second: Condition) -> Condition | None:
    """One of two qualities; of "never below 0 or above 200" neither. Only "not negative or missing" is left open."""
    if p.tokens[i].low not in _NOT or p.tokens[middle].low in _NOT:
        return any_of(first, second)
    parts = first.conditions if isinstance(first, All) else (first,)
    if is_missing(second) is not None and not any(isinstance(part, Present) for part in parts):
        p.refuse('"not … or missing" leaves open how far the "not" goes')
        return None
    return both(first, negate(second))


def _is_shape(said: Condition) -> bool:
    return isinstance(said, Matches) or (isinstance(said, Compare) and isinstance(said.left, TextLength))


def _begins_a_shape(p: Parse, end: Position, middle: Position, joint: str, first: Condition) -> bool:
    """Like "LAB and six digits", "HAM, MUC or BER followed by a digit", where the texts are no values of their own."""
    listed = as_list(first)
    if listed is None or not all(isinstance(value, str) for value in listed.values):
        return False
    return joint == "and" or all(p.tokens[at].text.isupper() for at in (end - 1, middle))


def _two_numbers(p: Parse, end: Position, middle: Position) -> bool:
    """Like "Greater than 10 or 20": what the second number belongs to is left open; "positive or 0" is not."""
    plain = [token.kind in ("number", "text") for token in (p.tokens[end - 1], *p.tokens[middle : middle + 1])]
    return len(plain) == 2 and all(plain)


def _goes_on_listing(p: Parse, i: Position, table: str, x: Expression, first: Condition) -> bool:
    """Like "Other than a, b": the second value belongs to what was said of the first."""
    plain = isinstance(first, Compare) and isinstance(first.right, Value) and isinstance(first.right.value, str)
    listed = plain or (isinstance(first, Not) and isinstance(first.condition, OneOf))
    return listed and as_list(first) is None and any(True for _ in values.literal(p, i, table, x, True))


# ---- what is said of a row ---------------------------------------------------------------------------------------


@rule
def row_phrase(p: Parse, i: Position, table: str, mood: str) -> Found:
    """All that is said of the row itself: "must have a ship date", "are banned", "was shipped before …"."""
    for end, first in _row_phrase(p, i, table, mood):
        yield end, first
        for last, second in _nor(p, end, table) if moods.is_negated(p, i) and _compares(first) else ():
            joined = both(first, second)
            assert joined is not None
            yield last, joined
        for joint, said in (("and", "and|, and|but|, but"), ("or", "or|, or")):
            for middle in p.phrase(end, said):
                for last, second in row_phrase(p, middle, table, mood):
                    if joint == "or" and (moods.is_negated(p, i) or _joins(p, middle, last, second)):
                        continue
                    merged = both(first, second) if joint == "and" else any_of(first, second)
                    assert merged is not None
                    yield last, merged
                    if joint == "or":
                        yield from _but_also(p, last, table, mood, merged)


def _joins(p: Parse, i: Position, end: Position, said: Condition) -> bool:
    """Like "is paid and has a note", behind an "or"; "has a tax above 0" says two things at once without joining."""
    return isinstance(said, All) and any(token.low in ("and", "but", "&", ",", "both") for token in p.tokens[i:end])


def _but_also(p: Parse, i: Position, table: str, mood: str, either: Condition) -> Found:
    """Behind "are fragile or heavy": "but do not require a signature", which is said of both kinds."""
    for start in p.phrase(i, "but|, but|, yet|yet|and yet|, and yet"):
        for end, third in _row_phrase(p, start, table, mood):
            joined = both(either, third)
            assert joined is not None
            yield end, joined


def _nor(p: Parse, i: Position, table: str) -> Found:
    """Behind "cannot be delivered before it was shipped": "nor shipped before it was ordered"."""
    for start in p.phrase(i, phrases.NOR):
        for begin in (start, *p.phrase(start, "be|have been")):
            for end, condition in (
                *row_predicates.row_predicate(p, begin, table),
                *row_predicates.row_predicate(p, start, table),
            ):
                if _compares(condition):
                    yield p.note(i, end, "neither this"), negate(condition)


def _compares(condition: Condition) -> bool:
    """Like "before it was ordered"; "cannot be shipped nor delivered before …" leaves open how far that goes."""
    return isinstance(condition, Compare) and not isinstance(condition.right, Value)


@rule
def _row_phrase(p: Parse, i: Position, table: str, mood: str) -> Found:
    yield from _permitted(p, i, table) if mood == "must" else ()
    yield from both_at_once.both_of_two(p, i, table, mood)
    for start, negated in moods.head(p, i, mood):
        for end, condition in row_predicates.row_predicate(p, start, table):
            if negated and ((mood == "is" and _or_within(p, start, end)) or moods.half_negated(p, i)):
                continue
            if negated and (is_count_of(condition) or only_permits(p, start, table)):
                continue
            if negated and had_numbers.leaves_open(p, start, end, table, condition):
                continue
            if not negated and any(token.low == "only" for token in p.tokens[i:start]):
                condition = without_presence(condition)  # "may only have a date that …" asks for none
            denied = had_numbers.none_of(p, table, events.lately(p, i, condition)) if negated else condition
            yield end, denied


def _permitted(p: Parse, i: Position, table: str) -> Found:
    """Like "may have 4 to 60 seats", "may be renewed twice at most": no more is permitted."""
    for start in p.seq_ends(i, words.MAY, f"?{words.ADVERBS}"):
        for end, condition in (*measuring_verbs.so_many_times(p, start, table), *_at_most_so_many(p, start, table)):
            if isinstance(condition, Compare) and condition.relation in ("<", "<="):
                yield p.note(i, end, "must"), condition
        for end, limits in two_limits.permitted(p, start, table):
            yield p.note(i, end, "must"), limits


def _at_most_so_many(p: Parse, i: Position, table: str) -> Found:
    """Behind "an owner can": "have no more than 5 animals", asked of the owners; else it is one of the animals."""
    for start in p.phrase(i, words.HAVE) if p.target == table else ():
        yield from children.counted_children(p, start, table)


def only_permits(p: Parse, i: Position, table: str) -> bool:
    """Behind a negation, "need a note": it may have one all the same."""
    begun = (i, *p.phrase(i, words.MAY))
    needed = any(True for start in begun for _ in p.phrase(start, "need|require|demand|call for|necessitate"))
    return needed and not any(True for _ in rows.needs_by_truth(p, i, table))


def _or_within(p: Parse, i: Position, end: Position) -> bool:
    # "Orders that do not have a or b": without one of them, or without both?
    return any(token.low == "or" for token in p.tokens[i:end])

"""What is said once more behind a rule: "five are too many", "longer ones are wrong", "the same day is fine".

It is read against the rule: a number has to break it, "longer" needs an upper limit, and whether equal values pass is
settled by what is said of them. What does not fit is refused.
"""

from collections.abc import Iterator
from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import (
    All,
    Compare,
    Condition,
    Matches,
    OneOf,
    Parses,
    Present,
    Relation,
)
from pandas_magic.constraints.algebra.expressions import DatePart, Expression, Value
from pandas_magic.planner.grammar import clauses, measures, phrases, rows
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.logic import for_must
from pandas_magic.planner.grammar.meaning import Claim, kind_of_expression
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Claim]]
_BAD = f"{words.BE_BAD}|{phrases.TOO_MANY}"
_STRICT: dict[Relation, Relation] = {"<=": "<", ">=": ">", "<": "<", ">": ">"}
_WIDE: dict[Relation, Relation] = {"<": "<=", ">": ">=", "<=": "<=", ">=": ">="}


def added(p: Parse, i: Position, table: str, found: Claim) -> Found:
    """Behind a claim: where a further remark on it ends, and the claim with what the remark settles."""
    for start in p.phrase(i, phrases.AFTERTHOUGHT):
        for end in (*_numbers_too_many(p, start, found.must), *_beyond(p, start, table, found.must)):
            yield p.note(i, end, "the same, seen from the other side"), found
        for end in _nothing_else(p, start, found.must):
            for last in (end, *p.phrase(end, ")")):
                yield p.note(i, last, "what is no number"), found
        yield from _equals(p, start, found)
        yield from _about_equal(p, start, table, found)
    for start in p.phrase(i, phrases.THAT_IS):
        x = _subject(found.must)
        for end, said in _said_of(p, start, table, x) if x is not None else ():
            if for_must(said) == found.must:
                yield from ((last, found) for last in (end, *p.phrase(end, ")")))


def _limits(must: Condition) -> list[Compare]:
    parts = must.conditions if isinstance(must, All) else (must,)
    return [part for part in parts if isinstance(part, Compare) and isinstance(part.right, Value)]


def _subject(must: Condition) -> Expression | None:
    """The one value that everything is said of."""
    parts = must.conditions if isinstance(must, All) else (must,)
    subjects = {
        part.left if isinstance(part, Compare) else part.of
        for part in parts
        if isinstance(part, (Compare, OneOf, Matches, Present))
    }
    return subjects.pop() if len(subjects) == 1 else None


def _said_of(p: Parse, i: Position, table: str, x: Expression) -> Iterator[tuple[Position, Condition]]:
    yield from clauses.value_phrase(p, i, table, x, "must")
    yield from ((end, said) for end, (said, _) in clauses.qualities_of(p, i, table, x))
    for start in p.phrase(i, "neither"):
        yield from clauses.neither(p, start, table, x)


def _numbers_too_many(p: Parse, i: Position, must: Condition) -> Iterator[Position]:
    """Like "five are already too many", "six or more are wrong", "0 or 6 are not possible"."""
    for middle, first in number(p, i):
        listed: list[tuple[Position, tuple[float, ...]]] = [(middle, (first,))]
        listed += [(end, (first, second)) for start in p.phrase(middle, "or|and") for end, second in number(p, start)]
        listed += [(end, (first,)) for end in p.phrase(middle, "or more|or fewer|or less|and more")]
        for after, numbers in listed:
            if all(_breaks(must, value) for value in numbers):
                for last in (after, *p.phrase(after, "of them|ones"), *_rows_again(p, after)):
                    yield from p.phrase(last, _BAD)
                    yield from p.seq_ends(last, phrases.TO_BE_BAD, words.BAD)


def _rows_again(p: Parse, i: Position) -> Iterator[Position]:
    yield from (end for end, found in rows.plain_rows(p, i) if found.where is None)


def _breaks(must: Condition, number_of: float) -> bool:
    """The number lies outside one of the limits."""
    for part in _limits(must):
        limit = part.right.value if isinstance(part.right, Value) else None
        if isinstance(limit, (int, float)) and not isinstance(limit, bool):
            passes = {
                "<": number_of < limit, "<=": number_of <= limit, ">": number_of > limit, ">=": number_of >= limit,
                "==": number_of == limit, "!=": number_of != limit,
            }  # fmt: skip
            if not passes[part.relation]:
                return True
    return False


def _beyond(p: Parse, i: Position, table: str, must: Condition) -> Iterator[Position]:
    """Like "longer ones are not allowed", "any other value is wrong", "a later date is an error"."""
    listed = isinstance(must, (OneOf, Matches)) or any(part.relation == "==" for part in _limits(must))
    relations = {
        part.relation for part in (must.conditions if isinstance(must, All) else (must,)) if isinstance(part, Compare)
    }
    dated = (x := _subject(must)) is not None and kind_of_expression(p.schema, table, x) == "datetime"
    older = (">", ">=") if dated else ("<", "<=")
    upper, lower = not relations.isdisjoint(("<", "<=")), not relations.isdisjoint((">", ">="))
    yield from p.phrase(i, phrases.NOTHING_ABOVE) if upper else ()
    yield from p.phrase(i, phrases.NOTHING_BELOW) if lower else ()
    for said, fits in (
        (phrases.OTHER_ONES, listed),
        (phrases.MORE_OF_IT, upper),
        (phrases.LESS_OF_IT, lower),
        (phrases.OLDER_ONES, not relations.isdisjoint(older)),
    ):
        for start in p.seq_ends(i, "?a|an|any|the|every|all", said) if fits else ():
            for middle in (start, *p.phrase(start, phrases.ONES), *_rows_again(p, start)):
                yield from p.phrase(middle, f"{_BAD}|{phrases.WE_DO_NOT_TAKE}")
                yield from p.seq_ends(middle, phrases.TO_BE_BAD, words.BAD)


def _about_equal(p: Parse, i: Position, table: str, found: Claim) -> Found:
    """Like "a difference of one cent is fine" behind what must be equal."""
    must = found.must
    if isinstance(must, Compare) and must.relation == "==" and not isinstance(must.right, Value):
        for middle in p.phrase(i, "[a] difference/differences/deviation/deviations of/by [up_to/at_most]"):
            for after, size in (*number(p, middle), *measures.measured(p, middle, table, must.left)):
                for end in p.phrase(after, phrases.IS_FINE) if must.within in (None, float(size)) else ():
                    settled = must.model_copy(update={"within": float(size)})
                    yield p.note(i, end, f"equal up to {size}"), replace(found, must=settled)


def _nothing_else(p: Parse, i: Position, must: Condition) -> Iterator[Position]:
    """Like "no letters", "no units, no 'n/a'" behind what has to be a number: such a text is none."""
    whole = isinstance(must, Parses) and must.type == "integer"
    if not isinstance(must, Parses) or must.type not in ("integer", "number"):
        return
    said = f"{phrases.NO_LETTERS}|{phrases.NO_FRACTIONS}" if whole else phrases.NO_LETTERS
    texts = (position(start + 1, start.trace) for start in p.phrase(i, "no|not|never") if _is_no_number(p, start))
    for end in (*p.phrase(i, said), *texts):
        yield end
        for start in p.phrase(end, ",|and|, and|or|, or"):
            yield from _nothing_else(p, start, must)


def _is_no_number(p: Parse, i: Position) -> bool:
    token = p.at(i)
    return token is not None and token.kind == "text" and not any(sign.isdigit() for sign in str(token.value))


def _equals(p: Parse, i: Position, found: Claim) -> Found:
    """Like "the same day is fine", "both may be equal", "both on the same day is not allowed"."""
    must = found.must
    if not isinstance(must, Compare) or must.relation not in _STRICT or isinstance(must.right, Value):
        return
    for subject, of_days in ((phrases.EQUAL_IS_FINE, False), (phrases.THE_SAME_DAY_IS, True)):
        for middle in p.phrase(i, subject):
            for verdict, relations in ((phrases.BE_FINE, _WIDE), (words.BAD, _STRICT)):
                for end in p.seq_ends(middle, "?be|be also|be still", verdict):
                    yield p.note(i, end, "whether equal values pass"), _settled(found, must, relations, of_days)
    for end in p.phrase(i, phrases.MAY_BE_EQUAL):
        of_days = p.tokens[end - 1].low == "day"
        yield p.note(i, end, "equal values pass"), _settled(found, must, _WIDE, of_days)


def _settled(found: Claim, must: Compare, relations: dict[Relation, Relation], of_days: bool) -> Claim:
    left, right = (DatePart(part="date", of=of) if of_days else of for of in (must.left, must.right))
    settled = Compare(relation=relations[must.relation], left=left, right=right, within=must.within)
    return replace(found, must=settled)

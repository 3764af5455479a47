"""What a value can be: missing, unique, positive, one of a list, upper-case, a valid date … (the words after "be")."""

from collections.abc import Iterator

from pandas_magic.catalog.table import ValueKind
from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Not,
    OneOf,
    Parses,
    Present,
    Relation,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Column, Expression, Folded, Lookup, Now, Value
from pandas_magic.planner.grammar import (
    associations,
    comparisons,
    counting,
    measures,
    multiples,
    one_row,
    outliers,
    patterns,
    phrases,
    text_makeup,
    value_lists,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import is_a_term
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import among, any_of, negate
from pandas_magic.planner.grammar.meaning import kind_of_expression
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.values import value_list

Found = Iterator[tuple[Position, Condition]]
_LIMITED = ("limited", "restricted", "confined", "capped")


@rule
def quality(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Everything that can follow "be" and be said of the value `x`, with its own "not" in front or without."""
    yield from plain_quality(p, i, table, x)
    for start in p.phrase(i, phrases.LYING):
        yield from comparisons.comparison(p, start, table, x)
        yield from by_word(p, start, x, kind_of_expression(p.schema, table, x))
    for start in p.phrase(i, "not|never"):
        token = p.at(start)
        if token is not None and token.low in _LIMITED:
            continue  # "not limited to 100" lifts a limit
        for end, condition in plain_quality(p, start, table, x):
            # "Not empty" is a quality of its own.
            never_blank = p.tokens[start - 1].low == "never" and _is_blank(p, start, end)
            if never_blank or not _bare_list(condition):
                yield end, negate(condition)


def _is_blank(p: Parse, i: Position, end: Position) -> bool:
    """Like "never empty": missing or an empty text, which is one quality and no list."""
    return any(int(last) == int(end) for last in p.phrase(i, f"{words.EMPTY}|{words.BLANK}"))


def _bare_list(condition: Condition) -> bool:
    # "not a, b" leaves open how far the "not" reaches.
    return isinstance(condition, Any_)


@rule
def plain_quality(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """A quality without a "not" in front that is not part of its own words."""
    kind = kind_of_expression(p.schema, table, x)
    yield from by_word(p, i, x, kind)
    yield from uniqueness(p, i, table, x)
    yield from comparisons.comparison(p, i, table, x)
    yield from outliers.outlier(p, i, table, x)
    yield from _membership(p, i, table, x)
    yield from multiples.multiple(p, i, table, x)
    yield from associations.alike_in_group(p, i, table, x)
    yield from patterns.pattern_quality(p, i, table, x)
    for start in p.phrase(i, "either"):
        for end, values in value_list(p, start, table, x, False):
            if len(values) > 1:
                yield from _with_missing(p, end, end, x, OneOf(of=x, values=values))


def blank(x: Expression, kind: ValueKind, *, stripped: bool) -> Condition:
    """Missing, or, for texts, an empty text; with `stripped` also one of spaces alone."""
    missing = Not(condition=Present(of=x))
    if kind not in ("text", "mixed"):
        return missing
    text = Folded(of=x, fold="space") if stripped else x
    return any_of(missing, Compare(relation="==", left=text, right=Value(value="")))


def by_word(p: Parse, i: Position, x: Expression, kind: ValueKind) -> Found:
    """Qualities that are fixed words: "missing", "mandatory", "positive", "in the future"."""
    zero = Value(value=0)
    sign: Relation
    number: tuple[tuple[str, Relation], ...] = (
        (words.POSITIVE, ">"),
        (words.NEGATIVE, "<"),
        (words.NOT_NEGATIVE, ">="),
        (words.NOT_POSITIVE, "<="),
        (words.NOT_ZERO, "!="),
        (words.ZERO, "=="),
    )
    meanings: list[tuple[str, Condition, str]] = [
        (words.MISSING, Not(condition=Present(of=x)), "has no value"),
        (words.PRESENT, Present(of=x), "has a value"),
        (words.MANDATORY, Present(of=x), "has a value"),
        (words.EMPTY, blank(x, kind, stripped=False), "missing, or an empty text"),
        (words.BLANK, blank(x, kind, stripped=True), "missing, or a text of nothing but spaces"),
        (words.NONEMPTY, negate(blank(x, kind, stripped=True)), "neither missing nor an empty text"),
    ]
    if kind in ("integer", "number", "duration"):
        meanings += [
            (said, Compare(relation=relation, left=x, right=zero), f"{relation} 0") for said, relation in number
        ]
        whole = Parses(of=x, type="integer")
        for said, sign in ((words.POSITIVE_WHOLE, ">"), (words.NOT_NEGATIVE_WHOLE, ">=")):
            above = Compare(relation=sign, left=x, right=zero)
            meanings.append(
                (said, above if kind == "integer" else All(conditions=(whole, above)), f"whole and {sign} 0")
            )
        meanings.append((words.WHOLE, whole, "a whole number"))
    if kind == "datetime":
        meanings.append((words.IN_FUTURE, Compare(relation=">", left=x, right=Now()), "after the time of the run"))
        meanings.append((words.IN_PAST, Compare(relation="<", left=x, right=Now()), "before the time of the run"))
    if kind == "boolean":
        meanings += [(words.TRUE_WORDS, Compare(relation="==", left=x, right=Value(value=True)), "true")]
        meanings += [(words.FALSE_WORDS, Compare(relation="==", left=x, right=Value(value=False)), "false")]
    if kind in ("text", "mixed"):
        meanings += _of_text(x)
    if kind == "boolean":  # "the discount was applied" says that it is so
        meanings = [one for one in meanings if one[0] is not words.PRESENT]
        meanings.append((words.PRESENT_PLAINLY, Present(of=x), "has a value"))
    for said, condition, meaning in meanings:
        for end in p.phrase(i, said):
            if not _means_else(p, i, end, x, said):
                yield p.note(i, end, meaning), condition


def _means_else(p: Parse, i: Position, end: Position, x: Expression, said: str) -> bool:
    """A value is called so; or "an account_no contains only numbers", which leaves no room for "1.5"."""
    if said is words.NUMERIC:
        return text_makeup.is_only_numbers(p, i, end) and text_makeup.is_a_code(x)
    return said is words.PRESENT and _is_a_value(p, i, end, x)


def _is_a_value(p: Parse, i: Position, end: Position, x: Expression) -> bool:
    """Like "completed" of a status that can be so."""
    of = x.of if isinstance(x, Lookup) else x
    spoken = name_words(p.source(i, end))
    return isinstance(of, Column) and any(
        text_column == of.name for table in p.schema.tables for text_column, _ in p.schema.values(table).get(spoken, ())
    )


def _of_text(x: Expression) -> list[tuple[str, Condition, str]]:
    trimmed = Compare(relation="==", left=x, right=Folded(of=x, fold="space"))
    return [
        (words.WHOLE, Parses(of=x, type="integer"), "readable as a whole number"),
        (words.NUMERIC, Parses(of=x, type="number"), "readable as a number"),
        (words.A_DATE, Parses(of=x, type="date"), "readable as a date"),
        (words.A_BOOLEAN, Parses(of=x, type="boolean"), "readable as true or false"),
        (phrases.NOT_NUMERIC, negate(Parses(of=x, type="number")), "not readable as a number"),
        (words.TRIMMED, trimmed, "without spaces at its ends"),
    ]


def run_out(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Like "be expired", "have lapsed": the term that the column names is over at the time of the run."""
    name = x if isinstance(x, Column) else x.of if isinstance(x, Lookup) else None
    if isinstance(name, Column) and kind_of_expression(p.schema, table, x) == "datetime" and is_a_term(name.name):
        for end in p.phrase(i, phrases.RUN_OUT):
            yield p.note(i, end, f"{name.name} before the time of the run"), Compare(relation="<", left=x, right=Now())
        for end in p.phrase(i, f"{phrases.RUN_OUT}|{phrases.RUNS_OUT}"):
            yield from comparisons.comparison(p, p.note(i, end, f"the end, {name.name}"), table, x)


@rule
def uniqueness(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Unique, or duplicated, alone or per something, with or without regard to case."""
    for said, holds in ((words.UNIQUE, True), (words.DUPLICATED, False)):
        for end in p.phrase(i, said):
            for last, by in unique_scope(
                p, p.note(i, end, "no other row has the same" if holds else "another row has the same"), table, (x,)
            ):
                found: Condition = Unique(by=by)
                yield last, found if holds else Not(condition=found)


@rule
def unique_scope(
    p: Parse, i: Position, table: str, by: tuple[Expression, ...]
) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    """What has to be the same for two rows to be duplicates: `by` alone, or with what "per user" adds."""
    yield i, by
    yield from ignoring_case(p, i, table, by)
    for end in p.phrase(i, phrases.IN_THE_WHOLE_TABLE):
        yield end, by
    for start in p.phrase(i, "in|within|across|throughout|among|across all|among all|over all|over"):
        for end in own_table(p, start, table):
            if one_row.within_one_row(p, start, table):
                continue
            yield end, by
            yield from ignoring_case(p, end, table, by)
    for start in p.phrase(i, phrases.UNIQUE_PER):
        for end, group in counting.group_keys(p, start, table):
            if Column(name=p.schema.key(table) or "") in group and len(group) == 1:
                p.refuse(
                    f'each row of "{table}" has a "{p.schema.key(table)}" of its own; leave out what it is unique per'
                )
                continue
            yield end, (*group, *by)
            yield from ignoring_case(p, end, table, (*group, *by))


def own_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where the table's own noun ends: "the orders" for orders."""
    from pandas_magic.planner.grammar.nouns import DETERMINER, table_noun

    for start in (i, *p.phrase(i, DETERMINER)):
        for end, noun in table_noun(p, start):
            if noun == table:
                yield end


def ignoring_case(
    p: Parse, i: Position, table: str, by: tuple[Expression, ...]
) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    """The keys with their texts folded, when the sentence says that case does not count."""
    for end in (*p.phrase(i, phrases.IGNORING_CASE), *p.seq_ends(i, "?,|(|–|-", phrases.CASE_IS_IGNORED, "?)")):
        folded = tuple(Folded(of=x, fold="case") if kind_of_expression(p.schema, table, x) == "text" else x for x in by)
        if folded != by:
            yield p.note(i, end, "upper and lower case are the same"), folded
            return
    for end in (*_alike_but_for_case(p, i), *_case_aside(p, i)):
        folded = tuple(Folded(of=x, fold="case") if kind_of_expression(p.schema, table, x) == "text" else x for x in by)
        if folded != by:
            yield p.note(i, end, "upper and lower case are the same"), folded


def _case_aside(p: Parse, i: Position) -> Iterator[Position]:
    """Where "no matter whether they are written in upper or lower case" ends."""
    for start in (i, *p.phrase(i, ",|(|-|–|;")):
        for end in (
            *p.seq_ends(start, phrases.CASE_ASIDE, phrases.LETTER_CASE),
            *p.seq_ends(start, phrases.WHETHER_WRITTEN, phrases.IN_LETTERS),
            *p.seq_ends(start, phrases.LETTER_CASE, f"{phrases.COUNT_AS_THE_SAME}|{phrases.DOES_NOT_MATTER}"),
        ):
            yield from (end, *p.phrase(end, ")"))


def _alike_but_for_case(p: Parse, i: Position) -> Iterator[Position]:
    """Where "(BikeBits and bikebits count as the same)" ends: two texts that differ in nothing but case."""
    for start in p.phrase(i, "(|, and|and|, where|;|, so|, so that|where|:|-|– "):
        one, joint, other = (p.at(start + step) for step in range(3))
        if one is None or joint is None or other is None or joint.low != "and":
            continue
        if one.text != other.text and str(one.value).lower() == str(other.value).lower():
            for end in p.phrase(Position(start + 3), phrases.COUNT_AS_THE_SAME):
                for last in (end, *p.phrase(end, "number|value|name|one|text|code")):
                    yield from (last, *p.phrase(last, ")"))


def _membership(p: Parse, i: Position, table: str, x: Expression) -> Found:
    yield from value_lists.of_value(p, i, table, x)
    for start in p.phrase(i, phrases.WRITTEN_DOWN_AS):
        for end, values in value_list(p, start, table, x, False):
            yield from _with_missing(p, end, end, x, among(x, values))
    for start in p.phrase(i, phrases.ONE_OF):
        for end, values in value_list(p, start, table, x, True):
            if len(values) == 1 and p.tokens[i].low in _LIMITED and _numeric(values[0]):
                continue  # "limited to 5" is a limit
            yield from _with_missing(p, end, p.note(start, end, "a list of values"), x, among(x, values))
    yield from _bare_values(p, i, table, x)


def _bare_values(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Values after "be": "EUR or USD", "0, 4 or 6 euros"."""
    kind = kind_of_expression(p.schema, table, x)
    if kind in ("text", "boolean", "mixed", "integer", "number"):
        said_of = p.tokens[i + 1 : i + 2] and p.tokens[i].low == "one" and p.tokens[i + 1].low == "of"
        for end, values in (
            () if said_of else value_list(p, i, table, x, kind == "text" and _starts_known(p, i, table, x))
        ):
            listed: Condition = OneOf(of=x, values=values)
            if len(values) == 1:
                listed = Compare(relation="==", left=x, right=Value(value=values[0]))
            elif _joined_by_and(p, i, end):
                continue
            for last in _then_unit(p, end, x, values):
                yield from _with_missing(p, last, last, x, listed)


def _then_unit(p: Parse, end: Position, x: Expression, values: tuple[object, ...]) -> Iterator[Position]:
    yield end
    if len(values) > 1:
        yield from measures.unit_behind(p, end, x)


def _numeric(value: bool | int | float | str) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _starts_known(p: Parse, i: Position, table: str, x: Expression) -> bool:
    """An unquoted list is read as values only when its first item occurs in the column."""
    from pandas_magic.planner.grammar.values import literal

    return any(True for _ in literal(p, i, table, x, False))


def _joined_by_and(p: Parse, start: Position, end: Position) -> bool:
    # "must be 1 and 2" cannot be meant.
    return any(token.low == "and" for token in p.tokens[start:end]) and not any(
        token.low == "either" for token in p.tokens[start:end]
    )


def _with_missing(p: Parse, i: Position, end: Position, x: Expression, listed: Condition) -> Found:
    yield end, listed
    # Missing values are not judged anyway, so that the words change nothing.
    for last in p.phrase(i, phrases.OR_MISSING):
        yield last, listed

"""What a row has: a value in a column ("a ship date", "a tax above 0"), rows that refer to it, a row it refers to."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    Matches,
    Not,
    OneOf,
    Present,
    Relation,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Column, Expression, HowMany, Lookup, Now, Rollup, Value
from pandas_magic.planner.grammar import (
    aliases,
    child_statistics,
    children,
    clauses,
    comparisons,
    distinct_children,
    had_numbers,
    had_together,
    lacking,
    modifiers,
    nouns,
    only_values,
    patterns,
    phrases,
    qualities,
    rows,
    shared_heads,
    terms,
    time_between,
    totals,
    two_limits,
    value_lists,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import any_of, both, expressions_in, negate, of_which
from pandas_magic.planner.grammar.meaning import compare, join_along, join_down, kind_of_expression
from pandas_magic.planner.grammar.morphology import name_words
from pandas_magic.planner.grammar.values import number

Found = Iterator[tuple[Position, Condition]]
_PAIRS: tuple[tuple[Relation, str, str], ...] = (
    (">", "more|a higher|a greater|a larger|a bigger", "than"),
    ("<", "fewer|less|a lower|a smaller", "than"),
    (">=", "at least as many|at least as much|no fewer|no less", "as|than"),
    ("<=", "at most as many|at most as much|no more|no higher|not more", "as|than"),
    ("!=", "more or fewer|fewer or more|more or less|less or more|a higher or lower|another number of", "than"),
    ("==", "as many|as much|exactly as many|just as many", "as"),
)
OR_A = "or|or a|or an|,|, or|, or a|, or an"
_ONE = (
    f"{words.ARTICLE}|any|its/their/his/her own|{words.POSSESSIVE}|at least one|one|either|some|also a|exactly one|"
    "a single"
)


@rule
def had(p: Parse, i: Position, table: str) -> Found:
    """What stands behind "have" or "with" and is said of the row: true where the row has it."""
    yield from thing(p, i, table)
    for end, parts in things(p, i, table, phrases.AND_A):
        if not only_values.exclude_each_other(parts):
            yield end, _all(parts)
    for start in p.phrase(i, "both"):
        for end, parts in things(p, start, table, phrases.AND_A):
            if len(parts) == 2:
                yield end, _all(parts)
    for start in p.phrase(i, "neither|neither a|neither an"):
        for end, parts in things(p, start, table, "nor|nor a|nor an"):
            yield end, _all([negate(part) for part in parts])
    for end, names in shared_heads.columns(p, i, table):
        parts = [Present(of=name) for name in names]
        yield end, any_of(*parts) if any(token.low == "or" for token in p.tokens[i:end]) else _all(parts)
    yield from had_together.together(p, i, table)
    yield from child_statistics.had(p, i, table)
    yield from _either(p, i, table)
    yield from _one_of_these(p, i, table)
    yield from totals.with_a_total(p, i, table)
    yield from how_many_present(p, i, table)
    yield from time_between.limited(p, i, table)
    yield from more_than(p, i, table)
    yield from _more_children(p, i, table)
    yield from distinct_children.of_different(p, i, table)


def lacked(p: Parse, i: Position, table: str) -> Found:
    """What stands behind "without" or "lack": true where the row does not have it."""
    for end, condition in had(p, i, table):
        several = isinstance(condition, Any_) and any(token.low == "or" for token in p.tokens[i:end])
        if several and p.tokens[i].low not in ("either", "any", "both"):
            said = p.source(int(i), int(end))
            p.refuse(
                f'without "{said}" leaves open if one may be missing; write "a or b must be present", or "a and b"'
            )
            continue
        yield end, had_numbers.none_of(p, table, condition)


def _one_of_these(p: Parse, i: Position, table: str) -> Found:
    """Like "one of the statuses paid and open"; "a status other than paid" is a comparison, as any other."""
    for end, condition in value_lists.one_of_these(p, i, table):
        listed = condition.condition if isinstance(condition, Not) else condition
        if isinstance(listed, OneOf):
            yield end, _all([Present(of=listed.of), condition])


def _either(p: Parse, i: Position, table: str) -> Found:
    """Like "a phone or an email", "either a phone or an email or both"."""
    for start in (i, *p.phrase(i, "either|at least one of|one of|any of|at least|at the very least")):
        for end, parts in things(p, start, table, OR_A):
            if any(token.low == "or" for token in p.tokens[start:end]):
                yield end, any_of(*parts)
            for last in p.phrase(end, phrases.AT_LEAST_ONE_OF_TWO) if len(parts) == 2 else ():
                yield p.note(end, last, "at least one of the two"), any_of(*parts)


def more_than(p: Parse, i: Position, table: str) -> Found:
    """Like "More passengers than seats", "as many rejects as pieces": one of the row's numbers against another."""
    for relation, said, than in _PAIRS:
        for middle, left in (
            (end, x) for start in p.phrase(i, said) for end, x in had_numbers.counted(p, start, table)
        ):
            if kind_of_expression(p.schema, table, left) not in ("integer", "number"):
                continue
            for start in p.phrase(middle, than):
                for end, right in (*_other_number(p, start, table), *had_numbers.allowed(p, start, table, left)):
                    found = compare(p.schema, table, left, relation, right)
                    if found is not None:
                        yield p.note(i, end, f"{relation} of two numbers"), found


def _more_children(p: Parse, i: Position, table: str) -> Found:
    """Like "more enrolments than its capacity": how many rows refer to this one, against one of its numbers."""
    for relation, said, than in _PAIRS:
        for start in p.phrase(i, said):
            named = max((int(end) for end, _ in nouns.own_column(p, start, table)), default=0)
            for middle, (link, where) in rows.children(p, start, table):
                if int(middle) <= named > int(start) + 1:
                    continue  # "more cars on site" counts them by cars_on_site
                count = Rollup(statistic="count", join=join_down(link), where=where)
                for after in p.seq_ends(middle, f"?{phrases.TO_IT}", than, f"?{phrases.IT_HAS}"):
                    for end, right in _other_number(p, after, table):
                        found = compare(p.schema, table, count, relation, right)
                        if found is not None:
                            yield p.note(i, end, f"{relation} of how many rows of {link.table} refer to it"), found


def _other_number(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    found = list(nouns.column(p, i, table))
    yield from found
    for end, x in found:
        yield from ((last, x) for last in p.phrase(end, "available|in total|overall|there be"))
    for middle, link in nouns.parent(p, i, table):
        for start in p.phrase(middle, phrases.OWNS):
            for end, name in nouns.named_column(p, start, link.parent):
                yield p.note(i, end, f"of {link.parent}"), Lookup(join=join_along(link), of=Column(name=name))
    links = [link for link in p.schema.links(table) if any(True for _ in nouns.named_column(p, i, link.parent))]
    if not found and len(links) == 1:
        join = join_along(links[0])
        for end, name in nouns.named_column(p, i, links[0].parent):
            yield p.note(i, end, f"of {join.table}"), Lookup(join=join, of=Column(name=name))


def _all(parts: list[Condition]) -> Condition:
    joined = both(*parts)
    assert joined is not None
    return joined


def things(p: Parse, i: Position, table: str, separator: str) -> Iterator[tuple[Position, list[Condition]]]:
    """Several things that a row has, parted by the separator: "a phone, an email"."""
    described = {int(end) for start in (i, *p.phrase(i, _ONE)) for end, _ in _adjective_first(p, start, table)}
    for end, first in thing(p, i, table):
        for middle in p.phrase(end, separator):
            for last, second in thing(p, middle, table):
                if int(end) not in described or p.tokens[middle - 1].low not in ("and", "or"):
                    yield last, [first, second]
            for last, rest in things(p, middle, table, separator):
                yield last, [first, *rest]


@rule
def thing(p: Parse, i: Position, table: str) -> Found:
    """One thing that a row has, or has not: "a ship date", "no note"."""
    for start in p.phrase(i, "no|neither a|zero|not a|not an|not any"):
        for end, condition in _with_article(p, start, table):
            none = had_numbers.none_of(p, table, condition)
            if none.node != "not" or not had_numbers.counts_things(p, table, condition):
                yield from ((last, none) for last in (end, *p.phrase(end, "at all|whatsoever|of any kind")))
    yield from _with_article(p, i, table)


@rule
def _with_article(p: Parse, i: Position, table: str) -> Found:
    for start in (i, *p.phrase(i, _ONE)):
        for end, name in nouns.named_column(p, start, table):
            column = Column(name=name)
            if had_numbers.counts_things(p, table, Present(of=column)) and any(
                token.low == "one" for token in p.tokens[i:start]
            ):
                continue  # "at least one room" says how many
            identifier = p.tokens[end - 1].low.startswith(("is_", "was_", "are_"))
            if (yes := _said_to_be(p, table, name)) is not None and not identifier:
                yield p.note(i, end, f"{name} is {yes}"), Compare(relation="==", left=column, right=Value(value=yes))
                for last in p.phrase(end, "flag|value|entry|given|set|filled in|recorded|specified"):
                    yield last, Present(of=column)
                continue
            if p.tokens[start - 1].low == "own" and start > i:
                yield p.note(i, end, "its own, no other row has it"), _all([Present(of=column), Unique(by=(column,))])
                continue
            present = Present(of=column)
            some = had_numbers.are_some(p, i, start, table, present)
            yield end, had_numbers.some_of(present) if some else present
            for last in p.phrase(end, phrases.GIVEN_BEHIND):
                yield last, Present(of=column)
            whole = any(again == name and int(last) > int(end) for last, again in nouns.named_column(p, start, table))
            yield from _described(p, end, table, column) if not whole else ()  # "a buyer email" is buyer_email
        dates = p.schema.dates(table)
        for end in p.phrase(start, "date") if len(dates) == 1 and not p.schema.called(table, ("date",)) else ():
            yield p.note(start, end, f'the only date, "{dates[0]}"'), Present(of=Column(name=dates[0]))
        yield from _adjective_first(p, start, table)
        yield from lacking.described_alike(p, start, table)
        yield from _run_out(p, start, table)
        yield from had_numbers.or_more(p, start, table)
        for end, (of, limits) in two_limits.before_name(p, start, table):
            yield end, limits if had_numbers.counts_things(p, table, Present(of=of)) else with_presence(limits, of)
        yield from two_limits.before_unit(p, start, table)
        yield from modifiers.value_of_a_kind(p, start, table)
        yield from only_values.as_things(p, start, table)
        yield from children.referred(p, start, table)
    yield from had_numbers.called_a_number(p, i, table)
    yield from children.counted_children(p, i, table)


def _said_to_be(p: Parse, table: str, column: str) -> bool | str | None:
    """The value for true of a column such as has_lift or breakfast: to have that is not to have a value."""
    yes, _ = p.schema.truth_values(table, column) or (None, None)
    return yes


def _run_out(p: Parse, i: Position, table: str) -> Found:
    """Like "an expired licence" for licence_expiry, "a valid permit" for permit_valid_until."""
    yield from terms.valid(p, i, table)
    for start in p.phrase(i, "expired|lapsed|out of date|outdated"):
        for end, spoken in nouns.spans(p, start):
            for column in p.schema.dates(table):
                if aliases.is_a_term(column) and spoken in (name_words(column), aliases.term_noun(column)):
                    over = Compare(relation="<", left=Column(name=column), right=Now())
                    yield p.note(i, end, f"{column} before the run"), over


def described(p: Parse, i: Position, table: str, column: Expression) -> Found:
    """What is said of the column behind its name."""
    yield from _described(p, i, table, column)


def _described(p: Parse, i: Position, table: str, column: Expression) -> Found:
    for end, condition in _described_once(p, i, table, column):
        yield end, condition
        for middle in p.phrase(end, "or that|or which|, or that|, or which"):
            for last, second in clauses.value_phrase(p, middle, table, column, "is"):
                yield last, any_of(condition, with_presence(second, column))
        for middle in p.phrase(end, phrases.OR_WITH_ONE):
            for start in (middle, *p.phrase(middle, phrases.OF_VALUE)):
                for last, (second, _) in clauses.qualities_of(p, start, table, column):
                    yield last, any_of(condition, with_presence(second, column))


def _described_once(p: Parse, i: Position, table: str, column: Expression) -> Found:
    """Behind the column: "above 0", "of at least 18", "that is positive", "in the future", "shipped"."""
    for start in (i, *p.phrase(i, phrases.OF_VALUE)):
        for end, (condition, _) in clauses.qualities_of(p, start, table, column):
            yield from _of_this_one(p, i, end, condition, column)
    for end, condition in (
        (end, c)
        for middle in p.phrase(i, "that|which")
        for end, c in clauses.value_phrase(p, middle, table, column, "is")
    ):
        yield from _of_this_one(p, i, end, condition, column)
    for end, condition in patterns.pattern_verb(p, i, table, column):
        if p.tokens[i].low in ("matching", "starting", "containing", "ending", "beginning", "following", "consisting"):
            yield end, with_presence(condition, column)


def _of_this_one(p: Parse, i: Position, end: Position, condition: Condition, column: Expression) -> Found:
    """What is said of the column alone: not "a first and a last name that are different", which is about both."""
    if not (isinstance(condition, Unique) and "are" in [token.low for token in p.tokens[i : i + 2]]):
        yield end, with_presence(condition, column)


def with_presence(condition: Condition, column: Expression) -> Condition:
    """To have a tax above 0 is to have a tax; but to have a missing tax is not."""
    if isinstance(condition, Any_) and negate(Present(of=column)) in condition.conditions:
        # "With a user that does not exist" is with one; "with an empty note" can be without.
        dangling = any(isinstance(negate(part), Exists) for part in condition.conditions)
        return of_which(column, condition) if dangling and len(condition.conditions) == 2 else condition
    if isinstance(condition, Unique):
        return condition
    if column in expressions_in(condition) or any(
        column in expressions_in(part) for part in getattr(condition, "conditions", ())
    ):
        return _all([Present(of=column), condition])
    return condition


def _adjective_first(p: Parse, i: Position, table: str) -> Found:
    """Before the column: "a negative amount", "a unique email", "a valid email address", "a future date"."""
    for span_end in range(int(i) + 1, min(int(i) + 5, len(p.tokens))):
        for end, name in nouns.named_column(p, Position(span_end), table):
            column = Column(name=name)
            for middle, condition in had_numbers.before_its_name(p, i, table, column):
                counted = is_count(p, i) and not had_numbers.says_more(p, i, middle)
                if int(middle) == span_end and not counted and not a_word_for_it(p, i, table, condition):
                    counted = had_numbers.counts_things(p, table, Present(of=column))
                    counted = counted and isinstance(condition, (Compare, All))
                    said = condition if counted else with_presence(condition, column)
                    noted = p.note(middle, end, f'the column "{name}" of "{table}"')
                    yield noted, said
                    if said == Unique(by=(column,)):
                        scopes = qualities.unique_scope(p, noted, table, (column,))
                        yield from ((last, Unique(by=by)) for last, by in scopes)
    for end, (pattern, name) in patterns.named_format(p, i):
        # Without "valid" before it "an email address" is the column alone.
        if p.tokens[i].low in ("valid", "well", "syntactically", "properly", "correct", "proper", "correctly", "real"):
            for last, of in _of_this_format(p, i, end, table):
                yield last, _all([Present(of=of), Matches(of=of, pattern=pattern, format=name)])
    yield from _malformed(p, i, table)


def _of_this_format(p: Parse, i: Position, end: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Like "a valid email address" for email, "a valid IPv4 address in ip_address"."""
    yield from ((end, of) for of in _named_like(p, i, end, table))
    for start in p.phrase(end, "in|as|in the column|in the field|as the|in its|in their|as its"):
        for last, column in nouns.named_column(p, start, table):
            if p.schema.kind(table, column) == "text":
                yield last, Column(name=column)


def _malformed(p: Parse, i: Position, table: str) -> Found:
    """Like "an invalid IPv4 address" for a column of that name."""
    for start in p.phrase(i, f"{phrases.MALFORMED}|wrong"):
        for end, (pattern, name) in patterns.named_format(p, start):
            for of in _named_like(p, start, end, table):
                yield end, negate(Matches(of=of, pattern=pattern, format=name))


def a_word_for_it(p: Parse, i: Position, table: str, condition: Condition) -> bool:
    """Like "a VAT number", where another number is meant than the one whose text would have to be 'VAT'."""
    if not (isinstance(condition, Compare) and isinstance(condition.left, Column) and p.tokens[i].kind == "word"):
        return False
    text = condition.right.value if isinstance(condition.right, Value) else None
    return isinstance(text, str) and text not in p.schema.occurring(table, condition.left.name)


def is_count(p: Parse, i: Position) -> bool:
    """A number before a noun counts: "3 users" does not say that a user id is 3."""
    return any(True for _ in number(p, i))


def _named_like(p: Parse, i: Position, end: Position, table: str) -> Iterator[Expression]:
    """The column that the format's own words name: "a valid email address" is about "email"."""
    for start in range(int(i), int(end)):
        for last, name in nouns.named_column(p, Position(start), table):
            if int(last) == int(end) and kind_of_expression(p.schema, table, Column(name=name)) == "text":
                yield Column(name=name)
                return


# ---- rows that refer to this one, and the row that this one refers to --------------------------------------------


@rule
def how_many_present(p: Parse, i: Position, table: str) -> Found:
    """At least, at most or exactly so many of several columns: "exactly one of email and phone"."""
    for middle, condition in comparisons.counted(p, i, table, HowMany(conditions=())):
        for start in p.phrase(middle, phrases.OF_THE_COLUMNS):
            for end, names in (*column_list(p, start, table), *had_together.slashed(p, start, table)):
                if len(names) > 1:
                    parts = tuple(Present(of=name) for name in names)
                    some = condition in (_at_least(1), _more_than(0))
                    so_many = any_of(*parts) if some else children.on(condition, HowMany(conditions=parts))
                    yield from ((last, so_many) for last in (end, *p.phrase(end, phrases.GIVEN_BEHIND)))
    for middle in p.phrase(i, phrases.NONE_OR_SEVERAL):
        for start in p.phrase(middle, phrases.OF_THE_COLUMNS):
            for end, names in column_list(p, start, table):
                if len(names) > 1:
                    several = HowMany(conditions=tuple(Present(of=name) for name in names))
                    yield end, Compare(relation="!=", left=several, right=Value(value=1))


def _at_least(number_of: int) -> Compare:
    return Compare(relation=">=", left=HowMany(conditions=()), right=Value(value=number_of))


def _more_than(number_of: int) -> Compare:
    return Compare(relation=">", left=HowMany(conditions=()), right=Value(value=number_of))


@rule
def column_list(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Expression, ...]]]:
    """Columns parted by commas, "and" or "or"."""
    yield from shared_heads.columns(p, i, table)
    named = [(end, Column(name=link.column)) for end, link in nouns.parent(p, i, table)]
    for end, first in (*nouns.column(p, i, table), *named):
        yield end, (first,)
        for middle in p.phrase(end, phrases.BETWEEN_COLUMNS):
            for last, others in column_list(p, middle, table):
                if first not in others:
                    yield last, (first, *others)


def all_or_none(conditions: tuple[Condition, ...]) -> Condition:
    """All of them are true, or none is."""
    return any_of(_all(list(conditions)), _all([negate(part) for part in conditions]))


def at_most_one(conditions: tuple[Condition, ...]) -> Condition:
    """No two of them are true."""
    return Compare(relation="<=", left=HowMany(conditions=conditions), right=Value(value=1))

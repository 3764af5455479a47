"""Which values go together: "each postcode goes with one city", "identical for all accounts of one customer"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Group, Value
from pandas_magic.planner.grammar import constants, counting, nouns, pairings, phrases
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import kind_of_expression

Found = Iterator[tuple[Position, Condition]]
Keys = tuple[Expression, ...]


@rule
def belongs_to(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of `x`: "means exactly one city", "is sent to more than one city", true where rows with it have several."""
    if not isinstance(x, Column) or x.name == p.schema.key(table):
        return
    for said, several in ((phrases.THE_SAME_ONE + "|one", False), (phrases.TWO_DIFFERENT + "|two or more", True)):
        for start in p.seq_ends(i, phrases.BELONGS_SOMEWHERE, said):
            if not several and (p.tokens[i].forms & _PLAINLY_HAS or pairings.is_denied(p, i)):
                continue  # "each user has exactly one email" asks for an email
            for begin in (start, *p.phrase(start, "different|distinct")):
                yield from _of_each(p, i, begin, table, x, several=several)


def is_complaint(condition: Condition) -> bool:
    """Like "a postcode appears with different cities": what is wrong, and nothing to demand."""
    several = isinstance(condition, Compare) and condition.relation == ">" and condition.right == Value(value=1)
    return several and isinstance(condition, Compare) and _counts_values(condition.left)


def _counts_values(x: Expression) -> bool:
    return isinstance(x, Group) and x.statistic == "distinct"


_PLAINLY_HAS = frozenset(("have", "share", "show", "carry", "use"))


def _of_each(p: Parse, i: Position, begin: Position, table: str, x: Column, *, several: bool) -> Found:
    for end, other in constants.columns(p, begin, table):
        if other != x and kind_of_expression(p.schema, table, other) != "boolean":
            alike = _alike(other, (x,))
            yield p.note(i, end, "the different values in rows that agree"), negate(alike) if several else alike


def _alike(x: Expression, by: Keys) -> Condition:
    return Compare(relation="<=", left=Group(statistic="distinct", of=x, by=by), right=Value(value=1))


@rule
def alike_in_group(p: Parse, i: Position, table: str, x: Expression) -> Found:
    """Said of `x` behind "be": "identical across all accounts of one customer", "the same within a branch"."""
    for start in p.phrase(i, phrases.OF_ONE_VALUE):
        for end, by in _groups(p, start, table):
            if x not in by and Column(name=p.schema.key(table) or "") not in by:
                yield p.note(i, end, "one value in each group"), _alike(x, by)


def _groups(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Keys]]:
    for start in p.phrase(i, phrases.IN_ALL):
        for middle in nouns.this_table(p, start, table):
            for after in p.phrase(middle, f"{phrases.OF_ONE_GROUP}|{phrases.WITH_THE_SAME}|who share a/the_same/an"):
                yield from counting.group_keys(p, after, table)
        for middle, link in nouns.parent(p, start, table):
            for after in p.phrase(middle, "'s|'"):
                for end in nouns.this_table(p, after, table):
                    yield p.note(start, end, f"the rows of one {link.parent}"), (Column(name=link.column),)
    for start in p.phrase(i, phrases.WITHIN_ONE):
        yield from counting.group_keys(p, start, table)


def rows_of_one(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Keys]]:
    """Like "a customer's accounts", "all of one customer's accounts": rows of the table by what they refer to."""
    for start in (i, *p.phrase(i, f"{words.EVERY}|a|an|one|the|all_of a|all_of one|all_of the_same")):
        for middle, link in nouns.parent(p, start, table):
            for after in p.phrase(middle, "'s|'"):
                for end in nouns.this_table(p, after, table):
                    yield p.note(i, end, f"the rows of one {link.parent}"), (Column(name=link.column),)


@rule
def same_key_clause(p: Parse, i: Position, table: str) -> Found:
    """Like "the same postcode is recorded with different cities"."""
    for start in p.phrase(i, "the same|one|one and the same|a single|a"):
        for middle, x in nouns.own_column(p, start, table):
            yield from pairings.goes_with(p, middle, table, x)
            yield from belongs_to(p, middle, table, x)

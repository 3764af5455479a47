"""Statistics of the rows that refer to this one, named by their table: "the mean transaction amount of an account"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Rollup, Statistic
from pandas_magic.planner.grammar import amounts, comparisons, nouns, phrases, rows, terse_notes
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.meaning import join_down, kind_of_expression
from pandas_magic.planner.grammar.schema import Link
from pandas_magic.planner.grammar.values import statistic_word

Values = Iterator[tuple[Position, Expression]]
_OF_EACH = "of|on|per|for|in|by|for each|for every|over|across|within"
_MEASURED = ("integer", "number", "duration")


@rule
def of_each(p: Parse, i: Position, table: str) -> Values:
    """Like "the average transaction amount of every account", "an account's mean transaction amount"."""
    for start in (i, *p.phrase(i, "the")):
        for middle, value in _statistic(p, start, table):
            for after in p.phrase(middle, _OF_EACH):
                for end in nouns.this_table(p, after, table):
                    yield p.note(i, end, f"over the rows that refer to one of {table}"), value
            if _is_titled(p, i, table):
                yield middle, value
    for owner in nouns.this_table(p, i, table):
        for start in p.phrase(owner, "'s|'"):
            yield from _statistic(p, start, table)
    yield from _per_row(p, i, table) if p.target == table else ()


def _per_row(p: Parse, i: Position, table: str) -> Values:
    """Like "sum of claim_amount per policy", "sum(items.units) per parcel", asked of the policies and the parcels."""
    for start, (_, name) in statistic_word(p, i):
        for begin in (start, *p.phrase(start, "of|of the|(|of all")):
            for middle, (link, of, where) in _column_of_rows(p, begin, table):
                for after in p.phrase(middle, f") {_OF_EACH.replace('|', '|) ')}|{_OF_EACH}"):
                    for end in nouns.this_table(p, after, table):
                        yield (
                            p.note(i, end, f"the {name} of {of.name} over the rows that refer to it"),
                            Rollup(statistic=name, join=join_down(link), of=of, where=where),
                        )


def _column_of_rows(
    p: Parse, i: Position, table: str
) -> Iterator[tuple[Position, tuple[Link, Column, Condition | None]]]:
    """A number of the rows that refer to this one, and which of them: "paid payments' amounts", "total over orders"."""
    children = [(child, link) for child in p.schema.tables for link in p.schema.links_to(child, table)]
    for child, link in children:
        for middle, of in nouns.own_column(p, i, child):
            if not isinstance(of, Column) or p.schema.kind(child, of.name) not in _MEASURED or of.name == link.column:
                continue
            yield middle, (link, of, None)
            for start in p.phrase(middle, "over|of|for|from|in"):
                yield from ((end, (link, of, r.where)) for end, r in rows.plain_rows(p, start) if r.table == child)
            for end, (where,) in p.seq(middle, "(", lambda p, i, child=child: terse_notes.facts(p, i, child), ")"):
                yield end, (link, of, where)
        for middle, found in rows.plain_rows(p, i):
            for start in p.phrase(middle, "'s|'") if found.table == child else ():
                for end, column in nouns.named_column(p, start, child):
                    yield end, (link, Column(name=column), found.where)


def _is_titled(p: Parse, i: Position, table: str) -> bool:
    """The table's name and a colon stand before: "accounts: mean transaction amount <= 700"."""
    return (
        i > 1 and p.tokens[i - 1].text == ":" and any(int(e) == int(i) - 1 for e in nouns.this_table(p, _START, table))
    )


_START = Position(0)


def _statistic(p: Parse, i: Position, table: str) -> Values:
    for start, (_, name) in statistic_word(p, i):
        for end, (link, of) in _column_of_child(p, start, table):
            yield p.note(i, end, f"the {name} of {of.name}"), Rollup(statistic=name, join=join_down(link), of=of)


def _column_of_child(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, tuple[Link, Column]]]:
    """Like "transaction amount", and "transaction" alone, where each has one amount."""
    for middle, child in nouns.table_noun(p, i):
        for link in p.schema.links_to(child, table):
            amount = _amount(p, child)
            if amount is not None:
                yield middle, (link, amount)
            for end, name in nouns.named_column(p, middle, child):
                if kind_of_expression(p.schema, child, Column(name=name)) in _MEASURED and name != link.column:
                    yield end, (link, Column(name=name))


def _amount(p: Parse, table: str) -> Column | None:
    named = p.schema.called(table, ("amount",))
    return Column(name=named[0]) if len(named) == 1 else amounts.amount_of(p, table)


def had(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Behind "have" or "with": "a mean transaction amount above 700"."""
    for start in (i, *p.phrase(i, "a|an|the")):
        for middle, value in _statistic(p, start, table):
            for after in (middle, *p.phrase(middle, "of|that be|which be")):
                yield from comparisons.comparison(p, after, table, value)


def whose_children(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Behind "whose": "transactions average more than 700 euros", "orders have a mean total above 50"."""
    verbs: tuple[tuple[Statistic, str], ...] = (("mean", "average"), ("sum", phrases.ADD_UP_TO))
    for middle, (link, where) in rows.children(p, i, table):
        amount = _amount(p, link.table)
        for name, said in verbs if amount is not None else ():
            for start in p.phrase(middle, said):
                count = Rollup(statistic=name, join=join_down(link), of=amount, where=where)
                yield from comparisons.comparison(p, start, table, count)
        for start in p.seq_ends(middle, "have|show", "a|an"):
            for after, (_, statistic) in statistic_word(p, start):
                for begin, column in nouns.named_column(p, after, link.table):
                    if p.schema.kind(link.table, column) in _MEASURED:
                        of = Rollup(statistic=statistic, join=join_down(link), of=Column(name=column), where=where)
                        for last in (begin, *p.phrase(begin, "of|that be")):
                            yield from comparisons.comparison(p, last, table, of)

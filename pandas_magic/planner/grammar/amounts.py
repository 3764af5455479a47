"""Rows that stand for their amount: "payments must be positive", "the payments of a loan add up to"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition
from pandas_magic.constraints.algebra.expressions import Column, Expression, Rollup, Value
from pandas_magic.planner.grammar import moods, qualities, rows
from pandas_magic.planner.grammar.aliases import KEY_ENDINGS
from pandas_magic.planner.grammar.chart import Parse, Position, rule
from pandas_magic.planner.grammar.logic import negate
from pandas_magic.planner.grammar.meaning import join_down
from pandas_magic.planner.grammar.morphology import last_word

_AMOUNTS = frozenset(("amount", "sum", "total", "value"))
# Rows that are an amount of money, whatever else is known of them.
_MONEY = frozenset((
    "payment", "refund", "deposit", "withdrawal", "donation", "transfer", "expense", "contribution", "instalment",
    "repayment", "pledge", "charge", "transaction", "allowance", "reimbursement",
))  # fmt: skip


def amount_of(p: Parse, table: str) -> Column | None:
    """The table's one number that is no key and refers to nothing, where its name says that it is an amount."""
    linked = {link.column for link in (*p.schema.links(table), *p.schema.roles(table))}
    numbers = [
        name
        for name in p.schema.tables[table].columns
        if p.schema.kind(table, name) in ("integer", "number")
        and name not in linked
        and name != p.schema.key(table)
        and last_word(name) not in KEY_ENDINGS
    ]
    called = p.schema.called(table, ("amount",)) if not p.schema.is_part(table, ("amount",)) else []
    if len(called) == 1 and (numbers == called or last_word(table) in _MONEY):
        return Column(name=called[0])
    if len(numbers) != 1 or last_word(numbers[0]) not in _AMOUNTS:
        return None
    return Column(name=numbers[0])


@rule
def signed(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Behind the rows: "must be positive", "may not be negative"."""
    amount = amount_of(p, table)
    if amount is None:
        return
    for start, negated in moods.head(p, i, "must"):
        for begin in p.phrase(start, "be|be always"):
            for end, said in qualities.plain_quality(p, begin, table, amount):
                sign = isinstance(said, Compare) and said.right == Value(value=0)
                if sign and p.tokens[end - 1].low in ("positive", "negative"):
                    yield p.note(start, end, f"the {amount.name} of each"), negate(said) if negated else said


@rule
def summed(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression]]:
    """Before "add up to": "the payments of a loan", whose amounts are meant."""
    for end, (link, where) in rows.children(p, i, table):
        amount = amount_of(p, link.table)
        if amount is not None:
            noted = p.note(i, end, f"the {amount.name} of each")
            yield noted, Rollup(statistic="sum", join=join_down(link), of=amount, where=where)

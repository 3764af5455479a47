"""How large a share of the rows may or must be so: "fewer than 5 % of all transactions may be reversed"."""

from collections.abc import Iterator

from pandas_magic.constraints.conditions import Compare, Condition, Relation
from pandas_magic.constraints.expressions import Share, Value
from pandas_magic.planner.rules import claims, clauses, rows
from pandas_magic.planner.rules import lexicon as words
from pandas_magic.planner.rules.chart import Parse, Position
from pandas_magic.planner.rules.logic import has_window
from pandas_magic.planner.rules.values import percentage

Found = Iterator[tuple[Position, Condition]]
# "At most 5 % of orders may …" says how many violations a rule accepts; "fewer than 5 %" leaves out the 5 % itself.
_SIDES: tuple[tuple[Relation, str, tuple[str, ...]], ...] = (
    ("<", words.LESS, ("may", "must")),
    (">", words.GREATER, ("must",)),
)


def share_of_rows(p: Parse, i: Position, table: str) -> Found:
    """The share of the rows that a sentence limits strictly, on either side."""
    for relation, said, modes in _SIDES:
        for middle, (limit,) in p.seq(i, said, percentage, "of|of all|of the|of all the|of our"):
            noted = p.note(i, middle, "the share of the rows")
            for after, found in rows.plain_rows(p, noted):
                for end, condition in _so(p, after, table, modes) if found.table == table else ():
                    share = Share(table=table, condition=condition, where=found.where)
                    yield end, Compare(relation=relation, left=share, right=Value(value=limit))


def _so(p: Parse, i: Position, table: str, modes: tuple[str, ...]) -> Found:
    for mode in modes:
        for end, condition in claims.not_negated(p, i, clauses.row_phrase(p, i, table, mode)):
            if not has_window(condition) and int(end) > int(i):
                yield end, condition

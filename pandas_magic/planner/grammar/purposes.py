"""What a row must be in order to be something else: "a passenger must be at least 12 to travel alone"."""

from collections.abc import Iterator

from pandas_magic.planner.grammar import claims, clauses, moods, row_predicates, rows
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import both
from pandas_magic.planner.grammar.meaning import Claim


def needed_for(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Claim]]:
    """The demand holds only where the row is, has or does what stands behind "to"."""
    for middle, found in rows.subject_rows(p, i) if any(token.low == "to" for token in p.tokens[i:]) else ():
        if found.table != table or moods.is_negated(p, middle):
            continue
        for after, must in clauses.row_phrase(p, middle, table, "must"):
            for start in p.phrase(after, "to|in order to|to be able to|to be allowed to"):
                for end, purpose in row_predicates.row_predicate(p, start, table):
                    if purpose != must:
                        noted = p.note(after, end, "only where this is so")
                        yield noted, claims.demand(table, must, both(found.where, purpose))

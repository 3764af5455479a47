"""An "only" at the end, read where it could stand as well: "may be used for economy bookings only"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.restated import Reader, read_as

_VERBS = ("may", "can", "must", "should", "shall", "could", "is", "are")
_ONLY = ("only", "exclusively", "solely")
_DENIED = frozenset(("no", "not", "never", "nobody", "nothing", "none", "neither", "without", "unless", "if", "when"))


def moved(p: Parse, table: str, reader: Reader) -> Iterator[tuple[Position, Constraint]]:
    """The readings of the sentence with its last "only" behind the first verb."""
    low = [token.low for token in p.tokens]
    last = len(low) - (2 if low[-1:] in (["."], ["!"]) else 1)
    verbs = [place for place, word in enumerate(low[:last]) if word in _VERBS]
    if last < 3 or low[last] not in _ONLY or low.count("only") > 1 or not verbs or not _DENIED.isdisjoint(low):
        return
    verb = verbs[0] + 1
    yield from read_as(p, (*range(verb), "only", *range(verb, last), *range(last + 1, len(low))), table, reader)

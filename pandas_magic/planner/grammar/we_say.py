"""What people say of themselves, put as a statement about rows: "We never ship an order before it was paid"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.grammar import rows, trailing_only
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.restated import Reader, Words, read_as

Read = Iterator[tuple[Position, Constraint]]
_MODALS = "should|must|shall|will|may|can|would"
# Who does so to a row has it; "we never ship cancelled orders" does not say that there are none.
_HAVE = (
    "have|want|see|accept|keep|allow|store|record|register|tolerate|hold|permit|create|take|find|enter|want to have|"
    "want to see|save|admit|put up with|let in"
)
_NEED = "need|require|want|have|expect|need to have|want to have|insist on|ask for|keep|store|record|hold|demand"
_DENYING = frozenset(["no", "nobody", "nothing", "none", "never", "only", "neither", "not"])
_BEFORE_EVER = frozenset(["should", "must", "shall", "may", "can", "could", "only", "will", "would"])


def restated(p: Parse, table: str, reader: Reader) -> Read:
    """The readings of "we never …", "we always …", "nobody should ever …" as a statement about rows."""
    yield from trailing_only.moved(p, table, reader)
    places = tuple(range(len(p.tokens)))
    without_ever = _without_ever(p, places)
    if without_ever != places:
        yield from read_as(p, without_ever, table, reader)
    for start in _beginnings(p):
        for middle in p.seq_ends(position(start), "we", f"?{_MODALS}", "never|not|not ever|never ever"):
            if p.tokens[middle - 1].low != "not" or int(middle) - start > 2:
                yield from _we_never(p, table, reader, start, middle)
        for middle in p.seq_ends(position(start), "we", f"?{_MODALS}", "?always|also"):
            yield from _we_always(p, table, reader, start, middle)


def _without_ever(p: Parse, places: tuple[int, ...]) -> tuple[int, ...]:
    """Like "Nobody should ever …", "we only ever …", where "ever" adds nothing."""
    low = [token.low for token in p.tokens]
    if "ever" not in low or _DENYING.isdisjoint(low[: low.index("ever")]):
        return places
    return tuple(place for place in places if low[place] != "ever" or low[place - 1] not in _BEFORE_EVER)


def _beginnings(p: Parse) -> Iterator[int]:
    for place, token in enumerate(p.tokens):
        conditional = p.tokens[0].low in ("if", "when", "whenever", "once", "where")
        if token.low == "we" and (place == 0 or p.tokens[place - 1].text in (",", "that", "then") or conditional):
            yield place


def _we_never(p: Parse, table: str, reader: Reader, start: int, verb: Position) -> Read:
    """Behind "we never": "accept orders without …", "ship an order before …", "ship anything before …"."""
    before, end = tuple(range(start)), len(p.tokens)
    for thing in p.seq_ends(verb, _HAVE, "?a|an|any|the|a single|even one"):
        yield from read_as(p, (*before, "there must be no", *range(thing, end)), table, reader)
    if any(True for _ in p.phrase(verb, _HAVE)):
        return
    thing = position(int(verb) + 1)
    for after in p.phrase(thing, "anything|anybody|anyone|somebody|someone"):
        nothing = "nothing" if p.tokens[thing].low == "anything" else "nobody"
        yield from read_as(p, (*before, nothing, "may be", int(verb), *range(after, end)), table, reader)
    for behind in _ends_of_rows(p, thing, table):
        said: Words = (*before, *range(thing, behind), "must never be", int(verb), *range(behind, end))
        yield from read_as(p, said, table, reader)


def _we_always(p: Parse, table: str, reader: Reader, start: int, verb: Position) -> Read:
    """Behind "we always": "need an email for every user", "ship orders within 3 days of …"."""
    before, end = tuple(range(start)), len(p.tokens)
    for thing in p.phrase(verb, _NEED):
        yield from read_as(p, (*before, "there must be", *range(thing, end)), table, reader)
    if any(True for _ in p.phrase(verb, f"{_NEED}|{_HAVE}|never|not|only|be|do")):
        return
    for after in _ends_of_rows(p, position(int(verb) + 1), table):
        said: Words = (*before, *range(int(verb) + 1, after), "must be", int(verb), *range(after, end))
        yield from read_as(p, said, table, reader)


def _ends_of_rows(p: Parse, i: Position, table: str) -> list[int]:
    return sorted({int(end) for end, found in rows.rows(p, i) if found.table == table})

"""On which dates what a row is about begins and is over: a stay from its arrival, a flight from its departure."""

from collections.abc import Sequence

from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.morphology import last_word

BEGINNINGS = frozenset(("start", "begin", "admit", "open", "check in", "checkin", "pickup", "rent"))
ENDINGS = frozenset(("end", "finish", "discharge", "close", "complete", "return", "checkout"))
# Who departs has been there, or is under way: that depends on what the row is.
_JOURNEYS = frozenset((
    "flight", "trip", "journey", "voyage", "ride", "leg", "sailing", "crossing", "train", "bus", "tour", "drive",
    "shipment", "transport", "delivery", "transfer", "cruise", "haul", "run", "route", "tram", "ferry", "ship",
))  # fmt: skip
_STAYS = frozenset(("stay", "visit", "accommodation", "guest", "visitor", "mooring", "berth", "parking", "camping"))


def begun_and_over(table: str, dates: Sequence[str]) -> tuple[list[str], list[str]]:
    """The dates of the table that say when something begins, and those that say when it is over."""
    begun = [date for date in dates if event_verbs(date) & BEGINNINGS]
    over = [date for date in dates if event_verbs(date) & ENDINGS]
    departures = [date for date in dates if "depart" in event_verbs(date)]
    arrivals = [date for date in dates if "arrive" in event_verbs(date)]
    if last_word(table) in _STAYS:
        return [*begun, *arrivals], [*over, *departures]
    if last_word(table) in _JOURNEYS:
        return [*begun, *departures], [*over, *arrivals]
    return begun, over


def from_and_to(table: str, dates: Sequence[str]) -> tuple[str, str] | None:
    """From which date to which something lasts; None where several could be meant, or the end is listed first."""
    begun, over = begun_and_over(table, dates)
    if len(begun) != 1 or len(over) != 1 or dates.index(begun[0]) >= dates.index(over[0]):
        return None
    return begun[0], over[0]


def is_undecided(table: str, dates: Sequence[str]) -> bool:
    """There is an arrival and a departure, and nobody knows which of them comes first."""
    verbs = frozenset().union(*(event_verbs(date) for date in dates))
    return {"arrive", "depart"} <= verbs and last_word(table) not in _STAYS | _JOURNEYS

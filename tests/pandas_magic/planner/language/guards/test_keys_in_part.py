"""A row that two columns tell apart is not looked up by one of them without a question."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule

ROOMS = Table(name="rooms", columns={"hotel_code": "str", "room_number": "int64", "max_guests": "int64"})
BOOKINGS = Table(
    name="bookings",
    columns={"booking_no": "str", "hotel_code": "str", "room_number": "float64", "adults": "int64"},
    keys=("booking_no",),
)
RULE = "adults must be at most the max_guests of the room"


def test_a_room_of_any_hotel_is_asked_about() -> None:
    with pytest.raises(RuleNotUnderstood, match="has the same hotel_code, too, is not said"):
        compile_rule(RULE, {"rooms": ROOMS, "bookings": BOOKINGS}, target="bookings")


def test_a_number_that_tells_all_rooms_apart_is_enough() -> None:
    rooms = ROOMS.model_copy(update={"keys": ("room_number",)})
    found = compile_rule(RULE, {"rooms": rooms, "bookings": BOOKINGS}, target="bookings")
    assert found.echo == "bookings: adults must be <= the max_guests of rooms by room_number"

"""Conditions in front, and rules said the other way round; and sentences close to them."""

import pytest

from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule
from tests.pandas_magic.planner.grammar.test_turns_of_strangers import TABLES

UNDERSTOOD = [
    # Every row
    ("For every car, the price has to be at least 500.", "cars: price must be at least 500"),
    ("For any given rental, due_on must be after picked_up_on.", "rentals: due_on must be > picked_up_on"),
    ("Whenever a rental is recorded, the voucher has to be given.", "rentals: voucher must be present"),
    ("When a rental is entered, it must have a voucher.", "rentals: voucher must be present"),
    ("Once a customer is stored in the system, the email must be there.", "customers: email must be present"),
    ("For every rental, if it has a tip, the voucher must be given.", "rentals where tip is present: voucher must be"),
    ("Each time a rental is made, its days may be at most 30.", "rentals: `days` must be at most 30"),
    ("If a rental is made on a car, then its days must be above 0.", "rentals where car_id is present: `days` must be"),
    # The value that is there
    (
        "If a voucher is given for a rental, it must be 8 characters long.",
        "rentals where voucher is present: the length",
    ),
    ("If a tip is given, then it has to be above 1.", "rentals where tip is present: tip must be greater than 1"),
    ("When there is a tip on a rental, it may not be below 1.", "rentals where tip is present: tip must be at least 1"),
    # Not unless
    ("A rental is not valid unless its due_on is later than picked_up_on.", "rentals: due_on must be > picked_up_on"),
    ("No rental is acceptable unless the days are between 1 and 30.", "rentals: `days` must be between 1 and 30"),
    ("A rental is only valid if the days are positive.", "rentals: `days` must be greater than 0"),
    ("No plate is valid unless it consists of 6 digits.", "cars: plate must match /\\d{6}/"),
    ("Cars may only be stored if the price is known.", "cars: price must be present"),
    # Nothing but
    ("Nothing but numbers may be entered in voucher.", "rentals: voucher must be readable as a number"),
    ("Nothing other than white or red may be used as color.", "cars: color must be one of 'white', 'red'"),
    ("Only values from 2 to 9 may appear in seats.", "cars: seats must be between 2 and 9"),
    ("Nothing below 2 or above 9 may be entered as the seats of a car.", "cars: seats must be between 2 and 9"),
    ("Only prices of no more than 900 are allowed.", "cars: price must be at most 900"),
    ("Only emails that end in @uni.edu may be used for customers.", "customers: email must end with '@uni.edu'"),
    ("Only car ids from the cars table may be used in rentals.", "rentals: car_id must be among cars.car_id"),
    # All but some
    ("No car may have a color except red and white.", "cars: color must be one of 'red', 'white'"),
    ("Except for red and white, no color is allowed.", "cars: color must be one of 'red', 'white'"),
    ("No color but red or white may be used for cars.", "cars: color must be one of 'red', 'white'"),
    ("Every color is fine for a car except black.", "cars: color must not be 'black'"),
    ("Any color apart from red and white is wrong.", "cars: color must be one of 'red', 'white'"),
    # Verdicts
    ("If the color of a car is black, the record is invalid.", "cars: color must not be 'black'"),
    ("When a rental has no voucher, it must be flagged.", "rentals: voucher must be present"),
    ("If the price is below 5, report it.", "cars: price must be at least 5"),
    ("Any color other than red or white is a finding.", "cars: color must be one of 'red', 'white'"),
    ("A price below 5 or above 900 shall be treated as an error.", "cars: price must be between 5 and 900"),
    # There has to be one
    ("For every car, at least one rental has to be recorded.", "cars: car_id must be present and car_id must be among"),
    ("Cars with no rental at all must not exist.", "cars: car_id must be present and car_id must be among"),
    # Case, types, ends
    ("Plates must be unique among cars, regardless of upper and lower case.", "cars: plate ignoring case must be"),
    ("Emails have no duplicates when case is ignored.", "customers: email ignoring case must be unique"),
    ("Check that voucher can be parsed as a number.", "rentals: voucher must be readable as a number"),
    ("Find rentals whose voucher cannot be read as a date.", "rentals: voucher must be readable as a date"),
    ("Seats must be between 2 and 9 (limits included).", "cars: seats must be between 2 and 9"),
    ("Plates match the pattern ^[A-Z]{2}\\d+$.", "cars: plate must match /[A-Z]{2}\\d+/"),
    ("The color has to be chosen from red, white and black.", "cars: color must be one of 'red', 'white', 'black'"),
    (
        "Each car must have a status of rented or sold.",
        "cars: status must be present and status must be one of 'rented', 'sold'",
    ),
    ("Find sold cars where the plate is missing.", "cars where status is 'sold': plate must be present"),
    (
        "Flag rentals with a tip that is not 10 percent of days.",
        "rentals where tip is present: tip must equal `days` * 0.1",
    ),
    # How long, how many
    (
        "There must be no more than 14 days between picked_up_on and due_on.",
        "rentals: due_on - picked_up_on must be at",
    ),
    (
        "The time between picked_up_on and due_on must not exceed two weeks.",
        "rentals: due_on - picked_up_on must be at",
    ),
    (
        "The number of nights from picked_up_on to due_on must be at most 14.",
        "rentals: due_on - picked_up_on must be at",
    ),
    (
        "Report rentals with over 14 nights between picked_up_on and due_on.",
        "rentals: due_on - picked_up_on must be at",
    ),
    (
        "Only rentals of 14 days or fewer from picked_up_on to due_on may be stored.",
        "rentals: due_on - picked_up_on must",
    ),
    (
        "Check that at most 5 rentals have no voucher.",
        "rentals: voucher must be present; at most 5 rows may break this",
    ),
    (
        "Report if more than 5 rentals have no voucher.",
        "rentals: voucher must be present; at most 5 rows may break this",
    ),
    ("Except for five at most, all rentals must have a voucher.", "rentals: voucher must be present; at most 5 rows"),
    ("The voucher may be empty only for 5 rentals at most.", "rentals: voucher must be present; at most 5 rows may"),
    (
        "Flag rentals where more than one of tip, voucher and clerk is given.",
        "rentals: the number of true ones among (",
    ),
    ("A rental with none or more than one of tip and voucher is wrong.", "rentals: the number of true ones among (tip"),
    # Which goes with which
    ("Each branch occurs with only one clerk.", "rentals: the distinct count of clerk per branch must be at most 1"),
    ("List the rentals whose branch appears with different clerks.", "rentals: the distinct count of clerk per branch"),
    (
        "It is not permissible for a branch to be assigned to more than one clerk.",
        "rentals: the distinct count of clerk",
    ),
    ("It is not acceptable for a voucher to be missing.", "rentals: voucher must be present"),
    # Whole rows
    (
        "Whenever two rows of cars agree in every column, it is an error.",
        "cars: (car_id, vin, plate, color, seats, pri",
    ),
    (
        "Fully duplicated records shall not occur in cars.",
        "cars: (car_id, vin, plate, color, seats, price, status) must",
    ),
    # Exactly these, and the verb first
    (
        "The voucher is given for exactly those rentals whose payment_method is card.",
        "rentals: it must hold that (payment",
    ),
    (
        "The voucher must be present for cash rentals and must be empty for all others.",
        "rentals: it must hold that (pay",
    ),
    ("Never may the due_on precede picked_up_on.", "rentals: due_on must be >= picked_up_on"),
    ("In no car may the price be below 5.", "cars: price must be at least 5"),
    # Texts
    ("Vouchers must not exceed 8 characters.", "rentals: the length of voucher must be at most 8"),
    ("The voucher has to fit in eight characters.", "rentals: the length of voucher must be at most 8"),
    ("The voucher must be 8 characters long at most.", "rentals: the length of voucher must be at most 8"),
    ("Malformed email addresses of customers are not acceptable.", "customers: email must have the format email"),
    ("No customer may have an invalid email.", "customers: email must have the format email address"),
    ("Non-numeric entries in voucher shall not occur.", "rentals: voucher must be readable as a number"),
    ("The voucher must contain a valid number.", "rentals: voucher must be readable as a number"),
    ("It is not permitted to leave the voucher of a card rental blank.", "rentals where payment_method is 'card': vou"),
    ("No rental may leave the voucher empty.", "rentals: voucher must be present"),
    # Twice
    ("For any two cars, the plates must be different.", "cars: plate must be unique"),
    ("There are no duplicate rentals by clerk and voucher.", "rentals: (clerk, voucher) must be unique"),
    ("There is no plate that appears on more than one car.", "cars: plate must be unique"),
    (
        "For a given clerk and branch, only one rental may be recorded.",
        "rentals: the number of rows per (clerk, branch)",
    ),
    ("For each clerk, at most 5 rentals may be recorded.", "rentals: the number of rows per clerk must be at most 5"),
    # The date that a condition is about, the row it is about
    ("For each rental, the due_on has to be the same as the picked_up_on or later.", "rentals: due_on must be >= pick"),
    (
        "For a rental, the picked_up_on may be no older than 30 days.",
        "rentals: picked_up_on must be no earlier than now",
    ),
    (
        "If the status of a car is sold, then at least one rental has to belong to it.",
        "cars where status is 'sold': car",
    ),
    (
        "If the car of a rental is broken, the rental may not have a tip.",
        "rentals where the status of cars by car_id is ",
    ),
    (
        "When a plate is entered, it has to be entered as two uppercase letters.",
        "cars where plate is present: plate must",
    ),
    ("The color of a car may only be given as red or white.", "cars: color must be one of 'red', 'white'"),
    ("A rental may only have a due_on that does not lie before the picked_up_on.", "rentals: due_on must be >= picked"),
]

REFUSED = [
    "The picked_up_on may be at least 30 days old.",
    "At least 14 days may lie between picked_up_on and due_on.",
    "For each clerk, at least 5 rentals may be recorded.",
    "For any two cars, plate and vin must be different.",
    "There is a plate that appears on more than one car.",
    "A car may leave the plate empty.",
    "No branch may appear with the same clerk.",
    "A branch may appear with different clerks.",
    "For each car the mean price must be above 5.",
    "In no rental may the voucher not be given.",
    "Report if more than 5 rentals are not there.",
    "If the color of a car is black, the record is fine.",
    "If the color of a car is black, the record need not be flagged.",
    "For every car, the mean price must be above 500.",
    "Whenever a rental is recorded twice, the days must be positive.",
    "If a voucher is given for a rental, it must be open.",
    "A rental is not always valid unless the days are positive.",
    "Only prices above 900 must be recorded.",
    "Only a few prices above 900 are allowed.",
    "Not every color is fine except black.",
    "Some colors except black are wrong.",
    "Nothing may be entered as color.",
    "Only some colors may be used.",
    "Every color is fine except mauve and so on.",
]


@pytest.mark.parametrize(("sentence", "echo"), UNDERSTOOD)
def test_a_turn_is_read_as_it_is_meant(sentence: str, echo: str) -> None:
    table = next(name for name in TABLES if echo.startswith(name))
    assert echo in compile_rule(sentence, TABLES, target=table).echo


@pytest.mark.parametrize("target", ["cars", "rentals"])
@pytest.mark.parametrize("sentence", REFUSED)
def test_a_sentence_close_to_a_turn_is_refused(sentence: str, target: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=target)

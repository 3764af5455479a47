"""Turns about values that are there or may be missing, values that another row has, and rows of other tables."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "owners": Table(
        name="owners",
        columns={"owner_id": "int64", "name": "str", "email": "str", "mentor_id": "float64", "age": "float64"},
        values={},
        keys=("owner_id",),
    ),
    "boats": Table(
        name="boats",
        columns={
            "boat_id": "int64",
            "owner_id": "float64",
            "plate": "str",
            "built_on": "datetime64[us]",
            "length_m": "float64",
            "hull": "str",
        },
        values={"hull": ("steel", "wood", "plastic")},
        keys=("boat_id",),
    ),
}
PLATES = "boats: plate must be unique"
KNOWN = "boats: owner_id must be present and owner_id must be among owners.owner_id"
KNOWN_IF_GIVEN = "boats: owner_id must be among owners.owner_id"

UNDERSTOOD = [
    # Values that are there
    ("boats", "Every non-empty owner_id must exist in owners.", KNOWN_IF_GIVEN),
    ("boats", "Verify that all filled-in owner ids of boats are found in the owners table.", KNOWN_IF_GIVEN),
    ("boats", "Each owner_id given on a boat must exist in owners.", KNOWN_IF_GIVEN),
    ("boats", "The owner_id of a boat can be empty; if it is not, it has to be present in owners.", KNOWN_IF_GIVEN),
    ("boats", "A boat does not need an owner, but if there is one it must be one of our owners.", KNOWN_IF_GIVEN),
    ("boats", "An owner_id must, unless it is blank, exist in owners.", KNOWN_IF_GIVEN),
    ("boats", "owner_id must be in owners.owner_id, or null", KNOWN_IF_GIVEN),
    ("boats", "Flag boats with an empty plate.", "boats: plate must be present and plate must not be ''"),
    ("boats", "The plate is never empty.", "boats: plate must be present and plate must not be ''"),
    ("boats", "A boat may not exist without a plate.", "boats: plate must be present"),
    ("boats", "No boat may be stored without an owner.", "boats: owner_id must be present and owner_id"),
    # Missing values left alone
    ("boats", "Plates must be unique; boats without a plate are fine.", PLATES),
    ("boats", "Apart from missing ones, plates must be unique.", PLATES),
    (
        "boats",
        "Except for boats without a plate, plates have to be unique.",
        "boats where plate is present: plate must",
    ),
    (
        "owners",
        "Ages must lie between 18 and 99, ignoring owners without an age.",
        "owners: age must be between 18 and 99",
    ),
    ("owners", "Recorded ages under 18 are not allowed; an age need not be recorded.", "owners"),
    ("owners", "List owners whose age is below 18; do not list owners without an age.", "owners"),
    (
        "owners",
        "The mentor may stay empty, otherwise it must be the owner_id of an owner.",
        "owners: mentor_id must be among",
    ),
    # Another row
    ("boats", "Report boats that share their plate with another boat.", PLATES),
    ("boats", "No boat may carry a plate that another boat already has.", PLATES),
    ("boats", "A plate must not be used by another boat.", PLATES),
    (
        "boats",
        "If a boat has a plate, it may not be the same as that of any other boat.",
        "boats where plate is present: plate",
    ),
    (
        "boats",
        "Find boats whose plate, ignoring case, is also used by another boat.",
        "boats: plate ignoring case must be unique",
    ),
    ("boats", "Two boats should never end up with the same plate.", PLATES),
    (
        "boats",
        "Show boats that have the same owner_id and hull as another boat.",
        "boats: (owner_id, hull) must be unique",
    ),
    ("boats", "Boats that agree in owner_id and hull are duplicates.", "boats: (owner_id, hull) must be unique"),
    (
        "boats",
        "Two boats with the same owner, the same hull and the same plate are not permitted.",
        "boats: (owner_id, hull, plate)",
    ),
    ("boats", "An owner should never have two boats of the same hull.", "boats: (owner_id, hull) must be unique"),
    # Rows of other tables
    ("boats", "Each boat must refer to an owner_id that exists in the owners table.", KNOWN),
    ("boats", "Check that every owner_id in boats can be found in owners.", KNOWN),
    ("boats", "Boats must come from one of our owners.", KNOWN),
    ("boats", "Only owners listed in the owners table may have boats.", KNOWN),
    (
        "boats",
        "Where a boat references an owner, that owner shall be on record in the owners table.",
        "boats where owner_id",
    ),
    (
        "owners",
        "Every mentor_id must correspond to an owner_id in the owners table.",
        "owners: mentor_id must be among owners.owner_id",
    ),
]

UNDERSTOOD += [
    # Lists under the name of what they are
    ("boats", "Each boat must have one of these hulls: steel, wood, plastic.", "boats: hull must be present and hull"),
    ("boats", "A hull takes no values besides steel and wood.", "boats: hull must be one of 'steel', 'wood'"),
    ("boats", "Find boats whose hull is neither steel nor wood nor plastic.", "boats: hull must be one of"),
    (
        "boats",
        "Any hull other than steel, wood and plastic is prohibited.",
        "boats: hull must be one of 'steel', 'wood'",
    ),
    ("boats", "As hull we accept steel and wood, and no other.", "boats: hull must be one of 'steel', 'wood'"),
    ("boats", "We only know three hulls: steel, wood and plastic.", "boats: hull must be one of"),
    ("boats", "The hull may only be set to steel or wood.", "boats: hull must be one of 'steel', 'wood'"),
    ("boats", "A boat may not be in any hull except steel or wood.", "boats: hull must be one of 'steel', 'wood'"),
    # Shapes and lengths
    (
        "owners",
        "Each email that is present must have the form something@something.something.",
        "owners: email must have",
    ),
    ("owners", "Emails must be valid, like name@domain.tld.", "owners: email must have the format email address"),
    ("owners", "Malformed emails are not permitted.", "owners: email must have the format email address"),
    ("boats", "Plates must be a code of exactly two capital letters.", "boats: plate must match /[A-Z]{2}/"),
    ("boats", "Plates are stored as two-letter codes in capitals.", "boats: plate must match /[A-Z]{2}/"),
    (
        "boats",
        "A plate in any format other than + and 8 to 15 digits is not permitted.",
        r"boats: plate must match /\+\d{8",
    ),
    ("boats", "Plates start with a + and continue with 8 to 15 digits.", r"boats: plate must match /\+\d{8,15}/"),
    ("boats", "Plates have at least 3 but at most 5 digits.", r"boats: plate must match /\d{3,5}/"),
    ("owners", "A name has 50 characters or less.", "owners: the length of name must be at most 50"),
    ("owners", "Names have a maximum length of 50 characters.", "owners: the length of name must be at most 50"),
    ("owners", "A name may be 50 characters long at most.", "owners: the length of name must be at most 50"),
    ("owners", "Names of more than 50 characters are not permitted.", "owners: the length of name must be at most 50"),
    # Limits
    ("owners", "The age has a minimum of 18, and its maximum is 99.", "owners: age must be between 18 and 99"),
    (
        "owners",
        "Owners are at least eighteen and no more than a hundred and ten years old.",
        "owners: age must be between 18",
    ),
    ("boats", "It is forbidden to enter a length below 1.", "boats: length_m must be at least 1"),
    ("boats", "Lengths must stay at or below 99.", "boats: length_m must be at most 99"),
]

REFUSED = [
    ("boats", "The hull may be set to steel or wood."),
    ("boats", "Boats may be in any hull except steel."),
    ("boats", "As hull we accept steel and wood."),
    ("boats", "We know three hulls: steel, wood and plastic."),
    ("boats", "Plates must start with two letters and four digits."),
    ("owners", "A name may have 50 characters or more."),
    ("owners", "Emails must be valid, like name@campus.edu is not."),
    ("owners", "The age has a minimum and its maximum is 99."),
    ("boats", "It is not forbidden to enter a length below 1."),
    ("boats", "Plates must be unique; boats without a hull are fine."),
    ("boats", "Plates must be present; boats without a plate are fine."),
    ("boats", "Report steel boats that share their plate with another boat."),
    ("boats", "Report boats that share their plate or hull with another boat."),
    ("boats", "Boats must share their plate with another boat of the same owner."),
    ("boats", "Boats must agree in owner_id and hull."),
    ("boats", "A boat may not exist without a plate or an owner, except steel ones and so on."),
    ("boats", "Each owner_id that need not be given must exist in owners."),
    ("boats", "A boat does not need an owner, but if there is a plate it must be one of our owners."),
    ("boats", "A plate may be used by another boat."),
    ("boats", "Only owners may have boats."),
    ("boats", "Only some owners listed in the owners table may have boats."),
    ("boats", "An owner may have two boats of the same hull."),
    ("boats", "Each boat can be found in a known owner_id of plates."),
]


@pytest.mark.parametrize(("table", "sentence", "echo"), UNDERSTOOD)
def test_turn_is_understood_in_its_own_sense(table: str, sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target=table).echo.startswith(echo)


@pytest.mark.parametrize(("table", "sentence"), REFUSED)
def test_sentence_that_nearly_says_it_is_refused(table: str, sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES, target=table)


@pytest.mark.parametrize(
    "sentence",
    [
        "Flag boats with an owner_id that does not exist in owners.",
        "There should not be any boats with an owner_id that does not exist in owners.",
    ],
)
def test_with_an_owner_that_does_not_exist_is_with_an_owner(sentence: str) -> None:
    found = compile_rule(sentence, TABLES, target="boats")
    assert found.echo == "boats where owner_id is present: owner_id must be among owners.owner_id"

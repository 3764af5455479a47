"""Who asks for offenders: values as things, domains of addresses, and what is more or fewer than it should be."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "members": Table(
        name="members",
        columns={
            "member_id": "int64",
            "email": "str",
            "badge": "str",
            "plan": "str",
            "payment": "str",
            "level": "str",
            "fee_ct_kwh": "float64",
            "joined_on": "datetime64[us]",
            "visit_count": "int64",
        },
        values={
            "plan": ("full_time", "part_time"),
            "payment": ("instalments", "voucher"),
            "level": ("A", "B", "C", "D"),
        },
        keys=("member_id",),
    ),
    "visits": Table(
        name="visits",
        columns={"visit_id": "int64", "member_id": "int64"},
        values={},
        keys=("visit_id",),
    ),
}

UNDERSTOOD = [
    ("Check that the email of every member belongs to the domain gym.org.", "email must end with '@gym.org'"),
    ("Emails with a domain other than gym.org are not allowed.", "email must end with '@gym.org'"),
    ("Report members whose email is outside the domain gym.org.", "email must end with '@gym.org'"),
    ("The email of a member has to end with @gym.org.", "email must end with '@gym.org'"),
    ("Emails must not belong to the domain gym.org.", "email must not end with '@gym.org'"),
    ("Badges shorter or longer than eight characters are not allowed.", "the length of badge must equal 8"),
    ("No member may have more or fewer visits than its visit_count.", "the number of rows in visits by member_id"),
    ("The fee per kWh is above zero and at most 60 cents.", "fee_ct_kwh must be at most 60"),
    ("List members with a fee that is not above 0 or that is higher than 60.", "fee_ct_kwh must be at most 60"),
    ("There must be no member with a fee of zero or less, nor with one above 60.", "fee_ct_kwh must be at most 60"),
    ("Joining dates lying in the future are forbidden.", "joined_on must be no later than now"),
    ("No part-time member may have a voucher.", "plan is 'part_time': payment must not be 'voucher'"),
    ("A part-time member must not have voucher as payment.", "plan is 'part_time': payment must not be 'voucher'"),
    ("Verify that members only have the levels A, B and C.", "level must be one of 'A', 'B', 'C'"),
    ("Report members whose level is none of A, B and C.", "level must be one of 'A', 'B', 'C'"),
    ("Levels which are not A, B or C are inadmissible.", "level must be one of 'A', 'B', 'C'"),
    ("Flag part-time members for whom no visit exists.", "member_id must be among visits.member_id"),
    ("It is a finding if no visit exists for a part-time member.", "member_id must be among visits.member_id"),
    ("Members shall be identified by a distinct member_id each.", "member_id must be unique"),
    ("There shall be no gaps in the sequence of member_id.", "member_id - 1 must be among members.member_id"),
]
REFUSED = [
    "Emails with a domain other than gym.org are allowed.",
    "Members must not only have the levels A and B.",
    "The fee must be at most 60 kWh.",
    "The fee must be at most 0.6 euros.",
    "Members may have more or fewer visits than their visit_count.",
    "No visit exists for some members.",
]


@pytest.mark.parametrize(("rule", "echo"), UNDERSTOOD, ids=[rule for rule, _ in UNDERSTOOD])
def test_members_are_judged_as_said(rule: str, echo: str) -> None:
    found = compile_rule(rule, TABLES, target="members").echo
    assert found.startswith("members")
    assert echo in found


@pytest.mark.parametrize("rule", REFUSED)
def test_what_is_close_is_refused(rule: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(rule, TABLES, target="members")


@pytest.mark.parametrize(
    ("sentence", "echo"),
    [
        (
            "Flag members where plan is full_time and email is missing.",
            "members where plan is 'full_time': email must be present",
        ),
        (
            "There must be no members whose plan is full_time and email is missing.",
            "members where plan is 'full_time': email must be present",
        ),
        (
            "Find members if level is A and the visit count is above 100.",
            "members where level is 'A': visit_count must be at most 100",
        ),
        (
            "Flag members where level is A and report members without an email.",
            "members: level must not be 'A' and email must be present",
        ),
    ],
)
def test_what_is_flagged_is_described_to_the_end(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES, target="members").echo == echo


def test_a_demand_behind_two_descriptions_of_what_is_flagged_is_not_guessed_at() -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule("Flag members where level is A and email is missing and plan must be full_time.", TABLES)

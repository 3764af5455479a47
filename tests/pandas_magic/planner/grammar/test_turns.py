"""Turns of phrase: each is understood in its own sense, and sentences close to it are refused or read otherwise."""

import pytest

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from tests.pandas_magic.planner.grammar.former import compile_rule

TABLES = {
    "patients": Table(
        name="patients",
        columns={
            "patient_id": "int64",
            "name": "str",
            "sex": "str",
            "weight_kg": "float64",
            "homepage": "str",
            "ip_address": "str",
            "date_of_birth": "datetime64[us]",
        },
        values={"sex": ("female", "male")},
        keys=("patient_id",),
    ),
    "admissions": Table(
        name="admissions",
        columns={
            "admission_id": "int64",
            "patient_id": "int64",
            "admitted_at": "datetime64[us]",
            "discharged_at": "datetime64[us]",
            "ward": "str",
            "status": "str",
            "bed": "int64",
            "visitors": "int64",
            "cost": "float64",
            "paid": "float64",
            "diagnosis_code": "str",
        },
        values={"ward": ("icu", "maternity", "surgery"), "status": ("discharged", "open", "transferred")},
        keys=("admission_id",),
    ),
}

UNDERSTOOD = [
    ("No bed number may exceed 25.", "admissions: bed must be at most 25"),
    ("The amount paid may not be more than the cost.", "admissions: paid must be <= cost"),
    (
        "Flag admissions whose cost exceeds 5000 or whose paid amount is negative.",
        "admissions: cost must be at most 5000 and paid must be at least 0",
    ),
    ("Beds are numbered from 1 to 28.", "admissions: bed must be between 1 and 28"),
    ("It is forbidden for an admission to have no ward.", "admissions: ward must be present"),
    (
        "It is not allowed for an open admission to have a discharge date.",
        "admissions where status is 'open': discharged_at must be missing",
    ),
    (
        "No two admissions of the same patient may have the same ward.",
        "admissions: (patient_id, ward) must be unique",
    ),
    (
        "Discharged admissions must have both a ward and a diagnosis code.",
        "admissions where status is 'discharged': ward must be present and diagnosis_code must be present",
    ),
    ("ward and bed together identify an admission.", "admissions: (ward, bed) must be unique"),
    ("admitted_at must be in 2025 or 2026", "admissions: the year of admitted_at must be one of 2025, 2026"),
    (
        "If an admission has a discharge date it must also have a diagnosis code.",
        "admissions where discharged_at is present: diagnosis_code must be present",
    ),
    (
        "There must be at least 300 admissions.",
        "admissions as a whole: the number of rows in admissions must be at least 300",
    ),
    (
        "The average admission cost must be at least 100.",
        "admissions as a whole: the mean of cost in admissions must be at least 100 (up to rounding)",
    ),
    ("weight_kg may be missing but never below 2.", "patients: weight_kg must be at least 2"),
    ("weight_kg may be missing, but must not be negative.", "patients: weight_kg must be at least 0"),
    ("homepage must start with https://", "patients: homepage must start with 'https://'"),
    ("Homepages begin with http://example.org/.", "patients: homepage must start with 'http://example.org/'"),
    (
        "No cost may be more than 3 standard deviations from the mean.",
        "admissions: the absolute value of (cost - (the mean of cost over all rows)) must be "
        "<= (the standard deviation of cost over all rows) * 3 (up to rounding)",
    ),
    (
        "cost must be within 2 standard deviations of the average per ward",
        "admissions: the absolute value of (cost - (the mean of cost per ward)) must be "
        "<= (the standard deviation of cost per ward) * 2 (up to rounding)",
    ),
    (
        "A patient cannot be discharged before being born.",
        "admissions: discharged_at must be >= the date_of_birth of patients by patient_id",
    ),
    (
        "A patient cannot be discharged before being admitted.",
        "admissions: discharged_at must be >= admitted_at",
    ),
    (
        "IP addresses have to be valid.",
        "patients: it must hold that ip_address has the format IPv4 address or ip_address has the format IPv6 address",
    ),
    ("Open admissions must have no visitors.", "admissions where status is 'open': visitors must equal 0"),
    (
        "No admission may last longer than 30 days.",
        "admissions: discharged_at - admitted_at must be at most 30 days",
    ),
]

REFUSED = [
    "A patient cannot be cured before being admitted.",
    "No admission may last longer than 30 beds.",
    "No patient may last longer than 30 days.",
    "IP addresses have to be valid version 5 addresses.",
    "Wards have to be valid.",
    "weight_kg may be missing.",
    "weight_kg may be missing but below 2.",
    "homepage must start with https",
    "cost must be within 2 standard deviations of the median",
    "cost must be within 3 standard deviations",
    "No bed price may exceed 25.",
    "The weight paid may not be more than the cost.",
    "Flag admissions whose cost exceeds 5000 or whose paid share is negative.",
    "Beds are numbered from left to right.",
    "Beds are numbered.",
    "It is forbidden for an admission to.",
    "It is not necessary for an admission to have a ward.",
    "No two admissions of the same ward may have the ward.",
    "No two admissions of the same colour may have the same ward.",
    "Discharged admissions must have both a ward.",
    "Discharged admissions must have both a ward or a diagnosis code.",
    "ward and bed together identify nobody.",
    "ward and bed together admit an admission.",
    "admitted_at must be in 2025 or 26 days",
    "admitted_at must be in 2025 or May",
    "If the patient of an admission is male, it must have a ward.",
    "It must have a ward.",
    "The average admission must be at least 100.",
]


@pytest.mark.parametrize(("sentence", "echo"), UNDERSTOOD)
def test_turn_of_phrase_is_understood(sentence: str, echo: str) -> None:
    assert compile_rule(sentence, TABLES).echo == echo


@pytest.mark.parametrize("sentence", REFUSED)
def test_sentence_close_to_it_is_refused(sentence: str) -> None:
    with pytest.raises(RuleNotUnderstood):
        compile_rule(sentence, TABLES)


def test_amount_is_the_column_amount_where_there_is_one() -> None:
    table = Table(name="bills", columns={"paid": "float64", "amount": "float64"})
    with pytest.raises(RuleNotUnderstood):
        compile_rule("paid amount must be positive", {"bills": table})


def test_valid_is_of_the_format_that_the_column_is_named_after() -> None:
    table = Table(name="users", columns={"email": "str", "name": "str"})
    assert compile_rule("Emails have to be valid.", {"users": table}).echo == (
        compile_rule("email must be a valid email address", {"users": table}).echo
    )


@pytest.mark.parametrize("word", ["similar", "equivalent", "anything"])
def test_a_word_that_stands_for_values_is_not_one(word: str) -> None:
    for sentence in (f"ward must be 'icu' or {word}", f"homepage must be https://example.org/ or {word}"):
        with pytest.raises(RuleNotUnderstood):
            compile_rule(sentence, TABLES)

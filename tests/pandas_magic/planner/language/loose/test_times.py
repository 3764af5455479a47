"""Times of the day, as texts or as objects, are compared as the times that they are."""

from datetime import UTC, datetime, time

import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.catalog.table import Table
from pandas_magic.constraints import describe, violating_rows
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.loose.enumerating import atoms_of
from pandas_magic.planner.language.loose.nodes import rule_form, text_of
from pandas_magic.planner.language.loose.scene import Scene

NOW = datetime(2026, 11, 27)
VISITS = pd.DataFrame({
    "visit_no": [1, 2, 3, 4, 5],
    "von": ["07:35", "09:15", "7:40", None, "16:00"],
    "bis": ["08:20", "09:00", "08:10", "10:00", "18:10"],
    "note": ["a", "b", "c", "d", "e"],
})  # fmt: skip
VON, BIS = "von read as a time of day", "bis read as a time of day"


def table_of(frame: pd.DataFrame) -> Table:
    return describe_frame("visits", frame)


@pytest.mark.parametrize(
    ("sentence", "canonical"),
    [
        ("bis must be after von", f"visits: {BIS} must be > {VON}"),
        ("a visit has to end later than it began", f"visits: {BIS} must be > {VON}"),
        ("von not before 6 in the morning", f"visits: {VON} must be no earlier than 06:00"),
        ("bis at 17:30 at the latest", f"visits: {BIS} must be no later than 17:30"),
        ("von between half past seven and four in the afternoon", f"visits: {VON} must be between 07:30 and 16:00"),
        (
            "all the times are between seven and noon",
            f"visits: {VON} must be between 07:00 and 12:00 and {BIS} must be between 07:00 and 12:00",
        ),
        ("a visit lasts at least 20 minutes", f"visits: ({BIS}) - ({VON}) must be at least 20 minutes"),
    ],
)
def test_what_is_asked_of_times_is_proposed(sentence: str, canonical: str) -> None:
    constraint = read_canonical(canonical)
    assert constraint is not None
    wanted = rule_form(constraint.model_dump(mode="json"))
    tables = {"visits": table_of(VISITS)}
    atoms = {atom.key for atom in atoms_of(Scene(link(sentence, tables, target="visits"), "visits"))}
    assert text_of(wanted["must"]) in atoms


def test_a_time_written_without_its_nought_is_that_time() -> None:
    constraint = read_canonical(f"visits: {VON} must be < {BIS}")
    assert constraint is not None
    assert violating_rows(constraint, {"visits": VISITS}, NOW, NOW.replace(tzinfo=UTC)) == [1]


def test_objects_of_time_are_compared_with_times_that_are_told() -> None:
    frame = pd.DataFrame({"visit_no": [1, 2], "von": [time(7), time(9)], "bis": [time(8), None]})
    tables = {"visits": table_of(frame)}
    assert compile_rule("bis must be before 9:00", tables).echo == f"visits: {BIS} must be before 09:00"
    assert compile_rule("bis must be after von", tables).echo == f"visits: {BIS} must be > {VON}"


def test_from_evening_to_morning_is_over_midnight() -> None:
    tables = {"visits": table_of(VISITS)}
    sentence = "von only between ten in the evening and six in the morning"
    atoms = [atom for atom in atoms_of(Scene(link(sentence, tables, target="visits"), "visits")) if "1320" in atom.key]
    sides = {atom.said["conditions"][0]["node"] for atom in atoms if atom.shape.startswith("between")}
    assert sides == {"any"}


@pytest.mark.parametrize("said", ["CHECK (bis > von)", "bis must be > von", "df.bis > df.von"])
def test_code_that_compares_texts_of_times_means_the_times(said: str) -> None:
    assert compile_rule(said, {"visits": table_of(VISITS)}).echo == f"visits: {BIS} must be > {VON}"


def test_texts_that_are_no_times_are_still_refused_in_order() -> None:
    with pytest.raises(RuleNotUnderstood) as refusal:
        compile_rule("CHECK (note > von)", {"visits": table_of(VISITS)})
    assert refusal.value.readings == ()


def test_a_text_compared_in_order_names_no_value_that_must_occur() -> None:
    tables = {"visits": table_of(VISITS)}
    found = compile_rule("visits where von is at least '12:00': note must be present", tables)
    assert found.echo == "visits where von is at least '12:00': note must be present"


def test_a_length_of_time_is_no_time_of_day() -> None:
    with pytest.raises(RuleNotUnderstood) as refusal:
        compile_rule("von must be at least 30 minutes", {"visits": table_of(VISITS)})
    asked = [describe(one.constraint) for one in refusal.value.readings if one.constraint is not None]
    assert not any("00:30" in one for one in asked)

"""Times of the day that stand as texts are compared by their order, and what is no such time breaks the rule."""

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
FORM = "/([01][0-9]|2[0-3]):[0-5][0-9]/"
IN_FORM = f"von must match {FORM} and bis must match {FORM}"


def table_of(frame: pd.DataFrame) -> Table:
    return describe_frame("visits", frame)


def timely() -> Table:
    return table_of(VISITS).model_copy(update={"times": ("von", "bis")})


@pytest.mark.parametrize(
    ("sentence", "canonical"),
    [
        ("bis must be after von", f"visits: bis must be > von and {IN_FORM}"),
        ("a visit has to end later than it began", f"visits: bis must be > von and {IN_FORM}"),
        ("von not before 6 in the morning", f"visits: von must be at least '06:00' and von must match {FORM}"),
        ("bis at 17:30 at the latest", f"visits: bis must be at most '17:30' and bis must match {FORM}"),
        (
            "von between half past seven and four in the afternoon",
            f"visits: von must be between '07:30' and '16:00' and von must match {FORM}",
        ),
        (
            "all the times are between seven and noon",
            "visits: von must be between '07:00' and '12:00' and "
            f"bis must be between '07:00' and '12:00' and {IN_FORM}",
        ),
    ],
)
def test_the_comparison_demands_the_form_as_well(sentence: str, canonical: str) -> None:
    constraint = read_canonical(canonical)
    assert constraint is not None
    wanted = rule_form(constraint.model_dump(mode="json"))
    tables = {"visits": timely()}
    atoms = {atom.key for atom in atoms_of(Scene(link(sentence, tables, target="visits"), "visits"))}
    assert text_of(wanted["must"]) in atoms


def test_a_time_that_is_written_otherwise_does_not_pass() -> None:
    constraint = read_canonical(f"visits: von must be < bis and {IN_FORM}")
    assert constraint is not None
    assert violating_rows(constraint, {"visits": VISITS}, NOW, NOW.replace(tzinfo=UTC)) == [1, 2]


def test_columns_of_real_times_are_compared_as_they_are() -> None:
    frame = pd.DataFrame({"visit_no": [1, 2], "von": [time(7), time(9)], "bis": [time(8), None]})
    tables = {"visits": table_of(frame)}
    constraint = read_canonical("visits: bis must be > von")
    assert constraint is not None
    wanted = text_of(rule_form(constraint.model_dump(mode="json"))["must"])

    def keys_of(said: str) -> set[str]:
        return {atom.key for atom in atoms_of(Scene(link(said, tables, target="visits"), "visits"))}

    assert wanted in keys_of("a visit ends later than it begins")
    assert not any("09:00" in key or wanted == key for key in keys_of("a visit ends before 9:00"))


def test_from_evening_to_morning_is_over_midnight() -> None:
    tables = {"visits": timely()}
    sentence = "von only between ten in the evening and six in the morning"
    atoms = [atom for atom in atoms_of(Scene(link(sentence, tables, target="visits"), "visits")) if "22:00" in atom.key]
    sides = {atom.said["conditions"][0]["node"] for atom in atoms if atom.shape.startswith("between")}
    assert sides == {"any"}


@pytest.mark.parametrize("said", ["CHECK (bis > von)", "bis must be > von", "df.bis > df.von"])
def test_times_are_asked_about_where_code_compares_them(said: str) -> None:
    with pytest.raises(RuleNotUnderstood) as refusal:
        compile_rule(said, {"visits": timely()})
    asked = [describe(one.constraint) for one in refusal.value.readings if one.constraint is not None]
    assert asked[0].startswith("visits: bis must be > von and bis must match")


def test_texts_that_are_no_times_are_still_refused_in_order() -> None:
    with pytest.raises(RuleNotUnderstood) as refusal:
        compile_rule("CHECK (note > von)", {"visits": timely()})
    assert refusal.value.readings == ()


def test_a_text_compared_in_order_names_no_value_that_must_occur() -> None:
    tables = {"visits": timely()}
    found = compile_rule("visits where von is at least '12:00': note must be present", tables)
    assert found.echo == "visits where von is at least '12:00': note must be present"


def test_nearly_all_texts_of_a_column_of_times_are_times() -> None:
    mostly = pd.DataFrame({"a": ["07:35"] * 19 + ["7:35"], "b": ["7:35"] * 20, "c": ["07:35:00"] * 20})
    assert table_of(mostly).times == ("a",)

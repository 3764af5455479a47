"""What is exported is imported again as the same rule, by its mark and by what stands in the file."""

import json

import pytest

from pandas_magic.constraints import describe
from pandas_magic.constraints.algebra.rules import about_table
from pandas_magic.errors import UsageMistake
from pandas_magic.peers import READ, WRITTEN, export_checks, import_checks
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.registry.decisions import Bands
from tests.grids import grid
from tests.pandas_magic.constraints.gallery import GALLERY
from tests.pandas_magic.peers.compiled import check_for, compiled_check, found, gallery_checks, shops, without_marks

ONE = {name: compiled_check(name, rule) for name, rule in GALLERY.items()}
READER = {"pandera-yaml": "pandera"}
BOTH_WAYS = [peer for peer in READ if peer in WRITTEN]


@pytest.mark.parametrize(("name", "peer"), grid(GALLERY, WRITTEN))
def test_a_rule_comes_back_as_the_same_rule_or_is_listed_with_the_reason(name: str, peer: str) -> None:
    exported = export_checks([ONE[name]], peer)
    if not exported.expressed:
        assert [one.check_id for one in exported.not_expressed] == [name]
        assert exported.not_expressed[0].reason
        return
    imported = import_checks(exported.text, READER.get(peer, peer))
    assert imported.not_understood == ()
    (check,) = imported.checks
    assert check.rule == describe(GALLERY[name])
    assert (check.id, check.severity, check.owner, check.tags) == (name, "high", "o@example.com", ("a", "b"))
    assert check.name == f"Name of {name}"


@pytest.mark.parametrize(("name", "peer"), grid(GALLERY, WRITTEN))
def test_what_stands_in_the_file_says_the_same_without_its_mark(name: str, peer: str) -> None:
    exported = export_checks([ONE[name]], peer)
    if not exported.expressed:
        return
    imported = import_checks(without_marks(exported.text, peer), READER.get(peer, peer))
    if imported.not_understood:
        assert all(one.where and one.reason for one in imported.not_understood)
        return
    # Pandera's schemas also demand the columns that the rules read.
    rules = [read_canonical(check.rule) for check in imported.checks]
    for frames in shops():
        verdicts = [bool(found(rule, frames)) for rule in rules if rule is not None]
        assert any(verdicts) == bool(found(GALLERY[name], frames)), [check.rule for check in imported.checks]


@pytest.mark.parametrize("peer", BOTH_WAYS)
def test_all_rules_of_a_file_come_back_together(peer: str) -> None:
    checks = gallery_checks("orders")
    exported = export_checks(checks, peer)
    imported = import_checks(exported.text, peer)
    assert imported.not_understood == ()
    # What a contract holds as a text only comes back by its mark.
    texts = [one.check_id for one in exported.not_expressed if one.reason.startswith("written as a text")]
    assert {check.id: check.rule for check in imported.checks} == {
        name: describe(GALLERY[name]) for name in (*exported.expressed, *texts)
    }


@pytest.mark.parametrize("peer", WRITTEN)
def test_no_check_is_dropped(peer: str) -> None:
    checks = gallery_checks("users")
    exported = export_checks(checks, peer)
    said = {*exported.expressed, *(one.check_id for one in exported.not_expressed)}
    assert said == {check.id for check in checks}
    assert len(exported.expressed) + len(exported.not_expressed) == len(checks)


@pytest.mark.parametrize("peer", WRITTEN)
def test_two_checks_that_share_a_demand_both_come_back(peer: str) -> None:
    first = compiled_check("A", GALLERY["not_null"])
    again = compiled_check("B", GALLERY["not_null"], severity="low")
    imported = import_checks(export_checks([first, again], peer).text, READER.get(peer, peer))
    assert [(check.id, check.severity) for check in imported.checks] == [("A", "high"), ("B", "low")]
    assert imported.not_understood == ()


@pytest.mark.parametrize("peer", ["great-expectations", "pandera", "pandera-yaml"])
@pytest.mark.parametrize("name", GALLERY)
def test_a_table_that_is_named_is_the_one_that_every_rule_is_about(peer: str, name: str) -> None:
    exported = export_checks([ONE[name]], peer)
    if not exported.expressed:
        return
    imported = import_checks(exported.text, READER.get(peer, peer), table="orders_2025")
    was = GALLERY[name]
    assert imported.not_understood == ()
    assert [check.rule for check in imported.checks] == [describe(about_table(was, was.table, "orders_2025"))]
    assert [set(check.tables) & {was.table} for check in imported.checks] == [set()]


@pytest.mark.parametrize("peer", BOTH_WAYS)
def test_an_edited_rule_is_taken_at_its_word_and_not_at_its_marks(peer: str) -> None:
    text = export_checks([ONE["allowed_values"]], peer).text
    edited = text.replace("gone", "left").replace('"banned"', '"barred"').replace("- banned", "- barred")
    edited = edited.replace("['active', 'inactive', 'banned']", "['active', 'inactive', 'barred']")
    imported = import_checks(edited, peer)
    (check,) = [check for check in imported.checks if "status" in check.rule]
    assert check.rule == "users: status must be one of 'active', 'inactive', 'barred'"
    assert check.id == "allowed_values"
    assert any("changed after it was exported" in remark.text for remark in imported.remarks)


@pytest.mark.parametrize("peer", WRITTEN)
def test_a_verdict_that_is_more_than_its_rule_is_not_exported(peer: str) -> None:
    rule = GALLERY["not_null"]
    banded = compiled_check("A", rule, bands=Bands.model_validate({"fail": "10"}))
    off = compiled_check("B", rule, enabled=False)
    exported = export_checks([banded, off, compiled_check("C", rule)], peer)
    assert exported.expressed == ("C",)
    assert [one.check_id for one in exported.not_expressed] == ["A", "B"]


def test_a_deleted_check_whose_mark_was_left_is_listed() -> None:
    text = export_checks([ONE["positive"], ONE["starts_with"]], "soda").text
    shorter = text[: text.index("- failed rows:\n    name: starts_with")]
    imported = import_checks(shorter, "soda")
    assert [check.id for check in imported.checks] == ["positive"]
    assert [(one.what, one.reason) for one in imported.not_understood] == [
        ("starts_with", "its mark stands there, and the check itself does not")
    ]


def test_a_rule_that_would_be_too_long_to_read_is_listed() -> None:
    values = [f"a value that is rather long {number}" for number in range(60)]
    suite = {
        "name": "orders",
        "expectations": [
            {"type": "expect_column_values_to_be_in_set", "kwargs": {"column": "status", "value_set": values}}
        ],
    }
    imported = import_checks(json.dumps(suite), "great-expectations")
    assert imported.checks == ()
    assert "more than 1000; make it two" in imported.not_understood[0].reason


def test_numbers_that_rounding_concerns_are_widened_for_peers_that_compare_exactly() -> None:
    check = check_for("orders as a whole: the mean of amount in orders must be at most 100")
    (expectation,) = json.loads(export_checks([check], "great-expectations").text)["expectations"]
    assert 100 < expectation["kwargs"]["max_value"] < 100 + 1e-8


def test_an_unknown_peer_is_named_with_those_that_there_are() -> None:
    with pytest.raises(UsageMistake, match="there are great-expectations, pandera, pandera-yaml, dbt, soda"):
        export_checks([], "excel")
    with pytest.raises(UsageMistake, match='"pandera-yaml" is no peer'):
        import_checks("", "pandera-yaml")

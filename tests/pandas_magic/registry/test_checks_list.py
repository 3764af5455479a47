"""`checks.json`: the source system's list of rules, read and written in its shape."""

import json
from pathlib import Path

import pytest

from pandas_magic.errors import StateUnreadable
from pandas_magic.registry.checks_list import read_checks, write_checks

ENTRY = {
    "check_id": "CHK-002",
    "check_name": "Unknown users",
    "target_table": "events,users",
    "calculation_hint": "Flag events rows whose user_id is missing from users.",
    "severity": "medium",
    "enabled": True,
    "owner": "data-quality@example.com",
    "tags": ["integrity", "join"],
}


def write(folder: Path, content: object) -> Path:
    path = folder / "checks.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.feature("A05")
@pytest.mark.feature("A06")
@pytest.mark.feature("A07")
@pytest.mark.parametrize("tables", ["events,users", ["events", "users"]])
def test_the_source_systems_list_is_read(tmp_path: Path, tables: object) -> None:
    (check,) = read_checks(write(tmp_path, [{**ENTRY, "target_table": tables}]))
    assert check.id == "CHK-002"
    assert check.tables == ("events", "users")
    assert (check.severity, check.owner, check.tags) == ("medium", "data-quality@example.com", ("integrity", "join"))


@pytest.mark.feature("A05")
def test_what_is_written_has_its_shape(tmp_path: Path) -> None:
    source = write(tmp_path, [ENTRY])
    write_checks(tmp_path / "again.json", read_checks(source))
    (written,) = json.loads((tmp_path / "again.json").read_text())
    assert written == {**ENTRY, "target_table": "events, users"}


def test_no_file_is_no_checks(tmp_path: Path) -> None:
    assert read_checks(tmp_path / "checks.json") == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[{", "is no JSON"),
        ({"a": 1}, "must be a list of checks"),
        ([3], "entry 1 is a int; it must be an object"),
        ([{**ENTRY, "severity": "urgent"}], 'CHK-002: "severity" does not fit'),
        ([{"check_id": "CHK-1"}], 'CHK-1: "calculation_hint" does not fit: Field required'),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, content: object, said: str) -> None:
    with pytest.raises(StateUnreadable, match=said):
        read_checks(write(tmp_path, content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("checks.json", '[{"id": "A", "rule": "id must be unique", "rule": "id must be present"}]'),
        ("checks.yaml", "- id: A\n  rule: id must be unique\n  rule: id must be present\n"),
        ("checks.toml", '[[checks]]\nid = "A"\nrule = "id must be unique"\nrule = "id must be present"\n'),
    ],
)
def test_a_check_with_two_rules_is_refused(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(StateUnreadable, match=r'"rule" stands twice|is no TOML'):
        read_checks(tmp_path / name)

"""The registry: one reviewable file that survives crashes, damage and two writers; staleness that matters."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pandas_magic.catalog import Table
from pandas_magic.checks import Check
from pandas_magic.errors import NoSuchName, StateUnreadable
from pandas_magic.registry import Registry, staleness
from tests.doubles import unknown_users

ROOT = Path(__file__).parent.parent.parent
TABLES = {
    "events": Table(name="events", columns={"event_id": "int64", "user_id": "int64"}),
    "users": Table(name="users", columns={"user_id": "int64", "email": "str"}),
}


def test_a_saved_check_comes_back_the_same(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "checks" / "registry.json")
    assert registry.load() == {}
    registry.save(unknown_users())
    assert registry.load() == {"CHK-002": unknown_users()}


@pytest.mark.feature("A05")
@pytest.mark.feature("A07")
def test_the_file_is_made_for_review(tmp_path: Path) -> None:
    path = tmp_path / "registry.json"
    Registry(path).save(unknown_users("CHK-010", code="first = 1\nviolations = events"))
    Registry(path).save(unknown_users())
    content = json.loads(path.read_text())
    assert next(iter(content)) == "version"
    assert content["version"] == 1
    assert list(content["checks"]) == ["CHK-002", "CHK-010"]
    entry = content["checks"]["CHK-010"]
    assert entry["code"] == ["first = 1", "violations = events"]
    assert entry["check"]["severity"] == "medium"
    assert entry["check"]["tags"] == ["join"]


@pytest.mark.feature("A13")
def test_digests_are_sha256_and_times_are_utc(tmp_path: Path) -> None:
    compiled = unknown_users()
    assert re.fullmatch(r"[0-9a-f]{16}", compiled.code_digest)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", compiled.compiled_at)


def test_an_unknown_id_gets_the_nearest_one(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry.json")
    registry.save(unknown_users())
    with pytest.raises(NoSuchName, match=r'no check "CHK-003".* Did you mean "CHK-002"'):
        registry.get("CHK-003")


def test_the_next_id_is_above_the_highest(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry.json")
    assert registry.next_id() == "CHK-001"
    registry.save(unknown_users("CHK-009"))
    assert registry.next_id() == "CHK-010"
    assert registry.next_id(["CHK-020", "mine"]) == "CHK-021"


@pytest.mark.parametrize("cut", [2, 40, 400])
def test_a_damaged_file_is_named_and_left_as_it_is(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "registry.json"
    Registry(path).save(unknown_users())
    damaged = path.read_bytes()[:-cut]
    path.write_bytes(damaged)
    for use in (Registry(path).load, lambda: Registry(path).save(unknown_users())):
        with pytest.raises(StateUnreadable, match=r"registry\.json is damaged"):
            use()
    assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "has version 2; this release reads 1"),
        ({"checks": {"CHK-002": {"code": []}}}, "damaged at CHK-002"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = tmp_path / "registry.json"
    path.write_text(json.dumps({"version": 1, "checks": {}, **change}))
    with pytest.raises(StateUnreadable, match=said):
        Registry(path).load()


def test_a_full_disk_leaves_the_old_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "registry.json"
    Registry(path).save(unknown_users())
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StateUnreadable, match="No space left on device; what was there is unchanged"):
        Registry(path).save(unknown_users("CHK-003"))
    assert path.read_bytes() == before
    assert sorted(name.name for name in tmp_path.iterdir() if not name.name.endswith(".lock")) == ["registry.json"]


SAVE_TEN = """
import sys
from pathlib import Path
from pandas_magic.registry import Registry
from tests.doubles import unknown_users
for number in range(int(sys.argv[2]), int(sys.argv[2]) + 10):
    Registry(Path(sys.argv[1])).save(unknown_users(f"CHK-{number:03d}"))
"""


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "registry.json"
    writers = [
        subprocess.Popen([sys.executable, "-c", SAVE_TEN, str(path), first], cwd=ROOT) for first in ("100", "200")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(Registry(path).load()) == 20


@pytest.mark.feature("A17")
def test_the_same_rule_on_the_same_columns_is_fresh() -> None:
    assert staleness(unknown_users(), unknown_users().check, TABLES) == ""


@pytest.mark.feature("A15")
def test_another_rule_is_stale_and_other_spacing_is_not() -> None:
    compiled = unknown_users()
    asked = compiled.check.model_copy(update={"rule": "user_id  must exist\nin users", "owner": "x@example.com"})
    assert staleness(compiled, asked, TABLES) == ""
    assert staleness(compiled, asked.model_copy(update={"rule": "another"}), TABLES) == "its rule changed"


@pytest.mark.feature("A16")
@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"user_id": "int64"}, ""),
        ({"event_id": "str", "user_id": "int64", "note": "str"}, ""),
        ({"user_id": "float64"}, ""),
        ({"user_id": "empty"}, ""),
        ({"user_id": "str"}, 'column "user_id" of table "events" was int64 and is now str'),
        ({"user": "int64"}, 'column "user_id" of table "events" is gone (did you mean "user"?)'),
        ({}, 'column "user_id" of table "events" is gone'),
    ],
)
def test_only_a_column_that_is_read_makes_a_check_stale(columns: dict[str, str], said: str) -> None:
    tables = {**TABLES, "events": Table(name="events", columns=columns)}
    assert staleness(unknown_users(), None, tables) == said


def test_a_column_that_gains_a_time_zone_is_retyped() -> None:
    compiled = unknown_users(schemas={"events": {"at": "datetime64[us]"}})
    zoned = {"events": Table(name="events", columns={"at": "datetime64[us, UTC]"})}
    finer = {"events": Table(name="events", columns={"at": "datetime64[ns]"})}
    assert staleness(compiled, None, zoned)
    assert staleness(compiled, None, finer) == ""


def test_a_missing_table_is_named() -> None:
    assert staleness(unknown_users(), None, {"events": TABLES["events"]}) == 'table "users" is gone'


@pytest.mark.feature("A06")
def test_tables_may_be_a_list_or_a_text_with_commas() -> None:
    assert Check(id="1", rule="r", tables="events, users") == Check(id="1", rule="r", tables=["events", "users"])  # type: ignore[arg-type]

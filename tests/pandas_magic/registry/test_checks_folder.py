"""The registry: one reviewable file per check that survives crashes, damage and two writers."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pandas_magic.errors import NoSuchName, StateUnreadable, UsageMistake
from pandas_magic.registry import Registry
from pandas_magic.registry import checks_folder as module
from tests.doubles import unknown_users

ROOT = Path(__file__).parents[3]


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "checks" / "registry", lock_folder=tmp_path / ".pandas_magic")


def names(registry: Registry) -> list[str]:
    return sorted(path.name for path in registry.folder.iterdir())


def write_single_file(registry: Registry, *ids: str, compiled_at: str = "2026-11-21T08:00:00Z") -> Path:
    """The registry as earlier releases kept it."""
    path = registry.folder.with_suffix(".json")
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = {}
    for check_id in ids:
        compiled = unknown_users(check_id, compiled_at=compiled_at)
        entries[check_id] = {**compiled.to_dict(), "code": compiled.code.split("\n")}
    path.write_text(json.dumps({"version": 1, "checks": entries}))
    return path


def test_a_saved_check_comes_back_the_same(registry: Registry) -> None:
    assert registry.load() == {}
    registry.save(unknown_users())
    assert registry.load() == {"CHK-002": unknown_users()}


@pytest.mark.feature("A05")
@pytest.mark.feature("A07")
def test_each_check_has_a_file_made_for_review(registry: Registry) -> None:
    registry.save(unknown_users("CHK-010", code="first = 1\nviolations = events"))
    registry.save(unknown_users())
    assert names(registry) == ["CHK-002.json", "CHK-010.json"]
    content = json.loads((registry.folder / "CHK-010.json").read_text())
    assert next(iter(content)) == "version"
    assert content["version"] == 2
    assert content["code"] == ["first = 1", "violations = events"]
    assert content["check"]["severity"] == "medium"
    assert content["check"]["tags"] == ["join"]


def test_a_save_touches_one_file_and_one_line_of_it(registry: Registry) -> None:
    registry.save(unknown_users())
    registry.save(unknown_users("CHK-003", code="first = 1\nviolations = events"))
    before = {name: (registry.folder / name).read_text() for name in names(registry)}
    registry.save(unknown_users("CHK-003", code="first = 2\nviolations = events"))
    after = {name: (registry.folder / name).read_text() for name in names(registry)}
    assert after["CHK-002.json"] == before["CHK-002.json"]
    lines = zip(before["CHK-003.json"].split("\n"), after["CHK-003.json"].split("\n"), strict=True)
    assert [(old.strip(), new.strip()) for old, new in lines if old != new] == [('"first = 1",', '"first = 2",')]


@pytest.mark.feature("A13")
def test_digests_are_sha256_and_times_are_utc() -> None:
    compiled = unknown_users()
    assert re.fullmatch(r"[0-9a-f]{16}", compiled.code_digest)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", compiled.compiled_at)


@pytest.mark.parametrize("check_id", ["CHK-001", "a/b", "../up", ".hidden", "100% ok", "Prüfung 7", "a.json"])
def test_any_id_is_a_file_name_and_comes_back(registry: Registry, check_id: str) -> None:
    registry.save(unknown_users(check_id))
    (name,) = names(registry)
    assert not name.startswith(".")
    assert list(registry.load()) == [check_id]
    assert registry.get(check_id).id == check_id


def test_a_check_without_an_id_is_not_kept(registry: Registry) -> None:
    with pytest.raises(UsageMistake, match="give it one"):
        registry.save(unknown_users(""))
    assert registry.load() == {}


def test_looking_one_up_reads_no_other(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    for check_id in ("CHK-001", "CHK-002", "CHK-003"):
        registry.save(unknown_users(check_id))
    read: list[str] = []
    original = module.read_check
    monkeypatch.setattr(module, "read_check", lambda path, text: (read.append(path.name), original(path, text))[1])
    checks = registry.load()
    assert (tuple(checks.ids), read) == (("CHK-001", "CHK-002", "CHK-003"), [])
    assert "CHK-002" in checks
    assert checks["CHK-002"] is checks["CHK-002"]
    assert read == ["CHK-002.json"]


def make_truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def make_copy(path: Path) -> None:
    path.with_name(f"{path.stem} (copy).json").write_bytes(path.read_bytes())


def make_later(path: Path) -> None:
    path.write_text(path.read_text().replace('"version": 2', '"version": 3'))


def make_deep(path: Path) -> None:
    path.write_text("[" * 100_000)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (make_truncated, "CHK-002.json is damaged"),
        (make_folder, "CHK-002.json is no file"),
        (make_pipe, "CHK-002.json is no file"),
        (make_copy, "CHK-002 (copy).json and CHK-002.json"),
        (make_later, "CHK-002.json has version 3"),
        (make_deep, "CHK-002.json is damaged"),
    ],
)
def test_what_is_wrong_with_one_file_is_that_checks_alone(
    registry: Registry, damage: Callable[[Path], None], said: str
) -> None:
    for check_id in ("CHK-001", "CHK-002", "CHK-003"):
        registry.save(unknown_users(check_id))
    damage(registry.folder / "CHK-002.json")
    checks = registry.load()
    assert list(checks) == ["CHK-001", "CHK-003"]
    assert [compiled.id for compiled in checks.values()] == ["CHK-001", "CHK-003"]
    assert list(checks.damaged) == ["CHK-002"]
    assert said in checks.damaged["CHK-002"]
    assert "\n" not in checks.damaged["CHK-002"]
    assert registry.next_id() == "CHK-004"


def test_a_file_that_was_repaired_is_read_again(registry: Registry) -> None:
    registry.save(unknown_users())
    path = registry.folder / "CHK-002.json"
    whole = path.read_text()
    path.write_text(whole[:300])
    assert list(registry.load().damaged) == ["CHK-002"]
    path.write_text(whole)
    assert registry.load() == {"CHK-002": unknown_users()}


def test_a_folder_that_has_rested_is_listed_once(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.save(unknown_users())
    os.utime(registry.folder, (1_000_000_000, 1_000_000_000))
    listed: list[Path] = []
    original = module.look_into
    monkeypatch.setattr(module, "look_into", lambda folder: (listed.append(folder), original(folder))[1])
    assert [registry.get("CHK-002").id for _ in range(3)] == ["CHK-002"] * 3
    assert len(listed) == 1
    (registry.folder / "CHK-009.json").write_text("{}")
    assert list(registry.load().damaged) == ["CHK-009"]


def test_a_rule_is_found_without_parsing_the_others(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.save(unknown_users("CHK-001"))
    registry.save(unknown_users("CHK-002", rule="another rule"))
    sought = unknown_users(rule="another rule").rule_digest
    monkeypatch.setattr(module, "read_check", lambda path, text: unknown_users(path.stem, rule="another rule"))
    found = registry.load().with_rule(sought)
    assert found is not None
    assert found.id == "CHK-002"
    assert registry.load().with_rule("0" * 16) is None


def test_an_unknown_id_gets_the_nearest_one(registry: Registry) -> None:
    registry.save(unknown_users())
    with pytest.raises(NoSuchName, match=r'no check "CHK-003".* Did you mean "CHK-002"'):
        registry.get("CHK-003")


def test_the_next_id_is_above_the_highest(registry: Registry) -> None:
    assert registry.next_id() == "CHK-001"
    registry.save(unknown_users("CHK-009"))
    assert registry.next_id() == "CHK-010"
    assert registry.next_id(["CHK-020", "mine"]) == "CHK-021"


def test_a_number_that_was_just_taken_is_not_written_over(registry: Registry) -> None:
    registry.save(unknown_users("CHK-001", rule="one"))
    added = registry.add(unknown_users("CHK-001", rule="two"))
    assert added.id == "CHK-002"
    assert {check_id: compiled.check.rule for check_id, compiled in registry.load().items()} == {
        "CHK-001": "one",
        "CHK-002": "two",
    }


@pytest.mark.parametrize("cut", [2, 40, 400])
def test_a_damaged_file_is_named_and_the_others_are_read(registry: Registry, cut: int) -> None:
    registry.save(unknown_users("CHK-001"))
    registry.save(unknown_users("CHK-002"))
    path = registry.folder / "CHK-002.json"
    damaged = path.read_bytes()[:-cut]
    path.write_bytes(damaged)
    assert registry.load()["CHK-001"] == unknown_users("CHK-001")
    with pytest.raises(StateUnreadable, match=r"CHK-002\.json is damaged .* git checkout .*CHK-002\.json"):
        registry.get("CHK-002")
    assert path.read_bytes() == damaged


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 3}, "has version 3; this release reads 2"),
        ({"version": None}, "has version None"),
        ({"code": None}, "is damaged"),
        ({"plan": {}}, "is damaged"),
        ({"surprise": 1}, "surprise: Extra inputs are not permitted"),
        ({"check": {"id": "CHK-009", "rule": "r"}}, 'holds check "CHK-009"; call it CHK-009.json'),
    ],
)
def test_what_cannot_be_read_says_why(registry: Registry, change: dict[str, object], said: str) -> None:
    registry.save(unknown_users())
    path = registry.folder / "CHK-002.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(StateUnreadable, match=re.escape(said)):
        registry.get("CHK-002")


@pytest.mark.parametrize("content", [b"[]", b"3", b"\xff\xfe", b"", b"{}"])
def test_a_file_that_is_something_else_is_damaged(registry: Registry, content: bytes) -> None:
    registry.save(unknown_users())
    (registry.folder / "CHK-002.json").write_bytes(content)
    with pytest.raises(StateUnreadable, match=r"CHK-002\.json is damaged"):
        registry.get("CHK-002")


def test_a_full_disk_leaves_the_old_check(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.save(unknown_users())

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for compiled in (unknown_users(planner="another"), unknown_users("CHK-003")):
        with pytest.raises(StateUnreadable, match="No space left on device; what was there is unchanged"):
            registry.save(compiled)
    assert names(registry) == ["CHK-002.json"]
    assert registry.get("CHK-002") == unknown_users()


ADD_TEN = """
import sys
from pathlib import Path
from pandas_magic.registry import Registry
from tests.doubles import unknown_users
registry = Registry(Path(sys.argv[1]))
for number in range(10):
    registry.add(unknown_users("CHK-001", rule=f"{sys.argv[2]} {number}"))
"""


def test_two_writers_who_choose_the_same_numbers_lose_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "registry"
    writers = [subprocess.Popen([sys.executable, "-c", ADD_TEN, str(folder), name], cwd=ROOT) for name in "ab"]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    rules = sorted(compiled.check.rule for compiled in Registry(folder).load().values())
    assert rules == sorted(f"{name} {number}" for name in "ab" for number in range(10))


def test_the_single_file_of_earlier_releases_is_read_and_left(registry: Registry) -> None:
    path = write_single_file(registry, "CHK-001", "CHK-002")
    assert registry.load() == {check_id: unknown_users(check_id) for check_id in ("CHK-001", "CHK-002")}
    assert registry.next_id() == "CHK-003"
    assert path.exists()
    assert not registry.folder.exists()


def test_the_next_save_moves_the_single_file_over(registry: Registry) -> None:
    path = write_single_file(registry, "CHK-001", "CHK-002")
    registry.save(unknown_users("CHK-002", planner="another"))
    assert not path.exists()
    assert names(registry) == ["CHK-001.json", "CHK-002.json"]
    assert registry.get("CHK-002").planner == "another"


@pytest.mark.parametrize("written", range(4))
def test_a_move_that_was_interrupted_loses_nothing(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    ids = ("CHK-001", "CHK-002", "CHK-003")
    write_single_file(registry, *ids)
    write, done = module.write_whole, []

    def dies(path: Path, content: str, *, durable: bool = True) -> None:
        if len(done) == written:
            raise KeyboardInterrupt
        done.append(path.name)
        write(path, content, durable=durable)

    monkeypatch.setattr(module, "write_whole", dies)
    with pytest.raises(KeyboardInterrupt):
        registry.save(unknown_users("CHK-004"))
    monkeypatch.undo()
    assert registry.load() == {check_id: unknown_users(check_id) for check_id in ids}
    registry.save(unknown_users("CHK-004"))
    assert list(registry.load()) == [*ids, "CHK-004"]


@pytest.mark.parametrize(("compiled_at", "wins"), [("2026-11-20T08:00:00Z", False), ("2026-11-22T08:00:00Z", True)])
def test_what_was_compiled_later_stands_when_both_forms_hold_a_check(
    registry: Registry, compiled_at: str, wins: bool
) -> None:
    registry.save(unknown_users())
    write_single_file(registry, "CHK-002", compiled_at=compiled_at)
    assert (registry.get("CHK-002").compiled_at == compiled_at) is wins
    registry.save(unknown_users("CHK-003"))
    assert (registry.get("CHK-002").compiled_at == compiled_at) is wins


@pytest.mark.parametrize("content", ['{"version": 1', '{"version": 2, "checks": {}}', "[]", '{"checks": {}}'])
def test_a_single_file_that_cannot_be_read_is_named_and_left(registry: Registry, content: str) -> None:
    path = write_single_file(registry)
    path.write_text(content)
    registry.save(unknown_users())
    checks = registry.load()
    assert list(checks) == ["CHK-002"]
    assert re.search(r"registry\.json (is damaged|has version 2)", checks.damaged["registry.json"])
    assert path.read_text() == content


def test_the_lock_lies_where_git_does_not_look(registry: Registry) -> None:
    registry.save(unknown_users())
    assert names(registry) == ["CHK-002.json"]
    assert (registry.folder.parents[1] / ".pandas_magic" / ".gitignore").read_text() == "*\n"

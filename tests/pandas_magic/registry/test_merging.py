"""Checks in git: what two branches wrote comes together, and what cannot is said."""

import subprocess
from pathlib import Path

import pytest

from pandas_magic.errors import StateUnreadable
from pandas_magic.registry import Registry
from tests.doubles import unknown_users

AUTHOR = ("-c", "user.name=Tester", "-c", "user.email=tester@example.com", "-c", "commit.gpgsign=false")


class Repository:
    """A git repository with a registry in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.registry = Registry(folder / "checks" / "registry", lock_folder=folder / ".pandas_magic")
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str, fails: bool = False) -> str:
        command = ["git", *AUTHOR, *words]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=not fails)
        assert bool(done.returncode) is fails, done.stdout
        return done.stdout

    def commit(self, *checks: object) -> None:
        for compiled in checks:
            self.registry.save(compiled)
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", "checks")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path)
    repository.commit(unknown_users("CHK-001"))
    return repository


def test_two_branches_that_each_added_checks_merge_without_a_conflict(repository: Repository) -> None:
    repository.git("switch", "--quiet", "-c", "theirs")
    repository.commit(*(unknown_users(f"CHK-1{number:02d}") for number in range(10)))
    repository.git("switch", "--quiet", "main")
    repository.commit(*(unknown_users(f"CHK-2{number:02d}") for number in range(10)))
    repository.git("merge", "--quiet", "--no-edit", "theirs")
    assert len(repository.registry.load()) == 21
    assert repository.registry.get("CHK-109") == unknown_users("CHK-109")
    assert repository.git("status", "--porcelain") == ""


def test_one_check_changed_on_two_branches_in_two_places_merges(repository: Repository) -> None:
    compiled = unknown_users("CHK-001")
    repository.git("switch", "--quiet", "-c", "theirs")
    owned = compiled.check.model_copy(update={"owner": "theirs@example.com"})
    repository.commit(compiled.model_copy(update={"check": owned}))
    repository.git("switch", "--quiet", "main")
    repository.commit(compiled.model_copy(update={"planner": "another"}))
    repository.git("merge", "--quiet", "--no-edit", "theirs")
    merged = repository.registry.get("CHK-001")
    assert (merged.check.owner, merged.planner) == ("theirs@example.com", "another")


def test_a_conflict_is_said_of_the_one_check(repository: Repository) -> None:
    repository.git("switch", "--quiet", "-c", "theirs")
    repository.commit(unknown_users("CHK-002", rule="their rule"))
    repository.git("switch", "--quiet", "main")
    repository.commit(unknown_users("CHK-002", rule="our rule"))
    repository.git("merge", "--quiet", "--no-edit", "theirs", fails=True)
    assert repository.registry.get("CHK-001") == unknown_users("CHK-001")
    with pytest.raises(StateUnreadable, match=r"CHK-002\.json holds a merge conflict"):
        repository.registry.get("CHK-002")


def test_one_changed_line_of_code_is_one_changed_line_in_the_diff(repository: Repository) -> None:
    repository.registry.save(unknown_users("CHK-001", code="violations = events"))
    changed = [line for line in repository.git("diff", "--unified=0").split("\n") if line.startswith(("+ ", "- "))]
    assert [line[0] for line in changed] == ["-", "+"]
    assert changed[1].endswith('"violations = events"')

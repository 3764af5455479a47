"""`pytest --pandas-magic [DIR]`: one test item for each check of a workspace, with the failing rows in the report.

Loaded by every pytest where this package is installed, so that it imports nothing of ours until it is asked.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.workspace import Workspace

_WORKSPACE: pytest.StashKey[Workspace] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Called by pytest: add the option."""
    group = parser.getgroup("pandas_magic", "business rules")
    group.addoption(
        "--pandas-magic", metavar="DIR", nargs="?", const=".", help="run the checks of a workspace as tests"
    )


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Called by pytest once it has collected: add the checks."""
    folder = config.getoption("--pandas-magic")
    if folder is None:
        return
    from pandas_magic.workspace import Workspace

    workspace = config.stash[_WORKSPACE] = Workspace.open(config.invocation_params.dir / folder)
    for listed in workspace.chosen():
        items.append(CheckItem.from_parent(session, name=listed.id, nodeid=f"{folder}::{listed.id}"))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Called by pytest at its end: end the confined kernel."""
    if _WORKSPACE in config.stash:
        config.stash[_WORKSPACE].close()


class CheckItem(pytest.Item):
    """A check as a test: FAIL and ERROR fail it, SKIPPED skips it. Code that nobody approved is an ERROR."""

    def runtest(self) -> None:
        """Called by pytest: run the check."""
        workspace = self.config.stash[_WORKSPACE]
        result = workspace.run_saved(self.name, approved_only=not workspace.settings.allow_proposed)
        if result.run.verdict == "SKIPPED":
            pytest.skip(result.run.headline)
        if result.run.verdict != "PASS":
            raise NotPassed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None) -> str:
        """Called by pytest: the card with the failing rows, or the error in one line."""
        from pandas_magic.errors import error_line
        from pandas_magic.reporters.plain import plain
        from pandas_magic.reporters.terminal import terminal_card

        error = excinfo.value
        return plain(terminal_card(error.result)) if isinstance(error, NotPassed) else error_line(error)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Called by pytest: where the check stands, and its name."""
        return self.config.stash[_WORKSPACE].base_dir, None, self.name


class NotPassed(Exception):
    """A check that failed or could not run."""

    def __init__(self, result: Result) -> None:
        self.result = result
        super().__init__(result.run.summary)

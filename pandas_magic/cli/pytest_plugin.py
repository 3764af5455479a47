"""`pytest --pandas-magic [DIR]`: one test item for each check of a workspace, with the failing rows in the report.

And the fixture `pandas_magic`, by which tests of people's own ask for a rule or a check. Loaded by every pytest where
this package is installed, so that it imports nothing of ours until it is asked.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import pandas as pd

    from pandas_magic.checking.result import Result
    from pandas_magic.history.run import Run
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
    for listed in _workspace(config).chosen():
        items.append(CheckItem.from_parent(session, name=listed.id, nodeid=f"{folder}::{listed.id}"))


@pytest.fixture
def pandas_magic(pytestconfig: pytest.Config) -> Rules:
    """Rules and checks for a test: `pandas_magic.holds(rule, orders=orders)`, `pandas_magic.passes("CHK-001")`."""
    return Rules(pytestconfig)


class Rules:
    """What a test asks for. What does not pass fails the test, with the card and its failing rows."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def holds(self, rule: str, /, **tables: pd.DataFrame | str | Path) -> Run:
        """The run of a rule on these tables; nothing is kept. When no row was judged there is a warning.

        Raises: as `pandas_magic.check`.
        """
        from pandas_magic.api import check
        from pandas_magic.checking.result import Result

        __tracebackhide__ = True
        run = check(rule, tables=tables)
        if run.nothing_judged:
            warnings.warn(f"{rule}: {run.summary}", stacklevel=2)
        return _passed(Result(run, None), rule)

    def passes(self, check_id: str) -> Run:
        """The run of a saved check of the workspace: that of `--pandas-magic`, else of pytest's root folder.

        Raises: NoSuchName.
        """
        __tracebackhide__ = True
        return _passed(_result_of(self._config, check_id), check_id)


def _passed(result: Result, asked: str) -> Run:
    __tracebackhide__ = True
    if result.run.verdict == "SKIPPED":
        pytest.skip(result.run.headline)
    if result.run.verdict != "PASS":
        pytest.fail(f"{asked}\n{_card(result)}")
    return result.run


def _workspace(config: pytest.Config) -> Workspace:
    """The workspace of this session, opened on first use."""
    from pandas_magic.workspace import Workspace

    if _WORKSPACE not in config.stash:
        folder = config.getoption("--pandas-magic")
        base = config.rootpath if folder is None else config.invocation_params.dir / folder
        config.stash[_WORKSPACE] = Workspace.open(base)
    return config.stash[_WORKSPACE]


def _result_of(config: pytest.Config, check_id: str) -> Result:
    workspace = _workspace(config)
    return workspace.run_saved(check_id, approved_only=not workspace.settings.allow_proposed)


def _card(result: Result) -> str:
    from pandas_magic.reporters.plain import plain
    from pandas_magic.reporters.terminal import terminal_card

    return plain(terminal_card(result))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Called by pytest at its end: end the confined kernel."""
    if _WORKSPACE in config.stash:
        config.stash[_WORKSPACE].close()


class CheckItem(pytest.Item):
    """A check as a test: FAIL and ERROR fail it, SKIPPED skips it. Code that nobody approved is an ERROR."""

    def runtest(self) -> None:
        """Called by pytest: run the check."""
        result = _result_of(self.config, self.name)
        if result.run.verdict == "SKIPPED":
            pytest.skip(result.run.headline)
        if result.run.verdict != "PASS":
            raise NotPassed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None) -> str:
        """Called by pytest: the card with the failing rows, or the error in one line."""
        from pandas_magic.errors import error_line

        error = excinfo.value
        return _card(error.result) if isinstance(error, NotPassed) else error_line(error)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Called by pytest: where the check stands, and its name."""
        return self.config.stash[_WORKSPACE].base_dir, None, self.name


class NotPassed(Exception):
    """A check that failed or could not run."""

    def __init__(self, result: Result) -> None:
        self.result = result
        super().__init__(result.run.summary)

"""What every test may count on: a clean folder, no network but loopback, no home folder, features marked and listed."""

import asyncio
import gc
import os
import socket
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.grids import Examples

_NOBODY = 65534  # the id of the user without rights, on every Linux
# Their tests start processes of their own and share nothing, so they are spread over the workers one by one.
_EACH_ALONE = {"test_escapes.py", "test_examples.py", "test_scheduled_runs.py", "test_soak.py", "test_cell_limits.py"}
_LEFT_OUT = pytest.StashKey[int]()


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    # Each folder of pytest's own is numbered by a look at all before it: 3 ms for the last of thousands.
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests neither read nor write the settings of whoever runs them."""
    home = next(_homes)
    home.mkdir()
    for name, folder in {
        "HOME": home,
        "IPYTHONDIR": home / "ipython",
        "JUPYTER_CONFIG_DIR": home / "jupyter-config",
        "JUPYTER_RUNTIME_DIR": home / "jupyter-runtime",
        "MPLCONFIGDIR": home / "matplotlib",
    }.items():
        monkeypatch.setenv(name, str(folder))


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to any address but this machine raises."""
    connect = socket.socket.connect

    def only_loopback(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test wanted to connect to {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", only_loopback)


@pytest.fixture(autouse=True, scope="session")
def _loops_end_with_the_tests() -> Iterator[None]:
    """Event loops that jupyter_client's blocking clients make and leave to the garbage collector are closed here."""
    made: list[asyncio.AbstractEventLoop] = []
    make = asyncio.new_event_loop

    def make_and_keep() -> asyncio.AbstractEventLoop:
        made.append(make())
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "new_event_loop", make_and_keep)
        yield
    for loop in made:
        if not loop.is_running():
            loop.close()


@pytest.fixture
def as_ordinary_user() -> Iterator[Path]:
    """A folder of an ordinary user; while the test runs, root has that user's rights and no more."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() != 0:
            yield Path(folder)
            return
        os.chown(folder, _NOBODY, _NOBODY)
        os.seteuid(_NOBODY)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--features", action="store_true", help="print the rows of the feature inventory that tests show")
    parser.addoption(
        "--thorough", action="store_true", help="also run what is marked thorough, as `make test-all` does"
    )


def pytest_configure(config: pytest.Config) -> None:
    Examples.are_all_wanted = config.getoption("--thorough")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `--thorough` runs."""
    if not config.getoption("--thorough"):
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
        config.stash[_LEFT_OUT] = len(left_out)
        config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep a module in one process: its tests share kernels and what they import. Groups stay groups."""
    from xdist.scheduler import LoadGroupScheduling

    class ByModule(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            group, module = super()._split_scope(nodeid), nodeid.partition("::")[0]
            return module if group == nodeid and Path(module).name not in _EACH_ALONE else group

    return ByModule(config, log) if config.getoption("dist") == "loadgroup" else None


def pytest_collection() -> None:
    gc.disable()  # nearly all that is made until then stays


def pytest_collection_finish() -> None:
    # What is imported by now stays: no later collection of garbage, and IPython asks for many, needs to look at it.
    gc.enable()
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    gc.unfreeze()
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[_LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome = yield
    report = outcome.get_result()
    report.user_properties += [("feature", row) for mark in item.iter_markers("feature") for row in mark.args]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if left_out := config.stash.get(_LEFT_OUT, 0):
        terminalreporter.line(f"{left_out} thorough tests left out; with --thorough, or by `make test-all`, they run")
    if config.getoption("--features"):
        _show_features(terminalreporter)


def _show_features(terminalreporter: pytest.TerminalReporter) -> None:
    shown: dict[str, bool] = {}
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.stats.get(outcome, []):
            for kind, row in getattr(report, "user_properties", []):
                if kind == "feature":
                    shown[str(row)] = shown.get(str(row), True) and outcome == "passed"
    terminalreporter.section("feature inventory")
    for row, passed in sorted(shown.items()):
        terminalreporter.line(f"{row}  {'done' if passed else 'NOT DONE'}")

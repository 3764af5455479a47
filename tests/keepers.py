"""Keepers that go from one sandbox of a test to the next with the same policy, which gets a fresh process of it.

To start a keeper takes a second of a processor, and hundreds of tests want one. What a sandbox promises holds all the
same: its process is new and confined. How keepers start and end is shown in tests/kernel_sandbox, where each sandbox
has its own, and by every command that runs in a process of its own.
"""

import os
import tempfile
from collections.abc import Callable, Iterator

import pytest

from kernel_sandbox.client.connection import Connection
from kernel_sandbox.confined import bootstrap
from kernel_sandbox.policy import Policy
from kernel_sandbox.sandbox import Sandbox
from tests.kernel_sandbox.changed import change_keepers

# What explorations and statistics import anew in each of their processes, for a second of a processor. What figures
# need, a keeper imports by itself in an idle moment; those that are kept are told below that they have none.
_FIGURES = "matplotlib.pyplot, matplotlib_inline.backend_inline"
_STATISTICS = (
    f"{_FIGURES}, scipy.stats, "
    "sklearn.ensemble, sklearn.linear_model, sklearn.metrics, sklearn.model_selection, sklearn.tree"
)
_KNOWING = """
from kernel_sandbox.confined import life
plain_prepare = life.prepare
def prepare(root, *, notebook):
    plain_prepare(root, notebook=notebook)
    import {}
life.prepare = prepare
"""
# Where no test draws, each that waits for the next one would import what figures need for nothing.
_NEVER_IDLE = "from kernel_sandbox.keeper import zygote; zygote._IDLE_IMPORT_AFTER_MS = 3_600_000"
_MOST = 3  # kept by a worker, each of some 150 MB


class Keepers:
    """Where sandboxes get their connections, and where those whose keeper may serve another come back to."""

    def __init__(self) -> None:
        self._kept: list[tuple[object, Connection, Callable[[], None]]] = []
        self._most = _MOST

    def connect(self, policy: Policy, *, warm: bool) -> Connection:
        """A kept connection whose keeper was started as one would be now, else a new one."""
        kind = policy, warm, os.geteuid(), bootstrap.installation_command(""), _environment()
        for kept in self._kept:
            if kept[0] == kind:
                self._kept.remove(kept)
                if kept[1].alive:
                    return kept[1]
                kept[2]()
        connection = Connection(policy, warm=warm)
        if not any(str(folder).startswith(tempfile.gettempdir()) for folder in (*policy.read, policy.work)):
            end = connection.close
            connection.close = lambda: self._keep(kind, connection, end)  # type: ignore[method-assign]
        return connection

    def close(self) -> None:
        """End every keeper that is kept, and from now on each with its sandbox."""
        self._most = 0
        self._end_some()

    def _keep(self, kind: object, connection: Connection, end: Callable[[], None]) -> None:
        if any(connection is kept for _, kept, _ in self._kept):
            return
        if self._most:
            connection.tell({"op": "renew"})
        self._kept.append((kind, connection, end))
        self._end_some()

    def _end_some(self) -> None:
        while len(self._kept) > self._most:
            self._kept.pop(0)[2]()


def _environment() -> dict[str, str]:
    return bootstrap.environment(dict(os.environ), compute_threads=0)


@pytest.fixture(scope="session")
def keepers() -> Iterator[Keepers]:
    keepers = Keepers()
    yield keepers
    keepers.close()


@pytest.fixture(scope="module", autouse=True)
def keepers_are_kept(keepers: Keepers) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kernel_sandbox.sandbox.Connection", keepers.connect)
        change_keepers(patch, _NEVER_IDLE)
        yield


@pytest.fixture(scope="module")
def keepers_know_statistics(keepers_are_kept: None) -> Iterator[None]:
    """Keepers import SciPy and scikit-learn once, as they do pandas, and not each process of them."""
    # The explorer that tests before left would be taken over, and its keeper does not know them.
    explorers: list[tuple[int, bool, Sandbox]] = []
    with pytest.MonkeyPatch.context() as patch:
        change_keepers(patch, _KNOWING.format(_STATISTICS))
        patch.setattr("pandas_magic.checking.kept_sandboxes._kept", explorers)
        yield
        for *_, explorer in explorers:
            explorer.close()


@pytest.fixture(scope="module")
def keepers_know_figures(keepers_are_kept: None) -> Iterator[None]:
    """Keepers import matplotlib before their first process, and not each process of them."""
    with pytest.MonkeyPatch.context() as patch:
        change_keepers(patch, _KNOWING.format(_FIGURES))
        yield

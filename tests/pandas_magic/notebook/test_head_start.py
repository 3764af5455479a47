"""What `%load_ext` brings up for the first cells, and that nothing of it is left."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from kernel_sandbox import Sandbox
from pandas_magic.checking import kept_sandboxes
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.kept_sandboxes import begin_sandbox, end_sandboxes, take_sandbox
from pandas_magic.explore.delivery import policy_of
from pandas_magic.explore.oversize import constraints_of
from pandas_magic.notebook.magics import load, unload
from pandas_magic.settings import Settings


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(kept_sandboxes, "_kept", [])
    monkeypatch.chdir(tmp_path)
    yield
    end_sandboxes()


def _load(shell: InteractiveShell) -> list[Sandbox]:
    """What is kept once all that loading began has ended."""
    load(shell)
    for thread in threading.enumerate():
        if thread.name == "pandas-magic-head-start":
            thread.join()
    return [sandbox for *_, sandbox in kept_sandboxes._kept]


def test_checks_and_explorer_take_the_kernels_that_came_up_while_a_page_looks_on(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _load(shell) == [], "nobody looks on"
    monkeypatch.setattr(shell, "get_parent", lambda: {"metadata": {"cellId": "c1"}}, raising=False)
    for_checks, for_explorer = _load(shell)
    settings = Settings()
    bench = Bench(settings)
    assert bench.sandbox() is for_checks
    with take_sandbox(policy_of(constraints_of(settings)), warm=False) as taken:
        assert taken is for_explorer and taken.execute("1").status == "ok"
    bench.close()
    kept = _load(shell)
    unload(shell)
    assert len(kept) == 2 and not any(sandbox.is_up_to_date for sandbox in kept), "they are closed"


def test_what_is_wrong_is_told_by_the_first_cell_and_not_by_loading(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shell, "get_parent", lambda: {"metadata": {"cellId": "c1"}}, raising=False)
    monkeypatch.setenv("PANDAS_MAGIC_MEMORY_BYTES", "much")
    assert _load(shell) == []
    unload(shell)
    assert "much" not in capfd.readouterr().err


def test_a_kept_sandbox_of_another_time_zone_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = Bench(Settings())._policy()
    begin_sandbox(policy, warm=True)
    [(_, _, kept)] = kept_sandboxes._kept
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    with take_sandbox(policy) as other:
        assert other is not kept

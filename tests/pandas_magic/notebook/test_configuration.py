"""`%config PandasMagic.base_dir`: another folder than the notebook's, and back."""

from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.notebook import magics


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("here", "backend"):
        (tmp_path / name / "data").mkdir(parents=True)
        (tmp_path / name / "data" / f"{name}_orders.csv").write_text("order_id\n1\n")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def tables(shell: InteractiveShell) -> str:
    done = shell.run_cell("%tables", store_history=False)
    done.raise_error()
    return repr(done.result)


@pytest.mark.feature("A24")
def test_the_folder_of_tables_and_checks_is_a_setting(shell: InteractiveShell, folder: Path) -> None:
    magics.load(shell)
    try:
        assert "here_orders" in tables(shell)
        shell.run_cell(f"%config PandasMagic.base_dir = {str(folder / 'backend')!r}").raise_error()
        assert "backend_orders" in tables(shell)
        assert "here_orders" not in tables(shell)
        shell.run_cell("%config PandasMagic.base_dir = ''").raise_error()
        assert "here_orders" in tables(shell)
    finally:
        magics.unload(shell)


def test_what_is_no_folder_is_refused_and_the_old_one_stays(
    shell: InteractiveShell, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    magics.load(shell)
    try:
        shell.run_cell("%config PandasMagic.base_dir = 'nowhere'")
        # IPython logs what a trait refuses, which a notebook shows.
        assert "nowhere is no folder; name the one that holds data and checks" in caplog.text
        assert "here_orders" in tables(shell)
    finally:
        magics.unload(shell)


def test_loading_again_and_unloading_leave_no_configuration_behind(shell: InteractiveShell, folder: Path) -> None:
    def known() -> list[Any]:
        return [one for one in shell.configurables if type(one).__name__ == "PandasMagic"]

    magics.load(shell)
    magics.load(shell)
    assert len(known()) == 1
    magics.unload(shell)
    assert known() == []


def test_an_environment_that_is_set_after_the_first_use_is_seen(
    shell: InteractiveShell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    magics.load(shell)
    try:
        assert "here_orders" in tables(shell)
        monkeypatch.setenv("PANDAS_MAGIC_DATA_DIR", str(folder / "backend" / "data"))
        assert "backend_orders" in tables(shell) and "here_orders" not in tables(shell)
        monkeypatch.delenv("PANDAS_MAGIC_DATA_DIR")
        assert "here_orders" in tables(shell)
    finally:
        magics.unload(shell)

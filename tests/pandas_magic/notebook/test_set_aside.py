"""Files that cells write beside the tables: rows set apart, failing rows, the gate's verdicts."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.errors import CheckFailed, NoSuchName, UsageMistake
from pandas_magic.notebook import magics
from pandas_magic.notebook.page.row_corrections import RowCorrections
from pandas_magic.notebook.page.rows_view import RowsView
from pandas_magic.reporters.bundle import bundle
from pandas_magic.workspace import Workspace

Run = Callable[[str], Any]


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Run, Path]]:
    """A notebook in which two checks ran, and its folder."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "orders.csv").write_text("id,amount\n1,5\n2,-1\n2,3\n")
    (folder / "users.csv").write_text("name\na\nb\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        shell = InteractiveShell()
        magics.load(shell)

        def run(cell: str) -> Any:
            done = shell.run_cell(cell, store_history=False)
            error = done.error_before_exec or done.error_in_exec
            if error is not None:
                raise error
            return done.result

        run("%%check CHK-010\norders.amount must not be negative")
        run("%%check CHK-011\norders.id must be unique")
        run("%%check CHK-012\nusers.name must not be null")
        yield run, folder
        magics.unload(shell)


@pytest.mark.parametrize("words", ["CHK-010", "CHK-010 CHK-011", "CHK-999 CHK-010"])
def test_an_id_is_never_taken_for_a_folder(cells: tuple[Run, Path], words: str) -> None:
    run, folder = cells
    check_id = words.split()[0]
    with pytest.raises(UsageMistake, match=f"^{check_id} is the id of a check, and no folder; name one first: %checks"):
        run(f"%checks quarantine {words}")
    assert not (folder / check_id).exists()


def test_a_card_names_the_checks_that_fail_on_its_rows_the_same_when_it_is_run_again(cells: tuple[Run, Path]) -> None:
    run, _ = cells
    for _again in range(2):
        alone, together = run("%checks run CHK-010"), run("%checks run CHK-010 CHK-011")
        assert "also fail" not in bundle([alone])[0]["text/html"], "CHK-011 first ran after it"
        shown = bundle(list(together))[0]
        for text in (shown["text/html"], shown["text/markdown"].replace("\\", ""), shown["text/plain"]):
            assert "Of these rows also fail: CHK-011 (1)." in text and "Of these rows also fail: CHK-010 (1)." in text
    assert "Of these rows also fail: CHK-010 (1)." in bundle([run("%checks run CHK-011")])[0]["text/plain"]


def test_ids_behind_the_folder_are_the_only_checks_that_count(cells: tuple[Run, Path]) -> None:
    run, folder = cells
    run("%checks quarantine apart CHK-010")
    assert sorted(path.name for path in (folder / "apart").iterdir()) == [
        "orders.bad.csv",
        "orders.flagged.csv",
        "orders.good.csv",
        "quarantine.json",
    ]
    assert (folder / "apart" / "orders.bad.csv").read_text() == "id,amount\n2,-1\n"


def test_without_ids_every_check_counts(cells: tuple[Run, Path]) -> None:
    run, folder = cells
    run("%checks quarantine ./CHK-014")
    assert (folder / "CHK-014" / "orders.bad.csv").read_text() == "id,amount\n2,-1\n2,3\n"
    assert (folder / "CHK-014" / "users.good.csv").exists()


def test_a_check_that_did_not_run_sets_nothing_aside(cells: tuple[Run, Path]) -> None:
    run, folder = cells
    with pytest.raises(NoSuchName, match='no check "CHK-013"; what ran in this notebook has "CHK-010"'):
        run("%checks quarantine set_aside CHK-013")
    with pytest.raises(UsageMistake, match="takes a folder, and ids of checks"):
        run("%checks quarantine")
    assert not (folder / "set_aside").exists()


def test_what_cells_write_becomes_no_table(cells: tuple[Run, Path]) -> None:
    run, folder = cells
    for suffix in ("csv", "xlsx", "parquet"):
        run(f"%checks rows CHK-010 --save failing.{suffix}")
    run("%checks quarantine .")
    with pytest.raises(CheckFailed):
        run("%checks gate")
    pd.DataFrame({"x": [1]}).to_csv(folder / "mine.csv", index=False)
    assert {"failing.csv", "checks_result.json", "checks_junit.xml"} < {path.name for path in folder.iterdir()}
    assert list(Workspace.open(folder).catalog.schemas()) == ["mine", "orders", "users"]
    (folder / "mine.csv").unlink()
    assert run("%%check\namount must be at most 5").run.verdict == "PASS"


def test_a_corrected_value_is_tried_on_a_copy_and_taken_back(cells: tuple[Run, Path]) -> None:
    run, folder = cells
    before = (folder / "orders.csv").read_text()
    run("%checks run CHK-010 CHK-011")
    session = run("get_ipython().magics_manager.registry['PandasMagics'].session")
    result = session.results["CHK-010"]
    view = RowsView(result.violations, corrections=RowCorrections.of(lambda: session.workspace, result, session.trials))
    at = {"row": 0, "column": 1}
    assert view.answer({"ask": "open"})[0]["corrections"] == []
    assert view.answer({"ask": "value", **at})[0] == {"value": "-1"}
    with pytest.raises(UsageMistake, match='"x" is not a whole number'):
        view.answer({"ask": "correct", "text": "x", **at})
    answer = view.answer({"ask": "correct", "text": "7", **at})[0]
    said = "orders, row 1, amount: -1 → 7"
    assert answer["text"] == {"now": "7", "was": "-1"} and answer["patch"] == "checks/patch.json"
    assert answer["corrections"] == [{"number": 1, "said": said}]
    assert view.answer({"ask": "window", "start": 0, "count": 5, "columns": [1]})[0]["rows"] == [(answer["text"],)]

    runs = len(session.workspace.journal.history.runs("CHK-010"))
    told = view.answer({"ask": "try"})[0]
    while told["trying"]:
        time.sleep(0.05)
        told = view.answer({"ask": "tried"})[0]
    tried = ["CHK-010", "orders.amount must not be negative", "✗ FAIL", "✓ PASS", "1 → 0 failing rows"]
    assert told["tried"][0] == tried and told["left_out"] == []
    listing = run("%checks patch try")
    assert listing.rows[0] == tuple(tried)
    assert re.match(r"1 correction tried on a copy: 1 of \d checks? would pass that did not", listing.summary)
    # What was tried is no history, and nothing was written into the data.
    assert len(session.workspace.journal.history.runs("CHK-010")) == runs
    assert (folder / "orders.csv").read_text() == before

    assert run("%checks patch").rows[0][1:7] == ("orders", "id 2", "1", "amount", "-1", "7")
    (folder / "orders.csv").write_text(before.replace("-1", "-2"))
    assert run("%checks patch").rows[0][-1] == "it is -2 now, and was -1"
    assert "no correction fits its table as it is now. Not made: orders, row 1" in run("%checks patch try").summary
    with pytest.raises(UsageMistake, match=r"the table changed since this check ran: it is -2 now, and was -1\. Run"):
        view.answer({"ask": "correct", "text": "8", **at})
    (folder / "orders.csv").write_text(before)
    assert view.answer({"ask": "undo", "number": 1, "said": said})[0]["corrections"] == []
    with pytest.raises(UsageMistake, match="the corrections changed meanwhile"):
        view.answer({"ask": "undo", "number": 1, "said": said})
    assert run("%checks patch set orders amount 8 --row 1") is None
    assert run("%checks patch").rows[0][1:7] == ("orders", "id 2", "1", "amount", "-1", "8")
    run("%checks patch undo 1")
    with pytest.raises(UsageMistake, match="behind it may stand try, code, undo NUMBER, or set"):
        run("%checks patch apply")

"""The panel's widgets without a page: what each does, over a study that answers as told."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import pytest

from pandas_magic.errors import TableUnreadable
from pandas_magic.explore.details import ProbeResult
from pandas_magic.explore.exploration import Report
from pandas_magic.explore.failures import NeedsConfirmation
from pandas_magic.explore.panel import Panel
from pandas_magic.explore.proposals import Proposal
from tests.pandas_magic.conftest import result
from tests.pandas_magic.explore.conftest import explorer_of, report_from

FRAME = pd.DataFrame({"id": range(40), "age": [1, 2, 3, None] * 10, "sex": ["f", "m"] * 20})


class ScriptedStudy:
    def __init__(self) -> None:
        self.report: Report | None = None
        self.asked: list[tuple[Any, ...]] = []
        self.error: Exception | None = None
        self.stopped = 0

    def tables(self) -> list[str]:
        return ["people", "broken"]

    def columns(self, table: str) -> list[str]:
        if table == "broken":
            raise TableUnreadable("broken.csv is empty")
        return list(FRAME)

    def preview(self, table: str) -> str:
        return "<p>the first rows</p>"

    def explore(self, table: str, target: str | None, **said: Any) -> Report:
        said["on_progress"]("relations")
        self.asked.append((table, target, said["metric"], said["confirmed"]))
        if self.error is not None and not said["confirmed"]:
            raise self.error
        self.report = report_from(explorer_of(FRAME, target=target), table)
        return self.report

    def probe(self, name: str, *, columns: Sequence[str] = (), other: str | None = None) -> Report:
        assert self.report is not None
        self.asked.append((name, *columns, other))
        probe = ProbeResult(probe=name, subject=(), verdict="seen", summary="It was seen.", facts={"columns": []})
        self.report = self.report.with_probe(probe)
        return self.report

    def proposals(self) -> tuple[Proposal, ...]:
        return (Proposal("unique", "id", "people: id must be unique", "none twice"),)

    def droppable(self) -> dict[str, str]:
        return {"id": "drop: it identifies rows"}

    def without(self, columns: Sequence[str]) -> pd.DataFrame:
        return FRAME.drop(columns=list(columns))

    def make_check(self, sentence: str, on_progress: Callable[[str], None]) -> Any:
        self.asked.append((sentence,))
        return result()

    def stop(self) -> None:
        self.stopped += 1


@pytest.fixture
def study() -> ScriptedStudy:
    return ScriptedStudy()


@pytest.fixture
def panel(study: ScriptedStudy) -> Panel:
    return Panel(study, table="people")  # type: ignore[arg-type]


def _done(panel: Panel) -> None:
    end = time.monotonic() + 20
    while panel.run.disabled and time.monotonic() < end:
        time.sleep(0.01)
    assert not panel.run.disabled


def _press(panel: Panel, button: Any) -> None:
    button.click()
    _done(panel)


@pytest.mark.feature("C01")
def test_the_target_is_chosen_among_the_columns_of_the_table(panel: Panel) -> None:
    assert list(panel.target.options) == ["(none)", "id", "age", "sex"]
    assert "the first rows" in panel.preview.value
    assert "ROC AUC" in panel.metric.options


def test_a_table_that_cannot_be_read_says_so_in_the_preview(panel: Panel) -> None:
    panel.table.value = "broken"
    assert "broken.csv is empty" in panel.preview.value and list(panel.target.options) == ["(none)"]


@pytest.mark.feature("C02")
def test_run_explores_and_fills_every_tab(panel: Panel, study: ScriptedStudy) -> None:
    panel.target.value = "sex"
    _press(panel, panel.run)
    assert study.asked == [("people", "sex", "automatic", False)]
    assert all(part.value for part in panel.parts) and "done in" in panel.message.value
    assert panel.bar.value >= 3
    assert panel.tabs.titles == (
        "Overview", "Columns", "Target", "Correlations", "Missing", "Flags", "Plots", "Probes", "Notes", "JSON", "Log",
        "Make checks",
    )  # fmt: skip


@pytest.mark.feature("C20", "C21", "C22")
@pytest.mark.parametrize("name", ["drill_missing", "leakage_check", "type_disambiguation"])
def test_each_probe_has_its_button(panel: Panel, study: ScriptedStudy, name: str) -> None:
    _press(panel, panel.run)
    _press(panel, panel.probes[name])
    assert study.asked[-1] == (name, None) and "It was seen." in panel.parts[7].value
    assert panel.tabs.selected_index == 7


def test_pair_and_drift_take_what_was_chosen(panel: Panel, study: ScriptedStudy) -> None:
    _press(panel, panel.run)
    panel.left.value, panel.right.value = "age", "sex"
    _press(panel, panel.pair)
    assert study.asked[-1] == ("pair", "age", "sex", None)
    _press(panel, panel.drift)
    assert study.asked[-1] == ("drift", "people")


@pytest.mark.feature("C02")
def test_deeper_eda_takes_the_next_probe_until_none_is_left(panel: Panel, study: ScriptedStudy) -> None:
    panel.target.value = "sex"
    _press(panel, panel.run)
    for name in ("leakage_check", "drill_missing", "type_disambiguation"):
        _press(panel, panel.deeper)
        assert study.asked[-1][0] == name
    _press(panel, panel.deeper)
    assert "No further probe" in panel.message.value


@pytest.mark.feature("C27")
def test_a_wide_table_is_asked_about_and_explored_after_yes(panel: Panel, study: ScriptedStudy) -> None:
    study.error = NeedsConfirmation("people has 300 columns.")
    _press(panel, panel.run)
    assert panel.ask.layout.display == "flex" and "300 columns" in panel.question.value
    _press(panel, panel.yes)
    assert study.asked[-1][-1] is True and panel.ask.layout.display == "none" and study.report is not None


@pytest.mark.feature("C37")
def test_dropping_columns_is_confirmed_first_and_leaves_the_table(study: ScriptedStudy) -> None:
    kept: dict[str, pd.DataFrame] = {}
    panel = Panel(study, table="people", on_kept=kept.__setitem__)  # type: ignore[arg-type]
    _press(panel, panel.run)
    panel.drops.value = ("id",)
    panel.drop.click()
    assert not kept and "without id" in panel.question.value
    panel.no.click()
    assert not kept
    panel.drop.click()
    panel.yes.click()
    assert list(kept["people_kept"]) == ["age", "sex"] and list(FRAME) == ["id", "age", "sex"]


def test_a_finding_opens_its_sentence_and_becomes_a_check(study: ScriptedStudy) -> None:
    made: list[Any] = []
    panel = Panel(study, table="people", on_check=made.append)  # type: ignore[arg-type]
    _press(panel, panel.run)
    panel.findings.index = 0
    assert panel.sentence.value == "people: id must be unique"
    _press(panel, panel.make)
    assert study.asked[-1] == ("people: id must be unique",) and len(made) == 1
    assert "CHK-002" in panel.message.value and "pandas-magic" in panel.made.value


@pytest.mark.feature("C38")
def test_model_selection_is_disabled_with_its_reason(panel: Panel) -> None:
    assert panel.proceed.disabled
    reasons = [child.value for row in panel.widget.children if hasattr(row, "children") for child in row.children
               if "Disabled: model selection" in str(getattr(child, "value", ""))]  # fmt: skip
    assert reasons


def test_an_error_is_said_where_the_person_looks_and_escaped(panel: Panel, study: ScriptedStudy) -> None:
    study.error = RuntimeError("<b>odd</b>")
    _press(panel, panel.run)
    assert "✗ RuntimeError: &lt;b&gt;odd&lt;/b&gt;" in panel.message.value
    panel.stop.click()
    assert study.stopped == 1

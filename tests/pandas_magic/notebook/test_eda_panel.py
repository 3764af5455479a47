"""The panel's widgets without a page: what each does, over a study that answers as told."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from pandas_magic.errors import PandasMagicError, TableUnreadable
from pandas_magic.explore.details import ProbeResult
from pandas_magic.explore.proposal import Proposal
from pandas_magic.explore.report import Report
from pandas_magic.explore.unfinished import NeedsConfirmation
from pandas_magic.notebook.eda_findings import LINES, FindingList
from pandas_magic.notebook.eda_panel import Panel
from tests.pandas_magic.conftest import result
from tests.pandas_magic.explore.conftest import explorer_of, report_from

FRAME = pd.DataFrame({"id": range(40), "age": [1, 2, 3, None] * 10, "sex": ["f", "m"] * 20})


READINGS = {
    "column": "age",
    "readings": [{"reading": "numeric", "means": "a measure"}, {"reading": "categorical", "means": "3 classes"}],
}


class ScriptedStudy:
    def __init__(self) -> None:
        self.report: Report | None = None
        self.asked: list[tuple[Any, ...]] = []
        self.error: Exception | None = None
        self.stopped = 0
        self.seen_first: Callable[[], None] = lambda: None  # called when the panel shows the columns alone

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
        said["on_report"](replace(self.report, is_whole=False))
        self.seen_first()
        return self.report

    def probe(self, name: str, *, columns: Sequence[str] = (), other: str | None = None) -> Report:
        assert self.report is not None
        self.asked.append((name, *columns, other))
        asked = [READINGS] if name == "type_disambiguation" else []
        probe = ProbeResult(probe=name, subject=(), verdict="seen", summary="It was seen.", facts={"columns": asked})
        self.report = self.report.with_probe(probe)
        return self.report

    def settle(self, column: str, reading: str) -> Report:
        assert self.report is not None
        self.asked.append(("settle", column, reading))
        return self.report

    def proposals(self) -> tuple[Proposal, ...]:
        return (
            Proposal("unique", "id", "people: id must be unique", "none twice"),
            Proposal("not null", "age", "people: age must be present", "10 of its values are missing", holds=False),
            Proposal("allowed values", "sex", "people: sex must be one of 'f', 'm'", "2 different values"),
        )

    def droppable(self) -> dict[str, str]:
        return {"id": "drop: it identifies rows"}

    def without(self, columns: Sequence[str]) -> pd.DataFrame:
        return FRAME.drop(columns=list(columns))

    def make_check(self, sentence: str, on_progress: Callable[[str], None]) -> Any:
        self.asked.append((sentence,))
        if "nonsense" in sentence:
            raise PandasMagicError('not understood: "nonsense"')
        return result()

    def stop(self) -> None:
        self.stopped += 1


@pytest.fixture
def study() -> ScriptedStudy:
    return ScriptedStudy()


@pytest.fixture
def panel(study: ScriptedStudy) -> Panel:
    return Panel(study, table="people")


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


@pytest.mark.feature("C02")
def test_the_report_fills_in_as_its_parts_arrive(panel: Panel, study: ScriptedStudy) -> None:
    seen: list[list[str]] = []
    study.seen_first = lambda: seen.append([part.value for part in panel.parts])
    _press(panel, panel.run)
    (first,) = seen
    whole = [part.value for part in panel.parts]
    assert "<b>40</b><span>rows" in first[0] and "was flagged" not in first[0] and first[1] == whole[1]
    assert ["Looking …" in part for part in first[3:9]] == [True] * 6 and "Looking" not in "".join(whole)


@pytest.mark.feature("C20", "C21", "C22")
def test_a_probe_stands_where_it_applies_and_answers_beside_its_button(panel: Panel, study: ScriptedStudy) -> None:
    shown = {name: box.layout.display for name, box in panel.probes.boxes.items()}
    assert set(shown.values()) == {"none"}, "nothing was explored yet"
    panel.target.value = "sex"
    _press(panel, panel.run)
    assert {name for name, box in panel.probes.boxes.items() if box.layout.display == "flex"} == {
        "drill_missing", "leakage_check", "type_disambiguation", "pair", "drift",
    }  # fmt: skip
    for name in ("drill_missing", "leakage_check", "type_disambiguation"):
        _press(panel, panel.probes.buttons[name])
        assert study.asked[-1] == (name, None) and panel.tabs.selected_index == 0, "the page stays where it is"
        assert "It was seen." in panel.probes.answers[name].value and "It was seen." in panel.parts[7].value
    panel.target.value = "(none)"
    _press(panel, panel.run)
    assert panel.probes.boxes["leakage_check"].layout.display == "none", "without a target nothing can leak"
    assert panel.probes.answers["drill_missing"].value == "", "an answer is about the table as it was explored"


@pytest.mark.feature("C22")
def test_a_person_says_which_reading_is_meant_and_none_is_taken_before(panel: Panel, study: ScriptedStudy) -> None:
    _press(panel, panel.run)
    probes = panel.probes
    _press(panel, probes.settle)
    assert "No column is in doubt." in panel.message.value
    for _ in range(2):
        _press(panel, probes.buttons["type_disambiguation"])
        assert probes.reading.value is None and len(probes.reading.options) == 2
    _press(panel, probes.settle)
    assert "Choose what it means first." in panel.message.value and study.asked[-1][0] == "type_disambiguation"
    probes.reading.value = ("age", "categorical")
    _press(panel, probes.settle)
    assert study.asked[-1] == ("settle", "age", "categorical") and "age is read as categorical" in panel.message.value


def test_pair_and_drift_take_what_was_chosen(panel: Panel, study: ScriptedStudy) -> None:
    _press(panel, panel.run)
    probes = panel.probes
    assert (probes.left.value, probes.right.value) == ("id", "age"), "a pair is chosen before anybody chooses one"
    probes.left.value, probes.right.value = "age", "sex"
    _press(panel, probes.buttons["pair"])
    assert study.asked[-1] == ("pair", "age", "sex", None)
    _press(panel, probes.buttons["drift"])
    assert study.asked[-1] == ("drift", "people")


@pytest.mark.feature("C02")
def test_deeper_eda_takes_the_next_probe_until_none_is_left(panel: Panel, study: ScriptedStudy) -> None:
    panel.target.value = "sex"
    _press(panel, panel.run)
    titles = {"leakage_check": "Leakage", "drill_missing": "Filling the gaps", "type_disambiguation": "Which type"}
    for name, title in titles.items():
        _press(panel, panel.deeper)
        assert study.asked[-1][0] == name and f"<h3>{title}" in panel.deeper_answer.value
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
    panel = Panel(study, table="people", on_kept=kept.__setitem__)
    _press(panel, panel.run)
    panel.drops.value = ("id",)
    panel.drop.click()
    assert not kept and "without id" in panel.question.value
    panel.no.click()
    assert not kept
    panel.drop.click()
    panel.yes.click()
    assert list(kept["people_kept"]) == ["age", "sex"] and list(FRAME) == ["id", "age", "sex"]


def _lines(findings: FindingList) -> list[Any]:
    return [part for part in findings.body.children if part in findings.lines]


def test_each_finding_has_a_button_that_opens_its_sentence_and_makes_a_check(study: ScriptedStudy) -> None:
    made: list[Any] = []
    panel = Panel(study, table="people", on_check=made.append)
    _press(panel, panel.run)
    findings = panel.findings["Make checks"]
    assert len(_lines(findings)) == 3 and findings.editor not in findings.body.children
    assert not panel.findings["Target"].widget.children, "no widget is made of which nothing is shown"
    findings.buttons[0].click()
    assert findings.body.children[1] is findings.editor, "the sentence opens right below its finding"
    assert findings.sentence.value == "people: id must be unique"
    findings.sentence.value = "people: id must be unique and present"
    panel.findings["Make checks"].fill(study.proposals())
    assert findings.sentence.value.endswith("and present"), "what is being written outlives a part that arrives"
    _press(panel, findings.make)
    assert study.asked[-1] == ("people: id must be unique and present",) and len(made) == 1
    assert "CHK-002" in panel.message.value and "pandas-magic" in findings.said.value
    assert findings.buttons[0].description == "✓ CHK-002"
    findings.cancel.click()
    assert findings.editor not in findings.body.children


def test_findings_stand_below_the_part_that_told_of_them(panel: Panel) -> None:
    panel.target.value = "sex"
    _press(panel, panel.run)

    def shown(title: str) -> list[str]:
        findings = panel.findings[title]
        return [findings.texts[at].value for at in range(len(_lines(findings)))]

    assert ["unique" in text for text in shown("Columns")] == [True, False] and len(shown("Columns")) == 2
    assert len(shown("Missing")) == len(shown("Notes")) == 1 and "broken today" in shown("Missing")[0]
    assert len(shown("Target")) == 1 and "allowed values" in shown("Target")[0]
    assert "id</b>" in shown("Flags")[0], "an id beside a target is flagged as a leak"
    assert len(shown("Make checks")) == 3


def test_a_sentence_that_is_not_understood_says_so_where_it_is_written(panel: Panel, study: ScriptedStudy) -> None:
    _press(panel, panel.run)
    findings = panel.findings["Missing"]
    findings.buttons[0].click()
    findings.sentence.value = "nonsense"
    _press(panel, findings.make)
    assert "not understood" in findings.said.value and "not understood" in panel.message.value
    assert findings.buttons[0].description == "Make this a check"


def test_many_findings_come_in_pages_and_by_kind() -> None:
    findings = FindingList("Findings", lambda _: None, made={})
    found = [Proposal("range", f"c{n}", f"t: c{n} must be present", "seen") for n in range(20)]
    findings.fill([*found, Proposal("unique", "id", "t: id must be unique", "seen")])
    assert len(_lines(findings)) == LINES and findings.where.value == "1 to 8 of 21" and findings.back.disabled
    findings.forth.click()
    findings.forth.click()
    assert len(_lines(findings)) == 5 and findings.forth.disabled
    findings.kinds.value = "unique"
    assert len(_lines(findings)) == 1 and "id" in findings.texts[0].value


def test_a_name_of_markup_is_shown_as_text() -> None:
    findings = FindingList("Findings", lambda _: None, made={})
    findings.fill([Proposal("range", "<img onerror=x>", "t: it must be present", "<b>seen</b>")])
    assert "<img" not in findings.texts[0].value and "&lt;b&gt;" in findings.texts[0].value


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

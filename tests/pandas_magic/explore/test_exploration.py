"""Exploration in the sandbox: the repair loop, follow-ups, the log, what a process may not do."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pandas as pd
import pytest

from pandas_magic.errors import NoSuchName, UsageMistake
from pandas_magic.explore import exploration as module
from pandas_magic.explore import follow_ups
from pandas_magic.explore.delivery import confined_sources
from pandas_magic.explore.exploration import Exploration
from pandas_magic.explore.exploration_request import Constraints, ExplorationRequest, Inputs
from pandas_magic.explore.report import Report
from pandas_magic.explore.subject import Subject
from pandas_magic.explore.unfinished import ExplorationFailed, NeedsConfirmation, Stopped
from tests.pandas_magic.explore.conftest import EXPLORER, PLANTED, sources_with
from tests.pandas_magic.explore.test_report import SCHEMA

pytestmark = pytest.mark.usefixtures("keepers_know_statistics")


def request(
    target: str | None = None, *, seconds: float = 120, memory_mb: int = 2048, **inputs: Any
) -> ExplorationRequest:
    limits = Constraints(timeout_seconds=seconds, memory_mb=memory_mb)
    return ExplorationRequest(inputs=Inputs(data_path="t", target=target, **inputs), constraints=limits)


@pytest.fixture
def explore() -> Iterator[Callable[..., Exploration]]:
    made: list[Exploration] = []

    def make(frame: pd.DataFrame, target: str | None = None, **said: Any) -> Exploration:
        asked = said.pop("request", None) or request(target, plot_limit=said.pop("plot_limit", 0))
        made.append(Exploration(Subject("t", frame=frame), asked, **said))
        return made[-1]

    yield make
    for exploration in made:
        exploration.close()


@pytest.fixture(scope="module")
def wide() -> pd.DataFrame:
    return pd.DataFrame({f"c{n}": range(30) for n in range(40)})


@pytest.mark.feature("C02", "C10", "C11", "C18", "C20", "C21", "C23", "C30", "C31", "C36")
def test_a_table_is_explored_followed_up_drawn_logged_and_written(
    explore: Callable[..., Exploration], people: pd.DataFrame, tmp_path: Path
) -> None:
    said: list[str] = []
    report = explore(people, "bought", folder=tmp_path, plot_limit=6, on_progress=said.append).run()
    content = report.to_dict()
    jsonschema.validate(content, SCHEMA)
    assert [probe.probe for probe in report.probes] == ["leakage_check", "drill_missing"]
    assert any(
        note.startswith("leakage_check: outcome_code gives the target away") for note in content["notes"].splitlines()
    )
    assert 3 <= len(report.summary.sentences) <= 5
    place = tmp_path / "artifacts" / report.run_id
    paths = [*content["visuals"]["histograms"], content["visuals"]["missing_heatmap"]]
    assert len(paths) >= 2 and all((tmp_path / path).read_text().startswith("<svg ") for path in paths)
    assert json.loads((place / "report.json").read_text()) == content
    assert "data:image/svg+xml;base64" in (place / "report.html").read_text()
    line = json.loads((tmp_path / "runs_log.jsonl").read_text())
    assert {"run_id", "timestamp", "user_id", "dataset_hash", "runtime_ms", "exit_code", "errors"} <= set(line)
    assert line["run_id"] == report.run_id and line["exit_code"] == 0
    assert "relations" in said and "pictures" in said
    assert 0 < content["meta"]["runtime_ms"] <= line["runtime_ms"]
    assert Report.load(place).compare(report).verdict == "no drift"


@pytest.mark.feature("C24")
def test_follow_ups_stop_at_their_number(explore: Callable[..., Exploration], people: pd.DataFrame) -> None:
    assert len(explore(people, "bought", max_follow_ups=1).run().probes) == 1


@pytest.mark.feature("C24")
@pytest.mark.parametrize(
    ("clock", "probes", "errors"),
    [
        # Three follow-ups and the report have 120 seconds each: the clock shows the begin, some looks, and the end.
        ([0.0, 340.0, 350.0], ["leakage_check"], ("drill_missing: no time was left",)),
        ([0.0], [], ("pictures: no time was left", "leakage_check: no time was left")),
    ],
)
def test_when_the_time_of_all_runs_is_used_up_nothing_follows(
    explore: Callable[..., Exploration], people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch,
    clock: list[float], probes: list[str], errors: tuple[str, ...],
) -> None:  # fmt: skip
    exploration = explore(people, "bought", plot_limit=1)
    times = iter(clock)
    for looks in (module, follow_ups):
        monkeypatch.setattr(looks, "time", SimpleNamespace(monotonic=lambda: next(times, 481.0)))
    report = exploration.run()
    assert [probe.probe for probe in report.probes] == probes and report.document.meta.errors == errors
    assert report.summary.confidence == "low"


@pytest.mark.feature("C02", "C23")
def test_who_reads_along_sees_the_columns_first_and_then_everything(
    explore: Callable[..., Exploration], people: pd.DataFrame
) -> None:
    seen: list[Report] = []
    report = explore(people, "bought", plot_limit=2, on_report=seen.append).run()
    assert [each.is_whole for each in seen] == [False, *[True] * (len(seen) - 1)]
    first, whole, drawn = seen[:3]
    assert first.document.columns_profile.keys() == report.document.columns_profile.keys()
    assert [p.n_missing for p in first.document.columns_profile.values()] == [
        p.n_missing for p in report.document.columns_profile.values()
    ]
    assert first.summary.sentences[0] == report.summary.sentences[0] and not first.details.associations.to_target
    assert whole.details.associations.to_target and not whole.pictures and len(drawn.pictures) == 2
    assert [len(each.probes) for each in seen[3:]] == [1, 2][: len(report.probes)] and not drawn.probes


@pytest.mark.feature("C25", "C26", "C35")
def test_a_planted_failure_is_repaired_on_fewer_columns(
    explore: Callable[..., Exploration], wide: pd.DataFrame
) -> None:
    planted = f"if self.frame.shape[1] > 20: {PLANTED}"
    report = explore(wide, "c30", sources=sources_with(planted)).run()
    assert [(attempt.on, attempt.status) for attempt in report.attempts] == [
        ("everything", "error"),
        ("20 columns", "ok"),
    ]
    assert "planted" in report.attempts[0].trace and "explore" in report.attempts[0].trace
    assert report.document.dataset.n_cols == 20 and "c30" in report.document.dataset.columns
    assert report.document.meta.errors == ("everything: RuntimeError: planted",)
    assert any("40 columns" in note for note in report.document.noted()) and report.summary.confidence == "low"


@pytest.mark.feature("C25")
def test_what_cannot_be_repaired_ends_with_every_attempt_and_what_was_found(
    explore: Callable[..., Exploration], wide: pd.DataFrame, tmp_path: Path
) -> None:
    exploration = explore(wide, sources=sources_with(PLANTED), folder=tmp_path)
    with pytest.raises(ExplorationFailed, match=r"after 3 attempts") as failed:
        exploration.run()
    assert [attempt.on for attempt in failed.value.attempts] == [
        "everything",
        "20 columns",
        "20 columns of 10,000 rows",
    ]
    line = json.loads((tmp_path / "runs_log.jsonl").read_text())
    assert line["exit_code"] == 1 and "planted" in line["errors"][0]


@pytest.mark.feature("C25")
def test_parts_that_were_found_before_a_failure_are_given(explore: Callable[..., Exploration]) -> None:
    texts = confined_sources()
    broken = texts[EXPLORER].replace("deep = self._deep_columns()", PLANTED)
    with pytest.raises(ExplorationFailed, match="Found before that: columns_profile, dataset, target") as failed:
        explore(pd.DataFrame({"a": [1, 2]}), sources=texts | {EXPLORER: broken}).run()
    assert failed.value.obtained["report"]["dataset"]["n_rows"] == 2


def test_a_module_that_does_not_compile_is_told_like_any_other_failure(explore: Callable[..., Exploration]) -> None:
    with pytest.raises(ExplorationFailed) as failed:
        explore(pd.DataFrame({"a": [1, 2]}), sources=confined_sources() | {EXPLORER: "def explore(:"}).run()
    assert [attempt.problem.split(":")[0] for attempt in failed.value.attempts] == ["SyntaxError"] * 3


@pytest.mark.feature("C26", "C28")
@pytest.mark.parametrize("planted", ['print("noise")', "return {'report': {'dataset': 1}, 'details': {}}"])
def test_an_answer_that_is_no_report_is_tried_again(
    explore: Callable[..., Exploration], wide: pd.DataFrame, planted: str
) -> None:
    planted = f"if self.frame.shape[1] > 20: {planted}"
    report = explore(wide, sources=sources_with(planted)).run()
    assert report.attempts[0].status == "parse_error" and report.document.dataset.n_cols == 20


@pytest.mark.feature("C33")
@pytest.mark.parametrize(
    ("planted", "refused"),
    [
        ("import socket; socket.create_connection(('93.184.216.34', 80))", r"PermissionError|OSError"),
        ("open('/etc/passwd').read()", "PermissionError"),
        ("import os; os.fork()", r"PermissionError|BlockingIOError"),
    ],
    ids=["network", "files", "processes"],
)
def test_the_explorer_can_reach_nothing(explore: Callable[..., Exploration], planted: str, refused: str) -> None:
    with pytest.raises(ExplorationFailed) as failed:
        explore(pd.DataFrame({"a": [1, 2]}), sources=sources_with(planted)).run()
    assert all(re.match(refused, attempt.problem) for attempt in failed.value.attempts)


@pytest.mark.feature("C33")
def test_too_much_memory_and_too_much_time_end_in_smaller_attempts(
    explore: Callable[..., Exploration], wide: pd.DataFrame
) -> None:
    bomb = "if self.frame.shape[1] > 20: bomb = bytearray(600 * 2**20); bomb[:] = b'x' * len(bomb)"
    report = explore(wide, request=request(memory_mb=512, plot_limit=0), sources=sources_with(bomb)).run()
    assert report.attempts[0].status in ("memory", "error") and report.attempts[-1].status == "ok"
    endless = "while self.frame.shape[1] > 20: pass"
    report = explore(wide, request=request(seconds=3, plot_limit=0), sources=sources_with(endless)).run()
    # Three seconds on the clock and three of the processor: whichever is seen first.
    assert report.attempts[0].status in ("timeout", "cpu") and report.document.dataset.n_cols == 20


@pytest.mark.feature("C27")
def test_more_than_200_columns_are_asked_about(explore: Callable[..., Exploration]) -> None:
    frame = pd.DataFrame({f"c{n}": [n, n + 1] for n in range(300)})
    with pytest.raises(NeedsConfirmation, match=r"t has 300 columns.*--yes"):
        explore(frame).run()
    report = explore(frame, confirmed=True).run()
    assert report.document.dataset.n_cols == 300 and report.details.explored_in_pairs == 100


def test_an_unknown_target_is_named_with_the_nearest_column(explore: Callable[..., Exploration]) -> None:
    with pytest.raises(NoSuchName, match=r'no column "stauts".*Did you mean "status"'):
        explore(pd.DataFrame({"status": ["a"]}), "stauts").run()


def test_stop_ends_a_run_from_another_thread(explore: Callable[..., Exploration], wide: pd.DataFrame) -> None:
    exploration = explore(wide, sources=sources_with("while True: pass"))
    timer = threading.Timer(1.0, exploration.stop)
    timer.start()
    with pytest.raises(Stopped, match="t was stopped"):
        exploration.run()
    timer.join()


@pytest.mark.feature("C22")
def test_a_person_settles_what_a_column_means(explore: Callable[..., Exploration]) -> None:
    frame = pd.DataFrame({"when": ["01/02/2024", "03/04/2024", "11/12/2024"], "rank": [1, 2, 3]})
    exploration = explore(frame)
    exploration.run()
    asked = exploration.probe("type_disambiguation").probes[-1]
    readings = asked.facts["columns"][0]["readings"]
    assert {each["reading"] for each in readings} == {"datetime as %d/%m/%Y", "datetime as %m/%d/%Y"}
    assert len({each["means"] for each in readings}) == 2
    settled = exploration.settle("when", "datetime as %d/%m/%Y")
    assert settled.document.columns_profile["when"].summary.kind == "datetime"


def test_a_probe_before_the_exploration_and_an_unknown_one_are_refused(explore: Callable[..., Exploration]) -> None:
    exploration = explore(pd.DataFrame({"a": [1, 2]}))
    with pytest.raises(UsageMistake, match="nothing was explored yet"):
        exploration.probe("pair", columns=["a", "a"])
    exploration.run()
    with pytest.raises(NoSuchName, match='no probe "pairs"'):
        exploration.probe("pairs")


class Advisor:
    def __init__(self, *choices: str | None) -> None:
        self.choices, self.offered = list(choices), []

    def asked_about(self, table: str, on_progress: Any) -> AbstractContextManager[None]:
        return nullcontext()

    def choose(self, facts: dict[str, Any], offered: Any) -> str | None:
        self.offered.append(list(offered))
        return self.choices.pop(0)

    def summarise(self, facts: dict[str, Any]) -> str:
        return "It has 9,999,999 rows. That is a lot. Nobody counted."


@pytest.mark.feature("C23", "C32")
def test_a_model_chooses_only_among_what_is_offered_and_is_not_believed(
    explore: Callable[..., Exploration], people: pd.DataFrame
) -> None:
    advisor = Advisor("drill_missing", "rm -rf")
    report = explore(people, "bought", advisor=advisor).run()
    assert [probe.probe for probe in report.probes] == ["drill_missing"]
    assert advisor.offered[0][:2] == ["leakage_check", "drill_missing"]
    assert report.summary.author == "rules" and "9,999,999" not in report.summary.text

"""A step that raised, repaired by a scripted model: what is told, refused, proved, confined and shown."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from typing import Any

import pandas as pd
import pytest

from pandas_magic.explore.delivery import confined_sources
from pandas_magic.explore.exploration import Exploration
from pandas_magic.explore.exploration_request import Constraints, ExplorationRequest, Inputs
from pandas_magic.explore.failed_function import failed_function
from pandas_magic.explore.repairing import Repairer
from pandas_magic.explore.report import Report
from pandas_magic.explore.subject import Subject
from pandas_magic.explore.unfinished import ExplorationFailed
from pandas_magic.planner.model import endpoint as wire
from pandas_magic.planner.model import ladders
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.settings import Settings
from tests.grids import also_thorough
from tests.pandas_magic.explore.conftest import EXPLORER
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint, Step

pytestmark = pytest.mark.usefixtures("keepers_know_statistics")

PROBES = "pandas_magic.explore.confined.probes"
# It raises on the person's table and not on ours, and quotes a value.
PLANTED = """if "outcome_code" in column.name: raise ValueError(f"cannot read {target.labels[0]}")\n"""
# An answer of the right form, which no column of ours gives.
LIE = '{"column": column.name, "measure": "R²", "score": 0.5, "verdict": "no leak by itself", "rows": 80}'
HEAD = "    truth = target.codes if classes else target.numbers\n"


@pytest.fixture(autouse=True)
def _own_model_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PANDAS_MAGIC_MODEL", raising=False)
    monkeypatch.setattr(wire, "_FIRST_WAIT_SECONDS", 0.01)
    ladders.forget()


@pytest.fixture
def people(people: pd.DataFrame) -> pd.DataFrame:
    return people.head(120)


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedEndpoint]]:
    with ExitStack() as stack:
        yield lambda *texts: stack.enter_context(ScriptedEndpoint([Step(text) for text in texts]))


def _broken(module: str = PROBES, where: str = HEAD, planted: str = "    " + PLANTED) -> dict[str, str]:
    texts = confined_sources()
    assert texts[module].count(where) == 1
    return texts | {module: texts[module].replace(where, where + planted)}


def _function(name: str, sources: Mapping[str, str], *, module: str = PROBES) -> str:
    line = sources[module].splitlines().index(next(x for x in sources[module].splitlines() if f"def {name}(" in x)) + 1
    found = failed_function(f'  File "<{module}>", line {line}, in {name}', sources)
    assert found is not None and found.name == name
    return found.text


def _answer(code: str) -> str:
    return f"```python\n{code}\n```"


def _repaired(name: str = "_alone", *, planted: str = PLANTED, instead: str = "", module: str = PROBES) -> str:
    text = _function(name, _broken(), module=module)
    assert planted in text
    return text.replace(planted, instead + "\n" if instead else "pass\n")


def _exploration(people: pd.DataFrame, endpoint: ScriptedEndpoint, **said: Any) -> Exploration:
    model = Model(ModelConfiguration(model="scripted", base_url=endpoint.url, key="sk-test"), None)
    request = ExplorationRequest(
        inputs=Inputs(data_path="people", target="bought", plot_limit=0),
        constraints=Constraints(timeout_seconds=said.pop("seconds", 120.0)),
    )
    settings = said.pop("settings", Settings(max_repairs=1))
    said = {"max_follow_ups": 1, "sources": _broken(), **said}
    return Exploration(Subject("people", frame=people), request, repairer=Repairer(model, settings), **said)


def _explored(people: pd.DataFrame, endpoint: ScriptedEndpoint, **said: Any) -> Report:
    with closing(_exploration(people, endpoint, **said)) as begun:
        return begun.run()


@pytest.mark.feature("C25")
def test_a_probe_that_raised_is_repaired_proved_and_shown_with_its_first_error(
    people: pd.DataFrame, serve: Callable[..., ScriptedEndpoint]
) -> None:
    endpoint = serve(_answer("def another(): pass"), _answer(_repaired()))
    report = _explored(people, endpoint, settings=Settings(max_repairs=2))
    assert [(probe.probe, probe.verdict) for probe in report.probes] == [
        ("leakage_check", "outcome_code gives the target away")
    ]
    assert report.document.meta.errors == ("leakage_check: ValueError: cannot read yes",)
    (repair,) = report.details.repairs
    assert (repair.step, repair.function, repair.model) == ("leakage_check", "_alone", "scripted")
    line = "leakage_check: _alone raised ValueError: cannot read yes and was repaired by scripted; its code is shown"
    assert line in report.document.noted() and repair.code in report.to_html().replace("&quot;", '"').replace(
        "&#x27;", "'"
    ).replace("&lt;", "<").replace("&gt;", ">")
    assert report.summary.confidence == "low"
    # Of the error and the table no value was told; of the first answer, what was wrong with it.
    first, second = ("\n".join(said["content"] for said in asked.body["messages"]) for asked in endpoint.requests)
    assert "customer_id" in first and "ValueError" in first
    assert "must keep its name" in second and "must keep its name" not in first
    for sent in (first, second):
        told = sent.replace(_function("_alone", _broken()), "")
        assert not any(value in told for value in ("Rome", "a short note", "1000", "yes"))


@pytest.mark.feature("C25")
@pytest.mark.parametrize("every", [2, *also_thorough(1)])
def test_repairs_that_lie_loop_or_reach_out_leave_the_honest_error(
    people: pd.DataFrame, serve: Callable[..., ScriptedEndpoint], monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    all_wrong = {
        f"return {LIE}": "another result",
        'if "outcome_code" in column.name: return {"column": column.name, "score": 0.99, "verdict": "leak"}': "measure",
        "import socket; socket.create_connection(('127.0.0.1', 9))": "socket",
        "open('/etc/passwd').read()": "open",
        "np.loadtxt('/etc/hostname')": "PermissionError",
        "pd.read_json('http://127.0.0.1:9/x')": "there is no network",
        "while True: pass": "on a table on which the function worked before it fails: ",
    }
    wrong = dict(list(all_wrong.items())[::every])
    problems: list[str] = []
    judge = Repairer._judged
    monkeypatch.setattr(Repairer, "_judged", lambda *asked: problems.append((come_to := judge(*asked))[1]) or come_to)
    endpoint = serve(*(_answer(_repaired(instead=instead)) for instead in wrong))
    report = _explored(people, endpoint, settings=Settings(max_repairs=len(wrong)), seconds=600)
    assert [why for why, problem in zip(wrong.values(), problems, strict=True) if why not in problem] == []
    assert report.document.meta.errors == (
        "leakage_check: ValueError: cannot read yes",
        f"leakage_check: scripted could not repair _alone: {problems[-1]}",
    )
    assert not report.probes and not report.details.repairs


@pytest.mark.parametrize("settings", [Settings(max_repairs=0), Settings(code_enabled=False)])
def test_nobody_is_asked_where_no_code_may_be_repaired(
    people: pd.DataFrame, serve: Callable[..., ScriptedEndpoint], settings: Settings
) -> None:
    endpoint = serve()
    report = _explored(people, endpoint, settings=settings)
    assert not endpoint.requests and len(report.document.meta.errors) == 1


def test_a_function_that_no_table_of_ours_reaches_is_not_repaired(
    people: pd.DataFrame, serve: Callable[..., ScriptedEndpoint]
) -> None:
    endpoint = serve()
    tail = "def drift(explorer"
    helper = "def _unreached(name: str) -> None:\n    raise ValueError(name)\n\n\n"
    planted = '    if "outcome_code" in column.name: _unreached("a")\n'
    texts = _broken(planted=planted)
    texts[PROBES] = texts[PROBES].replace(tail, helper + tail, 1)
    report = _explored(people, endpoint, sources=texts)
    assert report.document.meta.errors[1].endswith("on no table of ours could one be proved")
    assert not endpoint.requests


@pytest.mark.feature("C25")
def test_a_report_that_fails_on_less_too_is_made_by_repaired_code(
    people: pd.DataFrame, serve: Callable[..., ScriptedEndpoint]
) -> None:
    where = '        """What was found so far."""\n'
    planted = '        if "customer_id" in self.frame: raise KeyError("customer_id")\n'
    texts = _broken(EXPLORER, "        self._profile()\n        self._analyse_target()\n", planted)
    method = _function("explore", texts, module=EXPLORER)
    assert where in texts[EXPLORER]
    report = _explored(people, serve(_answer(method.replace(planted.strip(), "pass"))), sources=texts)
    assert report.document.meta.errors[0] == "everything: KeyError: 'customer_id'"
    assert len(report.document.meta.errors) == 3 and report.document.dataset.n_rows == 120
    assert [repair.function for repair in report.details.repairs] == ["explore"]
    assert [probe.probe for probe in report.probes] == ["leakage_check"]


def test_a_report_whose_repair_fails_ends_with_every_attempt(
    people: pd.DataFrame, serve: Callable[..., ScriptedEndpoint]
) -> None:
    planted = '        if "customer_id" in self.frame: raise KeyError("customer_id")\n'
    texts = _broken(EXPLORER, "        self._profile()\n        self._analyse_target()\n", planted)
    with pytest.raises(ExplorationFailed, match=r"customer_id.*no Python code") as failed:
        _explored(people, serve("I cannot."), sources=texts)
    assert [attempt.on for attempt in failed.value.attempts][-1] == "everything, repaired"

"""A model as adviser: a scripted endpoint chooses probes and writes the summary; the rules hold where it fails."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.explore.advice import ModelAdvisor, told
from pandas_magic.explore.exploration import Exploration
from pandas_magic.explore.exploration_request import ExplorationRequest, Inputs
from pandas_magic.explore.report import Report
from pandas_magic.explore.subject import Subject
from pandas_magic.planner.model import endpoint as wire
from pandas_magic.planner.model import ladders
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from tests.pandas_magic.explore.conftest import explorer_of, report_from
from tests.pandas_magic.planner.model.scripted import ScriptedEndpoint, Step

pytestmark = pytest.mark.usefixtures("keepers_know_statistics")

TRUE = 'The table has 120 rows. Look at "customer_id" first. Then fit a model.'


@pytest.fixture(autouse=True)
def _own_model_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PANDAS_MAGIC_MODEL", raising=False)
    monkeypatch.setattr(wire, "_FIRST_WAIT_SECONDS", 0.01)
    ladders.forget()


@pytest.fixture
def people(people: pd.DataFrame) -> pd.DataFrame:
    """Fewer of them: what a model says of a table does not depend on its length, and its probes do."""
    return people.head(120)


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedEndpoint]]:
    with ExitStack() as stack:
        yield lambda *texts: stack.enter_context(ScriptedEndpoint([Step(text) for text in texts]))


def _model(endpoint: ScriptedEndpoint, level: str = "schema") -> Model:
    said: Any = {"disclosure": level}
    return Model(ModelConfiguration(model="scripted", base_url=endpoint.url, key="sk-test", **said), None)


def _explored(people: pd.DataFrame, model: Model, heard: list[str] | None = None) -> Report:
    request = ExplorationRequest(inputs=Inputs(data_path="people", target="bought", plot_limit=0))
    hear, advisor = (heard if heard is not None else []).append, ModelAdvisor(model)
    with closing(Exploration(Subject("people", frame=people), request, advisor=advisor, on_progress=hear)) as begun:
        return begun.run()


def _choice(probe: str) -> str:
    return json.dumps({"because": "it matters", "probe": probe})


@pytest.mark.feature("C23", "C32")
def test_a_model_chooses_the_probes_and_writes_the_summary(people: pd.DataFrame, serve: Callable[..., Any]) -> None:
    endpoint, heard = serve(_choice("drill_missing"), _choice("none"), TRUE), list[str]()
    report = _explored(people, _model(endpoint, "stats"), heard)
    assert [probe.probe for probe in report.probes] == ["drill_missing"], "the rules would have begun with the leak"
    assert (report.summary.author, " ".join(report.summary.sentences)) == ("model", TRUE)
    assert any(line.startswith("telling scripted at 127.0.0.1") for line in heard)
    assert len(endpoint.requests) == 3 and "A model wrote this" in report.to_html()


@pytest.mark.feature("C32")
@pytest.mark.parametrize("wrong", [TRUE.replace("120", "4,123"), TRUE.replace("customer_id", "client"), "No."])
def test_a_summary_with_a_number_or_a_name_of_its_own_is_not_used(
    people: pd.DataFrame, serve: Callable[..., Any], wrong: str
) -> None:
    report = _explored(people, _model(serve(_choice("none"), wrong), "stats"))
    assert report.summary.author == "rules" and "120 rows" in report.summary.text


def test_at_schema_level_no_number_and_no_value_is_told(people: pd.DataFrame, serve: Callable[..., Any]) -> None:
    endpoint = serve(_choice("none"))
    report = _explored(people, _model(endpoint))
    sent = endpoint.requests[0].body["messages"][-1]["content"]
    assert "customer_id" in sent and "leakage_check" in sent
    assert not any(value in sent for value in ("120", "Rome", "yes", "a short note"))
    assert len(endpoint.requests) == 1 and report.summary.author == "rules"


def test_examples_and_frequent_values_are_told_at_no_level(people: pd.DataFrame) -> None:
    facts = report_from(explorer_of(people, target="bought")).facts()
    text = json.dumps(told(facts, numbers=True))
    assert "120" in text and "yes" in text, "the classes of the target are told"
    assert not any(value in text for value in ("Rome", "a short note"))


@pytest.mark.parametrize(
    "answer", [Step(status=500, error={"message": "down"}), Step("nonsense"), Step(_choice("rm -rf"))]
)
def test_a_model_that_fails_costs_its_advice_and_nothing_else(people: pd.DataFrame, answer: Step) -> None:
    with ScriptedEndpoint(always=answer) as endpoint:
        report = _explored(people, _model(endpoint))
    assert [probe.probe for probe in report.probes] == ["leakage_check", "drill_missing"]
    assert any("the rules chose the probes, since the model could not" in note for note in report.document.noted())
    assert report.summary.confidence == "high"


def test_an_advisor_gives_none_for_none(serve: Callable[..., Any], people: pd.DataFrame) -> None:
    facts = report_from(explorer_of(people)).facts()
    advisor = ModelAdvisor(_model(serve(_choice("none"))))
    assert advisor.choose(facts, ["drill_missing"]) is None


def test_settling_a_column_is_a_request_of_its_own(serve: Callable[..., Any]) -> None:
    frame = pd.DataFrame({"when": ["01/02/2024", "03/04/2024", "11/12/2024"], "rank": [1, 2, None]})
    request = ExplorationRequest(inputs=Inputs(data_path="days", plot_limit=0))
    advisor, heard = ModelAdvisor(_model(serve(_choice("none"), _choice("none")))), list[str]()
    with closing(
        Exploration(Subject("days", frame=frame), request, advisor=advisor, on_progress=heard.append)
    ) as begun:
        begun.run()
        begun.settle("when", "datetime as %d/%m/%Y")
    assert [line.split(" at ")[0] for line in heard].count("telling scripted") == 2


@pytest.mark.feature("C23")
def test_profile_asks_the_configured_model_and_none_when_the_planner_is_rules(
    people: pd.DataFrame, serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    endpoint = serve(_choice("none"))
    monkeypatch.setenv("PANDAS_MAGIC_MODEL", "scripted")
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("PANDAS_MAGIC_PLANNER", "rules")
    offline = pandas_magic.profile(people, "bought", inputs={"plot_limit": 0})
    assert len(offline.probes) == 2 and not endpoint.requests
    monkeypatch.setenv("PANDAS_MAGIC_PLANNER", "auto")
    assert not pandas_magic.profile(people, "bought", inputs={"plot_limit": 0}).probes and len(endpoint.requests) == 1

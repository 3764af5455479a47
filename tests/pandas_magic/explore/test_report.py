"""The report's contract: the published schema, good and bad payloads, the words and the page made of it.

It runs what docs/eda.md shows.
"""

import copy
import json
from importlib.resources import files
from typing import Any

import jsonschema
import pandas as pd
import pytest
from pydantic import ValidationError

from pandas_magic.explore.details import ProbeResult
from pandas_magic.explore.drawing.plot_marks import Bars
from pandas_magic.explore.picture import Picture
from pandas_magic.explore.report import Report
from pandas_magic.explore.report_document import ReportDocument, json_schema_text
from pandas_magic.explore.sections import number
from pandas_magic.explore.storytelling import story_of, unfounded
from tests.pandas_magic.explore.conftest import chart_of, explorer_of, report_from

SCHEMA = json.loads(files("pandas_magic.explore").joinpath("report.schema.json").read_text())
KEYS = {"dataset", "columns_profile", "target", "correlations", "flags", "visuals", "notes", "meta"}


@pytest.fixture(scope="module")
def report() -> Report:
    frame = pd.DataFrame(
        {
            "age": [*range(20, 40)] * 2,
            "city": ["Rome", "?", "Oslo", "Rome"] * 10,
            "day": pd.date_range("2024-01-01", periods=40),
            "bought": ["yes", "no", "no", "no"] * 10,
        }
    )
    return report_from(explorer_of(frame, target="bought"), "people")


def test_the_published_schema_is_that_of_the_record() -> None:
    assert files("pandas_magic.explore").joinpath("report.schema.json").read_text() == json_schema_text()
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.feature("C04", "C05", "C06", "C07", "C08", "C09", "C10", "C11")
def test_a_report_has_exactly_the_keys_of_the_contract(report: Report) -> None:
    content = report.to_dict()
    jsonschema.validate(content, SCHEMA)
    assert set(content) == KEYS
    assert set(content["dataset"]) == {"n_rows", "n_cols", "columns"}
    profile = content["columns_profile"]["age"]
    assert set(profile) == {"dtype", "n_missing", "pct_missing", "unique", "summary", "suggested_action"}
    assert {"min", "q1", "median", "q3", "max", "mean", "std"} <= set(profile["summary"])
    assert set(content["target"]) == {"name", "task_type", "n_classes", "class_counts", "imbalance_ratio"}
    assert set(content["correlations"]) == {"numeric_to_target", "feature_feature_highcorr"}
    assert set(content["flags"]) == {"high_cardinality", "high_missing", "possible_leakage"}
    assert set(content["visuals"]) == {"histograms", "missing_heatmap"}
    assert set(content["meta"]) == {"run_id", "script_version", "runtime_ms", "errors"}
    assert content["columns_profile"]["city"]["pct_missing"] == 25.0


def _broken(path: str, value: Any) -> Any:
    def breaking(content: dict[str, Any]) -> None:
        *steps, last = path.split("/")
        for step in steps:
            content = content[step]
        if value is KeyError:
            del content[last]
        else:
            content[last] = value

    return breaking


@pytest.mark.feature("C04", "C35")
@pytest.mark.parametrize(
    "breaking",
    [
        _broken("flags", KeyError),
        _broken("extra", 1),
        _broken("dataset/n_rows", -1),
        _broken("dataset/n_rows", "40"),
        _broken("columns_profile/age/pct_missing", 101),
        _broken("columns_profile/age/pct_missing", KeyError),
        _broken("columns_profile/age/summary/mean", KeyError),
        _broken("columns_profile/age/summary/kind", "number"),
        _broken("columns_profile/age/more", 0),
        _broken("target/task_type", "guessing"),
        _broken("target/imbalance_ratio", 0.2),
        _broken("correlations/numeric_to_target", [{"feature": "age", "pearson": 1.5}]),
        _broken("flags/high_missing", "age"),
        _broken("meta/runtime_ms", 1.5),
        _broken("meta", {"error": "traceback"}),
        _broken("notes", {}),
    ],
)
def test_a_bad_payload_is_refused_by_schema_and_record(report: Report, breaking: Any) -> None:
    content = copy.deepcopy(report.to_dict())
    breaking(content)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content, SCHEMA)
    with pytest.raises(ValidationError):
        ReportDocument.model_validate_json(json.dumps(content), strict=True)


@pytest.mark.feature("C04")
def test_counts_that_contradict_each_other_are_refused(report: Report) -> None:
    content = report.to_dict()
    content["columns_profile"]["age"]["n_missing"] = 30
    with pytest.raises(ValidationError, match="more missing and different values than there are rows"):
        ReportDocument.model_validate(content)


@pytest.mark.feature("C07")
def test_a_report_without_a_target_says_null() -> None:
    content = report_from(explorer_of(pd.DataFrame({"a": [1, 2]}))).to_dict()
    assert content["target"] is None
    jsonschema.validate(content, SCHEMA)


@pytest.mark.feature("C32")
def test_the_summary_has_three_to_five_sentences_of_facts(report: Report) -> None:
    told = story_of(report)
    assert 3 <= len(told.sentences) <= 5 and told.author == "rules"
    assert (
        '"bought" is a classification with 2 classes ("no" 30, "yes" 10), the largest 3.0 × the smallest' in told.text
    )
    assert "40 rows and 4 columns" in told.text and not unfounded(told.text, report)


@pytest.mark.feature("C32")
@pytest.mark.parametrize("claim", ["It has 41 rows.", "25.3 % are missing.", "The mean is 4e9.", "Loss: -7.5"])
def test_a_number_that_no_fact_bears_out_is_found(report: Report, claim: str) -> None:
    assert unfounded(claim, report)


class ScriptedAdvisor:
    def __init__(self, words: str) -> None:
        self.words = words

    def choose(self, facts: dict[str, Any], offered: object) -> str | None:
        return None

    def summarise(self, facts: dict[str, Any]) -> str:
        return self.words


@pytest.mark.feature("C32")
def test_a_models_words_are_taken_only_when_every_number_is_a_fact(report: Report) -> None:
    true = "The table has 40 rows. Buyers are 10 of them. Nothing was flagged as a leak."
    assert story_of(report, ScriptedAdvisor(true)).author == "model"
    assert story_of(report, ScriptedAdvisor(true.replace("40", "4,000"))).author == "rules"
    assert story_of(report, ScriptedAdvisor("Too short.")).author == "rules"


@pytest.mark.feature("C32")
def test_a_summary_of_a_target_in_doubt_has_low_confidence() -> None:
    frame = pd.DataFrame({"y": list(range(15)) * 4, "x": range(60)})
    assert story_of(report_from(explorer_of(frame, target="y"))).text.endswith("(confidence: low)")


def test_the_page_escapes_every_name_and_value() -> None:
    evil = '<img src=x onerror="alert(1)">'
    frame = pd.DataFrame({evil: [evil, "b"] * 20, "y": [evil, "no"] * 20})
    page = report_from(explorer_of(frame, target="y"), evil).to_html()
    assert "<img src=x" not in page and "&lt;img src=x" in page
    assert "<script" not in page and "default-src 'none'" in page


def test_the_page_asks_nothing_from_elsewhere(report: Report) -> None:
    page = report.to_html()
    assert "http://" not in page and "https://" not in page and "@import" not in page


@pytest.mark.feature("C10", "C18")
def test_pictures_are_named_in_the_report_by_safe_paths(report: Report) -> None:
    names = (("histogram", "../../etc/passwd"), ("bars", "etc passwd"), ("missing", "missing_heatmap"), ("bars", "…"))
    charts = [chart_of(Bars(labels=("a",), values=(1,)), kind=kind, name=name) for kind, name in names]
    shown = report.with_pictures([Picture.of(chart) for chart in charts]).document.visuals
    folder = f"artifacts/{report.run_id}"
    assert shown.histograms == (f"{folder}/etc_passwd.svg", f"{folder}/etc_passwd_2.svg", f"{folder}/picture.svg")
    assert shown.missing_heatmap == f"{folder}/missing_heatmap.svg"


@pytest.mark.feature("C20", "C21")
def test_a_probe_changes_the_notes_and_the_proposals(report: Report) -> None:
    entry = {"column": "age", "verdict": "leak", "measure": "ROC AUC", "score": 0.99}
    probe = ProbeResult(probe="leakage_check", subject=("age",), verdict="v", summary="s.", facts={"columns": [entry]})
    updated = report.with_probe(probe)
    assert updated.document.noted()[-1] == "leakage_check: v. s."
    again = updated.with_probe(probe)
    assert len(again.probes) == 1 and again.document.notes == updated.document.notes, "a repeated probe stands once"
    assert [step for step in again.details.columns["age"].steps if "checked:" in step] == [
        "checked: leak (ROC AUC 0.990)"
    ]
    jsonschema.validate(updated.to_dict(), SCHEMA)


def test_two_reports_are_compared_without_their_tables(report: Report) -> None:
    assert report.compare(report).verdict == "no drift"
    later = pd.DataFrame({"age": [*range(60, 80)] * 2, "city": ["Lima"] * 40, "bought": ["yes", "no", "no", "no"] * 10})
    drift = report_from(explorer_of(later, target="bought")).compare(report)
    assert drift.verdict == "large drift" and "day" in drift.facts["vanished_columns"]
    age = next(entry for entry in drift.facts["columns"] if entry["column"] == "age")
    assert age["direction"] == "up"


@pytest.mark.parametrize(
    ("value", "said"),
    [(None, "–"), (1234567, "1,234,567"), (0.123456, "0.1235"), (3.0, "3"), (123456.789, "123,456.8")],
)
def test_numbers_for_people(value: object, said: str) -> None:
    assert number(value) == said

"""Every part of a report that can be clicked chooses as many rows as it says."""

import json
import re
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pandas_magic.errors import UsageMistake
from pandas_magic.explore.column_sections import columns
from pandas_magic.explore.confined import pictures
from pandas_magic.explore.drawing.figure import Figure
from pandas_magic.explore.page import fragment
from pandas_magic.explore.picture import Picture
from pandas_magic.explore.picture_sections import live_pictures
from pandas_magic.explore.relation_sections import missing
from pandas_magic.explore.report import Report
from pandas_magic.explore.row_selection import rows_where
from pandas_magic.explore.study import Study
from pandas_magic.workspace import Workspace
from tests.pandas_magic.explore.conftest import explorer_of, report_from

_PART = re.compile(r'data-pm-where="([^"]*)" aria-label="([^"]*)"')
_COUNT = re.compile(r"\(([\d,]+) rows?\)$")


def _drawn(frame: pd.DataFrame, target: str | None = None) -> Report:
    explorer = explorer_of(frame, target=target)
    drawn = pictures.draw(explorer, {"plot_limit": 40})["pictures"]
    made = [Picture.of(Figure.model_validate(json.loads(json.dumps(each, default=float)))) for each in drawn]
    return report_from(explorer).with_pictures(made)


def _odd(rows: int = 400) -> pd.DataFrame:
    """Columns that the report reads otherwise than pandas shows them."""
    random = np.random.default_rng(5)
    at = np.arange(rows)
    return pd.DataFrame(
        {
            "size": [f" {n % 9}.5" for n in at],
            "when": [f"2024-0{1 + n % 9}-11" for n in at],
            "ratio": np.where(at % 50 == 0, np.inf, random.normal(size=rows)),
            "paid": pd.array(np.where(at % 7 == 0, None, at % 2 == 0), dtype="boolean"),
            "grade": pd.Categorical(random.choice(["a", "b "], rows)),
            'na"me <b>': np.where(at % 4 == 0, "?", random.choice(["Rome ", "Rome", "Oslo"], rows)),
            "few": random.integers(0, 5, rows),
            "code": [f"c{n % 120}" for n in at],
        }
    )


@pytest.mark.feature("C18")
@pytest.mark.parametrize("target", ["bought", "age", None, "odd"])
def test_each_part_of_a_report_chooses_as_many_rows_as_it_says(people: pd.DataFrame, target: str | None) -> None:
    frame, of = (_odd(), None) if target == "odd" else (people, target)
    report = _drawn(frame, of)
    content = columns(report) + live_pictures(report) + missing(report)
    parts = [(unescape(where), unescape(said)) for where, said in _PART.findall(content)]
    assert {json.loads(where)[0] for where, _ in parts} >= {"bin", "bar", "value", "missing", "only"}
    for where, said in parts:
        mask = rows_where(frame, report, where)
        assert len(mask) == len(frame)
        if told := _COUNT.search(said):
            assert int(mask.sum()) == int(told[1].replace(",", "")), said
    assert "<b>" not in "".join(said for _, said in _PART.findall(content)), "a name stays text"


def test_a_cell_of_the_correlations_chooses_the_rows_that_it_is_about(people: pd.DataFrame) -> None:
    report = _drawn(people)
    both = rows_where(people, report, '["both", "age", "income"]')
    assert both.tolist() == people["income"].notna().tolist()
    only = rows_where(people, report, '["only", "notes"]')
    gaps = people["income"].isna() | (people["city"] == "?")
    assert only.tolist() == (people["notes"].isna() & ~gaps).tolist()


@pytest.mark.parametrize("said", ["", "[]", '["bin", "age", 999]', '["value", "city", "Paris"]', '["missing", "x"]'])
def test_what_names_no_part_of_the_report_is_said_to(people: pd.DataFrame, said: str) -> None:
    with pytest.raises(UsageMistake, match="the report has no rows for"):
        rows_where(people, _drawn(people), said)


def test_a_column_opens_to_labelled_statistics_without_a_script(people: pd.DataFrame) -> None:
    kept = fragment(_drawn(people, "bought"))
    assert kept.count('<details class="pm-column"') == people.shape[1] and "<script" not in kept
    inside = kept[kept.index('data-pm-keep="income"') :].split("</details>")[0]
    for label, value in (("Missing", "40 of 400 (10.00 %)"), ("Median", f"{people['income'].median():,.1f}")):
        assert f"<dt>{label}</dt><dd>{value}</dd>" in inside
    assert "Lower quartile" in inside and "Largest" in inside and "Rome" in kept
    assert 'role="button"' not in kept, "what is kept claims nothing to be clicked"


def test_a_report_chooses_no_rows_of_another_table(people: pd.DataFrame, tmp_path: Path) -> None:
    with closing(Workspace.open(tmp_path, namespace={"people": people, "others": people.head(50)})) as workspace:
        study = Study(workspace)
        study.report = replace(_drawn(people), table="people")
        said = '["missing", "income"]'
        assert study.rows_where("people", people, said).sum() == people["income"].isna().sum()
        with pytest.raises(UsageMistake, match='the report is about "people"; explore "others"'):
            study.rows_where("others", people.head(50), said)


def test_columns_of_one_name_are_looked_at_and_chosen_though_no_check_reads_them(tmp_path: Path) -> None:
    twice = pd.DataFrame([[1, 2.5, "x"], [3, None, "y"]], columns=["k", "k", "t"])
    with closing(Workspace.open(tmp_path, namespace={"twice": twice})) as workspace:
        study = Study(workspace)
        assert study.columns("twice") == ["k", "k.2", "t"] and "2 rows, 3 columns" in study.preview("twice")
        study.report = replace(_drawn(twice), table="twice")
        assert study.rows_where("twice", twice, '["missing", "k.2"]').tolist() == [False, True]

"""Tables of our own making, explored here (without a sandbox) where only the facts matter."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_magic.explore.confined.entry import plain
from pandas_magic.explore.confined.explorer import Explorer
from pandas_magic.explore.delivery import confined_sources
from pandas_magic.explore.details import Details
from pandas_magic.explore.drawing.figure import Figure
from pandas_magic.explore.drawing.plot_marks import Mark, View
from pandas_magic.explore.report import Report
from pandas_magic.explore.report_document import ReportDocument

Explore = Callable[..., Explorer]

EXPLORER = "pandas_magic.explore.confined.explorer"
PLANTED = 'raise RuntimeError("planted")'


def _request(**said: Any) -> dict[str, Any]:
    return {"name": "t", "target": None, "max_columns_to_explore": 100, "missing_threshold_pct": 30, **said}


def explorer_of(frame: pd.DataFrame, **said: Any) -> Explorer:
    explorer = Explorer()
    explorer.open(_request(**said), frame)
    explorer.explore()
    return explorer


def report_from(explorer: Explorer, table: str = "t") -> Report:
    found = plain(explorer.obtained())
    meta = {"run_id": "20261121T080000-abcdef", "script_version": "1.0", "runtime_ms": 5}
    document = ReportDocument.model_validate(found["report"] | {"visuals": {}, "notes": "", "meta": meta})
    return Report(table, document, Details.model_validate(found["details"]))


def chart_of(mark: Mark, *, kind: str = "pair", name: str = "picture", title: str = "a title") -> Figure:
    said = {"kind": kind, "name": name, "title": title, "description": "what it shows", "views": [View(mark=mark)]}
    return Figure.model_validate(said)


@pytest.fixture
def explore() -> Explore:
    return explorer_of


@pytest.fixture
def people() -> pd.DataFrame:
    """400 people with gaps, an id, a leak, a constant, dates and a class to predict."""
    random = np.random.default_rng(7)
    age = random.integers(18, 80, 400)
    bought = np.where(age + random.normal(0, 12, 400) > 50, "yes", "no")
    income = age * 900 + random.normal(0, 5000, 400)
    return pd.DataFrame(
        {
            "customer_id": np.arange(1000, 1400),
            "age": age,
            "income": np.where(np.arange(400) % 10 == 3, np.nan, income),
            "city": np.where(np.arange(400) % 25 == 0, "?", random.choice(["Rome", "Oslo", "Lima"], 400)),
            "notes": np.where(np.arange(400) % 2 == 0, None, "a short note of some words"),
            "joined": pd.date_range("2024-01-01", periods=400, freq="D"),
            "outcome_code": np.where(bought == "yes", 1.0, 0.0),
            "country": "IT",
            "bought": bought,
        }
    )


def sources_with(planted: str, *, where: str = "    def explore(self) -> Facts:\n") -> dict[str, str]:
    """The explorer with a line planted into it, which sees `self`."""
    texts = confined_sources()
    assert where in texts[EXPLORER]
    head, rest = texts[EXPLORER].split(where, 1)
    docstring, body = rest.split('"""\n', 1)
    return texts | {EXPLORER: f'{head}{where}{docstring}"""\n        {planted}\n{body}'}

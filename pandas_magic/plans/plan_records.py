"""The words of a plan: what was asked, what was planned, what was tried, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from kernel_sandbox import Display
from pandas_magic.catalog.table_choice import TableChoice
from pandas_magic.record import Record

ChartKind = Literal["line", "bar", "scatter", "area", "histogram"]


class PlanSteps(Record):
    """A plan in words, before any code."""

    goal: str
    steps: tuple[str, ...]
    result_means: str = ""  # what one row of the result is
    next_steps: tuple[str, ...] = ()  # questions that could follow


class CodeVersion(Record):
    """One version of the code, and what spoke against it ("" for the one that was kept)."""

    stage: Literal["static", "review", "run"] = "static"
    code: str
    problem: str = ""
    diff: str = ""  # against the version before; "" for the first


class ResultChart(Record):
    """A picture of the result, said by its columns; drawn by us."""

    kind: ChartKind
    x: str
    y: str = ""  # "" only for a histogram
    color: str = ""  # the column that tells series apart; "": one series
    title: str = ""


@dataclass(frozen=True)
class PlanRequest:
    """What a person asks for, and how."""

    request: str
    tables: tuple[str, ...] = ()  # empty: they are chosen
    group: str = ""  # only tables whose names hold this text
    max_files: int | None = None  # None: as configured
    run: bool = True
    in_steps: bool = False
    fresh: bool = False  # ask again even where a recorded answer is there
    cell: str = ""  # the id of the notebook's cell; "": not known


@dataclass(frozen=True)
class Ran:
    """What came of running a plan's code, confined."""

    frame: pd.DataFrame | None = None  # the result, where it is a frame or a series
    value: Any = None  # the result, where it is a number, a text, a list or an object
    stdout: str = ""
    images: tuple[Display, ...] = ()
    figures: tuple[tuple[str, Mapping[str, Any]], ...] = ()  # of Plotly or Vega: the mimetype and the data
    chart: ResultChart | None = None
    findings: tuple[str, ...] = ()
    error: str = ""  # one line; "" when it ran to its end
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def has_result(self) -> bool:
        """Whether the code bound a result that could be fetched."""
        return self.frame is not None or self.value is not None


@dataclass(frozen=True)
class PlanResult:
    """Everything there is to show about one request."""

    request: str
    success: bool
    choices: tuple[TableChoice, ...]
    plan: PlanSteps | None = None  # None: it did not get that far
    code: str = ""
    attempts: tuple[CodeVersion, ...] = ()
    ran: Ran = field(default_factory=Ran)
    answer: str = ""  # Markdown
    unfounded: tuple[str, ...] = ()  # numbers of the answer that the result does not hold
    error: str = ""  # one line; "" on success
    plots: tuple[str, ...] = ()  # paths of pictures that were kept, relative to the workspace
    stage_seconds: tuple[tuple[str, float], ...] = ()
    cells: tuple[str, ...] = ()  # what is inserted below
    reads: str = ""  # what a model's code reads, in words; "": it failed, or is ours
    told: str = ""  # what the model was told about the data, in words
    calls: int = 0  # requests over the wire

    @property
    def result(self) -> Any:  # noqa: ANN401 - whatever the code bound
        """The frame or the value."""
        return self.ran.frame if self.ran.frame is not None else self.ran.value

    def as_plan(self) -> dict[str, Any]:
        """The plan as JSON: instructions, what is read, what comes out."""
        plan = self.plan or PlanSteps(goal=self.request, steps=())
        return {
            "goal": plan.goal,
            "instructions": list(plan.steps),
            "inputs": [{"table": choice.name, "reason": choice.reason} for choice in self.choices],
            "output": plan.result_means,
            "code": self.code,
        }

"""What a plot shows, one record per kind of mark: numbers and texts, each within bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pandas_magic.record import Record

MOST_LABELS = 100
MOST_POINTS = 2_000
_MOST_CELLS = 60

Number = Annotated[float, Field(ge=-1e300, le=1e300)]
Text = Annotated[str, Field(max_length=200)]
Labels = Annotated[tuple[Text, ...], Field(max_length=MOST_LABELS)]
Values = Annotated[tuple[Number, ...], Field(max_length=MOST_POINTS)]


class Series(Record):
    """One of several measures over the same places."""

    label: Text
    values: Values


class Bars(Record):
    """A bar to the right for each label, with a text behind it; `rest` says that the last one is all others."""

    mark: Literal["bars"] = "bars"
    labels: Labels
    values: Values
    texts: Labels = ()
    rest: bool = False


class Stairs(Record):
    """Counts or shares between edges; filled when there is one series. `at` is a value to point out, such as a mean."""

    mark: Literal["stairs"] = "stairs"
    edges: Values
    series: Annotated[tuple[Series, ...], Field(max_length=8)]
    logarithmic: bool = False
    times: bool = False  # edges are seconds since 1970
    at: Number | None = None
    at_label: Text = ""


class Heat(Record):
    """A square of coefficients from -1 to 1; None where there is none."""

    mark: Literal["heat"] = "heat"
    names: Labels
    values: Annotated[tuple[tuple[Number | None, ...], ...], Field(max_length=MOST_LABELS)]


class Gaps(Record):
    """Rows as texts of 0 and 1, a sign per column: 1 is missing."""

    mark: Literal["gaps"] = "gaps"
    names: Labels
    rows: Annotated[tuple[Annotated[str, Field(max_length=MOST_LABELS)], ...], Field(max_length=1000)]


class TimeLine(Record):
    """A line over time, `x` in seconds since 1970."""

    mark: Literal["line"] = "line"
    x: Values
    y: Values


class Stacks(Record):
    """Shares of a hundred per label, one series after the other; with `widths` each as thick as its part: a mosaic."""

    mark: Literal["stacks"] = "stacks"
    labels: Labels
    series: Annotated[tuple[Series, ...], Field(max_length=8)]
    widths: Values = ()


class Points(Record):
    """One point per row."""

    mark: Literal["points"] = "points"
    x: Values
    y: Values
    x_times: bool = False
    y_times: bool = False


class Density(Record):
    """How many rows lie in each cell: `counts` is a line of cells per interval of `x_edges`, the lowest y first."""

    mark: Literal["density"] = "density"
    x_edges: Annotated[Values, Field(min_length=2, max_length=_MOST_CELLS + 1)]
    y_edges: Annotated[Values, Field(min_length=2, max_length=_MOST_CELLS + 1)]
    counts: Annotated[tuple[tuple[int, ...], ...], Field(max_length=_MOST_CELLS)]
    x_times: bool = False
    y_times: bool = False


class Box(Record):
    """A group of numbers: quartiles, and the last values inside 1.5 interquartile ranges of them."""

    label: Text
    rows: int
    low: Number
    q1: Number
    median: Number
    q3: Number
    high: Number


class Boxes(Record):
    """Groups below each other."""

    mark: Literal["boxes"] = "boxes"
    boxes: Annotated[tuple[Box, ...], Field(max_length=30)]
    times: bool = False


Mark = Annotated[
    Bars | Stairs | Heat | Gaps | TimeLine | Stacks | Points | Density | Boxes,
    Field(discriminator="mark"),
]


class View(Record):
    """One plot: what is drawn, and what its axes measure."""

    mark: Mark
    title: Text = ""
    x: Text = ""
    y: Text = ""

"""The parts of a plot that rows stand behind: unseen shapes over them say which, for a page that can show rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pandas_magic.explore.drawing.plot_marks import Bars, Gaps, Heat, Mark, Stairs
from pandas_magic.explore.drawing.rectangle import Rectangle
from pandas_magic.explore.drawing.scales import Scale, range_text
from pandas_magic.explore.drawing.svg import Svg

if TYPE_CHECKING:
    from pandas_magic.explore.drawing.figure import Figure

_OF_ONE_COLUMN = ("histogram", "bars", "target")
Part = tuple[Rectangle, tuple[str | float, ...], str]  # where it is, as `row_selection.rows_where` reads it, in words


def mark_parts(svg: Svg, figure: Figure, mark: Mark, inner: Rectangle) -> None:
    """Say of each part of a plot which rows are its own; `inner` is the place between its axes."""
    for place, where, said in _parts(figure, mark, inner):
        svg.part((place.left, place.top), (place.width, place.height), where, said)


def _parts(figure: Figure, mark: Mark, inner: Rectangle) -> Iterator[Part]:
    columns = figure.columns
    one = columns[0] if len(columns) == 1 and figure.kind in _OF_ONE_COLUMN else None
    match mark:
        case Bars() if one is not None:
            yield from _bars(mark, inner, one)
        case Stairs(edges=edges) if one is not None and len(mark.series) == 1:
            x = Scale(edges[0], edges[-1], inner.left, inner.right)
            last = len(edges) - 2
            for at, count in enumerate(mark.series[0].values[: len(edges) - 1]):
                place = Rectangle(x(edges[at]), inner.top, x(edges[at + 1]) - x(edges[at]), inner.height)
                told = range_text(edges[at], edges[at + 1], times=mark.times)
                # Its own ends: of a file that is sketched the column's histogram has others.
                where = ("between", one, edges[at], edges[at + 1], at == last)
                yield place, where, f"{one} is {told} ({count:,.0f} rows)"
        case Heat() if len(columns) == len(mark.names) and figure.kind in ("correlations", "missing"):
            yield from _pairs(figure, mark, inner)
        case Gaps() if len(columns) == len(mark.names):
            across = inner.width / len(columns)
            for at, name in enumerate(columns):
                place = Rectangle(inner.left + at * across, inner.top, across, inner.height)
                yield place, ("missing", name), f"{name} is missing"


def _bars(mark: Bars, inner: Rectangle, name: str) -> Iterator[Part]:
    step = inner.height / max(len(mark.labels), 1)
    for at, (label, count) in enumerate(zip(mark.labels, mark.values, strict=False)):
        if not (mark.rest and at == len(mark.labels) - 1):
            place = Rectangle(inner.left, inner.top + at * step, inner.width, step)
            yield place, ("bar", name, at), f"{name} is {label} ({count:,.0f} rows)"


def _pairs(figure: Figure, mark: Heat, inner: Rectangle) -> Iterator[Part]:
    across, step = inner.width / len(mark.names), inner.height / len(mark.names)
    kind, told = ("both", "both there") if figure.kind == "correlations" else ("missing", "both missing")
    for row, values in enumerate(mark.values):
        for column, value in enumerate(values):
            if value is not None and row != column:
                place = Rectangle(inner.left + column * across, inner.top + row * step, across, step)
                one, other = figure.columns[row], figure.columns[column]
                yield place, (kind, one, other), f"{one} and {other} are {told} ({value:.2f})"

"""Figures as SVG, drawn outside the sandbox from numbers that were checked: no library, a few milliseconds each."""

from __future__ import annotations

from pandas_magic.explore.drawing.clickable import mark_parts
from pandas_magic.explore.drawing.figure import Figure
from pandas_magic.explore.drawing.plot_kinds import draw_view
from pandas_magic.explore.drawing.plot_marks import Bars, Boxes, Gaps, Heat, Stacks, View
from pandas_magic.explore.drawing.rectangle import Rectangle
from pandas_magic.explore.drawing.svg import Svg, fitting

_WIDTH, _WIDE = 620.0, 900.0
_HEIGHT = 330.0
_LINE = 24.0  # of a plot with a label on each


def draw(figure: Figure) -> str:
    """The figure as one SVG, labelled, on opaque white."""
    several = len(figure.views) > 1
    width = _WIDE if several else _WIDTH
    columns = 2 if several else 1
    lines = [figure.views[at : at + columns] for at in range(0, len(figure.views), columns)]
    heights = [max(_height_of(view) for view in line) for line in lines]
    above = 26.0 if several else 0.0
    svg = Svg(width, sum(heights) + above + 12)
    if several:
        svg.text((12, 18), fitting(figure.title, width - 24, 13), size=13)
    top = above + 4
    for line, height in zip(lines, heights, strict=True):
        part = width / len(line)
        for at, view in enumerate(line):
            inner = draw_view(svg, view, Rectangle(at * part + 12, top, part - 24, height - 8))
            mark_parts(svg, figure, view.mark, inner)
        top += height
    return svg.finish(figure.title, figure.description)


def _height_of(view: View) -> float:
    match view.mark:
        case Bars(labels=labels):
            return _lines_high(len(labels))
        case Stacks(labels=labels, widths=widths):
            return _lines_high(len(labels)) + 20 if not widths else _HEIGHT
        case Boxes(boxes=boxes):
            return _lines_high(len(boxes))
        case Heat(names=names):
            return max(_HEIGHT, 150 + 18.0 * len(names))
        case Gaps():
            return 380.0
    return _HEIGHT


def _lines_high(count: int) -> float:
    return max(150.0, min(600.0, 70 + _LINE * count))

"""One plot of each kind into its place on a picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pandas_magic.explore.drawing.plot_marks import (
    Bars,
    Boxes,
    Density,
    Gaps,
    Heat,
    Mark,
    Points,
    Stacks,
    Stairs,
    TimeLine,
    View,
)
from pandas_magic.explore.drawing.rectangle import Rectangle
from pandas_magic.explore.drawing.scales import Scale
from pandas_magic.explore.drawing.svg import (
    BLUE,
    DARK_ON_COLOUR,
    FAINT,
    GREY,
    INK,
    LIGHT_ON_COLOUR,
    ORANGE,
    SERIES,
    Svg,
    fitting,
    mixed,
    width_of,
)

_SMALL = 9.5  # pixels of labels
_TICK = 4.0
_LIGHT_BLUE, _DARK_BLUE = (222, 235, 247), (8, 48, 107)
_WHITE, _WARM, _COLD = (247, 247, 247), (179, 88, 6), (84, 39, 136)  # orange and purple: safe to tell apart
_KEY_STEPS = 20
_ANNOTATED = 12  # columns whose coefficients are written out
_LABELS_SHARE = 0.38  # of a plot's width that its labels may take
_HEADROOM = 1.12  # above the highest step, for the text of a mean
_TURNED_PIXELS = 100.0  # below a plot whose labels are turned


def draw_view(svg: Svg, view: View, place: Rectangle) -> Rectangle:
    """Draw the plot with its title and the names of its axes, and give the place between these."""
    if view.title:
        svg.text((place.left, place.top + 13), fitting(view.title, place.width, 12), size=12)
    inner = place.inside(top=22, bottom=18 if view.x else 4, left=16 if view.y else 2, right=10)
    inner = _draw_mark(svg, view.mark, inner)
    if view.x:
        at = (inner.left + inner.width / 2, place.bottom - 4)
        svg.text(at, fitting(view.x, place.width), anchor="middle")
    if view.y:
        at = (place.left + 10, inner.top + inner.height / 2)
        svg.text(at, fitting(view.y, place.height), anchor="middle", turned=-90)
    return inner


def _draw_mark(svg: Svg, mark: Mark, place: Rectangle) -> Rectangle:
    """Draw it, and give the place between its axes."""
    match mark:
        case Bars():
            return _bars(svg, mark, place)
        case Stairs():
            return _stairs(svg, mark, place)
        case TimeLine():
            return _line(svg, mark, place)
        case Stacks():
            return _stacks(svg, mark, place)
        case Points() | Density():
            return _cloud(svg, mark, place)
        case Boxes():
            return _boxes(svg, mark, place)
        case Heat():
            return _heat(svg, mark, place)
        case Gaps():
            return _gaps(svg, mark, place)


def _axes(svg: Svg, place: Rectangle, x: Scale, y: Scale) -> tuple[Rectangle, Scale, Scale]:
    """Two axes with their ticks; the place that is left, and the scales over it."""
    wide = max((width_of(text, _SMALL) for _, text in y.ticks()), default=0) + 8
    inner = place.inside(left=wide, bottom=18, right=12)
    x, y = replace(x, start=inner.left, stop=inner.right), replace(y, start=inner.bottom, stop=inner.top)
    for value, text in y.ticks():
        svg.line([(inner.left, y(value)), (inner.right, y(value))], FAINT, width=0.6)
        svg.text((inner.left - 5, y(value) + 3), text, size=_SMALL, anchor="end")
    _x_axis(svg, inner, x)
    svg.line([(inner.left, inner.top), (inner.left, inner.bottom)], INK)
    return inner, x, y


def _x_axis(svg: Svg, inner: Rectangle, x: Scale) -> None:
    longest = max((width_of(text, _SMALL) for _, text in x.ticks()), default=1)
    for value, text in x.ticks(max(2, min(6, int(inner.width / (longest + 14))))):
        svg.line([(x(value), inner.bottom), (x(value), inner.bottom + _TICK)], INK)
        svg.text((x(value), inner.bottom + 14), text, size=_SMALL, anchor="middle")
    svg.line([(inner.left, inner.bottom), (inner.right, inner.bottom)], INK)


def _labelled(svg: Svg, place: Rectangle, labels: Sequence[str], *, bottom: float) -> tuple[Rectangle, float]:
    """The place right of labels that stand below each other, and the height of one line."""
    wide = min(max((width_of(label, _SMALL) for label in labels), default=0) + 8, _LABELS_SHARE * place.width)
    inner = place.inside(left=wide, bottom=bottom)
    step = inner.height / max(len(labels), 1)
    for at, label in enumerate(labels):
        middle = (inner.left - 5, inner.top + (at + 0.5) * step + 3)
        svg.text(middle, fitting(label, wide, _SMALL), size=_SMALL, anchor="end")
    return inner, step


def _bars(svg: Svg, mark: Bars, place: Rectangle) -> Rectangle:
    inner, step = _labelled(svg, place, mark.labels, bottom=18)
    behind = max((width_of(text, _SMALL) for text in mark.texts), default=0) + 6
    inner = inner.inside(right=behind)
    x = Scale(0, max(mark.values, default=0) or 1, inner.left, inner.right)
    _x_axis(svg, inner, x)
    for at, value in enumerate(mark.values):
        color = GREY if mark.rest and at == len(mark.values) - 1 else BLUE
        svg.rect((inner.left, inner.top + (at + 0.1) * step), (x(value) - inner.left, 0.8 * step), color)
        if at < len(mark.texts):
            svg.text((x(value) + 4, inner.top + (at + 0.5) * step + 3), mark.texts[at], size=_SMALL)
    return inner


def _stairs(svg: Svg, mark: Stairs, place: Rectangle) -> Rectangle:
    if len(mark.edges) < 2:
        return place
    if len(mark.series) > 1:
        _legend(svg, place, [series.label for series in mark.series])
        place = place.inside(top=16)
    top = max((value for series in mark.series for value in series.values), default=0) or 1
    x = Scale(mark.edges[0], mark.edges[-1], 0, 0, times=mark.times)
    inner, x, y = _axes(svg, place, x, Scale(0, _HEADROOM * top, 0, 0, logarithmic=mark.logarithmic))
    for color, series in zip(SERIES, mark.series, strict=False):
        outline: list[tuple[float, float]] = [(x(mark.edges[0]), inner.bottom)]
        for left, right, value in zip(mark.edges, mark.edges[1:], series.values, strict=False):
            outline += [(x(left), y(value)), (x(right), y(value))]
        outline.append((outline[-1][0], inner.bottom))
        if len(mark.series) == 1:
            svg.area(outline, color)
        else:
            svg.line(outline, color, width=1.6)
    if mark.at is not None:
        svg.line([(x(mark.at), inner.top), (x(mark.at), inner.bottom)], ORANGE, width=1.6, dashed=True)
        right = x(mark.at) > inner.left + inner.width / 2
        at = (x(mark.at) + (-5 if right else 5), inner.top + 9)
        svg.text(at, mark.at_label, size=_SMALL, anchor="end" if right else "start", over=True)
    return inner


def _legend(svg: Svg, place: Rectangle, labels: Sequence[str]) -> None:
    at, room = place.left, place.width / max(len(labels), 1)
    for color, label in zip(SERIES, labels, strict=False):
        shown = fitting(label, room - 20, _SMALL)
        svg.rect((at, place.top), (9, 9), color)
        svg.text((at + 13, place.top + 8.5), shown, size=_SMALL)
        at += width_of(shown, _SMALL) + 26


def _heat(svg: Svg, mark: Heat, place: Rectangle) -> Rectangle:
    inner, step = _labelled(svg, place, mark.names, bottom=_turned_pixels(mark.names))
    inner = inner.inside(right=30)
    across = inner.width / max(len(mark.names), 1)
    for row, values in enumerate(mark.values):
        for column, value in enumerate(values):
            at = (inner.left + column * across, inner.top + row * step)
            svg.rect(at, (across + 0.3, step + 0.3), _signed(value))
            if value is not None and len(mark.names) <= _ANNOTATED:
                color = LIGHT_ON_COLOUR if abs(value) > 0.6 else DARK_ON_COLOUR
                middle = (at[0] + across / 2, at[1] + step / 2 + 3)
                svg.text(middle, f"{value:.2f}", size=8.5, anchor="middle", color=color)
    _turned(svg, inner, mark.names)
    _key(svg, Rectangle(inner.right + 8, inner.top, 8, inner.height))
    return inner


def _signed(value: float | None) -> str:
    """The colour of a coefficient: orange above 0, purple below, white where there is none."""
    return "#ffffff" if value is None else mixed(abs(value), _WHITE, _WARM if value > 0 else _COLD)


def _key(svg: Svg, place: Rectangle) -> None:
    step = place.height / _KEY_STEPS
    for part in range(_KEY_STEPS):
        at = (place.left, place.top + part * step)
        svg.rect(at, (place.width, step + 0.5), _signed(1 - 2 * part / (_KEY_STEPS - 1)))
    for text, y in (("1", place.top + 8), ("0", place.top + place.height / 2 + 3), ("−1", place.bottom)):
        svg.text((place.right + 3, y), text, size=_SMALL)


def _turned_pixels(names: Sequence[str]) -> float:
    """How high labels are that stand turned below a plot."""
    longest = max((width_of(name, _SMALL) for name in names), default=0)
    return min(_TURNED_PIXELS, 18 + 0.83 * longest)


def _turned(svg: Svg, inner: Rectangle, names: Sequence[str]) -> None:
    across = inner.width / max(len(names), 1)
    for at, name in enumerate(names):
        place = (inner.left + (at + 0.5) * across + 3, inner.bottom + 10)
        svg.text(place, fitting(name, _TURNED_PIXELS * 1.25, _SMALL), size=_SMALL, anchor="end", turned=-55)


def _gaps(svg: Svg, mark: Gaps, place: Rectangle) -> Rectangle:
    inner = place.inside(left=36, bottom=_turned_pixels(mark.names))
    svg.rect((inner.left, inner.top), (inner.width, inner.height), "#ffffff", edge=FAINT)
    across, step = inner.width / max(len(mark.names), 1), inner.height / max(len(mark.rows), 1)
    for column in range(len(mark.names)):
        signs = "".join(row[column : column + 1] for row in mark.rows)
        # One rectangle for a run of gaps, not one for each.
        for run in re.finditer("1+", signs):
            at = (inner.left + column * across, inner.top + run.start() * step)
            svg.rect(at, (across - 0.6, (run.end() - run.start()) * step), "#333333")
    _turned(svg, inner, mark.names)
    return inner


def _line(svg: Svg, mark: TimeLine, place: Rectangle) -> Rectangle:
    if not mark.x:
        return place
    x = Scale(min(mark.x), max(mark.x), 0, 0, times=True)
    inner, x, y = _axes(svg, place, x, Scale(0, max(mark.y, default=0) or 1, 0, 0))
    svg.line([(x(when), y(value)) for when, value in zip(mark.x, mark.y, strict=False)], BLUE, width=1.4)
    return inner


def _stacks(svg: Svg, mark: Stacks, place: Rectangle) -> Rectangle:
    _legend(svg, place, [series.label for series in mark.series])
    place = place.inside(top=16)
    widths = mark.widths if len(mark.widths) == len(mark.labels) else (1.0,) * len(mark.labels)
    inner, _ = _labelled(svg, place, (), bottom=18)
    longest = max((width_of(label, _SMALL) for label in mark.labels), default=0) + 8
    wide = min(longest, _LABELS_SHARE * place.width)
    inner, total, top = inner.inside(left=wide), sum(widths) or 1, inner.top
    x = Scale(0, 100, inner.left, inner.right)
    _x_axis(svg, inner, x)
    for at, label in enumerate(mark.labels):
        high, left = inner.height * widths[at] / total, inner.left
        for color, series in zip(SERIES, mark.series, strict=False):
            reach = x(series.values[at]) - inner.left if at < len(series.values) else 0
            svg.rect((left, top + 1), (reach, max(high - 2, 1)), color)
            left += reach
        svg.rect((left, top + 1), (inner.right - left, max(high - 2, 1)), FAINT)
        if high >= _SMALL + 1:
            svg.text((inner.left - 5, top + high / 2 + 3), fitting(label, wide, _SMALL), size=_SMALL, anchor="end")
        top += high
    return inner


def _cloud(svg: Svg, mark: Points | Density, place: Rectangle) -> Rectangle:
    xs, ys = (mark.x, mark.y) if isinstance(mark, Points) else (mark.x_edges, mark.y_edges)
    if not xs or not ys:
        return place
    x, y = Scale(min(xs), max(xs), 0, 0, times=mark.x_times), Scale(min(ys), max(ys), 0, 0, times=mark.y_times)
    inner, x, y = _axes(svg, place, x, y)
    if isinstance(mark, Points):
        svg.dots([(x(left), y(right)) for left, right in zip(mark.x, mark.y, strict=False)], BLUE)
        return inner
    top = max((count for line in mark.counts for count in line), default=0) or 1
    for left, right, line in zip(mark.x_edges, mark.x_edges[1:], mark.counts, strict=False):
        for low, high, count in zip(mark.y_edges, mark.y_edges[1:], line, strict=False):
            if count > 0:
                # By the root of the count: cells of few rows are seen beside those of many.
                color = mixed((count / top) ** 0.5, _LIGHT_BLUE, _DARK_BLUE)
                svg.rect((x(left), y(high)), (x(right) - x(left) + 0.3, y(low) - y(high) + 0.3), color)
    return inner


def _boxes(svg: Svg, mark: Boxes, place: Rectangle) -> Rectangle:
    if not mark.boxes:
        return place
    inner, step = _labelled(svg, place, [f"{box.label} ({box.rows:,})" for box in mark.boxes], bottom=18)
    inner = inner.inside(right=12)
    low, high = min(box.low for box in mark.boxes), max(box.high for box in mark.boxes)
    x = Scale(low, high, inner.left, inner.right, times=mark.times)
    _x_axis(svg, inner, x)
    for at, box in enumerate(mark.boxes):
        middle, half = inner.top + (at + 0.5) * step, min(0.34 * step, 12)
        svg.line([(x(box.low), middle), (x(box.high), middle)], INK)
        svg.rect((x(box.q1), middle - half), (max(x(box.q3) - x(box.q1), 1), 2 * half), SERIES[-1], edge=INK)
        svg.line([(x(box.median), middle - half), (x(box.median), middle + half)], INK, width=2.2)
    return inner

"""A drawn figure as PNG, for what shows no SVG: the few shapes of `svg` drawn again by Matplotlib."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

from pandas_magic.errors import UsageMistake

_DPI = 100.0
_POINTS = 72 / _DPI  # of a pixel
_SCALE = 2.0  # for screens with small pixels
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}
_NUMBER = r"-?\d+(?:\.\d+)?"


def png_of(svg: str) -> bytes:
    """The PNG of an SVG that `draw` made, twice as many pixels wide and high.

    Raises: UsageMistake when Matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageMistake("pictures as PNG need Matplotlib: pip install 'pandas-magic[plots]'") from error
    root = ElementTree.fromstring(svg)  # ours, with every text escaped
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    figure = Figure(figsize=(width / _DPI, height / _DPI), dpi=_DPI * _SCALE)
    axes: Any = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    for order, part in enumerate(root):
        _draw(axes, part, order)
    written = BytesIO()
    FigureCanvasAgg(figure).print_png(written)  # type: ignore[no-untyped-call] # Matplotlib carries few types
    return written.getvalue()


def _draw(axes: Any, part: ElementTree.Element, order: int) -> None:  # noqa: ANN401 - Matplotlib carries few types
    said = part.attrib
    match part.tag.rpartition("}")[2]:
        case "rect" if "x" in said:
            _rect(axes, said, order)
        case "polyline":
            dashes = {"dashes": (5, 4)} if "stroke-dasharray" in said else {}
            line = float(said["stroke-width"]) * _POINTS
            axes.plot(*_spots(said["points"]), color=said["stroke"], linewidth=line, zorder=order, **dashes)
        case "polygon":
            axes.fill(*_spots(said["points"]), color=said["fill"], linewidth=0, zorder=order)
        case "path":
            spots = {"marker": "o", "markersize": 4 * _POINTS, "markeredgewidth": 0, "linestyle": "none"}
            alpha = float(said["stroke-opacity"])
            axes.plot(*_spots(said["d"]), color=said["stroke"], alpha=alpha, zorder=order, **spots)
        case "text":
            _text(axes, part, order)


def _rect(axes: Any, said: dict[str, str], order: int) -> None:  # noqa: ANN401 - as above
    left, top, wide, high = (float(said[name]) for name in ("x", "y", "width", "height"))
    corners = [left, left + wide, left + wide, left], [top, top, top + high, top + high]
    axes.fill(*corners, facecolor=said["fill"], edgecolor=said.get("stroke", "none"), linewidth=_POINTS, zorder=order)


def _text(axes: Any, part: ElementTree.Element, order: int) -> None:  # noqa: ANN401 - as above
    from matplotlib.patheffects import withStroke

    said = part.attrib
    turned = re.match(rf"rotate\(({_NUMBER})", said.get("transform", ""))
    text = axes.text(
        float(said["x"]),
        float(said["y"]),
        part.text or "",
        fontsize=float(said["font-size"]) * _POINTS,
        horizontalalignment=_ANCHORS[said["text-anchor"]],
        verticalalignment="baseline",
        rotation=-float(turned[1]) if turned else 0,
        rotation_mode="anchor",
        color=said["fill"],
        zorder=order,
        parse_math=False,  # a column may be called "$a$"
    )
    if "stroke" in said:
        text.set_path_effects([withStroke(linewidth=3 * _POINTS, foreground=said["stroke"])])


def _spots(text: str) -> tuple[list[float], list[float]]:
    """Across and down, of `x,y x,y` and of `Mx yh0Mx yh0`."""
    pairs = re.findall(rf"({_NUMBER})[, ]({_NUMBER})", text)
    return [float(x) for x, _ in pairs], [float(y) for _, y in pairs]

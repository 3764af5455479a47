"""Figures of libraries as data or drawings, where the libraries would send scripts or pictures on a white ground."""

from __future__ import annotations

import io
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

# What JupyterLab draws; it takes figures of later versions under this name too.
_VEGA_LITE = "application/vnd.vegalite.v5+json"
_VERSIONS = ("v5", "v6")
_AS_SCRIPT_OR_DATA = ("default", "mimetype")
# Black and white as nobody writes them: what is drawn in them took the defaults, and may follow a page's theme.
INK, GROUND = "#000001", "#fffffe"
_BOX_PARTS = ("boxprops", "whiskerprops", "capprops", "flierprops")
_DEFAULTS = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys((f"boxplot.{part}.color" for part in _BOX_PARTS), INK),
    "boxplot.flierprops.markeredgecolor": INK,
    **dict.fromkeys(("figure.facecolor", "axes.facecolor"), GROUND),
}
# The file that Matplotlib reads when it is imported: whatever the code chooses comes later, and holds.
MATPLOTLIBRC = "".join(f"{name}: {colour[1:]}\n" for name, colour in _DEFAULTS.items())
_MOST_MARKS = 5_000  # each is a piece of text in a drawing, and takes some 10 microseconds
_COLOUR = re.compile(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})")
_DARK = 80  # of 255: darker lines are lost on a dark ground


def show_altair_as_data(shell: InteractiveShell) -> None:
    """Have charts of Altair, once somebody imports it, shown as Vega-Lite with their data in it.

    A renderer that the code chooses itself (`alt.renderers.enable("png")`) stays in force.
    """
    formatter = shell.display_formatter.mimebundle_formatter  # type: ignore[union-attr] # made with the shell
    for version in _VERSIONS:
        formatter.for_type_by_name(f"altair.vegalite.{version}.api", "TopLevelMixin", _altair_bundle)


def show_figures_as_drawings(shell: InteractiveShell) -> None:
    """Have figures of Matplotlib shown as SVG beside their PNG where their code chose no colours that a theme hides."""
    formatter = shell.display_formatter.mimebundle_formatter  # type: ignore[union-attr] # made with the shell
    formatter.for_type_by_name("matplotlib.figure", "Figure", _figure_bundle)


def _altair_bundle(chart: Any, include: object = None, exclude: object = None) -> Any:  # noqa: ANN401 - a bundle of mimetypes
    if sys.modules["altair"].renderers.active not in _AS_SCRIPT_OR_DATA:
        return chart._repr_mimebundle_(include, exclude)
    return {_VEGA_LITE: chart.to_dict(), "text/plain": repr(chart)}


def _figure_bundle(figure: Any, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ANN401 - Matplotlib's
    if not _is_plain(figure):
        return {}
    written = io.StringIO()
    figure.savefig(written, format="svg", bbox_inches="tight")
    colours = [[int(part, 16) for part in one] for one in set(_COLOUR.findall(written.getvalue().replace(INK, "")))]
    is_legible = all(max(colour) > _DARK for colour in colours)
    return {"image/svg+xml": written.getvalue()} if is_legible else {}


def _is_plain(figure: Any) -> bool:  # noqa: ANN401 - Matplotlib's
    """Whether grounds and texts have the default colours, no text may stand on coloured cells, and marks are few."""
    colours, text = sys.modules["matplotlib.colors"], sys.modules["matplotlib.text"]
    grounds = [part.get_facecolor() for part in (figure, *figure.axes)]
    inks = [one.get_color() for one in figure.findobj(text.Text) if one.get_text()]
    if {*map(colours.to_hex, grounds)} != {GROUND} or not {*map(colours.to_hex, inks)} <= {INK}:
        return False
    marks = 0
    for axes in figure.axes:
        if axes.images or any(hasattr(one, "get_coordinates") for one in axes.collections):
            return False
        marks += len(axes.patches) + len(axes.texts) + sum(len(line.get_xdata()) for line in axes.lines)
        marks += sum(len(one.get_offsets()) + len(one.get_paths()) for one in axes.collections)
    return marks <= _MOST_MARKS

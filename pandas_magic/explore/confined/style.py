"""The look of all pictures: sizes, colours, labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# Okabe and Ito (2008): told apart with every common kind of colour blindness.
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9"
GREY = "#999999"
SERIES = (BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY)

_MOST_CHARACTERS = 40
_CHARACTER_INCHES = 0.068  # of the font at 8 points, on average
_AXIS_INCHES = 0.42  # for the axis' own label and the ticks


@dataclass(frozen=True)
class Drawing:
    """A figure of Matplotlib with what is said of it."""

    kind: str
    name: str
    title: str
    description: str
    figure: Any


def drawing(
    kind: str, name: str, title: str, description: str, *, rows: int = 8, wide: bool = False, labels: int | None = None
) -> Drawing:
    """An empty figure, high enough for so many rows of labels. No pyplot: it keeps every figure alive.

    `labels` is the length of the longest label on the left of its one plot; without it the layout is found by drawing
    everything twice, which takes as long again.
    """
    from matplotlib.figure import Figure

    width, height = 9.0 if wide else 6.4, max(3.2, min(9.0, 0.9 + 0.3 * rows))
    figure = Figure(figsize=(width, height), layout="tight" if labels is None else None)
    if labels is not None:
        left = (_AXIS_INCHES + _CHARACTER_INCHES * min(labels, _MOST_CHARACTERS)) / width
        figure.subplots_adjust(left=left, right=0.97, bottom=0.55 / height, top=1 - 0.4 / height)
    return Drawing(kind, name, title, description, figure)


def short(text: str, most: int = _MOST_CHARACTERS) -> str:
    """The text on one line, cut, and never taken for a formula."""
    line = "".join(character if character.isprintable() else " " for character in text)
    cut = line if len(line) <= most else line[: most - 1] + "…"
    return cut.replace("$", r"\$")


def label(axes: Any, title: str, x: str, y: str) -> None:  # noqa: ANN401 - matplotlib
    """Title and axes; a frame on two sides only."""
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x, fontsize=9)
    axes.set_ylabel(y, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)

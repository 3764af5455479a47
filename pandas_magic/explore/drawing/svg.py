"""An SVG being written: shapes and texts, every text escaped. No script, no link, nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

# Okabe and Ito (2008): told apart with every common kind of colour blindness.
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9"
GREY = "#999999"
SERIES = (BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY)
Spot = tuple[float, float]  # pixels from the left and from the top
INK, FAINT, PAPER = "#222222", "#D0D0D0", "#ffffff"
DARK_ON_COLOUR, LIGHT_ON_COLOUR = "#212121", "#fefefe"  # stay as they are where a page is dark
# Where the system, or the page that shows it as an image, is dark.
DARK = (
    "<style>@media (prefers-color-scheme: dark) { "
    '[fill="#222222"], [fill="#333333"] { fill: #e0e0e0; } [stroke="#222222"] { stroke: #e0e0e0; } '
    '[fill="#ffffff"] { fill: #111111; } [stroke="#ffffff"] { stroke: #111111; } '
    '[fill="#D0D0D0"] { fill: #444444; } [stroke="#D0D0D0"] { stroke: #444444; } }</style>'
)

FONT_PIXELS = 11.0
_CHARACTER_SHARE = 0.56  # of the font's size: the mean width of a character


def width_of(text: str, size: float = FONT_PIXELS) -> float:
    """About how many pixels wide a text is."""
    return len(text) * size * _CHARACTER_SHARE


def fitting(text: str, pixels: float, size: float = FONT_PIXELS) -> str:
    """The text on one line, cut to about so many pixels."""
    line = "".join(character if character.isprintable() else " " for character in text)
    most = max(2, int(pixels / (size * _CHARACTER_SHARE)))
    return line if len(line) <= most else line[: most - 1] + "…"


def mixed(share: float, low: tuple[int, int, int], high: tuple[int, int, int]) -> str:
    """The colour that lies that far (0 to 1) between two."""
    parts = (round(a + (b - a) * min(1.0, max(0.0, share))) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


class Svg:
    """Shapes in the order in which they are drawn, on opaque white."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._parts: list[str] = []

    def text(
        self,
        at: tuple[float, float],
        content: str,
        *,
        size: float = FONT_PIXELS,
        anchor: str = "start",
        color: str = INK,
        turned: float = 0,
        over: bool = False,
    ) -> None:
        """A line of text; `at` is its baseline, `turned` in degrees about it. `over` shapes it has a white edge."""
        x, y = at
        edge = ' stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke"' if over else ""
        turn = f' transform="rotate({turned:g} {x:.1f} {y:.1f})"' if turned else ""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" fill="{color}"'
            f"{edge}{turn}>"
            f"{escape(content)}</text>"
        )

    def rect(self, at: tuple[float, float], size: tuple[float, float], color: str, *, edge: str = "") -> None:
        """A filled rectangle, from its upper left corner."""
        stroke = f' stroke="{edge}"' if edge else ""
        self._parts.append(
            f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{max(size[0], 0):.2f}" height="{max(size[1], 0):.2f}" '
            f'fill="{color}"{stroke}/>'
        )

    def part(self, at: Spot, size: Spot, where: Sequence[str | float], said: str) -> None:
        """An unseen shape over what rows stand behind: `where` says to a page which rows, `said` to people."""
        rows = escape(json.dumps(where, ensure_ascii=False))
        self._parts.append(
            f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{max(size[0], 0):.2f}" height="{max(size[1], 0):.2f}" '
            f'fill="none" pointer-events="all" data-pm-where="{rows}" aria-label="{escape(said)}"/>'
        )

    def line(self, points: Sequence[Spot], color: str, *, width: float = 1, dashed: bool = False) -> None:
        """A line through points."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self._parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width:g}"{dash}/>')

    def area(self, points: Sequence[Spot], color: str) -> None:
        """A filled outline."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(f'<polygon points="{path}" fill="{color}"/>')

    def dots(self, points: Sequence[Spot], color: str) -> None:
        """Small half-transparent discs."""
        # One path of dots of no length with round ends: a tenth of the text of a circle each.
        path = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in points)
        self._parts.append(
            f'<path d="{path}" stroke="{color}" stroke-width="4" stroke-linecap="round" stroke-opacity="0.45"/>'
        )

    def finish(self, title: str, description: str) -> str:
        """The whole picture."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" font-family="system-ui, DejaVu Sans, sans-serif">'
            f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{DARK}"
            f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(self._parts)}</svg>'
        )

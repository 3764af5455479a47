"""A picture of a report, drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Self

from pandas_magic.explore.drawing import draw
from pandas_magic.explore.drawing.figure import Figure


@dataclass(frozen=True)
class Picture:
    """One picture as SVG, with a title and a description for those who do not see it."""

    kind: str
    name: str  # of its file, without a suffix
    title: str
    description: str
    svg: str = field(repr=False)
    columns: tuple[str, ...] = ()  # that it is about

    @classmethod
    def of(cls, figure: Figure) -> Self:
        """The figure drawn. What names it comes from a confined process, and is made the name of a file."""
        name = re.sub(r"[^A-Za-z0-9]+", "_", figure.name).strip("_")[:60] or "picture"
        return cls(figure.kind, name, figure.title, figure.description, draw(figure), figure.columns)

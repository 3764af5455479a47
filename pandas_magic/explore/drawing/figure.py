"""A picture as numbers and texts: said by the confined process, checked here, drawn by `drawing`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pandas_magic.explore.drawing.plot_marks import MOST_LABELS, View
from pandas_magic.record import Record


class Figure(Record):
    """A picture: one plot, or up to four side by side. `description` is for those who do not see it."""

    kind: Literal["histogram", "bars", "missing", "correlations", "target", "time", "pair"]
    name: str
    title: Annotated[str, Field(max_length=300)]
    description: Annotated[str, Field(max_length=1000)]
    views: Annotated[tuple[View, ...], Field(min_length=1, max_length=4)]
    columns: Annotated[tuple[str, ...], Field(max_length=MOST_LABELS)] = ()  # that it is about

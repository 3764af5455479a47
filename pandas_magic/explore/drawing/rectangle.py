"""A part of a picture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rectangle:
    """A rectangle of the picture, in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    def inside(self, *, left: float = 0, top: float = 0, right: float = 0, bottom: float = 0) -> Rectangle:
        """What margins leave of it."""
        width, height = max(self.width - left - right, 10), max(self.height - top - bottom, 10)
        return Rectangle(self.left + left, self.top + top, width, height)

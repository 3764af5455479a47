"""Grids of parameters of which an ordinary run takes a part that has every value."""

from collections.abc import Iterable

import pytest


def grid(rows: Iterable[object], columns: Iterable[object]) -> list[object]:
    """Every pair as parameters of a test; all but one column of each row, the columns taking turns, are thorough."""
    turns = list(columns)
    return [
        pytest.param(row, column, marks=() if place == number % len(turns) else pytest.mark.thorough)
        for number, row in enumerate(rows)
        for place, column in enumerate(turns)
    ]

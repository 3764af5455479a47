"""Parameters and examples of which an ordinary run takes a part, and a thorough one all."""

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


def also_thorough(*values: object) -> list[object]:
    """Parameters that only a thorough run takes."""
    return [pytest.param(value, marks=pytest.mark.thorough) for value in values]


class Examples:
    """How many examples of a property are tried. Told by the options of the run, before any test is imported."""

    are_all_wanted = False

    @classmethod
    def of(cls, most: int) -> int:
        """So many in a thorough run, and a third of them in any other."""
        return most if cls.are_all_wanted else -(-most // 3)

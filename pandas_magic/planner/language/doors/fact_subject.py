"""The column of which a line of a data dictionary states facts."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant


@dataclass(frozen=True)
class Subject:
    """The column of which a line states facts, in its tables."""

    names: Names
    column: str
    is_listed: bool = True  # behind a colon or the like, not behind "must be" in a sentence

    @property
    def of(self) -> Column:
        """The column as an expression."""
        return Column(name=self.column)

    @property
    def kind(self) -> str | None:
        """What kind of values it holds."""
        return self.names.kind(self.of)

    def needs(self, *kinds: str) -> Column:
        """The column. Raises: NotMeant when it holds other kinds of values."""
        if self.kind not in kinds:
            raise NotMeant(f"{self.column} holds {self.kind}")
        return self.of


Match = re.Match[str]
Maker = Callable[[Match, Subject], Iterable[Condition]]

"""The column of which a line of a data dictionary states facts."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pandas_magic.constraints.algebra.conditions import Condition
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.terms import NotMeant


@dataclass(frozen=True)
class FactSubject:
    """The column of which a line states facts, in its tables."""

    names: Names
    column: str
    is_listed: bool = True  # behind a colon or the like, not behind "must be" in a sentence
    divider: str = ""  # the pattern of what divides the cells of a row, each of which says something of its own
    is_formed: bool = False  # other facts of the line say what its texts look like
    is_scoped: bool = False  # of some rows only: "… when status is open"
    scopes: tuple[Condition, ...] = ()  # the rows of which the facts before were said, for "4 when AT" and "else"

    @property
    def in_cells(self) -> bool:
        """Whether its facts stand in cells."""
        return bool(self.divider)

    @property
    def of(self) -> Column:
        """The column as an expression."""
        return Column(name=self.column)

    @property
    def kind(self) -> str | None:
        """What kind of values it holds."""
        return self.names.kind(self.of)

    @property
    def is_read(self) -> bool:
        """Whether it holds texts that the tables give as the dates or numbers that they are."""
        return self.kind != "text" and self.column in self.names.tables[self.names.target].read_as

    def needs(self, *kinds: str) -> Column:
        """The column. Raises: NotMeant when it holds other kinds of values."""
        if self.kind not in kinds:
            raise NotMeant(f"{self.column} holds {self.kind}")
        return self.of


Match = re.Match[str]
Maker = Callable[[Match, FactSubject], Iterable[Condition]]

"""A table as the planner sees it: names, types and a few facts, never its rows."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from pydantic import Field

from pandas_magic.catalog.glossary import NO_GLOSSARY, Glossary
from pandas_magic.catalog.text.content import ContentKind
from pandas_magic.errors import NoSuchName
from pandas_magic.record import Record

# What is told as the dtype of a column without any value: it fits every rule until it holds something.
EMPTY = "empty"
# As what a column of times of the day is told where it is taken for the lengths of time since midnight.
TIME_OF_DAY = "timedelta64[us] of a day"
ValueKind = Literal["integer", "number", "text", "boolean", "datetime", "duration", "mixed"]


class Table(Record):
    """A table's schema, with what is cheaply known of its values.

    `columns` maps each column, in the table's order, to its pandas dtype as text ("int64", "str", "datetime64[us,
    UTC]"). `values` holds, for columns of texts with few different ones, the texts that occur; `keys` the columns
    whose values are all present and all different; `missing` how many values are missing, for columns in which some
    are; `read_as` what texts are by their content, where nearly all of those looked at are dates in ISO 8601, numbers
    or times of the day, and objects that are such times; `moments` the columns of dates of which some of those looked
    at have a time of day; `notes` says in words how the table was read and what may surprise about it.
    """

    name: str
    columns: dict[str, str]
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    keys: tuple[str, ...] = ()
    missing: dict[str, int] = Field(default_factory=dict)
    read_as: dict[str, ContentKind] = Field(default_factory=dict)
    moments: tuple[str, ...] = ()
    row_count: int | None = None  # None: not known without reading the table
    notes: tuple[str, ...] = ()
    origin: str = ""  # the file or the address, without credentials; "": a DataFrame of the notebook
    file_bytes: int | None = None  # None: it is in no file
    group: str = ""  # the sub-folder of the tables' folder that it lies in; "": in none
    glossary: Glossary = Field(default=NO_GLOSSARY, exclude=True)  # what people call it and its columns

    def kind(self, column: str) -> ValueKind:
        """What kind of values the column holds.

        Raises: NoSuchName when the table has no such column.
        """
        if column not in self.columns:
            raise NoSuchName("column", column, self.columns, within=f'table "{self.name}"')
        return kind_of(self.columns[column])

    @property
    def called(self) -> dict[str, str]:
        """Its columns by what the glossary calls them."""
        own = {
            written: column
            for column in self.columns
            for name in (column, f"{self.name}.{column}")
            for written in (name.lower(), name)
        }
        return {term: own[written] for term, written in self.glossary.columns.items() if written in own}


def glossary_of(tables: Mapping[str, Table]) -> Glossary:
    """The glossary that the tables come with."""
    return next((table.glossary for table in tables.values() if table.glossary), NO_GLOSSARY)


# First match wins. Names are those of numpy, pandas extension and Arrow-backed dtypes.
_KINDS: tuple[tuple[str, ValueKind], ...] = (
    (r"u?int\d+", "integer"),
    (r"float\d*|double|halffloat|decimal\d*", "number"),
    (r"bool(ean)?", "boolean"),
    (r"datetime64|timestamp|date\d*", "datetime"),
    (r"timedelta64|duration", "duration"),
    (r"str|string|large_string|category", "text"),
)


@lru_cache(maxsize=1024)
def kind_of(dtype: str) -> ValueKind:
    """What kind of values a pandas dtype, given as text, holds: "Int64" is "integer", "object" is "mixed"."""
    for pattern, kind in _KINDS:
        if re.match(rf"({pattern})(\b|\[|\()", dtype, re.IGNORECASE):
            return kind
    return "mixed"

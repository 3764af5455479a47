"""Large tables in parts, for rules that look at one row at a time or at rows that share a key.

A rule of the first kind runs on any rows of its table. One of the second kind runs on parts that keep rows with the
same key together, so that memory holds one part. The same code runs on each part that would run on the whole.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.sources.sql import SqlTable
from pandas_magic.checking.keyed_parts import BATCH_ROWS, Keys, Part, Undivided, described, key_parts
from pandas_magic.checking.meetings import KEYED, meeting
from pandas_magic.constraints import Constraint, RowRule, scale
from pandas_magic.constraints.algebra.tree import local_nodes, nodes
from pandas_magic.errors import TableUnreadable

# Bytes that one value takes in a frame, by kind; texts are guessed.
_VALUE_BYTES = {"text": 60, "mixed": 60, "boolean": 1}
_NUMBER_BYTES = 8
IN_PARTS = "looked at in parts"
# Code makes masks and copies beside its tables, so that these, or parts of them, may take only a share of the memory.
LARGE_SHARE, PART_SHARE = 2, 8
# Hashing 60 million integers took three times the memory that they take themselves.
_KEYED_SHARE = 6


def estimated_bytes(table: Table, columns: Sequence[str]) -> int | None:
    """About how much memory the columns take as a frame; None when the number of rows is not known."""
    if table.row_count is None:
        return None
    return table.row_count * sum(_VALUE_BYTES.get(table.kind(column), _NUMBER_BYTES) for column in columns)


def said_before_reading(
    tables: Mapping[str, Table], reads: Mapping[str, Sequence[str] | None], *, over_bytes: int
) -> str:
    """How much memory the columns that are read will take, where that is more than `over_bytes`; "" where it is not.

    None stands for every column. A table whose rows nobody counted is taken to be as large as its file.
    """
    sizes = {name: _estimate(tables[name], columns) for name, columns in reads.items() if name in tables}
    need = sum(sizes.values())
    if need <= over_bytes:
        return ""
    named = ", ".join(name for name, size in sorted(sizes.items(), key=lambda each: -each[1]) if size)
    return f"large: about {need / 1000**3:,.1f} GB of {named} are read (the setting warn_bytes)"


def _estimate(table: Table, columns: Sequence[str] | None) -> int:
    return estimated_bytes(table, list(table.columns) if columns is None else columns) or table.file_bytes or 0


def can_be_parted(constraint: Constraint | None, schemas: Mapping[str, Table]) -> bool:
    """Whether the rule's table can be looked at in parts without changing what is found."""
    return constraint is not None and (is_row_local(constraint) or _keys(constraint, schemas) is not None)


def is_row_local(constraint: Constraint | None) -> bool:
    """Whether the rule looks at one row at a time, so that any rows of its table can be looked at by themselves."""
    return isinstance(constraint, RowRule) and constraint.tolerance is None and scale(constraint) == "row"


def said_of_memory(
    constraint: Constraint | None,
    tables: Mapping[str, Table],
    reads: Mapping[str, Sequence[str]],
    *,
    memory_bytes: int,
) -> str:
    """Why a check that reads these columns cannot run within so much memory, in one line; "" when it can.

    It can in parts, or where its columns are estimated to fit. DataFrames are in memory already, and do not count.
    """
    sizes = {name: estimated_bytes(tables[name], columns) or 0 for name, columns in reads.items()}
    read = {name: size for name, size in sizes.items() if tables[name].origin}
    if sum(read.values()) <= memory_bytes or can_be_parted(constraint, tables):
        return ""
    largest = max(read, key=lambda name: read[name])
    need, allowed = sum(read.values()) / 1000**3, memory_bytes / 1000**3
    return (
        f"its rule needs {largest} whole, about {need:,.1f} GB of columns, and the setting memory_bytes allows "
        f"{allowed:,.1f} GB; raise it, or say the rule of single rows or of rows that share a key"
    )


def is_better_left_in_files(
    tables: Mapping[str, Table], reads: Mapping[str, Sequence[str]], *, memory_bytes: int
) -> bool:
    """Whether the columns that are read take so much memory, in two processes, that an engine should read the files."""
    return _need(tables, reads) > memory_bytes // _KEYED_SHARE


def _need(tables: Mapping[str, Table], reads: Mapping[str, Sequence[str]]) -> int:
    return sum(estimated_bytes(tables[name], columns) or 0 for name, columns in reads.items())


def said_of_size(
    constraint: Constraint | None,
    tables: Mapping[str, Table],
    reads: Mapping[str, Sequence[str]],
    *,
    memory_bytes: int,
) -> str:
    """What a reader should know of tables too large for the kernel's memory; "" when they are not.

    Raises: TableUnreadable when such a table is needed whole, and does not even fit by itself.
    """
    need, parted = _need(tables, reads), can_be_parted(constraint, tables)
    share = _KEYED_SHARE if parted and not is_row_local(constraint) else LARGE_SHARE
    if need <= memory_bytes // share:
        return ""
    if said := said_of_memory(constraint, tables, reads, memory_bytes=memory_bytes):
        raise TableUnreadable(said)
    return f"large: about {need / 1024**3:,.1f} GB of columns, {IN_PARTS if parted else 'which the rule needs at once'}"


def first_rows(catalog: Catalog, name: str, columns: Sequence[str], *, most_bytes: int) -> pd.DataFrame:
    """The table's columns; of one larger than `most_bytes` only the first million rows, with its dtypes.

    The same of a table of a database with so many rows that they were not counted.
    """
    table = catalog.schema(name)
    is_counted = table.row_count is not None or not isinstance(catalog.source(name), SqlTable)
    if is_counted and (estimated_bytes(table, columns) or 0) <= most_bytes:
        return catalog.frame(name, columns)
    return described(next(iter(catalog.batches(name, list(columns), rows=BATCH_ROWS))), table)


def part_count(catalog: Catalog, reads: Mapping[str, Sequence[str]], *, part_bytes: int) -> int:
    """In how many parts of about `part_bytes` the columns in `reads` are looked at."""
    return max(1, -(-_total_bytes(catalog, reads) // part_bytes))


def _total_bytes(catalog: Catalog, reads: Mapping[str, Sequence[str]]) -> int:
    return sum(estimated_bytes(catalog.schema(name), columns) or 0 for name, columns in reads.items())


def parts(
    constraint: Constraint, catalog: Catalog, reads: Mapping[str, Sequence[str]], *, part_bytes: int
) -> Iterator[Part]:
    """The tables in parts of about `part_bytes`; at least one part. Only the columns in `reads` are read.

    Raises: ValueError when the rule needs its tables whole; ask `can_be_parted` before.
    """
    schemas = {name: catalog.schema(name) for name in reads}
    count = part_count(catalog, reads, part_bytes=part_bytes)
    whole = Undivided(constraint.table, catalog, reads, schemas)
    if is_row_local(constraint):
        return _row_parts(whole, count)
    keys = _keys(constraint, schemas)
    if keys is None:
        raise ValueError(f"the rule on {constraint.table} needs its tables whole")
    return key_parts(whole, keys, count, need_bytes=_total_bytes(catalog, reads))


def _row_parts(whole: Undivided, count: int) -> Iterator[Part]:
    target, table = whole.target, whole.schemas[whole.target]
    rows = max(1, -(-(table.row_count or 0) // count))
    start = 0
    for batch in whole.catalog.batches(target, list(whole.reads[target]), rows=rows):
        frame = described(batch, table)
        yield Part({target: frame}, np.arange(start, start + len(frame), dtype=np.int64))
        start += len(frame)


def _keys(constraint: Constraint, schemas: Mapping[str, Table]) -> Keys | None:
    """By which columns of each table rows that meet in the rule can be kept together; None when there are none."""
    if not isinstance(constraint, RowRule) or constraint.tolerance is not None or scale(constraint) != "key":
        return None
    sides = [side for side in (constraint.where, constraint.must) if side is not None]
    keyed = [part for side in sides for part in local_nodes(side) if isinstance(part, KEYED)]
    if sum(isinstance(part, KEYED) for side in sides for part in nodes(side)) != len(keyed):
        return None  # something keyed inside another table, whose own keys would have to agree as well
    meetings = [meeting(part, constraint.table) for part in keyed]
    shared = [column for column in meetings[0][1] if all(column in here for _, here, _ in meetings)]
    found: Keys = {constraint.table: tuple(shared)}
    for table, here, there in meetings:
        mapped = tuple(there[here.index(column)] for column in shared)
        if found.setdefault(table, mapped) != mapped:
            return None
    is_plain = all(schemas[name].kind(column) not in ("mixed", "duration") for name in found for column in found[name])
    return found if shared and is_plain else None

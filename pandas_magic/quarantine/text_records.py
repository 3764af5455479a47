"""A delimited file cut into its rows as bytes, so that what is copied is what stood there, letter by letter."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pandas_magic.catalog.formats.delimited import DelimitedFile, open_delimited
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.errors import TableUnreadable
from pandas_magic.state import write_whole


@dataclass(frozen=True)
class TextRecords:
    """What stands before the first row (titles and header), and each row with its line break."""

    head: bytes
    rows: tuple[bytes, ...]

    def write(self, path: Path, positions: Iterable[int]) -> None:
        """Write the head and the rows at these positions."""
        chosen = [self.rows[position] for position in positions]
        # Only the last row of a file may stand without a line break, and it stays the last.
        write_whole(path, lambda beside: beside.write_bytes(self.head + b"".join(chosen)))


def cut(path: Path, options: ReadOptions, row_count: int) -> TextRecords:
    """The rows of the file as they are written there.

    Raises: TableUnreadable when it cannot be cut into `row_count` rows without a change, with the way out.
    """
    file = open_delimited(path, options)
    if file.content is not None or file.encoding.name.startswith("utf-16"):
        raise _uncuttable(path, "it has to be changed before it is parsed")
    lines = path.read_bytes().splitlines(keepends=True)
    skipped = file.dialect.skip_lines
    records = _records(lines[skipped:], file)
    header = 1 if file.dialect.has_header else 0
    if len(records) - header != row_count:
        raise _uncuttable(path, f"it has {len(records) - header:,} lines of rows where {row_count:,} rows were read")
    return TextRecords(b"".join([*lines[:skipped], *records[:header]]), tuple(records[header:]))


def _records(lines: list[bytes], file: DelimitedFile) -> list[bytes]:
    """Lines joined where a quoted value goes on over a line break; empty lines are no rows, as when they are read."""
    quote = file.dialect.quote.encode()
    records: list[bytes] = []
    pending = b""
    for line in lines:
        pending += line
        if pending.count(quote) % 2 == 0:
            if pending.strip(b"\r\n"):
                records.append(pending)
            pending = b""
    return [*records, pending] if pending else records


def _uncuttable(path: Path, reason: str) -> TableUnreadable:
    return TableUnreadable(f"{path.name} cannot be split line by line: {reason}; use --format parquet")

"""Delimited files larger than memory should hold twice: parsed block by block into the cache."""

import re
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from pandas_magic.catalog.arrow import as_frames_hold_it, refuse_duplicate_names
from pandas_magic.catalog.columnar import ColumnarCache
from pandas_magic.catalog.files import unreadable
from pandas_magic.catalog.formats import delimited
from pandas_magic.catalog.formats.codes import leading_zero_columns
from pandas_magic.catalog.reading import ReadOptions
from pandas_magic.errors import TableUnreadable
from pandas_magic.progress import pace, tell

# From here on a file is parsed block by block: whole, it would take about twice as many bytes of memory for a moment.
LARGE_BYTES = 2 * 1024**3
_BLOCK_BYTES = 64 * 1024**2
_MEGABYTE = 1024**2
# "In CSV column #1: CSV conversion error to int64: invalid value 'x'"
_MISFIT = re.compile(r"In CSV column #(\d+): .*conversion error to (\w+)")


def is_large(path: Path) -> bool:
    """Whether a delimited file is to be parsed block by block."""
    return path.suffix.lower() in (".csv", ".tsv") and path.stat().st_size > LARGE_BYTES


def keep(path: Path, options: ReadOptions, cache: ColumnarCache, key: str, identity: str) -> tuple[str, ...]:
    """Parse the file into the cache with little memory, and say how it was read.

    A column takes its type from the first block; when a later value does not fit, parsing starts again with the wider
    type: float64 for integers, else text.

    Raises: TableUnreadable.
    """
    file = delimited.open_delimited(path, options)
    types: dict[str, pa.DataType] = {name: pa.string() for name in (*options.as_text, *leading_zero_columns(file))}
    complete = False

    def write(sink: pa.OSFile) -> None:
        nonlocal complete
        complete = _write(file, types, sink)

    while not complete:
        try:
            cache.keep(key, identity, write)
        except pa.ArrowInvalid as error:
            raise TableUnreadable(f"{path.name} does not parse as CSV: {str(error).splitlines()[0]}") from error
        except OSError as error:
            raise unreadable(path, error) from error
    wide = [f'column "{name}" is read as {kind}, since not every value is narrower' for name, kind in types.items()]
    return (*file.dialect.notes, *wide)


def _write(file: delimited.DelimitedFile, types: dict[str, pa.DataType], sink: pa.OSFile) -> bool:
    """Write every block; False, with a wider type put into `types`, when a column needs one."""
    read, parse, convert = file.arrow_options((), ())
    read.block_size = _BLOCK_BYTES
    convert.column_types = types
    names: list[str] = []
    total, began = file.size(), time.monotonic()
    try:
        with pyarrow.csv.open_csv(str(file.path), read, parse, convert) as blocks:
            names = blocks.schema.names
            refuse_duplicate_names(names, file.path.name)
            with pa.ipc.new_file(sink, as_frames_hold_it(blocks.schema.empty_table()).schema) as writer:
                for number, block in enumerate(blocks, 1):
                    writer.write_table(as_frames_hold_it(pa.Table.from_batches([block])))
                    done = min(number * _BLOCK_BYTES, total)
                    seconds = time.monotonic() - began
                    tell(pace(f"reading {file.path.name}", done / _MEGABYTE, total / _MEGABYTE, seconds, "MB"))
    except pa.ArrowInvalid as error:
        found = _MISFIT.search(str(error))
        if found is None or not names:
            raise
        wider = pa.float64() if found[2] == "int64" and types.get(names[int(found[1])]) is None else pa.string()
        types[names[int(found[1])]] = wider
        return False
    return True

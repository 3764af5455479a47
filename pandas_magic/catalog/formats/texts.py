"""Text files: a table when every line is cut alike, otherwise one row per line."""

from pathlib import Path

import pyarrow as pa

from pandas_magic.catalog.formats import delimited
from pandas_magic.catalog.formats.json_records import text_of
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import TableUnreadable


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The table in the file, or its lines as columns `line` (from 1) and `text`, which a note says."""
    suffix = path.suffix.lower()
    if suffix in delimited.UNTELLING and (options.delimiter or delimited.is_tabular(path)):
        return delimited.read(path, options)
    if suffix == ".md" and (table := _markdown_table(path, options)):
        return table
    text, notes = text_of(path, options)
    if suffix == ".rtf":
        from striprtf.striprtf import rtf_to_text

        text = str(rtf_to_text(text))
    if not text.strip():
        raise TableUnreadable(f"{path.name} is empty; a table needs at least a line")
    return LoadedRows(_lines(text), (*notes, "no table, so each row is a line of text"))


def _lines(text: str) -> pa.Table:
    lines = text.splitlines()
    return pa.table({"line": pa.array(range(1, len(lines) + 1), pa.int64()), "text": pa.array(lines, pa.string())})


def _markdown_table(path: Path, options: ReadOptions) -> LoadedRows | None:
    """The one pipe table of a Markdown file; None when there is none, or more than one."""
    from pandas_magic.catalog.formats.retyping import rows_retyped

    text, notes = text_of(path, options)
    rows = [line.strip().strip("|").split("|") for line in text.splitlines() if line.strip().startswith("|")]
    rules = [at for at, row in enumerate(rows) if all(cell.strip().strip(":-") == "" for cell in row)]
    if rules != [1] or len({len(row) for row in rows}) != 1:
        return None
    cells = [[cell.strip() for cell in row] for at, row in enumerate(rows) if at != 1]
    return rows_retyped(cells, path.name, options, (*notes, "the table in a Markdown text"))

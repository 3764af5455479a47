"""Tables in Word documents; a document without one is its paragraphs."""

from pathlib import Path

import pandas as pd

from pandas_magic.catalog.formats.retyping import rows_retyped
from pandas_magic.catalog.formats.unpacking import refuse_bombs
from pandas_magic.catalog.readers import LoadedRows, ReadOptions


def parts(path: Path) -> list[str]:
    """`table_1`, `table_2`, … in the document's order; one nameless part for a document without tables."""
    from docx import Document

    refuse_bombs(path)
    count = len(Document(str(path)).tables)
    return [f"table_{number}" for number in range(1, count + 1)] if count > 1 else [""]


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One table, typed by its values, its first row the column names; or one row per paragraph."""
    from docx import Document

    refuse_bombs(path)
    document = Document(str(path))
    if not document.tables:
        texts = [paragraph.text for paragraph in document.paragraphs if paragraph.text.strip()]
        frame = pd.DataFrame({"paragraph": range(1, len(texts) + 1), "text": texts})
        return LoadedRows(frame, ("no table, so each row is a paragraph",))
    table = document.tables[int(part.rpartition("_")[2]) - 1 if part else 0]
    rows = [[cell.text.strip() for cell in row.cells] for row in table.rows]
    return rows_retyped(rows, path.name, options, ("a table of a Word document",))

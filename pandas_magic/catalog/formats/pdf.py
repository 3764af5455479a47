"""Tables in PDF documents, as far as their ruled lines show; a document without one is its lines of text."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.catalog.file_stamp import stamp_of
from pandas_magic.catalog.formats.retyping import rows_retyped
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import TableUnreadable

_DOUBT = "a table found by the lines drawn on the page; compare it with the document"


def parts(path: Path) -> list[str]:
    """`table_1`, `table_2`, … over all pages; one nameless part when no more than one is found."""
    count = len(_tables(path))
    return [f"table_{number}" for number in range(1, count + 1)] if count > 1 else [""]


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """One table, typed by its values, its first row the column names; or page, line and text."""
    tables = _tables(path)
    if tables:
        rows = tables[int(part.rpartition("_")[2]) - 1 if part else 0]
        cells = [[(cell or "").strip() for cell in row] for row in rows]
        return rows_retyped(cells, path.name, options, (_DOUBT,))
    lines = _lines(path)
    if not lines:
        raise TableUnreadable(f"{path.name} holds no text that can be read; it may be a scan")
    return LoadedRows(pd.DataFrame(lines), ("no table, so each row is a line of text",))


def _tables(path: Path) -> list[list[list[str | None]]]:
    return _tables_of(path, stamp_of(path.stat()))


# To find them takes seconds a page, and whoever lists them reads one of them next.
@lru_cache(maxsize=1)
def _tables_of(path: Path, stamp: str) -> list[list[list[str | None]]]:
    with _opened(path) as document:
        return [table for page in document.pages for table in page.extract_tables()]


def _lines(path: Path) -> list[dict[str, object]]:
    with _opened(path) as document:
        return [
            {"page": page.page_number, "line": number, "text": line}
            for page in document.pages
            for number, line in enumerate((page.extract_text() or "").splitlines(), 1)
        ]


def _opened(path: Path) -> Any:  # noqa: ANN401 - pdfplumber has no types
    import pdfplumber
    from pdfminer.psexceptions import PSException
    from pdfplumber.utils.exceptions import PdfminerException

    try:
        return pdfplumber.open(path)
    except (PSException, PdfminerException) as error:
        raise ValueError(str(error) or "it is damaged") from error

"""The tables of a catalog as the plain records that other tools read: what there is, about one, and what was chosen."""

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.table import Table
from pandas_magic.catalog.table_choice import MAX_TABLES, TableChoice, choose_tables
from pandas_magic.errors import TableUnreadable

_SAMPLE_ROWS = 5
_MEGABYTE = 1024**2


def available_files(catalog: Catalog, *, group: str | None = None) -> dict[str, Any]:
    """`{"count", "files": [{"file_name", "file_path", "file_size_mb", "group", …}]}`, of one group or of all.

    A table that cannot be read, and a file that is none, is listed with the reason under "error".
    """
    files = []
    for name in catalog.names():
        try:
            table = catalog.schema(name)
        except TableUnreadable as error:
            if group is None:
                files.append({"file_name": name, "error": str(error)})
            continue
        if group is None or table.group == group:
            files.append(_file(table))
    # A sub-folder is a group; what lies beside the others in none of them has no group.
    for place, reason in catalog.passed_over().items():
        if group is None or place.startswith(f"{group}/"):
            files.append({"file_name": place, "error": reason})
    return {"count": len(files), "files": files}


def file_info(catalog: Catalog, name: str) -> dict[str, Any]:
    """`{"column_names", "num_rows", "num_columns", "sample_data", …}` of one table; the sample is its first rows.

    Raises: NoSuchName, TableUnreadable.
    """
    table = catalog.schema(name)
    return {**_file(table), **_metadata(catalog, table), "column_types": table.columns, "missing": table.missing}


def select_files(
    catalog: Catalog, request: str, *, group: str | None = None, max_files: int = MAX_TABLES
) -> dict[str, Any]:
    """The tables for a request, with reasons: `{"selected_files", "file_count", "total_size_mb"}`.

    Raises: TableUnreadable when there is no table to choose from.
    """
    tables = {name: table for name, table in catalog.schemas().items() if group is None or table.group == group}
    if not tables:
        where = f' in group "{group}"' if group else ""
        raise TableUnreadable(f"No files found{where}: put tables into the data folder, or name them in tables.toml")
    return selection(catalog, choose_tables(request, tables, max_tables=max_files))


def selection(catalog: Catalog, choices: Sequence[TableChoice]) -> dict[str, Any]:
    """What was chosen, in the shape that the selection of a model has as well."""
    selected, total = [], 0
    for choice in choices:
        table = catalog.schema(choice.name)
        total += table.file_bytes or 0
        selected.append(
            {
                "file_path": table.origin or choice.name,
                "file_name": choice.name,
                "reason": choice.reason,
                "metadata": _metadata(catalog, table),
            }
        )
    return {"selected_files": selected, "file_count": len(selected), "total_size_mb": round(total / _MEGABYTE, 3)}


def _file(table: Table) -> dict[str, Any]:
    size = None if table.file_bytes is None else round(table.file_bytes / _MEGABYTE, 3)
    return {
        "file_name": table.name,
        "file_path": table.origin,
        "file_size_mb": size,
        "group": table.group,
        "notes": list(table.notes),
    }


def _metadata(catalog: Catalog, table: Table) -> dict[str, Any]:
    rows = min(_SAMPLE_ROWS, table.row_count if table.row_count is not None else _SAMPLE_ROWS)
    return {
        "num_rows": table.row_count,
        "num_columns": len(table.columns),
        "column_names": list(table.columns),
        "sample_data": _plain(catalog.rows(table.name, range(rows))),
    }


def _plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON values, dates as ISO texts."""
    text = (
        frame.rename(columns=str)
        .reset_index(drop=True)
        .to_json(orient="records", date_format="iso", default_handler=str)
    )
    rows: list[dict[str, Any]] = json.loads(text)
    return rows

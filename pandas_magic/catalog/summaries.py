"""One paragraph for each table: what it holds, from its schema or told by a model; kept while the schema stands."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from pandas_magic.catalog.table import Table
from pandas_magic.errors import quoted_list
from pandas_magic.state import locked, write_whole

_FILE = "ai_table_summaries.json"
_SHOWN_VALUES = 6
_SHOWN_NAMES = 8
Tell = Callable[[Table], str]  # "": it cannot say


def summarize(folder: Path, tables: Mapping[str, Table], *, tell: Tell | None = None) -> dict[str, str]:
    """The paragraph for each table, from `ai_table_summaries.json` in `folder` while what is known of it is the same.

    `tell` writes new ones; without it, and where it cannot say, they are put together from the schema. Each entry says
    `by` whom it was told: "model" or "statistics".
    """
    path, writer = folder / _FILE, "statistics" if tell is None else "model"
    kept = _read(path)
    new = {
        name: _entry(table, tell)
        for name, table in tables.items()
        if kept.get(name, {}).get("schema") != table.digest() or kept[name].get("by") != writer
    }
    if new:
        with locked(path):  # only now: a model may take minutes
            kept = {**_read(path), **new}
            write_whole(path, json.dumps(kept, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
    return {name: str(kept[name]["summary"]) for name in tables}


def _entry(table: Table, tell: Tell | None) -> dict[str, str]:
    told = tell(table) if tell is not None else ""
    return {"summary": told or paragraph(table), "schema": table.digest(), "by": "model" if told else "statistics"}


def kept_summaries(folder: Path) -> dict[str, str]:
    """The paragraphs that were written so far, by table; none when there are none."""
    return {name: str(entry["summary"]) for name, entry in _read(folder / _FILE).items() if "summary" in entry}


def paragraph(table: Table) -> str:
    """What a table holds, in two to six sentences made from its schema."""
    rows = "an unknown number of rows" if table.row_count is None else f"{table.row_count:,} rows"
    named = quoted_list(table.columns, at_most=_SHOWN_NAMES)
    sentences = [f"{table.name} has {rows} and {len(table.columns):,} columns: {named}."]
    if table.keys:
        sentences.append(f"Each row has its own {quoted_list(table.keys, at_most=_SHOWN_NAMES)}.")
    for column, values in list(table.values.items())[:_SHOWN_NAMES]:
        if values:
            sentences.append(f'"{column}" is one of {quoted_list(values, at_most=_SHOWN_VALUES)}.')
    gaps = [f'"{name}" in {_share(count, table.row_count)}' for name, count in table.missing.items()]
    if gaps:
        sentences.append(f"Missing: {', '.join(gaps[:_SHOWN_NAMES])}.")
    return " ".join([*sentences, *(f"Read with care: {note}." for note in table.notes)])


def _share(count: int, rows: int | None) -> str:
    if not rows:
        return f"{count:,} rows"
    percent = 100 * count / rows
    return f"{count:,} rows ({'less than 0.1' if percent < 0.1 else f'{percent:.1f}'} %)"


def _read(path: Path) -> dict[str, dict[str, str]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # rebuilt from the tables
    return content if isinstance(content, dict) else {}

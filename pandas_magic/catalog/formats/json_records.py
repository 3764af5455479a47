"""JSON: a list of records, or one record per line."""

import datetime as dt
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_magic.catalog.formats.exact_numbers import with_exact_numbers
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.catalog.text.encodings import Encoding, detect_encoding
from pandas_magic.catalog.text.offsets import moments_of
from pandas_magic.errors import TableUnreadable
from pandas_magic.record import first_twice

_ISO_DATE = r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?"

_BEGINS_WITH_LINES = re.compile(r"\s*\{[^\n]*\}[ \t\r]*\n\s*\{")  # one record in a line, and another below it


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The records as rows. Texts that are all ISO dates become dates; nested values stay as they are."""
    # Not pandas.read_json: it turns long integers into floats and names that end in "_at" into dates.
    text, notes = text_of(path, options)
    if not text.strip():
        raise TableUnreadable(f"{path.name} is empty; a table needs a list of records")
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        records: Any = _lines(path, text)
    else:
        try:
            records = json.loads(text, object_pairs_hook=_once)
        except json.JSONDecodeError:
            if not _BEGINS_WITH_LINES.match(text):
                raise
            records, notes = _lines(path, text), (*notes, "JSON lines: one record per line")
    return rows_of_records(records, path.name, notes)


def text_of(path: Path, options: ReadOptions) -> tuple[str, tuple[str, ...]]:
    """A file's text without a byte order mark, and a note on its encoding when it is not UTF-8."""
    content = path.read_bytes()
    encoding = Encoding(options.encoding) if options.encoding else detect_encoding(content, path.name, whole=True)
    text = content.decode(encoding.name).removeprefix("\ufeff")
    if "\x00" in text:
        raise TableUnreadable(f"{path.name} is no text: it holds zero bytes; check what kind of file it is")
    return text, (encoding.note,) if encoding.note else ()


def rows_of_records(content: Any, name: str, notes: tuple[str, ...]) -> LoadedRows:  # noqa: ANN401 - what a JSON or YAML file holds
    """A list of records as rows, ISO dates as dates.

    Raises: TableUnreadable when it is something else.
    """
    if not isinstance(content, list) or not all(isinstance(record, dict) for record in content):
        raise TableUnreadable(f"{name} is not a list of records; write it as [{{...}}, {{...}}] or as JSON lines")
    frame = pd.DataFrame.from_records(content)
    frame, of_numbers = with_exact_numbers(frame, lambda names: pd.DataFrame(content, columns=names, dtype=object))
    said = []
    for column in frame.columns:
        texts = _iso_texts(frame[column])
        moments, note = (None, "") if texts is None else moments_of(texts)
        if moments is not None:
            frame = frame.assign(**{column: moments})
            said += [f'column "{column}": {note}'] if note else []
    return LoadedRows(frame, (*notes, *of_numbers, *said))


def refuse_twice(names: Sequence[str]) -> None:
    """Refuse a record in which a name stands twice: which of its values is meant is not known. Raises: ValueError."""
    twice = first_twice(names)
    if twice is not None:
        raise ValueError(f'"{twice}" stands twice in one record; rename or remove one of them')


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        refuse_twice([name for name, _ in pairs])
    return record


def _lines(path: Path, text: str) -> list[Any]:
    return [_record(path, number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _record(path: Path, number: int, line: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.loads(line, object_pairs_hook=_once)
    except ValueError as error:
        raise TableUnreadable(f"{path.name} does not parse as JSON in line {number}: {error}") from error


def _iso_texts(column: pd.Series) -> pd.Series | None:
    """The column as texts of dates and moments in ISO 8601; None where it holds something else."""
    present = column.dropna()
    kind = "empty" if column.dtype.kind == "M" else pd.api.types.infer_dtype(present)
    if kind == "datetime":  # of YAML, with offsets that differ
        return column.map(dt.datetime.isoformat, na_action="ignore")
    return column if kind == "string" and present.str.fullmatch(_ISO_DATE).all() else None

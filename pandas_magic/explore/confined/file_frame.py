"""A file as a frame, inside the sandbox: encoding, delimiter and broken lines are found out and said."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from pandas_magic.explore.confined.workbook_frame import SeveralSheets, read_workbook

# What pandas.read_csv takes for a missing value, so that a table reads here as it does by hand; and
# what MySQL and PostgreSQL write for NULL.
_MISSING = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null", "\\N",
]  # fmt: skip
_DELIMITERS = (",", ";", "\t", "|")
_EXACT_IN_FLOAT = 2**53
_HEAD_LINES = 20
_BLOCK_BYTES = 1 << 22
_CODE = re.compile(rb"[,;\t|\n\"] *[+-]?0[0-9]")
_SEPARATOR_SAID = re.compile(rb'"?sep=[^\w\r\n]"?\s*\n', re.IGNORECASE)  # as Excel writes it
_MOST_RAGGED_PCT = 10  # with more broken lines the delimiter was not understood

Facts = dict[str, Any]


class Unreadable(ValueError):
    """A file that is no table. The message names it, what is wrong and what to do."""


def read_table(path: str, name: str, most_bytes: int | None = None) -> tuple[pd.DataFrame, Facts]:
    """The table in a file, and how it was read: encoding, delimiter, bytes, ragged_lines.

    Of a delimited file no more than `most_bytes` are read, and `read_bytes` says how many were.

    Raises: Unreadable.
    """
    suffix = Path(path).suffix.lower()
    reader = _READERS.get(suffix)
    if reader is None:
        raise Unreadable(f"{name} is not of a kind that is read; known: {', '.join(sorted(_READERS))}")
    try:
        frame, facts = reader(Path(path), name) if most_bytes is None else head_of(Path(path), name, most_bytes)
    except Unreadable:
        raise
    except (
        ValueError,
        TypeError,
        KeyError,
        OSError,
        pa.ArrowException,
        UnicodeError,
        ImportError,
        BadZipFile,
    ) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise Unreadable(f"{name} does not parse as {suffix[1:].upper()}: {reason}") from error
    if not frame.shape[1]:
        raise Unreadable(f"{name} has no columns; a table needs at least a line of column names")
    return frame, {"bytes": Path(path).stat().st_size, **facts}


def _read_delimited(path: Path, name: str) -> tuple[pd.DataFrame, Facts]:
    return _read_text(path.read_bytes(), path, name)


def opened(path: Path) -> Any:  # noqa: ANN401 - of pyarrow
    """The file to be read, unpacked where its name ends in .gz, .bz2, .zst or .lz4."""
    return pa.input_stream(str(path), compression="detect")


def head_of(path: Path, name: str, most_bytes: int) -> tuple[pd.DataFrame, Facts]:
    """The whole lines of the first bytes of a delimited file, and how they were read; Unreadable as `read_table`."""
    with opened(path) as file:
        content = file.read(most_bytes)
    # Whole lines only; in UTF-16 the second half of the line break follows.
    end = content.rfind(b"\n") + (2 if content.startswith(b"\xff\xfe") else 1)
    frame, facts = _read_text(content[:end], path, name)
    return frame, facts | {"read_bytes": end}


def _read_text(content: bytes, path: Path, name: str) -> tuple[pd.DataFrame, Facts]:
    content, encoding = _as_utf8(content, name)
    if not content.strip():
        raise Unreadable(f"{name} is empty; a table needs at least a line of column names")
    if said := _SEPARATOR_SAID.match(content):
        raise Unreadable(
            f"{name} begins with the line {said[0].decode().strip()}, which is no row; remove it, or put the file into "
            "the data folder of a workspace, where such lines are read"
        )
    if b"\n" not in content:
        content += b"\n"  # Arrow takes a header without an end for nothing
    delimiter = "\t" if ".tsv" in path.suffixes[-2:] else _delimiter(content)
    table, ragged = _parse(content, delimiter, ())
    as_text = tuple(field.name for field in table.schema if _lost_digits(table, field.name))
    as_text += _codes(content, table, delimiter)
    if as_text:
        table, ragged = _parse(content, delimiter, as_text)
    _refuse_open_quote(content, table, name)
    lines = table.num_rows + ragged
    if lines and 100 * ragged > _MOST_RAGGED_PCT * lines:
        raise Unreadable(
            f"{name}: {ragged:,} of {lines:,} lines do not have the {table.num_columns} columns of the first line; "
            f'they were cut at "{delimiter}"; mend them, or quote the fields that hold it'
        )
    return frame_of(table), {"encoding": encoding, "delimiter": delimiter, "ragged_lines": ragged}


def _refuse_open_quote(content: bytes, table: Any, name: str) -> None:  # noqa: ANN401 - a pyarrow table
    """A quotation mark that is never closed makes one value of all lines behind it, which no count would show."""
    if content.count(b'"') % 2 == 0 or not table.num_rows:
        return
    for field, value in table.slice(table.num_rows - 1).to_pylist()[0].items():
        if isinstance(value, str) and "\n" in value:
            raise Unreadable(
                f'{name}: a quotation mark opened in row {table.num_rows:,}, column "{field}", is never closed, and '
                f"{value.count(chr(10)):,} lines became one value; close it, or double it if it is meant"
            )


def _as_utf8(content: bytes, name: str) -> tuple[bytes, str]:
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if content.startswith(mark):
            return content.decode(encoding).encode(), encoding
    if b"\x00" in content[:4096]:
        raise Unreadable(f"{name} is not text: it holds zero bytes; save it as CSV in UTF-8")
    try:
        content.decode()
    except UnicodeDecodeError:
        # Any bytes are some Windows-1252 text but these five, so it is said, and a person must look.
        return content.decode("cp1252", "replace").encode(), "cp1252"
    return content, "utf-8"


def _delimiter(content: bytes) -> str:
    """The delimiter that cuts the first lines into the same number of parts, the most of them."""
    lines = content[:65536].decode("utf-8", "ignore").splitlines()[:_HEAD_LINES]
    lines = lines[:-1] if len(lines) > 2 and len(content) > 65536 else lines

    def fitness(sign: str) -> tuple[int, int]:
        counts = [line.count(sign) for line in lines if line.strip()]
        return sum(count == counts[0] > 0 for count in counts), counts[0]

    return max(_DELIMITERS, key=fitness)


def _parse(content: bytes, delimiter: str, as_text: tuple[str, ...]) -> tuple[Any, int]:
    ragged = 0

    def skip(_: Any) -> str:  # noqa: ANN401 - pyarrow's InvalidRow
        nonlocal ragged
        ragged += 1
        return "skip"

    options = reading_options(
        delimiter, dict.fromkeys(as_text, pa.string()), lines_in_values=b'"' in content, on_ragged=skip
    )
    return pyarrow.csv.read_csv(io.BytesIO(content), **options), ragged


def reading_options(
    delimiter: str,
    types: dict[str, Any],
    *,
    encoding: str = "utf-8",
    lines_in_values: bool = True,
    on_ragged: Callable[[Any], str] = lambda _: "skip",
) -> dict[str, Any]:
    """How Arrow reads a delimited file, whole or in blocks."""
    return {
        "read_options": pyarrow.csv.ReadOptions(block_size=_BLOCK_BYTES, encoding=encoding),
        "parse_options": pyarrow.csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=lines_in_values, invalid_row_handler=on_ragged
        ),
        "convert_options": pyarrow.csv.ConvertOptions(
            null_values=_MISSING, strings_can_be_null=True, column_types=types
        ),
    }


def _lost_digits(table: Any, name: str) -> bool:  # noqa: ANN401 - a pyarrow table
    if table.column_names.count(name) > 1:
        return False
    column = table[name]
    if not pa.types.is_floating(column.type) or column.null_count == len(column):
        return False
    values = column.drop_null().to_numpy()
    return bool(((abs(values) >= _EXACT_IN_FLOAT) & (abs(values) < 1e30)).any() and (values % 1 == 0).all())


def _codes(content: bytes, table: Any, delimiter: str) -> tuple[str, ...]:  # noqa: ANN401 - a pyarrow table
    """The columns of whole numbers that are codes: "00717" is not 717."""
    whole = [field.name for field in table.schema if pa.types.is_integer(field.type)]
    whole = [name for name in whole if table.column_names.count(name) == 1]
    if not whole or not _CODE.search(content):
        return ()
    texts, _ = _parse(content, delimiter, tuple(whole))
    return tuple(name for name in whole if pc.any(pc.match_substring_regex(texts[name], r"^\s*[+-]?0\d")).as_py())


def frame_of(table: Any) -> pd.DataFrame:  # noqa: ANN401 - a pyarrow table
    """The Arrow table as pandas shows it; integers with gaps that a float would round become Int64."""
    series = [_series_of(table.column(position)) for position in range(table.num_columns)]
    frame = pd.DataFrame(dict(enumerate(series)), index=pd.RangeIndex(table.num_rows), copy=False)
    frame.columns = pd.Index(table.column_names)
    return frame


def _series_of(column: Any) -> Any:  # noqa: ANN401 - pyarrow to pandas
    if pa.types.is_integer(column.type) and column.null_count:
        bounds = pa.compute.min_max(column).as_py()
        if any(bound is not None and abs(bound) > _EXACT_IN_FLOAT for bound in bounds.values()):
            return column.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype(), pa.uint64(): pd.UInt64Dtype()}.get)
    return column.to_pandas(date_as_object=False)


def _read_parquet(path: Path, _: str) -> tuple[pd.DataFrame, Facts]:
    import pyarrow.parquet

    return frame_of(pyarrow.parquet.read_table(path)), {}


def _read_feather(path: Path, _: str) -> tuple[pd.DataFrame, Facts]:
    import pyarrow.feather

    return frame_of(pyarrow.feather.read_table(path)), {}


def _read_excel(path: Path, name: str) -> tuple[pd.DataFrame, Facts]:
    try:
        return read_workbook(path, _MISSING), {}
    except SeveralSheets as several:
        named = ", ".join(f'"{sheet}"' for sheet in several.sheets)
        raise Unreadable(
            f"{name} holds several tables, {named}; put it into the data folder of a workspace, where each is a table, "
            "or read one of them and give it as a DataFrame"
        ) from several


def _read_json(path: Path, name: str) -> tuple[pd.DataFrame, Facts]:
    content, encoding = _as_utf8(path.read_bytes(), name)
    lines = path.suffix.lower() in (".jsonl", ".ndjson")
    text = content.decode()
    parts = [line for line in text.splitlines() if line.strip()] if lines else [text]
    read = [json.loads(part, object_pairs_hook=_once) for part in parts]
    records = read if lines else read[0]
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise Unreadable(f"{name} is not a list of records; write it as [{{...}}, {{...}}] or as JSON lines")
    return pd.DataFrame.from_records(records), {"encoding": encoding}


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record: dict[str, object] = {}
    for name, value in pairs:
        if name in record:
            raise ValueError(f'"{name}" stands twice in one record; rename or remove one of them')
        record[name] = value
    return record


_READERS: dict[str, Callable[[Path, str], tuple[pd.DataFrame, Facts]]] = {
    ".csv": _read_delimited,
    ".tsv": _read_delimited,
    ".txt": _read_delimited,
    ".parquet": _read_parquet,
    ".feather": _read_feather,
    ".arrow": _read_feather,
    ".xlsx": _read_excel,
    ".json": _read_json,
    ".jsonl": _read_json,
    ".ndjson": _read_json,
}
SUFFIXES = tuple(_READERS)

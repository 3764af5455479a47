"""The failing rows of a run on disk: the rows themselves, and beside them why each failed and where it stood.

artifacts/<run_id>/violations.parquet    the rows with every column, under the index of their table
artifacts/<run_id>/failing_keys.parquet  in the same order: reason, position in the table (from 0), key columns
"""

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa

from pandas_magic.errors import StateUnreadable
from pandas_magic.history.run import Run
from pandas_magic.state import write_whole

VIOLATIONS, _KEYS = "violations.parquet", "failing_keys.parquet"
REASON, POSITION = "reason", "position"
_MAX_DIGESTED_BYTES = 64 * 1024**2


def artifact_folder(folder: Path, run_id: str) -> Path:
    """Where the files of a run are, below the journal's folder."""
    return folder / "artifacts" / run_id


def keep_rows(folder: Path, run_id: str, rows: pd.DataFrame) -> Path:
    """Write all failing rows, with their index, to a Parquet file and give its path."""
    path = artifact_folder(folder, run_id) / VIOLATIONS
    write_whole(path, lambda beside: _write(storable(rows), beside), durable=False)
    return path


def content_digest(path: Path) -> str:
    """Sixteen hex digits that two files share when they hold the same rows; "" for a file too large to read again."""
    if path.stat().st_size > _MAX_DIGESTED_BYTES:
        return ""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def keep_keys(folder: Path, run: Run, rows: pd.DataFrame) -> Path:
    """Write why each failing row is one, where it stands, and its key."""
    path = artifact_folder(folder, run.run_id) / _KEYS
    names = {str(name): name for name in rows.columns if str(name) not in (REASON, POSITION)}
    named = rows[[names[column] for column in run.key if column in names]]
    keys = with_reasons(run, storable(named), run.positions)
    write_whole(path, lambda beside: _write(keys, beside), durable=False)
    return path


def with_reasons(run: Run, rows: pd.DataFrame, positions: Sequence[int] | None) -> pd.DataFrame:
    """The rows with the reason and the position in front. A position that is not known is missing."""
    there = [name for name in (REASON, POSITION) if name in rows.columns]
    named = rows.drop(columns=there) if there else rows.copy(deep=False)
    where = pd.Series([None] * len(rows) if positions is None else list(positions), dtype="Int64")
    named.insert(0, POSITION, where.set_axis(named.index))
    named.insert(0, REASON, run.reason)
    return named


def kept_positions(folder: Path, run_id: str) -> list[int] | None:
    """The positions that were kept of a run's failing rows; None when they were not known."""
    path = artifact_folder(folder, run_id) / _KEYS
    if not path.exists():
        return None
    positions = pd.read_parquet(path, columns=[POSITION])[POSITION]
    return None if positions.isna().any() else [int(position) for position in positions]


def remove_artifact(folder: Path, run_id: str) -> None:
    """Delete the files of a run. Nothing when they are gone already."""
    shutil.rmtree(artifact_folder(folder, run_id), ignore_errors=True)


def storable(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with names and values that Parquet can hold: objects of mixed types become their text."""
    named = rows if all(isinstance(name, str) for name in rows.columns) else rows.rename(columns=str)
    mixed = [
        column
        for column, dtype in named.dtypes.items()
        if pd.api.types.is_object_dtype(dtype) and pd.api.types.infer_dtype(named[column], skipna=True) != "string"
    ]
    # Converting nothing would still copy every column.
    return named.astype(dict.fromkeys(mixed, "string")) if mixed else named


def _write(rows: pd.DataFrame, path: Path) -> None:
    # What `DataFrame.to_parquet` does, in half its time for a few rows.
    try:
        import pyarrow.parquet as pq  # a twentieth of what a run imports, and its kernel works meanwhile

        pq.write_table(pa.Table.from_pandas(rows), path)
    except pa.ArrowException as error:
        raise StateUnreadable(f"the failing rows cannot be written as Parquet: {str(error).splitlines()[0]}") from error

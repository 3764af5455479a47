"""The journal: what happened. Every run as a line, every failing row as a Parquet file."""

import json
from pathlib import Path

import pandas as pd

from pandas_magic.checks import Run
from pandas_magic.state import append_line, write_whole

_LOG = "runs_log.jsonl"


class Journal:
    """The history below `folder`, which is made on the first write and ignored by git."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def record(self, run: Run) -> None:
        """Add the run to `runs_log.jsonl`, without its code, which the registry or the notebook holds."""
        self._prepare()
        append_line(self.folder / _LOG, json.dumps(run.model_dump(mode="json", exclude={"code"}), ensure_ascii=False))

    def keep_rows(self, run_id: str, rows: pd.DataFrame) -> Path:
        """Write all violating rows, with their index, to a Parquet file and give its path."""
        self._prepare()
        path = self.folder / "artifacts" / run_id / "violations.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lambda beside: storable(rows).to_parquet(beside), durable=False)
        return path

    def last_runs(self) -> dict[str, Run]:
        """The latest run of each check. Lines that cannot be read are passed over: a crash may cut the last one."""
        latest: dict[str, Run] = {}
        log = self.folder / _LOG
        if log.exists():
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
                run = _run_from(line)
                if run is not None:
                    latest[run.check_id] = run
        return latest

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            write_whole(ignore, "*\n")


def storable(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with names and values that Parquet can hold: objects of mixed types become their text."""
    named = rows if all(isinstance(name, str) for name in rows.columns) else rows.rename(columns=str)
    mixed = [
        column
        for column in named.columns
        if named[column].dtype == object and pd.api.types.infer_dtype(named[column], skipna=True) != "string"
    ]
    # Converting nothing would still copy every column.
    return named.astype(dict.fromkeys(mixed, "string")) if mixed else named


def _run_from(line: str) -> Run | None:
    try:
        return Run.from_dict({"code": "", **json.loads(line)})
    except ValueError:
        return None

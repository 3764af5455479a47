"""What is remembered of a run beside its verdict, so that a later one can be compared with it or repeated.

.pandas_magic/kept/checks/<digest>.json            the check as it ran, with the code that ran
.pandas_magic/kept/tables/<table>/<digest>.parquet  a version of a table; only with the setting `keep_tables`
"""

import platform
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from pandas_magic.catalog import Catalog
from pandas_magic.errors import NoSuchName, StateUnreadable, TableUnreadable, UsageMistake
from pandas_magic.history.run import Run
from pandas_magic.record import digest
from pandas_magic.registry.check_file import check_of, check_text
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.state import unversioned_folder, write_whole

_PACKAGES = ("pandas", "numpy", "pyarrow", "pandas-magic")


def remember_run(run: Run, compiled: CompiledCheck, catalog: Catalog, folder: Path, *, keep_tables: int) -> Run:
    """The run with the facts that `why` compares, its check kept below `folder`, and its tables where that is asked.

    `keep_tables` is how many versions of each table are kept. A table that cannot be kept so that it is read again
    exactly (values of mixed types, a DataFrame without an identity) is not kept, which is noted.
    """
    facts: dict[str, object] = {
        "snapshot": _keep_check(compiled.model_copy(update={"code": run.code}), folder),
        "environment": dict(environment()),
        "columns": _columns(compiled, catalog),
    }
    if keep_tables and run.confined is not None:
        lost = [
            name for name, at in run.fingerprints.items() if not _keep(name, at, catalog, folder, at_most=keep_tables)
        ]
        facts["notes"] = (*run.notes, *(f"{name} could not be kept as it was" for name in lost))
    return run.model_copy(update=facts)


@cache
def environment() -> Mapping[str, str]:
    """The versions that may change what code does."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def remembered_check(run: Run, folder: Path) -> CompiledCheck:
    """The check as it ran, with the code that ran. Raises: UsageMistake when it was not kept."""
    path = _check_path(folder, run.snapshot)
    try:
        return check_of(path, path.read_text(encoding="utf-8"))
    except (OSError, StateUnreadable) as error:
        raise UsageMistake(f"the code of run {run.run_id} was not kept; name a commit: --code-from COMMIT") from error


def remembered_table(name: str, run: Run, catalog: Catalog, folder: Path) -> pd.DataFrame:
    """The table as it was in the run: the one that is there when it did not change since, else the version kept.

    Raises: UsageMistake when neither is there.
    """
    identity = run.fingerprints.get(name, "")
    with suppress(NoSuchName, TableUnreadable):
        if identity and catalog.identity(name) == identity:
            return catalog.frame(name)
    path = _table_path(folder, name, identity)
    if not identity or not path.exists():
        raise UsageMistake(
            f"{name} as it was in run {run.run_id} was not kept; "
            "with the setting keep_tables = 5 the last five versions of each table are"
        )
    return pd.read_parquet(path)


def _keep_check(ran: CompiledCheck, folder: Path) -> str:
    text = check_text(ran)
    snapshot = digest(text)
    path = _check_path(folder, snapshot)
    if not path.exists():
        try:
            unversioned_folder(folder)
            write_whole(path, text, durable=False)
        except UnicodeEncodeError:
            return ""  # half a surrogate pair, which no file can hold
        except StateUnreadable:
            return ""  # the journal, which is about to be written, says so
    return snapshot


def _columns(compiled: CompiledCheck, catalog: Catalog) -> dict[str, dict[str, str]]:
    """The columns that the check reads, as they are now; those that are gone are left out."""
    found = {}
    for name, read in compiled.plan.reads.items():
        with suppress(NoSuchName, TableUnreadable):
            there = catalog.schema(name).columns
            found[name] = {column: there[column] for column in read if column in there}
    return found


def _keep(name: str, identity: str, catalog: Catalog, folder: Path, *, at_most: int) -> bool:
    path = _table_path(folder, name, identity)
    if path.exists():
        return True
    if not identity:
        return False
    try:
        frame = catalog.frame(name)
        write_whole(path, lambda beside: frame.to_parquet(beside), durable=False)
        same = pd.read_parquet(path).equals(frame) and catalog.identity(name) == identity
    except (TableUnreadable, NoSuchName, StateUnreadable, ValueError, TypeError):
        same = False
    if not same:
        path.unlink(missing_ok=True)
    versions = sorted(path.parent.glob("*.parquet"), key=lambda kept: kept.stat().st_mtime)
    for older in versions[:-at_most]:
        older.unlink(missing_ok=True)
    return same


def _check_path(folder: Path, snapshot: str) -> Path:
    return folder / "kept" / "checks" / f"{snapshot or 'none'}.json"


def _table_path(folder: Path, name: str, identity: str) -> Path:
    return folder / "kept" / "tables" / quote(name, safe="") / f"{digest(identity)}.parquet"

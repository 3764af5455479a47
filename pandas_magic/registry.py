"""The registry: every compiled check, in one JSON file that people review in a diff."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pandas_magic.catalog.arrow import EMPTY
from pandas_magic.catalog.tables import Table, kind_of
from pandas_magic.checks import Check, CompiledCheck
from pandas_magic.errors import NoSuchName, StateUnreadable
from pandas_magic.state import locked, write_whole

_VERSION = 1
_FIRST_ID = "CHK-001"


class Registry:
    """The checks in `path`, which need not exist yet. Every call reads the file as it is now."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, CompiledCheck]:
        """Every compiled check by its id, sorted.

        Raises: StateUnreadable when the file is damaged or of a later version; it is left as it is.
        """
        if not self.path.exists():
            return {}
        return {check_id: self._record(check_id, entry) for check_id, entry in sorted(self._entries().items())}

    def get(self, check_id: str) -> CompiledCheck:
        """One compiled check. Raises: NoSuchName with the nearest id."""
        checks = self.load()
        if check_id not in checks:
            raise NoSuchName("check", check_id, checks, within="the registry")
        return checks[check_id]

    def save(self, compiled: CompiledCheck) -> None:
        """Put one check in, keeping all others as another process may just have written them."""
        with locked(self.path):
            checks = {**self.load(), compiled.id: compiled}
            entries = {check_id: _entry(checks[check_id]) for check_id in sorted(checks)}
            text = json.dumps({"version": _VERSION, "checks": entries}, indent=2, ensure_ascii=False)
            write_whole(self.path, text + "\n")

    def next_id(self, taken: Iterable[str] = ()) -> str:
        """The first free id: `CHK-nnn`, one above the highest."""
        numbers = [int(match[1]) for name in (*self.load(), *taken) if (match := re.fullmatch(r"CHK-(\d+)", name))]
        return f"CHK-{max(numbers) + 1:03d}" if numbers else _FIRST_ID

    def _entries(self) -> dict[str, Any]:
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
            version, entries = content["version"], content["checks"]
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise StateUnreadable(
                f"{self.path} is damaged ({error}); restore it, for example: git checkout {self.path.name}"
            ) from error
        if version != _VERSION:
            raise StateUnreadable(f"{self.path} has version {version}; this release reads {_VERSION}: upgrade it")
        return dict(entries)

    def _record(self, check_id: str, entry: Mapping[str, Any]) -> CompiledCheck:
        try:
            compiled = CompiledCheck.from_dict({**entry, "code": "\n".join(entry["code"])})
        except (ValidationError, KeyError, TypeError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise StateUnreadable(
                f"{self.path} is damaged at {check_id} ({reason}); restore it or compile the check again"
            ) from error
        if compiled.id != check_id:
            raise StateUnreadable(
                f'{self.path} holds check "{compiled.id}" under "{check_id}"; make the two ids the same'
            )
        return compiled


def _entry(compiled: CompiledCheck) -> dict[str, Any]:
    # Lines of code diff well; nbformat keeps cells in the same way.
    return {**compiled.to_dict(), "code": compiled.code.split("\n")}


def staleness(compiled: CompiledCheck, check: Check | None, tables: Mapping[str, Table]) -> str:
    """Why the compiled check no longer fits, in one clause, or "" when it does.

    It fits while the rule is the same and every column that the code reads is there with the same kind of values.
    Columns that are added, or removed without being read, change nothing; nor do integers that became floats because
    a value is missing, or a column that holds no value at all.
    """
    if check is not None and check.rule_digest() != compiled.rule_digest:
        return "its rule changed"
    for name, columns in compiled.schemas.items():
        if name not in tables:
            return f'table "{name}" is gone'
        for column, dtype in columns.items():
            change = _column_change(tables[name], column, dtype)
            if change:
                return change
    return ""


def _column_change(table: Table, column: str, dtype: str) -> str:
    if column not in table.columns:
        missing = NoSuchName("column", column, table.columns)
        guess = f' (did you mean "{missing.nearest}"?)' if missing.nearest else ""
        return f'column "{column}" of table "{table.name}" is gone{guess}'
    now = table.columns[column]
    if EMPTY in (now, dtype) or _comparable(now) == _comparable(dtype):
        return ""
    return f'column "{column}" of table "{table.name}" was {dtype} and is now {now}'


def _comparable(dtype: str) -> str:
    kind = kind_of(dtype)
    if kind == "datetime":
        # With and without a time zone are different things to compare with.
        return "datetime with zone" if "," in dtype or "tz=" in dtype else "datetime"
    return "number" if kind == "integer" else kind

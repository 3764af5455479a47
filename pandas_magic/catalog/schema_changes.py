"""What changed between two schemas of a table, in words; and the snapshot of schemas that people and tools read."""

import json
from collections.abc import Collection, Mapping
from difflib import SequenceMatcher
from pathlib import Path

from pydantic import Field

from pandas_magic.catalog.table import Table, kind_of
from pandas_magic.record import Record
from pandas_magic.state import locked, write_whole

# Names this alike, of columns of one kind, are probably the same column under a new name.
_SAME_NAME = 0.6
_COLUMNS = "schema_cols.json"
_DTYPES = "schema_dtypes.json"


class SchemaDiff(Record):
    """The columns of a table that came, went, or changed; empty when the two schemas are the same."""

    table: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    retyped: dict[str, tuple[str, str]] = Field(default_factory=dict)  # column -> the dtype before and now
    renamed: dict[str, str] = Field(default_factory=dict)  # the name before -> the name that it probably has now
    reordered: bool = False  # the columns that stayed stand in another order

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.retyped or self.renamed or self.reordered)

    @property
    def broken(self) -> tuple[str, ...]:
        """The columns, by the names they had, that code which reads them no longer finds, or finds changed."""
        return (*self.renamed, *self.removed, *self.retyped)

    def in_words(self) -> str:
        """One line: `orders: "note" was added; "amount" was int64 and is now str`; "" when nothing changed."""
        parts = [f'"{old}" is probably "{new}" now' for old, new in self.renamed.items()]
        parts += [f'"{name}" was added' for name in self.added]
        parts += [f'"{name}" was removed' for name in self.removed]
        parts += [f'"{name}" was {before} and is now {now}' for name, (before, now) in self.retyped.items()]
        parts += ["columns stand in another order"] if self.reordered else []
        return f"{self.table}: {'; '.join(parts)}" if parts else ""


def schema_diff(table: str, before: Mapping[str, str], now: Mapping[str, str]) -> SchemaDiff:
    """What changed from one schema (column -> dtype, in order) to another."""
    added = [name for name in now if name not in before]
    removed = [name for name in before if name not in now]
    renamed = _renamed(before, now, removed, added)
    stayed = [name for name in before if name in now]
    return SchemaDiff(
        table=table,
        added=tuple(name for name in added if name not in renamed.values()),
        removed=tuple(name for name in removed if name not in renamed),
        retyped={name: (before[name], now[name]) for name in stayed if before[name] != now[name]},
        renamed=renamed,
        reordered=stayed != [name for name in now if name in before],
    )


def _renamed(before: Mapping[str, str], now: Mapping[str, str], removed: list[str], added: list[str]) -> dict[str, str]:
    """Pairs of a removed and an added column that are alike in name, kind and place; the most alike first."""
    places = {name: at for names in (list(before), list(now)) for at, name in enumerate(names)}
    pairs = []
    for old in removed:
        for new in added:
            if kind_of(before[old]) != kind_of(now[new]):
                continue
            likeness = SequenceMatcher(None, old.casefold(), new.casefold()).ratio()
            same_place = places[old] == places[new] and len(before) == len(now)
            if likeness >= _SAME_NAME or same_place:
                pairs.append((likeness + same_place, old, new))
    found: dict[str, str] = {}
    for _, old, new in sorted(pairs, reverse=True):
        if old not in found and new not in found.values():
            found[old] = new
    return found


def keep_snapshot(folder: Path, tables: Mapping[str, Table], *, held: Collection[str] = ()) -> list[SchemaDiff]:
    """Write the schemas into `folder` and say what changed since they were last written.

    `schema_cols.json` maps each table to its columns, in the shape that other tools read; `schema_dtypes.json` has the
    dtypes as well, by which a change is known. Of tables that are `held` those stay as they were, so that the change is
    told again until somebody acts on it. Tables that came or went are no change of a table.
    """
    columns = {name: list(tables[name].columns) for name in sorted(tables)}
    path = folder / _DTYPES
    with locked(path):
        before = _read(path)
        dtypes = {name: before[name] if name in held and name in before else _pairs(tables[name]) for name in columns}
        if before != dtypes or not (folder / _COLUMNS).exists():
            write_whole(folder / _COLUMNS, json.dumps(columns, indent=2, ensure_ascii=False) + "\n")
            _write(path, dtypes)
    return _diffs(before, tables)


def keep_schemas(folder: Path, tables: Mapping[str, Table]) -> None:
    """Keep these tables' schemas as those that changes are counted from; those of other tables stay."""
    path = folder / _DTYPES
    with locked(path):
        before = _read(path)
        dtypes = {**before, **{name: _pairs(table) for name, table in tables.items()}}
        if before != dtypes:
            _write(path, dtypes)


def changes_since(folder: Path, tables: Mapping[str, Table]) -> list[SchemaDiff]:
    """What changed since the schemas were kept in `folder`; nothing is written."""
    return _diffs(_read(folder / _DTYPES), tables)


def _diffs(before: Mapping[str, list[list[str]]], tables: Mapping[str, Table]) -> list[SchemaDiff]:
    diffs = [schema_diff(name, dict(before[name]), tables[name].columns) for name in sorted(tables) if name in before]
    return [diff for diff in diffs if diff]


def _pairs(table: Table) -> list[list[str]]:
    # A list of pairs, since the order of columns counts.
    return [[column, dtype] for column, dtype in table.columns.items()]


def _write(path: Path, dtypes: Mapping[str, list[list[str]]]) -> None:
    write_whole(path, json.dumps(dict(sorted(dtypes.items())), indent=2, ensure_ascii=False) + "\n")


def _read(path: Path) -> dict[str, list[list[str]]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # nothing was written yet, or it was cut off: there is nothing to compare with
    return content if isinstance(content, dict) else {}

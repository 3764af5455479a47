"""Which partitions of a table stand at or after a value: by the dates, numbers or words that their names are."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import unquote

from pandas_magic.errors import TableUnreadable

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?|(\d{4})(\d{2})(\d{2})")
_DATE_WITHIN = re.compile(r"(?<!\d)(\d{4}[-_]\d{2}[-_]\d{2}|\d{8})(?!\d)")
_LEVELS = ("year", "month", "day")
_DIGITS = re.compile(r"(\d+)")
# A number whose digits do not stand in the order of its value: signed, with decimals or with an exponent.
_NO_COUNT = re.compile(r"[+-]|.*[.,]|\d+[eE]")
_YEAR_DIGITS = 4
Place = tuple[object, ...]  # of a partition among the others


@dataclass(frozen=True)
class Partitions:
    """Some partitions of a table: their files, the names of the first and the last, and how many of how many."""

    files: frozenset[Path]
    first: str
    last: str
    count: int
    of: int

    def in_words(self, table: str) -> str:
        """One clause: "2 of the 5 partitions of sales, day=2026-01-04 to day=2026-01-05"."""
        names = self.first if self.count == 1 else f"{self.first} to {self.last}"
        return f"{self.count:,} of the {self.of:,} partitions of {table}, {names}"


def partitions_since(table: str, root: Path, files: Sequence[Path], since: str) -> Partitions:
    """The partitions at or after `since`, which is a value or "column=value", of the table in `files` below `root`.

    Partitions are folders that name a value (`day=2026-01-31`, `year=2026/month=1`), or files with a date in their
    names.

    Raises: TableUnreadable where there are none, none so late, or some that are neither before nor after it.
    """
    column, _, text = since.rpartition("=")
    wanted = unquote(text)
    names = _by_folders(table, root, files, column) or _by_files(table, files, column)
    place = _places({name for name, _ in names.values()}, wanted)
    if place is None:
        form = _DIGITS.sub("0", wanted)
        odd = [label for name, label in names.values() if _DIGITS.sub("0", name) != form]
        shown = odd[0] if odd else min(names.values())[1]
        raise TableUnreadable(
            f'whether partition "{shown}" of {table} is before or after "{wanted}" cannot be told; '
            "give --since a whole name in the form that all partitions have"
        )
    ordered = sorted((place(name), label) for name, label in set(names.values()))
    least = place(wanted)
    judged = [label for at, label in ordered if at >= least]
    if not judged:
        raise TableUnreadable(f'no partition of {table} is at or after "{wanted}"; the last is {ordered[-1][1]}')
    chosen = frozenset(path for path, (name, _) in names.items() if place(name) >= least)
    return Partitions(chosen, judged[0], judged[-1], len(judged), len(ordered))


def _by_folders(table: str, root: Path, files: Sequence[Path], column: str) -> dict[Path, tuple[str, str]]:
    """Each file with the name of its partition and how it is written, by folders that name values; {}: there are none.

    Raises: TableUnreadable where it is not said, or cannot be, which of several columns counts.
    """
    values = {path: _values(path.relative_to(root)) for path in files}
    columns = next(iter(values.values()), {}).keys()
    if not columns or any(each.keys() != columns for each in values.values()):
        return {}
    if column in _LEVELS[1:] and "year" in columns:
        raise TableUnreadable(f"{column} alone does not say when; give --since the year as well, such as 2026-01")
    chosen = [column] if column else _telling(columns, values.values())
    if any(name not in columns for name in chosen):
        raise TableUnreadable(f"{table} is not partitioned by {column}, but by {', '.join(columns)}")
    if not chosen:
        raise TableUnreadable(
            f"{table} is partitioned by {', '.join(columns)}; name the one that counts: "
            f"--since {next(reversed(columns))}=VALUE"
        )
    return {
        path: ("-".join(each[name] for name in chosen), "/".join(f"{name}={each[name]}" for name in chosen))
        for path, each in values.items()
    }


def _by_files(table: str, files: Sequence[Path], column: str) -> dict[Path, tuple[str, str]]:
    """The same by the dates in the names of files. Raises: TableUnreadable where one has none, or several."""
    dates = {path: [found for found in _DATE_WITHIN.findall(path.stem) if _date(_spelt(found))] for path in files}
    odd = [path for path in files if len(dates[path]) != 1]
    if odd or column:
        why = f"{odd[0].name} has no date of its own in its name" if odd else f"{column} names no folders of it"
        raise TableUnreadable(
            f"{table} has no partitions that --since could choose from: {why}; they are folders such as "
            "day=2026-01-31, or files such as sales_2026-01-31.parquet, of one table"
        )
    return {path: (_spelt(found), path.name) for path, [found] in dates.items()}


def _spelt(found: str) -> str:
    return found.replace("_", "-")


def _values(path: Path) -> dict[str, str]:
    pairs = (folder.split("=", 1) for folder in path.parts[:-1] if "=" in folder)
    return {unquote(name): unquote(value) for name, value in pairs}


def _telling(columns: Iterable[str], values: Iterable[Mapping[str, str]]) -> list[str]:
    """Which columns say when: year, month and day together, the only one, or the only one that holds dates."""
    named = list(columns)
    levels = [level for level in _LEVELS if level in named]
    if levels and levels == list(_LEVELS[: len(levels)]):
        return levels
    each = list(values)
    dated = [name for name in named if all(_date(value[name]) for value in each)]
    return named if len(named) == 1 else dated if len(dated) == 1 else []


def _places(names: set[str], wanted: str) -> Callable[[str], Place] | None:
    """Where each name stands, so that they compare; None where some do not.

    Dates stand by the calendar, where `wanted` is no finer than they are. Names with digits stand by these, where all
    else in them is the same and there is one number, or they begin with a year. Other names stand by their letters.
    """
    dates, least = [_date(name) for name in names], _date(wanted)
    if least and all(dates):
        return _date if len(least) <= min(map(len, dates)) else None
    if not any(map(_DIGITS.search, (*names, wanted))):
        return lambda name: (name,)
    shapes = {tuple(_DIGITS.split(name)[::2]) for name in (*names, wanted)}
    is_counted = len(shapes) == 1 and not any(map(_NO_COUNT.match, (*names, wanted)))
    if not is_counted or not all(_has_one_order(name) for name in (*names, wanted)):
        return None
    return lambda name: tuple(map(int, _DIGITS.findall(name)))


def _has_one_order(name: str) -> bool:
    numbers = _DIGITS.findall(name)
    return len(numbers) == 1 or (len(numbers[0]) == _YEAR_DIGITS and name.startswith(numbers[0]))


def _date(text: str) -> Place:
    """Year, month and day, as many of them as the text says; () where it is no date in ISO 8601."""
    match = _DATE.fullmatch(text)
    said = tuple(int(part) for part in match.groups() if part is not None) if match else ()
    try:
        return said if said and date(*said, *(1, 1)[len(said) - 1 :]) else ()
    except ValueError:
        return ()

"""Which checks are meant: `--select tag:finance --select table:orders --select not:severity:low`.

Selections of the same kind widen the choice, those of different kinds narrow it, and `not:` takes away. Values may
hold * and ?, as in file names.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pandas_magic.checking.result import Entry
from pandas_magic.errors import UsageMistake, nearest_name

STALE, NEVER = "stale", "never"
KINDS = ("tag", "severity", "table", "owner", "verdict", "id", STALE)
_NOT = "not:"
_FOLDED = frozenset({"severity", "verdict", "owner"})  # kinds in which capitals say nothing


@dataclass(frozen=True)
class Selection:
    """One wish: a kind, a pattern, and whether what fits is wanted or unwanted."""

    kind: str
    pattern: str  # "" for stale
    wanted: bool = True

    def fits(self, entry: Entry) -> bool:
        """Whether the check is of that kind."""
        if self.kind == STALE:
            return bool(entry.stale)
        return any(fnmatchcase(_folded(value, self.kind), self.pattern) for value in _values(entry, self.kind))


def parse_selection(text: str) -> Selection:
    """The selection that a text means: `kind:value`, `stale`, or one of these after `not:` or `-`.

    Raises: UsageMistake naming the kinds and the nearest one.
    """
    wanted = not text.startswith((_NOT, "-"))
    said = text.removeprefix(_NOT).removeprefix("-")
    kind, colon, pattern = said.partition(":")
    if kind not in KINDS or (kind == STALE) == bool(colon) or (colon and not pattern):
        nearest = nearest_name(kind, KINDS)
        guess = f'. Did you mean "{nearest}{"" if nearest == STALE else ":…"}"?' if nearest else ""
        forms = ", ".join(each if each == STALE else f"{each}:…" for each in KINDS)
        raise UsageMistake(f'cannot select by "{text}"; there are {forms}, each also after "not:"{guess}')
    return Selection(kind, _folded(pattern, kind), wanted)


def select(entries: Iterable[Entry], selections: Sequence[Selection]) -> list[Entry]:
    """The entries that the selections leave, in their order."""
    wanted: dict[str, list[Selection]] = {}
    for selection in selections:
        if selection.wanted:
            wanted.setdefault(selection.kind, []).append(selection)
    unwanted = [selection for selection in selections if not selection.wanted]
    return [
        entry
        for entry in entries
        if all(any(each.fits(entry) for each in group) for group in wanted.values())
        and not any(each.fits(entry) for each in unwanted)
    ]


def _values(entry: Entry, kind: str) -> tuple[str, ...]:
    check = entry.check
    if kind == "table":
        return entry.tables
    if kind == "verdict":
        return (str(entry.last_run.verdict) if entry.last_run else NEVER,)
    if kind == "id" or check is None:
        return (entry.id,) if kind == "id" else ()
    return {"tag": check.tags, "severity": (check.severity,), "owner": (check.owner,)}[kind]


def _folded(text: str, kind: str) -> str:
    return text.casefold() if kind in _FOLDED else text

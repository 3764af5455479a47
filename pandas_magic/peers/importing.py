"""What every importer does: pieces of a peer's file become checks, and whatever does not is listed with its place."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pandas_magic.constraints import (
    Compare,
    Constraint,
    describe,
)
from pandas_magic.constraints.algebra.rules import about_table
from pandas_magic.constraints.algebra.shapes import is_rounded
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.peers.marks import Mark, check_of
from pandas_magic.peers.transfers import CannotRead, CannotSay, Imported, NotUnderstood, Remark
from pandas_magic.record import Record
from pandas_magic.registry.severities import Severity

_ROUNDED = "computed numbers that differ by no more than rounding (1e-9) are equal here, and differ there"


@dataclass(frozen=True)
class Piece:
    """One test in a peer's file: where it stands, what it is called there, and how to read it.

    `shape` is the piece as plain values, to be compared with what our writer makes of `mark`.
    """

    where: str
    what: str
    read: Callable[[], Constraint]
    shape: Hashable = None
    mark: Mark | None = None
    name: str = ""
    severity: Severity = "medium"
    owner: str = ""
    tags: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass
class _Gathered:
    """Checks and complaints as they are gathered, with ids that are used once."""

    prefix: str
    checks: list[tuple[Constraint, Mark]] = field(default_factory=list)
    not_understood: list[NotUnderstood] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def free_id(self, wanted: str) -> str:
        taken = {mark.id for _, mark in self.checks}
        if wanted and wanted not in taken:
            return wanted
        stem = f"{wanted}-" if wanted else f"{self.prefix}-"
        number = 2 if wanted else 1
        while (found := f"{stem}{number:03d}" if not wanted else f"{stem}{number}") in taken:
            number += 1
        return found

    def imported(self) -> Imported:
        return Imported(
            checks=tuple(check_of(constraint, mark) for constraint, mark in self.checks),
            not_understood=tuple(self.not_understood),
            remarks=tuple(self.remarks),
        )


ShapesOf = Callable[[Constraint, Mark], Sequence[Hashable]]


def gather(
    pieces: Iterable[Piece],
    lost: Iterable[NotUnderstood],
    *,
    prefix: str,
    shapes_of: ShapesOf,
    marks: Iterable[Mark] = (),
    table: str = "",
) -> Imported:
    """The checks that the pieces are. `shapes_of` writes a marked rule again, as the shapes of its pieces.

    A mark is believed when all the pieces that its rule is written as stand in the file; other pieces are read by
    themselves. `marks` are those that stand apart from the pieces; one without any piece is listed as lost. Rules of
    marks are about `table` where that is said, and not about their own.
    """
    every = list(pieces)
    gathered = _Gathered(prefix, not_understood=list(lost))
    believed = _believed([*marks, *(piece.mark for piece in every if piece.mark is not None)], every, shapes_of)
    added: set[Mark] = set()
    for piece in every:
        owners = _owners(piece, believed)
        for mark in owners:
            if mark not in added:
                added.add(mark)
                _add(gathered, replace(piece, mark=mark), lambda mark=mark: _about(mark, table))  # type: ignore[misc] # mypy: a lambda with defaults
        if not owners:
            _add(gathered, piece, piece.read, edited=piece.mark is not None)
    known = added | {piece.mark for piece in every if piece.mark is not None}
    gathered.not_understood += [_without_check(mark) for mark in dict.fromkeys(marks) if mark not in known]
    return gathered.imported()


def _owners(piece: Piece, believed: Mapping[Mark, set[Hashable]]) -> list[Mark]:
    """The marks whose rule the piece is a part of; none when the piece was edited below its own mark."""
    owners = [mark for mark, shapes in believed.items() if piece.shape in shapes]
    return owners if piece.mark is None or piece.mark in owners else []


def _about(mark: Mark, table: str) -> Constraint:
    rule = mark.constraint
    return about_table(rule, rule.table, table) if table else rule


def _without_check(mark: Mark) -> NotUnderstood:
    reason = "its mark stands there, and the check itself does not"
    return NotUnderstood(where="metadata", what=mark.id, reason=reason)


def _believed(marks: Iterable[Mark], every: Sequence[Piece], shapes_of: ShapesOf) -> dict[Mark, set[Hashable]]:
    """The marks whose rules are written as pieces that are all there, with the shapes of those."""
    there = {piece.shape for piece in every if piece.shape is not None}
    found = {}
    for mark in dict.fromkeys(marks):
        try:
            shapes = set(shapes_of(mark.constraint, mark))
        except (CannotRead, CannotSay):
            continue
        if shapes and shapes <= there:
            found[mark] = shapes
    return found


def _add(gathered: _Gathered, piece: Piece, read: Callable[[], Constraint], *, edited: bool = False) -> None:
    said = piece.mark
    mark = Mark(
        id=gathered.free_id(next((name for name in (said.id if said else "", piece.name) if _is_id(name)), "")),
        rule=said.rule if said else "",
        name=said.name if said else piece.name,
        severity=said.severity if said else piece.severity,
        owner=said.owner if said else piece.owner,
        tags=said.tags if said else piece.tags,
    )
    try:
        constraint = read()
        check_of(constraint, mark)
    except CannotRead as reason:
        gathered.not_understood.append(NotUnderstood(where=piece.where, what=piece.what, reason=str(reason)))
        return
    gathered.checks.append((constraint, mark))
    notes = list(piece.remarks)
    if said is None and any(isinstance(part, Compare) and is_rounded(part) for part in _parts(constraint)):
        notes.append(_ROUNDED)
    if edited and said is not None and describe(constraint) != said.rule:
        notes.append(f"it was changed after it was exported; its mark still says: {said.rule}")
    gathered.remarks += [Remark(check_id=mark.id, text=note) for note in notes if note]


def _parts(constraint: Constraint) -> Iterator[Record]:
    for side in (getattr(constraint, "where", None), getattr(constraint, "must", None)):
        if side is not None:
            yield from nodes(side)


def _is_id(name: str) -> bool:
    return 0 < len(name) <= 60 and name.isprintable() and not any(sign in " ,;\"'`" for sign in name)

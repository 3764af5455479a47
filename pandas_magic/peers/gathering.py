"""What every reader does: pieces of a peer's file become checks, and whatever does not is listed with its place."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pandas_magic.constraints import (
    All,
    Column,
    Compare,
    Condition,
    Constraint,
    Expression,
    Not,
    Present,
    RowRule,
    Tolerance,
    describe,
)
from pandas_magic.constraints.algebra.shapes import is_rounded
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.peers.crossing_records import CannotRead, CannotSay, Imported, NotUnderstood, Remark
from pandas_magic.peers.marks import Mark, check_of
from pandas_magic.record import Record
from pandas_magic.registry.check import Severity

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


ShapesOf = Callable[[Constraint, Mark], Sequence[Hashable]]


def gather(
    pieces: Iterable[Piece],
    lost: Iterable[NotUnderstood],
    *,
    prefix: str,
    shapes_of: ShapesOf,
    marks: Iterable[Mark] = (),
) -> Imported:
    """The checks that the pieces are. `shapes_of` writes a marked rule again, as the shapes of its pieces.

    A mark is believed when all the pieces that its rule is written as stand in the file; other pieces are read by
    themselves. `marks` are those that stand apart from the pieces; one without any piece is listed as lost.
    """
    every = list(pieces)
    gathered = _Gathered(prefix, not_understood=list(lost))
    believed = _believed([*marks, *(piece.mark for piece in every if piece.mark is not None)], every, shapes_of)
    added: set[Mark] = set()
    for piece in every:
        owners = [mark for mark, shapes in believed.items() if piece.shape in shapes]
        if piece.mark is not None and piece.mark not in owners:
            owners = []
        for mark in owners:
            if mark not in added:
                added.add(mark)
                _add(gathered, replace(piece, mark=mark), lambda mark=mark: mark.constraint)  # type: ignore[misc] # mypy: a lambda with defaults
        if not owners:
            _add(gathered, piece, piece.read, edited=piece.mark is not None)
    for mark in dict.fromkeys(marks):
        if mark not in added and all(piece.mark != mark for piece in every):
            reason = "its mark stands there, and the check itself does not"
            gathered.not_understood.append(NotUnderstood(where="metadata", what=mark.id, reason=reason))
    return Imported(
        checks=tuple(check_of(constraint, mark) for constraint, mark in gathered.checks),
        not_understood=tuple(gathered.not_understood),
        remarks=tuple(gathered.remarks),
    )


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


def row_rule(
    table: str, must: Condition, where: Condition | None = None, tolerance: Tolerance | None = None
) -> RowRule:
    """A rule about rows."""
    return RowRule(table=table, where=where, must=must, tolerance=tolerance)


def judged_where_present(table: str, of: Sequence[Expression], rule: RowRule, max_share: float) -> RowRule:
    """The rule about rows in which the columns have a value, which are those whose share a peer counts."""
    present = tuple(Present(of=one) for one in of)
    known = () if rule.where is None else (rule.where,)
    scope = (*known, *present)
    where = scope[0] if len(scope) == 1 else All(conditions=scope)
    return row_rule(table, rule.must, where, Tolerance(max_share=max_share))


def column(name: object) -> Column:
    """The column. Raises: CannotRead when the name is no text."""
    if not isinstance(name, str) or not name:
        raise CannotRead(f"{name!r} is no column's name")
    return Column(name=name)


def scalars(values: object) -> tuple[bool | int | float | str, ...]:
    """The values of a list. Raises: CannotRead for anything but a list of texts, numbers and truth values."""
    if not isinstance(values, (list, tuple)) or not values:
        raise CannotRead(f"{values!r} is no list of values")
    found = tuple(value for value in values if isinstance(value, (bool, int, float, str)))
    if len(found) != len(values):
        raise CannotRead("its list holds something that is no text, number or truth value")
    return found


def negated(condition: Condition) -> Condition:
    """The condition that is false where the given one is true."""
    return Not(condition=condition)


def refuse_unknown(given: Mapping[str, object], known: Iterable[str], what: str) -> None:
    """Nothing when all arguments are known. Raises: CannotRead naming the others, which could change the meaning."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise CannotRead(f"{what} has {', '.join(unknown)}, which is not understood")

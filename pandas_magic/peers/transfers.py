"""What crosses between this package and a peer, and what does not: each check that is left behind has a reason."""

from pandas_magic.record import Record
from pandas_magic.registry.check import Check


class NotExpressed(Record):
    """A check that the peer cannot say, and why."""

    check_id: str
    reason: str


class NotUnderstood(Record):
    """A piece of a peer's file that no rule of ours says, where it stands, and why."""

    where: str  # "line 12", "expectations[3]"
    what: str
    reason: str


class Remark(Record):
    """What a reader must know of a check that did cross: where the two sides may differ."""

    check_id: str
    text: str


class Exported(Record):
    """The file for the peer, the ids of the checks that it holds, and what could not be said in it."""

    text: str
    expressed: tuple[str, ...]
    not_expressed: tuple[NotExpressed, ...] = ()
    remarks: tuple[Remark, ...] = ()


class Imported(Record):
    """Checks whose rules are canonical sentences, and what of the file is not among them."""

    checks: tuple[Check, ...]
    not_understood: tuple[NotUnderstood, ...] = ()
    remarks: tuple[Remark, ...] = ()


class CannotSay(Exception):
    """Raised inside a writer when the peer has no faithful form; the text is the reason."""


class CannotRead(Exception):
    """Raised inside a reader for a piece that no rule of ours says; the text is the reason."""


def unread_from(text: str, place: int) -> CannotRead:
    """The error that says at which letter of a filter reading ended."""
    rest = text[place : place + 30] or "the end"
    return CannotRead(f"{rest!r} at character {place + 1} of {text!r} is not understood")

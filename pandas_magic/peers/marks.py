"""What of a check travels beside the rule itself: a mark in the peer's own place for remarks, and back again.

A mark is believed only when writing its rule again gives what stands in the file. Whoever edits an expectation and
leaves the mark changes the rule, and is taken at the expectation's word.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError

from pandas_magic.constraints import Constraint, describe, reads
from pandas_magic.peers.transfers import CannotRead
from pandas_magic.planner.language import MAX_CHARACTERS
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.record import Record
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.severities import Severity

KEY = "pandas_magic"


class Mark(Record):
    """A check as it stands beside its rule in a peer's file."""

    id: str
    rule: str  # in canonical words
    sentence: str = ""  # as the person wrote it
    name: str = ""
    severity: Severity = "medium"
    owner: str = ""
    tags: tuple[str, ...] = ()
    types: dict[str, dict[str, str]] = Field(default_factory=dict)  # table -> column -> dtype, those the code reads

    def __hash__(self) -> int:
        return hash((self.id, self.rule))

    @property
    def constraint(self) -> Constraint:
        """The rule. Raises: CannotRead when its words are not canonical ones."""
        found = read_canonical(self.rule)
        if found is None:
            raise CannotRead(f"the rule {self.rule!r} in the mark of {self.id} is not in canonical words")
        return found


def mark_of(compiled: CompiledCheck) -> Mark:
    """The mark of a check with a typed rule."""
    assert compiled.constraint is not None
    check = compiled.check
    return Mark(
        id=check.id,
        rule=describe(compiled.constraint),
        sentence=check.rule,
        name=check.name,
        severity=check.severity,
        owner=check.owner,
        tags=check.tags,
        types=compiled.schemas,
    )


def marked(mark: Mark) -> dict[str, Any]:
    """The mark as plain values, without what is empty."""
    return {KEY: {name: value for name, value in mark.to_dict().items() if value}}


def read_mark(meta: object) -> Mark | None:
    """The mark among a peer's remarks, or None when there is none that can be read."""
    content = meta.get(KEY) if isinstance(meta, Mapping) else None
    if not isinstance(content, Mapping):
        return None
    try:
        return Mark.model_validate(dict(content))
    except ValidationError:
        return None


def check_of(constraint: Constraint, mark: Mark) -> Check:
    """The check that the rule is, with what the mark says of it.

    Raises: CannotRead when the rule's words would not be read back as the same rule, or are too many.
    """
    words = describe(constraint)
    if len(words) > MAX_CHARACTERS:
        raise CannotRead(f"its rule would have {len(words)} characters, more than {MAX_CHARACTERS}; make it two")
    if read_canonical(words) != constraint:
        raise CannotRead(f"its rule has no words that are read back as the same rule: {words}")
    return Check(
        id=mark.id,
        rule=words,
        name=mark.name,
        tables=tuple(reads(constraint)),
        severity=mark.severity,
        owner=mark.owner,
        tags=mark.tags,
    )

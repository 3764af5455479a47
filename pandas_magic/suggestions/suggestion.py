"""A check that is offered: a rule in canonical words, why, where from, and what it finds today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pandas_magic.history.run import Run


@dataclass(frozen=True)
class Idea:
    """A rule that may be offered, before it is tried. `place` is the line, the table or the check that it is from."""

    sentence: str
    because: str
    place: str


@dataclass(frozen=True)
class Suggestion:
    """A rule that was proved and run on the tables as they are, and kept nowhere."""

    sentence: str
    because: str
    place: str
    run: Run
    kept_as: str = ""  # the check that says it already; "": none

    def lines(self, number: int) -> Iterator[str]:
        """What people read of it."""
        kept = f" (it is {self.kept_as} already)" if self.kept_as else ""
        yield f"{number:>3}  {self.sentence}{kept}"
        yield f"     {self.run.summary}"
        yield f"     {self.place}: {self.because}" if self.place else f"     {self.because}"

    def facts(self) -> dict[str, Any]:
        """The same as plain values."""
        run = self.run
        found = {"verdict": str(run.verdict), "failing_rows": run.violation_count, "rows": run.rows}
        told = {"rule": self.sentence, "because": self.because, "place": self.place, "kept_as": self.kept_as}
        return {**told, **found, "summary": run.summary}


@dataclass(frozen=True)
class Withheld:
    """What might have been offered and is not, with the reason in one clause."""

    place: str
    what: str
    reason: str

    def line(self) -> str:
        """What people read of it."""
        return f"{self.place}: {self.what}: {self.reason}" if self.what else f"{self.place}: {self.reason}"


@dataclass(frozen=True)
class Suggestions:
    """What is offered, in the order of its worth, and what is not."""

    offered: tuple[Suggestion, ...]
    withheld: tuple[Withheld, ...] = ()

"""What the confined explorer answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from pandas_magic.explore.details import ProbeResult
from pandas_magic.explore.drawing.figure import Figure
from pandas_magic.explore.picture import Picture
from pandas_magic.explore.probe_facts import misfit_of_facts

Json = dict[str, Any]


@dataclass(frozen=True)
class Problem:
    """Why an answer is none. `kind` is the sandbox's status, or parse_error, unreadable, unknown."""

    kind: str
    text: str  # one line
    trace: str = ""  # the traceback, or the end of what was printed
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ExplorerAnswer:
    """One JSON document, or a problem. A confined process may say anything: what it said is checked here."""

    document: Json
    problem: Problem | None = None
    seconds: float = 0.0

    def as_probe(self) -> ProbeResult | Problem:
        """The result of a probe, or why it is none."""
        if self.problem is not None:
            return self.problem
        try:
            result = ProbeResult.model_validate(self.document)
        except ValidationError as error:
            return Problem("parse_error", f"its result does not fit: {str(error).splitlines()[0]}")
        misfit = misfit_of_facts(result.probe, result.facts)
        return Problem("parse_error", f"its result does not fit: {misfit}") if misfit else result

    def as_pictures(self) -> tuple[list[Picture], list[str]]:
        """The pictures that fit, drawn, and what is wrong with the others."""
        said = self.document.get("pictures")
        pictures, wrong = list[Picture](), list[str]()
        for number, entry in enumerate(said if isinstance(said, list) else (), 1):
            try:
                pictures.append(Picture.of(Figure.model_validate(entry)))
            except ValidationError as error:
                wrong.append(f"picture {number} does not fit: {str(error).splitlines()[0]}")
        return pictures, wrong

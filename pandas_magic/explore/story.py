"""The summary of a report in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Story:
    """The sentences, who wrote them, and "low" confidence when they rest on a sample, a doubt or a repair."""

    sentences: tuple[str, ...] = ()
    author: str = "rules"
    confidence: str = "high"

    @property
    def text(self) -> str:
        """All of it, ending in the confidence when that is low."""
        told = " ".join(self.sentences)
        return f"{told} (confidence: low)" if self.confidence == "low" else told

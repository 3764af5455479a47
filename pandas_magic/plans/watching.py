"""Looking on while a request is worked on."""

from typing import Protocol


class Watcher(Protocol):
    """Who looks on while a request is worked on. The pipeline calls it, always in the thread that it runs in."""

    def stage(self, name: str, detail: str = "") -> None:
        """A stage begins, or says more about itself."""

    def text(self, piece: str) -> None:
        """A piece of what the model writes."""


class Nobody:
    """Looks at nothing."""

    def stage(self, name: str, detail: str = "") -> None:
        """Do nothing with the stage."""

    def text(self, piece: str) -> None:
        """Do nothing with the piece."""

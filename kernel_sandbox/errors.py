"""What can go wrong, as one tree. Code that fails is no error here: it comes back as an `Execution`.

Each class has a `code`, which stands at the end of the line that people see and leads to its part of docs/errors.md.

SandboxError
├── SandboxUnavailable    this machine lacks a lock, or the confined process could not be started
├── SandboxDied           the confined process ended while it was asked for something other than running code
├── StageError            a table or value that cannot be handed to the sandbox
└── FetchError            a variable that is missing, is of another kind, or is not to be trusted
"""

import sys


class SandboxError(Exception):
    """The base of all errors of this package. Shown as one line in a notebook."""

    code: str = "KS101"

    def _render_traceback_(self) -> list[str]:
        # IPython shows this instead of a traceback; nbclient still sees the name and the text.
        return [f"{type(self).__name__}: {self} ({self.code})"]


class SandboxUnavailable(SandboxError):
    """A lock that this machine cannot set. `reason` says which and why, `remedy` what to do about it."""

    code = "KS102"

    def __init__(self, reason: str, remedy: str) -> None:
        self.reason, self.remedy = reason, remedy
        super().__init__(f"{reason}. {remedy}")


def not_linux() -> SandboxUnavailable:
    """The refusal for a system that is no Linux."""
    return SandboxUnavailable(
        f"confinement needs Linux, and this is {sys.platform}", "On Windows use WSL2, on macOS a Linux container"
    )


class SandboxDied(SandboxError):
    """The confined process ended. `reason` says why, as far as it is known."""

    code = "KS103"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the sandbox ended: {reason}; its variables are gone, and the next call starts a fresh one")


class StageError(SandboxError):
    """A table or value that cannot be handed to the sandbox."""

    code = "KS104"

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f'"{name}" was not staged: {reason}')


class FetchError(SandboxError):
    """A variable that could not be read back."""

    code = "KS105"

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f'"{name}" was not fetched: {reason}')

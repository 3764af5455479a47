"""What runs in a kernel before its turn: the next check of a batch, while what the one before found is judged."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from kernel_sandbox import SandboxError

Answer = TypeVar("Answer")


@dataclass
class _Begun(Generic[Answer]):
    program: str
    thread: threading.Thread = field(init=False)
    answers: list[Answer] = field(default_factory=list)


class Forerun(Generic[Answer]):
    """At most one program on its way, in a thread of its own; whoever needs the kernel waits for its end first."""

    def __init__(self) -> None:
        self._begun: _Begun[Answer] | None = None

    @property
    def is_begun(self) -> bool:
        """Whether there is a program whose answer was neither taken nor dropped."""
        return self._begun is not None

    def begin(self, program: str, run: Callable[[], Answer | None]) -> None:
        """Let `run` find the answer to the program; where it finds none, or raises, nothing is told of it."""
        begun = self._begun = _Begun[Answer](program)

        def find() -> None:
            with suppress(SandboxError):
                answer = run()
                begun.answers += [] if answer is None else [answer]

        begun.thread = threading.Thread(target=find, name="next check", daemon=True)
        begun.thread.start()

    def settle(self) -> None:
        """Wait until nothing is on its way."""
        begun = self._begun
        if begun is not None:
            begun.thread.join()

    def has_failed(self) -> bool:
        """Whether something was begun, and has no answer now that it is over: it may have ended with its kernel."""
        self.settle()
        begun = self._begun
        return begun is not None and not begun.answers

    def take(self, program: str) -> list[Answer]:
        """The answer, where it is this program that was begun; else none, and that to another is dropped."""
        self.settle()
        begun, self._begun = self._begun, None
        return begun.answers if begun is not None and begun.program == program else []

    def drop(self) -> None:
        """Forget what was begun, once it is over: it was about tables, or a kernel, that are no more."""
        self.settle()
        self._begun = None

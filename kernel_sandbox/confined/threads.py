"""Which request a thread belongs to: that of whoever started it, however long it lives."""

import _thread
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

# The standard library starts threads by one of these names; which of them there are depends on the version of Python.
_BEGINNINGS = (
    (_thread, "start_new_thread"),
    (_thread, "start_joinable_thread"),
    (threading, "_start_new_thread"),
    (threading, "_start_joinable_thread"),
)


class ThreadOrigins:
    """The number of the present request, and of the request of each thread; 0 before the first."""

    def __init__(self) -> None:
        self._latest, self._is_over = 0, True
        self._requests: dict[int, int] = {}

    def begin(self, request: int) -> None:
        """From here on the main thread, and what it starts, belongs to `request`."""
        self._latest, self._is_over = request, False

    def end(self) -> None:
        """From here on all that is said comes late."""
        self._is_over = True

    def own(self) -> int:
        """The request to which this thread belongs; the latest one for threads of libraries below Python."""
        return self._requests.get(threading.get_ident(), self._latest)

    def is_late(self) -> bool:
        """Whether the request of this thread has ended."""
        return self._is_over or self.own() != self._latest

    def follow(self) -> None:
        """See every start of a thread, from here on and for the rest of the process."""
        for module, name in _BEGINNINGS:
            if hasattr(module, name):
                setattr(module, name, self._followed(getattr(module, name)))

    def _followed(self, begin: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(begin)
        def begin_kin(function: Callable[..., object], /, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - passed on
            request = self.own()

            @wraps(function)
            def run_kin(*given: Any, **also: Any) -> None:  # noqa: ANN401 - passed on
                self._requests[threading.get_ident()] = request
                try:
                    function(*given, **also)
                finally:
                    # The next thread may get this number.
                    del self._requests[threading.get_ident()]

            return begin(run_kin, *arguments, **named)

        return begin_kin

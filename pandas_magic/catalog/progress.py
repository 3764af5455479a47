"""How far something long has come, told to whoever looks on, without every function in between handing it down."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watcher = Callable[[str], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
# Before so much has passed, nothing is said of the time that remains: the first parts say little about the others.
_TELLING_SECONDS = 1.0


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Within the block, what is told goes to `watcher`."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def tell(text: str) -> None:
    """Tell whoever looks on; nobody has to."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(text)


def pace(what: str, done: float, total: float, *, seconds: float, unit: str) -> str:
    """One line: `reading orders: 25 %, 310 MB/s, about 40 s left`; `unit` is that of `done` and `total`."""
    share = min(done / total, 1.0) if total else 1.0
    said = f"{what}: {share:.0%}".replace("%", " %")
    if seconds < _TELLING_SECONDS or not done:
        return said
    rate = done / seconds
    return f"{said}, {rate:,.0f} {unit}/s, {_left(max(total - done, 0) / rate)}"


def _left(seconds: float) -> str:
    if seconds < 1:
        return "nearly done"
    minutes, rest = divmod(round(seconds), 60)
    return f"about {minutes} min {rest} s left" if minutes else f"about {rest} s left"

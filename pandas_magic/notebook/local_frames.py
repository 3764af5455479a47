"""Frames of a function that calls a magic: tables are the notebook's own, and one of the same name is another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from types import FrameType

from pandas_magic.catalog.sources.memory import is_frame
from pandas_magic.errors import UsageMistake

_OURS = ("pandas_magic", "IPython")  # packages whose functions stand between a magic and what called it


def refuse_local_frames(namespace: Mapping[str, object], tables: Callable[[], Iterable[str]]) -> None:
    """Refuse a magic whose caller is a function that calls a frame of its own as a table is called.

    `tables` gives the names of all tables; it is asked only where such a function has frames. IPython hands a cell
    magic the notebook's names for those of the function, so that they are looked for on the stack.

    Raises: UsageMistake naming the frame and the function.
    """
    caller = _caller()
    if caller is None or caller.f_locals is caller.f_globals:
        return
    own = [name for name, value in caller.f_locals.items() if is_frame(value) and namespace.get(name) is not value]
    if own and (same := sorted(set(own) & set(tables()))):
        raise UsageMistake(
            f"{same[0]} in {caller.f_code.co_name} is not the table {same[0]} that a magic reads, which is the "
            f'notebook\'s; call it otherwise, say "global {same[0]}" in the function, or use pandas_magic.check there'
        )


def _caller() -> FrameType | None:
    frame: FrameType | None = sys._getframe()
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] in _OURS:
        frame = frame.f_back
    return frame

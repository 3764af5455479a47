"""`checks/patch.json`: the corrections that people made and nobody applied yet. The tables are not touched."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from pandas_magic.corrections.correction import Correction
from pandas_magic.errors import StateUnreadable, UsageMistake
from pandas_magic.state import locked, write_whole

_NAME = "patch.json"
_CORRECTIONS = TypeAdapter(tuple[Correction, ...])
Corrections = tuple[Correction, ...]


class PatchFile:
    """The patch in `folder`, where the checks lie; it is read anew each time, since others may write it."""

    def __init__(self, folder: Path, *, lock_folder: Path) -> None:
        self.path, self._lock = folder / _NAME, lock_folder / _NAME

    def read(self) -> Corrections:
        """All corrections in the order in which they were made. Raises: StateUnreadable when the file is damaged."""
        if not self.path.exists():
            return ()
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
            return _CORRECTIONS.validate_python(content["corrections"])
        except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
            raise StateUnreadable(f"{self.path} is no patch that can be read: {str(error).splitlines()[0]}") from error

    def put(self, correction: Correction) -> Correction | None:
        """Keep a correction in the place of an earlier one of the same value, whose old value stays.

        None when the value is then what it was, so that nothing is left to correct.
        """
        kept: list[Correction] = []

        def change(before: Corrections) -> Corrections:
            earlier = next((one for one in before if one.cell == correction.cell), None)
            old = earlier.old if earlier else correction.old
            if correction.new != old or type(correction.new) is not type(old):
                kept.append(correction.model_copy(update={"old": old}))
            return (*(one for one in before if one.cell != correction.cell), *kept)

        self._change(change)
        return kept[0] if kept else None

    def take_back(self, number: int) -> Correction:
        """Forget the correction of this number, from 1, and give it back. Raises: UsageMistake when there is none."""
        taken: list[Correction] = []

        def change(before: Corrections) -> Corrections:
            if not 1 <= number <= len(before):
                raise UsageMistake(f"there is no correction {number}; patch lists the {len(before)} there are")
            taken.append(before[number - 1])
            return (*before[: number - 1], *before[number:])

        self._change(change)
        return taken[0]

    def _change(self, change: Callable[[Corrections], Corrections]) -> None:
        with locked(self._lock):
            after = change(self.read())
            write_whole(self.path, _document(after)) if after else self.path.unlink(missing_ok=True)


def _document(corrections: Sequence[Correction]) -> str:
    # A line for each, so that two people's patches merge.
    lines = ",\n".join(json.dumps(one.model_dump(mode="json"), ensure_ascii=False) for one in corrections)
    return f'{{"version": 1, "corrections": [\n{lines}\n]}}\n'

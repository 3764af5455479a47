"""The cells that were run, for front ends that ask; kept here, where the code cannot change it."""

import fnmatch
from collections import deque
from dataclasses import dataclass

from kernel_sandbox.front.strict_json import Json

_MOST_CELLS = 2000
_MOST_CHARACTERS = 4_000_000
_SESSION = 1


@dataclass(frozen=True)
class RunCell:
    """One cell with its number, and the text of its result if it had one."""

    count: int
    code: str
    result: str = ""


class History:
    """The latest cells of one kernel."""

    def __init__(self) -> None:
        self._cells: deque[RunCell] = deque()
        self._characters = 0

    def add(self, cell: RunCell) -> None:
        """Remember a cell; the oldest are forgotten."""
        self._cells.append(cell)
        self._characters += len(cell.code) + len(cell.result)
        while len(self._cells) > _MOST_CELLS or self._characters > _MOST_CHARACTERS:
            gone = self._cells.popleft()
            self._characters -= len(gone.code) + len(gone.result)

    def reply(self, asked: Json) -> Json:
        """The content of a history_reply."""
        cells = list(self._cells)
        match asked.get("hist_access_type"):
            case "range":
                start, stop = asked.get("start") or 0, asked.get("stop")
                cells = [cell for cell in cells if start <= cell.count and (stop is None or cell.count < stop)]
                cells = cells if asked.get("session") in (0, _SESSION) else []
            case "search":
                pattern = asked.get("pattern") or "*"
                cells = [cell for cell in cells if fnmatch.fnmatchcase(cell.code, pattern)]
                if asked.get("unique"):
                    cells = list({cell.code: cell for cell in cells}.values())
                cells = _last(cells, asked.get("n"))
            case _:
                cells = _last(cells, asked.get("n"))
        told = [
            [_SESSION, cell.count, [cell.code, cell.result or None] if asked.get("output") else cell.code]
            for cell in cells
        ]
        return {"status": "ok", "history": told}


def _last(cells: list[RunCell], most: object) -> list[RunCell]:
    return cells[-most:] if isinstance(most, int) and most > 0 else cells

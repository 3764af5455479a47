"""What stands behind the parts of cards that can be clicked: the page asks by key, the part answers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Protocol

from pandas_magic.errors import PandasMagicError, error_line
from pandas_magic.notebook.page.bridge import PageBridge

# A part holds its rows. An older card stays what nbconvert would show of it.
_MOST_PARTS = 64

Answer = tuple[dict[str, Any], Sequence[bytes]]  # what the page gets: JSON, and bytes beside it


class LivePart(Protocol):
    """Answers what the page asks about one part of a card."""

    def answer(self, asked: dict[str, Any]) -> Answer:
        """The answer to `asked["ask"]`; "open" comes first and says which kind of part it is."""
        ...


class LiveParts:
    """The parts of one notebook by key, the latest ones."""

    def __init__(self, bridge: PageBridge) -> None:
        self._bridge = bridge
        self._parts: OrderedDict[str, LivePart] = OrderedDict()
        bridge.on("ask", self._answer)

    def put(self, key: str, part: LivePart) -> None:
        """Have `part` answer for the elements that carry `key`; nothing is kept where no page looks on."""
        if not self._bridge.is_watched():
            return
        self._parts[key] = part
        self._parts.move_to_end(key)
        while len(self._parts) > _MOST_PARTS:
            self._parts.popitem(last=False)

    def _answer(self, asked: dict[str, Any]) -> None:
        answer: dict[str, Any] = {"gone": True}
        buffers: Sequence[bytes] = ()
        part = self._parts.get(str(asked.get("key")))
        if part is not None:
            self._parts.move_to_end(str(asked["key"]))
            try:
                answer, buffers = part.answer(asked)
            except PandasMagicError as error:
                answer = {"error": str(error)}
            except Exception as error:
                # The edge of the kernel: whatever went wrong is said where the person looks.
                answer = {"error": error_line(error)}
        self._bridge.send({"kind": "answer", "request": asked.get("request"), **answer}, buffers)

"""Saved cells put below the cell that made them, by the surest way that the front end has.

JupyterLab and Notebook 7: a hidden widget whose page side edits the notebook (`insertion.js`). Others that show cells:
IPython's `set_next_input`, which carries one cell. Runs without a page (nbconvert, papermill): nothing is inserted.

A magic never waits for the page: its answer comes only after the cell has ended. So every request is kept until it
is acknowledged, and sent again when the page says that it is ready.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pandas_magic.notebook.page.bridge import PageBridge, cell_id, is_page, request_of
from pandas_magic.notebook.saved_cell import cell_metadata, cell_text
from pandas_magic.registry.compiled_check import CompiledCheck

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

# A page that acknowledges at all does so within this; a person's next run after it without an answer means that no
# page side is there.
_ANSWER_WITHIN = timedelta(seconds=5)


@dataclass(frozen=True)
class _Request:
    sent_at: datetime
    message: dict[str, Any]


class Inserter:
    """Puts saved cells into the notebook that `shell` serves."""

    def __init__(self, shell: InteractiveShell, bridge: PageBridge) -> None:
        self._shell, self._bridge = shell, bridge
        self._waiting: dict[str, _Request] = {}
        self._can_insert: bool | None = None  # None: the page has not answered yet
        self.failures: list[str] = []  # what the page could not do, in its own words
        bridge.on("ready", self._page_is_ready)
        bridge.on("done", self._page_has_inserted)

    def insert(self, checks: Sequence[CompiledCheck], *, after: str = "") -> str:
        """Put the saved cells of freshly compiled checks below the cell that is running, or the one whose id is given.

        The answer is a remark for the person, or "" when there is nothing to remark.
        """
        anchor = after or cell_id(self._shell)
        if not checks or not anchor:
            return ""
        if is_page(anchor) and not self._page_is_silent():
            self._bridge.prepare()
            self._send(anchor, [_cell(check) for check in checks])
            return ""
        return self._as_next_input(checks)

    def insert_cells(self, cells: Sequence[dict[str, Any]]) -> None:
        """Put cells below the one that is running: "source", "metadata", "id", and the "check" that names each.

        A front end that takes one new cell gets the first.
        """
        anchor = cell_id(self._shell)
        if not cells or not anchor:
            return
        if is_page(anchor) and not self._page_is_silent():
            self._bridge.prepare()
            self._send(anchor, cells)
        else:
            self._shell.set_next_input(cells[0]["source"], replace=False)

    def _send(self, anchor: str, cells: Sequence[dict[str, Any]]) -> None:
        request = uuid.uuid4().hex
        message = {"kind": "insert", "request": request, "after": anchor, "cells": list(cells)}
        self._waiting[request] = _Request(datetime.now(UTC), message)
        self._bridge.send(message)

    def _page_is_ready(self, said: dict[str, Any]) -> None:
        self._can_insert = bool(said.get("can_insert"))
        for request in self._waiting.values():
            self._bridge.send(request.message)

    def _page_has_inserted(self, said: dict[str, Any]) -> None:
        self._can_insert = True
        self._waiting.pop(str(said.get("request")), None)
        if said.get("error"):
            self.failures.append(str(said["error"]))

    def _page_is_silent(self) -> bool:
        if self._can_insert is not None:
            return not self._can_insert
        # During Run All the answers queue behind the cells, so only a request that the person made later counts.
        asked_at = request_of(self._shell).get("header", {}).get("date")
        if not isinstance(asked_at, datetime):
            return False
        return any(asked_at - request.sent_at > _ANSWER_WITHIN for request in self._waiting.values())

    def _as_next_input(self, checks: Sequence[CompiledCheck]) -> str:
        if len(checks) == 1:
            self._shell.set_next_input(cell_text(checks[0]), replace=False)
            return ""
        # Front ends read one payload of an execution, so several cells would silently become one of them.
        self._shell.set_next_input(f"%check --run {','.join(check.id for check in checks)}", replace=False)
        return (
            f"This front end takes one new cell at a time: it runs all {len(checks)} checks. "
            "Their code is in the registry; `%checks save FILE.ipynb` writes a cell for each."
        )


def _cell(check: CompiledCheck) -> dict[str, Any]:
    return {
        "check": check.id,
        "id": uuid.uuid4().hex[:8],
        "source": cell_text(check),
        "metadata": cell_metadata(check),
    }

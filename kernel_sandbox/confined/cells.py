"""One cell: run within a running event loop, as a notebook has it, and what came of it."""

import asyncio
import contextlib
import sys
from typing import Any

from IPython.core.interactiveshell import ExecutionResult

from kernel_sandbox.confined.shell import ConfinedShell

Content = dict[str, Any]
# Name, text, lines of the traceback, line of the cell, and whether it was shown as a traceback.
Raised = tuple[str, str, list[str], int | None, bool]


class CellRunner:
    """Runs cells in one shell, one after the other, in `loop`; `error` is what the last one raised."""

    loop: asyncio.AbstractEventLoop

    def __init__(self, shell: ConfinedShell) -> None:
        self._shell = shell
        self.error: Raised | None = None

    def run(self, request: Content) -> Content:
        """The content of the execute_reply but for the error.

        Raises: KeyboardInterrupt when the code waits or has left a trap while it is interrupted.
        """
        self.error, self._shell.raised = None, None
        task = self.loop.create_task(self._run(request))
        try:
            result = self.loop.run_until_complete(task)
        except KeyboardInterrupt:
            task.cancel()
            # How it takes its end is the code's own affair.
            with contextlib.suppress(BaseException):
                self.loop.run_until_complete(task)
            raise
        raised = self._shell.raised
        if raised is not None and not result.success:
            self.error = (*raised, True)
        elif not result.success:
            # An exception can spoil the telling of itself; it is an error all the same.
            self.error = _untold(result.error_before_exec or result.error_in_exec)
        elif raised is not None:
            # The cell went on: a value could not be shown, or a callback failed.
            print(*raised[2], sep="\n", file=sys.stderr)
        return self._content(request.get("user_expressions") or {})

    def interrupted(self) -> Content:
        """The content of the reply of a cell that ended by an interrupt which it could not tell of."""
        self.error = ("KeyboardInterrupt", "", ["KeyboardInterrupt"], None, True)
        return self._content({})

    async def _run(self, request: Content) -> ExecutionResult:
        shell, code = self._shell, request["code"]
        options = {"store_history": request["store_history"], "silent": request["silent"]}
        transformed, failure = code, None
        try:
            transformed = shell.transform_cell(code)  # type: ignore[no-untyped-call] # IPython's
        except Exception:
            # A transformer of the code's own may fail in any way; the shell tells of it.
            failure = sys.exc_info()
        if not shell.should_run_async(code, transformed_cell=transformed, preprocessing_exc_tuple=failure):
            return shell.run_cell(code, **options)  # type: ignore[no-untyped-call, no-any-return] # IPython's
        result = None
        try:
            result = await shell.run_cell_async(
                code, transformed_cell=transformed, preprocessing_exc_tuple=failure, **options
            )
        finally:
            shell.events.trigger("post_execute")
            if not request["silent"]:
                shell.events.trigger("post_run_cell", result)
        return result

    def _content(self, expressions: dict[str, str]) -> Content:
        shell = self._shell
        assert shell.payload_manager is not None
        pages = shell.payload_manager.read_payload()
        shell.payload_manager.clear_payload()
        return {
            "execution_count": shell.execution_count - 1,
            "user_expressions": shell.user_expressions(expressions) if self.error is None else {},  # type: ignore[no-untyped-call] # IPython's
            "payload": pages,
            "raised": self.error is not None,
        }


def _untold(error: BaseException | bool | None) -> Raised:
    try:
        text = str(error)
    except (Exception, SystemExit):
        # The text of an exception is computed by code that nobody trusts.
        text = "the code failed, and its error could not be told"
    name = type(error).__name__
    return name, text, [f"{name}: {text}"], None, False

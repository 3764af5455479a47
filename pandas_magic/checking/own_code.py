"""The compiler's own code: many checks share a kernel and the tables staged in it, and only positions come back.

What is exactly what the compiler writes for a rule was written by us, so nothing that ran before it in the same kernel
can have meddled with it. All other code runs alone.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Literal

import pandas as pd

from kernel_sandbox import Execution, Sandbox, SandboxError, SandboxUnavailable
from pandas_magic.catalog import Catalog
from pandas_magic.catalog.arrow import with_dtypes
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.partitions import estimated_bytes
from pandas_magic.clock import Instant
from pandas_magic.constraints import identifier
from pandas_magic.registry.compiled_check import CompiledCheck

# In a function, so that masks and copies are gone when the next check begins.
_PROGRAM = """now, utc_now = pd.Timestamp({now!r}), pd.Timestamp({utc_now!r})
def _check():
{code}
    return violations
_found = {what}
del _check
"""
# What is wanted of the rows found, and what the program binds for it.
Wanted = Literal["rows", "positions", "count"]
_BOUND: dict[Wanted, str] = {
    "rows": "_check()",
    "positions": 'pd.DataFrame({"position": _check().index})',
    "count": "len(_check())",
}
# The tables of a batch may take so much of the kernel's memory; the masks and copies of code come on top.
_LARGE_SHARE = 2


@dataclass(frozen=True)
class OwnFound:
    """What own code found, as it was wanted; nothing of it when the time was over."""

    execution: Execution
    rows: pd.DataFrame | None = None
    positions: tuple[int, ...] | None = None
    count: int | None = None


class OwnCode:
    """Runs code of our own at a bench, on tables of a catalog."""

    def __init__(self, catalog: Catalog, bench: Bench, *, wall_seconds: float, memory_bytes: int) -> None:
        self._catalog, self._bench = catalog, bench
        self._wall_seconds, self._memory_bytes = wall_seconds, memory_bytes

    def find(
        self,
        compiled: CompiledCheck,
        code: str,
        frames: Mapping[str, pd.DataFrame],
        instant: Instant,
        *,
        wanted: Wanted,
    ) -> OwnFound | None:
        """What `code`, our own, finds; None when it died or raised, so that it should be tried once more, alone.

        Raises: kernel_sandbox.SandboxUnavailable when the code could not be confined.
        """
        try:
            sandbox = self._bench.own_sandbox(self._catalog)
            self._stage(sandbox, compiled, frames)
            moments = {"now": instant.local.isoformat(), "utc_now": instant.utc.isoformat()}
            program = _PROGRAM.format(code=indent(code, "    "), what=_BOUND[wanted], **moments)
            execution = sandbox.execute(program, wall_seconds=self._wall_seconds)
            if execution.status == "ok":
                return _fetched(sandbox, execution, wanted)
        except SandboxUnavailable:
            raise
        except SandboxError:
            self._bench.forget()
            return None
        self._bench.forget()
        return OwnFound(execution) if execution.status == "timeout" else None

    def _stage(self, sandbox: Sandbox, compiled: CompiledCheck, frames: Mapping[str, pd.DataFrame]) -> None:
        for name, frame in frames.items():
            staged = self._bench.staged.get(name, {})
            if any(staged.get(str(column)) != str(dtype) for column, dtype in frame.dtypes.items()):
                staging = self.with_expected(name, compiled, frame)
                sandbox.stage(identifier(name), staging)
                self._bench.staged[name] = {str(column): str(dtype) for column, dtype in staging.dtypes.items()}

    def with_expected(self, name: str, compiled: CompiledCheck, frame: pd.DataFrame) -> pd.DataFrame:
        """The frame, with the columns that other checks of the batch read as well, where these fit into the memory."""
        table = self._catalog.schema(name)
        expected: Collection[str] = self._bench.expected.get(name, ())
        more = [column for column in table.columns if column in expected or column in frame]
        if len(more) == len(frame.columns) or (need := estimated_bytes(table, more)) is None:
            return frame
        if need > self._memory_bytes // _LARGE_SHARE // max(len(self._bench.expected), 1):
            return frame
        return with_dtypes(self._catalog.frame(name, more), compiled.schemas.get(name, {}))


def _fetched(sandbox: Sandbox, execution: Execution, wanted: Wanted) -> OwnFound:
    if wanted == "count":
        count = sandbox.fetch_record("_found")
        assert isinstance(count, int)
        return OwnFound(execution, count=count)
    frame = sandbox.fetch_frame("_found")
    if wanted == "rows":
        return OwnFound(execution, rows=frame)
    return OwnFound(execution, positions=tuple(frame["position"].tolist()))

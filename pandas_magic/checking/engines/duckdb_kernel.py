"""DuckDB inside a confined kernel: SELECTs of ours over staged tables; only positions come back."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import pandas as pd

from kernel_sandbox import Execution, Sandbox, SandboxError, SandboxUnavailable
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.engines.answer import EngineAnswer, EngineQuestion
from pandas_magic.checking.engines.writing import POSITION
from pandas_magic.constraints import identifier

# Read, not imported: DuckDB may not be installed, and is loaded in the kernel alone.
_CONFINED = Path(__file__).with_name("confined_duckdb.py")
# DuckDB ends its process where it may not look how much memory the group of processes has.
_MEMORY_OF_THE_GROUP = ("/proc/self/cgroup", "/sys/fs/cgroup")
# The tables, as Arrow and as pandas has them, come on top of what DuckDB itself may take; files that it reads do not.
_MEMORY_OF_FRAMES, _MEMORY_OF_FILES = 0.5, 0.6
# Python, pandas and DuckDB themselves, before they hold anything.
_OWN_BYTES = 256 * 1024**2
# What does not fit into it lies in the kernel's folder, up to so many times the memory of the kernel.
_SPILL_SHARE = 4
# An answer is a column of numbers.
_MOST_NUMBERS = 32_000_000
_THREADS = 2
_PROGRAM = """import os
if "_in_duckdb" not in globals():
    exec(compile({source!r}, "confined_duckdb.py", "exec"), globals())
    _spill = os.path.join(os.getcwd(), "spill")
    _in_duckdb = TablesInDuckDb({position!r}, spill=_spill, **{limits!r})
_asked = []
for _select, _names, _columns in {questions!r}:
    _asked.append((_select, {{name: globals()[at] for name, at in _names.items()}}, _columns))
_found = pd.DataFrame({{"numbers": _in_duckdb.found_by_each(_asked, most_seconds={most_seconds!r})}})
del _asked
"""
_END = -1
# So long SELECTs are begun that wait for one answer with the first; beside a longer one a round trip is nothing.
_TOGETHER_SECONDS = 1.0


@cache
def duckdb_version() -> str:
    """The version of DuckDB that is installed; "" when none is."""
    try:
        return version("duckdb")
    except PackageNotFoundError:
        return ""


def bench_of_duckdb(bench: Bench, memory_bytes: int, files: tuple[str, ...] = ()) -> Bench:
    """The bench beside this one whose kernel has so much memory, and may read these files."""
    return bench.beside((*_MEMORY_OF_THE_GROUP, *files), spill_bytes=memory_bytes * _SPILL_SHARE if files else 0)


class DuckDbKernel:
    """Asks DuckDB in the kernel of a bench of its own, in which it may read these files."""

    def __init__(self, bench: Bench, *, wall_seconds: float, memory_bytes: int, files: tuple[str, ...] = ()) -> None:
        self._bench, self._wall_seconds = bench, wall_seconds
        self._limits: dict[str, object] = {"memory_bytes": int(memory_bytes * _MEMORY_OF_FRAMES), "threads": _THREADS}
        if files:
            free_bytes = max(memory_bytes - _OWN_BYTES, memory_bytes // 2)
            self._limits["memory_bytes"] = int(free_bytes * _MEMORY_OF_FILES)
            self._limits |= {"spill_bytes": memory_bytes * _SPILL_SHARE, "files": files}

    def bring(
        self, question: EngineQuestion, tables: object, frames: Callable[[], Mapping[str, pd.DataFrame]]
    ) -> Sandbox | str:
        """The kernel, which holds what the SELECT reads; or why that could not be brought there.

        `tables` is what the frames are of: those of the same one are staged once, so that they are asked for only then.
        Raises: SandboxUnavailable.
        """
        try:
            sandbox = self._bench.own_sandbox(tables)
            if not self.holds(question.columns):
                for name, frame in frames().items():
                    self._bench.hand_over(name, frame)
        except SandboxError as error:
            return self._forgotten(error)
        return sandbox

    def holds(self, columns: Mapping[str, Sequence[str]]) -> bool:
        """Whether the kernel has these columns of these tables."""
        staged = self._bench.staged
        return all(set(read) <= staged.get(name, {}).keys() for name, read in columns.items())

    def ask(self, sandbox: Sandbox, question: EngineQuestion) -> EngineAnswer | Execution | str:
        """What the SELECT finds in what was brought.

        What went on until the time was over; or why DuckDB gives no answer. Raises: SandboxUnavailable.
        """
        answers = self._asked(sandbox, [(question, _own_names(question))], most_seconds=None)
        if not isinstance(answers, list):
            return answers
        return answers[0] or "no answer"

    def ask_together(self, sandbox: Sandbox, questions: Sequence[EngineQuestion]) -> list[EngineAnswer | None]:
        """What the SELECTs find in what was brought; None for one that raises; none of what was not begun in time.

        Nothing when the kernel ended, or the time was over. Raises: SandboxUnavailable.
        """
        named = [(each, _own_names(each)) for each in questions]
        answers = self._asked(sandbox, named, most_seconds=_TOGETHER_SECONDS)
        return answers if isinstance(answers, list) else []

    def ask_of_each(
        self, question: EngineQuestion, tables: object, cases: Sequence[Mapping[str, pd.DataFrame]]
    ) -> list[EngineAnswer] | str:
        """What the SELECT finds in each of the cases, made of `tables`; or why DuckDB gives no answer.

        Raises: SandboxUnavailable.
        """
        named: list[tuple[EngineQuestion, Mapping[str, str]]] = []
        try:
            sandbox = self._bench.own_sandbox(tables)
            for number, frames in enumerate(cases):
                names = {name: f"_planted_{number}_{place}" for place, name in enumerate(question.columns)}
                for name, at in names.items():
                    sandbox.stage(at, frames[name])
                named.append((question, names))
        except SandboxError as error:
            return self._forgotten(error)
        answers = self._asked(sandbox, named, most_seconds=None)
        if isinstance(answers, list):
            return [answer for answer in answers if answer is not None]
        return answers.reason if isinstance(answers, Execution) else answers

    def _asked(
        self, sandbox: Sandbox, named: Sequence[tuple[EngineQuestion, Mapping[str, str]]], *, most_seconds: float | None
    ) -> list[EngineAnswer | None] | Execution | str:
        try:
            execution = sandbox.execute(self._program(named, most_seconds), wall_seconds=self._wall_seconds)
            if execution.status == "ok":
                return _taken_apart(
                    sandbox.fetch_frame("_found", max_rows=_MOST_NUMBERS)["numbers"].to_numpy(), execution
                )
        except SandboxError as error:
            return self._forgotten(error)
        if execution.status != "error":
            self._bench.forget()
            return execution if execution.status == "timeout" else execution.reason
        lines = execution.error_text.strip().splitlines()
        return lines[0] if lines else execution.error_name

    def _forgotten(self, error: SandboxError) -> str:
        """What is said of a kernel that was lost. Raises: SandboxUnavailable, when none came."""
        self._bench.forget()
        if isinstance(error, SandboxUnavailable):
            raise error
        return str(error)

    def _program(self, named: Sequence[tuple[EngineQuestion, Mapping[str, str]]], most_seconds: float | None) -> str:
        return _PROGRAM.format(
            source=_CONFINED.read_text(encoding="utf-8"),
            position=POSITION,
            limits=self._limits,
            questions=[
                (each.select, dict(names), {name: list(read) for name, read in each.columns.items()})
                for each, names in named
            ],
            most_seconds=most_seconds,
        )


def _own_names(question: EngineQuestion) -> dict[str, str]:
    return {name: identifier(name) for name in question.columns}


def _taken_apart(numbers: np.ndarray, execution: Execution) -> list[EngineAnswer | None]:
    """The answers in a row of numbers: of each the positions, how many rows it left open, and its end."""
    answers: list[EngineAnswer | None] = []
    begins = 0
    for end in np.flatnonzero(numbers == _END).tolist():
        *positions, left_open = numbers[begins:end].tolist() or [None]
        answers.append(None if left_open is None else EngineAnswer(tuple(positions), left_open, execution))
        begins = end + 1
    return answers

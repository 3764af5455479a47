"""What a process uses, read from outside, and what of it is too much. Standard library only."""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kernel_sandbox.keeper import workfolder
from kernel_sandbox.policy import GIB, MIB, Limits

Excess = Literal["memory", "cpu", "threads", "work"]

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
# Memory is seldom filled faster than this by one process, so looking again after headroom / rate catches it in time.
_FILL_BYTES_PER_SECOND = 4 * GIB
_SHORTEST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.004, 0.1
_WORK_PAUSE_SECONDS = 0.25
_MOST_ENTRIES_BEFORE = 1_000_000
# Shared pages are not counted: a confined process can make none but those of its work folder, counted there, and of
# tables handed to it (seccomp refuses shared anonymous memory, memfd_create and System V segments).
_COUNTED_PAGES = (b"RssAnon:", b"VmSwap:", b"HugetlbPages:")


@dataclass(frozen=True)
class Usage:
    """What one process uses now: private memory (mapped files not counted), CPU time so far, threads."""

    memory_bytes: int
    cpu_seconds: float
    threads: int


def usage(pid: int) -> Usage:
    """The use of process `pid`.

    Raises: ProcessLookupError when there is no such process.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError as error:
        raise ProcessLookupError(f"process {pid} is gone") from error
    kilobytes, threads = 0, 1
    for line in status.splitlines():
        if line.startswith(_COUNTED_PAGES):
            kilobytes += int(line.split()[1])
        elif line.startswith(b"Threads:"):
            threads = int(line.split()[1])
    # The name, second field, may hold spaces and brackets; the fields after the last bracket are numbers.
    fields = stat[stat.rindex(b")") + 2 :].split()
    return Usage(kilobytes * 1024, (int(fields[11]) + int(fields[12])) / _TICKS_PER_SECOND, threads)


class Watch:
    """The limits of one process against its use. Ask `excess`, then wait at most `pause_seconds`."""

    def __init__(self, pid: int, limits: Limits, folders: Iterable[str]) -> None:
        self._pid, self._limits, self._folders = pid, limits, tuple(dict.fromkeys(folders))
        self._cpu_before = 0.0
        self._cpu_limit_seconds: float | None = None
        # Until it is let in only code of ours runs, and maps a file to be warm: where a single file may be as large as
        # all together, that file alone would be too much.
        self._work_due = float("inf")
        self.staged: set[workfolder.KnownBy] = set()  # files that were handed to it, and which it cannot write
        # A work folder that the policy names may be full already; only what is added counts.
        self._work_before = self._content(_MOST_ENTRIES_BEFORE)
        self.pause_seconds = _SHORTEST_PAUSE_SECONDS
        self.seen = ""

    def begin(self, cpu_seconds: float | None) -> None:
        """Count CPU time from now, up to `cpu_seconds`; None counts nothing."""
        self._cpu_limit_seconds = cpu_seconds
        self._cpu_before = usage(self._pid).cpu_seconds
        self.pause_seconds = _SHORTEST_PAUSE_SECONDS

    def count_files(self) -> None:
        """Look at files too, from now on."""
        self._work_due = 0.0

    def excess(self) -> Excess | None:
        """The limit that is passed, or None; `seen` then says in words what was seen.

        Raises: ProcessLookupError when the process is gone.
        """
        now = usage(self._pid)
        self.pause_seconds = self._pause(now)
        limits = self._limits
        if now.memory_bytes > limits.memory_bytes:
            self.seen = f"{now.memory_bytes // MIB:,} MiB of memory, over the limit of {limits.memory_bytes // MIB:,}"
            return "memory"
        cpu_seconds = now.cpu_seconds - self._cpu_before
        if self._cpu_limit_seconds is not None and cpu_seconds > self._cpu_limit_seconds:
            self.seen = f"{cpu_seconds:.1f} s of CPU time, over the limit of {self._cpu_limit_seconds:g}"
            return "cpu"
        if now.threads > limits.threads:
            self.seen = f"{now.threads} threads, over the limit of {limits.threads}"
            return "threads"
        return self._work_excess()

    def _pause(self, now: Usage) -> float:
        headroom_bytes = max(self._limits.memory_bytes - now.memory_bytes, 0)
        pause = headroom_bytes / _FILL_BYTES_PER_SECOND
        return min(max(pause, _SHORTEST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)

    def _work_excess(self) -> Excess | None:
        started = time.monotonic()
        if started < self._work_due:
            return None
        limits, before = self._limits, self._work_before
        content = self._content(before.entries + limits.work_files)
        disk_bytes = content.disk_bytes - before.disk_bytes + workfolder.hidden_bytes(self._pid, self.staged)
        for folder in self._folders:
            disk_bytes += workfolder.mapped_bytes(self._pid, folder, file_bytes=limits.file_bytes)
        # A full folder takes long to count: never spend more than a tenth of the time on it.
        took = time.monotonic() - started
        self._work_due = started + max(_WORK_PAUSE_SECONDS, 10 * took)
        if disk_bytes > limits.work_bytes:
            self.seen = f"{disk_bytes // MIB:,} MiB in the work folder, over the limit of {limits.work_bytes // MIB:,}"
            return "work"
        if content.entries - before.entries > limits.work_files:
            self.seen = f"more than {limits.work_files:,} files in the work folder"
            return "work"
        if content.too_deep and not before.too_deep:
            self.seen = "folders nested too deep in the work folder"
            return "work"
        return None

    def _content(self, most_entries: int) -> workfolder.Content:
        found = [workfolder.measure(folder, most_entries=most_entries) for folder in self._folders]
        return workfolder.Content(
            sum(one.disk_bytes for one in found),
            sum(one.entries for one in found),
            too_deep=any(one.too_deep for one in found),
        )

"""What a process uses is held against its limits; what it does before any code reaches it fills no folder."""

import mmap
import os
import tempfile
from pathlib import Path

from kernel_sandbox import Limits
from kernel_sandbox.keeper.watch import Watch
from kernel_sandbox.policy import GIB


def test_files_are_counted_once_a_process_is_let_in(tmp_path: Path) -> None:
    limits = Limits(memory_bytes=1024 * GIB, threads=10_000, work_bytes=GIB, file_bytes=GIB)
    with tempfile.TemporaryFile(dir=tmp_path) as file:
        file.write(b"mapped and without a name, as when a newborn process is warmed up")
        file.flush()
        mapping, watch = mmap.mmap(file.fileno(), 0), Watch(os.getpid(), limits, [str(tmp_path)])
        assert watch.excess() is None
        watch.count_files()
        assert watch.excess() == "work", watch.seen
        mapping.close()

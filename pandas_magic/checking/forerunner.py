"""Checks of a batch that run in the kernel while what those before them found is still judged and kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pandas_magic.catalog import Catalog
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.executors import CONFINED
from pandas_magic.checking.own_code import OwnCode
from pandas_magic.checking.partitions import PART_SHARE
from pandas_magic.clock import Instant
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.settings import Settings

_LOOK_SECONDS = 0.02  # how long the end of the batch may go unseen


@contextmanager
def running_ahead(
    catalog: Catalog, settings: Settings, bench: Bench, checks: Sequence[CompiledCheck], *, instant: Instant
) -> Iterator[None]:
    """Within the block a thread runs those of the checks that may run before their turn, in their order.

    Those on small tables are looked at together in their turn; what an engine finds, or another executor, is not run
    here. What goes wrong is not told: a check without an answer runs when its turn comes.
    """
    if len(checks) < 2 or settings.engine == "duckdb" or settings.executor != CONFINED or settings.only_new:
        yield
        return
    own = OwnCode(catalog, bench, wall_seconds=settings.wall_seconds, memory_bytes=settings.memory_bytes)
    stopping = threading.Event()

    def run() -> None:
        for check in checks:
            # A kernel that does not come is for the check whose turn it is to tell.
            while not bench.has_run.wait(_LOOK_SECONDS) and not stopping.is_set():
                pass
            if stopping.is_set():
                return
            try:
                own.look_ahead(check, instant, most_bytes=settings.memory_bytes // PART_SHARE)
            except Exception:
                return

    thread = threading.Thread(target=run, name="checks ahead", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        if thread.is_alive():
            bench.interrupt()
        thread.join()

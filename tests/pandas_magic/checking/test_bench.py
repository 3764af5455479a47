"""The bench: a stop reaches it at any moment, also while its kernel is made."""

import pytest

from pandas_magic.checking.bench import Bench, RunStopped
from pandas_magic.settings import Settings


def test_a_bench_stopped_while_its_kernel_is_made_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(Settings())
    closed = []

    class StoppedMeanwhile:
        def __init__(self, _: object) -> None:
            bench.stop()

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(bench, "_executor", StoppedMeanwhile)
    with pytest.raises(RunStopped):
        bench.fresh_sandbox()
    assert len(closed) == 1
    with pytest.raises(RunStopped):
        bench.fresh_sandbox()

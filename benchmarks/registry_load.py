"""The registry with 5,000 checks: what loading, finding, saving and reading them all cost.

Parsing the same bytes with `json.loads` is the peer: no registry of JSON files can read all of its checks in less.
"""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pandas_magic.registry import Registry
from pandas_magic.registry.check_file import check_text, file_name
from pandas_magic.registry.compiled_check import CompiledCheck

CHECKS = 5_000
ROUNDS = 5
LOAD_SECONDS = 0.3  # to know every check and read one
SAVE_SECONDS = 0.3
EXAMPLE = Path(__file__).parent.parent / "examples" / "checks" / "registry"


def seconds(action: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        action()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def fill(registry: Registry) -> list[CompiledCheck]:
    """Five thousand checks like those of the examples."""
    patterns = list(Registry(EXAMPLE).load().values())
    checks = []
    for number in range(CHECKS):
        pattern = patterns[number % len(patterns)]
        check = pattern.check.model_copy(update={"id": f"CHK-{number:04d}"})
        checks.append(pattern.model_copy(update={"check": check}))
    registry.folder.mkdir()
    for compiled in checks:
        (registry.folder / file_name(compiled.id)).write_text(check_text(compiled), encoding="utf-8")
    return checks


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        registry = Registry(Path(folder) / "registry")
        checks = fill(registry)
        paths = sorted(registry.folder.glob("*.json"))
        texts = [path.read_text() for path in paths]
        peer = seconds(lambda: [json.loads(text) for text in texts])
        one = seconds(lambda: registry.load()["CHK-4999"])
        sought = seconds(lambda: registry.load().with_rule("0" * 16))
        every = seconds(lambda: list(registry.load().values()))
        saved = seconds(lambda: registry.save(checks[17]))
    print(f"{CHECKS:,} checks, {sum(map(len, texts)) / 1e6:.1f} MB; json.loads of all of it {peer * 1000:.0f} ms")
    for what, took in (
        ("know all and read one", one),
        ("look for a rule in all", sought),
        ("read and validate all", every),
        ("save one", saved),
    ):
        print(f"{what:24}{took * 1000:7.1f} ms, ratio {took / peer:.2f}")
    return int(one > LOAD_SECONDS or sought > LOAD_SECONDS or saved > SAVE_SECONDS)


if __name__ == "__main__":
    sys.exit(main())

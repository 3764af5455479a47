"""Many verdicts together: as JSON, which a scheduler reads after a run, and counted in words."""

import json
from collections.abc import Sequence
from typing import Protocol

from pandas_magic.history.run import Run, Verdict


class Judged(Protocol):
    """A run, or a card that shows one."""

    @property
    def verdict(self) -> Verdict:
        """What was given."""

    @property
    def is_of_part(self) -> bool:
        """Whether it was given on some partitions of the table alone."""


def verdicts_json(runs: Sequence[Run], not_run: Sequence[str] = ()) -> str:
    """The runs without their code, in the order given, and the ids of what did not run, under `"version": 1`."""
    listed = [run.model_dump(mode="json", exclude={"code", "stdout"}) for run in runs]
    content = {"version": 1, "checks": listed, "not_run": list(not_run)}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def verdict_counts(verdicts: Sequence[Judged]) -> str:
    """How many there are of each: "3 PASS, 10 FAIL", "1 PASS of a part only, 1 ERROR"; "" for none.

    A verdict on some partitions of a table is none on the table, and so is counted by itself.
    """
    named = [f"{one.verdict}{' of a part only' * one.is_of_part}" for one in verdicts]
    every = [f"{verdict}{part}" for verdict in Verdict for part in ("", " of a part only")]
    return ", ".join(f"{named.count(name)} {name}" for name in every if name in named)

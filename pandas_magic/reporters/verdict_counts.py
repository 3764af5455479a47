"""Many verdicts together: as JSON, which a scheduler reads after a run, and counted in words."""

import json
from collections.abc import Sequence

from pandas_magic.history.run import Run, Verdict


def verdicts_json(runs: Sequence[Run]) -> str:
    """The runs without their code, in the order given, under `"version": 1`."""
    listed = [run.model_dump(mode="json", exclude={"code", "stdout"}) for run in runs]
    return json.dumps({"version": 1, "checks": listed}, indent=2, ensure_ascii=False) + "\n"


def verdict_counts(verdicts: Sequence[Verdict]) -> str:
    """How many there are of each: "3 PASS, 10 FAIL"; "" for none."""
    return ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts)

"""Verdicts as JSON: what a scheduler reads after a run."""

import json
from collections.abc import Sequence

from pandas_magic.checks import Run


def verdicts_json(runs: Sequence[Run]) -> str:
    """The runs without their code, in the order given, under `"version": 1`."""
    listed = [run.model_dump(mode="json", exclude={"code", "stdout"}) for run in runs]
    return json.dumps({"version": 1, "checks": listed}, indent=2, ensure_ascii=False) + "\n"

"""The checks of a workspace, run for a scheduler: what is wrong with the data is another error than a broken machine.

The command is started, so that the scheduler and pandas-magic may each have an environment of their own: PANDAS_MAGIC
names it where it is not on the PATH.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

_FAILED = 1  # the exit code when a check failed and every one was judged


class ChecksFailed(Exception):
    """The data breaks a rule. Trying again finds the same."""


class ChecksBroken(Exception):
    """A check could not run, or something was lost. Trying again may help."""


def run_checks(folder: str, *options: str) -> list[dict[str, Any]]:
    """Every check that ran, with its verdict and counts; `options` are those of `pandas-magic run`.

    Raises: ChecksFailed, ChecksBroken with what was printed.
    """
    with tempfile.TemporaryDirectory() as outputs:
        report = Path(outputs, "verdicts.json")
        command = [os.environ.get("PANDAS_MAGIC", "pandas-magic"), "run", "--report", f"json={report}", *options]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        runs: list[dict[str, Any]] = json.loads(report.read_text())["checks"] if report.exists() else []
    bad = [f"{run['check_id']} {run['summary']}" for run in runs if run["verdict"] in ("FAIL", "ERROR")]
    if done.returncode == _FAILED:
        raise ChecksFailed("; ".join(bad))
    if done.returncode:
        raise ChecksBroken("; ".join(bad) + done.stderr)
    return runs

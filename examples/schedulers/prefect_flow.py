"""Prefect: the checks as a flow; a check that fails is not tried again, a machine that fails is.

To try it once: python prefect_flow.py /srv/shop
"""

import sys
from typing import Any

from checks_run import ChecksFailed, run_checks
from prefect import State, flow, task


def is_worth_trying_again(_task: object, _run: object, state: State) -> bool:
    """Whether the machine was at fault, and not the data."""
    return not isinstance(state.result(raise_on_failure=False), ChecksFailed)


@task(retries=2, retry_delay_seconds=300, retry_condition_fn=is_worth_trying_again)
def checks(folder: str) -> list[dict[str, Any]]:
    """All checks of the workspace, with their verdicts."""
    return run_checks(folder, "--max-seconds", "1800")


@flow
def nightly_checks(folder: str = "/srv/shop") -> list[dict[str, Any]]:
    """The night's run. On a schedule: nightly_checks.serve("checks", cron="15 2 * * *")."""
    return checks(folder)


if __name__ == "__main__":
    nightly_checks(sys.argv[1])

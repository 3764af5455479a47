"""Airflow: the checks every night; a check that fails is not tried again, a machine that fails is.

Put it with checks_run.py into the folder of DAGs. To try it once: python airflow_dag.py
"""

import os
from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import dag, task
from airflow.sdk.exceptions import AirflowFailException
from checks_run import ChecksFailed, run_checks

FOLDER = os.environ.get("SHOP", "/srv/shop")


@dag(schedule="15 2 * * *", start_date=datetime(2026, 1, 1), catchup=False)
def nightly_checks() -> None:
    """One task: all checks of the workspace."""

    @task(retries=2, retry_delay=timedelta(minutes=5))
    def checks() -> list[dict[str, Any]]:
        try:
            return run_checks(FOLDER, "--max-seconds", "1800")
        except ChecksFailed as error:
            raise AirflowFailException(str(error)) from error

    checks()


nightly = nightly_checks()

if __name__ == "__main__":
    raise SystemExit(0 if nightly.test().state == "success" else 1)

"""Dagster: the checks of a table as a check of its asset, so that what reads the asset can wait for them.

To try it once: SHOP=/srv/shop python dagster_checks.py
"""

import os

from checks_run import ChecksFailed, run_checks
from dagster import AssetCheckResult, AssetChecksDefinition, AssetKey, Definitions, asset, asset_check, materialize

FOLDER = os.environ.get("SHOP", "/srv/shop")


def checks_of(table: str) -> AssetChecksDefinition:
    """All checks of a table as one check of the asset that is called like it. A broken machine raises."""

    @asset_check(asset=AssetKey(table), name="pandas_magic", blocking=True)
    def checks() -> AssetCheckResult:
        try:
            runs = run_checks(FOLDER, "--select", f"table:{table}")
        except ChecksFailed as error:
            return AssetCheckResult(passed=False, description=str(error))
        return AssetCheckResult(passed=True, metadata={run["check_id"]: run["summary"] for run in runs})

    return checks


@asset
def orders() -> None:
    """Stands for the asset that writes the table."""


definitions = Definitions(assets=[orders], asset_checks=[checks_of("orders")])

if __name__ == "__main__":
    done = materialize([orders, checks_of("orders")], raise_on_error=False)
    raise SystemExit(0 if all(each.passed for each in done.get_asset_check_evaluations()) and done.success else 1)

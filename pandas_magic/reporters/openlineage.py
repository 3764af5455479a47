"""A run as OpenLineage events: each checked table as an input with the facet `dataQualityAssertions`.

Source: OpenLineage 2-0-2, RunEvent; DataQualityAssertionsDatasetFacet 1-1-0.
"""

import json
import uuid
from collections.abc import Sequence
from typing import Any

from pandas_magic import __version__
from pandas_magic.checking.result import Result
from pandas_magic.clock import timestamp
from pandas_magic.constraints.algebra.kinds import kind
from pandas_magic.history.run import Verdict

_EVENT = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
_FACET = (
    "https://openlineage.io/spec/facets/1-1-0/DataQualityAssertionsDatasetFacet.json"
    "#/$defs/DataQualityAssertionsDatasetFacet"
)
_PRODUCER = f"https://pypi.org/project/pandas-magic/{__version__}"
_NAMESPACE = "pandas_magic"
_BLOCKING = frozenset({"high", "critical"})  # severities that OpenLineage's "error" stands for; else "warn"


def openlineage(results: Sequence[Result], *, job: str, began: str) -> str:
    """A START and a COMPLETE event, one JSON object a line; the second has the verdicts of PASS and FAIL.

    A check that gave no verdict on the data (ERROR, SKIPPED) asserts nothing; with an ERROR the second event is FAIL.
    """
    run = {"runId": str(uuid.uuid4())}
    shared = {"run": run, "job": {"namespace": _NAMESPACE, "name": job}, "producer": _PRODUCER, "schemaURL": _EVENT}
    is_broken = any(result.run.verdict is Verdict.ERROR for result in results)
    inputs = [_dataset(table, there) for table, there in _by_table(results).items()]
    start = {"eventType": "START", "eventTime": began, **shared}
    end = {"eventType": "FAIL" if is_broken else "COMPLETE", "eventTime": timestamp(), **shared, "inputs": inputs}
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in (start, end))


def _by_table(results: Sequence[Result]) -> dict[str, list[Result]]:
    by_table: dict[str, list[Result]] = {}
    for result in results:
        if result.compiled is not None and result.run.verdict in (Verdict.PASS, Verdict.FAIL):
            constraint, reads = result.compiled.constraint, result.compiled.plan.reads
            table = constraint.table if constraint is not None else next(iter(reads), "")
            by_table.setdefault(table, []).append(result)
    return by_table


def _dataset(table: str, results: Sequence[Result]) -> dict[str, Any]:
    facet = {"_producer": _PRODUCER, "_schemaURL": _FACET, "assertions": [_assertion(table, each) for each in results]}
    return {"namespace": _NAMESPACE, "name": table, "inputFacets": {"dataQualityAssertions": facet}}


def _assertion(table: str, result: Result) -> dict[str, Any]:
    assert result.compiled is not None
    check, constraint = result.compiled.check, result.compiled.constraint
    columns = result.compiled.plan.reads.get(table, ())
    said: dict[str, Any] = {
        "assertion": kind(constraint) if constraint is not None else "custom",
        "success": result.run.verdict is Verdict.PASS,
        "severity": "error" if check.severity in _BLOCKING else "warn",
        "name": check.id,
        "description": check.rule,
        "actual": f"{result.run.violation_count or 0} failing rows",
        "expected": "0 failing rows",
    }
    return said | ({"column": columns[0]} if len(columns) == 1 else {})

"""A run as OpenLineage events: each table that was read as an input, with the facet `dataQualityAssertions`.

Source: OpenLineage 2-0-2, RunEvent; DataQualityAssertionsDatasetFacet 1-1-0; the naming conventions.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pandas_magic import __version__
from pandas_magic.checking.result import Result
from pandas_magic.clock import timestamp
from pandas_magic.constraints.algebra.kinds import kind
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.dataset_names import OURS, dataset_name

_EVENT = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
_FACET = (
    "https://openlineage.io/spec/facets/1-1-0/DataQualityAssertionsDatasetFacet.json"
    "#/$defs/DataQualityAssertionsDatasetFacet"
)
_PRODUCER = f"https://pypi.org/project/pandas-magic/{__version__}"
_BLOCKING = frozenset({"high", "critical"})  # severities that OpenLineage's "error" stands for; else "warn"


def openlineage(results: Sequence[Result], *, job: str, began: str, origins: Mapping[str, str]) -> str:
    """A START and a COMPLETE event, one JSON object a line; the second has the verdicts of PASS and FAIL.

    `origins` has the file or the address of each table, by which its dataset is named. A check that gave no verdict on
    the data (ERROR, SKIPPED) asserts nothing; with an ERROR the second event is FAIL.
    """
    run = {"runId": str(uuid.uuid4())}
    shared = {"run": run, "job": {"namespace": OURS, "name": job}, "producer": _PRODUCER, "schemaURL": _EVENT}
    is_broken = any(result.run.verdict is Verdict.ERROR for result in results)
    start = {"eventType": "START", "eventTime": began, **shared}
    ended = {"eventType": "FAIL" if is_broken else "COMPLETE", "eventTime": timestamp()}
    end = {**ended, **shared, "inputs": _datasets(results, origins)}
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in (start, end))


def _datasets(results: Sequence[Result], origins: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every dataset that a judged check read, once, with what was asserted of its rows."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for result in results:
        if result.compiled is None or not result.run.verdict.judges:
            continue
        target = result.compiled.target
        for table in dict.fromkeys((target, *result.compiled.plan.reads)):
            asserted = found.setdefault(dataset_name(table, origins.get(table, "")), [])
            asserted += [_assertion(table, result)] if table == target else []
    return [_dataset(*name, asserted) for name, asserted in found.items()]


def _dataset(namespace: str, name: str, asserted: Sequence[dict[str, Any]]) -> dict[str, Any]:
    facet = {"_producer": _PRODUCER, "_schemaURL": _FACET, "assertions": asserted}
    return {"namespace": namespace, "name": name, "inputFacets": {"dataQualityAssertions": facet} if asserted else {}}


def _assertion(table: str, result: Result) -> dict[str, Any]:
    assert result.compiled is not None
    check, constraint = result.compiled.check, result.compiled.constraint
    columns = result.compiled.plan.reads.get(table, ())
    fails_from = check.bands.fail if check.bands else None
    said: dict[str, Any] = {
        "assertion": kind(constraint) if constraint is not None else "custom",
        "success": result.run.verdict is Verdict.PASS,
        "severity": "error" if check.severity in _BLOCKING else "warn",
        "name": check.id,
        "description": check.rule,
        "actual": f"{result.run.violation_count or 0} failing rows",
        "expected": f"it fails from {fails_from} failing rows on" if fails_from else "0 failing rows",
        "params": {"table": table},  # several may lie in one file
    }
    return said | ({"column": columns[0]} if len(columns) == 1 else {})

"""Checks as a contract of the ODCS: each a quality rule with its sentence as the description.

A rule is a check of Soda where there is one of the same verdict (`type: custom`, `engine: soda`), else a text, which
nothing executes; that is told.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pandas_magic.constraints import Constraint, describe
from pandas_magic.peers.exporting import express
from pandas_magic.peers.marks import KEY, Mark, marked
from pandas_magic.peers.soda.soda_checks import soda_checks
from pandas_magic.peers.transfers import CannotSay, Exported, NotExpressed
from pandas_magic.peers.yaml_text import dump
from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck


def write(checks: Sequence[CompiledCheck]) -> Exported:
    """The contract, an object for each table that a check is about."""
    told, missing = express(checks, entry_of)
    tables: dict[str, list[dict[str, Any]]] = {}
    for rule, _, (entry, _) in told:
        tables.setdefault(rule.table, []).append(entry)
    as_text = tuple(
        NotExpressed(check_id=mark.id, reason=f"written as a text, which nothing executes: {reason}")
        for _, mark, (_, reason) in told
        if reason
    )
    objects = [{"name": table, "physicalType": "table", "quality": rules} for table, rules in tables.items()]
    head = {"apiVersion": "v3.1.0", "kind": "DataContract", "id": f"pandas-magic-{digest(sorted(tables))}"}
    return Exported(
        text=dump({**head, "version": "1.0.0", "status": "draft", "schema": objects}),
        expressed=tuple(mark.id for _, mark, (_, reason) in told if not reason),
        not_expressed=(*as_text, *missing),
    )


def entry_of(constraint: Constraint, mark: Mark) -> tuple[dict[str, Any], str]:
    """The rule as an entry under "quality", and why it is only a text there; "" when it is more."""
    try:
        found, reason = soda_checks(constraint, mark), ""
    except CannotSay as error:
        found, reason = [], str(error)
    if len(found) > 1:
        found, reason = [], "it is several checks of Soda"
    body: dict[str, Any] = {"type": "text"}
    if found:
        body = {"type": "custom", "engine": "soda", "implementation": dump({found[0].line: found[0].below or None})}
    beside = [{"property": KEY, "value": marked(mark)[KEY]}]
    described = {"id": mark.id, "description": describe(constraint), "customProperties": beside}
    return {**body, **described}, reason


def shape_of(table: str, entry: Mapping[str, Any]) -> str:
    """What must be the same for two entries to demand the same."""
    told = {key: value for key, value in entry.items() if key not in ("id", "customProperties")}
    return json.dumps([table, told], sort_keys=True, default=str)

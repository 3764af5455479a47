"""Checks as a `schema.yml` of dbt: generic tests of models, with those of dbt_utils where no built-in one says it."""

import re
from collections.abc import Sequence
from typing import Any

from pandas_magic.peers.dbt.generic_tests import GenericTest, generic_tests
from pandas_magic.peers.exporting import express
from pandas_magic.peers.marks import Mark, marked
from pandas_magic.peers.transfers import Exported, Remark
from pandas_magic.peers.yaml_text import dump
from pandas_magic.registry.compiled_check import CompiledCheck

_UTILS = "needs the package dbt-labs/dbt_utils in packages.yml"


def write(checks: Sequence[CompiledCheck]) -> Exported:
    """The file, version 2, with one model for each table."""
    told, missing = express(checks, generic_tests)
    models: dict[str, dict[str, Any]] = {}
    for _, mark, found in told:
        for number, one in enumerate(found, start=1):
            model = models.setdefault(one.model, {"name": one.model, "data_tests": [], "columns": {}})
            tests = model["columns"].setdefault(one.column, []) if one.column else model["data_tests"]
            tests.append(_entry(one, mark, number if len(found) > 1 else 0))
    return Exported(
        text=dump({"version": 2, "models": [_model(model) for model in models.values()]}),
        expressed=tuple(mark.id for _, mark, _ in told),
        not_expressed=missing,
        remarks=tuple(
            Remark(check_id=mark.id, text=_UTILS) for _, mark, found in told if any("." in one.test for one in found)
        ),
    )


def _model(model: dict[str, Any]) -> dict[str, Any]:
    columns = [{"name": name, "data_tests": tests} for name, tests in model["columns"].items()]
    return {
        "name": model["name"],
        **({"data_tests": model["data_tests"]} if model["data_tests"] else {}),
        **({"columns": columns} if columns else {}),
    }


def _entry(one: GenericTest, mark: Mark, number: int) -> dict[str, Any]:
    name = re.sub(r"\W+", "_", f"{one.model}_{mark.id}{f'_{number}' if number else ''}").lower()
    config: dict[str, Any] = {
        **one.config,
        "severity": "warn" if mark.severity == "low" else "error",
        **({"tags": list(mark.tags)} if mark.tags else {}),
        "meta": {**({"owner": mark.owner} if mark.owner else {}), **marked(mark)},
    }
    arguments = {"arguments": one.arguments} if one.arguments else {}
    return {one.test: {"name": name, **arguments, "config": config}}

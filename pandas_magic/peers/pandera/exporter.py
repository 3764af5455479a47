"""Checks as pandera schemas: a Python module, or YAML, which holds built-in checks only."""

import json
from collections.abc import Sequence
from typing import Any

from pandas_magic.constraints import Constraint, identifier
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.exporting import express, tables_of
from pandas_magic.peers.marks import KEY, Mark, marked
from pandas_magic.peers.pandera.schema_statements import (
    FUNCTION,
    PRESENCE,
    Statement,
    columns_read,
    function_name,
    statements,
)
from pandas_magic.peers.transfers import CannotSay, Exported
from pandas_magic.peers.yaml_text import dump
from pandas_magic.registry.compiled_check import CompiledCheck

_DOCSTRING = '"""Checks as pandera schemas, written by pandas_magic."""'
Said = tuple[Constraint, Mark, list[Statement]]


def write_python(checks: Sequence[CompiledCheck]) -> Exported:
    """A module with one `DataFrameSchema` for each table, named like the table."""
    said, missing = express(checks, statements)
    tables = dict.fromkeys(rule.table for rule, _, _ in said)
    functions = [one.source for _, _, found in said for one in found if one.source]
    schemas = [_schema(table, [one for one in said if one[0].table == table]) for table in tables]
    imports = ["import numpy as np", "import pandas as pd"] if functions else []
    header = "\n".join([_DOCSTRING, "", *imports, "import pandera.pandas as pa"])
    text = "\n\n\n".join([header, *functions, *schemas]) + "\n"
    return Exported(text=text, expressed=tuple(mark.id for _, mark, _ in said), not_expressed=missing)


def write_yaml(checks: Sequence[CompiledCheck]) -> Exported:
    """One schema in the form of pandera's own `to_yaml`.

    Raises: UsageMistake when the checks are about several tables.
    """
    tables = tables_of(checks)
    if len(tables) > 1:
        raise UsageMistake(f"a schema in YAML is about one table, not about {', '.join(tables)}; name one")
    said, missing = express(checks, _built_in_statements)
    columns: dict[str, Any] = {}
    for rule, mark, found in said:
        for name in columns_read(rule):
            columns.setdefault(name, {"dtype": None, "nullable": True, "checks": [], "required": True})
        for one in found:
            if one.check == PRESENCE:
                columns[one.column]["nullable"] = False
            else:
                entry = {**one.arguments, "options": {"check_name": one.check, "name": mark.id}}
                columns[one.column]["checks"].append(entry)
    schema = {
        "schema_type": "dataframe",
        "name": tables[0] if tables else None,
        "columns": columns,
        "checks": None,
        "metadata": {KEY: [marked(mark)[KEY] for _, mark, _ in said]},
    }
    return Exported(text=dump(schema), expressed=tuple(mark.id for _, mark, _ in said), not_expressed=missing)


def _built_in_statements(rule: Constraint, mark: Mark) -> list[Statement]:
    found = statements(rule, mark)
    if any(one.check == FUNCTION for one in found):
        raise CannotSay("no built-in check says it, and YAML holds no functions; the Python form does")
    return found


def _schema(table: str, said: Sequence[Said]) -> str:
    columns: dict[str, list[str]] = {}
    present, functions = set(), []
    for rule, mark, found in said:
        for name in columns_read(rule):
            columns.setdefault(name, [])
        for one in found:
            if one.check == PRESENCE:
                present.add(one.column)
            elif one.check == FUNCTION:
                functions.append(_call(function_name(mark.id), mark))
            else:
                columns[one.column].append(_built_in(one, mark))
    lines = [f"{identifier(table)} = pa.DataFrameSchema(", "    {"]
    for name, calls in columns.items():
        lines += _column(name, calls, nullable=name not in present)
    lines += ["    },", *_listed("checks", functions, "    "), f"    name={json.dumps(table, ensure_ascii=False)},"]
    marks = [repr(marked(mark)[KEY]) for _, mark, _ in said]
    return "\n".join([*lines, f'    metadata={{"{KEY}": [', *(f"        {mark}," for mark in marks), "    ]},", ")"])


def _column(name: str, calls: Sequence[str], *, nullable: bool) -> list[str]:
    key = json.dumps(name, ensure_ascii=False)
    if not calls:
        return [f"        {key}: pa.Column(nullable={nullable}),"]
    listed = _listed("checks", calls, " " * 12)
    return [f"        {key}: pa.Column(", *listed, f"            nullable={nullable},", "        ),"]


def _listed(name: str, calls: Sequence[str], indent: str) -> list[str]:
    return [f"{indent}{name}=[", *(f"{indent}    {call}," for call in calls), f"{indent}],"] if calls else []


def _built_in(one: Statement, mark: Mark) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in one.arguments.items())
    return f"pa.Check.{one.check}({arguments}, name={mark.id!r})"


def _call(function: str, mark: Mark) -> str:
    return f"pa.Check({function}, name={mark.id!r}, ignore_na=False)"

"""JSON Schema read as the schema of one row of a table: an object, or the items of an array of objects.

Source: JSON Schema 2020-12, its validation vocabulary. A table cannot tell a key that is not there from a null.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pandas_magic.constraints import Column, ColumnsRule, Present
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.contracts.column_facts import pieces
from pandas_magic.peers.contracts.table_schema import unread
from pandas_magic.peers.importing import Piece, gather
from pandas_magic.peers.rule_parts import row_rule
from pandas_magic.peers.transfers import Imported

_BESIDE = frozenset(
    {"$schema", "$id", "$comment", "title", "description", "examples", "default", "deprecated", "readOnly", "writeOnly"}
)
_OBJECT = frozenset({"type", "properties", "required", "additionalProperties", "dependentRequired"})


def read_json_schema(text: str, *, table: str = "") -> Imported:
    """The checks that the schema states about rows of `table`; without a name it is the schema's title.

    Raises: UsageMistake when the text is no schema of objects, or names no table.
    """
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageMistake(f"the schema is no JSON: {error}") from error
    about = table or (str(schema.get("title") or "") if isinstance(schema, dict) else "")
    if isinstance(schema, dict) and schema.get("type") == "array" and isinstance(schema.get("items"), dict):
        beside = [unread(key, key, value) for key, value in schema.items() if key not in _BESIDE | {"type", "items"}]
        return _read(about or str(schema["items"].get("title") or ""), schema["items"], beside)
    return _read(about, schema, [])


def _read(table: str, schema: Any, beside: list[Piece]) -> Imported:  # noqa: ANN401 - of a JSON file
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        raise UsageMistake('the file is no JSON Schema of a row: it has no "properties"')
    if not table:
        raise UsageMistake("the schema has no title; say which table it is about: --table NAME")
    return gather([*beside, *_pieces(table, schema)], (), prefix="JS", shapes_of=lambda *_: ())


def _pieces(table: str, schema: Mapping[str, Any]) -> Iterator[Piece]:
    required = list(schema.get("required") or ())
    for name, said in schema["properties"].items():
        where = f"properties.{name}"
        if not isinstance(said, dict):
            yield unread(where, name, said)
            continue
        yield from pieces(where, table, name, _facts(said, required=name in required))
    for name in required:
        said = schema["properties"].get(name)
        # One that may be null is only to be there.
        if isinstance(said, dict) and "type" in said and "null" not in _types(said):
            yield from pieces("required", table, name, {"required": True})
        else:
            there = ColumnsRule(table=table, required=(name,))
            yield Piece("required", f"{table}.{name} required", lambda there=there: there)  # type: ignore[misc] # mypy: a lambda with defaults
    yield from _others(table, schema, required)


def _others(table: str, schema: Mapping[str, Any], required: list[str]) -> Iterator[Piece]:
    for name, others in (schema.get("dependentRequired") or {}).items():
        for other in others:
            rule = row_rule(table, Present(of=Column(name=other)), Present(of=Column(name=name)))
            yield Piece("dependentRequired", f"{table}: {name}, {other}", lambda rule=rule: rule)  # type: ignore[misc] # mypy: a lambda with defaults
    closed = schema.get("additionalProperties", True)
    if closed is False and set(schema["properties"]) <= set(required):
        only = ColumnsRule(table=table, required=tuple(schema["properties"]), only=True)
        yield Piece("additionalProperties", f"{table}: no other columns", lambda: only)
    elif closed is not True:
        reason = "a rule can name the only columns where all of them are required"
        yield unread("additionalProperties", "additionalProperties", closed, reason)
    if schema.get("type", "object") != "object":
        yield unread("type", "type", schema["type"])
    yield from (unread(key, key, value) for key, value in schema.items() if key not in _BESIDE | _OBJECT)


def _facts(said: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    """What is demanded of a value; null is no value here, so that a type that may be null is the other one."""
    types = [one for one in _types(said) if one != "null"]
    facts: dict[str, Any] = {"type": types[0] if len(types) == 1 else types} if types else {}
    # A column of whole numbers has no gap where its key is required and may not be null.
    whole = facts.get("type") == "integer" and required and "null" not in _types(said)
    facts |= {"required": True} if whole else {}
    facts |= {key: value for key, value in said.items() if key not in _BESIDE | {"type"}}
    if "enum" in facts and isinstance(facts["enum"], list):
        facts["enum"] = [one for one in facts["enum"] if one is not None]
    return facts


def _types(said: Mapping[str, Any]) -> list[str]:
    found = said.get("type", [])
    return [str(one) for one in found] if isinstance(found, list) else [str(found)]

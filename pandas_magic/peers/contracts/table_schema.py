"""Frictionless Table Schema read, alone or in the resources of a data package.

Source: the Table Schema of Data Package 2: fields, their constraints, keys, references.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pandas_magic.constraints import Column, ColumnsRule, Constraint, Exists, Unique
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.contracts.column_facts import pieces
from pandas_magic.peers.importing import Piece, gather
from pandas_magic.peers.rule_parts import column, row_rule
from pandas_magic.peers.transfers import CannotRead, Imported
from pandas_magic.peers.yaml_text import load

_BESIDE = frozenset({"name", "title", "description", "rdfType", "example", "$schema", "fieldsMatch"})
_FIELD = frozenset({"type", "format", "constraints"})
_SCHEMA = frozenset({"fields", "primaryKey", "uniqueKeys", "foreignKeys", "missingValues"})
_EMPTY = [[""], []]  # of cells that mean no value; the first is the default, and what reading a table takes for one


def read_table_schema(text: str, *, table: str = "") -> Imported:
    """The checks of a schema, whose table is `table`, or of the resources of a data package.

    Raises: UsageMistake when the text is neither, or names no table.
    """
    content = load(text).content
    found = content.get("resources") if isinstance(content, dict) else None
    named = [(str(one.get("name")), one.get("schema")) for one in found or () if isinstance(one, dict)]
    schemas = [(table or str(content.get("name") or ""), content)] if not named and isinstance(content, dict) else named
    every: list[Piece] = []
    for name, schema in schemas:
        if not isinstance(schema, dict) or not isinstance(schema.get("fields"), list):
            raise UsageMistake(f'"{name}" is no Table Schema: it has no list of "fields"')
        if not name:
            raise UsageMistake("the schema has no name; say which table it is about: --table NAME")
        every += _pieces(name, schema) if table in ("", name) else ()
    return gather(every, (), prefix="TS", shapes_of=lambda *_: ())


def unread(where: str, key: str, value: object, reason: str = "no rule of ours says this") -> Piece:
    """A piece that is listed with the reason why it is no rule."""

    def refuse() -> Constraint:
        raise CannotRead(reason)

    return Piece(where=where, what=f"{key}: {value!r}"[:80], read=refuse)


def _pieces(table: str, schema: Mapping[str, Any]) -> Iterator[Piece]:
    names = tuple(str(field.get("name")) for field in schema["fields"])
    yield Piece("fields", f"{table} fields", lambda: ColumnsRule(table=table, required=names))
    for number, field in enumerate(schema["fields"]):
        where, constraints = f"fields[{number}]", dict(field.get("constraints") or {})
        facts = {} if field.get("type", "any") == "any" else {"type": field["type"]}
        facts |= {} if field.get("format", "default") == "default" else {"format": field["format"]}
        yield from pieces(where, table, names[number], {**facts, **constraints}, how="full")
        yield from (unread(where, key, value) for key, value in field.items() if key not in _BESIDE | _FIELD)
    yield from _keys(table, schema)
    for number, key in enumerate(schema.get("foreignKeys") or ()):
        yield Piece(f"foreignKeys[{number}]", f"{table} {key}"[:80], lambda key=key: _reference(table, key))  # type: ignore[misc] # mypy: a lambda with defaults
    if schema.get("missingValues", [""]) not in _EMPTY:
        reason = "whoever reads the table says which cells hold no value"
        yield unread("missingValues", "missingValues", schema["missingValues"], reason)
    yield from (unread(key, key, value) for key, value in schema.items() if key not in _BESIDE | _SCHEMA)


def _keys(table: str, schema: Mapping[str, Any]) -> Iterator[Piece]:
    primary = _listed(schema.get("primaryKey"))
    for number, names in enumerate([primary, *map(_listed, schema.get("uniqueKeys") or ())]):
        must = Unique(by=tuple(column(name) for name in names))
        if names:
            where = f"uniqueKeys[{number - 1}]" if number else "primaryKey"
            yield Piece(where, f"{table} {names}"[:80], lambda must=must: row_rule(table, must))  # type: ignore[misc] # mypy: a lambda with defaults
    for name in primary:
        yield from pieces("primaryKey", table, name, {"required": True})


def _reference(table: str, key: Mapping[str, Any]) -> Constraint:
    there = key.get("reference") or {}
    mine, keys = _listed(key.get("fields")), _listed(there.get("fields"))
    if not mine or len(mine) != len(keys):
        raise CannotRead(f"{len(mine)} columns are looked up in {len(keys)}")
    other = str(there.get("resource") or table)  # "": the same table
    return row_rule(table, Exists(of=tuple(Column(name=name) for name in mine), table=other, keys=tuple(keys)))


def _listed(said: object) -> list[str]:
    return [str(one) for one in said] if isinstance(said, list) else [] if said is None else [str(said)]

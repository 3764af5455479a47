"""Contracts read: every clause is a check or is named, and a check judges rows as the contract does.

It runs what docs/peers.md shows.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import jsonschema
import pandas as pd
import pytest
import yaml

from pandas_magic.errors import UsageMistake
from pandas_magic.peers import import_checks
from pandas_magic.peers.transfers import Imported
from pandas_magic.planner.language.canonical import read_canonical
from tests.pandas_magic.peers.compiled import ROOT, found

# The facts of the standard's own examples (full-example, column-*, all-data-types), each said once.
ODCS: dict[str, Any] = {
    "apiVersion": "v3.1.0",
    "kind": "DataContract",
    "slaProperties": [{"property": "latency", "value": 4}],
    "schema": [
        {
            "name": "tbl",
            "physicalName": "tbl_1",
            "description": "Core payment metrics",
            "relationships": [{"from": ["tbl.rcvr_id", "tbl.country"], "to": ["receivers.id", "receivers.country"]}],
            "quality": [
                {"metric": "rowCount", "mustBeGreaterThan": 1000000},
                {"metric": "rowCount", "mustBeBetween": [100, 120]},
                {"metric": "duplicateValues", "mustBe": 0, "arguments": {"properties": ["txn_date", "rcvr_id"]}},
                {"type": "sql", "query": "SELECT COUNT(*) FROM {object} WHERE amount <= 0", "mustBe": 0},
                {"type": "text", "description": "The address was verified."},
                {"metric": "freshness", "mustBe": 0},
            ],
            "properties": [
                {"name": "txn_date", "physicalName": "txn_dt", "logicalType": "date", "required": False},
                {
                    "name": "rcvr_id",
                    "primaryKey": True,
                    "logicalType": "string",
                    "relationships": [{"to": "receivers.id"}],
                    "logicalTypeOptions": {"minLength": 11, "maxLength": 11, "pattern": "^ACC[0-9]{8}$"},
                },
                {"name": "country", "quality": [{"metric": "nullValues", "mustBeLessThan": 1, "unit": "percent"}]},
                {
                    "name": "amount",
                    "logicalType": "integer",
                    "logicalTypeOptions": {"minimum": 0, "exclusiveMaximum": 100, "multipleOf": 5},
                    "quality": [
                        {"metric": "missingValues", "mustBe": 0, "arguments": {"missingValues": [None, -1]}},
                        {"metric": "duplicateValues", "mustBeLessThan": 10},
                    ],
                },
                {
                    "name": "unit",
                    "unique": True,
                    "quality": [
                        {"metric": "invalidValues", "mustBe": 0, "arguments": {"validValues": ["pounds", "kg", None]}},
                        {"metric": "invalidValues", "mustBe": 0, "unit": "values", "arguments": {"pattern": "^k"}},
                    ],
                },
                {"name": "lines", "logicalType": "array", "items": {"logicalType": "string"}},
            ],
        },
        {"name": "receivers", "physicalName": "receivers_1", "properties": [{"name": "id"}, {"name": "country"}]},
    ],
}


def rules(imported: Imported) -> list[str]:
    return [check.rule for check in imported.checks]


def test_each_clause_of_a_contract_is_a_check_or_is_named() -> None:
    imported = import_checks(yaml.safe_dump(ODCS, sort_keys=False), "odcs")
    assert rules(imported) == [
        "tbl_1 as a whole: the number of rows in tbl_1 must be greater than 1000000",
        "tbl_1 as a whole: the number of rows in tbl_1 must be greater than 100 and "
        "the number of rows in tbl_1 must be less than 120",
        "tbl_1: (txn_dt, rcvr_id) must be unique counting missing values as equal",
        "tbl_1: it must hold that not (amount is at most 0)",
        "tbl_1: (rcvr_id, country) must be among (receivers_1.id, receivers_1.country)",
        "columns of tbl_1: txn_dt must be datetime",
        "columns of tbl_1: rcvr_id must be text",
        "tbl_1: the length of rcvr_id must be at least 11",
        "tbl_1: the length of rcvr_id must be at most 11",
        "tbl_1: rcvr_id must match /ACC[0-9]{8}/",
        "tbl_1: rcvr_id must be among receivers_1.id",
        "tbl_1 as a whole: the share of rows in tbl_1 with (country is missing) must be less than 0.01 "
        "(up to rounding)",
        "tbl_1: amount must be at least 0",
        "tbl_1: amount must be less than 100",
        "tbl_1: amount must be present and amount must be none of -1",
        "tbl_1: unit must be unique",
        "tbl_1: unit must be one of 'pounds', 'kg'",
        "tbl_1: rcvr_id must be unique",
        "tbl_1: rcvr_id must be present",
    ]
    named = " | ".join(f"{one.what}: {one.reason}" for one in imported.not_understood)
    left = [
        "slaProperties",
        "The address was verified",
        "freshness",
        "multipleOf",
        "amount type",
        "counts values",
        "items",
    ]
    assert [one for one in (*left, "it counts values, and", "lines type") if one not in named] == []
    assert len(imported.not_understood) == 9
    assert all(one.where.startswith("line ") for one in imported.not_understood)
    example = import_checks((ROOT / "examples" / "contracts" / "orders.odcs.yaml").read_text(), "odcs")
    assert (len(example.checks), [one.where for one in example.not_understood]) == (12, ["line 17"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "DataProduct"}, "no data contract"),
        ({"apiVersion": "v2.2.2"}, "version 3"),
        ({"schema": ["orders"]}, "no list of mappings"),
        ({"schema": [{"name": "orders", "properties": {"id": {}}}]}, "no list of mappings"),
    ],
)
def test_another_file_is_refused_with_the_reason(change: Mapping[str, Any], said: str) -> None:
    with pytest.raises(UsageMistake, match=said):
        import_checks(yaml.safe_dump({**ODCS, **change}), "odcs")


def test_a_table_schema_and_a_data_package_are_read() -> None:
    cities = {
        "fields": [
            {"name": "id", "type": "integer", "constraints": {"required": True, "minimum": 1}},
            {"name": "code", "type": "string", "constraints": {"pattern": "[A-Z]{2}", "maxLength": 2}},
            {"name": "mail", "type": "string", "format": "email"},
            {"name": "kind", "constraints": {"enum": ["city", "town"]}},
            {"name": "shape", "type": "geojson"},
            {"name": "price", "type": "number", "decimalChar": ","},
        ],
        "primaryKey": "id",
        "uniqueKeys": [["code", "kind"]],
        "foreignKeys": [{"fields": "code", "reference": {"resource": "countries", "fields": "code"}}],
        "missingValues": ["", "NA"],
    }
    imported = import_checks(json.dumps(cities), "frictionless", table="cities")
    assert rules(imported) == [
        "columns of cities: must have id, code, mail, kind, shape, price",
        "columns of cities: id must be integer",
        "cities: id must be present",
        "cities: id must be at least 1",
        "columns of cities: code must be text",
        "cities: code must match /[A-Z]{2}/",
        "cities: the length of code must be at most 2",
        "columns of cities: mail must be text",
        "cities: mail must have the format email address",
        "cities: kind must be one of 'city', 'town'",
        "columns of cities: price must be number",
        "cities: id must be unique",
        "cities: (code, kind) must be unique",
        "cities: id must be present",
        "cities: code must be among countries.code",
    ]
    assert [one.where for one in imported.not_understood] == ["fields[4]", "fields[5]", "missingValues"]
    package = {"resources": [{"name": "cities", "schema": cities}, {"name": "other", "schema": {"fields": []}}]}
    assert set(rules(import_checks(json.dumps(package), "frictionless", table="cities"))) == set(rules(imported))
    with pytest.raises(UsageMistake, match="--table NAME"):
        import_checks(json.dumps(cities), "frictionless")


SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "products",
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "name": {"type": "string", "minLength": 2, "pattern": "^[a-z]+$"},
        "price": {"type": ["number", "null"], "exclusiveMinimum": 0},
        "kind": {"enum": ["new", "old", None]},
        "billing": {"type": "string"},
        "card": {"type": "string"},
    },
    "required": ["id", "name", "price"],
    "dependentRequired": {"card": ["billing"]},
}
ROWS: Sequence[Mapping[str, Any]] = (
    {"id": 1, "name": "pen", "price": 2.5, "kind": "new", "billing": "x", "card": "y"},
    {"id": 0, "name": "pen", "price": 2.5, "kind": "new"},
    {"id": 2, "name": "p", "price": 2.5, "kind": "new"},
    {"id": 3, "name": "PEN", "price": 2.5, "kind": "new"},
    {"id": 4, "name": "pen", "price": 0.0, "kind": "new"},
    {"id": 5, "name": "pen", "price": None, "kind": None},
    {"id": 6, "name": "pen", "price": 2.5, "kind": "odd"},
    {"id": 7, "name": "pen", "price": 2.5, "card": "y"},
    {"id": 8, "price": 2.5},
)


def test_rows_are_judged_as_json_schema_judges_them() -> None:
    imported = import_checks(json.dumps(SCHEMA), "json-schema")
    assert imported.not_understood == ()
    frames = {"products": pd.DataFrame(ROWS)}
    constraints = [rule for check in imported.checks if (rule := read_canonical(check.rule)) is not None]
    assert len(constraints) == len(imported.checks)
    of_rows = [rule for rule in constraints if rule.shape == "rows"]
    broken = {row for rule in of_rows for row in found(rule, frames)}
    assert not [rule for rule in constraints if rule.shape == "columns" and found(rule, frames)]
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert broken == {number for number, row in enumerate(ROWS) if not validator.is_valid(dict(row))}
    assert broken == {1, 2, 3, 4, 6, 7, 8}


def test_what_json_schema_says_beyond_rows_is_named() -> None:
    more = {**SCHEMA, "additionalProperties": False, "anyOf": [{"required": ["card"]}], "minProperties": 2}
    more = {**more, "properties": {**SCHEMA["properties"], "tags": {"type": "array", "uniqueItems": True}, "any": True}}
    named = {one.what.split(":")[0] for one in import_checks(json.dumps(more), "json-schema").not_understood}
    assert named == {
        "additionalProperties",
        "anyOf",
        "minProperties",
        "products.tags type",
        "products.tags uniqueItems",
        "any",
    }
    listed = {"type": "array", "items": {**SCHEMA, "additionalProperties": True}, "minItems": 1}
    imported = import_checks(json.dumps(listed), "json-schema", table="products")
    assert [one.where for one in imported.not_understood] == ["minItems"]
    assert rules(imported) == rules(import_checks(json.dumps(SCHEMA), "json-schema"))

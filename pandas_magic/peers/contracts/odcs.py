"""Contracts of the Open Data Contract Standard 3 read: columns, keys, references and quality rules.

Source: bitol-io/open-data-contract-standard, v3.1.0: docs/schema.md and docs/data-quality.md.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pandas_magic.constraints import Column, Constraint, Exists, Unique
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.contracts.column_facts import pieces
from pandas_magic.peers.contracts.exporter import entry_of, shape_of
from pandas_magic.peers.importing import Piece, gather
from pandas_magic.peers.marks import KEY, Mark, read_mark
from pandas_magic.peers.rule_parts import column, row_rule
from pandas_magic.peers.soda.equivalents import meaning
from pandas_magic.peers.transfers import CannotRead, Imported
from pandas_magic.peers.yaml_text import Path, YamlText, load

_DESCRIBE = (
    "id name physicalName physicalType description businessName authoritativeDefinitions tags customProperties "
    "dataGranularityDescription primaryKeyPosition partitioned partitionKeyPosition classification encryptedName "
    "transformSourceObjects transformLogic transformDescription examples criticalDataElement deprecated synonyms"
)
# What describes an object or a column, and demands nothing of its rows.
_BESIDE = frozenset(_DESCRIBE.split())
_OF_OBJECT = frozenset({"properties", "quality", "relationships", "logicalType"})
_OF_COLUMN = frozenset(
    {"required", "unique", "primaryKey", "logicalType", "logicalTypeOptions", "quality", "relationships"}
)
_ABOUT_A_RULE = frozenset(
    {
        "id",
        "name",
        "description",
        "dimension",
        "method",
        "severity",
        "businessImpact",
        "customProperties",
        "tags",
        "authoritativeDefinitions",
        "scheduler",
        "schedule",
        "type",
        "engine",
        "unit",
    }
)
_ABOUT_A_CONTRACT = frozenset(
    {
        "version",
        "kind",
        "apiVersion",
        "id",
        "name",
        "tenant",
        "tags",
        "status",
        "servers",
        "dataProduct",
        "authoritativeDefinitions",
        "description",
        "domain",
        "schema",
        "support",
        "price",
        "team",
        "roles",
        "customProperties",
        "contractCreatedTs",
    }
)
_OPERATORS = {
    "mustBe": "= {}",
    "mustNotBe": "!= {}",
    "mustBeGreaterThan": "> {}",
    "mustBeGreaterOrEqualTo": ">= {}",
    "mustBeLessThan": "< {}",
    "mustBeLessOrEqualTo": "<= {}",
    "mustBeBetween": "between ({0[0]} and {0[1]})",  # "equivalent to mustBeGreaterThan and mustBeLessThan"
}
# A metric is one of Soda's of the same meaning, and its arguments what Soda has below a check.
_METRICS = {
    "nullValues": "missing",
    "missingValues": "missing",
    "invalidValues": "invalid",
    "duplicateValues": "duplicate",
}
_ARGUMENTS = {"missingValues": "missing values", "validValues": "valid values", "pattern": "valid regex"}
_COUNTED = re.compile(r"\s*select\s+count\(\s*(?:\*|1)\s*\)\s+from\s+(\S+)\s+where\s+(.+?)[\s;]*", re.I | re.S)


def read(text: str, *, table: str = "") -> Imported:
    """The checks of every object in the contract, or of `table` alone.

    Raises: UsageMistake when the text is no such contract.
    """
    document = load(text)
    content = document.content
    if not isinstance(content, dict) or content.get("kind") != "DataContract":
        raise UsageMistake('the file is no data contract of the ODCS: it has no "kind: DataContract"')
    if not str(content.get("apiVersion", "")).startswith("v3"):
        raise UsageMistake(f"the contract is of ODCS {content.get('apiVersion')}; version 3 is understood")
    objects = _entries(content, "schema")
    names = {str(each.get("name")): (_name_of(each), _columns_of(each)) for each in objects}
    found: list[Piece] = []
    for number, each in enumerate(objects):
        if table in ("", _name_of(each)):
            found += _Object(document, ("schema", number), each, names).pieces()
    for key in content:
        if key not in _ABOUT_A_CONTRACT:
            found.append(_unread(document.where(key), str(key), "it says nothing about rows that a rule could hold"))
    return gather(found, (), prefix="ODCS", shapes_of=_shapes_of)


def _entries(content: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The mappings in a list. Raises: UsageMistake for anything else."""
    found = content.get(key) or []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise UsageMistake(f'the file is no data contract of the ODCS: "{key}" is no list of mappings')
    return found


def _columns_of(each: Mapping[str, Any]) -> dict[str, str]:
    """The columns of an object by their names in the contract."""
    return {str(one.get("name")): _name_of(one) for one in _entries(each, "properties")}


def _shapes_of(constraint: Constraint, mark: Mark) -> list[str]:
    return [shape_of(constraint.table, entry_of(constraint, mark)[0])]


def _name_of(each: Mapping[str, Any]) -> str:
    return str(each.get("physicalName") or each.get("name") or "")


def _unread(where: str, what: str, reason: str) -> Piece:
    def refuse() -> Constraint:
        raise CannotRead(reason)

    return Piece(where=where, what=what[:80], read=refuse)


Names = Mapping[str, tuple[str, Mapping[str, str]]]  # object -> its table, and column -> its name there


class _Object:
    """One object of a contract, which is a table of ours by its physical name, or its name without one."""

    def __init__(self, document: YamlText, path: Path, content: Mapping[str, Any], names: Names) -> None:
        self._document, self._path, self._content, self._names = document, path, content, names
        self._table, self._columns = _name_of(content), _columns_of(content)

    def pieces(self) -> Iterator[Piece]:
        """What it demands, piece by piece."""
        yield from self._others(self._path, self._content, _OF_OBJECT)
        yield from self._quality(self._path, self._content, None)
        yield from self._references(self._path, self._content, None)
        keys = []
        for number, each in enumerate(_entries(self._content, "properties")):
            path, name = (*self._path, "properties", number), _name_of(each)
            keys += [(each.get("primaryKeyPosition") or 0, name)] if each.get("primaryKey") is True else []
            facts: dict[str, Any] = {key: each[key] for key in ("required", "unique") if key in each}
            facts |= {"type": each["logicalType"]} if "logicalType" in each else {}
            facts |= each.get("logicalTypeOptions") or {}
            yield from pieces(self._document.where(*path), self._table, name, facts)
            yield from self._others(path, each, _OF_COLUMN)
            yield from self._quality(path, each, name)
            yield from self._references(path, each, name)
        yield from self._key([name for _, name in sorted(keys)])

    def _key(self, names: list[str]) -> Iterator[Piece]:
        where = self._document.where(*self._path)
        if names:
            must = Unique(by=tuple(column(name) for name in names))
            yield Piece(where, f"{self._table} primaryKey", lambda: row_rule(self._table, must))
            for name in names:
                yield from pieces(where, self._table, name, {"required": True})

    def _others(self, path: Path, content: Mapping[str, Any], known: frozenset[str]) -> Iterator[Piece]:
        for key, value in content.items():
            if key not in _BESIDE | known:
                reason = "this part of a contract is not understood"
                yield _unread(self._document.where(*path, key), f"{key}: {value!r}", reason)

    def _quality(self, path: Path, content: Mapping[str, Any], name: str | None) -> Iterator[Piece]:
        for number, rule in enumerate(_entries(content, "quality")):
            what = rule.get("description") or rule.get("metric") or rule.get("type")
            marks = [one.get("value") for one in _entries(rule, "customProperties") if one.get("property") == KEY]
            yield Piece(
                where=self._document.where(*path, "quality", number),
                what=f"{self._table}{'.' + name if name else ''}: {what}"[:80],
                read=lambda rule=rule: self._rule(rule, name),  # type: ignore[misc] # mypy: a lambda with defaults
                shape=shape_of(self._table, rule),
                mark=read_mark({KEY: marks[0]}) if marks else None,
                name=str(rule.get("id") or rule.get("name") or ""),
            )

    def _rule(self, rule: Mapping[str, Any], name: str | None) -> Constraint:
        kind = rule.get("type") or "library"
        if kind == "text":
            raise CannotRead("it is a text, which nothing executes; say it as a rule of ours: pandas-magic add")
        said = {key: value for key, value in rule.items() if key not in _ABOUT_A_RULE}
        operators = [key for key in said if key in _OPERATORS]
        if kind == "custom" and rule.get("engine") == "soda":
            return _soda(self._table, said)
        if kind not in ("library", "sql") or len(operators) != 1:
            raise CannotRead("a rule is understood that is a metric or SQL with one operator, or a check of Soda")
        threshold = _OPERATORS[operators[0]].format(said.pop(operators[0]))
        return self._counted(said, threshold) if kind == "sql" else self._metric(rule, said, threshold, name)

    def _counted(self, said: Mapping[str, Any], threshold: str) -> Constraint:
        found = _COUNTED.fullmatch(str(said.get("query")))
        if set(said) != {"query"} or found is None or threshold != "= 0":
            raise CannotRead("a query is understood that counts the rows that fail, which must be 0")
        if found[1] not in ("{object}", self._table, self._content.get("name")) or "{" in found[2]:
            raise CannotRead("it counts rows of another table, or by a name that is only known when it runs")
        return meaning(self._table, "failed rows", {"fail condition": found[2]})

    def _metric(self, rule: Mapping[str, Any], said: dict[str, Any], threshold: str, name: str | None) -> Constraint:
        metric, arguments = said.pop("metric", said.pop("rule", None)), dict(said.pop("arguments", None) or {})
        if said:
            raise CannotRead(f"it has {', '.join(map(str, said))}, which is not understood")
        if metric == "rowCount" and name is None and not arguments:
            return meaning(self._table, f"row_count {threshold}", {})
        names = [name] if name else [self._columns.get(str(one), str(one)) for one in arguments.pop("properties", ())]
        if metric not in _METRICS or not names or not set(arguments) <= set(_ARGUMENTS):
            raise CannotRead("no rule of ours says this metric")
        below = {_ARGUMENTS[key]: _without_gaps(value) for key, value in arguments.items()}
        if rule.get("unit", "rows") not in ("rows", "percent"):
            raise CannotRead(f"it counts {rule['unit']}, and a rule counts rows")
        unit = "percent" if rule.get("unit") == "percent" else "count"
        return meaning(self._table, f"{_METRICS[metric]}_{unit}({', '.join(names)}) {threshold}", below)

    def _references(self, path: Path, content: Mapping[str, Any], name: str | None) -> Iterator[Piece]:
        for number, each in enumerate(_entries(content, "relationships")):
            place = self._document.where(*path, "relationships", number)
            yield Piece(place, f"{self._table} relationship to {each.get('to')}"[:80], self._reference(each, name))

    def _reference(self, each: Mapping[str, Any], name: str | None) -> Callable[[], Constraint]:
        def constraint() -> Constraint:
            mine = [name] if name else [_parts(one)[1] for one in _listed(each.get("from"))]
            there = [self._named(*_parts(one)) for one in _listed(each.get("to"))]
            tables = {table for table, _ in there}
            if len(mine) != len(there) or len(tables) != 1:
                raise CannotRead("it does not say for each column which one of one other table it is in")
            of = tuple(Column(name=self._columns.get(one, one)) for one in mine)
            return row_rule(self._table, Exists(of=of, table=tables.pop(), keys=tuple(key for _, key in there)))

        return constraint

    def _named(self, table: str, name: str) -> tuple[str, str]:
        physical, columns = self._names.get(table, (table, {}))
        return physical, columns.get(name, name)


def _soda(table: str, said: Mapping[str, Any]) -> Constraint:
    body = said.get("implementation")
    found = load(body).content if isinstance(body, str) else body
    if not isinstance(found, dict) or len(found) != 1 or set(said) != {"implementation"}:
        raise CannotRead("a check of Soda is understood that is one line of SodaCL, with what stands below it")
    ((line, below),) = found.items()
    return meaning(table, str(line), below or {})


def _without_gaps(value: object) -> object:
    # A gap is missing anyway, and never invalid.
    return [one for one in value if one is not None] if isinstance(value, list) else value


def _listed(said: object) -> list[str]:
    return [str(one) for one in said] if isinstance(said, list) else [str(said)]


def _parts(said: str) -> tuple[str, str]:
    table, dot, name = said.rpartition(".")
    if not dot or "/" in said:
        raise CannotRead(f'"{said}" does not name a column as table.column')
    return table, name

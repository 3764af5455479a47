"""Generic tests read from a `schema.yml` of dbt: of models, sources, seeds and snapshots, old key or new."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pandas_magic.constraints import All, Constraint, RowRule, Tolerance
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.dbt.equivalents import MEANINGS, ROW_COUNTING, meaning_of_expectation
from pandas_magic.peers.dbt.generic_tests import GenericTest, generic_tests
from pandas_magic.peers.importing import Piece, gather
from pandas_magic.peers.marks import Mark, read_mark
from pandas_magic.peers.sql_filters import read_sql
from pandas_magic.peers.transfers import CannotRead, Imported, NotUnderstood
from pandas_magic.peers.yaml_text import Path, YamlText, load

_KINDS = ("models", "seeds", "snapshots")
_KEYS = ("data_tests", "tests")
# Settings that say how a test is run and shown, not what it asks for.
_BESIDE = frozenset(
    {"tags", "meta", "enabled", "severity", "store_failures", "store_failures_as", "limit", "group", "schema", "alias"}
)
_CONFIG = frozenset({"where", "error_if", "warn_if", "fail_calc", *_BESIDE})
_NO_TESTS = "constraints and versions of a model are no tests"
Lost = list[NotUnderstood]


@dataclass(frozen=True)
class _Relation:
    """A model, source, seed or snapshot: whatever can have tests, and where it stands."""

    name: str
    content: Mapping[str, Any]
    path: Path


def read(text: str, *, table: str = "") -> Imported:
    """The checks of every model in the file, or of `table` alone.

    Raises: UsageMistake when the text is no such file, or has no such model.
    """
    document = load(text)
    if not isinstance(document.content, dict):
        raise UsageMistake("the file is no schema.yml of dbt: it holds no models")
    lost: Lost = []
    relations = list(_relations(document))
    names = [relation.name for relation in relations]
    if table and table not in names:
        raise UsageMistake(f"the file has no model {table}; it has {', '.join(names)}")
    chosen = [relation for relation in relations if table in ("", relation.name)]
    pieces = [piece for relation in chosen for piece in _tests(document, relation, lost)]
    return gather(pieces, lost, prefix="DBT", shapes_of=_shapes_of)


def _shapes_of(constraint: Constraint, mark: Mark) -> list[str]:
    return [one.shape for one in generic_tests(constraint, mark)]


def _relations(document: YamlText) -> Iterator[_Relation]:
    """Every relation that can have tests."""
    content = document.content
    for kind in _KINDS:
        yield from _named(content.get(kind), (kind,))
    for place, source in enumerate(_list(content.get("sources"))):
        if isinstance(source, dict):
            yield from _named(source.get("tables"), ("sources", place, "tables"))


def _named(entries: object, path: Path) -> Iterator[_Relation]:
    for place, entry in enumerate(_list(entries)):
        if isinstance(entry, dict) and entry.get("name"):
            yield _Relation(str(entry["name"]), entry, (*path, place))


def _list(found: object) -> list[Any]:
    return found if isinstance(found, list) else []


def _tests(document: YamlText, relation: _Relation, lost: Lost) -> Iterator[Piece]:
    model, content, path = relation.name, relation.content, relation.path
    columns = _named(content.get("columns"), (*path, "columns"))
    for place in (replace(relation, name=""), *columns):
        for key in _KEYS:
            for number, test in enumerate(_list(place.content.get(key))):
                where = document.where(*place.path, key, number)
                try:
                    yield _piece(where, model, place.name, test)
                except CannotRead as reason:
                    lost.append(NotUnderstood(where=where, what=f"{model} {place.name}".strip(), reason=str(reason)))
    if content.get("constraints") or content.get("versions"):
        lost.append(NotUnderstood(where=document.where(*path), what=model, reason=_NO_TESTS))


def _piece(where: str, model: str, column: str, entry: object) -> Piece:
    name, test, given = _taken_apart(entry)
    config = {**(given.pop("config", None) or {})}
    config |= {key: given.pop(key) for key in list(given) if key in _CONFIG}
    given |= given.pop("arguments", None) or {}
    column = str(given.pop("column_name", column)) if test not in _WITH_COLUMN else column
    meta = config.get("meta") if isinstance(config.get("meta"), dict) else {}
    mark = read_mark(meta)
    asked = {key: str(config[key]) for key in ("where", "error_if", "warn_if") if key in config}
    tags = config.get("tags") or ()
    return Piece(
        where=where,
        what=f"{model} {column} {test}".replace("  ", " "),
        read=lambda: _rule(GenericTest(model, column, test, given, config)),
        shape=GenericTest(model, column, test, given, asked).shape,
        mark=mark,
        name=name,
        severity="low" if str(config.get("severity", "")).lower() == "warn" else "medium",
        owner=str((meta or {}).get("owner", "") or ""),
        tags=(tags,) if isinstance(tags, str) else tuple(map(str, tags)),
    )


_WITH_COLUMN = frozenset({"dbt_utils.unique_combination_of_columns"})


def _taken_apart(entry: object) -> tuple[str, str, dict[str, Any]]:
    """The test's own name, the name of the generic test, and a copy of all that is given to it."""
    if isinstance(entry, str):
        return "", entry, {}
    if not isinstance(entry, dict) or not entry:
        raise CannotRead(f"{entry!r} is no test")
    if "test_name" in entry:
        given = dict(entry)
        return str(given.pop("name", "")), str(given.pop("test_name")), given
    test, given = next(iter(entry.items()))
    beside = {key: value for key, value in entry.items() if key != test}
    if given is not None and not isinstance(given, dict):
        raise CannotRead(f"{json.dumps(given, default=str)[:60]} is no set of arguments for {test}")
    given = {**beside, **(given or {})}
    given.pop("description", None)
    return str(given.pop("name", "")), str(test), given


def _rule(asked: GenericTest) -> Constraint:
    """The rule that the test asks for; `config` holds all its settings."""
    model, test, given, config = asked.model, asked.test, asked.arguments, asked.config
    if any("{{" in str(value) or "{%" in str(value) for value in (*given.values(), config.get("where", ""))):
        raise CannotRead("it holds a template, which only dbt fills in")
    unknown = sorted(set(config) - _CONFIG)
    if unknown or config.get("fail_calc") or config.get("enabled") is False:
        what = ", ".join(unknown) or ("fail_calc" if config.get("fail_calc") else "enabled: false")
        raise CannotRead(f"its setting {what} is not understood")
    if test.startswith("dbt_expectations."):
        constraint = meaning_of_expectation(test, asked.column, given, model)
    elif test in MEANINGS:
        constraint = MEANINGS[test](model, asked.column, given)
    else:
        raise CannotRead(f"the test {test} is not understood")
    where = config.get("where")
    if where is not None:
        constraint = _confined(constraint, str(where), model)
    tolerated = config.get("error_if")
    return constraint if tolerated is None else _tolerating(constraint, test, str(tolerated))


def _confined(constraint: Constraint, where: str, model: str) -> Constraint:
    if not isinstance(constraint, RowRule):
        raise CannotRead("its where narrows the rows of a whole-table test")
    scope = read_sql(where, table=model)
    if constraint.where is not None:
        scope = All(conditions=(scope, constraint.where))
    return constraint.model_copy(update={"where": scope})


def _tolerating(constraint: Constraint, test: str, failing: str) -> Constraint:
    more = re.fullmatch(r"\s*>\s*(\d+)\s*", failing)
    if re.fullmatch(r"\s*(!=\s*0|>\s*0|>=\s*1)\s*", failing):
        return constraint
    if more is None or test not in ROW_COUNTING or not isinstance(constraint, RowRule):
        raise CannotRead(f"error_if: {failing} is not understood for this test")
    return constraint.model_copy(update={"tolerance": Tolerance(max_rows=int(more[1]))})

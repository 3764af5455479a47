"""Expectation suites read: JSON of Great Expectations 1.x and of 0.18."""

import json
from collections.abc import Mapping
from typing import Any

from pandas_magic.constraints import Constraint
from pandas_magic.errors import UsageMistake
from pandas_magic.peers.great_expectations.equivalents import MEANINGS
from pandas_magic.peers.great_expectations.exporter import expectations_of
from pandas_magic.peers.great_expectations.names import MISSING_WITHOUT_VALUES, OUR_SEVERITIES, WITHOUT_VALUES
from pandas_magic.peers.great_expectations.unsaid import why_unsaid
from pandas_magic.peers.importing import Piece, gather
from pandas_magic.peers.marks import Mark, read_mark
from pandas_magic.peers.regexes import pattern_remark
from pandas_magic.peers.transfers import CannotRead, Imported, NotUnderstood

# Arguments that say where or how to run an expectation, not what it asks for.
_BESIDE = frozenset({"batch_id", "result_format", "catch_exceptions", "include_config", "meta", "table"})


def read(text: str, *, table: str = "") -> Imported:
    """The checks that the suite states about `table`; without a name it is the suite's own.

    Raises: UsageMistake when the text is no suite.
    """
    suite = _suite(text)
    about = table or str(suite.get("name") or suite.get("expectation_suite_name") or "")
    if not about:
        raise UsageMistake("the suite has no name; say which table it is about: --table NAME")
    pieces, lost = [], []
    for number, entry in enumerate(suite["expectations"]):
        where = f"expectations[{number}]"
        if isinstance(entry, Mapping) and isinstance(entry.get("kwargs", {}), Mapping):
            pieces.append(_piece(where, entry, about))
        else:
            lost.append(NotUnderstood(where=where, what=repr(entry)[:80], reason="it is no expectation with kwargs"))
    return gather(pieces, lost, prefix="GX", shapes_of=_shapes_of, table=table)


def _suite(text: str) -> dict[str, Any]:
    try:
        suite = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageMistake(f"the suite is no JSON: {error}") from error
    if not isinstance(suite, dict) or not isinstance(suite.get("expectations"), list):
        raise UsageMistake('the file is no expectation suite: it has no list of "expectations"')
    return suite


def _piece(where: str, entry: Mapping[str, Any], table: str) -> Piece:
    kind = str(entry.get("type") or entry.get("expectation_type") or "")
    meta = entry.get("meta")
    kwargs = {name: value for name, value in entry.get("kwargs", {}).items() if name not in _BESIDE}
    kwargs = {name: value for name, value in kwargs.items() if value is not None or name == "column"}
    mark = read_mark(meta)

    def constraint() -> Constraint:
        if kind not in MEANINGS:
            raise CannotRead(why_unsaid(kind))
        if any(isinstance(value, Mapping) and "$PARAMETER" in value for value in kwargs.values()):
            raise CannotRead("it takes a parameter that is only known when it runs")
        return MEANINGS[kind](_plain(kwargs), table)

    column = kwargs.get("column") or kwargs.get("column_list") or kwargs.get("column_A") or ""
    owner = meta.get("owner", "") if isinstance(meta, Mapping) else ""
    return Piece(
        where=where,
        what=f"{kind} {column}".strip(),
        read=constraint,
        shape=_shape(kind, kwargs),
        mark=mark,
        severity=OUR_SEVERITIES.get(str(entry.get("severity", "")), "medium"),  # type: ignore[arg-type] # one of our severities
        owner=owner if isinstance(owner, str) else "",
        remarks=() if mark else _remarks(kind, kwargs),
    )


def _remarks(kind: str, kwargs: Mapping[str, Any]) -> tuple[str, ...]:
    empty = (WITHOUT_VALUES,) if kind in MISSING_WITHOUT_VALUES else ()
    return (pattern_remark(str(kwargs.get("regex", ""))), *empty)


def _shapes_of(constraint: Constraint, mark: Mark) -> list[str]:
    return [_shape(one["type"], one["kwargs"]) for one in expectations_of(constraint, mark)]


def _shape(kind: str, kwargs: Mapping[str, Any]) -> str:
    """The expectation as text that is the same when it is saved by Great Expectations and when it is not."""
    return json.dumps([kind, _without_defaults(kwargs)], sort_keys=True, default=str)


def _plain(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with a filter that 1.x wraps in a record as the text that it was."""
    found = dict(kwargs)
    wrapped = found.get("row_condition")
    if isinstance(wrapped, Mapping) and wrapped.get("type") == "pass_through":
        found |= {"row_condition": wrapped.get("pass_through_filter"), "condition_parser": "pandas"}
    return found


def _without_defaults(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments without those that only state a default, which it leaves out when it saves; it makes 1 into 1.0."""
    defaults = {"mostly": 1, "strict_min": False, "strict_max": False, "or_equal": False, "exact_match": True}
    plain = {name: _short(value) for name, value in _plain(kwargs).items()}
    return {name: value for name, value in plain.items() if name not in defaults or value != defaults[name]}


def _short(value: Any) -> Any:  # noqa: ANN401 - of a JSON file
    if isinstance(value, list):
        return [_short(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value

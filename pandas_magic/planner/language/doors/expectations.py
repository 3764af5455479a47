"""Expectations of Great Expectations by their names: what each says in SQL."""

import ast
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from pandas_magic.planner.language.doors.terms import NothingHolds

_NAME = r"[\w]+(?:\.[\w]+)?"
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_EITHER = "either_value_is_missing"


@cache
def _entries() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("expectations.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def expectation(rule: str) -> str | None:
    """What a call of Great Expectations says, in SQL: `expect_column_values_to_not_be_null("email")`; None for others.

    Raises: NothingHolds for an expectation, or an argument of one, of which nothing is known here.
    """
    try:
        call = ast.parse(rule.strip().rstrip(".;").strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    func = call.func if isinstance(call, ast.Call) else None
    said = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
    name = _CAPITAL.sub("_", said).lower().replace("__", "_")
    if not isinstance(call, ast.Call) or not name.startswith("expect_"):
        return None
    if name not in _entries():
        raise NothingHolds(f"I know no expectation {said}; write what it demands as a sentence")
    return _filled(said, _entries()[name], call)


def _filled(said: str, entry: Mapping[str, Any], call: ast.Call) -> str:
    takes, flags = entry["takes"], entry.get("flags", {})
    given = {name: argument for name, argument in zip(takes, call.args, strict=False)}
    given |= {str(keyword.arg): keyword.value for keyword in call.keywords}
    if len(call.args) > len(takes):
        raise NothingHolds(f"{said} takes {', '.join(takes)}; write its other arguments by their names")
    ignored = given.pop("ignore_row_if", None)
    unknown = sorted(given.keys() - {*takes, *flags})
    if unknown or not (ignored is None or ("either" in entry and _value(ignored) == _EITHER)):
        raise NothingHolds(f"{said} is read without {unknown[0] if unknown else 'ignore_row_if'} alone")
    signs = {name: pair[_value(given[name]) is True if name in given else 0] for name, pair in flags.items()}
    slots = signs | {name: _column(argument) if name.startswith("column") else _sql(_value(argument))
                     for name, argument in given.items() if name in takes}  # fmt: skip
    parts = [part for part in entry["says" if ignored is None else "either"] if _slots(part) <= slots.keys()]
    if not parts:
        raise NothingHolds(f"{said} takes {', '.join(takes)}")
    return " AND ".join(part.format(**slots) for part in parts)


def _slots(part: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", part))


def _value(argument: ast.expr) -> object:
    try:
        return ast.literal_eval(argument)
    except ValueError:
        raise NothingHolds(f'"{ast.unparse(argument)}" is no value that is written out') from None


def _column(argument: ast.expr) -> str:
    """The column's name, in quotes or bare, with its table or not."""
    said = argument.value if isinstance(argument, ast.Constant) else ast.unparse(argument)
    if not isinstance(said, str):
        raise NothingHolds(f"{said!r} is no name of a column")
    return said if re.fullmatch(_NAME, said) else f"`{said}`"


def _sql(value: object) -> str:
    if isinstance(value, (list, tuple, set)) and value:
        return f"({', '.join(map(_sql, value))})"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, (int, float)):
        return str(value)
    raise NothingHolds(f"{value!r} is no value of a rule")

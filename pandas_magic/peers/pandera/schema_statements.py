"""One rule as what pandera states: built-in checks of a column, or a function with the rule's own pandas code."""

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import (
    Column,
    ColumnsRule,
    Compare,
    Condition,
    Constraint,
    HasText,
    Matches,
    Moment,
    Not,
    OneOf,
    Parses,
    Present,
    RowRule,
    TextLength,
    Value,
    identifier,
    reads,
    render_code,
)
from pandas_magic.peers.demands import Bounds, bounds, column_of, demands
from pandas_magic.peers.marks import Mark
from pandas_magic.peers.regexes import search_pattern
from pandas_magic.peers.schemas import Types
from pandas_magic.peers.transfers import CannotSay

PRESENCE, FUNCTION = "nullable", "function"


@dataclass(frozen=True)
class Statement:
    """What a schema says for one demand of a rule.

    `check` is the name of a method of `pa.Check`, `PRESENCE` for a column that is not nullable, or `FUNCTION`, whose
    `source` is a function that takes the table.
    """

    column: str  # "": the whole table
    check: str
    arguments: dict[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def shape(self) -> tuple[str, str, str, str]:
        """What must be the same for two statements to be the same."""
        source = ast.unparse(ast.parse(self.source)) if self.source else ""
        return self.column, self.check, json.dumps(self.arguments, sort_keys=True, default=str), source


def statements(constraint: Constraint, mark: Mark) -> list[Statement]:
    """The built-in checks that say the rule where there are such, else one function.

    Raises: CannotSay when the rule looks at another table.
    """
    if isinstance(constraint, RowRule) and constraint.where is None and constraint.tolerance is None:
        built_in = [_built_in(part.must, Types(constraint.table, mark.types)) for part in demands(constraint)]
        if all(built_in):
            return [one for one in built_in if one is not None]
    others = set(reads(constraint)) - {constraint.table}
    if others:
        raise CannotSay(f"a schema sees one table, and the rule looks at {', '.join(sorted(others))} too")
    return [Statement("", FUNCTION, source=_function(constraint, mark))]


def shapes_of(constraint: Constraint, mark: Mark) -> list[tuple[str, str, str, str]]:
    """The shapes of the statements. Raises: CannotSay as `statements` does."""
    return [one.shape for one in statements(constraint, mark)]


def _built_in(must: Condition, types: Types) -> Statement | None:
    """The built-in check; it leaves out missing values, as our comparisons do. None when there is none."""
    match must:
        case Present(of=Column(name=name)):
            return Statement(name, PRESENCE)
        case OneOf(of=Column(name=name)) if types.of(must.of).kind != "datetime":
            return Statement(name, "isin", {"allowed_values": list(must.values)})
        case Not(condition=OneOf(of=Column(name=name) as of, values=values)) if types.of(of).kind != "datetime":
            return Statement(name, "notin", {"forbidden_values": list(values)})
        case Matches(of=Column(name=name)) | HasText(of=Column(name=name)) | Parses(of=Column(name=name)):
            return _pattern(name, must, types)
        case Compare(relation="==" | "!=", left=Column(name=name), right=Value(value=value), within=None):
            return Statement(name, "equal_to" if must.relation == "==" else "not_equal_to", {"value": value})
    return _ranged(must, types)


def _pattern(name: str, must: Matches | HasText | Parses, types: Types) -> Statement | None:
    if types.of(must.of).kind != "text":
        return None
    if isinstance(must, HasText) and not must.ignore_case and must.where != "anywhere":
        return Statement(name, f"str_{must.where}swith", {"string": must.text})
    if isinstance(must, Parses) and must.type == "date":
        return None
    try:
        found = search_pattern(must)
    except CannotSay:
        return None
    # It is matched from the start of the text on, or searched for.
    return Statement(name, "str_contains" if isinstance(must, HasText) else "str_matches", {"pattern": found})


def _ranged(must: Condition, types: Types) -> Statement | None:
    found = bounds(must)
    if found is None:
        return None
    if isinstance(found.of, TextLength):
        return _length(found)
    name = column_of(found.of)
    if name is None or types.of(found.of).is_category or types.of(found.of).zone is not None:
        return None
    low, high = _limit(found.low), _limit(found.high)
    if low is not None and high is not None:
        return Statement(name, "in_range", {"min_value": low, "max_value": high})
    if low is not None:
        return Statement(name, "greater_than" if found.low_open else "greater_than_or_equal_to", {"min_value": low})
    return Statement(name, "less_than" if found.high_open else "less_than_or_equal_to", {"max_value": high})


def _limit(limit: Value | Moment | None) -> Any:  # noqa: ANN401 - a number, or the text of a moment
    return None if limit is None else limit.value if isinstance(limit, Value) else limit.iso


def _length(found: Bounds) -> Statement | None:
    name = column_of(found.of.of) if isinstance(found.of, TextLength) else None
    low, high = _limit(found.low), _limit(found.high)
    if name is None or not all(limit is None or isinstance(limit, int) for limit in (low, high)):
        return None
    arguments = {"min_value": low if low is None else low + found.low_open}
    arguments |= {"max_value": high if high is None else high - found.high_open}
    return Statement(name, "str_length", {name: limit for name, limit in arguments.items() if limit is not None})


def _function(constraint: Constraint, mark: Mark) -> str:
    """A function that says of each row, or of the table as a whole, whether it keeps the rule."""
    tables = {name: Table(name=name, columns=dict(columns)) for name, columns in mark.types.items()}
    frame, code = identifier(constraint.table), render_code(constraint, tables)
    lines = [f"def {function_name(mark.id)}({frame}):", f"    {json.dumps(mark.rule, ensure_ascii=False)}"]
    if not isinstance(constraint, ColumnsRule):
        # The code was written for a table of these columns alone; "duplicated()" would look at all others too.
        read = json.dumps(list(columns_read(constraint)), ensure_ascii=False)
        lines += [f"    rows, {frame} = {frame}.index, {frame}[{read}].reset_index(drop=True)"]
    lines += [f"    {line}" for line in (*_clocks(code), *code.split("\n"))]
    if isinstance(constraint, RowRule):
        lines.append(f"    return pd.Series(~{frame}.index.isin(violations.index), index=rows)")
    else:
        lines.append("    return violations.empty")
    return "\n".join(lines)


def _clocks(code: str) -> Iterator[str]:
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    if "now" in used:
        yield "now = pd.Timestamp.now()"
    if "utc_now" in used:
        yield 'utc_now = pd.Timestamp.now("UTC")'


def function_name(check_id: str) -> str:
    """The name of the function of a check."""
    return identifier(f"check_{check_id}".lower())


def columns_read(constraint: Constraint) -> tuple[str, ...]:
    """The columns that the table must have for the rule to be judged at all."""
    return () if isinstance(constraint, ColumnsRule) else reads(constraint)[constraint.table]

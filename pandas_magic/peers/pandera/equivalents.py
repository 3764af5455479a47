"""What the columns and built-in checks of a pandera schema mean as rules of ours."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pandas_magic.constraints import (
    All,
    ColumnsRule,
    Condition,
    Constraint,
    HasText,
    Not,
    OneOf,
    Present,
    RowRule,
    TextLength,
    Unique,
)
from pandas_magic.peers.importing import Piece
from pandas_magic.peers.marks import Mark
from pandas_magic.peers.pandera.schema_statements import FUNCTION, PRESENCE, Statement
from pandas_magic.peers.ranges import compared, one_of, within_limits
from pandas_magic.peers.regexes import pattern_remark, whole_text
from pandas_magic.peers.rule_parts import column, row_rule, scalars
from pandas_magic.peers.transfers import CannotRead

Arguments = Mapping[str, Any]
# The short names of `pa.Check` and of `pa.Field`, and those of its YAML.
LONG_NAMES = {
    "eq": "equal_to",
    "ne": "not_equal_to",
    "gt": "greater_than",
    "ge": "greater_than_or_equal_to",
    "lt": "less_than",
    "le": "less_than_or_equal_to",
    "between": "in_range",
}
# The only argument of a check that takes one, where it is given without its name.
_FIRST = {
    "isin": "allowed_values",
    "notin": "forbidden_values",
    "str_matches": "pattern",
    "str_contains": "pattern",
    "str_startswith": "string",
    "str_endswith": "string",
    "in_range": "min_value",
    "str_length": "min_value",
    "greater_than": "min_value",
    "greater_than_or_equal_to": "min_value",
    "less_than": "max_value",
    "less_than_or_equal_to": "max_value",
}
_SECOND = {"in_range": "max_value", "str_length": "max_value"}
_RELATIONS = {
    "equal_to": "==",
    "not_equal_to": "!=",
    "greater_than": ">",
    "greater_than_or_equal_to": ">=",
    "less_than": "<",
    "less_than_or_equal_to": "<=",
}
OPTIONS = frozenset({"name", "ignore_na", "raise_warning", "n_failure_cases", "error", "description", "title"})
_KINDS = (
    ("integer", ("int", "uint", "integer")),
    ("number", ("float", "double", "number", "decimal")),
    ("text", ("str", "string", "object_str")),
    ("boolean", ("bool",)),
    ("datetime", ("datetime", "timestamp", "date")),
)


@dataclass(frozen=True)
class BuiltIn:
    """A check of one column: its name in `pa.Check`, its arguments by name, its options, and where it stands."""

    check: str
    arguments: Arguments
    options: Arguments
    where: str


@dataclass(frozen=True)
class ColumnSpec:
    """A column of a schema, as far as it was read. `unread` are parts that were not, each with its reason."""

    name: str
    where: str
    dtype: str = ""
    nullable: bool = False
    unique: bool = False
    coerce: bool = False
    required: bool = True
    checks: tuple[BuiltIn, ...] = ()
    unread: tuple[tuple[str, str, str], ...] = ()  # where, what, reason


@dataclass(frozen=True)
class SchemaSpec:
    """A schema as far as it was read."""

    table: str
    where: str
    columns: tuple[ColumnSpec, ...]
    strict: bool = False
    ordered: bool = False
    unique: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    unread: tuple[tuple[str, str, str], ...] = ()
    functions: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # id -> source, where


def named_arguments(check: str, given: Iterable[Any], named: Arguments) -> dict[str, Any]:
    """The arguments by name; those given without are the first ones."""
    names = [_FIRST.get(check, "value"), _SECOND.get(check, "")]
    return {**dict(zip(names, given, strict=False)), **named}


def pieces(schema: SchemaSpec) -> Iterator[Piece]:
    """What the schema says, one demand after another."""
    marks = {mark.id: mark for mark in schema.marks}
    for spec in schema.columns:
        for one in spec.checks:
            yield _check_piece(spec, one, schema.table, marks.get(str(one.options.get("name", ""))))
        if not spec.nullable:
            yield Piece(
                where=spec.where,
                what=f"{spec.name} nullable=False",
                read=lambda name=spec.name: row_rule(schema.table, Present(of=column(name))),  # type: ignore[misc] # mypy: a lambda with defaults
                shape=Statement(spec.name, PRESENCE).shape,
            )
        if spec.unique:
            yield _unique_piece(schema.table, (spec.name,), spec.where, missing_equal=spec.nullable)
    if schema.unique:
        yield _unique_piece(schema.table, schema.unique, schema.where, missing_equal=True)
    for name, (source, where) in schema.functions.items():
        yield Piece(
            where=where,
            what=f"the function of {name}",
            read=_refusal("a function can say anything; it is read only when it stands as it was exported"),
            shape=Statement("", FUNCTION, source=source).shape,
            mark=marks.get(name),
            name=name,
        )
    if not schema.marks:
        yield from _columns_pieces(schema)


def _refusal(reason: str) -> Callable[[], Constraint]:
    def read() -> Constraint:
        raise CannotRead(reason)

    return read


def _unique_piece(table: str, names: tuple[str, ...], where: str, *, missing_equal: bool) -> Piece:
    def read() -> Constraint:
        return row_rule(table, Unique(by=tuple(map(column, names)), missing_equal=missing_equal))

    return Piece(where=where, what=f"unique {', '.join(names)}", read=read)


def _check_piece(spec: ColumnSpec, one: BuiltIn, table: str, mark: Mark | None) -> Piece:
    name = str(one.options.get("name") or "")
    own = dict(one.arguments)
    return Piece(
        where=one.where,
        what=f"{spec.name} {one.check}",
        read=lambda: _rule(spec, one, table),
        shape=Statement(spec.name, one.check, own).shape,
        mark=mark,
        name=name,
        severity="low" if one.options.get("raise_warning") is True else "medium",
        remarks=() if mark else (pattern_remark(str(own.get("pattern", ""))),),
    )


def _rule(spec: ColumnSpec, one: BuiltIn, table: str) -> RowRule:
    unknown = sorted(set(one.options) - OPTIONS)
    if unknown:
        raise CannotRead(f"its option {', '.join(unknown)} is not understood")
    must = _condition(column(spec.name), one)
    if one.options.get("ignore_na") is False:
        must = All(conditions=(Present(of=column(spec.name)), must))
    return row_rule(table, must)


def _condition(of: Any, one: BuiltIn) -> Condition:  # noqa: ANN401 - a column
    given = dict(one.arguments)
    if one.check in _RELATIONS:
        return compared(of, _RELATIONS[one.check], next(iter(given.values()), None) if len(given) == 1 else None)
    if one.check.startswith("str_"):
        return _text_condition(of, one.check, given)
    match one.check:
        case "isin":
            return one_of(of, given.get("allowed_values"))
        case "notin":
            return Not(condition=OneOf(of=of, values=scalars(given.get("forbidden_values"))))
        case "in_range":
            ends = {"low_open": given.get("include_min") is False, "high_open": given.get("include_max") is False}
            return within_limits(of, given.get("min_value"), given.get("max_value"), **ends)
    raise CannotRead(f"the check {one.check} is not understood")


def _text_condition(of: Any, check: str, given: Arguments) -> Condition:  # noqa: ANN401 - a column
    match check:
        case "str_matches":
            return whole_text(of, str(given.get("pattern")), "prefix")
        case "str_contains":
            return whole_text(of, str(given.get("pattern")), "search")
        case "str_startswith":
            return HasText(of=of, where="start", text=str(given.get("string")))
        case "str_endswith":
            return HasText(of=of, where="end", text=str(given.get("string")))
        case "str_length" if given.get("exact_value") is not None:
            return compared(TextLength(of=of), "==", given["exact_value"])
        case "str_length":
            return within_limits(TextLength(of=of), given.get("min_value"), given.get("max_value"))
    raise CannotRead(f"the check {check} is not understood")


def _columns_pieces(schema: SchemaSpec) -> Iterator[Piece]:
    """What a schema demands of the columns themselves; our own exports state only what the rules read."""
    required = tuple(spec.name for spec in schema.columns if spec.required)
    rule = ColumnsRule(table=schema.table, required=required)
    if schema.strict and len(required) == len(schema.columns):
        rule = rule.model_copy(update={"only": True})
    if schema.ordered:
        rule = rule.model_copy(update={"ordered": True})
    if required:
        yield Piece(where=schema.where, what="columns", read=lambda: rule)
    if schema.strict and not rule.only:
        yield Piece(schema.where, "strict", _refusal("it allows columns that need not be there, and no others"))
    for spec in schema.columns:
        if spec.dtype:
            yield _type_piece(spec, schema.table)


def _type_piece(spec: ColumnSpec, table: str) -> Piece:
    kind = kind_of_dtype(spec.dtype)

    def read() -> Constraint:
        if spec.coerce:
            raise CannotRead("it converts the values (coerce), and a rule only looks at them")
        if not spec.required:
            raise CannotRead("a type of a column that need not be there is not understood")
        if kind is None:
            raise CannotRead(f"the type {spec.dtype} is none of integer, number, text, boolean and datetime")
        return ColumnsRule(table=table, types={spec.name: kind})

    note = f"{spec.dtype} is read as {kind}: other types of that kind pass here and fail there"
    return replace(Piece(spec.where, f"{spec.name} dtype {spec.dtype}", read), remarks=(note,))


def kind_of_dtype(dtype: str) -> str | None:
    """Our kind of the values that a dtype of pandas, numpy or pandera holds, or None."""
    last = dtype.rsplit(".", 1)[-1].lower()
    for kind, starts in _KINDS:
        if last.startswith(starts):
            return kind
    return None

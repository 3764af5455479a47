"""DDL: constraints of a table as ALTER TABLE and CREATE TABLE state them, each on its own or several."""

import re
from collections.abc import Callable
from datetime import datetime

import pandas as pd

from pandas_magic.constraints import reads, violating_rows
from pandas_magic.constraints.algebra.conditions import Condition, Exists, OneOf, Present, Unique
from pandas_magic.constraints.algebra.expressions import Expression
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.language.doors.masked import outermost
from pandas_magic.planner.language.doors.meaning import condition
from pandas_magic.planner.language.doors.names import Names
from pandas_magic.planner.language.doors.sql_syntax import NotSql, SqlNode, sql_statement
from pandas_magic.planner.language.doors.sql_terms import term_of_sql
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, UnknownName, name
from pandas_magic.planner.language.doors.values import value
from pandas_magic.planner.language.logic import all_of

ColumnLine = Callable[[str, Names], Condition]
Scoped = tuple[Condition | None, Condition]
_TABLE = r"(?:if (?:not )?exists\s+)?(?:only\s+)?[`\"\[]?(?:\w+\.)?(?P<table>\w+)[`\"\]]?"
_ALTERED = re.compile(rf"alter\s+table\s+{_TABLE}\s+(?P<said>.*)", re.IGNORECASE | re.DOTALL)
_CREATED = re.compile(rf"create\s+table\s+{_TABLE}\s*\((?P<said>.*)\)", re.IGNORECASE | re.DOTALL)
_INDEXED = re.compile(r"create\s+unique\s+index\b", re.IGNORECASE)
_ADDED = re.compile(r"\badd\s+(?:column\s+)?", re.IGNORECASE)
_NOT_NULL = re.compile(
    r"(?:alter|modify|change)\s+(?:column\s+)?(\w+)\s+(?:set\s+)?(?:\w+\s+)?not\s+null", re.IGNORECASE
)
_DEFINED = re.compile(
    r"[`\"\[]?(\w+)[`\"\]]?\s+[a-z]\w*(?:\s*\([\d\s,]*\))?(?:\s+[^:;,]*?)?\s+check\s*\(", re.IGNORECASE
)
_STATED = re.compile(
    r"(?:constraint\s+\S+\s+)?(?:check\s*\(|foreign\s+key\s*\(|primary\s+key\s*\(|unique(?:\s+(?:key|index))?\s*\()",
    re.IGNORECASE,
)

_ANY_TIME = datetime(2000, 1, 1)  # of which nothing depends that a default may break
_ELLIPSIS = re.compile(r"^(?:\.{2,}|…)\s*|\s*(?:\.{2,}|…)$")


def read_ddl(text: str, names: Names, column_line: ColumnLine) -> Scoped:
    """Of which rows the DDL speaks, and what it demands; `column_line` reads the type and facts of a column.

    Raises: NotMeant when it is no DDL, or of another table.
    """
    text = re.sub(rf"^{re.escape(names.target)}\.(?=\w+\s+\w)", "", text, flags=re.IGNORECASE)
    if _INDEXED.match(text):
        return _index(text, names)
    for form in (_ALTERED, _CREATED):
        found = form.fullmatch(text)
        if found:
            if names.table(found["table"]) != names.target:
                raise NotMeant("another table")
            return None, all_of(_actions(found["said"], names, column_line, is_added=form is _ALTERED))
    if not any(_STATED.match(item) or _is_column(item, names) for item in _items(text)):
        raise NotMeant("no DDL")
    return None, all_of([_item(item, names, column_line) for item in _items(text)])


def _is_column(item: str, names: Names) -> bool:
    """Whether it is a column's definition with a CHECK: `age INT NOT NULL CHECK (age >= 18)`."""
    defined = _DEFINED.match(item)
    return defined is not None and defined[1] in names.tables[names.target].columns


def _items(text: str) -> list[str]:
    """The text cut at the commas that stand in no brackets, without "..." for what is left out."""
    masked, start, found = outermost(text), 0, []
    for comma in (*re.finditer(",", masked), None):
        end = comma.start() if comma else len(text)
        found.append(_ELLIPSIS.sub("", text[start:end].strip()))
        start = end + 1
    return [item for item in found if item]


def _actions(said: str, names: Names, column_line: ColumnLine, *, is_added: bool) -> list[Condition]:
    found: list[Condition] = []
    for item in _items(said):
        filled = _NOT_NULL.fullmatch(item)
        if filled:
            found.append(Present(of=value(name(filled[1]), names)))
            continue
        added = _ADDED.match(item)
        if is_added and added is None:
            raise NothingHolds(f'of ALTER TABLE a rule can hold ADD and SET NOT NULL, and not "{item[:40]}"')
        found.append(_item(item[added.end() :] if added else item, names, column_line))
    return found


def _item(item: str, names: Names, column_line: ColumnLine) -> Condition:
    try:
        tree = sql_statement(f"CREATE TABLE x ({item})")
    except NotSql as error:
        raise NotMeant(str(error)) from error
    if tree.key != "create" or len(tree.this.expressions) != 1:
        raise NotMeant("no item of a table")
    (stated,) = tree.this.expressions
    if stated.key in ("columndef", "identifier"):
        if not re.search(r"\bcheck\s*\(", item, re.IGNORECASE):
            try:
                return column_line(item, names)
            except UnknownName:
                raise
            except NotMeant:  # what is in doubt: of a fixed width, whether texts may be shorter
                pass
        return _column(stated, names, column_line)
    inner = stated.expressions if stated.key == "constraint" else [stated]
    return all_of([_constraint(each, names) for each in inner])


def _column(stated: SqlNode, names: Names, column_line: ColumnLine) -> Condition:
    """`age INT NOT NULL CHECK (age >= 18)`: of types a rule says only how long a text or a number may be."""
    found: list[Condition] = []
    of_type = stated.args["kind"].sql() if stated.args.get("kind") is not None else ""
    if re.match(r"(?:\w*char|dec|num).*\(", of_type, re.IGNORECASE):
        # A database takes shorter texts for CHAR(2), too, and fills them up.
        found.append(column_line(f"{stated.name} {re.sub('^N?CHAR', 'VARCHAR', of_type)}", names))
    kinds = [each.args["kind"] for each in stated.args.get("constraints") or ()]
    found += [one for kind in kinds for one in _said_of_column(kind, stated.name, names)]
    for default in (kind.this for kind in kinds if kind.key == "defaultcolumnconstraint"):
        if (default.is_number or default.is_string) and _breaks(all_of(found), stated.name, default.to_py(), names):
            names.doubts.append(f"the default {default.sql()} would break it")
    if re.match("N?CHAR", of_type) and not any(isinstance(each, OneOf) for one in found for each in nodes(one)):
        names.doubts.append(f"whether {of_type} asks for exactly or at most so many characters is not said")
    return all_of(found)


def _said_of_column(kind: SqlNode, column: str, names: Names) -> list[Condition]:
    of = value(name(column), names)
    match kind.key:
        case "notnullcolumnconstraint":
            return [] if kind.args.get("allow_null") else [Present(of=of)]
        case "uniquecolumnconstraint":
            return [Unique(by=(of,))]
        case "checkcolumnconstraint":
            return [_constraint(kind, names)]
        case "reference":
            return [_reference(kind, [(column,)], names)]
        case "primarykeycolumnconstraint":
            return [Unique(by=(of,)), Present(of=of)]
        case "defaultcolumnconstraint" | "autoincrementcolumnconstraint" | "commentcolumnconstraint":
            return []
    raise NothingHolds(f'no rule can hold "{kind.sql()}"')


def _breaks(must: Condition, column: str, default: object, names: Names) -> bool:
    """Whether the value breaks what is demanded of the column alone."""
    rule = RowRule(table=names.target, must=must)
    if any(isinstance(node, (Unique, Exists)) for node in nodes(must)) or reads(rule) != {names.target: (column,)}:
        return False
    return bool(violating_rows(rule, {names.target: pd.DataFrame({column: [default]})}, _ANY_TIME, _ANY_TIME))


def _reference(stated: SqlNode, paths: list[tuple[str, ...]], names: Names) -> Condition:
    schema = stated.this
    table, keys = (schema.this.name, schema.expressions) if schema.key == "schema" else (schema.name, [])
    return names.reference(paths, table, [each.name for each in keys])


def _constraint(stated: SqlNode, names: Names) -> Condition:
    match stated.key:
        case "checkcolumnconstraint":
            return condition(term_of_sql(stated.this), names)
        case "uniquecolumnconstraint":
            return Unique(by=_columns(stated.this.expressions, names), missing_equal=bool(stated.args.get("nulls")))
        case "primarykey":
            by = _columns(stated.expressions, names)
            return all_of([Unique(by=by), *(Present(of=of) for of in by)])
        case "foreignkey":
            return _reference(stated.args["reference"], [(each.name,) for each in stated.expressions], names)
    raise NothingHolds(f'no rule can hold "{stated.sql()[:60]}"')


def _columns(nodes: list[SqlNode], names: Names) -> tuple[Expression, ...]:
    return tuple(value(_plain(term_of_sql(node)), names) for node in nodes)


def _plain(term: SyntaxTerm) -> SyntaxTerm:
    if term.op not in ("name", "fold case", "fold space", "same", "fold case up", "date"):
        raise NothingHolds("a key of what is no column")
    return SyntaxTerm("fold case", term.parts) if term.op == "fold case up" else term


def _index(text: str, names: Names) -> Scoped:
    try:
        tree = sql_statement(text)
    except NotSql as error:
        raise NotMeant(str(error)) from error
    index = tree.this
    if names.table(index.args["table"].name) != names.target:
        raise UnknownName(f"{index.args['table'].name} is not the table whose rows are checked")
    params = index.args["params"]
    where = params.args.get("where")
    by = _columns([each.this for each in params.args["columns"]], names)
    return (condition(term_of_sql(where.this), names) if where is not None else None), Unique(by=by)

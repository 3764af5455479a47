"""Pandera schemas in YAML, in each of the forms that its versions wrote: checks as a mapping, as a list, or as keys."""

from collections.abc import Iterator, Mapping
from typing import Any

from pandas_magic.errors import UsageMistake
from pandas_magic.peers.importing import gather
from pandas_magic.peers.marks import KEY, Mark, read_mark
from pandas_magic.peers.pandera.equivalents import (
    LONG_NAMES,
    OPTIONS,
    BuiltIn,
    ColumnSpec,
    SchemaSpec,
    named_arguments,
    pieces,
)
from pandas_magic.peers.pandera.schema_statements import shapes_of
from pandas_magic.peers.transfers import Imported, NotUnderstood
from pandas_magic.peers.yaml_text import Path, YamlText, load

_COLUMN_WORDS = (
    "title description dtype nullable checks name unique coerce required regex default report_duplicates "
    "drop_invalid_rows"
)
_COLUMN = frozenset(_COLUMN_WORDS.split())
_SCHEMA_WORDS = (
    "schema_type version api columns checks index dtype coerce strict name ordered unique report_duplicates "
    "unique_column_names add_missing_columns title description metadata on_missing_columns"
)
_SCHEMA = frozenset(_SCHEMA_WORDS.split())


def read(text: str, *, table: str = "") -> Imported:
    """The checks of the schema; its table is `table`, else the schema's own name.

    Raises: UsageMistake when the text is no schema, or names no table.
    """
    document = load(text)
    content = document.content
    if not isinstance(content, dict) or not isinstance(content.get("columns"), dict):
        raise UsageMistake('the file is no pandera schema: it has no "columns"')
    about = table or str(content.get("name") or "")
    if not about:
        raise UsageMistake("the schema has no name; say which table it is about: --table NAME")
    schema = _schema(document, about)
    unread = [*schema.unread, *(one for spec in schema.columns for one in spec.unread)]
    lost = [NotUnderstood(where=where, what=what, reason=reason) for where, what, reason in unread]
    return gather(pieces(schema), lost, prefix="PA", shapes_of=shapes_of, marks=schema.marks, table=table)


def _schema(document: YamlText, table: str) -> SchemaSpec:
    content = document.content
    unread = [
        (document.where(name), f"{name}: {content[name]!r}"[:80], "this part of a schema is not understood")
        for name in content
        if name not in _SCHEMA or (name in ("checks", "index", "dtype", "add_missing_columns") and content[name])
    ]
    if content.get("coerce") is True:
        unread.append((document.where("coerce"), "coerce", "it converts the values, and a rule only looks at them"))
    if content.get("strict") == "filter":
        unread.append((document.where("strict"), "strict: filter", "it drops columns, and a rule only looks at them"))
    unique = content.get("unique") or ()
    marks = (content.get("metadata") or {}).get(KEY, ()) if isinstance(content.get("metadata"), dict) else ()
    return SchemaSpec(
        table=table,
        where=document.where("columns"),
        columns=tuple(
            _column(document, ("columns", name), str(name), spec) for name, spec in content["columns"].items()
        ),
        strict=content.get("strict") is True,
        ordered=content.get("ordered") is True,
        unique=(unique,) if isinstance(unique, str) else tuple(map(str, unique)),
        marks=read_marks(marks),
        unread=tuple(unread),
    )


def read_marks(entries: object) -> tuple[Mark, ...]:
    """The marks in a list of a schema's metadata."""
    listed = entries if isinstance(entries, (list, tuple)) else ()
    return tuple(mark for entry in listed if (mark := read_mark({KEY: entry})) is not None)


def _column(document: YamlText, path: Path, name: str, content: Any) -> ColumnSpec:  # noqa: ANN401 - of a YAML file
    spec: Mapping[str, Any] = content if isinstance(content, dict) else {}
    where = document.where(*path)
    unread = []
    if spec.get("regex") is True:
        unread.append((where, f"{name} regex", "its name is a pattern for many columns; name each column"))
    checks = () if unread else tuple(_checks(document, path, spec))
    return ColumnSpec(
        name=name,
        where=where,
        dtype="" if unread else str(spec.get("dtype") or ""),
        nullable=bool(unread) or spec.get("nullable", False) is True,
        unique=not unread and spec.get("unique") is True,
        coerce=spec.get("coerce") is True,
        required=not unread and spec.get("required", True) is True,
        checks=checks,
        unread=tuple(unread),
    )


def _checks(document: YamlText, path: Path, spec: Mapping[str, Any]) -> Iterator[BuiltIn]:
    entries: list[tuple[str, Any, Path]] = [
        (name, value, (*path, name)) for name, value in spec.items() if name not in _COLUMN
    ]
    listed = spec.get("checks")
    if isinstance(listed, dict):
        entries += [(name, value, (*path, "checks", name)) for name, value in listed.items()]
    for place, entry in enumerate(listed if isinstance(listed, list) else ()):
        options = entry.get("options", {}) if isinstance(entry, dict) else {}
        entries.append((str(options.get("check_name", entry)), entry, (*path, "checks", place)))
    for name, value, at in entries:
        yield _built_in(LONG_NAMES.get(name, name), value, document.where(*at))


def _built_in(check: str, value: Any, where: str) -> BuiltIn:  # noqa: ANN401 - of a YAML file
    if not isinstance(value, dict):
        return BuiltIn(check, named_arguments(check, [value], {}), {}, where)
    inside = {name: one for name, one in value.items() if name != "options" and name not in (*OPTIONS, "check_name")}
    options = {**{name: one for name, one in value.items() if name in OPTIONS}, **(value.get("options") or {})}
    options.pop("check_name", None)
    if set(inside) == {"value"} and check not in ("equal_to", "not_equal_to"):
        return BuiltIn(check, named_arguments(check, [inside["value"]], {}), options, where)
    return BuiltIn(check, inside, options, where)

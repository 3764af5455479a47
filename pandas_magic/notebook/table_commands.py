"""What `%tables` and `pandas-magic tables` answer: what there is, about one table, and what a request is about."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pandas_magic.catalog.schema_changes import SchemaDiff, keep_snapshot
from pandas_magic.catalog.summaries import summarize
from pandas_magic.catalog.table_choice import choose_tables
from pandas_magic.errors import NoSuchName
from pandas_magic.reporters.listing import Listing
from pandas_magic.reporters.value_text import counted, value_text

if TYPE_CHECKING:
    from pandas_magic.catalog import Table
    from pandas_magic.workspace import Workspace

_MAX_LISTED_VALUES = 8  # texts of a column shown by `%tables --info`
_MAX_NAMES = 30  # columns of a table named by `%tables`; `--info` names all
_MEGABYTE = 1024**2
Progress = Callable[[str], None]


def answer(workspace: Workspace, options: Namespace, on_progress: Progress = lambda _: None) -> Listing:
    """What `%tables` shows for the options given."""
    if options.info:
        return table_columns(workspace, options.info)
    if options.summarize:
        return table_summaries(workspace, on_progress)
    if options.choose:
        return chosen_tables(workspace, " ".join(options.choose))
    return table_list(workspace, group=options.group)


def refuse_unknown_group(workspace: Workspace, group: str) -> None:
    """Raises: NoSuchName when no file lies in a sub-folder of this name."""
    passed = [place.partition("/")[0] for place in workspace.catalog.passed_over() if "/" in place]
    groups = sorted({*filter(None, (table.group for table in workspace.tables())), *passed})
    if group not in groups:
        raise NoSuchName("group", group, groups, within="the folder of tables")


def table_list(workspace: Workspace, *, group: str | None = None) -> Listing:
    """Every table that rules may speak of, or those of one group (a sub-folder); and those that cannot be read.

    Raises: NoSuchName when there is no such group.
    """
    if group:
        refuse_unknown_group(workspace, group)
    found = [table for table in workspace.tables() if group is None or table.group == group]
    listed = tuple(
        (table.name, _rows(table), f"{len(table.columns):,}", _listed(list(table.columns), _MAX_NAMES), *_size(table))
        for table in found
    )
    known = {table.name for table in found}
    unread = [] if group else [name for name in workspace.table_names() if name not in known]
    header = ("table", "rows", "columns", "names")
    sized = any(len(row) > len(header) for row in listed)
    rows = tuple(row if len(row) > len(header) or not sized else (*row, "") for row in listed)
    summary = counted(len(found), "table") + (f"; cannot be read: {', '.join(unread)}" if unread else "")
    diffs = [] if group else _changes(workspace, found)
    changes = "; ".join(diff.in_words() for diff in diffs)
    passed = {} if group else workspace.catalog.passed_over()
    if passed:
        summary += "; passed over: " + ", ".join(f"{place} ({reason})" for place, reason in passed.items())
    return Listing(
        summary + (f". Changed since last listed: {changes}" if changes else ""),
        (*header, "MB") if sized else header,
        rows,
        frozenset({"rows", "columns", "MB"}),
    )


def table_columns(workspace: Workspace, name: str) -> Listing:
    """The columns of one table: type, missing values, whether it is a key, and the texts that occur where few do.

    Raises: NoSuchName; TableUnreadable for a table that cannot be read.
    """
    table = next((table for table in workspace.tables() if table.name == name), None)
    if table is None:
        if name in workspace.table_names():
            table = workspace.catalog.schema(name)  # it says why it cannot be read
        else:
            raise NoSuchName("table", name, workspace.table_names())
    listed = tuple(
        (
            value_text(column),
            dtype,
            "yes" if column in table.keys else "",
            _listed(table.values.get(column, ()), _MAX_LISTED_VALUES),
            *((f"{table.missing.get(column, 0):,}",) if table.missing else ()),
        )
        for column, dtype in table.columns.items()
    )
    known = "" if table.row_count is None else f", {counted(table.row_count, 'row')}"
    notes = f". {'; '.join(table.notes)}" if table.notes else ""
    header = ("column", "type", "key", "values", *(("missing",) if table.missing else ()))
    return Listing(f"{name}: {counted(len(listed), 'column')}{known}{notes}", header, listed, frozenset({"missing"}))


def table_summaries(workspace: Workspace, on_progress: Progress = lambda _: None) -> Listing:
    """One paragraph for each table, by the model where one is named and used for rules."""
    from pandas_magic.planner import AUTO
    from pandas_magic.planner.model.table_summaries import telling_of

    tables = {table.name: table for table in workspace.tables()}
    if workspace.model is None or workspace.settings.planner != AUTO:
        told = summarize(workspace.journal.folder, tables)
    else:
        with telling_of(tables, workspace.model, on_progress) as tell:
            told = summarize(workspace.journal.folder, tables, tell=tell)
    return Listing(counted(len(told), "table"), ("table", "what it holds"), tuple(told.items()))


def chosen_tables(workspace: Workspace, request: str) -> Listing:
    """The tables that a request is about, with the reasons."""
    choices = choose_tables(request, {table.name: table for table in workspace.tables()})
    rows = tuple((choice.name, choice.reason) for choice in choices)
    return Listing(f"{counted(len(rows), 'table')} for this request", ("table", "why"), rows)


def _changes(workspace: Workspace, found: Sequence[Table]) -> list[SchemaDiff]:
    # Of a table with a stale check the change is told until the check is compiled again.
    held = {name for entry in workspace.entries() if entry.stale and entry.compiled for name in entry.compiled.schemas}
    return keep_snapshot(workspace.journal.folder, {table.name: table for table in found}, held=held)


def _rows(table: Table) -> str:
    return "" if table.row_count is None else f"{table.row_count:,}"


def _size(table: Table) -> tuple[str, ...]:
    return (f"{table.file_bytes / _MEGABYTE:,.1f}",) if table.file_bytes is not None else ()


def _listed(texts: Sequence[str], at_most: int) -> str:
    more = f", … {len(texts) - at_most:,} more" if len(texts) > at_most else ""
    return ", ".join(map(value_text, texts[:at_most])) + more

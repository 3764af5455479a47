"""`pandas-magic export` and `pandas-magic import`: checks to and from other tools, and what did not cross."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.cli.workflow_export import add_workflows, export_workflows
from pandas_magic.errors import UsageMistake
from pandas_magic.peers import READ, WRITTEN, export_checks, import_checks
from pandas_magic.state import locked, write_whole

if TYPE_CHECKING:
    from pandas_magic.peers import Exported, Imported, Remark
    from pandas_magic.registry.check import Check
    from pandas_magic.registry.roster import Listed, Roster
    from pandas_magic.reporters.terminal import Terminal

_DONE, _LEFT_BEHIND = 0, 1
_REGISTRY, _CHECKS = Path("checks") / "registry", Path("checks") / "checks.json"
_LARGEST_BYTES = 20_000_000  # a file of checks has some thousand; more is another file

Command = Callable[[argparse.Namespace, "Terminal"], int]
AddCommand = Callable[[str, Command, str], argparse.ArgumentParser]


def add_peers(command: AddCommand) -> None:
    """Add both commands to the parser that `command` belongs to."""
    strict = "exit code 1 when something did not cross"
    export = command("export", _export, "write the compiled checks for another tool, or as a data contract")
    export.add_argument("table", nargs="?", default="", help="only the checks of this table")
    whose = export.add_mutually_exclusive_group(required=True)
    whose.add_argument("--to", choices=WRITTEN, help="whose file to write")
    add_workflows(whose)
    export.add_argument("-o", "--output", metavar="FILE", help="where to (default: standard output)")
    export.add_argument("--strict", action="store_true", help=strict)
    take = command("import", _import, "propose the checks in a file of another tool, or in a data contract")
    take.add_argument("file", help="the suite, schema or checks to read; nothing in it is run")
    take.add_argument("--from", required=True, choices=READ, dest="source", help="whose file it is")
    take.add_argument("--table", default="", help="the table that it is about, or the only one wanted of several")
    take.add_argument("--dry-run", action="store_true", help="show the checks and write nothing")
    take.add_argument("--strict", action="store_true", help=strict)


def _export(options: argparse.Namespace, terminal: Terminal) -> int:
    if options.workflows is not None:
        return export_workflows(options, terminal)
    from pandas_magic.workspace import Workspace

    roster = Workspace.open(options.workspace).roster()
    known = [one.compiled for one in roster.values() if one.compiled is not None and not _why_left(one)]
    tables = sorted({check.constraint.table for check in known if check.constraint is not None})
    if options.table and options.table not in tables:
        raise UsageMistake(
            f'no check is about "{options.table}"; there are checks about {", ".join(tables) or "nothing"}'
        )
    exported = export_checks(known, options.to, table=options.table)
    exported = _with_left(exported, roster, options.table)
    if not exported.expressed:
        reasons = "; ".join(f"{one.check_id}: {one.reason}" for one in exported.not_expressed)
        raise UsageMistake(f"nothing to write: {reasons or 'no check is compiled; begin with: pandas-magic compile'}")
    if options.output:
        write_whole(Path(options.output), exported.text)
    _report_export(exported, options, terminal)
    return _LEFT_BEHIND if options.strict and exported.not_expressed else _DONE


def _with_left(exported: Exported, roster: Roster, table: str) -> Exported:
    """With those checks (of one table, when it is named) that are not what should run."""
    from pandas_magic.peers import NotExpressed

    left = tuple(
        NotExpressed(check_id=one.id, reason=why)
        for one in roster.values()
        if (why := _why_left(one)) and (not table or (one.compiled is not None and table in one.compiled.plan.reads))
    )
    return exported.model_copy(update={"not_expressed": (*left, *exported.not_expressed)})


def _why_left(listed: Listed) -> str:
    """Why what is compiled is not what should run; "" where it is."""
    is_off = listed.check is not None and not listed.check.enabled
    return listed.why_outdated or ("it is switched off" if is_off else "")


def _report_export(exported: Exported, options: argparse.Namespace, terminal: Terminal) -> None:
    document = exported.to_dict()
    if options.output:
        document["text"] = None
        document["file"] = options.output
    if options.json:
        terminal.facts(document)
        return
    if not options.output:
        print(exported.text, end="", flush=True)
    lines = [f"{len(exported.expressed)} checks written{f' to {options.output}' if options.output else ''}"]
    lines += _listed("not expressed", ((one.check_id, one.reason) for one in exported.not_expressed))
    lines += _listed("note", _noted(exported.remarks))
    # Standard output may be the file itself.
    print("\n".join(lines), file=sys.stdout if options.output else sys.stderr, flush=True)


def _import(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.registry import Registry
    from pandas_magic.registry.checks_list import read_checks, write_checks

    imported = import_checks(_text_of(Path(options.file)), options.source, table=options.table)
    base = Path(options.workspace)
    if not base.is_dir():
        raise UsageMistake(f"{base} is no folder; name the folder that holds the tables and the checks")
    with locked(base / _CHECKS):
        before = read_checks(base / _CHECKS)
        compiled = {one.id: one.check for one in Registry(base / _REGISTRY).load().values()}
        new = proposed(imported.checks, {**compiled, **{check.id: check for check in before}})
        if new and not options.dry_run:
            write_checks(base / _CHECKS, [*before, *new])
    _report_import(imported, new, options, terminal)
    left_behind = imported.not_understood or not imported.checks
    return _LEFT_BEHIND if options.strict and left_behind else _DONE


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise UsageMistake(f"{path} has {path.stat().st_size:,} bytes, more than any file of checks")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageMistake(f"{path} cannot be read: {error.strerror}; name the file to import") from error
    except UnicodeDecodeError as error:
        raise UsageMistake(f"{path} is no UTF-8 text: {error.reason} at byte {error.start}") from error


def proposed(checks: Iterable[Check], known: Mapping[str, Check]) -> list[Check]:
    """The checks that are not there yet. One whose id belongs to another rule gets the next free id: GX-001-2."""
    taken = dict(known)
    new = []
    for check in checks:
        if any(other.rule == check.rule and other.tables == check.tables for other in taken.values()):
            continue
        check_id, number = check.id, 2
        while check_id in taken:
            check_id, number = f"{check.id}-{number}", number + 1
        taken[check_id] = check.model_copy(update={"id": check_id})
        new.append(taken[check_id])
    return new


def _report_import(imported: Imported, new: Sequence[Check], options: argparse.Namespace, terminal: Terminal) -> None:
    if options.json:
        terminal.facts({**imported.to_dict(), "proposed": [check.id for check in new]})
        return
    from pandas_magic.reporters.value_text import one_line

    there = len(imported.checks) - len(new)
    where = "not written, as asked" if options.dry_run else f"written to {_CHECKS}" if new else "nothing to write"
    lines = [f"{len(new)} checks proposed{f', {there} already there' if there else ''}; {where}"]
    lines += [f"  {check.id}  {one_line(check.rule)}" for check in new]
    lines += _listed("not carried over", ((f"{one.where} · {one.what}", one.reason) for one in imported.not_understood))
    lines += _listed("note", _noted(imported.remarks))
    if new and not options.dry_run:
        lines.append("next: pandas-magic compile")
    terminal.say("\n".join(lines))


def _noted(remarks: Iterable[Remark]) -> list[tuple[str, str]]:
    """Each remark once, with the checks that it is about."""
    about: dict[str, list[str]] = {}
    for remark in remarks:
        about.setdefault(remark.text, []).append(remark.check_id)
    return [(", ".join(ids), text) for text, ids in about.items()]


def _listed(title: str, entries: Iterable[tuple[str, str]]) -> list[str]:
    from pandas_magic.reporters.value_text import one_line

    # Another's file must not write to the terminal as it likes.
    found = [f"  {one_line(f'{what}: {why}')}" for what, why in entries]
    return [f"{title} ({len(found)}):", *found] if found else []

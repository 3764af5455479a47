"""`pandas-magic start [WHERE]`: from tables of one's own to the first checks of them."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pandas_magic.errors import PandasMagicError, UsageMistake

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result
    from pandas_magic.explore.proposal import Proposal
    from pandas_magic.history.run import Run
    from pandas_magic.reporters.terminal import Terminal
    from pandas_magic.workspace import Workspace

_DONE, _ERROR = 0, 3
_OFFERED = 5
_MOST_TABLES = 3
# What is offered first: what is found broken or joins tables tells more than what holds in any table.
_KINDS = ("no repeated row", "reference", "unique", "allowed values", "order", "formula", "not null", "range")

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_start(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("start", _start, "look at your own tables, offer checks that fit them, and keep those you choose")
    parser.add_argument("where", nargs="?", default=".", metavar="FOLDER|FILE|URL", help="your tables (default: .)")
    parser.add_argument("--keep", metavar="1,3|all", help="keep these of the checks offered, without asking")
    parser.add_argument("--rule", action="append", default=[], metavar="SENTENCE", help="a rule of your own, kept too")


@dataclass(frozen=True)
class _Place:
    """Where the checks will live, and which tables of it are looked at; none named: all."""

    folder: Path
    tables: tuple[str, ...] = ()


def _start(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.workspace import Workspace

    place = _place_of(options.where, Path(options.workspace))
    workspace = Workspace.open(place.folder)
    try:
        tables = _tables(workspace, place)
        offers = _offered(workspace, tables, terminal)
        asks = sys.stdin.isatty() and not options.json and options.keep is None and not options.rule
        kept = _asked(workspace, offers, terminal) if asks else _named(offers, options.keep or "")
        own = [rule for rule in options.rule if _is_good(workspace, rule, terminal)]
        results, refused = _kept(workspace, [*kept, *own], terminal), len(own) < len(options.rule)
    finally:
        workspace.close()
    if results:
        terminal.results(results)
        terminal.say(f"kept in {place.folder.resolve()}/checks; run them again: pandas-magic run --allow-proposed")
    elif not asks and not refused:
        terminal.say(f'keep some: pandas-magic start {options.where} --keep 1,2 --rule "a rule in a sentence"')
    return _ERROR if refused else _DONE


def _place_of(where: str, around: Path) -> _Place:
    """The folder given, or that of a file; an address is named in the tables.toml of the workspace.

    Raises: UsageMistake when there is nothing there.
    """
    if "://" in where:
        return _Place(around, (_declared(where, around / "tables.toml"),))
    path = Path(where)
    if path.is_dir():
        return _Place(path)
    if path.is_file():
        return _Place(path.parent, (path.stem,))
    raise UsageMistake(f"there is no {where}; name a folder of tables, one file, or an address such as https://…")


def _declared(address: str, path: Path) -> str:
    """The name of the address in a tables.toml, which is written there if it has none."""
    from pandas_magic.catalog.sources.addresses import locations_in

    known = {location.uri: name for name, location in locations_in(path).items()}
    if address in known:
        return known[address]
    stem = re.sub(r"\W", "_", PurePosixPath(address.rstrip("/")).stem) or "table"
    name = next(each for each in chain([stem], (f"{stem}_{n}" for n in count(2))) if each not in known.values())
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    separate = "\n" if before and not before.endswith("\n") else ""
    # A JSON text is a TOML text.
    path.write_text(f"{before}{separate}[{name}]\nuri = {json.dumps(address)}\n", encoding="utf-8")
    return name


def _tables(workspace: Workspace, place: _Place) -> list[str]:
    """The tables to look at: those of the place, the widest first.

    Raises: UsageMistake when there is none that can be read.
    """
    named = [name for name in workspace.table_names() if not place.tables or name.startswith(place.tables)]
    readable = {table.name: len(table.columns) for table in workspace.tables() if table.name in named}
    if not readable:
        reasons = "; ".join(workspace.catalog.unreadable().values())
        raise UsageMistake(
            f"no table can be read in {place.folder.resolve()}: {reasons or 'no CSV, Parquet, Excel, JSON or other'}"
        )
    return sorted(readable, key=lambda name: -readable[name])


def _offered(workspace: Workspace, tables: Sequence[str], terminal: Terminal) -> list[str]:
    """The rules offered, each shown with what it finds."""
    found: list[Proposal] = []
    schemas = workspace.catalog.schemas()
    for name in tables[:_MOST_TABLES]:
        found += _proposed(workspace, name, terminal)
    terminal.say(
        "; ".join(
            f"{name}: {schemas[name].row_count or 0:,} rows, {len(schemas[name].columns)} columns" for name in tables
        )
    )
    offers: list[str] = []
    for proposal in _best(found):
        terminal.progress(f"trying: {proposal.sentence}")
        try:
            run = _tried(workspace, proposal.sentence)
        except PandasMagicError:
            continue  # a rule that cannot be proved on these tables is not one to begin with
        offers.append(proposal.sentence)
        terminal.say(f"{len(offers):>3}  {proposal.sentence}\n     {run.summary}")
        if len(offers) == _OFFERED:
            break
    return offers


def _proposed(workspace: Workspace, name: str, terminal: Terminal) -> Sequence[Proposal]:
    from pandas_magic.explore.exploration_request import ExplorationRequest
    from pandas_magic.explore.profiling import exploration_of
    from pandas_magic.explore.proposals import proposals
    from pandas_magic.explore.subject import subject_in

    subject = subject_in(workspace.catalog, name)
    exploration = exploration_of(
        subject, ExplorationRequest.of(name, None), around=workspace, on_progress=terminal.progress
    )
    with closing(exploration):
        return proposals(exploration.run(), workspace.catalog.schemas())


def _best(found: Sequence[Proposal]) -> list[Proposal]:
    """The proposals in the order of their worth: one of each kind first, of these what is broken today."""
    ranked = sorted(
        (proposal for proposal in found if proposal.kind in _KINDS),
        key=lambda proposal: (_KINDS.index(proposal.kind), proposal.holds),
    )
    rounds: dict[str, int] = {}
    turns = []
    for proposal in ranked:
        turns.append(rounds.get(proposal.kind, 0))
        rounds[proposal.kind] = turns[-1] + 1
    return [proposal for _, proposal in sorted(zip(turns, ranked, strict=True), key=lambda each: each[0])]


def _tried(workspace: Workspace, rule: str) -> Run:
    """What a rule finds; it is proved, and kept nowhere."""
    from pandas_magic.checking.compiler import compile_check
    from pandas_magic.registry.check import Check

    schemas = workspace.catalog.schemas()
    return workspace.runner.run(compile_check(Check(id="rule", rule=rule), schemas, workspace.runner).compiled)


def _named(offers: Sequence[str], keep: str) -> list[str]:
    """Those of the offers that the words name: numbers, or all.

    Raises: UsageMistake for a number that was not offered.
    """
    if keep.strip() == "all":
        return list(offers)
    words = keep.replace(",", " ").split()
    wrong = [word for word in words if not word.isdigit() or not 1 <= int(word) <= len(offers)]
    if wrong:
        raise UsageMistake(f"{wrong[0]} is none of the checks offered; name numbers from 1 to {len(offers)}, or all")
    return [offers[int(word) - 1] for word in words]


def _asked(workspace: Workspace, offers: Sequence[str], terminal: Terminal) -> list[str]:
    """What the person at the terminal keeps: of the offers, and rules of their own."""
    kept: list[str] = []
    while offers:
        try:
            kept += _named(offers, input("keep which? (numbers, all, or Enter for none) "))
            break
        except UsageMistake as mistake:
            terminal.complain(mistake)
    while rule := input("a rule of your own, in a sentence (Enter to end): ").strip():
        kept += [rule] if _is_good(workspace, rule, terminal) else []
    return kept


def _is_good(workspace: Workspace, rule: str, terminal: Terminal) -> bool:
    """Whether the rule can be kept; what it finds is shown, or why it cannot."""
    try:
        terminal.say(f"     {_tried(workspace, rule).summary}")
    except PandasMagicError as error:
        terminal.complain(error)
        return False
    return True


def _kept(workspace: Workspace, rules: Sequence[str], terminal: Terminal) -> Sequence[Result]:
    """The rules, which were tried before, written into the list, compiled and run."""
    from pandas_magic.registry.check_request import CheckRequest

    listed = {one.check.rule: one.id for one in workspace.roster().values() if one.check}
    ids = [listed.get(rule) or workspace.add(CheckRequest(rule)).id for rule in dict.fromkeys(rules)]
    if ids:
        workspace.compile(ids, on_progress=terminal.progress)
    return workspace.run(ids) if ids else []

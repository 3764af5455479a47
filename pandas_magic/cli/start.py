"""`pandas-magic start [WHERE]`: from tables of one's own to the first checks of them."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pandas_magic.errors import PandasMagicError, UsageMistake

if TYPE_CHECKING:
    from pandas_magic.catalog import Table
    from pandas_magic.explore.proposal import Proposal
    from pandas_magic.registry.check_request import CheckRequest
    from pandas_magic.reporters.terminal import Terminal
    from pandas_magic.workspace import Workspace

_DONE, _ERROR = 0, 3
_MOST_TABLES = 3

Command = Callable[[argparse.Namespace, "Terminal"], int]


def add_start(command: Callable[[str, Command, str], argparse.ArgumentParser]) -> None:
    """Add the command to the parser that `command` belongs to."""
    parser = command("start", _start, "look at your own tables, offer checks that fit them, and keep those you choose")
    parser.add_argument("where", nargs="?", default=".", metavar="FOLDER|FILE|URL", help="your tables (default: .)")
    parser.add_argument("--keep", metavar="1,3|all", help="keep these of the checks offered, without asking")
    parser.add_argument("--rule", action="append", default=[], metavar="SENTENCE", help="a rule of your own, kept too")


@dataclass(frozen=True)
class _Place:
    """Where the checks will live, and whose tables are looked at: those of a file, of a section, or all."""

    folder: Path
    file: Path | None = None
    section: str = ""

    def has(self, table: Table) -> bool:
        """Whether the table is one of those."""
        if self.file is not None:
            return Path(table.origin).resolve() == self.file.resolve()
        return not self.section or table.name == self.section or table.name.startswith(f"{self.section}_")


def _start(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.registry.check_request import CheckRequest
    from pandas_magic.suggestions.trying import chosen_of, keep
    from pandas_magic.workspace import Workspace

    place = _place_of(options.where, Path(options.workspace))
    workspace = Workspace.open(place.folder)
    try:
        tables = _tables(workspace, place)
        offers = _offered(workspace, tables, terminal)
        target = tables[0] if (place.file or place.section) and len(tables) == 1 else ""
        asks = sys.stdin.isatty() and not options.json and options.keep is None and not options.rule
        if asks:
            requests = _asked(workspace, offers, target, terminal)
        else:
            requests = [CheckRequest(offer) for offer in chosen_of(offers, options.keep or "")]
        own = [CheckRequest(rule, target=target) for rule in options.rule]
        good = [one for one in own if _is_good(workspace, one, terminal)]
        results, refused = keep(workspace, [*requests, *good], on_progress=terminal.progress), len(good) < len(own)
    finally:
        workspace.close()
    if results:
        terminal.results(results)
        here = place.folder.resolve() == Path.cwd()
        again = "pandas-magic run --allow-proposed" + ("" if here else f" -C {shlex.quote(str(place.folder))}")
        terminal.say(f"kept in {place.folder.resolve()}/checks; run them again: {again}")
    elif not asks and not refused:
        terminal.say(f'keep some: pandas-magic start {options.where} --keep 1,2 --rule "a rule in a sentence"')
    return _ERROR if refused else _DONE


def _place_of(where: str, around: Path) -> _Place:
    """The folder given, or that of a file; an address is named in the tables.toml of the workspace.

    Raises: UsageMistake when there is nothing there.
    """
    if "://" in where:
        return _Place(around, section=_declared(where, around / "tables.toml"))
    path = Path(where)
    if path.is_dir():
        return _Place(path)
    if path.is_file():
        return _Place(path.parent, file=path)
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
    readable = {table.name: len(table.columns) for table in workspace.tables() if place.has(table)}
    if not readable:
        reasons = "; ".join(workspace.catalog.unreadable().values())
        raise UsageMistake(
            f"no table can be read in {place.folder.resolve()}: {reasons or 'no CSV, Parquet, Excel, JSON or other'}"
        )
    return sorted(readable, key=lambda name: -readable[name])


def _offered(workspace: Workspace, tables: Sequence[str], terminal: Terminal) -> list[str]:
    """The rules offered, each shown with what it finds."""
    from pandas_magic.suggestions.from_tables import MOST_BROKEN, OFFERED, proposed, ranked
    from pandas_magic.suggestions.suggestion import Idea
    from pandas_magic.suggestions.trying import all_tried

    proposals: list[Proposal] = []
    schemas = workspace.catalog.schemas()
    for name in tables[:_MOST_TABLES]:
        proposals += proposed(workspace, name, terminal.progress)
    terminal.say(
        "; ".join(
            f"{name}: {schemas[name].row_count or 0:,} rows, {len(schemas[name].columns)} columns" for name in tables
        )
    )
    ideas = [Idea(one.sentence, one.because, "") for one in ranked(proposals)]
    found = all_tried(workspace, ideas, most=OFFERED, most_broken=MOST_BROKEN, on_progress=terminal.progress)
    for number, one in enumerate(found.offered, 1):
        terminal.say("\n".join(one.lines(number)))
    return [one.sentence for one in found.offered]


def _asked(workspace: Workspace, offers: Sequence[str], target: str, terminal: Terminal) -> list[CheckRequest]:
    """What the person at the terminal keeps: of the offers, and rules of their own."""
    from pandas_magic.registry.check_request import CheckRequest
    from pandas_magic.suggestions.trying import chosen_of

    kept: list[CheckRequest] = []
    while offers:
        try:
            chosen = chosen_of(offers, input("keep which? (numbers, all, or Enter for none) "))
            kept += [CheckRequest(offer) for offer in chosen]
            break
        except UsageMistake as mistake:
            terminal.complain(mistake)
    while rule := input("a rule of your own, in a sentence (Enter to end): ").strip():
        own = CheckRequest(rule, target=target)
        kept += [own] if _is_good(workspace, own, terminal) else []
    return kept


def _is_good(workspace: Workspace, one: CheckRequest, terminal: Terminal) -> bool:
    """Whether the rule can be kept; what it finds is shown, or why it cannot."""
    from pandas_magic.suggestions.trying import tried

    try:
        terminal.say(f"     {tried(workspace, one.rule, one.target or '').summary}")
    except PandasMagicError as error:
        terminal.complain(error)
        return False
    return True

"""The command line: `pandas-magic start | demo | compile | approve | verify | run | history | list | stale | tables`.

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 a check or the machinery could not do its work.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kernel_sandbox import SandboxError
from pandas_magic import __version__
from pandas_magic.cli.add import add_adding
from pandas_magic.cli.agents import add_agents
from pandas_magic.cli.compiling import add_compiling
from pandas_magic.cli.doctor import add_doctor
from pandas_magic.cli.explain import add_explain
from pandas_magic.cli.export_import import add_peers
from pandas_magic.cli.glossary import add_glossary
from pandas_magic.cli.look_back import add_history
from pandas_magic.cli.patch import add_patch
from pandas_magic.cli.profile import add_profile
from pandas_magic.cli.review import add_review
from pandas_magic.cli.run import add_run
from pandas_magic.cli.share import add_share
from pandas_magic.cli.start import add_start
from pandas_magic.cli.suggest import add_suggest
from pandas_magic.errors import CheckFailed, NoSuchName, PandasMagicError, UsageMistake, unforeseen

if TYPE_CHECKING:
    from pandas_magic.reporters.terminal import Terminal

_PASSED, _FAILED, _USAGE, _ERROR = 0, 1, 2, 3


def main(arguments: Sequence[str] | None = None, *, on_imported: Callable[[], None] = lambda: None) -> int:
    """Run one command and give its exit code; `on_imported` is called when the large imports are over."""
    options = _parser().parse_args(arguments)
    options.bench = options.begin(options) if "begin" in options else None
    terminal = _terminal(options)
    try:
        on_imported()
        command: Callable[[argparse.Namespace, Terminal], int] = options.command
        return command(options, terminal)
    except (UsageMistake, NoSuchName) as error:
        terminal.complain(error)
        return _USAGE
    except CheckFailed as error:
        terminal.complain(error)
        return _FAILED
    except (PandasMagicError, SandboxError) as error:
        terminal.complain(error)
    except KeyboardInterrupt:
        terminal.warn("interrupted; checks that had finished are kept")
    except Exception as error:  # this is the edge: what nobody foresaw must not look like a check that failed
        terminal.complain_of_unforeseen(error, unforeseen(error))
    finally:
        if options.bench is not None:
            options.bench.close()
    return _ERROR


def _terminal(options: argparse.Namespace) -> Terminal:
    """Where the command speaks, once all that most commands work with is imported."""
    gc.disable()
    import pandas_magic.workspace  # noqa: F401 - no signal may come between its imports
    from pandas_magic.reporters.terminal import Terminal

    gc.freeze()
    gc.enable()
    return Terminal(sys.stdout, sys.stderr, as_json=options.json)


def _parser() -> argparse.ArgumentParser:
    shared = _shared_options()
    parser = argparse.ArgumentParser(
        prog="pandas-magic", description="Business rules as proved, confined pandas checks."
    )
    parser.add_argument("--version", action="version", version=f"pandas-magic {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, function: Callable[[argparse.Namespace, Terminal], int], text: str
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text, parents=[shared])
        added.set_defaults(command=function)
        return added

    add_start(command)
    add_suggest(command)
    demo = command("demo", _demo, "write an example workspace, compile its rules and run them")
    demo.add_argument("folder", nargs="?", default="pandas-magic-demo", help="where to (default: pandas-magic-demo)")
    add_compiling(command)
    add_adding(command)
    add_run(command)
    add_history(command)
    command("list", _list, "list the checks, their last verdicts and what is stale")
    command("stale", _stale, "list stale checks and why; exit code 1 when there is one")
    families = (add_review, add_patch, add_share, add_profile, add_peers, add_explain, add_glossary, add_doctor)
    for add_family in (*families, add_agents):
        add_family(command)
    _add_tables(command("tables", _tables, "list the tables and their columns, or tell about one"))
    return parser


def _shared_options() -> argparse.ArgumentParser:
    """What every command can be told."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "-C", "--workspace", default=".", metavar="DIR", help="folder of tables and checks (default: .)"
    )
    shared.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    return shared


def _add_tables(tables: argparse.ArgumentParser) -> None:
    tables.add_argument("name", nargs="?", help="one table: its columns and first rows")
    tables.add_argument("--group", help="only the tables in this sub-folder")
    tables.add_argument("--choose", metavar="REQUEST", help="the tables that a request is about, and why")


def _demo(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.cli.demo import demonstrate

    demonstrate(Path(options.folder), terminal)
    return _PASSED


def _list(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.workspace import Workspace

    terminal.entries(Workspace.open(options.workspace).entries())
    return _PASSED


def _stale(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    entries = workspace.entries()
    stale = [entry for entry in entries if entry.stale]
    terminal.stale(stale, workspace.changes(entries))
    return _FAILED if stale else _PASSED


def _tables(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.catalog.file_listing import available_files, file_info, select_files
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    if options.choose:
        terminal.facts(select_files(workspace.catalog, options.choose, group=options.group))
    elif options.name:
        terminal.facts(file_info(workspace.catalog, options.name))
    elif options.group:
        terminal.facts(available_files(workspace.catalog, group=options.group))
    else:
        catalog = workspace.catalog
        terminal.tables(workspace.tables(), catalog.unreadable() | dict(catalog.passed_over()))
    return _PASSED

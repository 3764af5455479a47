"""The magics `%%check`, `%%sandbox`, `%checks` and `%tables`: they parse, call the workspace, and show.

`load` registers them with an IPython shell, and `%%plan` and `%eda` beside them; `unload` takes them away. The
workspace is opened on the first use, in the current folder, and sees the DataFrames of the notebook as tables.
"""

from __future__ import annotations

import atexit
from argparse import Namespace
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
from IPython.core.magic import Magics, magics_class

from kernel_sandbox import Execution, SandboxError
from pandas_magic.checking.executors import said_of
from pandas_magic.checking.kept_sandboxes import end_sandboxes
from pandas_magic.errors import UsageMistake
from pandas_magic.notebook import check_commands, plan_magics, table_commands
from pandas_magic.notebook.completion import Completion
from pandas_magic.notebook.eda_magics import EdaMagics
from pandas_magic.notebook.head_start import begin_kernels
from pandas_magic.notebook.magic_lines import comma_separated, help_of, magic, no_such_action, option, parse_line
from pandas_magic.notebook.magic_settings import configured, forget_configuration
from pandas_magic.notebook.notebook_session import NotebookSession, OpenWorkspace
from pandas_magic.notebook.page.bridge import cell_id
from pandas_magic.notebook.rule_cells import requests_of, show_language
from pandas_magic.reporters.bundle import Results
from pandas_magic.reporters.code_output import ends_with_frame, raise_if_failed, show_execution
from pandas_magic.reporters.listing import Listing

if TYPE_CHECKING:
    from IPython.core.formatters import DisplayFormatter
    from IPython.core.interactiveshell import InteractiveShell

    from pandas_magic.checking.result import Result


@magics_class
class PandasMagics(Magics):
    """The magics of one shell, over one workspace."""

    def __init__(self, shell: InteractiveShell, session: NotebookSession) -> None:
        super().__init__(shell=shell)
        self.session = session

    @magic(
        "line_cell",
        option("id", nargs="?", help="the check's id, such as CHK-002; without one, the next free id"),
        option("--run", metavar="IDS", help="run saved checks; below it may stand one check's own code"),
        option("--allow-edited", action="store_true", help="with --run: let edited code give a verdict, which says so"),
        option("--accept", action="store_true", help="with --run: prove the edited code and make it the check's code"),
        option("--tables", metavar="A,B", help="the tables that the rule may speak of; without them, all"),
        option("--target", metavar="TABLE", help="the table whose rows are checked, where the rule does not say"),
        option("--name", help="a short name for people"),
        option("--severity", choices=("low", "medium", "high", "critical"), help="how bad a failing row is"),
        option("--warn", metavar="N|N%", help="from how many failing rows on a check that passes warns (needs --fail)"),
        option("--fail", metavar="N|N%", help="from how many failing rows on the check fails: 10, or 1%% of the rows"),
        option("--owner", help="who answers for the rule"),
        option("--tags", metavar="A,B", help="words to choose checks by"),
        option(
            "--unproven", action="store_true", help="save the check even if it could not be proved; every run says so"
        ),
        option("--take", type=int, metavar="N", help="check the Nth reading of the rule that was last asked about"),
        option("--explain", action="store_true", help="show how each part of the rule was understood"),
        option("--language", action="store_true", help="show the page of the rule language: what a rule can say"),
        option("-o", "--output", metavar="NAME", help="bind the result to this name (it is also _)"),
    )
    def check(self, line: str, cell: str | None = None) -> Result | Results | None:
        """Turn a rule in a sentence into a proved check, run it confined, and show PASS or FAIL with every failing row.

        A cell with several rules has one rule per line, each after "- ".
        """
        options = parse_line(self.check, line)
        if _helped(self.check, options):
            return None
        if options.language:
            show_language()
            return None
        with self.session.interruptible():
            if options.run:
                return self.session.give(self._run_saved(options, cell), output=options.output)
            requests = (
                [self.session.questions.taken(options.take, cell or "")]
                if options.take
                else requests_of(options, cell or "", self.session.workspace)
            )
            results, error = self.session.check(requests, explain=options.explain)
            return self.session.give(results, error, output=options.output)

    @magic(
        "cell",
        option("--tables", metavar="A,B", help="the tables to hand over, each under its own name"),
        option("-o", "--output", metavar="NAME", help="bring the frame of this name into the notebook"),
    )
    def sandbox(self, line: str, cell: str) -> None:
        """Run the cell in the confined kernel: no network, no files but the tables handed over."""
        options = parse_line(self.sandbox, line)
        if _helped(self.sandbox, options):
            return
        tables = comma_separated(options.tables)
        self.session.refuse_local_frames()
        with self.session.interruptible(), self.session.progress() as on_progress:
            on_progress("running confined")
            execution, frame = self.session.workspace.sandbox(_below_the_magic(cell), tables, options.output)
        for words in said_of(self.session.workspace.settings.executor):
            print(words)
        show_execution(execution, part=self._offered(execution))
        raise_if_failed(execution)
        if options.output and frame is not None:
            self.session.shell.user_ns[options.output] = frame

    @magic(
        "line",
        option("action", nargs="?", default="look", help=f"{', '.join(check_commands.ACTIONS)}; without one, look"),
        option("words", nargs="*", metavar="ID|FILE", help="ids of checks; a file to write, or with suggest to read"),
        option("--tags", metavar="A,B", help="with run and list: the checks that have any of these tags"),
        option("--gate", action="store_true", help="with save: add a last cell that fails the run when a check failed"),
        option("--json", default="checks_result.json", metavar="FILE", help="with gate: where the verdicts go"),
        option("--junit", default="checks_junit.xml", metavar="FILE", help="with gate: where the JUnit file goes"),
        option("--new", dest="which", action="store_const", const="new", help="with rows: those that are new"),
        option("--still", dest="which", action="store_const", const="still", help="with rows: those that still fail"),
        option("--fixed", dest="which", action="store_const", const="fixed", help="with rows: those that are fixed"),
        option("--why", action="store_true", help="with rows: the reason and the position in front of each"),
        option("--format", metavar="FORMAT", help="with quarantine: csv, xlsx or parquet, and not as the source is"),
        option("-o", "--output", metavar="NAME", help="with run and rows: bind what comes back to this name"),
        option("--all", action="store_true", help="with approve: every check that waits for it"),
        option("--by", metavar="NAME", help="with approve, snooze, except: who (else git's user.email or the login)"),
        option("--until", metavar="DAY", help="with snooze and except: the day from which it no longer counts"),
        option("--reason", metavar="TEXT", help="with snooze and except: why, for whoever reads it later"),
        option("--key", action="append", metavar="COLUMN=VALUE", help="with except and patch set: which rows, or row"),
        option("--row", type=int, metavar="POSITION", help="with patch set: the row by its place, from 0"),
        option("--end", action="store_true", help="with snooze: let the check run again"),
        option("--remove", action="store_true", help="with except: count these rows again"),
        option("--rows", action="store_true", help="with share: show the first failing rows of each check too"),
        option("--keep", metavar="1,3|all", help="with suggest: keep these of the checks that were offered last"),
        option("--table", metavar="NAME", help="with suggest: the table that frames of another name in code stand for"),
        option("--save", metavar="FILE", help="with rows: write them to this .csv, .xlsx or .parquet file"),
    )
    def checks(self, line: str) -> Listing | Result | Results | pd.DataFrame | None:
        """List the checks with their last verdicts, or run, save or judge them."""
        options = parse_line(self.checks, line)
        if _helped(self.checks, options):
            return None
        action = check_commands.ACTIONS.get(options.action)
        if action is None:
            no_such_action("checks", options.action, tuple(check_commands.ACTIONS))
        with self.session.interruptible():
            return action(self.session, options)

    @magic(
        "line",
        option("--info", metavar="NAME", help="the columns of one table"),
        option("--group", metavar="FOLDER", help="only the tables in this sub-folder"),
        option("--summarize", action="store_true", help="a paragraph on each table"),
        option("--choose", metavar="REQUEST", nargs="+", help="the tables that a request is about, and why"),
    )
    def tables(self, line: str) -> Listing | None:
        """List the tables that rules may speak of: files of the data folder and DataFrames of the notebook."""
        options = parse_line(self.tables, line)
        if _helped(self.tables, options):
            return None
        with self.session.interruptible(), self.session.progress() as on_progress:
            return table_commands.answer(self.session.workspace, options, on_progress)

    @magic(
        "line",
        option("--group", metavar="FOLDER", help="only the files in this sub-folder"),
        option("--info", metavar="NAME", help="one file: its columns, how many rows, and the first of them"),
    )
    def files(self, line: str) -> Listing | None:
        """List the files that are tables, with their sizes and groups; or show one with its first rows."""
        options = parse_line(self.files, line)
        if _helped(self.files, options):
            return None
        from pandas_magic.notebook import file_commands

        with self.session.interruptible():
            return file_commands.answer(self.session.workspace, options)

    def _offered(self, execution: Execution) -> str:
        """The key by which the page shows all rows of the frame that the cell ended with; "" where it has none."""
        if not (ends_with_frame(execution) and self.session.page.is_watched()):
            return ""
        from pandas_magic.notebook.page.rows_view import RowsView

        key = f"sandbox-{cell_id(self.session.shell)}"
        # What is no frame itself, or too large to cross, stays as it was shown.
        with suppress(SandboxError):
            frame = self.session.workspace.bench.sandbox().fetch_frame("_")
            self.session.parts.put(key, RowsView(frame, name="sandbox_rows"))
            return key
        return ""

    def _run_saved(self, options: Namespace, cell: str | None) -> list[Result]:
        ids = comma_separated(options.run)
        if len(ids) > 1 and (cell or "").strip():
            raise UsageMistake(f"code belongs to one check, and --run names {len(ids)}: {', '.join(ids)}")
        return self.session.run_saved(ids, cell or "", accept=options.accept, allow_edited=options.allow_edited)


def load(shell: InteractiveShell, *, open_workspace: OpenWorkspace | None = None) -> None:
    """Register the magics with the shell, with completion and the way results are shown."""
    from pandas_magic.checking.result import Result

    unload(shell)
    configuration = configured(shell, lambda: session.leave_workspace())
    session = NotebookSession(shell, open_workspace or configuration.open)
    magics = PandasMagics(shell, session)
    explorer = EdaMagics(shell, session)
    planning = plan_magics.PlanMagics(shell, session)
    shell.register_magics(magics, explorer, planning)
    named = {name: getattr(magics, name) for name in ("check", "checks", "files", "sandbox", "tables")}
    completion = Completion(session, {**named, "eda": explorer.eda, "plan": planning.plan})
    shell.Completer.custom_matchers.append(completion.matcher)
    shell.input_transformers_cleanup.append(allow_empty_body)
    formatter = _formatter(shell)
    formatter.for_type(Result, lambda result, **_: session.unshown.bundle([result]))
    formatter.for_type(Results, lambda results, **_: session.unshown.bundle(tuple(results)))
    shell.events.register("pre_run_cell", session.questions.forget)
    shell.events.register("post_run_cell", session.unshown.show)
    atexit.register(session.close)
    _loaded[id(shell)] = (magics, completion, planning)
    if session.page.is_watched() and open_workspace is None:
        begin_kernels(configuration.settings)


def unload(shell: InteractiveShell) -> None:
    """Take the magics away from the shell, end the confined kernel, and leave the files as they are."""
    from pandas_magic.checking.result import Result

    if id(shell) not in _loaded:
        return
    magics, completion, planning = _loaded.pop(id(shell))
    planning.close()
    forget_configuration(shell)
    shell.magics_manager.magics["line"].pop("plan", None)
    shell.magics_manager.magics["cell"].pop("plan", None)
    for kind, names in magics.magics.items():
        for name in names:
            shell.magics_manager.magics[kind].pop(name, None)
    shell.magics_manager.magics["line"].pop("eda", None)
    shell.Completer.custom_matchers.remove(completion.matcher)
    shell.input_transformers_cleanup.remove(allow_empty_body)
    for shown in (Result, Results):
        _formatter(shell).pop(shown, None)
    shell.events.unregister("pre_run_cell", magics.session.questions.forget)
    shell.events.unregister("post_run_cell", magics.session.unshown.show)
    magics.session.unshown.show()
    atexit.unregister(magics.session.close)
    magics.session.close()
    end_sandboxes()


def allow_empty_body(lines: list[str]) -> list[str]:
    """Let `%%check --run CHK-002`, `%%check --help` and an empty cell reach us: IPython would refuse them itself."""
    if len(lines) == 1 and lines[0].startswith(("%%check", "%%sandbox", "%%plan")):
        return [lines[0].rstrip("\n") + "\n", "\n"]
    return lines


# What each shell has loaded, so that it can be taken away again: a process may hold several shells.
_loaded: dict[int, tuple[PandasMagics, Completion, plan_magics.PlanMagics]] = {}


def _formatter(shell: InteractiveShell) -> Any:  # noqa: ANN401 - IPython's formatters carry no types
    return cast("DisplayFormatter", shell.display_formatter).mimebundle_formatter


def _below_the_magic(cell: str) -> str:
    """The code with a comment where the magic's line stands, so that errors count lines as the cell does."""
    # A magic of the confined shell has to stand first.
    return cell if cell.lstrip().startswith("%%") else f"# %%sandbox\n{cell}"


def _helped(magic: Any, options: Namespace) -> bool:  # noqa: ANN401 - a function decorated by IPython
    if options.help:
        print(help_of(magic))
    return bool(options.help)

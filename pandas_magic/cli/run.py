"""`pandas-magic run`: checks or notebooks, in one go, for people and schedulers.

Exit codes: 0 all passed, 1 a check failed, 2 wrong usage, 3 a check could not run or the run did not get to its end.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.cli.head_start import begin_bench
from pandas_magic.cli.run_options import EMPTY, add_options
from pandas_magic.errors import StateUnreadable, UsageMistake, nearest_name, quoted_list
from pandas_magic.registry.severities import SEVERITIES

if TYPE_CHECKING:
    from pandas_magic.catalog import Catalog
    from pandas_magic.checking.batch import Batch
    from pandas_magic.checking.result import Entry, Result
    from pandas_magic.quarantine.table_files import Form
    from pandas_magic.reporters.reports import Outcome
    from pandas_magic.reporters.terminal import Terminal
    from pandas_magic.settings import Settings
    from pandas_magic.workspace import Workspace

_PASSED, _FAILED, _ERROR = 0, 1, 3

Command = Callable[[argparse.Namespace, "Terminal"], int]
AddCommand = Callable[[str, Command, str], argparse.ArgumentParser]


@dataclass(frozen=True)
class Done:
    """What a run came to."""

    results: tuple[Result, ...]
    not_run: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()  # why it did not get to its end, or what of it was lost, one line each
    said: tuple[str, ...] = ()  # what was written beside it, for people


def add_run(command: AddCommand) -> None:
    """Add the command to the parser that `command` belongs to."""
    run = command("run", _run, "run checks or notebooks; exit code 0 all passed, 1 one failed, 3 one could not run")
    run.set_defaults(begin=begin_bench)
    add_options(run)


def _run(options: argparse.Namespace, terminal: Terminal) -> int:
    if options.code_from or options.data_from:
        return _travel(options, terminal)
    from pandas_magic.clock import timestamp
    from pandas_magic.reporters.reports import GITHUB, OF_WHOLE_TABLES, give_reports, parse_report

    reports = [parse_report(text) for text in options.report]
    if options.json and any(report.kind == GITHUB for report in reports):
        raise UsageMistake("--report github and --json both write to standard output; take one of them")
    if whole := [report.kind for report in reports if report.kind in OF_WHOLE_TABLES and options.since]:
        raise UsageMistake(f"--since cannot go with --report {whole[0]}, which tells of whole tables; take one of them")
    began = timestamp()
    notebooks = [Path(word) for word in options.ids if word.endswith(".ipynb")]
    if notebooks:
        done, outcome = _run_notebooks(options, terminal, notebooks), _outcome_of(Path(options.workspace))
        outcome = replace(outcome, job=notebooks[0].stem) if len(notebooks) == 1 else outcome
    else:
        done, outcome = _run_checks(options, terminal, [report.kind for report in reports])
    outcome = replace(outcome, results=done.results, not_run=done.not_run, began=began)
    # Nobody may be reading what is printed, so that it comes last.
    undelivered = give_reports(reports, outcome)
    done = replace(done, problems=(*done.problems, *undelivered))
    for line in done.said:
        terminal.say(line)
    terminal.results(done.results, not_run=done.not_run)
    for problem in done.problems:
        terminal.warn(problem)
    return exit_code(done, fail_on=options.fail_on)


def _travel(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.workspace import Workspace

    if len(options.ids) != 1:
        raise UsageMistake("--code-from and --data-from are for one check: pandas-magic run CHK-001 --data-from RUN")
    if options.since:
        raise UsageMistake("--since cannot go with --code-from and --data-from; take one of them")
    workspace = Workspace.open(options.workspace, bench=options.bench)
    try:
        result = workspace.travel(options.ids[0], code_from=options.code_from or "", data_from=options.data_from or "")
    finally:
        workspace.close()
    terminal.results([result])
    return exit_code(Done((result,)), fail_on=options.fail_on)


def exit_code(done: Done, *, fail_on: Sequence[str] = ()) -> int:
    """3 when a check could not run or something was lost, else 1 when one failed that counts, else 0.

    `fail_on` names the mildest severity that counts (none: all do), and "empty" where a check that passed without a
    row that was judged counts as failed.
    """
    from pandas_magic.history.run import Verdict

    if done.problems or done.not_run or any(result.run.verdict is Verdict.ERROR for result in done.results):
        return _ERROR
    if EMPTY in fail_on and any(result.run.nothing_judged for result in done.results):
        return _FAILED
    failed = [result for result in done.results if result.run.verdict is Verdict.FAIL]
    least = min((SEVERITIES.index(each) for each in fail_on if each != EMPTY), default=0)
    return _FAILED if any(SEVERITIES.index(_severity(result)) >= least for result in failed) else _PASSED


def _severity(result: Result) -> str:
    # Without its check nothing says that a failure is mild.
    return result.compiled.check.severity if result.compiled else SEVERITIES[-1]


def _run_checks(options: argparse.Namespace, terminal: Terminal, reports: Sequence[str]) -> tuple[Done, Outcome]:
    from pandas_magic.cli.parameters import parameters_of, parse_pairs
    from pandas_magic.quarantine.table_files import parse_form
    from pandas_magic.workspace import Workspace

    form = parse_form(options.format)
    if options.since and options.quarantine:
        raise UsageMistake("--since cannot go with --quarantine, which splits whole tables; take one of them")
    said = parameters_of(parse_pairs(options.parameter))
    base = said.base_dir or options.workspace
    settings = {**said.settings, "allow_proposed": True} if options.allow_proposed else said.settings
    workspace = Workspace.open(base, tables=said.tables, settings=settings, bench=options.bench)
    try:
        if not options.frozen:
            terminal.compiled(workspace.compile(on_progress=terminal.progress), beside=True)
        chosen = _chosen(workspace, options, terminal)
        _refuse_unread(workspace, said.tables)
        batch = _batch(workspace, chosen, options, terminal)
        found = Done(batch.results, batch.not_run, _lost(batch))
        if options.quarantine and not batch.interrupted:
            found = _quarantine(workspace, found, Path(options.quarantine), form)
        outcome = _facts_for(reports, workspace, found.results)
    except BaseException:
        workspace.close()
        raise
    return replace(found, problems=(*found.problems, *_closed(workspace))), outcome


def _outcome_of(folder: Path, settings: Settings | None = None) -> Outcome:
    """What reports are told of a workspace before anything ran."""
    from pandas_magic.reporters.reports import Outcome
    from pandas_magic.settings import Settings

    said = settings or Settings.load(folder)
    return Outcome((), (), folder.resolve().name, "", folder.resolve(), said.webhook, said.alerts)


def _facts_for(reports: Sequence[str], workspace: Workspace, results: Sequence[Result]) -> Outcome:
    """The outcome with what the reports that are asked for need of the workspace, and nothing else."""
    from pandas_magic.reporters.reports import OPENLINEAGE, OTEL

    outcome = _outcome_of(workspace.base_dir, workspace.settings)
    if OPENLINEAGE in reports:
        outcome = replace(outcome, origins=_origins(workspace.catalog, results))
    if OTEL in reports:
        last = {each.run.check_id: workspace.journal.history.last_judged(each.run.check_id) for each in results}
        outcome = replace(outcome, judged={check_id: run.started_at for check_id, run in last.items() if run})
    return outcome


def _origins(catalog: Catalog, results: Sequence[Result]) -> dict[str, str]:
    """The file or address of each table that the results read, as far as it is known."""
    from pandas_magic.errors import NoSuchName, TableUnreadable

    found = {}
    for table in {table: None for each in results if each.compiled for table in each.compiled.plan.reads}:
        with suppress(NoSuchName, TableUnreadable):  # a check that needed it says so
            found[table] = catalog.schema(table).origin
    return found


def _batch(workspace: Workspace, chosen: Sequence[Entry], options: argparse.Namespace, terminal: Terminal) -> Batch:
    """The checks run as the options say, and each told of when it is done."""
    from pandas_magic.checking.batch import Onlooker

    done = 0

    def finished(result: Result) -> None:
        nonlocal done
        done += 1
        terminal.progress(f"{done} of {len(chosen)}: {result.run.check_id} {result.run.verdict}")

    workspace.begin_session("run", [entry.id for entry in chosen])
    return workspace.run_batch(
        [entry.listed for entry in chosen],
        jobs=options.jobs,
        max_seconds=options.max_seconds,
        approved_only=not workspace.settings.allow_proposed,
        keep_removed=options.keep_removed,
        since=options.since,
        watch=Onlooker(on_finished=finished),
    )


def _lost(batch: Batch) -> tuple[str, ...]:
    """What the run did not get to, or could not keep, one line each."""
    lost = [result.run.lost for result in batch.results if result.run.lost]
    found = ["interrupted; the checks that had finished are kept"] if batch.interrupted else []
    if lost:
        found.append(f"{len(lost):,} of {len(batch.results):,} runs are not wholly in the history: {lost[0]}")
    return tuple(found)


def _closed(workspace: Workspace) -> tuple[str, ...]:
    """What could not be brought up to date when the workspace was closed; the verdicts stand."""
    try:
        workspace.close()
    except StateUnreadable as error:
        return (str(error),)
    return ()


def _chosen(workspace: Workspace, options: argparse.Namespace, terminal: Terminal) -> list[Entry]:
    from pandas_magic.cli.selection import parse_selection, select
    from pandas_magic.errors import NoSuchName

    tags = [f"tag:{tag.strip()}" for tag in options.tags.split(",") if tag.strip()]
    selections = [parse_selection(text) for text in (*options.select, *tags)]
    entries = workspace.entries()
    known = [entry.id for entry in entries]
    for check_id in options.ids:
        if check_id not in known:
            raise NoSuchName("check", check_id, known, within="the list of checks and the registry")
    chosen = select([entry for entry in entries if not options.ids or entry.id in options.ids], selections)
    removed = [entry.id for entry in chosen if entry.listed.removed]
    if removed and not (options.keep_removed or options.ids):
        terminal.warn(f"removed from the list of checks, not run: {', '.join(removed)} (--keep-removed runs them)")
        chosen = [entry for entry in chosen if not entry.listed.removed]
    if not chosen and known and selections:
        raise UsageMistake(f"no check is selected by {' '.join((*options.select, *tags))}; pandas-magic list shows all")
    if not chosen:
        raise UsageMistake("no check to run; begin with: pandas-magic start, or write one with %%check in a notebook")
    return chosen


def _refuse_unread(workspace: Workspace, tables: Iterable[str]) -> None:
    """Refuse another file for a table that no check reads: its name is misspelt. Raises: UsageMistake."""
    read = {table for entry in workspace.entries(with_runs=False) for table in entry.tables}
    for name in tables:
        if read and name not in read:
            nearest = nearest_name(name, sorted(read))
            guess = f'. Did you mean "{nearest}"?' if nearest else ""
            raise UsageMistake(f'no check reads a table "{name}"; checks read {quoted_list(sorted(read))}{guess}')


def _quarantine(workspace: Workspace, done: Done, folder: Path, form: Form | None) -> Done:
    from pandas_magic.quarantine.splitting import quarantine

    splits, problems = quarantine(workspace.catalog, done.results, folder, form=form)
    said = tuple(split.in_words() for split in splits)
    return replace(done, problems=(*done.problems, *problems), said=said)


def _run_notebooks(options: argparse.Namespace, terminal: Terminal, notebooks: Sequence[Path]) -> Done:
    from pandas_magic.cli.parameters import parse_pairs
    from pandas_magic.notebook.notebook_runs import execute_notebooks

    others = [word for word in options.ids if not word.endswith(".ipynb")]
    unfit = ["--quarantine"] * bool(options.quarantine) + ["--select"] * bool(options.select)
    unfit += ["--since"] * bool(options.since) + others
    if unfit:
        raise UsageMistake(f"{', '.join(unfit)} cannot go with notebooks; run them on their own")
    executed = execute_notebooks(
        notebooks,
        parse_pairs(options.parameter),
        allow_edited=options.allow_edited,
        output_dir=Path(options.output_dir) if options.output_dir else None,
        max_seconds=options.max_seconds,
        on_progress=terminal.progress,
    )
    said = tuple(f"{each.source} → {each.saved}" for each in executed)
    problems = tuple(f"{each.source}: {each.problem}" for each in executed if each.problem)
    results = tuple(result for each in executed for result in each.results)
    not_run = tuple(str(path) for path in notebooks[len(executed) :])
    return Done(results, not_run, problems, said)

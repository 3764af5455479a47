"""The commands of review: `pandas-magic approve`, `verify`, `snooze`, `except`, `delete` and `why`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.errors import PandasMagicError, UsageMistake, error_line

if TYPE_CHECKING:
    from pandas_magic.checking.rule_pairs import RulePair
    from pandas_magic.registry.verification import Finding, Look
    from pandas_magic.reporters.terminal import Terminal
    from pandas_magic.workspace import Workspace

_AGREES, _DISAGREES, _ERROR = 0, 1, 3

Command = Callable[[argparse.Namespace, "Terminal"], int]
AddCommand = Callable[[str, Command, str], argparse.ArgumentParser]


def add_review(command: AddCommand) -> None:
    """Add the commands to the parser that `command` belongs to."""
    approve = command("approve", _approve, "note that a person read the code of checks and agrees that it runs")
    approve.add_argument("ids", nargs="*", metavar="ID", help="the checks; without any, those that wait are shown")
    approve.add_argument("--all", action="store_true", help="every check that waits")
    approve.add_argument("--by", metavar="NAME", help="who approves (default: git's user.email, else the login)")
    verify = command(
        "verify", _verify, "whether notebooks, registry, proofs and approvals agree; exit code 1 when they do not"
    )
    verify.add_argument("files", nargs="*", metavar="FILE", help="only these notebooks (default: all; none: -)")
    verify.add_argument("--tables", action="store_true", help="also: no check is stale against the tables")
    verify.add_argument("--approved", action="store_true", help="also: every check is approved")
    verify.add_argument("--prove", action="store_true", help="also: each rule is understood and proved again, confined")
    verify.add_argument("--pairs", action="store_true", help="also: no two rules of a table exclude each other")
    snooze = command("snooze", _snooze, "let a check rest until a day: its runs are SKIPPED and say why")
    snooze.add_argument("id", metavar="ID")
    _add_decision(snooze)
    snooze.add_argument("--end", action="store_true", help="let it run again")
    exception = command("except", _except, "let known rows break a rule: they are not counted, and every run says so")
    exception.add_argument("id", metavar="ID")
    exception.add_argument(
        "--key", action="append", metavar="COLUMN=VALUE", help="which rows; again for a key of several columns"
    )
    _add_decision(exception)
    exception.add_argument("--remove", action="store_true", help="count these rows again")
    delete = command("delete", _delete, "delete checks, from a list in JSON too; what ran stays in the history")
    delete.add_argument("ids", nargs="+", metavar="ID")
    why = command("why", _why, "why a verdict changed: what differed between two runs of a check")
    why.add_argument("id", metavar="ID")
    why.add_argument("runs", nargs="*", metavar="RUN", help="two runs, the earlier first (default: the last change)")


def _add_decision(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--until", metavar="DAY", help="the day, such as 2026-12-01, from which it no longer counts")
    parser.add_argument("--reason", metavar="TEXT", help="why, for whoever reads it later")
    parser.add_argument("--by", metavar="NAME", help="who decides (default: git's user.email, else the login)")


def _snooze(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.registry.deciding import decide_rest
    from pandas_magic.workspace import Workspace

    said = decide_rest(Workspace.open(options.workspace), options.id, options)
    terminal.told([said], {"said": said})
    return _AGREES


def _except(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.registry.deciding import decide_exception
    from pandas_magic.workspace import Workspace

    said = decide_exception(Workspace.open(options.workspace), options.id, options)
    terminal.told([said], {"said": said})
    return _AGREES


def _delete(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.registry.removal import delete_checks
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    delete_checks(workspace.checks_folder, workspace.registry, options.ids)
    terminal.told([f"{', '.join(options.ids)} deleted"], {"deleted": options.ids})
    return _AGREES


def _why(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.history.causes import explain
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    explanation = explain(workspace.journal, options.id, options.runs)
    terminal.told([explanation.in_words()], explanation.to_dict())
    return _AGREES


def _approve(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.registry.approval import approve_each, who
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    waiting = _waiting(workspace)
    if options.ids and options.all:
        raise UsageMistake("approve takes ids or --all, not both")
    chosen: Sequence[str] = waiting if options.all else options.ids
    if not chosen:
        shown = _shown(workspace, waiting)
        terminal.told(shown or ["no check waits for approval"], {"proposed": waiting})
        return _AGREES
    by = options.by or who(workspace.base_dir)
    lines, noted = [], {}
    roster = workspace.roster()
    for check_id in chosen:
        if roster[check_id].problem:
            raise UsageMistake(f"{check_id} cannot be approved: {roster[check_id].problem}")
    outcomes = approve_each(workspace.registry, chosen, by)
    for check_id, outcome in outcomes.items():
        if isinstance(outcome, PandasMagicError):
            lines.append(f"{check_id}  ! {error_line(outcome)}")
            continue
        unproved = "" if outcome.proof else " (not proved)"
        noted[check_id] = outcome.model_dump(mode="json", include={"approval"})["approval"]
        lines.append(f"{check_id}  approved by {noted[check_id]['by']}{unproved}: {outcome.check.rule}")
    refused = {check_id: str(error) for check_id, error in outcomes.items() if check_id not in noted}
    terminal.told(lines, {"approved": noted, "refused": refused})
    return _ERROR if refused else _AGREES


def _waiting(workspace: Workspace) -> list[str]:
    from pandas_magic.registry.approval import standing

    return [
        listed.id
        for listed in workspace.roster().values()
        if listed.compiled and not listed.problem and standing(listed.compiled) == "proposed"
    ]


def _shown(workspace: Workspace, waiting: Sequence[str]) -> list[str]:
    from pandas_magic.registry.agreement import disagreements

    checks = workspace.registry.load()
    shown, refused = [], []
    for compiled in (checks[check_id] for check_id in waiting):
        if problems := disagreements(compiled):
            refused.append(f"{compiled.id}  cannot be approved: {'; '.join(problems)}")
            continue
        shown += [f"{compiled.id}  {compiled.check.rule}", f"    understood: {compiled.plan.goal}"]
        shown += [f"    {line}" for line in compiled.code.split("\n")]
    return [*shown, *(["approve them: pandas-magic approve ID, or --all"] if shown else []), *refused]


def _verify(options: argparse.Namespace, terminal: Terminal) -> int:
    from pandas_magic.notebook.verified_cells import cell_findings, notebooks_below
    from pandas_magic.registry.verification import Finding, findings, list_findings
    from pandas_magic.workspace import Workspace

    workspace = Workspace.open(options.workspace)
    checks = workspace.registry.load()
    # pre-commit names every changed file that the hook is about; the checks among them are looked at anyway.
    named = [Path(name) for name in options.files if name.endswith(".ipynb")]
    notebooks = named or ([] if options.files else notebooks_below(Path(options.workspace)))
    looks: list[Look] = [workspace.stale_reason] if options.tables else []
    looks += [workspace.unproved_reason] if options.prove else []
    try:
        found = [*list_findings(workspace.roster()), *findings(checks, approved=options.approved, looks=tuple(looks))]
    finally:
        workspace.close()
    for path in notebooks:
        found += cell_findings(path, checks)
    pairs = _pairs(workspace) if options.pairs else []
    found += [Finding(pair.first, pair.in_words()) for pair in pairs if pair.relation == "contradict"]
    notes = [pair.in_words() for pair in pairs if pair.relation != "contradict"]
    lines = [finding.in_words() for finding in found] or [_agreed(len(checks), len(notebooks))]
    terminal.told([*lines, *notes], {"findings": [_fact(finding) for finding in found], "notes": notes})
    return _DISAGREES if found else _AGREES


def _pairs(workspace: Workspace) -> list[RulePair]:
    from pandas_magic.checking.rule_pairs import related_pairs

    compiled = [listed.compiled for listed in workspace.roster().values() if listed.compiled and not listed.problem]
    fresh = [check for check in compiled if not workspace.stale_reason(check)]
    return list(related_pairs(fresh, workspace.runner, workspace.runner.instant()))


def _fact(finding: Finding) -> dict[str, str]:
    return {"place": finding.place, "problem": finding.problem}


def _agreed(checks: int, notebooks: int) -> str:
    return f"{checks:,} check{'s' * (checks != 1)} and {notebooks:,} notebook{'s' * (notebooks != 1)} agree"

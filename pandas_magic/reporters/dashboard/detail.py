"""One check in depth: how it stands, its code, its past, and what models were asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pandas_magic.checking.result import Result
from pandas_magic.clock import to_the_minute
from pandas_magic.history.text_difference import difference
from pandas_magic.planner.model.exchanges import ExchangeLog
from pandas_magic.registry.approval import standing
from pandas_magic.reporters.card import card_of
from pandas_magic.reporters.dashboard import pages
from pandas_magic.reporters.html import framed, html

if TYPE_CHECKING:
    from pandas_magic.history.run import Run
    from pandas_magic.registry.compiled_check import CompiledCheck
    from pandas_magic.workspace import Workspace


@dataclass(frozen=True)
class Detail:
    """The pages about one check, each HTML."""

    outcome: str  # the card of its last run
    code: str
    past: str
    models: str


def detail_of(workspace: Workspace, check_id: str, shown_here: Result | None = None) -> Detail:
    """The pages about a check from the workspace's files; `shown_here` is its last result in this notebook, if any.

    Raises: NoSuchName; StateUnreadable when the check's file is damaged.
    """
    compiled = workspace.registry.get(check_id)
    runs = workspace.journal.history.runs(check_id)
    summed_up = workspace.journal.history.of(check_id)
    said = summed_up.in_words() if summed_up else "It never ran here."
    exchanges = [exchange for exchange in ExchangeLog(workspace.journal.folder) if exchange.about == check_id]
    asked = f"{len(exchanges):,} exchanges with models" if exchanges else "No model was asked for this check."
    ran_here = shown_here.run if shown_here else None
    return Detail(
        outcome=_outcome(workspace, compiled, shown_here),
        code=pages.code_page(compiled.code, _difference(compiled, ran_here), _facts(compiled)),
        past=pages.past_page(runs, said),
        models=pages.exchanges_page(exchanges, asked),
    )


def _outcome(workspace: Workspace, compiled: CompiledCheck, shown_here: Result | None) -> str:
    last = workspace.journal.last_runs().get(compiled.id)
    if last is None:
        return framed("<p>It never ran here; press Run.</p>")
    if shown_here is not None and shown_here.run.run_id == last.run_id:
        return html(card_of(shown_here))
    # The journal keeps no code; the registry has it when it is the code that ran.
    ran = last if last.code_digest != compiled.code_digest else last.model_copy(update={"code": compiled.code})
    return html(card_of(Result(ran, compiled, echo=compiled.plan.goal, stale_reason=workspace.stale_reason(compiled))))


def _difference(compiled: CompiledCheck, ran_here: Run | None) -> str:
    return difference(compiled.code, ran_here.code, names=("compiled", "ran here")) if ran_here else ""


def _facts(compiled: CompiledCheck) -> list[tuple[str, str]]:
    proof = compiled.proof
    reads = "; ".join(f"{table}: {', '.join(columns)}" for table, columns in compiled.plan.reads.items())
    approval = compiled.approval
    review = standing(compiled)
    by = f" by {approval.by} on {approval.at[:10]}" if approval and review == "approved" else ""
    return [
        ("Rule", compiled.check.rule),
        ("Understood", compiled.plan.goal),
        ("Reads", reads),
        ("Compiled", f"{to_the_minute(compiled.compiled_at)} by {compiled.planner}"),
        ("Proof", proof.in_words() if proof else "none: saved unproved on request"),
        ("Review", f"{review}{by}"),
    ]

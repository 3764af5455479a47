"""One check in depth: how it stands, its code, its past, and what models were asked for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pandas_magic.checking.result import Result, brought_back
from pandas_magic.clock import to_the_day, to_the_minute
from pandas_magic.history.check_history import summed_up
from pandas_magic.history.text_difference import difference
from pandas_magic.planner.model.exchanges import ExchangeLog
from pandas_magic.registry.approval import standing
from pandas_magic.reporters.card import card_of
from pandas_magic.reporters.dashboard import pages
from pandas_magic.reporters.html import html

if TYPE_CHECKING:
    from pandas_magic.history.run import Run
    from pandas_magic.registry.compiled_check import CompiledCheck
    from pandas_magic.workspace import Workspace


@dataclass(frozen=True)
class Detail:
    """The pages about one check, each HTML; and its last run with the failing rows that were kept, if it ever ran."""

    outcome: str  # the card of its last run
    code: str
    past: str
    models: str
    result: Result | None

    def page(self) -> str:
        """All of it, the card first and the rest folded."""
        told = (("History", self.past), ("Code and proof", self.code), ("Models", self.models))
        folded = (f"<details><summary>{label}</summary>{page}</details>" for label, page in told if page)
        return f"{self.outcome}{''.join(folded)}"


def detail_of(workspace: Workspace, check_id: str, shown_here: Result | None = None) -> Detail:
    """The pages about a check from the workspace's files; `shown_here` is its last result in this notebook, if any.

    Raises: NoSuchName; StateUnreadable when the check's file is damaged.
    """
    compiled = workspace.registry.get(check_id)
    runs = workspace.journal.history.runs(check_id)
    exchanges = [exchange for exchange in ExchangeLog(workspace.journal.folder) if exchange.about == check_id]
    result = _last_result(workspace, compiled, shown_here)
    return Detail(
        outcome=html(card_of(result, alone=False)) if result else "<p>It never ran here; press Run.</p>",
        code=pages.code_page(
            compiled.code, _difference(compiled, shown_here.run if shown_here else None), facts_of(compiled)
        ),
        past=pages.past_page(runs, summed_up(runs).in_words() if runs else "It never ran here."),
        models=pages.exchanges_page(exchanges, f"{len(exchanges):,} exchanges with models") if exchanges else "",
        result=result,
    )


def _last_result(workspace: Workspace, compiled: CompiledCheck, shown_here: Result | None) -> Result | None:
    last = workspace.journal.history.last_run(compiled.id)
    if last is None or (shown_here is not None and shown_here.run.run_id == last.run_id):
        return shown_here if last else None
    return result_of(workspace, compiled, last, stale=workspace.stale_reason(compiled))


def result_of(
    workspace: Workspace, compiled: CompiledCheck, last: Run, *, stale: str, with_rows: bool = True
) -> Result:
    """A run that the journal kept as a result of its check, with the failing rows that were kept."""
    kept = brought_back(workspace.journal, last, compiled, with_rows=with_rows)
    return replace(kept, echo=compiled.plan.goal, stale_reason=stale)


def _difference(compiled: CompiledCheck, ran_here: Run | None) -> str:
    return difference(compiled.code, ran_here.code, names=("compiled", "ran here")) if ran_here else ""


def facts_of(compiled: CompiledCheck) -> list[tuple[str, str]]:
    """Where a check's code comes from and what people decided about it, as labels and sentences."""
    proof = compiled.proof
    reads = "; ".join(f"{table}: {', '.join(columns)}" for table, columns in compiled.plan.reads.items())
    approval = compiled.approval
    review = standing(compiled)
    by = f" by {approval.by} on {to_the_day(approval.at)}" if approval and review == "approved" else ""
    return [
        ("Rule", compiled.check.rule),
        ("Understood", compiled.plan.goal),
        ("Reads", reads),
        ("Compiled", f"{to_the_minute(compiled.compiled_at)} by {compiled.planner}"),
        ("Proof", proof.in_words() if proof else "none: saved unproved on request"),
        ("Review", f"{review}{by}"),
        *(("Exception", f"{known.named()}: {known.reason}") for known in compiled.exceptions),
    ]

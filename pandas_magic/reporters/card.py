"""What is shown about one check that ran: decided once, set in every form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pandas_magic.history.outcomes import RunOutcome, outcome_in_words
from pandas_magic.history.run import Run, Verdict
from pandas_magic.record import digest
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.reporters.preview import Preview, preview
from pandas_magic.reporters.value_text import clean_lines, counted, one_line

if TYPE_CHECKING:
    from pandas_magic.checking.result import Result

EDITED = "✎ EDITED"
SIGNS = {Verdict.PASS: "✓", Verdict.FAIL: "✗", Verdict.ERROR: "!", Verdict.SKIPPED: "–"}

_TOLD_APART_BY = 10_000  # positions of failing rows: a digest of more would be waited for


@dataclass(frozen=True)
class Card:
    """One check's outcome, ready to be set: every text is safe to show, none is markup."""

    verdict: Verdict
    check_id: str
    title: str  # the check's name, or its rule when it has none; empty when the registry does not have it
    about: str  # severity, owner and tags in one line
    headline: str  # the outcome in one sentence
    facts: tuple[tuple[str, str], ...]  # label and sentence, in the order of interest
    steps: tuple[str, ...]  # the plan; empty when nothing was compiled
    code: str  # empty when none ran
    stdout: str  # what the code printed
    failing: Preview | None  # None: no failing rows
    where: str  # where all failing rows are; empty without any
    part: str  # the key by which a notebook's page shows all of them; the same for the same rows
    notes: tuple[str, ...]
    provenance: frozenset[str] = frozenset()  # labels of facts that say how we know, where nothing is amiss
    warned: bool = False  # it passed, and rows break the rule
    nothing_judged: bool = False  # it passed without a row that was judged
    edited: bool = False  # other code than the check's ran
    since: str = ""  # from which partition on its table was judged; "": all of it
    trial: str = ""  # what was looked at in place of the check's own table or of today; "": nothing

    @property
    def badge(self) -> str:
        """The verdict as sign and word: no form depends on colour."""
        return badge_of(self)

    @property
    def is_of_part(self) -> bool:
        """Whether the verdict is on some partitions of the table alone."""
        return bool(self.since) and self.verdict.judges


def badge_of(run: RunOutcome) -> str:
    """An outcome as people see it everywhere: "✓ PASS", "✓ PASS, WARN" when rows break the rule, "! ERROR".

    Edited code is "✎ EDITED": it has a verdict only where a person allowed it, "✎ EDITED, PASS".
    """
    if run.edited:
        return EDITED if run.verdict == Verdict.ERROR else f"{EDITED}, {outcome_in_words(run)}"
    return f"{SIGNS[Verdict(run.verdict)]} {outcome_in_words(run)}"


def card_of(result: Result, *, alone: bool = True) -> Card:
    """The card of a result. It holds nothing that changes between two runs on the same data.

    `alone` says that its result is what the cell gives back, as `_`.
    """
    run, compiled = result.run, result.compiled
    return Card(
        verdict=run.verdict,
        check_id=run.check_id,
        title=one_line(compiled.check.name or compiled.check.rule) if compiled else "",
        about=_about(compiled, run),
        headline=_headline(run),
        facts=tuple((label, one_line(text)) for label, text in _facts(result) if text),
        steps=tuple(one_line(step) for step in compiled.plan.steps) if compiled and not run.edited else (),
        code=clean_lines(run.code).strip("\n"),
        stdout=clean_lines(run.stdout).strip("\n"),
        failing=_failing(result),
        where=_where(result, alone),
        part=rows_key(result),
        notes=tuple(one_line(note) for note in (*run.notes, *_lost(run))),
        provenance=_provenance(result),
        warned=run.warned,
        nothing_judged=run.nothing_judged,
        edited=run.edited,
        since=run.since,
        trial=run.trial,
    )


def rows_key(result: Result) -> str:
    """Names a result's failing rows, "" without any: the same for the same rows anywhere, so that cards hold still.

    Told apart by the code, how many they are, the first ones and the positions of ten thousand.
    """
    failing, run = _failing(result), result.run
    if failing is None:
        return ""
    positions = [int(position) for position in (run.positions or ())[:_TOLD_APART_BY]]
    return digest([run.check_id, run.code, failing.row_count, [list(row) for row in failing.rows], positions])


def columns_read(result: Result) -> set[str]:
    """The columns that the check reads, of any table."""
    reads = result.compiled.plan.reads if result.compiled else {}
    return {column for columns in reads.values() for column in columns}


def _about(compiled: CompiledCheck | None, run: Run) -> str:
    if compiled is None:
        return ""
    check = compiled.check
    parts = (check.severity, check.owner, ", ".join(check.tags), "" if run.edited else run.review)
    return one_line(" · ".join(part for part in parts if part))


def _headline(run: Run) -> str:
    # The badge already says the verdict that a summary begins with.
    return one_line(run.headline) or run.verdict.capitalize()


def _facts(result: Result) -> list[tuple[str, str]]:
    run, compiled = result.run, result.compiled
    facts = [("Error", run.error if run.error not in run.summary else ""), (_stale_label(result), result.stale_reason)]
    if compiled and not run.edited:
        facts.append(("Understood", result.echo or compiled.plan.goal))
        facts.append(("A failing row is", compiled.plan.violation_means))
        facts.append(("Proof", compiled.proof.in_words() if compiled.proof else "none: saved unproved on request"))
    facts.append(("Ran in", run.engine))
    facts.append(("Not judged", _not_judged(run)))
    facts.append(("Changed", _changes(run)))
    facts.append(("Confined by", _confinement(run)))
    return facts


def _provenance(result: Result) -> frozenset[str]:
    """The facts that may be folded: how a row was judged, proved and confined, unless it was not."""
    run, compiled = result.run, result.compiled
    labels = {"A failing row is", "Ran in"}
    if compiled and compiled.proof:
        labels.add("Proof")
    if run.confined and run.confined.isolation != "none" and not run.confined.executor:
        labels.add("Confined by")
    return frozenset(labels)


def _stale_label(result: Result) -> str:
    return "Compiled again" if result.compiled_now else "Stale"


def _not_judged(run: Run) -> str:
    if not run.not_judged:
        return ""
    return f"{counted(run.not_judged, 'row')}, where a missing value leaves the rule open"


def _changes(run: Run) -> str:
    # Only what differs, so that runs on the same tables look the same.
    changes = run.changes
    if changes is None or not (changes.incomparable or changes.new or changes.fixed):
        return ""
    return changes.in_words()


def _lost(run: Run) -> tuple[str, ...]:
    return (f"not wholly in the history: {run.lost}",) if run.lost else ()


def _confinement(run: Run) -> str:
    if run.confined is None:
        if run.verdict is Verdict.SKIPPED or run.error:
            return ""
        return "nothing: " + ("its database looked at it" if run.engine else "the code did not run in the sandbox")
    if run.confined.executor:
        claimed = ", ".join(run.confined.layers) or "nothing"
        return f'not our kernel: the executor "{run.confined.executor}" claims {claimed}'
    return "nothing: isolation is turned off" if run.confined.isolation == "none" else ", ".join(run.confined.layers)


def _failing(result: Result) -> Preview | None:
    rows = result.run.violations
    return preview(rows, first=columns_read(result)) if rows is not None and len(rows) else None


def _where(result: Result, alone: bool) -> str:
    run = result.run
    if not run.violation_count:
        return ""
    also = f"Of these rows also fail: {', '.join(result.beside)}. " if result.beside else ""
    number = f"All {run.violation_count:,} failing rows" if run.violation_count > 1 else "The failing row"
    as_result = ", or _.violations right after this cell" if alone else ""
    return f"{also}{number}: %checks rows {run.check_id}{as_result}."

"""Ideas from past runs: bands that fit what they saw, for checks that fail or flutter and for counts of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median

from pandas_magic.constraints import (
    Aggregate,
    All,
    Arithmetic,
    Compare,
    Condition,
    Constraint,
    Expression,
    Now,
    RowRule,
    Share,
    Span,
    TableRule,
    Tolerance,
    Value,
    describe,
)
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.history.bands import LearnedBand, learned_band
from pandas_magic.history.check_history import summed_up
from pandas_magic.history.past import PastRun
from pandas_magic.history.run import Run
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.suggestions.suggestion import Idea, Withheld
from pandas_magic.workspace import Workspace

_HOUR, _DAY = 3600.0, 86_400.0
_IN_HOURS = 3 * _DAY  # what is allowed to be older is told in days
_NO_SHARE = 0.5  # a rule that more than half of the rows may break says nothing
Outcome = Idea | Withheld


@dataclass(frozen=True)
class _Past:
    """The runs of one check that looked at the tables, oldest first: one for each state of the data."""

    compiled: CompiledCheck
    runs: tuple[Run, ...]
    is_restless: bool  # whether it failed last, or flutters


def ideas_of_history(workspace: Workspace, named: Sequence[str] = ()) -> tuple[list[Idea], list[Withheld]]:
    """Bands for the checks named, or for those that fail or flutter, then for the rows of each table."""
    pasts = _pasts(workspace, named)
    found = [outcome for past in pasts if past.is_restless or named for outcome in _of_check(past)]
    found += [] if named else _of_volumes(pasts)
    if not pasts:
        found.append(Withheld("history", "", "no check has run here; a band is learned from what runs saw"))
    return [one for one in found if isinstance(one, Idea)], [one for one in found if isinstance(one, Withheld)]


def _pasts(workspace: Workspace, named: Sequence[str]) -> list[_Past]:
    history, pasts = workspace.journal.history, []
    every = history.every_whole_run()
    for listed in workspace.chosen(named):
        if listed.compiled and (runs := history.runs(listed.id)):
            pasts.append(_Past(listed.compiled, _on_different_data(every.get(listed.id, ())), _is_restless(runs)))
    return pasts


def _is_restless(runs: Sequence[PastRun]) -> bool:
    history = summed_up(runs)
    return history.failing_since is not None or history.flapping


def _on_different_data(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The judged runs, the last of each stretch in which the tables stayed as they were."""
    judged = [run for run in runs if run.verdict.judges]
    followed = pairwise(judged)
    kept = [one for one, other in followed if not one.fingerprints or one.fingerprints != other.fingerprints]
    return (*kept, *judged[-1:])


def _of_check(past: _Past) -> Iterator[Outcome]:
    match past.compiled.constraint:
        case TableRule() as rule:
            yield _of_statistic(past, rule)
        case RowRule(tolerance=None) as rule:
            yield _of_share(past, rule)
        case RowRule():
            why = "a run that tolerates rows does not tell how many; say it as a share of rows, which is kept"
            yield Withheld(past.compiled.id, past.compiled.plan.goal, why)


def _of_statistic(past: _Past, rule: TableRule) -> Outcome:
    """A band for the one statistic that the rule compares."""
    where, goal = past.compiled.id, past.compiled.plan.goal
    if any(run.engine and not run.statistics for run in past.runs):
        # Of runs that fail the number is known: a band of these alone would be one of the wrong nights.
        return Withheld(where, goal, f"{past.runs[-1].engine or 'an engine'} keeps no number of runs that pass")
    seen = [(run, value) for run in past.runs if len(run.statistics) == 1 for value in run.statistics.values()]
    of = _statistic_of(rule.must)
    if of is None or any(len(run.statistics) > 1 for run in past.runs):
        return Withheld(where, goal, "it compares more than one number, and a band is for one")
    numbers = [value for _, value in seen if not isinstance(value, str)]
    if isinstance(of, Aggregate) and seen and not numbers:
        return _of_age(where, rule, of, _ages(seen))
    is_count = isinstance(of, Aggregate) and of.statistic in ("count", "distinct")
    least = 0.0 if is_count or isinstance(of, Share) else None
    band = learned_band(numbers, whole=is_count, floor=least)
    if isinstance(band, str):
        return Withheld(where, goal, band)
    if isinstance(of, Share):
        band = band.model_copy(update={"high": min(band.high, 1.0)})
    return Idea(describe(TableRule(table=rule.table, must=_between(of, band))), _said(band, ""), where)


def _statistic_of(must: Condition) -> Expression | None:
    """What a condition compares with numbers or moments; None when it compares several things."""
    parts = conjuncts(must)
    found = {
        side
        for part in parts
        if isinstance(part, Compare)
        for side in (part.left, part.right)
        if isinstance(side, Aggregate | Share)
    }
    return found.pop() if len(found) == 1 and all(isinstance(part, Compare) for part in parts) else None


def _ages(seen: Sequence[tuple[Run, object]]) -> list[float]:
    """How old the latest moment was when each run began, in seconds. Moments without a zone are local."""
    ages = []
    for run, moment in seen:
        at = datetime.fromisoformat(str(moment))
        began = datetime.fromisoformat(run.started_at.replace("Z", "+00:00"))
        ages.append((began - at.astimezone()).total_seconds())
    return ages


def _of_age(where: str, rule: TableRule, of: Aggregate, ages: Sequence[float]) -> Outcome:
    if of.statistic != "max":
        return Withheld(where, describe(rule), "a moment that is not the latest has no age that a band could fit")
    band = learned_band(ages)
    if isinstance(band, str):
        return Withheld(where, describe(rule), band)
    in_hours = band.high <= _IN_HOURS
    unit, seconds = ("hours", _HOUR) if in_hours else ("days", _DAY)
    most = max(1, -int(-band.high // seconds))
    since = Arithmetic(sign="-", left=Now(), right=Span.model_validate({"amount": most, "unit": unit}))
    fresh = TableRule(table=rule.table, must=Compare(relation=">=", left=of, right=since))
    oldest, newest = (f"{age / seconds:,.1f}" for age in (band.highest, band.lowest))
    because = f"up to {most} {unit} old: in the last {band.seen} runs it was {newest} to {oldest} {unit} old"
    return Idea(describe(fresh), because, where)


def _of_share(past: _Past, rule: RowRule) -> Outcome:
    """A tolerance for a rule about rows that some always break."""
    where, goal = past.compiled.id, past.compiled.plan.goal
    shares = [run.violation_count / run.rows for run in past.runs if run.rows and run.violation_count is not None]
    band = learned_band(shares, floor=0.0)
    if isinstance(band, str):
        return Withheld(where, goal, band)
    if not median(shares):
        return Withheld(where, goal, "in most runs no row broke it, so that no share is usual")
    if band.high > _NO_SHARE:
        return Withheld(where, goal, "more than half of the rows may break it, so that no share tells much")
    tolerant = rule.model_copy(update={"tolerance": Tolerance(max_share=band.high)})
    high, lowest, highest = (f"{100 * share:.3g} %" for share in (band.high, band.lowest, band.highest))
    because = f"up to {high}: in the last {band.seen} runs {lowest} to {highest} of the rows broke it{_outside(band)}"
    return Idea(describe(tolerant), because, where)


def _of_volumes(pasts: Sequence[_Past]) -> Iterator[Outcome]:
    """A band for how many rows each table has, where no check has one."""
    runs_by_table: dict[str, list[Run]] = {}
    for past in pasts:
        runs_by_table.setdefault(past.compiled.target, []).extend(past.runs)
    counted = {past.compiled.target for past in pasts if _counts_rows(past.compiled.constraint)}
    for table, runs in sorted(runs_by_table.items()):
        if table not in counted:
            by_data = {
                run.fingerprints.get(table) or run.run_id: run for run in sorted(runs, key=lambda run: run.started_at)
            }
            band = learned_band([run.rows for run in by_data.values() if run.rows is not None], whole=True, floor=0.0)
            if isinstance(band, str):
                yield Withheld(table, "how many rows it has", band)
                continue
            rows = Aggregate(statistic="count", table=table)
            yield Idea(describe(TableRule(table=table, must=_between(rows, band))), _said(band, " rows"), table)


def _counts_rows(rule: Constraint | None) -> bool:
    of = _statistic_of(rule.must) if isinstance(rule, TableRule) else None
    return isinstance(of, Aggregate) and of.statistic == "count" and of.where is None


def _between(of: Expression, band: LearnedBand) -> Condition:
    bounds: Mapping[str, float] = {">=": band.low, "<=": band.high}
    parts = [
        Compare.model_validate({"relation": sign, "left": of, "right": Value(value=number)})
        for sign, number in bounds.items()
    ]
    return All(conditions=tuple(parts))


def _said(band: LearnedBand, what: str) -> str:
    low, high, lowest, highest = (f"{number:,.6g}" for number in (band.low, band.high, band.lowest, band.highest))
    return f"between {low} and {high}{what}: the last {band.seen} runs had {lowest} to {highest}{_outside(band)}"


def _outside(band: LearnedBand) -> str:
    return f", {band.outside} of them outside" if band.outside else ""

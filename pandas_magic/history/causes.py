"""Why two runs of a check came to different verdicts: what of all that decides a verdict was different."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pandas_magic.clock import to_the_minute
from pandas_magic.errors import UsageMistake
from pandas_magic.history.history import History
from pandas_magic.history.journal import Journal
from pandas_magic.history.past import PastRun
from pandas_magic.history.remembering import remembered_check
from pandas_magic.history.run import Run
from pandas_magic.history.text_difference import difference
from pandas_magic.registry.compiled_check import CompiledCheck

_MOMENTS = ("now", "utc_now")


@dataclass(frozen=True)
class Cause:
    """One of the things that decide a verdict, and how it differed; None: not known, "": it did not."""

    what: str
    difference: str | None
    detail: str = ""  # lines that show it


@dataclass(frozen=True)
class Explanation:
    """Two runs of a check and what differed between them."""

    check_id: str
    before: Run
    after: Run
    causes: tuple[Cause, ...]

    @property
    def found(self) -> tuple[str, ...]:
        """What is known to have differed."""
        return tuple(cause.what for cause in self.causes if cause.difference)

    @property
    def unknown(self) -> tuple[str, ...]:
        """What nobody recorded."""
        return tuple(cause.what for cause in self.causes if cause.difference is None)

    def in_words(self) -> str:
        """Some lines: the two runs, what differed, what did not, and what follows from that."""
        lines = [f"{self.check_id}: {_told(self.before)}", f"{' ' * len(self.check_id)}  {_told(self.after)}", ""]
        width = max(len(cause.what) for cause in self.causes)
        for cause in self.causes:
            said = "not recorded" if cause.difference is None else cause.difference or "the same"
            lines.append(f"{cause.what:{width}}  {said}")
            lines += [f"    {line}" for line in cause.detail.splitlines()]
        return "\n".join([*lines, "", self.conclusion()])

    def to_dict(self) -> dict[str, Any]:
        """The same for programs."""
        runs = {"before": self.before, "after": self.after}
        told = {name: run.to_dict()["result"] | {"run_id": run.run_id} for name, run in runs.items()}
        causes = {cause.what: cause.difference for cause in self.causes}
        return {"check": self.check_id, **told, "causes": causes, "conclusion": self.conclusion()}

    def conclusion(self) -> str:
        """What follows, in one sentence that claims no more than was recorded."""
        if not self.found:
            open_ = f", but {' and '.join(self.unknown)} may" if self.unknown else ""
            return f"nothing that was recorded differs{open_}"
        if len(self.found) == 1 and not self.unknown:
            return f"only the {self.found[0]} changed, so that is why"
        return f"why: the {' or the '.join((*self.found, *self.unknown))}"


def explain(journal: Journal, check_id: str, runs: Sequence[str] = ()) -> Explanation:
    """What differed between two runs of a check: those given, else the last one and the last that came out otherwise.

    Raises: UsageMistake when there are no such two.
    """
    before, after = two_runs(journal.history, check_id, runs)
    return compare_runs(before, after, (_as_it_ran(before, journal.folder), _as_it_ran(after, journal.folder)))


def two_runs(history: History, check_id: str, given: Sequence[str] = ()) -> tuple[Run, Run]:
    """The two runs to compare: those given, else the last one and the last before it that came out otherwise.

    Raises: UsageMistake when there are no such two.
    """
    if len(given) not in (0, 2):
        raise UsageMistake("name two runs, the earlier first, or none; pandas-magic history shows them")
    ids = list(given) or [past.run_id for past in _last_change(history.runs(check_id), check_id)]
    found = []
    for run_id in ids:
        run = history.whole(run_id)
        if run is None or run.check_id != check_id:
            raise UsageMistake(f'{check_id} has no run "{run_id}"; pandas-magic history {check_id} shows them')
        found.append(run)
    return found[0], found[1]


def compare_runs(before: Run, after: Run, checks: tuple[CompiledCheck | None, CompiledCheck | None]) -> Explanation:
    """What differed between two runs; `checks` are the checks as they ran, None where they were not kept."""
    earlier, later = checks
    causes = (
        _of_rule(before, after, earlier, later),
        _of_code(before, after, earlier, later),
        _of_decisions(earlier, later),
        Cause("columns", _of_mappings(_flat(before.columns), _flat(after.columns))),
        Cause("data", _of_data(before.fingerprints, after.fingerprints)),
        Cause("environment", _of_mappings(before.environment, after.environment)),
        *([_of_moment(before, after)] if later is not None and _asks_for_now(later.code) else []),
    )
    return Explanation(after.check_id, before, after, causes)


def _as_it_ran(run: Run, folder: Path) -> CompiledCheck | None:
    try:
        return remembered_check(run, folder)
    except UsageMistake:
        return None


def _last_change(runs: Sequence[PastRun], check_id: str) -> tuple[PastRun, PastRun]:
    if not runs:
        raise UsageMistake(f"{check_id} has not run here yet; pandas-magic run {check_id}")
    last = runs[-1]
    came_out = (last.verdict, last.violation_count)
    for earlier in reversed(runs[:-1]):
        if (earlier.verdict, earlier.violation_count) != came_out:
            return earlier, last
    raise UsageMistake(f"{check_id} came out the same in all {len(runs)} runs: {last.summary}")


def _told(run: Run) -> str:
    return f"{run.summary} ({_told_time(run)}, run {run.run_id})"


def _told_time(run: Run) -> str:
    return to_the_minute(run.started_at)


def _of_rule(before: Run, after: Run, earlier: CompiledCheck | None, later: CompiledCheck | None) -> Cause:
    if not before.rule_digest or not after.rule_digest:
        return Cause("rule", None)
    if before.rule_digest == after.rule_digest:
        return Cause("rule", "")
    shown = _diff(earlier.check.rule, later.check.rule) if earlier and later else ""
    return Cause("rule", "changed", shown)


def _of_code(before: Run, after: Run, earlier: CompiledCheck | None, later: CompiledCheck | None) -> Cause:
    if not before.code_digest or not after.code_digest:
        return Cause("code", None)
    if before.code_digest == after.code_digest:
        return Cause("code", "")
    return Cause("code", "changed", _diff(earlier.code, later.code) if earlier and later else "")


def _of_decisions(earlier: CompiledCheck | None, later: CompiledCheck | None) -> Cause:
    """Of what people decided: bands, exceptions, rest."""
    if earlier is None or later is None:
        return Cause("decisions", None)
    words = {
        "bands": (earlier.check.bands, later.check.bands),
        "known exceptions": (earlier.exceptions, later.exceptions),
        "snooze": (earlier.snooze, later.snooze),
        "enabled": (earlier.check.enabled, later.check.enabled),
    }
    changed = [word for word, (one, other) in words.items() if one != other]
    return Cause("decisions", f"changed: {', '.join(changed)}" if changed else "")


def _of_data(before: Mapping[str, str], after: Mapping[str, str]) -> str | None:
    if not before or not after:
        return None
    changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    blind = [name for name in sorted({*before, *after}) if not before.get(name) or not after.get(name)]
    if blind:
        return None
    return f"another version of {', '.join(changed)}" if changed else ""


def _of_mappings(before: Mapping[str, str], after: Mapping[str, str]) -> str | None:
    if not before or not after:
        return None
    changed = [
        f"{name} was {before.get(name, 'not there')}, is {after.get(name, 'gone')}"
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    ]
    return "; ".join(changed)


def _of_moment(before: Run, after: Run) -> Cause:
    moments = [to_the_minute(run.as_of or run.started_at) for run in (before, after)]
    return Cause("moment", f"the code asks for the time: {' and '.join(moments)}")


def _asks_for_now(code: str) -> bool:
    words = set("".join(character if character.isidentifier() else " " for character in code).split())
    return bool(words & set(_MOMENTS))


def _flat(columns: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    return {f"{table}.{column}": dtype for table, kinds in columns.items() for column, dtype in kinds.items()}


def _diff(before: str, after: str) -> str:
    return "\n".join(difference(before, after, names=("before", "after")).splitlines()[2:])

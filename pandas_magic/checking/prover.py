"""The proof of a check: its code must flag what was planted, leave clean rows alone, and notice small changes.

What has to be flagged always comes from the rule's meaning in plain Python, never from the code under proof. A proof
also tells how much it could tell apart: rules that differ from the rule in one small thing (mutants) must give another
result on at least one of the tables on which the code was right.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import pandas as pd

from pandas_magic.checking.mutants import mutants
from pandas_magic.checking.plants import AS_IT_IS, Planter, planted_columns
from pandas_magic.checking.solving import NOT_COMPUTABLE
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule, TableRule
from pandas_magic.constraints.meaning.plain_rows import world_of
from pandas_magic.constraints.meaning.schema_rules import columns_at_fault
from pandas_magic.constraints.meaning.violations import first_unjudged, violations_in
from pandas_magic.registry.proof import Proof

Frames = Mapping[str, pd.DataFrame]
RunCode = Callable[[str, Frames], pd.DataFrame | str]

_MOST_CASES = 12
_FEWEST_CASES = 8
# Plain Python judges so many in a few seconds, which is spent only where a check would else be refused.
_MOST_REAL_ROWS = 200_000
# Kept in every proof, whether or not they tell another mutant apart.
_ALWAYS = frozenset(
    {
        "values at and beside the limits",
        "clean rows only",
        AS_IT_IS,
        "broken in the last row only",
        "the same rows in another order",
        "one more column",
        "an empty table",
    }
)


@dataclass(frozen=True)
class Case:
    """Tables, and the positions of the rows that the code has to flag in them.

    `rows` is how many rows there are to be flagged or left alone. `mutants` are all changed rules, in words;
    `told_apart` those that would flag other rows here.
    """

    label: str
    frames: Frames
    flagged: tuple[int, ...]
    rows: int
    table: str = ""  # whose rows are flagged; "": the rule is about a whole table, or its columns
    mutants: tuple[str, ...] = ()
    told_apart: tuple[str, ...] = field(default=())
    unjudged: str = ""  # why the rule has no meaning here; "": it has
    unjudged_at: int | None = None  # the first row that cannot be judged; None: all can, or it is no rule about rows
    real: bool = False  # the tables are whole and as they are


def show_both(cases: Sequence[Case]) -> bool:
    """Whether there is a row to be flagged in the cases, and one to be left alone."""
    flagged = sum(len(case.flagged) for case in cases)
    return 0 < flagged < sum(case.rows for case in cases)


def cases(
    constraint: Constraint, frames: Frames, *, seed: int = 0, now: datetime, utc_now: datetime
) -> tuple[Case, ...]:
    """At most twelve small sets of tables made from a sample of the real ones, each with what must be flagged.

    The frames need only the columns that the rule reads. At least one case holds a violation and one a clean row,
    wherever the rule and the columns' dtypes allow it. Nothing in the result depends on anything but the arguments.
    Where the sample itself cannot be judged, its case says why.
    """
    planted: Iterable[tuple[str, Frames]]
    if isinstance(constraint, ColumnsRule):
        columns = planted_columns(constraint, frames[constraint.table])
        planted = ((label, {constraint.table: frame}) for label, frame in columns)
    else:
        planted = Planter(constraint, frames, seed=seed, now=now, utc_now=utc_now).planted()
    chosen: list[Case] = []
    spare: list[Case] = []
    changed = _distinct(mutants(constraint))
    undecided = dict(changed)
    for label, tables in planted:
        if not undecided and len(chosen) >= _FEWEST_CASES and show_both(chosen):
            break
        case = _judged(label, tables, constraint, changed=changed, undecided=undecided, now=now, utc_now=utc_now)
        if case is None:
            continue
        news = [name for name in case.told_apart if undecided.pop(name, None) is not None]
        both = show_both(chosen)
        first = not both and (show_both([*chosen, case]) or bool(case.flagged))
        # Places are kept for the first rows that break the rule and the first that keep it, however late they come.
        room = _MOST_CASES if both else _MOST_CASES - 2
        telling = first or ((news or label in _ALWAYS) and len(chosen) < room)
        (chosen if telling else spare).append(case)
    return tuple([*chosen, *spare[: max(_FEWEST_CASES - len(chosen), 0)]])


def cell_by_cell(constraint: Constraint, frames: Frames, *, now: datetime, utc_now: datetime) -> tuple[Case, ...]:
    """One more case, for code that is not our rendering: every value worth trying in a row of its own.

    Our rendering is the same code for every value. Somebody else's may mistake a gap, or a number beside a limit, that
    no mixture happened to hold.
    """
    if isinstance(constraint, ColumnsRule):
        return ()
    undecided: dict[str, Constraint] = {}
    planter = Planter(constraint, frames, seed=0, now=now, utc_now=utc_now)
    judged = [
        _judged(label, tables, constraint, changed={}, undecided=undecided, now=now, utc_now=utc_now)
        for label, tables in planter.one_by_one()
    ]
    return tuple(case for case in judged if case is not None)


def real_cases(constraint: Constraint, frames: Frames, *, now: datetime, utc_now: datetime) -> tuple[Case, ...]:
    """The real tables as a case, where they hold violations and are small enough to be judged row by row."""
    if isinstance(constraint, ColumnsRule) or sum(map(len, frames.values())) > _MOST_REAL_ROWS:
        return ()
    try:
        flagged = judge_of(frames, now, utc_now)(constraint)
    except NOT_COMPUTABLE:
        return ()
    is_row_rule = isinstance(constraint, RowRule)
    rows, about = (len(frames[constraint.table]), constraint.table) if is_row_rule else (1, "")
    return (Case("the real tables, whole", frames, flagged, rows, about, real=True),)


def _distinct(changed: Sequence[tuple[str, Constraint]]) -> dict[str, Constraint]:
    """The mutants by what was changed, those of one description numbered."""
    named: dict[str, Constraint] = {}
    for label, mutant in changed:
        same = sum(name == label or name.startswith(f"{label} (") for name in named)
        named[f"{label} ({same + 1})" if same else label] = mutant
    return named


def _judged(
    label: str,
    tables: Frames,
    constraint: Constraint,
    *,
    changed: Mapping[str, Constraint],
    undecided: Mapping[str, Constraint],
    now: datetime,
    utc_now: datetime,
) -> Case | None:
    """The case; None when the rule means nothing in tables that were made up: a text where a number belongs."""
    judge = judge_of(tables, now, utc_now)
    about = constraint.table if isinstance(constraint, RowRule) else ""
    try:
        flagged = judge(constraint)
    except NOT_COMPUTABLE as error:
        if label != AS_IT_IS:
            return None
        row = first_unjudged(world_of(tables, now, utc_now), constraint) if isinstance(constraint, RowRule) else None
        return Case(label, tables, (), 0, about, unjudged=str(error), unjudged_at=row)
    told_apart = tuple(name for name, mutant in undecided.items() if _differs(judge, mutant, flagged))
    rows = 1 if isinstance(constraint, TableRule) else len(tables[constraint.table])
    if isinstance(constraint, ColumnsRule):
        rows = max(len(flagged), len({*constraint.required, *constraint.forbidden, *constraint.types}))
    return Case(label, tables, flagged, rows, about, tuple(changed), told_apart)


def judge_of(tables: Frames, now: datetime, utc_now: datetime) -> Callable[[Constraint], tuple[int, ...]]:
    """What tells the positions of the rows of these tables that break a rule, by its meaning."""
    world = world_of(tables, now, utc_now)

    def flagged(constraint: Constraint) -> tuple[int, ...]:
        if isinstance(constraint, ColumnsRule):
            return tuple(range(len(columns_at_fault(constraint, tables[constraint.table]))))
        return tuple(violations_in(world, constraint))

    return flagged


def _differs(judge: Callable[[Constraint], tuple[int, ...]], mutant: Constraint, flagged: tuple[int, ...]) -> bool:
    try:
        return judge(mutant) != flagged
    except NOT_COMPUTABLE:
        # A changed rule that makes no sense (a date plus a date) is told apart by failing.
        return True


def prove(code: str, cases: Sequence[Case], run: RunCode) -> Proof:
    """What was seen when the code ran on the cases.

    `run` executes code on tables and gives back its `violations`, whose index says which rows they are, or the error
    as one line. Row numbers in problems are positions, counted from 0.
    """
    flagged = left_alone = 0
    unjudged = [case for case in cases if case.unjudged]
    problems = [f"{case.label}: it cannot be judged: {case.unjudged}" for case in unjudged]
    stumbled = [row for case in unjudged for row in _row_words(case, case.unjudged_at)]
    failed: list[tuple[Case, str]] = []
    told_apart: set[str] = set()
    for case in [case for case in cases if not case.unjudged]:
        outcome = run(code, case.frames)
        if isinstance(outcome, str):
            failed.append((case, outcome))
            continue
        if not pd.api.types.is_integer_dtype(outcome.index.dtype) and len(outcome):
            problems.append(f"{case.label}: the index of violations is not that of the table")
            continue
        seen = [int(position) for position in outcome.index]
        expected, found = set(case.flagged), set(seen)
        flagged += len(expected & found)
        left_alone += case.rows - len(expected | found)
        wrong = _difference_words(expected, found, doubled=len(seen) != len(found))
        if wrong:
            problems.append(f"{case.label}: {wrong}")
            stumbled += _row_words(case, min(expected ^ found or found))
        else:
            told_apart.update(case.told_apart)
    if failed:
        problems.insert(0, _failure_words(code, failed, len(cases)))
    proof = _proof(cases, problems, flagged=flagged, left_alone=left_alone, told_apart=told_apart)
    return proof.model_copy(update={"stumbled_over": stumbled[0]}) if stumbled else proof


def _row_words(case: Case, position: int | None) -> list[str]:
    if position is None or not case.table or position >= len(case.frames[case.table]):
        return []
    row = case.frames[case.table].iloc[position]
    cells = ", ".join(f"{name} = {each!r}" for name, each in zip(row.index, row.tolist(), strict=True))
    return [f"row {position} of {case.label}: {cells}"]


def _proof(cases: Sequence[Case], problems: list[str], *, flagged: int, left_alone: int, told_apart: set[str]) -> Proof:
    planted = sum(len(case.flagged) for case in cases)
    clean = sum(case.rows - len(case.flagged) for case in cases)
    changed = list(dict.fromkeys(name for case in cases for name in case.mutants))
    if cases and not planted:
        problems.append(
            "no row that breaks the rule could be made or is among the real ones, so that nothing shows it can fail"
        )
    if cases and not clean:
        problems.append(
            "no row that keeps the rule could be made or is among the real ones, so that nothing shows it can pass"
        )
    if changed and not told_apart and not problems:
        problems.append("nothing that was planted tells this rule from a slightly different one")
    return Proof(
        planted=planted,
        flagged=flagged,
        clean=clean,
        left_alone=left_alone,
        cases=tuple(case.label for case in cases),
        problems=tuple(problems),
        real=sum(len(case.flagged) for case in cases if case.real) or None,
        mutants=len(changed),
        mutants_killed=len(told_apart),
        survivors=tuple(name for name in changed if name not in told_apart),
    )


def _failure_words(code: str, failed: Sequence[tuple[Case, str]], total: int) -> str:
    """One line about code that did not get to its end: the first error, in how many cases, and what its line reads."""
    case, error = failed[0]
    where = re.search(r" in line (\d+):", error)
    lines = code.splitlines()
    read = lines[int(where[1]) - 1] if where and 0 < int(where[1]) <= len(lines) else code
    columns = {
        f"{column} ({frame[column].dtype})"
        for frame in case.frames.values()
        for column in frame.columns
        if f'"{column}"' in read
    }
    named = f", reading {', '.join(sorted(columns))}" if columns else ""
    often = "" if len(failed) == 1 else f", as in {len(failed)} of {total} cases"
    return f"{case.label}{often}: {error}{named}"


def _difference_words(expected: set[int], found: set[int], *, doubled: bool) -> str:
    parts = []
    if expected - found:
        parts.append(f"misses row {_some(expected - found)}")
    if found - expected:
        parts.append(f"flags row {_some(found - expected)} without a reason")
    if doubled:
        parts.append("flags a row twice")
    return " and ".join(parts)


def _some(rows: set[int]) -> str:
    shown = ", ".join(map(str, sorted(rows)[:5]))
    return f"{shown} and {len(rows) - 5} more" if len(rows) > 5 else shown

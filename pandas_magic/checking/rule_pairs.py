"""Rules that exclude each other, follow from each other, or are the same in other words.

Both are judged by their meaning on rows planted at and beside the limits of both, and a row that tells them apart is
shown. That none does is what was seen on these rows, and no proof.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import pandas as pd

from pandas_magic.checking.planted_cases import RealTables, planted_cases
from pandas_magic.checking.prover import judge_of
from pandas_magic.checking.solving import NOT_COMPUTABLE
from pandas_magic.clock import Instant
from pandas_magic.constraints import All, Any_, Condition, Not, RowRule, reads
from pandas_magic.registry.compiled_check import CompiledCheck

Relation = Literal["contradict", "same", "follows"]


@dataclass(frozen=True)
class RulePair:
    """How two checks of a table stand to each other.

    Of "follows" the first is the stronger: whatever breaks the second breaks it too. `row` tells them apart, by column:
    it keeps one and breaks the other; None for "same". `tried` is on how many rows.
    """

    first: str
    second: str
    relation: Relation
    tried: int
    row: Mapping[str, object] | None = None

    def in_words(self) -> str:
        """One line that claims no more than was seen."""
        row = "" if self.row is None else ", ".join(f"{name} = {value!r}" for name, value in self.row.items())
        if self.relation == "contradict":
            return (
                f"no row of {self.tried} tried keeps {self.first} and {self.second}; {row} keeps one and not the other"
            )
        if self.relation == "same":
            return f"{self.first} and {self.second} judge all of {self.tried} rows tried alike: one may be enough"
        what = f"whatever of {self.tried} rows tried breaks {self.second} breaks {self.first}, the stronger"
        return f"{what}; only {self.first} is broken by {row}"


def related_pairs(checks: Sequence[CompiledCheck], tables: RealTables, instant: Instant) -> Iterator[RulePair]:
    """The pairs that stand to each other in some way, of checks of the same table that read a column in common."""
    for first, second in combinations(checks, 2):
        one, other = first.constraint, second.constraint
        if isinstance(one, RowRule) and isinstance(other, RowRule) and one.table == other.table:
            shared = set(reads(one)[one.table]) & set(reads(other)[one.table])
            pair = _related(first, second, tables, instant) if shared else None
            if pair is not None:
                yield pair


@dataclass
class _Seen:
    """How many rows were judged in which way, and the first of each that tells the rules apart."""

    tried: int = 0
    kept: int = 0  # broken by neither
    broken: int = 0  # broken by both
    # Rows in the scope of both in which each is true or false; a missing value leaves a rule open.
    held: int = 0
    first_alone: int = 0
    second_alone: int = 0
    only_first: Mapping[str, object] | None = None  # a row that breaks the first rule only
    only_second: Mapping[str, object] | None = None

    def look(self, one: RowRule, other: RowRule, frames: Mapping[str, pd.DataFrame], instant: Instant) -> None:
        """Judge the rows of these tables; nothing when one of the rules has no meaning in them."""
        judge = judge_of(frames, instant.local, instant.utc)
        try:
            first, second = (set(judge(rule.model_copy(update={"tolerance": None}))) for rule in (one, other))
            # What breaks the opposite of a rule is where the rule is true.
            true_first, true_second = (set(judge(_opposite(rule))) for rule in (one, other))
        except NOT_COMPUTABLE:
            return
        target = frames[one.table]
        self.tried += len(target)
        self.broken += len(first & second)
        self.kept += len(target) - len(first | second)
        self.held += len(true_first & true_second)
        self.first_alone += len(true_first & second)
        self.second_alone += len(true_second & first)
        self.only_first = self.only_first or _row(target, first - second)
        self.only_second = self.only_second or _row(target, second - first)


def _related(first: CompiledCheck, second: CompiledCheck, tables: RealTables, instant: Instant) -> RulePair | None:
    one, other = first.constraint, second.constraint
    assert isinstance(one, RowRule) and isinstance(other, RowRule)
    demands, seen = (_demand(one), _demand(other)), _Seen()
    # What breaks either of them is planted by the first of these rules, what breaks both by the second.
    for must in (All(conditions=demands), Any_(conditions=demands)):
        for case in planted_cases(RowRule(table=one.table, must=must), tables, instant, {}):
            seen.look(one, other, case.frames, instant)
    ids, apart = (first.id, second.id), seen.only_first or seen.only_second
    if not seen.held and seen.first_alone and seen.second_alone:
        return RulePair(*ids, "contradict", seen.tried, apart)
    if not seen.broken or not seen.kept or (seen.only_first is not None and seen.only_second is not None):
        return None
    if apart is None:
        return RulePair(*ids, "same", seen.tried)
    return RulePair(*(ids if seen.only_first is not None else ids[::-1]), "follows", seen.tried, apart)


def _demand(rule: RowRule) -> Condition:
    return rule.must if rule.where is None else Any_(conditions=(Not(condition=rule.where), rule.must))


def _opposite(rule: RowRule) -> RowRule:
    return RowRule(table=rule.table, where=rule.where, must=Not(condition=rule.must))


def _row(frame: pd.DataFrame, positions: set[int]) -> dict[str, object] | None:
    if not positions:
        return None
    row = frame.iloc[min(positions)]
    return {str(name): value for name, value in zip(row.index, row.tolist(), strict=True)}

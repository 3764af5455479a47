"""One look of a check's own code at some rows of its table, and at whole other tables beside them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent

import pandas as pd
import pyarrow as pa

from pandas_magic.catalog import Table
from pandas_magic.catalog.arrow import frame_from_arrow
from pandas_magic.catalog.described_dtypes import as_described, with_dtypes
from pandas_magic.checking.abstentions import counted_beside, may_abstain
from pandas_magic.checking.found import Found
from pandas_magic.checking.overflows import overflow_of
from pandas_magic.registry.compiled_check import CompiledCheck

_LOOK = "def _look_{number}():\n{code}\n    return violations\n"
_GATHERED = """violations = pd.DataFrame({{"position": np.append([{counts}], _look_0().index)}})
"""
FindRows = Callable[[str, Mapping[str, pd.DataFrame]], Found]


class InFull(Exception):
    """A run has to look at all rows, and why."""


@dataclass(frozen=True)
class Seen:
    """What is found in some rows: where the failing ones stand among them, and what is counted beside these."""

    positions: tuple[int, ...]
    left_open: int  # counted where a value is missing, or where the rule looks into other rows
    kept: int  # rows that keep the rule; counted where it is about some rows, or leaves any open
    has_gaps: bool  # whether a value is missing in what the rule reads


@dataclass(frozen=True)
class Look:
    """Looks at rows of the check's table, the other tables that it reads being whole."""

    compiled: CompiledCheck
    tables: Mapping[str, Table]
    others: Mapping[str, pd.DataFrame]
    find_rows: FindRows  # of code, in frames
    sees_others: bool  # whether the rule looks into other rows, so that it may leave some open where nothing is missing

    def at(self, rows: pa.Table, count: int) -> Seen:
        """What the check finds in these rows, of which there are so many.

        Raises: InFull when there are not, or the code does not get to its end.
        """
        frame = as_described(frame_from_arrow(rows), self.tables[self.compiled.target])
        if len(frame) != count:
            raise InFull("some files do not have the rows that they say")
        return self.at_frame(frame)

    def at_frame(self, frame: pd.DataFrame) -> Seen:
        """The same of a frame with the dtypes that the whole table has."""
        target, rule = self.compiled.target, self.compiled.constraint
        frames = {target: with_dtypes(frame, self.compiled.schemas.get(target, {})), **self.others}
        if overflow := overflow_of(rule, frames, self.compiled.code):
            raise InFull(overflow)
        has_gaps = may_abstain(frames)
        beside = counted_beside(rule, self.tables, may_miss=has_gaps or self.sees_others)
        found = self.find_rows(_program([self.compiled.code, *beside.codes]), frames)
        if found.rows is None:
            raise InFull(f"its code did not get to its end on some files: {found.error}")
        numbers = found.rows["position"].tolist()
        counts, positions = numbers[: len(beside.codes)], numbers[len(beside.codes) :]
        left_open = len(frame) - len(positions) - sum(counts) if beside.always else 0
        return Seen(tuple(positions), left_open, kept=sum(counts[:1]), has_gaps=has_gaps)


def _program(codes: Sequence[str]) -> str:
    """Code that binds to `violations` how many rows each code but the first finds, and the positions of the first's."""
    looks = "".join(_LOOK.format(number=number, code=indent(code, "    ")) for number, code in enumerate(codes))
    return looks + _GATHERED.format(counts=", ".join(f"len(_look_{number}())" for number in range(1, len(codes))))

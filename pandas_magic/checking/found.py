"""What code found: how it went, the rows, and whether two codes found the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pandas as pd

from kernel_sandbox import Execution
from pandas_magic.checking.abstentions import Beside, is_scoped
from pandas_magic.checking.own_rows import are_rows_of
from pandas_magic.history.run import StatisticValue
from pandas_magic.registry.compiled_check import CompiledCheck


@dataclass(frozen=True)
class Found:
    """What a piece of code did: how it went, and the frame that it bound to `violations` (None when it failed)."""

    execution: Execution | None  # None: the tables never reached the kernel, or it was found with other checks'
    rows: pd.DataFrame | None
    error: str = ""  # one line; empty when `rows` is there
    positions: tuple[int, ...] | None = None  # where the rows stand in the table; None: their index says, or nothing
    engine: str = ""  # what found the rows, with its version; "": pandas
    files: tuple[str, ...] = ()  # which the engine's kernel may read; (): it was handed frames
    said: str = ""  # why it was pandas though an engine was wanted; "": none was, or it found them
    left_open: int | None = None  # rows that a missing value left open; None: not counted yet
    none_kept: bool | None = None  # whether no row keeps a rule about some; None: not counted yet
    row_count: int | None = None  # of the checked table, as a database counted them; None: found here
    statistics: Mapping[str, StatisticValue] = field(default_factory=dict)  # of a whole table, by name
    ran_ahead: tuple[float, float] | None = None  # from when to when, by `time.monotonic`; None: it ran in its turn
    differing: pd.DataFrame | None = None  # rows that only one of two codes finds; None: none, or nothing was compared


@dataclass(frozen=True)
class Looked:
    """What a check's code, or edited code in its place, found, and in what."""

    found: Found
    frames: Mapping[str, pd.DataFrame]
    fingerprints: Mapping[str, str]
    large: str  # what is said of tables too large for the kernel; "": they are not
    in_parts: bool
    edited: bool
    part: str  # which part of the table was looked at, or why all of it was; "": nobody asked for the new part only


def failure(execution: Execution) -> str:
    """Why the code did not get to its end, in one line."""
    if execution.status != "error":
        return execution.reason
    where = f" in line {execution.error_line}" if execution.error_line else ""
    text = execution.error_text.strip().splitlines()
    return f"{execution.error_name}{where}: {text[0] if text else 'no message'}"


def unless_different(compiled: CompiledCheck, found: Found, others: pd.DataFrame, target: pd.DataFrame | None) -> Found:
    """What was found, unless the rule's own code found other rows: then the error, with the rows of either alone."""
    assert found.rows is not None
    rows = found.rows
    both = target is not None and all(not len(each) or are_rows_of(each, target) for each in (rows, others))
    if not both:
        same = rows.reset_index(drop=True).equals(others.reset_index(drop=True))
        alone = "" if same else "gives another result than"
        differing = None if same else rows
    else:
        missed, extra = others.index.difference(rows.index), rows.index.difference(others.index)
        parts = [f"misses {len(missed):,} rows that"] if len(missed) else []
        parts += [f"finds {len(extra):,} rows more than"] if len(extra) else []
        alone = " and ".join(parts)
        assert target is not None
        differing = target.loc[missed.union(extra)] if parts else None
    if not alone:
        return found
    error = (
        f"its code {alone} the rule's own code finds on these tables, so that one of them is wrong; "
        f"compile it again: pandas-magic compile {compiled.id}"
    )
    return Found(found.execution, None, error, differing=differing)


def with_counts(found: Found, counts: Sequence[int], beside: Beside, compiled: CompiledCheck, *, rows: int) -> Found:
    """What was found among so many rows, with what was counted beside it; nothing where nothing was."""
    assert found.positions is not None
    if not counts:
        return found
    left_open = rows - len(found.positions) - sum(counts) if beside.always else None
    none_kept = counts[0] == 0 if is_scoped(compiled.constraint) else None
    return replace(found, left_open=left_open, none_kept=none_kept)

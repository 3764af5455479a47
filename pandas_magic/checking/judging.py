"""The verdict: what so many violations among so many rows mean for this check."""

from dataclasses import dataclass

from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.history.run import Verdict
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.decisions import Band, Bands


@dataclass(frozen=True)
class Judgement:
    """A verdict with its summary, whether it warns, and what a reader must know of how it came about."""

    verdict: Verdict
    summary: str
    warned: bool = False
    notes: tuple[str, ...] = ()
    nothing_judged: bool = False


def judge(
    compiled: CompiledCheck,
    count: int,
    rows: int | None,
    *,
    table: str,
    excepted: int = 0,
    not_judged: int | None = None,
    none_kept: bool = False,
) -> Judgement:
    """The verdict for `count` violations among the `rows` of the table (None: not known).

    Without bands the first violation fails. Bands are about rows, so that they change nothing for a rule about the
    table as a whole; a share needs the number of rows. Where a band cannot be applied the first violation fails, and
    a note says so. `excepted` rows are not in the count. `not_judged` is how many rows a missing value left open
    (None: not known), `none_kept` that nothing keeps the rule; one that judged nothing passes, and the summary says so.
    """
    found = _found(compiled, count, rows, table)
    spared = _spared(not_judged or 0, excepted)
    if count == 0:
        why = _why_nothing(compiled, rows, table, not_judged=not_judged or 0, none_kept=none_kept and not excepted)
        said = f", but {why}" if why else f": {found}{spared}"
        return Judgement(Verdict.PASS, f"{Verdict.PASS}{said}", nothing_judged=bool(why))
    bands = compiled.check.bands
    problem = _why_not_applied(compiled, bands, rows) if bands else ""
    failing = f"{Verdict.FAIL}: {found}{spared}"
    if bands is None or bands.fail is None:
        return Judgement(Verdict.FAIL, failing)
    if problem:
        return Judgement(Verdict.FAIL, failing, notes=(f"the band fail {bands.fail} is not applied: {problem}",))
    if Band.read(bands.fail).reached_by(count, rows or 0):
        return Judgement(Verdict.FAIL, failing, notes=(f"it fails from {bands.fail} on",))
    warned = bands.warn is None or Band.read(bands.warn).reached_by(count, rows or 0)
    summary = f"{Verdict.PASS}: {'WARN: ' * warned}{found}{spared}, and it fails from {bands.fail} on"
    limits = f"it warns from {bands.warn} on and fails from {bands.fail} on" if bands.warn else "any below is a warning"
    note = f"{count:,} failing row{'s' * (count != 1)} tolerated: {limits}"
    return Judgement(Verdict.PASS, summary, warned, (note,))


def _why_nothing(compiled: CompiledCheck, rows: int | None, table: str, *, not_judged: int, none_kept: bool) -> str:
    """Why a check without a violation judged nothing at all; "" when it did."""
    if not _is_about_rows(compiled):
        return "nothing was judged: a missing value leaves the rule open" if none_kept else ""
    if rows == not_judged:  # so that none is a known exception either
        why = f"a missing value leaves each of the {rows:,} open" if rows else "it has none"
        return f"no row of {table} was judged: {why}"
    open_ = f", or they lack a value ({not_judged:,} left open)" if not_judged else ""
    return f"no row of {table} was judged: none is among those that the rule is about{open_}" if none_kept else ""


def _spared(not_judged: int, excepted: int) -> str:
    said = f"; {not_judged:,} row{'s' * (not_judged != 1)} not judged" if not_judged else ""
    return said + (f"; {excepted:,} known exception{'s' * (excepted != 1)} not counted" if excepted else "")


def _found(compiled: CompiledCheck, count: int, rows: int | None, table: str) -> str:
    if not _is_about_rows(compiled):
        return f"{table} {'keeps' if count == 0 else 'breaks'} the rule"
    of_all = f" of {rows:,}" if rows is not None else ""
    return f"{count:,}{of_all} rows of {table} {'breaks' if count == 1 else 'break'} the rule"


def _is_about_rows(compiled: CompiledCheck) -> bool:
    return compiled.constraint is None or isinstance(compiled.constraint, RowRule)


def _why_not_applied(compiled: CompiledCheck, bands: Bands, rows: int | None) -> str:
    if not _is_about_rows(compiled):
        return "the rule is about the table as a whole"
    shares = [text for text in (bands.warn, bands.fail) if text is not None and Band.read(text).is_share]
    return f"how many rows {shares[0]} are is not known" if shares and not rows else ""

"""A compilation: a rule as code with its proof, however the rule was understood."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from kernel_sandbox import Policy, find_refusals, find_texts
from pandas_magic.catalog import Table
from pandas_magic.catalog.arrow import EXACT_IN_FLOAT, with_dtypes
from pandas_magic.checking.finder import Progress
from pandas_magic.checking.partitions import first_rows
from pandas_magic.checking.prover import Case, cases, prove, real_cases, show_both
from pandas_magic.checking.runner import Runner
from pandas_magic.clock import Instant, timestamp
from pandas_magic.constraints import check_types, contradictions, describe, judges_columns, plan, render_code
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.plans import Plan
from pandas_magic.errors import CodeRefused, NotProved
from pandas_magic.record import digest
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.proof import Proof
from pandas_magic.settings import Settings

# Enough to meet the odd rows of a real table, few enough that a proof takes well under a second.
_SAMPLE_ROWS = 40
_SAMPLE_SEED = 0


@dataclass(frozen=True)
class Compilation:
    """A compiled check, the rule in canonical words, and how each part of the sentence was understood."""

    compiled: CompiledCheck
    echo: str
    explanation: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Written:
    """A typed rule as code, with what it will do in words and what was seen when it was proved."""

    code: str
    plan: Plan
    proof: Proof


def misfits(constraint: Constraint, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """Why the rule cannot be meant on these tables: types that do not fit, demands that exclude each other."""
    return (*check_types(constraint, tables), *contradictions(constraint))


def write_and_prove(
    constraint: Constraint, tables: Mapping[str, Table], runner: Runner, *, on_progress: Progress = lambda _: None
) -> Written:
    """The rule's own code, and its proof, which may not hold. Raises: SandboxUnavailable."""
    code, made = render_code(constraint, tables), plan(constraint, tables)
    refuse_forbidden(code)
    on_progress("proving")
    return Written(code, made, proof_of(code, constraint, made, runner))


def compiled_from(
    check: Check, written: Written, tables: Mapping[str, Table], *, constraint: Constraint | None, planner: str
) -> CompiledCheck:
    """The record that the registry keeps, as of now."""
    return CompiledCheck(
        check=check,
        plan=written.plan,
        constraint=constraint,
        code=written.code,
        proof=written.proof if written.proof.holds else None,
        planner=planner,
        compiled_at=timestamp(),
        schemas={name: _depended_on(tables[name], columns, constraint) for name, columns in written.plan.reads.items()},
        rule_digest=check.rule_digest(),
        code_digest=digest(written.code),
    )


def proof_of(
    code: str,
    constraint: Constraint,
    plan: Plan,
    runner: Runner,
    *,
    schemas: Mapping[str, Mapping[str, str]] | None = None,
) -> Proof:
    """What was seen when the code ran, confined, on planted violations and clean rows.

    `schemas` are those that the code was written for; None: the tables' own.
    """
    instant = runner.instant()
    planted = _planted(constraint, _real(plan, runner, schemas or {}), instant)
    fresh, ours = True, runner.on_our_kernel()

    def run(code: str, frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame | str:
        # One kernel serves all cases of a proof: every case stages all of its tables anew.
        nonlocal fresh
        found = ours.find_rows(code, frames, fresh=fresh, instant=instant)
        fresh = False
        return found.error if found.rows is None else found.rows

    return prove(code, planted, run).model_copy(update={"of_code": digest(code)})


def _planted(constraint: Constraint, real: Mapping[str, pd.DataFrame], instant: Instant) -> tuple[Case, ...]:
    """The cases from a sample; where they show no violation or nothing else, the real tables as one more case."""
    sample = {name: sample_of(frame) for name, frame in real.items()}
    times = {"now": instant.local, "utc_now": instant.utc}
    planted = cases(constraint, sample, seed=_SAMPLE_SEED, **times)
    if not show_both(planted):
        # Integers and truth values have no missing value; a table that gets a gap has another dtype from then on.
        wider = {name: with_room_for_gaps(frame) for name, frame in sample.items()}
        planted = cases(constraint, wider, seed=_SAMPLE_SEED, **times)
    return planted if show_both(planted) else (*planted, *real_cases(constraint, real, **times))


def _real(plan: Plan, runner: Runner, schemas: Mapping[str, Mapping[str, str]]) -> dict[str, pd.DataFrame]:
    most_bytes = runner.settings.memory_bytes // 2
    read = {
        name: first_rows(runner.catalog, name, columns, most_bytes=most_bytes) for name, columns in plan.reads.items()
    }
    return {name: with_dtypes(frame, schemas.get(name, {})) for name, frame in read.items()}


def with_room_for_gaps(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the dtypes that its columns would have, read from a file, if a value were missing in each."""
    kinds = {name: frame[name].dtype.kind for name in frame.columns}
    exact = {
        name: bool((frame[name].dropna().abs() <= EXACT_IN_FLOAT).all()) for name, kind in kinds.items() if kind in "iu"
    }
    wider = {name: "float64" if fits else "Int64" for name, fits in exact.items()}
    return frame.astype({**wider, **{name: "boolean" for name, kind in kinds.items() if kind == "b"}})


def sample_of(frame: pd.DataFrame) -> pd.DataFrame:
    """A few rows of the table, the same ones each time, on a new RangeIndex."""
    if len(frame) <= _SAMPLE_ROWS:
        return frame.reset_index(drop=True)
    return frame.sample(_SAMPLE_ROWS, random_state=_SAMPLE_SEED).sort_index().reset_index(drop=True)


def not_proved(check_id: str, proof: Proof, constraint: Constraint) -> NotProved:
    """The refusal of a check whose proof does not hold: what was seen, how the rule was understood, over which row."""
    problems = proof.problems or (proof.in_words(),)
    return NotProved(check_id, problems, understood=describe(constraint), row=proof.stumbled_over or "")


def refuse_forbidden(code: str, settings: Settings | None = None) -> None:
    """Refuse code that the sandbox would stop anyway, or that the settings disallow, with the line and the reason.

    Raises: CodeRefused.
    """
    said = settings or Settings()
    policy = Policy(imports=said.allowed_imports) if said.allowed_imports else Policy()
    refusals = (*find_refusals(code, policy), *find_texts(code, said.disallowed_code_patterns))
    if refusals:
        raise CodeRefused(refusals[0])


def _depended_on(table: Table, columns: tuple[str, ...], constraint: Constraint | None) -> dict[str, str]:
    if constraint is not None and judges_columns(constraint):
        return {}  # a column that is gone is then a violation, not a reason to compile again
    return {column: table.columns[column] for column in columns}

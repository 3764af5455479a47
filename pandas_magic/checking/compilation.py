"""A compilation: a rule as code with its proof, however the rule was understood."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pandas_magic.catalog import Table
from pandas_magic.catalog.table import glossary_of
from pandas_magic.checking.finder import Progress
from pandas_magic.checking.planted_cases import planted_cases
from pandas_magic.checking.proof_runs import run_on_all
from pandas_magic.checking.prover import prove
from pandas_magic.checking.runner import Runner
from pandas_magic.checking.validator import ALLOWED_IMPORTS, find_refusals, find_texts
from pandas_magic.clock import timestamp
from pandas_magic.constraints import check_types, contradictions, describe, judges_columns, plan, render_code
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.plans import Plan
from pandas_magic.errors import CodeRefused, NotProved
from pandas_magic.record import digest
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.proof import Proof
from pandas_magic.settings import Settings


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
    return Written(code, made, proof_of(code, constraint, made, runner, own=True))


def compiled_from(
    check: Check, written: Written, tables: Mapping[str, Table], *, constraint: Constraint | None, planner: str
) -> CompiledCheck:
    """The record that the registry keeps, as of now."""
    from pandas_magic.planner.language.linking.glossary import terms_said  # what only refuses code needs no words

    glossary = glossary_of(tables)
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
        glossary=glossary.version,
        terms=terms_said(glossary, check.rule),
    )


def proof_of(
    code: str,
    constraint: Constraint,
    plan: Plan,
    runner: Runner,
    *,
    schemas: Mapping[str, Mapping[str, str]] | None = None,
    own: bool = False,
    line: int = 1,
) -> Proof:
    """What was seen when the code ran, confined, on planted violations and clean rows.

    `schemas` are those that the code was written for; None: the tables' own. `own` is code that the compiler wrote for
    them; all other code is tried on more values. `line` is where its first line stands in its cell, as errors count.
    """
    instant = runner.instant()
    planted = planted_cases(constraint, runner, instant, schemas or {}, of_others=not own)
    fresh, ours = True, runner.on_our_kernel()
    judged = [case for case in planted if not case.unjudged]
    together = run_on_all(code, judged, ours, instant) if own else {}
    known = {id(judged[number].frames): rows for number, rows in together.items()}

    def run(code: str, frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame | str:
        if id(frames) in known:
            return known[id(frames)]
        # One kernel serves all cases of a proof: every case stages all of its tables anew.
        nonlocal fresh
        found = ours.find_rows("#\n" * (line - 1) + code, frames, fresh=fresh, instant=instant)
        fresh = False
        return found.error if found.rows is None else found.rows

    proof = prove(code, planted, run).model_copy(update={"of_code": digest(code)})
    deputies = (runner.deputy(), runner.in_database()) if proof.holds else ()
    engines = tuple(engine for each in deputies for engine in each.proved(constraint, planted, instant))
    return proof.model_copy(update={"engines": engines})


def not_proved(check_id: str, proof: Proof, constraint: Constraint) -> NotProved:
    """The refusal of a check whose proof does not hold: what was seen, how the rule was understood, over which row."""
    problems = proof.problems or (proof.in_words(),)
    return NotProved(check_id, problems, understood=describe(constraint), row=proof.stumbled_over or "")


def refuse_forbidden(code: str, settings: Settings | None = None) -> None:
    """Refuse code that the sandbox would stop anyway, or that the settings disallow, with the line and the reason.

    Raises: CodeRefused.
    """
    said = settings or Settings()
    refusals = (
        *find_refusals(code, said.allowed_imports or ALLOWED_IMPORTS),
        *find_texts(code, said.disallowed_code_patterns),
    )
    if refusals:
        raise CodeRefused(refusals[0])


def _depended_on(table: Table, columns: tuple[str, ...], constraint: Constraint | None) -> dict[str, str]:
    if constraint is not None and judges_columns(constraint):
        return {}  # a column that is gone is then a violation, not a reason to compile again
    return {column: table.columns[column] for column in columns}

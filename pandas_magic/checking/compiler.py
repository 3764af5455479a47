"""The compiler: a rule becomes a constraint, code and a proof, or an honest refusal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from pandas_magic.catalog import Table
from pandas_magic.checking.compilation import Compilation, compiled_from, misfits, not_proved, proof_of, write_and_prove
from pandas_magic.checking.finder import Progress
from pandas_magic.checking.readings_on_rows import doubted_by_rows, on_rows
from pandas_magic.checking.runner import Runner
from pandas_magic.checking.shared_names import asking_which, refuse_unreadable
from pandas_magic.checking.text_readings import with_texts_read
from pandas_magic.constraints import Constraint
from pandas_magic.errors import Reading, RuleNotUnderstood, TableUnreadable
from pandas_magic.planner import RULES, Understanding, planner_for
from pandas_magic.planner.language.canonical import read_canonical
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck

if TYPE_CHECKING:
    from pandas_magic.planner.model.model import Model


def compile_check(
    check: Check,
    tables: Mapping[str, Table],
    runner: Runner,
    *,
    planner: str = RULES,
    model: Callable[[], Model | None] = lambda: None,
    unproved_allowed: bool = False,
    accepted: Constraint | None = None,
    on_progress: Progress = lambda _: None,
) -> Compilation:
    """Understand the rule, write its code, and prove it on planted violations and on a sample of the real tables.

    What the planner refuses is put to the `model`, where there is one, but for what only a person knows: which of
    several readings is meant, and whether one is that half of the rows break and that was not `accepted` before.
    Raises: RuleNotUnderstood; NotProved unless `unproved_allowed`; SandboxUnavailable; ModelError and NotConfirmed.
    """
    on_progress("understanding the rule")
    _refuse_without_columns(tables.values())
    try:
        understood = _understood(check, tables, runner, planner)
    except RuleNotUnderstood as refusal:
        if refusal.is_ambiguous or (asked := model()) is None:
            raise
        from pandas_magic.checking.by_model import compile_refused

        made = compile_refused(refusal, check, tables, runner, model=asked, on_progress=on_progress)
        _refuse_doubtful(check, Reading(made.echo, made.compiled.constraint), runner, accepted)
        return made
    _refuse_doubtful(check, Reading(understood.echo, understood.constraint), runner, accepted)
    _refuse_without_columns([tables[understood.constraint.table]])
    written = write_and_prove(understood.constraint, tables, runner, on_progress=on_progress)
    if not written.proof.holds and not unproved_allowed:
        raise not_proved(check.id, written.proof, understood.constraint)
    compiled = compiled_from(check, written, tables, constraint=understood.constraint, planner=planner)
    return Compilation(compiled, understood.echo, understood.explanation)


def _refuse_without_columns(tables: Collection[Table]) -> None:
    if tables and not any(table.columns for table in tables):
        named = ", ".join(f'"{table.name}"' for table in tables)
        raise TableUnreadable(f"{named} has no columns, so that no rule can be about it; give it one")


def _refuse_doubtful(check: Check, reading: Reading, runner: Runner, accepted: Constraint | None) -> None:
    if reading.constraint not in (None, accepted):
        doubt = doubted_by_rows(check.rule, reading, on_rows(runner.catalog, read_canonical))
        if doubt is not None:
            raise doubt


def _understood(check: Check, tables: Mapping[str, Table], runner: Runner, planner: str) -> Understanding:
    def understand(named: Mapping[str, Table]) -> Understanding:
        return planner_for(planner)(check.rule, named, target=check.target or None)

    def meant(sentence: str) -> Constraint:
        return planner_for(RULES)(sentence, tables, target=check.target or None).constraint

    try:
        understood = understand(tables)
        if problems := misfits(understood.constraint, tables):
            raise RuleNotUnderstood(check.rule, "; ".join(problems))
    except RuleNotUnderstood as refusal:
        refuse_unreadable(refusal, tables, runner.catalog)
        refusal.looked_at(on_rows(runner.catalog, meant))
        shared = runner.catalog.shared_names()
        question = asking_which(refusal, tables, shared, lambda named: understand(named).constraint)
        if question is not refusal:
            question.looked_at(on_rows(runner.catalog, meant))
            raise question from refusal
        return with_texts_read(refusal, tables, runner.catalog, understand)
    return understood


def why_unproved(compiled: CompiledCheck, tables: Mapping[str, Table], runner: Runner) -> str:
    """What is wrong with a saved check when everything is done anew; "" when nothing is.

    The rule is understood again where no model had to be asked, and the code is proved again. Code that no typed rule
    describes cannot be proved without the model that wrote it, which is said.
    """
    if compiled.constraint is None:
        return "no typed rule describes its code, so it cannot be proved again; read it, or say the rule otherwise"
    if compiled.planner == RULES:
        understood = _understood(compiled.check, tables, runner, RULES)
        if understood.constraint != compiled.constraint:
            return f"its rule now means: {understood.echo}. Compile it again: pandas-magic compile {compiled.id}"
    proof = proof_of(compiled.code, compiled.constraint, compiled.plan, runner, schemas=compiled.schemas)
    return "" if proof.holds else f"its code is not proved: {'; '.join(proof.problems) or proof.in_words()}"

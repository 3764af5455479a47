"""A rule restated in the rule language by a model, read by the rule compiler, and doubted in four ways."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.checking.abstentions import abstention_codes
from pandas_magic.checking.by_model.opinions import MAX_REPAIRS, Task, judged_otherwise, written_code
from pandas_magic.checking.by_model.trials import LEAST_TELLING_ROWS, by_every_row, rows_flagged
from pandas_magic.checking.compilation import Written, misfits, proof_of, refuse_forbidden, write_and_prove
from pandas_magic.constraints import describe
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.errors import ModelError, Reading, RuleNotUnderstood
from pandas_magic.planner.language import restated_rule
from pandas_magic.planner.language.guards import objections
from pandas_magic.planner.language.leaving_out import left_undone
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.model.gates import content_words, doubts
from pandas_magic.planner.model.rule_prompts import RestatedRule, restate_prompt
from pandas_magic.planner.model.sentence_grammar import sentence_grammar
from pandas_magic.planner.model.told_problems import told_problem


@dataclass(frozen=True)
class Attempt:
    """One restatement, what spoke against it, and what it says; None where nobody could read it.

    With `is_last` the model could not go on: it was not reached any more, or its answers were of no use.
    """

    sentence: str
    problem: str
    reading: Reading | None = None
    is_last: bool = False


@dataclass(frozen=True)
class Restatement:
    """What came of asking for a restatement: a constraint that held, or the attempts that did not."""

    restated: RestatedRule | None = None
    constraint: Constraint | None = None
    written: Written | None = None
    attempts: tuple[Attempt, ...] = field(default=())
    sayable: bool = True  # False: the model says that the rule language cannot say the rule


def understand(task: Task) -> Restatement:
    """Ask for the rule in the rule language until a restatement holds, four times at most.

    Raises: ModelError when the model cannot go on before it has said anything that can be asked about.
    """
    target, words = task.check.target, sorted(content_words(task.rule))
    grammar = sentence_grammar(task.tables, target=target) if task.model.configuration.grammar else ""
    prompt = restate_prompt(task.rule, task.schema, words, target=target, grammar=grammar)
    attempts: list[Attempt] = []
    for _ in range(MAX_REPAIRS + 1):
        task.on_progress("asking for the rule in plain words")
        try:
            restated = task.model.ask_object(prompt, RestatedRule)
        except ModelError:
            if any(attempt.reading is not None for attempt in attempts):
                break
            raise
        if not restated.can_be_said:
            return Restatement(attempts=tuple(attempts), sayable=False)
        if attempts and restated.sentence == attempts[-1].sentence:
            break  # it keeps to what was doubted, and would again
        held = _held(task, restated)
        if isinstance(held, Restatement):
            return Restatement(restated, held.constraint, held.written, tuple(attempts))
        attempts.append(held)
        if held.is_last:
            break
        told = told_problem(held.problem, task.rule, task.schema, restated.sentence)
        asked = "If your sentence says what the rule says, or the language cannot say it, keep to that."
        prompt = prompt.followed_by(restated.model_dump_json(), told, asked)
    return Restatement(attempts=tuple(attempts))


def _held(task: Task, restated: RestatedRule) -> Restatement | Attempt:
    """The restatement as a constraint with its code and proof, or the first thing that speaks against it."""
    target = task.check.target or None
    try:
        constraint = restated_rule(restated.sentence, task.tables, target=target)
    except RuleNotUnderstood as error:
        asked = error.readings[0] if error.is_ambiguous else None
        return Attempt(restated.sentence, str(error), asked)
    left = left_undone(constraint, link(task.rule, task.tables, target=target))
    reading = Reading(describe(constraint), constraint, leaves_out=left)
    problems = spoken_against(restated, constraint, rule=task.rule, tables=task.tables, target=task.check.target)
    if problems:
        return Attempt(restated.sentence, "; ".join(problems), reading)
    try:
        held = _confirmed(task, constraint)
    except ModelError as error:
        return Attempt(restated.sentence, f"there is no second opinion: {error}", reading, is_last=True)
    if isinstance(held, str):
        return Attempt(restated.sentence, held, reading)
    return Restatement(restated, constraint, held)


def _confirmed(task: Task, constraint: Constraint) -> Written | str:
    """The code of what nothing speaks against yet, after a reader of rows, the proof and another author; or who does.

    Raises: ModelError.
    """
    if problem := judged_otherwise(task, constraint):
        return problem
    written = write_and_prove(constraint, task.tables, task.runner, on_progress=task.on_progress)
    if not written.proof.holds:
        return "; ".join(written.proof.problems) or written.proof.in_words()
    return _other_opinion(task, constraint, written) or written


def spoken_against(
    restated: RestatedRule, constraint: Constraint, *, rule: str, tables: Mapping[str, Table], target: str
) -> tuple[str, ...]:
    """What speaks against the restatement, which says the constraint, as far as nobody is asked again; each a clause.

    `target` is the table whose rows a person says are meant; "": nobody did.
    """
    return (
        _another_table(constraint, target)
        or misfits(constraint, tables)
        or doubts(rule, restated, constraint, tables)
        or objections(constraint, link(rule, tables, target=target or None))
    )


def _another_table(constraint: Constraint, target: str) -> tuple[str, ...]:
    if target in ("", constraint.table):
        return ()
    return (f'it is about "{constraint.table}", and the rows of "{target}" were named',)


def _other_opinion(task: Task, constraint: Constraint, ours: Written) -> str:
    """How code that was written from the rule alone finds other rows, planted or real; "" when it does not."""
    task.on_progress("comparing with code written from the rule alone")
    theirs = written_code(task, refuse=partial(refuse_forbidden, settings=task.runner.settings))
    if theirs.problem:
        return f"no second opinion: {theirs.problem}"
    other = proof_of(theirs.code, constraint, ours.plan, task.runner)
    if not other.holds:
        return f"code written from the rule alone finds other rows: {'; '.join(other.problems)}"
    frames = {name: task.runner.catalog.frame(name) for name in ours.plan.reads}
    first = rows_flagged(task.runner, ours.code, frames, constraint.table)
    second = rows_flagged(task.runner, theirs.code, frames, constraint.table)
    if first.problem or second.problem:
        return f"the real tables: {first.problem or second.problem}"
    if first.rows != second.rows:
        return (
            f"on the real tables the sentence finds {len(first.rows)} rows and code written from the rule alone "
            f"{len(second.rows)}"
        )
    return by_every_row(first.rows, _judged(task, constraint, frames, first.rows), constraint.table)


def _judged(task: Task, constraint: Constraint, frames: Mapping[str, pd.DataFrame], breaking: frozenset[int]) -> int:
    """How many rows the rule keeps or breaks: those on which it abstains tell nothing."""
    codes = abstention_codes(constraint, task.tables) if len(breaking) >= LEAST_TELLING_ROWS else ()
    kept = rows_flagged(task.runner, codes[0], frames, constraint.table) if codes else None
    return len(frames[constraint.table]) if kept is None or kept.problem else len(breaking) + len(kept.rows)

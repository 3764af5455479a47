"""A rule restated in the rule language by a model, read by the rule compiler, and doubted in four ways."""

from dataclasses import dataclass, field

from pandas_magic.checking.by_model.opinions import MAX_REPAIRS, Task, judged_otherwise, written_code
from pandas_magic.checking.by_model.trials import rows_flagged
from pandas_magic.checking.compiler import proof_of, refuse_forbidden
from pandas_magic.constraints import check_types, contradictions, plan, render_code
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.plans import Plan
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language import compile_rule
from pandas_magic.planner.model.gates import content_words, misfits
from pandas_magic.planner.model.rule_prompts import Restated, restate_prompt
from pandas_magic.planner.model.told_problems import told_problem
from pandas_magic.registry.proof import Proof


@dataclass(frozen=True)
class Attempt:
    """One restatement, and what spoke against it."""

    sentence: str
    problem: str


@dataclass(frozen=True)
class Understanding:
    """What came of asking for a restatement: a constraint that held, or the attempts that did not."""

    restated: Restated | None = None
    constraint: Constraint | None = None
    code: str = ""
    made: Plan | None = None
    proof: Proof | None = None
    attempts: tuple[Attempt, ...] = field(default=())
    sayable: bool = True  # False: the model says that the rule language cannot say the rule


def understand(task: Task) -> Understanding:
    """Ask for the rule in the rule language until a restatement holds, four times at most."""
    prompt = restate_prompt(task.rule, task.schema, sorted(content_words(task.rule)))
    attempts: list[Attempt] = []
    for _ in range(MAX_REPAIRS + 1):
        task.on_progress("asking for the rule in plain words")
        restated = task.model.ask_object(prompt, Restated)
        if not restated.can_be_said:
            return Understanding(attempts=tuple(attempts), sayable=False)
        if attempts and restated.sentence == attempts[-1].sentence:
            break  # it keeps to what was doubted, and would again
        held = _held(task, restated)
        if isinstance(held, Understanding):
            return Understanding(restated, held.constraint, held.code, held.made, held.proof, tuple(attempts))
        attempts.append(Attempt(restated.sentence, held))
        told = told_problem(held, task.rule, task.schema, restated.sentence)
        asked = "If your sentence says what the rule says, or the language cannot say it, keep to that."
        prompt = prompt.followed_by(restated.model_dump_json(), told, asked)
    return Understanding(attempts=tuple(attempts))


def _held(task: Task, restated: Restated) -> Understanding | str:
    """The restatement as a constraint with its code and proof, or the first thing that speaks against it."""
    try:
        constraint = compile_rule(restated.sentence, task.tables, target=task.check.target or None).constraint
    except RuleNotUnderstood as error:
        return str(error)
    problems = (*check_types(constraint, task.tables), *contradictions(constraint))
    problems = problems or misfits(task.rule, restated, constraint, task.tables)
    if problems:
        return "; ".join(problems)
    dispute = judged_otherwise(task, constraint)
    if dispute:
        return dispute
    code, made = render_code(constraint, task.tables), plan(constraint, task.tables)
    refuse_forbidden(code)
    task.on_progress("proving")
    proof = proof_of(code, constraint, made, task.runner)
    if not proof.holds:
        return "; ".join(proof.problems) or proof.in_words()
    other = _other_opinion(task, constraint, code, made)
    return other or Understanding(restated, constraint, code, made, proof)


def _other_opinion(task: Task, constraint: Constraint, code: str, made: Plan) -> str:
    """How code that was written from the rule alone finds other rows, planted or real; "" when it does not."""
    task.on_progress("comparing with code written from the rule alone")
    written = written_code(task, refuse=refuse_forbidden)
    if written.problem:
        return f"no second opinion: {written.problem}"
    other = proof_of(written.code, constraint, made, task.runner)
    if not other.holds:
        return f"code written from the rule alone finds other rows: {'; '.join(other.problems)}"
    frames = {name: task.runner.catalog.frame(name) for name in made.reads}
    ours = rows_flagged(task.runner, code, frames, constraint.table)
    theirs = rows_flagged(task.runner, written.code, frames, constraint.table)
    if ours.problem or theirs.problem:
        return f"the real tables: {ours.problem or theirs.problem}"
    if ours.rows != theirs.rows:
        return (
            f"on the real tables the sentence finds {len(ours.rows)} rows and code written from the rule alone "
            f"{len(theirs.rows)}"
        )
    return ""

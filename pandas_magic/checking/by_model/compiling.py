"""From a rule that the rule compiler refused to a check that stood up to every doubt, or to an honest refusal."""

from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.catalog.table_choice import likely_tables
from pandas_magic.checking.by_model.code_writing import write_check
from pandas_magic.checking.by_model.opinions import Task
from pandas_magic.checking.by_model.restating import Attempt, Restatement, understand
from pandas_magic.checking.compilation import Compilation, Written, compiled_from
from pandas_magic.checking.finder import Progress
from pandas_magic.checking.runner import Runner
from pandas_magic.constraints import describe
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.errors import AnswerUnusable, ModelError, RuleNotUnderstood
from pandas_magic.planner.model.disclosure import described, first_rows, in_words
from pandas_magic.planner.model.model import Model
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck


class NotConfirmed(RuleNotUnderstood):
    """What the model made of the rule was doubted to the end. `attempts` are its sentences with what spoke against.

    Its readings are asked about before those that the rule compiler proposes, the latest first.
    """

    code = "PM102"

    def __init__(
        self, rule: str, reason: str, attempts: tuple[Attempt, ...], *, before: RuleNotUnderstood | None = None
    ) -> None:
        self.attempts = attempts
        readings = [attempt.reading for attempt in reversed(attempts) if attempt.reading is not None]
        if before is None:
            super().__init__(rule, reason, readings=readings)
        else:
            # What the rule compiler stumbled over is what a person can say in other words.
            both = f"{before.reason} And {reason}."
            super().__init__(
                rule,
                both,
                unknown=before.unknown,
                suggest=lambda: [one for one in before.suggestions if not (readings and one.startswith('"'))],
                readings=readings,
                propose=lambda: [one for one in before.readings if one.sentence not in map(str, readings)],
            )


def compile_refused(
    refusal: RuleNotUnderstood,
    check: Check,
    tables: Mapping[str, Table],
    runner: Runner,
    *,
    model: Model,
    on_progress: Progress = lambda _: None,
) -> Compilation:
    """What a model makes of a rule that the planner refused.

    Raises: NotConfirmed and ModelError as `compile_with_model`, with what the planner stumbled over before them.
    """
    try:
        return compile_with_model(check, tables, runner, model, on_progress=on_progress)
    except NotConfirmed as doubt:
        told = NotConfirmed(doubt.rule, doubt.reason, doubt.attempts, before=refusal)
        told.looked_at(refusal.look)  # which has read the columns of the other readings
        raise told from None
    except ModelError as error:
        raise type(error)(f"{refusal} And the model did not help: {error}") from None


def compile_with_model(
    check: Check,
    tables: Mapping[str, Table],
    runner: Runner,
    model: Model,
    *,
    on_progress: Progress = lambda _: None,
) -> Compilation:
    """Understand the rule with a model's help, and let nothing pass that a second opinion does not confirm.

    First the rule is restated in the rule language: typed, proved on planted rows, judged row by row by a reader who
    does not know the restatement, and compared with code written from the rule alone. What that language cannot say
    becomes code on which two authors and separately made examples must agree.

    Raises: NotConfirmed (with `.attempts`) when they do not agree; ModelError; kernel_sandbox.SandboxUnavailable.
    """
    asked = _worth_asking(check.rule, tables, runner.settings.max_files)
    schema = described(asked, model.configuration.disclosure, _samples(runner, asked, model))
    task = Task(check, asked, runner, model, schema, on_progress)
    configuration = model.configuration
    on_progress(f"telling {configuration.model} at {configuration.host}: {in_words(configuration.disclosure)}")
    with model.request(check.id, on_notice=on_progress):
        understood = understand(task)
        if understood.constraint is not None:
            return _typed(task, understood)
        if understood.sayable and not _only_unread(understood.attempts):
            raise _not_confirmed(task, understood.attempts)
        return _custom(task, understood.attempts)


def _worth_asking(rule: str, tables: Mapping[str, Table], at_most: int) -> dict[str, Table]:
    if len(tables) <= at_most:
        return dict(tables)
    likely = likely_tables(rule, tables, max_tables=at_most)
    return {choice.name: tables[choice.name] for choice in likely}


def _samples(runner: Runner, tables: Mapping[str, Table], model: Model) -> dict[str, list[dict[str, object]]]:
    if model.configuration.disclosure != "samples":
        return {}
    return {name: first_rows(runner.catalog.frame(name)) for name in tables}


def _only_unread(attempts: tuple[Attempt, ...]) -> bool:
    """Whether no attempt became a typed rule that was then contradicted: only then may code be asked for instead."""
    return all("I don't understand" in attempt.problem for attempt in attempts)


def _typed(task: Task, understood: Restatement) -> Compilation:
    constraint, restated = understood.constraint, understood.restated
    assert constraint is not None and restated is not None and understood.written is not None
    explanation = [(use.words, use.means) for use in restated.words]
    explanation += [(f"attempt {n}: {a.sentence}", a.problem) for n, a in enumerate(understood.attempts, 1)]
    compiled = _compiled(task, understood.written, constraint)
    return Compilation(compiled, describe(constraint), tuple(explanation))


def _custom(task: Task, attempts: tuple[Attempt, ...]) -> Compilation:
    try:
        custom = write_check(task)
    except AnswerUnusable as error:
        raise _not_confirmed(task, attempts, str(error)) from None
    if custom.written is None or custom.problem:
        shown = f"; the best attempt:\n{custom.code}" if custom.code else ""
        raise _not_confirmed(task, attempts, f"{custom.problem}{shown}")
    compiled = _compiled(task, custom.written, None)
    told = f"{custom.written.plan.goal} (in code; no typed rule says this, so read the code)"
    explanation = [(attempt.sentence, attempt.problem) for attempt in attempts]
    explanation += [(f"code that was sent back:\n{code}", problem) for code, problem in custom.tried]
    return Compilation(compiled, told, tuple(explanation))


def _compiled(task: Task, written: Written, constraint: Constraint | None) -> CompiledCheck:
    planner = f"model {task.model.configuration.model}"
    return compiled_from(task.check, written, task.tables, constraint=constraint, planner=planner)


def _not_confirmed(task: Task, attempts: tuple[Attempt, ...], problem: str = "") -> NotConfirmed:
    model = task.model.configuration.model
    last = _last_reading(task.rule, attempts[-1]) if attempts else ""
    choose = "choose what is meant, or " if any(attempt.reading for attempt in attempts) else ""
    doubted = f"{model} could not confirm its own reading of the rule: {(problem or last).rstrip('.')}"
    reason = f"{doubted}; {choose}say the rule in other words"
    return NotConfirmed(task.rule, reason, attempts)


def _last_reading(rule: str, attempt: Attempt) -> str:
    if " ".join(attempt.sentence.split()) == " ".join(rule.split()):
        return "it only said the rule back"
    return f'its last reading: "{attempt.sentence}", but {attempt.problem}'

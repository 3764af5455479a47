"""Ideas tried on the tables as they are: what compiles and runs is offered with what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pandas_magic.checking.compiler import compile_check
from pandas_magic.checking.result import Result
from pandas_magic.constraints import describe
from pandas_magic.errors import PandasMagicError, UsageMistake
from pandas_magic.history.run import Run
from pandas_magic.registry.check import Check
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.suggestions.suggestion import Idea, Suggestion, Suggestions, Withheld
from pandas_magic.workspace import Workspace

Progress = Callable[[str], None]


def tried(workspace: Workspace, rule: str, target: str = "") -> Run:
    """What a rule finds, on rows of the `target` where it does not say; it is proved, and kept nowhere.

    Raises: RuleNotUnderstood, NotProved, NoSuchName, TableUnreadable.
    """
    check, schemas = Check(id="rule", rule=rule, target=target), workspace.catalog.schemas()
    return workspace.runner.run(compile_check(check, schemas, workspace.runner).compiled)


def all_tried(
    workspace: Workspace,
    ideas: Iterable[Idea],
    *,
    most: int,
    most_broken: float = 1.0,
    on_progress: Progress,
) -> Suggestions:
    """The first of the ideas that compile and run, at most so many; none twice.

    `most_broken` is the share of rows that may break one at most, so that it is offered.
    """
    offered, withheld, kept = list[Suggestion](), list[Withheld](), _kept_as(workspace)
    first = dict[str, Idea]()
    for idea in ideas:
        first.setdefault(idea.sentence, idea)
    for sentence, idea in first.items():
        if len(offered) == most:
            break
        on_progress(f"trying: {sentence}")
        try:
            run = tried(workspace, sentence)
        except PandasMagicError as error:
            withheld.append(Withheld(idea.place, sentence, str(error)))
            continue
        broken = (run.violation_count or 0) > most_broken * (run.rows or 0)
        if broken or not run.verdict.judges:
            withheld.append(Withheld(idea.place, sentence, run.error or f"the rows contradict it: {run.headline}"))
        else:
            offered.append(Suggestion(sentence, idea.because, idea.place, run, kept.get(sentence, "")))
    return Suggestions(tuple(offered), tuple(withheld))


def _kept_as(workspace: Workspace) -> dict[str, str]:
    """The checks that there are, by their canonical sentences."""
    compiled = [one.compiled for one in workspace.roster().values() if one.compiled and not one.removed]
    return {describe(one.constraint): one.id for one in compiled if one.constraint}


def chosen_of(offers: Sequence[str], keep: str) -> list[str]:
    """Those of the offers that the words name: numbers, or all.

    Raises: UsageMistake for a number that was not offered.
    """
    if keep.strip() == "all":
        return list(offers)
    words = keep.replace(",", " ").split()
    wrong = [word for word in words if not word.isdigit() or not 1 <= int(word) <= len(offers)]
    if wrong:
        told = f"name numbers from 1 to {len(offers)}, or all" if offers else "none was; state a rule of your own"
        raise UsageMistake(f"{wrong[0]} is none of the checks offered; {told}")
    return [offers[int(word) - 1] for word in words]


def keep(workspace: Workspace, requests: Sequence[CheckRequest], *, on_progress: Progress) -> Sequence[Result]:
    """The rules, which were tried before, written into the list that people edit, compiled and run.

    One that a check says already of the same table, in these words or in canonical ones, is that check.
    """
    checks = [one.check for one in workspace.roster().values() if one.check]
    listed = {(rule, ""): id for rule, id in _kept_as(workspace).items()}
    listed |= {(one.rule, one.target): one.id for one in checks}
    asked = {(one.rule, one.target or ""): one for one in requests}
    ids = [listed.get(said) or workspace.add(request).id for said, request in asked.items()]
    if ids:
        workspace.compile(ids, on_progress=on_progress)
    return workspace.run(ids) if ids else []

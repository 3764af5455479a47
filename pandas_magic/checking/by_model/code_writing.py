"""Code for rules that no typed rule can say: two authors and a maker of examples, who know nothing of each other.

One author is asked for the rows that break the rule, the other for those that keep it: models, small ones above all,
take one half of the rows for the other, and do so in the same way each time they are asked the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain

import pandas as pd

from pandas_magic.checking.by_model.opinions import Task, code_by_the_rest, written_code
from pandas_magic.checking.by_model.trials import Flagged, by_every_row, disturbed, example_frames, rows_flagged
from pandas_magic.checking.column_reads import columns_read
from pandas_magic.checking.compilation import Written, refuse_forbidden
from pandas_magic.checking.planted_cases import sample_of
from pandas_magic.constraints.plans import Plan
from pandas_magic.planner.language.guards import unclear_words
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.model.code_mistakes import texts_that_never_occur
from pandas_magic.planner.model.rule_prompts import Examples, examples_prompt
from pandas_magic.registry.proof import Proof

_LEAST_ROWS = 2  # of either sort, in the examples


@dataclass(frozen=True)
class Custom:
    """Code that two authors and the examples agree on, with its plan and proof; or why there is none."""

    code: str = ""
    written: Written | None = None
    problem: str = ""
    tried: tuple[tuple[str, str], ...] = ()  # code that was sent back, and why


def write_check(task: Task) -> Custom:
    """Ask for examples, for code, and for code of the opposite; all three must agree, also on the real rows."""
    if unclear := unclear_words(link(task.rule, task.tables, target=task.check.target or None)):
        return Custom(problem="; ".join(unclear))
    task.on_progress("asking for rows that break the rule and rows that do not")
    examples = task.model.ask_object(
        examples_prompt(task.rule, task.schema, target=task.check.target),
        Examples,
        problem=lambda found: _misfit(found, task),
    )
    frames = example_frames(examples, task.tables)
    assert isinstance(frames, dict)  # _misfit has seen to it
    task.on_progress("asking for code that finds the rows which break the rule")
    refuse = partial(refuse_forbidden, settings=task.runner.settings)
    first = written_code(task, refuse=refuse)
    if first.problem:
        return Custom(first.code, problem=first.problem, tried=first.tried)
    task.on_progress("asking another author for the rows which keep it")
    second = code_by_the_rest(task, examples.target, refuse=refuse)
    if second.problem:
        return Custom(first.code, problem=f"the second author: {second.problem}", tried=first.tried)
    codes, tried = [first.code, second.code], first.tried + second.tried
    # Told to nobody, as values are in it: both authors may invent the same code of a thing that is not there.
    invented = chain.from_iterable(texts_that_never_occur(code, task.tables, task.rule) for code in codes)
    problem = next(invented, "") or _disagreement(task, codes, examples, frames)
    if problem:
        return Custom(codes[0], problem=problem, tried=tried)
    written = Written(codes[0], _plan(task, codes[0], examples.target), _proof(examples, frames))
    return Custom(codes[0], written, tried=tried)


def _misfit(examples: Examples, task: Task) -> str:
    frames = example_frames(examples, task.tables)
    if isinstance(frames, str):
        return f"{frames}."
    if examples.target not in frames:
        return f'the examples have no table "{examples.target}".'
    if task.check.target not in ("", examples.target):
        return f'the rows of "{task.check.target}" are to be judged, not those of "{examples.target}".'
    rows = len(frames[examples.target])
    if not set(examples.breaking) <= set(range(rows)):
        return f"rows are numbered from 0 to {rows - 1}."
    breaking = len(set(examples.breaking))
    if min(breaking, rows - breaking) < _LEAST_ROWS:
        return f"{breaking} rows of {rows} break the rule; at least two must, and at least two must not."
    return ""


def _disagreement(task: Task, codes: list[str], examples: Examples, frames: dict[str, pd.DataFrame]) -> str:
    task.on_progress("trying the code")
    used = {name for code in codes for name in columns_read(code, task.tables)}
    missing = used - set(frames)
    if missing:
        return f"the examples have no rows for {', '.join(sorted(missing))}"
    target, breaking = examples.target, frozenset(examples.breaking)
    if target not in columns_read(codes[0], task.tables):
        return f"the code never reads {target}, whose rows the examples judge"
    for number, code in enumerate(codes, 1):
        seen = rows_flagged(task.runner, code, frames, target)
        if seen.problem or seen.rows != breaking:
            return f"code {number} {_against(seen, breaking)}"
    return _disagreement_on_real_rows(task, codes, target, used)


def _disagreement_on_real_rows(task: Task, codes: list[str], target: str, used: set[str]) -> str:
    real = {name: task.runner.catalog.frame(name) for name in used}
    sample = disturbed({name: sample_of(frame) for name, frame in real.items()})
    for label, tables in (("odd rows", sample), ("the real tables", real)):
        first, second = (rows_flagged(task.runner, code, tables, target) for code in codes)
        if first.problem or second.problem:
            return f"on {label}: {first.problem or second.problem}"
        if first.rows != second.rows:
            return f"on {label} the two ways to code the rule find {len(first.rows)} and {len(second.rows)} rows"
        if tables is real and (problem := by_every_row(first.rows, len(real[target]), target)):
            return problem
    return ""


def _against(seen: Flagged, breaking: frozenset[int]) -> str:
    if seen.problem:
        return f"failed on the examples: {seen.problem}"
    missed, extra = sorted(breaking - seen.rows), sorted(seen.rows - breaking)
    parts = [f"misses example row {missed[0]}"] if missed else []
    parts += [f"flags example row {extra[0]}, which keeps the rule"] if extra else []
    return " and ".join(parts)


def _plan(task: Task, code: str, target: str) -> Plan:
    named = columns_read(code, task.tables)
    # The first table of a plan is the one whose rows are judged, where no typed rule says so.
    reads = {target: named[target], **{name: columns for name, columns in named.items() if name != target}}
    return Plan(
        goal=" ".join(task.rule.split()),
        steps=("run code that a model wrote; no typed rule describes it",),
        reads=reads,
        violation_means=f"a row of {target} that breaks the rule",
    )


def _proof(examples: Examples, frames: Mapping[str, pd.DataFrame]) -> Proof:
    planted, rows = len(set(examples.breaking)), len(frames[examples.target])
    return Proof(
        planted=planted,
        flagged=planted,
        clean=rows - planted,
        left_alone=rows - planted,
        cases=("example rows that the model made from the rule alone", "odd rows: two ways to code the rule agree"),
    )

"""The answer to a request as Markdown, section by section; its numbers held against the result."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from pandas_magic.planner.model.told_numbers import Known, strike_unfounded
from pandas_magic.plans.plan_records import PlanSteps, Ran
from pandas_magic.plans.result_charts import rows_as_json
from pandas_magic.reporters.rounded_numbers import rounded

TOLD_ROWS = 30  # of a result, where results may be told at all


def written_answer(plan: PlanSteps, ran: Ran) -> str:
    """The answer without a model: from the plan and from what the code found."""
    parts = [f"# {_headline(plan, ran)}"]
    if ran.findings:
        parts.append("## Key Findings\n" + "\n".join(f"- {finding}" for finding in ran.findings))
    if shown := _visualizations(ran):
        parts.append(shown)
    if plan.next_steps:
        parts.append("## Recommendations\n" + "\n".join(f"- {step}" for step in plan.next_steps))
    return "\n\n".join(parts)


def with_sections(answer: str, plan: PlanSteps, ran: Ran) -> str:
    """A model's answer with a headline, its own or that of the plan, and the pictures that there are."""
    whole = any(line.startswith("# ") for line in answer.splitlines())
    headed = answer if whole else f"# {_headline(plan, ran)}\n\n{answer}"
    shown = _visualizations(ran)
    before, mark, after = headed.partition("## Recommendations")
    return f"{before.rstrip()}\n\n{shown}\n\n{mark}{after}".rstrip() if shown else headed


def _visualizations(ran: Ran) -> str:
    """The section that names the pictures; "" where there is none."""
    # No counting: every number in an answer is one of the result, or is struck out.
    by_code = len(ran.images) - (ran.chart is not None)
    lines = ["- A picture that the code drew"] * (by_code == 1) + ["- Pictures that the code drew"] * (by_code > 1)
    lines += ["- A figure that the code made"] * (len(ran.figures) == 1)
    lines += ["- Figures that the code made"] * (len(ran.figures) > 1)
    if ran.chart is not None:
        words = f"{ran.chart.kind} chart of {ran.chart.y or 'counts'} by {ran.chart.x}"
        lines.append(f"- {words[0].upper()}{words[1:]}")
    return "## Visualizations\n" + "\n".join(lines) if lines else ""


def checked_answer(
    answer: str, ran: Ran, *said: str, tables: Mapping[str, Iterable[str]]
) -> tuple[str, tuple[str, ...]]:
    """The answer with every number struck out that neither the result nor what was `said` holds, and those numbers.

    What a model's code printed is not to be among what was said: it may print any number that it tells. `tables` maps
    the tables that were used to their columns, whose names may hold digits.
    """
    names = [name for table, columns in tables.items() for name in (table, *columns)]
    known = Known(ran.frame, ran.value, *said, names=names)
    text, unfounded = strike_unfounded(answer, known)
    if unfounded:
        named = ", ".join(dict.fromkeys(unfounded))
        text += f"\n\n> Struck out, since the result does not hold it: {named}."
    return text, unfounded


def told_result(ran: Ran) -> Any:  # noqa: ANN401 - any JSON value
    """What a model is told of the result, where it may be told."""
    if ran.frame is None:
        return ran.value
    whole = ran.frame.reset_index() if not isinstance(ran.frame.index, pd.RangeIndex) else ran.frame
    return {"rows": len(whole), "first_rows": rows_as_json(whole.head(TOLD_ROWS).rename(columns=str))}


def result_schema(ran: Ran, code: str) -> dict[str, str]:
    """The columns of the result and their types: what later requests of a session are told of it.

    Only columns that the code spells out are named: those of a pivot are called after values of the data.
    """
    if ran.frame is None:
        return {"result": type(ran.value).__name__}
    named = {str(name): str(dtype) for name, dtype in ran.frame.dtypes.items() if str(name) in code}
    others = len(ran.frame.columns) - len(named)
    return named | ({"…": f"{others} more columns, named after values"} if others else {})


def _headline(plan: PlanSteps, ran: Ran) -> str:
    goal = plan.goal.rstrip(".")
    if ran.frame is not None and ran.frame.shape == (1, 1):
        return f"{goal}: {_number(ran.frame.iloc[0, 0])}"
    if ran.frame is not None:
        rows = len(ran.frame)
        return f"{goal}: {rows:,} row{'' if rows == 1 else 's'}"
    if isinstance(ran.value, (int, float)) and not isinstance(ran.value, bool):
        return f"{goal}: {_number(ran.value)}"
    return goal


def _number(value: Any) -> str:  # noqa: ANN401 - a cell
    if pd.isna(value):
        return "there is none"
    if pd.api.types.is_float(value):
        return rounded(float(value))
    return f"{value:,}" if pd.api.types.is_integer(value) else str(value)

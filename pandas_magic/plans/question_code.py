"""The plan and the pandas code of a question: what runs, what it means in words, and what it leaves out."""

from collections.abc import Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import identifier
from pandas_magic.plans.plan_records import PlanSteps
from pandas_magic.plans.row_conditions import code_that_keeps
from pandas_magic.plans.table_questions import Measure, Question

_PERIOD_CODES = {"day": "D", "week": "W", "month": "M", "quarter": "Q", "year": "Y"}
_MOST_BARS = 30  # more cannot be read in one picture
# Sums of nothing but missing values are missing, not 0.
_METHODS: dict[Measure, str] = {
    "count": "size()",
    "different": "nunique()",
    "total": "sum(min_count=1)",
    "average": "mean()",
    "median": "median()",
    "lowest": "min()",
    "highest": "max()",
}


def plan_of(question: Question) -> PlanSteps:
    """The question in words, as it was understood: every choice that was made is in it."""
    table, column = question.table, question.column
    kept = ([f"where {question.said}"] if question.said else []) + (
        [f"with {question.moment} in {question.year}"] if question.year else []
    )
    steps = [f"keep the rows of {table} {' and '.join(kept)}"] if kept else []
    if question.rows:
        order = "lowest" if question.ascending else "highest"
        steps.append(f"take the {question.most} rows with the {order} {column}, more where the last ones tie")
        goal = f"The {question.most} rows of {table} with the {order} {column}"
        return PlanSteps(goal=" ".join([goal, *kept]), steps=tuple(steps), result_means=f"one row of {table}")
    keys = _keys(question)
    what = f"number of rows of {table}" if question.measure == "count" else f"{_named(question)} of {table}"
    steps.append(f"{_METHODS[question.measure].partition('(')[0]} of {column or 'the rows'}" + _for_each(keys))
    goal = f"{what[0].upper()}{what[1:]}" + (f" by {' and '.join(keys)}" if keys else "")
    if question.most is not None:
        order = "lowest" if question.ascending else "highest"
        steps.append(f"take the {question.most} {order}, more where the last ones tie")
        goal += f", the {question.most} {order}"
    means = " and ".join(keys) if keys else f"all rows of {table}"
    return PlanSteps(goal=" ".join([goal, *kept]), steps=tuple(steps), result_means=f"one row is {means}")


def code_of(question: Question, tables: Mapping[str, Table]) -> str:
    """Code that binds `result`, `findings` and, where one helps, `chart`."""
    rows = identifier(question.table)
    lines = _kept(question, tables, rows)
    rows = "chosen" if lines else rows
    if question.period and not question.rows:
        lines += _dated(question, rows)
        rows = "dated"
    if question.rows:
        method = "nsmallest" if question.ascending else "nlargest"
        return "\n".join([*lines, f'result = {rows}.{method}({question.most}, {question.column!r}, keep="all")'])
    lines += _measured(question, rows)
    lines += _told(question, rows)
    return "\n".join(lines)


def _keys(question: Question) -> list[str]:
    period = [f"{question.period} of {question.moment}"] if question.period else []
    period = [question.moment] if question.period == "moment" else period
    return [*question.by, *period]


def _for_each(keys: list[str]) -> str:
    return f" for each {' and '.join(keys)}" if keys else ""


def _named(question: Question) -> str:
    """What the measure is called in the result."""
    name = "count" if question.measure == "count" else f"{question.measure} {question.column}"
    return f"{name} found" if name in question.by else name


def _kept(question: Question, tables: Mapping[str, Table], rows: str) -> list[str]:
    """Lines that bind `chosen`, the rows that the question is about; none when it is about all."""
    lines = []
    if question.condition is not None:
        lines.append(code_that_keeps(question.condition, question.table, tables))
        rows = "chosen"
    if question.year is not None:
        lines.append(f"chosen = {rows}[{rows}[{question.moment!r}].dt.year == {question.year}]")
    return lines


def _dated(question: Question, rows: str) -> list[str]:
    name = _period_name(question)
    dated = f"dated = {rows}.dropna(subset=[{question.moment!r}])"
    if question.period == "moment":
        return [dated, f"moment = dated[{question.moment!r}].rename({name!r})"]
    code = _PERIOD_CODES[question.period or ""]
    moments = f"dated[{question.moment!r}].dt.tz_localize(None)"
    return [
        dated,
        f'{question.period} = {moments}.dt.to_period("{code}").astype(str).rename({name!r})',
    ]


def _period_name(question: Question) -> str:
    name = question.moment if question.period == "moment" else question.period or ""
    return f"{question.period} of {question.moment}" if name in question.by else name


def _measured(question: Question, rows: str) -> list[str]:
    name, method = _named(question), _METHODS[question.measure]
    of = f"[{question.column!r}]" if question.column else ""
    keys = [repr(column) for column in question.by] + ([question.period] if question.period else [])
    if not keys:
        value = f"{rows}{of}.{method}" if of else f"len({rows})"
        return [f"result = pd.DataFrame({{{name!r}: [{value}]}})"]
    grouped = f"{rows}.groupby([{', '.join(keys)}], dropna=False, observed=True)"
    lines = [f"result = {grouped}{of}.{method}.rename({name!r}).reset_index()"]
    if question.most is not None:
        take = "nsmallest" if question.ascending else "nlargest"
        lines.append(f'result = result.{take}({question.most}, {name!r}, keep="all")')
    elif not question.period:
        lines.append(f'result = result.sort_values({name!r}, ascending=False, kind="stable", ignore_index=True)')
    return lines


def _told(question: Question, rows: str) -> list[str]:
    """Lines that say what was left out for want of a value, and that draw."""
    whole = rows if rows != "dated" else ("chosen" if question.year or question.condition else None)
    whole = whole or identifier(question.table)
    lines = ["findings = []"]
    for frame, column in ((whole, question.moment if question.period else ""), (rows, question.column)):
        if column:
            lines += [
                f"missing = int({frame}[{column!r}].isna().sum())",
                "if missing:",
                f'    left_out = f"{{missing}} of {{len({frame})}} rows are left out: they have no "',
                f"    findings.append(left_out + {column!r})",
                "    print(findings[-1])",
            ]
    keys = [*question.by, *([_period_name(question)] if question.period else [])]
    if len(keys) == 1:
        kind = "line" if question.period else "bar"
        chart = {"kind": kind, "x": keys[0], "y": _named(question), "title": plan_of(question).goal}
        lines += [f"if len(result) <= {_MOST_BARS if kind == 'bar' else 2000}:", f"    chart = {chart!r}"]
    return lines

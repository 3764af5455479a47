"""The plan and the pandas code of an analysis: what runs, what it means in words, and what it leaves out."""

from collections.abc import Callable, Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import identifier
from pandas_magic.plans.analysis_questions import Analysis, AnalysisKind
from pandas_magic.plans.plan_records import PlanSteps
from pandas_magic.plans.row_conditions import code_that_keeps

_MOST_BARS = 30
_PRINTED = ['print("\\n".join(findings))']
_SUMMARY = """def summary(sample):
    present = sample.dropna().astype("float64")
    return {
        "rows": len(sample), "missing": len(sample) - len(present), "mean": present.mean(),
        "standard deviation": present.std(), "lowest": present.min(), "first quartile": present.quantile(0.25),
        "median": present.median(), "third quartile": present.quantile(0.75), "highest": present.max(),
    }""".splitlines()

_WELCH = """if len(samples) != 2:
    raise ValueError(f"a t-test compares two groups, and these are {len(samples)}")
(one, first), (other, second) = samples
missing = int(first.isna().sum() + second.isna().sum())
first, second = first.dropna().astype("float64"), second.dropna().astype("float64")
if float("inf") in (first.abs().max(), second.abs().max()):
    raise ValueError(f"{first.name} holds infinite values")
if min(len(first), len(second)) < 2:
    raise ValueError("a t-test needs two values or more in each group")
if first.nunique() < 2 and second.nunique() < 2:
    raise ValueError("a t-test needs values that differ within a group")
test = stats.ttest_ind(first, second, equal_var=False)
result = pd.DataFrame([{
    "group": one, "rows": len(first), "mean": first.mean(), "other group": other, "other rows": len(second),
    "other mean": second.mean(), "difference": first.mean() - second.mean(), "t": test.statistic,
    "degrees of freedom": test.df, "p": test.pvalue,
}])
chance = f"p = {test.pvalue:.4f}" if test.pvalue >= 0.0001 else "p is below 0.0001"
findings = [
    f"mean {first.mean():,.4f} over {len(first)} rows of {one}, "
    f"{second.mean():,.4f} over {len(second)} rows of {other}",
    f"t = {test.statistic:.4f} with {test.df:.2f} degrees of freedom, {chance} (Welch, two-sided)",
]""".splitlines()


def plan_of_analysis(analysis: Analysis) -> PlanSteps:
    """The analysis in words, as it was understood: every choice that was made is in it."""
    kept = f" where {analysis.said}" if analysis.said else ""
    steps = [f"keep the rows of {analysis.table}{kept}"] if kept else []
    goal, told, means = _words(analysis)
    return PlanSteps(goal=f"{goal}{kept}", steps=(*steps, *told), result_means=means)


def code_of_analysis(analysis: Analysis, tables: Mapping[str, Table]) -> str:
    """Code that binds `result`, `findings` and, where one helps, `chart`; the findings are printed as well."""
    rows, lines = identifier(analysis.table), list[str]()
    if analysis.condition is not None:
        lines, rows = [code_that_keeps(analysis.condition, analysis.table, tables)], "chosen"
    if analysis.kind == "distribution" and tables[analysis.table].kind(analysis.columns[0]) in ("text", "boolean"):
        return "\n".join([*lines, *_counted(analysis, rows)])
    return "\n".join([*lines, *_CODE[analysis.kind](analysis, rows)])


def _words(analysis: Analysis) -> tuple[str, tuple[str, ...], str]:
    """The goal, the steps and what a row of the result is."""
    table, columns = analysis.table, " and ".join(analysis.columns)
    groups = _groups(analysis)
    match analysis.kind:
        case "correlations":
            return _correlated_words(analysis)
        case "outliers":
            step = "take the values more than 1.5 interquartile ranges below the first quartile or above the third"
            return (
                f"Distribution and outliers of {columns} of {table}",
                (step,),
                f"one row of {table} that is an outlier",
            )
        case "distribution" if not analysis.by:
            return (
                f"Distribution of {columns} of {table}",
                (f"describe the values of {columns}",),
                "the column, or a value",
            )
        case "t-test":
            step = f"Welch's t-test, two-sided, of the mean of {columns} between {groups}: variances may differ"
            return f"t-test of {columns} between {groups}", (step,), "the test"
        case _:
            step = f"describe {columns} for each of {groups}"
            return f"Comparison of {columns} between {groups}", (step,), "one group"


def _correlated_words(analysis: Analysis) -> tuple[str, tuple[str, ...], str]:
    name = "Spearman's rank correlation" if analysis.ranks else "Pearson's correlation"
    steps = [f"{name} of each pair, over the rows in which both have a value"]
    if analysis.most is not None:
        steps.append(f"take the {analysis.most} strongest of either sign, more where the last ones tie")
    between = " and ".join(analysis.columns) if len(analysis.columns) < 3 else "columns of numbers"
    between += f" with {analysis.against}" if analysis.against else ""
    return f"Correlations of {between} of {analysis.table}", tuple(steps), "one pair of columns"


def _groups(analysis: Analysis) -> str:
    if analysis.tables:
        return " and ".join(analysis.tables)
    if analysis.values:
        return f"{analysis.by} {' and '.join(analysis.values)}"
    return f"groups of {analysis.by}"


def _correlations(analysis: Analysis, rows: str) -> list[str]:
    columns = [*analysis.columns, *([analysis.against] if analysis.against else [])]
    others = f"for other in [{analysis.against!r}] for one in numbers.columns if one != other"
    every = "for at, other in enumerate(numbers.columns) for one in numbers.columns[:at]"
    lines = [
        f'numbers = {rows}[{columns!r}].astype("float64")',
        "found = []",
        f"for one, other in [(one, other) {others if analysis.against else every}]:",
        f"    both = numbers[[one, other]].dropna(){'.rank()' if analysis.ranks else ''}",
        '    strength = both[one].corr(both[other]) if len(both) and both.nunique().min() > 1 else float("nan")',
        '    found.append({"column": one, "other column": other, "correlation": strength, "rows": len(both)})',
        'result = pd.DataFrame(found).sort_values("correlation", key=abs, ascending=False, kind="stable", '
        "ignore_index=True)",
        'without = int(result["correlation"].isna().sum())',
    ]
    if analysis.most is not None:
        lines += [
            'strength = result["correlation"].abs()',
            f"result = result[strength >= strength.nlargest({analysis.most}).min()]",
        ]
    return [
        *lines,
        'told = result.dropna(subset=["correlation"]).head(3).itertuples(index=False, name=None)',
        'findings = [f"{one} and {other}: {strength:.3f} over {count} rows" for one, other, strength, count in told]',
        "if without:",
        '    findings.append(f"{without} pairs have no correlation: a column does not vary, or has infinite values")',
        *_PRINTED,
    ]


def _measured(analysis: Analysis, rows: str) -> list[str]:
    """Lines that bind `values`, the quartiles and which values lie `outlying`."""
    (column,) = analysis.columns
    return [
        f'values = {rows}[{column!r}].astype("float64")',
        "present = values.dropna()",
        "if present.empty:",
        f"    raise ValueError({f'{analysis.table}.{column} has no value'!r})",
        'if present.abs().max() == float("inf"):',
        '    raise ValueError(f"{present.name} holds infinite values")',
        "low_quartile, median, high_quartile = present.quantile([0.25, 0.5, 0.75])",
        "reach = 1.5 * (high_quartile - low_quartile)",
        "low, high = low_quartile - reach, high_quartile + reach",
        "outlying = (values < low) | (values > high)",
        "findings = [",
        f'    f"{{len(present)}} of {{len(values)}} rows have a value of " + {column!r},',
        '    f"mean {present.mean():,.4f}, standard deviation {present.std():,.4f}, "',
        '    f"lowest {present.min():,.4f}, highest {present.max():,.4f}",',
        '    f"quartiles {low_quartile:,.4f}, {median:,.4f} (the median) and {high_quartile:,.4f}",',
        '    f"{int(outlying.sum())} values are outliers: below {low:,.4f} or above {high:,.4f}",',
        "]",
        *_PRINTED,
        "try:",
        f"    present.plot.hist(bins=20, title={f'{column} of {analysis.table}'!r})",
        "except ImportError:",
        '    print("no picture: Matplotlib is not installed")',
    ]


def _outliers(analysis: Analysis, rows: str) -> list[str]:
    (column,) = analysis.columns
    return [*_measured(analysis, rows), f'result = {rows}[outlying].sort_values({column!r}, kind="stable")']


def _distribution(analysis: Analysis, rows: str) -> list[str]:
    if analysis.by:
        return _comparison(analysis, rows)
    summary = 'result = pd.DataFrame([{**summary(values), "outliers": int(outlying.sum())}])'
    return [*_SUMMARY, *_measured(analysis, rows), summary]


def _counted(analysis: Analysis, rows: str) -> list[str]:
    (column,) = analysis.columns
    chart = {"kind": "bar", "x": "value", "y": "rows", "title": plan_of_analysis(analysis).goal}
    return [
        f'counts = {rows}[{column!r}].value_counts(dropna=False).rename("rows").rename_axis("value").reset_index()',
        f'result = counts.assign(share=counts["rows"] / len({rows}))',
        'findings = [f"{len(counts)} different values, a missing one among them" if counts["value"].isna().any()',
        '            else f"{len(counts)} different values"]',
        *_PRINTED,
        f"if len(result) <= {_MOST_BARS}:",
        f"    chart = {chart!r}",
    ]


def _samples(analysis: Analysis, rows: str, column: str) -> list[str]:
    """Lines that bind `samples`: each group's name with its values of the column."""
    if analysis.tables:
        pairs = ", ".join(f"({name!r}, {identifier(name)}[{column!r}])" for name in analysis.tables)
        return [f"samples = [{pairs}]"]
    if analysis.values:
        values = f"for value in {list(analysis.values)!r}"
        return [f"samples = [(value, {rows}.loc[{rows}[{analysis.by!r}] == value, {column!r}]) {values}]"]
    missing = analysis.kind != "t-test"
    grouped = f"{rows}.groupby({analysis.by!r}, dropna={not missing}, observed=True)[{column!r}]"
    return [f"samples = [(name, sample) for name, sample in {grouped}]"]


def _comparison(analysis: Analysis, rows: str) -> list[str]:
    lines = [*_SUMMARY, "found = []"]
    for column in analysis.columns:
        lines += [
            *_samples(analysis, rows, column),
            f'found += [{{"group": name, "column": {column!r}, **summary(sample)}} for name, sample in samples]',
        ]
    return [
        *lines,
        "result = pd.DataFrame(found)",
        "findings = [",
        '    f"{name}: mean {mean:,.4f} of {column}, over {rows - missing} of {rows} rows"',
        '    for name, column, mean, rows, missing in result[["group", "column", "mean", "rows", "missing"]].head(5)'
        ".itertuples(index=False, name=None)",
        "]",
        *_PRINTED,
    ]


def _t_test(analysis: Analysis, rows: str) -> list[str]:
    (column,) = analysis.columns
    without = [] if analysis.by == "" else [f"ungrouped = int({rows}[{analysis.by!r}].isna().sum())"]
    told = [
        "if ungrouped:",
        f'    findings.append(f"{{ungrouped}} rows are left out: they have no " + {analysis.by!r})',
    ]
    return [
        "from scipy import stats",
        *_samples(analysis, rows, column),
        *without,
        *_WELCH,
        "if missing:",
        f'    findings.append(f"{{missing}} rows are left out: they have no " + {column!r})',
        *(told if without else []),
        *_PRINTED,
    ]


_CODE: dict[AnalysisKind, Callable[[Analysis, str], list[str]]] = {
    "correlations": _correlations,
    "distribution": _distribution,
    "outliers": _outliers,
    "comparison": _comparison,
    "t-test": _t_test,
}

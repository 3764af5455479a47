"""The summary in words: three to five sentences, made only of facts, every number of them looked up again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pandas_magic.errors import PandasMagicError
from pandas_magic.explore.report_content import ReportContent
from pandas_magic.explore.story import Story
from pandas_magic.reporters.rounded_numbers import rounded
from pandas_magic.reporters.value_text import counted

if TYPE_CHECKING:
    from pandas_magic.explore.advice import Advisor

Array = np.ndarray[Any, Any]

_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w])")
_SENTENCES = (3, 5)
_LISTED = 3
_STRONG = 0.3
_MEASURES = {"pearson": "Pearson", "cramers_v": "Cramér's V", "correlation_ratio": "correlation ratio"}


def story_of(report: ReportContent, advisor: Advisor | None = None) -> Story:
    """The summary; the advisor's words where every number in them is a fact, else our own."""
    confidence = "low" if _is_derived(report) else "high"
    if advisor is not None:
        try:
            written = split_sentences(advisor.summarise(report.facts()))
        except PandasMagicError:
            written = []  # a model that cannot be reached costs its words, not the report
        if _SENTENCES[0] <= len(written) <= _SENTENCES[1] and not unfounded(" ".join(written), report, names=True):
            return Story(tuple(written), "model", confidence)
    sentences = tuple(_sentences(report))
    wrong = unfounded(" ".join(sentences), report)
    assert not wrong, f"our own summary says {wrong}, which the report does not"
    return Story(sentences, "rules", confidence)


def split_sentences(text: str) -> list[str]:
    """The sentences of a text; a point inside a number or a name ends none."""
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\"'])", text.strip()) if part.strip()]


def unfounded(text: str, report: ReportContent, *, names: bool = False) -> list[str]:
    """The numbers in the text that no fact of the report bears out, exactly or rounded as written.

    With `names` also the quoted names that are neither the table, a column nor a class of the target.
    """
    unknown = _unknown_names(text, report) if names else []
    longest_first = sorted((name for name in report.document.columns_profile), key=len, reverse=True)
    for name in (report.table, *longest_first):
        text = text.replace(f'"{name}"', " ")
    known = list(_numbers(report.facts()))
    kinds = [column.kind for column in report.details.columns.values()]
    known += [float(kinds.count(kind)) for kind in set(kinds)]
    # "and 4 more" counts what is not listed.
    known += [float(size - _LISTED) for size in _sizes(report) if size > _LISTED]
    sizes = np.abs(np.array(known))
    return unknown + [written for written in _NUMBER.findall(text) if not _stands_for(written, sizes)]


def _unknown_names(text: str, report: ReportContent) -> list[str]:
    target = report.document.target
    classes = () if target is None or target.task_type == "regression" else target.class_counts
    known = {report.table, *report.document.columns_profile, *classes}
    return [name for name in re.findall(r'"([^"]+)"', text) if name.rstrip(".,;:") not in known]


def _sizes(report: ReportContent) -> list[int]:
    flags, target = report.document.flags, report.document.target
    classes = [target.n_classes] if target is not None and target.task_type != "regression" else []
    return [len(flags.possible_leakage), len(flags.high_missing), len(flags.high_cardinality), *classes]


def _stands_for(written: str, sizes: Array) -> bool:
    """Whether one of the numbers, without their signs, is written so."""
    plain = written.replace(",", "").lstrip("-")
    mantissa, _, exponent = plain.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    if not decimals and not exponent:
        return bool((np.rint(sizes) == float(plain)).any())
    # Half a unit of the last digit written, and a hair for binary fractions.
    unit = 10.0 ** (int(exponent or 0) - decimals)
    return bool((np.abs(sizes - float(plain)) <= 0.5 * unit * (1 + 1e-6)).any())


def _numbers(facts: Any) -> Iterator[float]:  # noqa: ANN401 - any JSON value
    if isinstance(facts, bool) or facts is None:
        return
    if isinstance(facts, int | float):
        yield float(facts)
    elif isinstance(facts, str):
        yield from (float(text.replace(",", "")) for text in _NUMBER.findall(facts))
    elif isinstance(facts, Mapping):
        yield float(len(facts))
        for part in facts.values():
            yield from _numbers(part)
    else:
        yield float(len(facts))
        if all(type(part) in (float, int) for part in facts):
            yield from map(float, facts)
        else:
            for part in facts:
                yield from _numbers(part)


def _is_derived(report: ReportContent) -> bool:
    target = report.details.target
    return (
        report.details.sampled.rows is not None
        or len(report.details.columns) < report.details.whole.columns
        or report.details.reading.read_bytes is not None
        or bool(report.document.meta.errors)
        or (target is not None and bool(target.doubt))
    )


def _sentences(report: ReportContent) -> Iterator[str]:
    yield _size(report)
    if report.document.target is not None:
        yield _task(report)
        if strongest := _strongest(report):
            yield strongest
    if not report.is_whole:
        return
    yield _flags(report)
    yield _next(report)


def _size(report: ReportContent) -> str:
    data, kinds = report.document.dataset, [column.kind for column in report.details.columns.values()]
    counted = [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(sorted(kinds, key=kinds.count, reverse=True))]
    columns = f"{data.n_cols} column{'' if data.n_cols == 1 else 's'}"
    rows = f"{data.n_rows:,} row{'' if data.n_rows == 1 else 's'}"
    return f'"{report.table}" has {rows} and {columns} ({", ".join(counted)}).'


def _task(report: ReportContent) -> str:
    target, details = report.document.target, report.details.target
    assert target is not None and details is not None
    doubt = f"; in doubt, since {details.doubt}" if details.doubt else ""
    if target.task_type == "regression":
        return (
            f'Predicting "{target.name}" is a regression: mean {rounded(target.summary.mean)}, '
            f"median {rounded(target.summary.median)}, {target.iqr_outliers:,} "
            f"outlier{'' if target.iqr_outliers == 1 else 's'}{doubt}."
        )
    if target.n_classes < 2:
        return f'Predicting "{target.name}" is not possible yet: {details.doubt}.'
    counts = list(target.class_counts.items())
    shown = ", ".join(f'"{label}" {count:,}' for label, count in counts[:_LISTED])
    more = f" and {target.n_classes - _LISTED} more" if target.n_classes > _LISTED else ""
    noun = "labels" if target.task_type == "multilabel" else "classes"
    balance = f"the largest {target.imbalance_ratio:.1f} × the smallest" if target.imbalance_ratio else "one only"
    return (
        f'Predicting "{target.name}" is a {target.task_type} with {target.n_classes} {noun} ({shown}{more}), '
        f"{balance}{doubt}."
    )


def _strongest(report: ReportContent) -> str:
    ties = [tie for tie in report.details.associations.to_target if abs(tie.value) >= _STRONG]
    leaky = set(report.document.flags.possible_leakage)
    named = [
        f'"{tie.feature}" ({_MEASURES.get(tie.measure, tie.measure)} {tie.value:.2f})'
        for tie in ties
        if tie.feature not in leaky
    ]
    return f"It goes most with {', '.join(named[:_LISTED])}." if named else ""


def _flags(report: ReportContent) -> str:
    flags, found = report.document.flags, list[str]()
    sampled = report.details.sampled.rows if report.details.is_estimated else None  # of few, long rows it has all
    of_sample = f" of the sample of {sampled:,}" if sampled else ""
    if flags.possible_leakage:
        found.append(f"possible leakage in {_listed(flags.possible_leakage)}")
    if flags.high_missing:
        first = flags.high_missing[0]
        share = report.document.columns_profile[first].pct_missing
        found.append(f"many gaps in {_listed(flags.high_missing)} (first: {share:.1f} % missing)")
    if flags.high_cardinality:
        found.append(f"many different values in {_listed(flags.high_cardinality)}")
    if report.details.duplicate_rows:
        found.append(f"{counted(report.details.duplicate_rows, 'duplicate row')}{of_sample}")
    gaps = report.details.missing.rows_with_gaps
    if gaps and not flags.high_missing:
        found.append(f"{counted(gaps, 'row')}{of_sample} with missing values")
    return f"To look at first: {'; '.join(found[:_LISTED])}." if found else "Nothing was flagged."


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:_LISTED])
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown


def _next(report: ReportContent) -> str:
    plan, target = report.details.plan, report.details.target
    if target is not None and target.doubt:
        return "Next, say what the target is meant to be."
    if report.document.flags.possible_leakage:
        return f"Next, decide about {_listed(report.document.flags.possible_leakage)} before any model is fitted."
    if plan.models:
        return f"Next, fit {plan.models[0]} with {plan.cross_validation.split(';')[0]} and {plan.metric}."
    if report.details.missing.rows_with_gaps:
        return "Next, decide how its missing values are filled, or name a target."
    return "Next, name a target, or turn what was found into checks."

"""How columns go together. Pearson is of all rows; the others of a seeded sample of large tables, and say so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pandas_magic.explore.confined.formulas import (
    Array,
    cramers_v,
    crosstab,
    mean_ranks,
    mutual_information,
    pearson,
)
from pandas_magic.explore.confined.groups import correlation_ratio, correlation_ratios
from pandas_magic.explore.confined.target import Target, binary_numbers
from pandas_magic.explore.confined.typed_column import TypedColumn

HIGH = 0.9  # the exploration brief, part E
SEED = 20_261_121
SAMPLE_ROWS = 20_000
_WORTH = 0.3  # weaker ties are not worth a line
FEWEST_ROWS = 10  # pairs with fewer rows in common are not judged
FEWEST_PER_GROUP = 5  # rows; among groups of one or two any measure differs nearly perfectly
_BLOCK_VALUES = 1 << 18  # two megabytes stay in the cache
_FEWEST_BLOCK_ROWS = 1 << 11
_SMALL_STD = 1e-70
_BINS = 10  # of a number, for the mutual information
_MOST_PAIRED_CATEGORIES = 30  # columns; their pairs grow with the square


@dataclass
class Associations:
    """All that is known of pairs. `matrix` is Pearson's, NaN where a pair is not judged."""

    names: list[str] = field(default_factory=list)
    matrix: Array = field(default_factory=lambda: np.empty((0, 0)))
    to_target: list[dict[str, Any]] = field(default_factory=list)  # feature, measure, value; the strongest first
    pairs: list[dict[str, Any]] = field(default_factory=list)  # f1, f2, measure, value; the strongest first
    sampled_rows: int | None = None  # None: every row counted


def sample_rows(rows: int, most: int = SAMPLE_ROWS) -> Array | slice:
    """Positions of a seeded sample without repeats, in order; all rows where there are no more than `most`."""
    if rows <= most:
        return slice(None)
    return np.sort(np.random.default_rng(SEED).choice(rows, most, replace=False))


def associations(columns: list[TypedColumn], target: Target | None) -> Associations:
    """Pearson, Spearman, Cramér's V, correlation ratio and mutual information of the columns given."""
    features = [column for column in columns if target is None or column.name != target.name]
    numeric = [column for column in features if column.is_number and column.unique > 1]
    rows = columns[0].rows if columns else 0
    found = Associations([column.name for column in numeric], pearson_matrix(numeric))
    picked = sample_rows(rows)
    found.sampled_rows = None if isinstance(picked, slice) else len(picked)
    found.pairs = _number_pairs(numeric, found.matrix, picked)
    found.pairs += _category_pairs([column for column in features if column.is_category], numeric, picked)
    found.pairs.sort(key=lambda pair: (-abs(pair["value"]), pair["f1"], pair["f2"]))
    if target is not None:
        found.to_target = _to_target(features, target, picked)
    return found


def pearson_matrix(columns: list[TypedColumn]) -> Array:
    """Pearson's correlations of numeric columns, each pair over the rows where both are present.

    Means of the pair's own rows, in one pass over blocks of rows: no copy of the table is made.
    """
    size = len(columns)
    if not size:
        return np.empty((0, 0))
    holey = np.array([at for at, column in enumerate(columns) if column.gaps is not None or column.infinite], dtype=int)
    count, first, second, product = (np.zeros((size, size)) for _ in range(4))
    rows = columns[0].rows
    step = max(_FEWEST_BLOCK_ROWS, _BLOCK_VALUES // size)
    for start in range(0, rows, step):
        block, there = _block(columns, slice(start, min(start + step, rows)), holey)
        # A column without gaps is present wherever the other one is: only holey ones need products of their own.
        squared, present = block * block, np.full(size, float(block.shape[1]))
        present[holey] = there.sum(axis=1)
        block_count = np.minimum.outer(present, present)
        block_count[np.ix_(holey, holey)] = there @ there.T
        block_first = np.repeat(block.sum(axis=1)[:, None], size, axis=1)
        block_second = np.repeat(squared.sum(axis=1)[:, None], size, axis=1)
        block_first[:, holey], block_second[:, holey] = block @ there.T, squared @ there.T
        # Sums of the row's column over the rows of the pair.
        count += block_count
        first += block_first
        second += block_second
        product += block @ block.T
    return _coefficients(count, first, second, product)


def _block(columns: list[TypedColumn], rows: slice, holey: Array) -> tuple[Array, Array]:
    """Deviations from the mean, a line per column, 0 where there is none; and 1.0 where the holey columns have one."""
    block = np.empty((len(columns), rows.stop - rows.start))
    there = np.ones((len(holey), block.shape[1]))
    for line, column in zip(block, columns, strict=True):
        assert column.numbers is not None
        np.subtract(column.numbers[rows], column.moments.mean or 0.0, out=line, dtype=np.float64, casting="unsafe")
        if column.moments.std and not _SMALL_STD < column.moments.std < 1 / _SMALL_STD:
            line /= column.moments.std  # squares and their products must be floats
    for at, mask in zip(holey, there, strict=True):
        gaps, line = columns[at].gaps, block[at]
        absent = ~np.isfinite(line) if gaps is None else gaps[rows] | ~np.isfinite(line)
        line[absent], mask[absent] = 0.0, 0.0
    return block, there


def _coefficients(count: Array, first: Array, second: Array, product: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = second - first**2 / count
        matrix = (product - first * first.T / count) / np.sqrt(spread * spread.T)
        # What is left of a constant is rounding: nothing can be correlated with it.
        flat = spread <= 1e-12 * second
    matrix[(count < FEWEST_ROWS) | flat | flat.T] = np.nan
    result: Array = np.clip(matrix, -1, 1)
    return result


def _number_pairs(columns: list[TypedColumn], matrix: Array, picked: Array | slice) -> list[dict[str, Any]]:
    """Pairs worth a second look, with Spearman's coefficient beside Pearson's."""
    pairs = []
    with np.errstate(invalid="ignore"):
        worth = np.argwhere(np.triu(np.abs(matrix) >= _WORTH, 1)).tolist()
    values = {at: columns[at].floats(picked) for at in {at for pair in worth for at in pair}}
    ranks = {at: None if np.isnan(each).any() else mean_ranks(each) for at, each in values.items()}
    for i, j in worth:
        pair = {"f1": columns[i].name, "f2": columns[j].name, "measure": "pearson", "value": float(matrix[i, j])}
        pairs.append(pair | {"spearman": _rank_correlation(values[i], values[j], ranks[i], ranks[j])})
    return pairs


def _rank_correlation(left: Array, right: Array, left_ranks: Array | None, right_ranks: Array | None) -> float | None:
    if left_ranks is not None and right_ranks is not None:
        return pearson(left_ranks, right_ranks)
    both = ~np.isnan(left) & ~np.isnan(right)
    return pearson(mean_ranks(left[both]), mean_ranks(right[both])) if both.sum() >= FEWEST_ROWS else None


def _category_pairs(
    categories: list[TypedColumn], numeric: list[TypedColumn], picked: Array | slice
) -> list[dict[str, Any]]:
    categories, numeric = categories[:_MOST_PAIRED_CATEGORIES], numeric[:_MOST_PAIRED_CATEGORIES]
    groupings = [(_codes(column)[picked].astype(np.int64), len(column.labels)) for column in categories]
    pairs = [
        _pair(categories[i], categories[j], "cramers_v", _cramers_v(groupings[i], groupings[j]))
        for i in range(len(categories))
        for j in range(i + 1, len(categories))
    ]
    measures = (column.floats(picked) for column in numeric)
    ratios = correlation_ratios(groupings, measures) if numeric else ()
    for category, of_category in zip(categories, ratios, strict=False):
        if category.present >= FEWEST_PER_GROUP * category.unique:
            told = zip(numeric, of_category.tolist(), strict=True)
            pairs += [_pair(category, column, "correlation_ratio", ratio) for column, ratio in told]
    return [pair for pair in pairs if pair["value"] is not None and pair["value"] >= _WORTH]


def _cramers_v(left: tuple[Array, int], right: tuple[Array, int]) -> float | None:
    return cramers_v(crosstab(left[0], right[0], left[1], right[1]), corrected=True)


def _pair(left: TypedColumn, right: TypedColumn, measure: str, value: float | None) -> dict[str, Any]:
    return {"f1": left.name, "f2": right.name, "measure": measure, "value": value}


def _to_target(features: list[TypedColumn], target: Target, picked: Array | slice) -> list[dict[str, Any]]:
    found = []
    for column in features:
        strength = strength_to(column, target)
        if strength is not None:
            measure, value = strength
            entry: dict[str, Any] = {"feature": column.name, "measure": measure, "value": value}
            found.append(entry | {"mutual_information": information_about(column, target, picked)})
    return sorted(found, key=lambda entry: (-abs(entry["value"]), entry["feature"]))


def strength_to(column: TypedColumn, target: Target) -> tuple[str, float] | None:
    """The measure that fits the pair, and its value over all rows; None where none can be judged."""
    if column.is_number:
        return _number_to_target(column, target)
    if not column.is_category or column.codes is None:
        return None
    if target.codes is not None and target.task_type == "classification":
        value = cramers_v(crosstab(column.codes, target.codes, len(column.labels), len(target.labels)), corrected=True)
        return None if value is None else ("cramers_v", value)
    if target.numbers is None:
        return None
    value = correlation_ratio(column.codes, target.numbers, len(column.labels))
    if value is None or column.present < FEWEST_PER_GROUP * column.unique:
        return None
    return ("correlation_ratio", value)


def _number_to_target(column: TypedColumn, target: Target) -> tuple[str, float] | None:
    numbers = target_numbers(target)
    values = column.floats()
    if numbers is not None:
        both = ~np.isnan(values) & ~np.isnan(numbers)
        value = pearson(values[both], numbers[both]) if both.sum() >= FEWEST_ROWS else None
        return None if value is None else ("pearson", value)
    if target.codes is None or target.task_type != "classification":
        return None
    if np.count_nonzero(~np.isnan(values) & (target.codes >= 0)) < FEWEST_PER_GROUP * len(target.labels):
        return None
    value = correlation_ratio(target.codes, values, len(target.labels))
    return None if value is None else ("correlation_ratio", value)


def target_numbers(target: Target) -> Array | None:
    """The target as numbers to correlate with: a measure, or two classes as 0 and 1; None for more classes."""
    return target.numbers if target.task_type == "regression" else binary_numbers(target)


def information_about(column: TypedColumn, target: Target, picked: Array | slice) -> float | None:
    """The mutual information in nats of column and target, numbers in ten bins of equal counts, on the sample."""
    if target.task_type == "multilabel":
        return None
    left = _binned(column.floats(picked)) if column.codes is None else _codes(column)[picked]
    if target.codes is not None:
        right, right_size = target.codes[picked], len(target.labels)
    elif target.numbers is not None:
        right = _binned(target.numbers[picked])
        right_size = _BINS
    else:
        return None
    return mutual_information(crosstab(left, right, max(len(column.labels), _BINS), max(right_size, 1)))


def _binned(values: Array) -> Array:
    present = ~np.isnan(values)
    codes = np.full(len(values), -1, dtype=np.int64)
    if present.any():
        edges = np.unique(np.quantile(values[present], np.linspace(0, 1, _BINS + 1)[1:-1]))
        codes[present] = np.searchsorted(edges, values[present])
    return codes


def _codes(column: TypedColumn) -> Array:
    assert column.codes is not None
    return column.codes

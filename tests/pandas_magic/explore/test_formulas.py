"""Every formula against an independent computation: SciPy, scikit-learn, pandas, statistics, or by hand."""

import math
import statistics
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from pandas_magic.explore.confined import formulas as ours
from pandas_magic.explore.confined import groups
from pandas_magic.explore.confined.associations import pearson_matrix
from pandas_magic.explore.confined.typed_column import TypedColumn
from tests.grids import Examples

FLOATS = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=5, max_size=60).filter(
    lambda values: np.std(values) > 1e-3 * (1 + abs(np.mean(values)))
)


def close(left: float | None, right: float) -> bool:
    return left is not None and math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.feature("C06")
@settings(max_examples=Examples.of(40), deadline=None)
@given(FLOATS)
def test_moments_agree_with_pandas_and_scipy(values: list[float]) -> None:
    found = ours.moments(np.array(values))
    assert close(found.mean, statistics.fmean(values))
    assert close(found.std, statistics.stdev(values))
    assert math.isclose(found.skew or 0.0, scipy.stats.skew(values, bias=False), rel_tol=1e-6, abs_tol=1e-6)
    assert math.isclose(found.kurtosis or 0.0, scipy.stats.kurtosis(values, bias=False), rel_tol=1e-6, abs_tol=1e-6)


def test_moments_of_64_bit_ids_keep_their_digits() -> None:
    base = 2**62 + 12345
    ids = np.array([base, base + 1, base + 2, base + 6], dtype=np.int64)
    exact = sum(Fraction(int(each)) for each in ids) / 4
    found = ours.moments(ids)
    assert found.mean == float(exact)
    assert close(found.std, statistics.stdev([0, 1, 2, 6]))


def test_moments_of_unsigned_and_small_integers_do_not_overflow() -> None:
    top = np.array([2**64 - 1, 2**64 - 3], dtype=np.uint64)
    assert ours.moments(top).mean == float(2**64 - 2)
    assert ours.moments(np.full(1000, 127, dtype=np.int8)).mean == 127.0
    wide = np.array([-(2**63), 2**63 - 1, 0], dtype=np.int64)
    assert close(ours.moments(wide).std, statistics.stdev([float(-(2**63)), float(2**63 - 1), 0.0]))


def test_moments_of_few_values_are_none_rather_than_wrong() -> None:
    assert ours.moments(np.array([])).mean is None
    assert ours.moments(np.array([5.0])) == ours.Moments(5.0, None, None, None)
    assert ours.moments(np.array([2.0, 2.0, 2.0, 2.0])) == ours.Moments(2.0, 0.0, None, None)


@pytest.mark.parametrize("size", [1e-300, 1e-120, 1e-60, 1e60, 1e120, 1e300])
def test_moments_of_the_smallest_and_largest_floats_neither_vanish_nor_overflow(size: float) -> None:
    values = np.array([1.0, 2.0, 4.0, 9.0, 9.5])
    found, plain = ours.moments(values * size), ours.moments(values)
    assert found.mean is not None and math.isclose(found.mean, plain.mean * size, rel_tol=1e-9)
    assert found.std is not None and math.isclose(found.std, plain.std * size, rel_tol=1e-9)
    assert close(found.skew, float(scipy.stats.skew(values, bias=False)))
    assert close(found.kurtosis, float(scipy.stats.kurtosis(values, bias=False)))


@pytest.mark.feature("C06")
@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_quantiles_are_those_of_numpy(share: float) -> None:
    values = np.sort(np.random.default_rng(1).normal(size=37))
    assert close(ours.quantile(values, share), float(np.quantile(values, share)))


def test_a_quantile_between_large_integers_stays_exact_where_it_falls_on_one() -> None:
    assert ours.quantile(np.array([2**60, 2**60 + 1, 2**60 + 5]), 0.5) == 2**60 + 1


@pytest.mark.feature("C08")
@settings(max_examples=Examples.of(40), deadline=None)
@given(FLOATS, st.integers(0, 2**31))
def test_correlations_agree_with_scipy(values: list[float], seed: int) -> None:
    left = np.array(values)
    right = np.random.default_rng(seed).permutation(left) + 0.5 * left
    if np.std(right) < 1e-3 * (1 + np.abs(right).max()):
        return
    assert close(ours.pearson(left, right), scipy.stats.pearsonr(left, right).statistic)
    assert close(ours.spearman(left, right), scipy.stats.spearmanr(left, right).statistic)
    assert ours.mean_ranks(left).tolist() == scipy.stats.rankdata(left).tolist()


@pytest.mark.feature("C08")
def test_cramers_v_agrees_with_scipy_and_a_worked_example() -> None:
    table = np.array([[10, 20, 30], [6, 9, 17]])
    assert close(ours.cramers_v(table), scipy.stats.contingency.association(table, method="cramer"))
    assert close(ours.chi_square(table), scipy.stats.chi2_contingency(table, correction=False).statistic)
    # By hand, Bergsma (2013): phi2 = chi2/n, less (r-1)(c-1)/(n-1); sides shrunk by (k-1)^2/(n-1).
    n, chi2 = 92, scipy.stats.chi2_contingency(table, correction=False).statistic
    phi2 = max(0, chi2 / n - 2 / 91)
    smaller = min(2 - 1 / 91, 3 - 4 / 91) - 1
    assert close(ours.cramers_v(table, corrected=True), math.sqrt(phi2 / smaller))


def test_measures_of_a_single_value_are_none() -> None:
    assert ours.cramers_v(np.array([[3, 4]])) is None
    assert ours.pearson(np.array([1.0, 1.0]), np.array([1.0, 2.0])) is None
    assert groups.correlation_ratio(np.array([0, 0]), np.array([1.0, 2.0]), 1) is None


@pytest.mark.feature("C08")
def test_correlation_ratio_is_the_root_of_anova_r_squared() -> None:
    random = np.random.default_rng(3)
    codes, values = random.integers(0, 3, 50), random.normal(size=50)
    f = scipy.stats.f_oneway(*(values[codes == code] for code in range(3))).statistic
    r_squared = f * 2 / (f * 2 + 47)
    assert close(groups.correlation_ratio(codes, values, 3), math.sqrt(r_squared))


@pytest.mark.feature("C08")
def test_mutual_information_agrees_with_scikit_learn() -> None:
    from sklearn.metrics import mutual_info_score

    random = np.random.default_rng(4)
    left, right = random.integers(0, 4, 300), random.integers(0, 3, 300)
    assert close(ours.mutual_information(ours.crosstab(left, right, 4, 3)), mutual_info_score(left, right))


def test_crosstab_leaves_out_missing_codes() -> None:
    table = ours.crosstab(np.array([0, 1, -1, 1]), np.array([0, 1, 1, -1]), 2, 2)
    assert table.tolist() == [[1, 0], [0, 1]]


def test_population_stability_of_a_worked_example() -> None:
    # Two bins, 50/50 against 80/20: (0.3) ln(1.6) + (-0.3) ln(0.4).
    expected = 0.3 * math.log(1.6) - 0.3 * math.log(0.4)
    assert close(ours.population_stability(np.array([50.0, 50.0]), np.array([80.0, 20.0])), expected)
    assert ours.population_stability(np.array([5.0, 5.0]), np.array([7.0, 7.0])) == 0.0


def test_kolmogorov_smirnov_agrees_with_scipy() -> None:
    random = np.random.default_rng(5)
    left, right = random.normal(size=80), random.normal(0.4, size=33)
    assert close(ours.kolmogorov_smirnov(left, right), scipy.stats.ks_2samp(left, right).statistic)


def test_pandas_says_the_same_of_a_frame_with_gaps() -> None:
    column = pd.Series([1.5, np.nan, 4.0, 4.0, 9.25, -3.0])
    found = ours.moments(column.dropna().to_numpy())
    assert close(found.skew, float(column.skew())) and close(found.kurtosis, float(column.kurt()))


@pytest.mark.feature("C08")
def test_correlation_ratios_of_many_columns_are_those_of_each() -> None:
    random = np.random.default_rng(6)
    few, many = random.integers(-1, 4, 120), random.integers(-1, 30, 120)
    matrix = random.normal(1e6, 1, size=(120, 3))
    matrix[random.random((120, 3)) < 0.2] = np.nan
    matrix[:, 2] = 5.0
    groupings = [(few, 4), (many, 30), (np.zeros(120, int), 1), (np.full(120, -1), 0)]
    found = groups.correlation_ratios(groupings, matrix.T)
    for (codes, size), ratios in zip(groupings[:2], found, strict=False):
        for column in range(2):
            assert close(float(ratios[column]), groups.correlation_ratio(codes, matrix[:, column], size) or math.nan)
    assert np.isnan(found[0][2]) and np.isnan(found[2]).all() and np.isnan(found[3]).all()


@pytest.mark.feature("C08")
@pytest.mark.parametrize("size", [1e-300, 1e-180, 1e180, 1e300])
def test_correlations_of_the_smallest_and_largest_floats_are_those_of_the_same_shape(size: float) -> None:
    random = np.random.default_rng(8)
    left, right, codes = random.normal(size=60), random.normal(size=60), random.integers(0, 3, 60)
    left /= np.abs(left).max()
    assert close(ours.pearson(left * size, right), float(scipy.stats.pearsonr(left, right).statistic))
    expected = groups.correlation_ratio(codes, left, 3)
    assert expected is not None and close(groups.correlation_ratio(codes, left * size, 3), expected)
    columns = [TypedColumn("l", "float64", 60, numbers=left * size), TypedColumn("r", "float64", 60, numbers=right)]
    assert close(float(pearson_matrix(columns)[0, 1]), float(scipy.stats.pearsonr(left, right).statistic))


def test_what_rounding_leaves_of_a_constant_is_no_correlation() -> None:
    assert ours.pearson(np.full(10, 0.1), np.arange(10.0)) is None
    assert ours.pearson(np.array([1e9, 1e9 + 1e-5] * 5), np.array([0.0, 1.0] * 5)) == pytest.approx(1.0)

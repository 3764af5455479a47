"""Expectations that no rule of ours says, with the reason for each; every other one is in `equivalents`."""

_TEST = "it is a test of a distribution, and rules have none"
_READS = "which texts it takes is what a parser of Python takes, which no rule states"
_DTYPE = "it is about the dtype or the Python type of a value, and a rule knows kinds of values"
_TABLES = "it compares with what another query or table gives"

UNSAID = {
    "expect_column_kl_divergence_to_be_less_than": _TEST,
    "expect_column_chisquare_test_p_value_to_be_greater_than": _TEST,
    "expect_column_bootstrapped_ks_test_p_value_to_be_greater_than": _TEST,
    "expect_column_parameterized_distribution_ks_test_p_value_to_be_greater_than": _TEST,
    "expect_column_pair_cramers_phi_value_to_be_less_than": _TEST,
    "expect_column_values_to_not_be_outliers": "it is about outliers by bounds of its own; say a z-score",
    "expect_column_values_to_be_dateutil_parseable": _READS,
    "expect_column_values_to_be_json_parseable": _READS,
    "expect_column_values_to_match_json_schema": _READS,
    "expect_column_values_to_match_strftime_format": _READS,
    "expect_column_values_to_be_of_type": _DTYPE,
    "expect_column_values_to_be_in_type_list": _DTYPE,
    "expect_column_type_to_be": _DTYPE,
    "expect_column_most_common_value_to_be_in_set": "no statistic of ours is the most common value",
    "expect_column_quantile_values_to_be_between": "its quantile is the nearest value, that of a rule between two",
    "expect_table_column_count_to_be_between": "a rule says which columns there are, not how many",
    "expect_table_column_count_to_equal": "a rule says which columns there are, not how many",
    "expect_table_row_count_to_equal_other_table": _TABLES,
    "expect_query_results_to_match_comparison": _TABLES,
    "unexpected_rows_expectation": "it is a query in SQL, which is not read here",
}


def why_unsaid(kind: str) -> str:
    """Why no rule of ours says the expectation, in one clause."""
    return f"no rule of ours says this expectation: {UNSAID.get(kind, 'it is none of its own, or a later one')}"

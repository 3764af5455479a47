"""Names that Great Expectations gives, shared by what writes and what reads its suites."""

# Our statistic and the expectation about it.
STATISTICS = {
    "mean": "expect_column_mean_to_be_between",
    "median": "expect_column_median_to_be_between",
    "sum": "expect_column_sum_to_be_between",
    "std": "expect_column_stdev_to_be_between",
    "min": "expect_column_min_to_be_between",
    "max": "expect_column_max_to_be_between",
    "distinct": "expect_column_unique_value_count_to_be_between",
}
# Its three severities for our four; the exact one stands in the mark.
SEVERITIES = {"critical": "critical", "high": "critical", "medium": "warning", "low": "info"}
OUR_SEVERITIES = {"critical": "critical", "warning": "medium", "info": "low"}
# Statistics that do not exist where no row has a value, and what is said of expectations about them.
MISSING_WITHOUT_VALUES = (
    *(STATISTICS[name] for name in ("mean", "median", "std", "min", "max")),
    "expect_column_proportion_of_unique_values_to_be_between",
)
WITHOUT_VALUES = "a column without any value fails it there and passes here"

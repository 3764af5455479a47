"""The engines and what each spells differently, as data.

Snowflake and BigQuery are written and parsed in tests; nothing here has run on them.
"""

from dataclasses import replace

from pandas_magic.checking.engines.dialect import EXACT_IN_DOUBLE, EngineDialect
from pandas_magic.checking.engines.portable_patterns import SPACES

# Where lower() does the same everywhere, final sigma and dotted I apart: Latin, Greek, Cyrillic; scripts without case.
_FOLDS_ALIKE = (
    "[\\x{{1}}-\\x{{12F}}\\x{{131}}-\\x{{3A2}}\\x{{3A4}}-\\x{{52F}}\\x{{3000}}-\\x{{9FFF}}\\x{{AC00}}-\\x{{D7A3}}]*"
)
_UNEXACT = "a whole number beyond 2**53 beside a fraction"
_BEYOND_EXACT = f"{{0}} > {EXACT_IN_DOUBLE} OR {{0}} < -{EXACT_IN_DOUBLE}"

DUCKDB = EngineDialect(
    "DuckDB",
    {
        "infinity": "CAST('Infinity' AS DOUBLE)",
        "minus_zero": "(CAST({0} AS VARCHAR) LIKE '-%')",
        "moment": "TIMESTAMP '{0}'",
        "moment_in_UTC": "TIMESTAMPTZ '{0}'",
        "double": "CAST({0} AS DOUBLE)",
        "exact_double": f"(CASE WHEN {_BEYOND_EXACT} THEN error('{_UNEXACT}') ELSE CAST({{0}} AS DOUBLE) END)",
        "finite_only": "(CASE WHEN isinf({0}) THEN error('a quantile of infinities') ELSE {0} END)",
        "ascii_only": "(CASE WHEN strlen({0}) = length({0}) THEN {0} WHEN {0} IS NOT NULL "
        "THEN error('case beyond ASCII') END)",
        "no_nan": "nullif({0}, CAST('NaN' AS DOUBLE))",
        "is_finite": "isfinite({0})",
        "is_whole": "(isfinite({0}) AND {0} = floor({0}))",
        "same": "{0} IS NOT DISTINCT FROM {1}",
        "matches": "regexp_full_match({0}, {1})",
        "matches_folded": "regexp_full_match({0}, {1}, 'i')",
        "start": "starts_with({0}, {1})",
        "end": "ends_with({0}, {1})",
        "anywhere": "contains({0}, {1})",
        "lower": f"(CASE WHEN regexp_full_match({{0}}, '{_FOLDS_ALIKE}') THEN lower({{0}}) "
        "WHEN {0} IS NOT NULL THEN error('case of such letters') END)",
        "strip": f"trim({{0}}, '{SPACES}')",
        "length": "length({0})",
        "as_it_is": "{0}",
        "to_zone": "({0} AT TIME ZONE {1})",
        "from_zone": "({0} AT TIME ZONE {1})",
        "part": "date_part('{0}', {1})",
        "part_date": "CAST(date_trunc('day', {0}) AS TIMESTAMP)",
        "micros": "epoch_us({0})",
        "plus_micros": "({0} + to_microseconds(CAST({1} AS BIGINT)))",
        "plus_months": "({0} + to_months({1}))",
        "read_number": "CAST({0} AS DOUBLE)",
        "read_moment": "CAST(CASE WHEN length({0}) = 16 THEN {0} || ':00' ELSE {0} END AS TIMESTAMP)",
        "read_time": "epoch_us(CAST(CASE WHEN length({0}) < 6 THEN {0} || ':00' ELSE {0} END AS TIME))",
        "whole_result": "{0}",
        "sum_whole": "sum({0})",
        # Compensated, as the sum of Python is; infinities would make that nothing.
        "sum": "CASE WHEN isinf(sum({0})) OR isnan(sum({0})) THEN sum({0}) ELSE fsum({0}) END",
        "std": "stddev_samp({0})",
        "quantile": "quantile_cont({0}, {1})",
        "hash": "hash({0})",
    },
    parts={"weekday": "isodow"},
)

POSTGRES = replace(DUCKDB, joins_missing=False).but(
    "PostgreSQL",
    lacks=("hash",),
    infinity="CAST('Infinity' AS double precision)",
    double="CAST({0} AS double precision)",
    exact_double=f"(CASE WHEN {_BEYOND_EXACT} THEN CAST({{0}} || ' {_UNEXACT}' AS double precision) "
    "ELSE CAST({0} AS double precision) END)",
    finite_only="(CASE WHEN abs({0}) = CAST('Infinity' AS double precision) "
    "THEN CAST({0} || ' in a quantile' AS double precision) ELSE {0} END)",
    ascii_only="(CASE WHEN octet_length({0}) = length({0}) THEN {0} WHEN {0} IS NOT NULL "
    "THEN CAST(CAST('case beyond ASCII' || left({0}, 0) AS integer) AS text) END)",
    no_nan="nullif({0}, CAST('NaN' AS double precision))",
    is_finite="(abs({0}) < CAST('Infinity' AS double precision))",
    is_whole="(abs({0}) < CAST('Infinity' AS double precision) AND {0} = floor({0}))",
    matches="({0} ~ ('^(?:' || {1} || ')$'))",
    matches_folded="({0} ~* ('^(?:' || {1} || ')$'))",
    lower="(CASE WHEN octet_length({0}) = length({0}) THEN lower({0}) WHEN {0} IS NOT NULL "
    "THEN CAST(CAST('case beyond ASCII' || left({0}, 0) AS integer) AS text) END)",
    start="(left({0}, length({1})) = {1})",
    end="(right({0}, length({1})) = {1})",
    anywhere="(position({1} in {0}) > 0)",
    strip=f"btrim({{0}}, '{SPACES}')",
    plain_text='{0} COLLATE "C"',
    part="CAST(extract({0} from {1}) AS bigint)",
    part_date="date_trunc('day', {0})",
    micros="CAST(extract(epoch from {0}) * 1000000 AS bigint)",
    plus_micros="({0} + ({1}) * interval '1 microsecond')",
    plus_months="({0} + ({1}) * interval '1 month')",
    read_number="CAST({0} AS double precision)",
    read_moment="CAST({0} AS timestamp)",
    read_time="CAST(extract(epoch from CAST({0} AS time)) * 1000000 AS bigint)",
    sum_whole="sum(CAST({0} AS numeric))",
    sum="sum({0})",
    quantile="percentile_cont({1}) WITHIN GROUP (ORDER BY {0})",
)

_BACKSLASHED = (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"))
_NOT_SQLITE = (
    "minus_zero",
    *("moment", "moment_in_UTC", "matches", "matches_folded", "ascii_only", "hash", "std", "quantile", "finite_only"),
    *("to_zone", "from_zone", "part", "part_date", "micros", "plus_micros", "plus_months", "read_moment", "read_time"),
)
# An error for one row: constants alone might be worked out before any row is seen.
_SQLITE_RAISES = "abs(-9223372036854775807 - ({0} IS NOT NULL))"
SQLITE = replace(DUCKDB, kinds=DUCKDB.kinds - {"datetime"}, joins_missing=False, holds_nan=False).but(
    "SQLite",
    lacks=_NOT_SQLITE,
    infinity="9e999",
    double="CAST({0} AS REAL)",
    exact_double=f"(CASE WHEN {_BEYOND_EXACT} THEN {_SQLITE_RAISES} ELSE CAST({{0}} AS REAL) END)",
    no_nan="{0}",
    is_finite="(abs({0}) < 9e999)",
    is_whole=f"(abs({{0}}) < 9e999 AND CASE WHEN abs({{0}}) < {EXACT_IN_DOUBLE} "
    "THEN {0} = CAST({0} AS INTEGER) ELSE 1 END)",
    same="{0} IS {1}",
    lower="(CASE WHEN length(CAST({0} AS BLOB)) = length({0}) THEN lower({0}) "
    f"WHEN {{0}} IS NOT NULL THEN {_SQLITE_RAISES} END)",
    start="(substr({0}, 1, length({1})) = {1})",
    end="(length({0}) >= length({1}) AND substr({0}, 1 + length({0}) - length({1})) = {1})",
    anywhere="(instr({0}, {1}) > 0)",
    whole_result=f"(CASE WHEN typeof({{0}}) = 'real' THEN {_SQLITE_RAISES} ELSE {{0}} END)",
    length=f"(CASE WHEN instr({{0}}, char(0)) > 0 THEN {_SQLITE_RAISES} ELSE length({{0}}) END)",
    sum="sum({0})",
)

SPARK = replace(DUCKDB, quote_mark="`", escapes=_BACKSLASHED).but(
    "Spark",
    minus_zero="(CAST({0} AS STRING) LIKE '-%')",
    moment="TIMESTAMP_NTZ '{0}'",
    moment_in_UTC="TIMESTAMP '{0}'",
    exact_double=f"(CASE WHEN {_BEYOND_EXACT} THEN raise_error('{_UNEXACT}') ELSE CAST({{0}} AS DOUBLE) END)",
    finite_only="(CASE WHEN abs({0}) = CAST('Infinity' AS DOUBLE) THEN raise_error('a quantile of infinities') "
    "ELSE {0} END)",
    ascii_only="(CASE WHEN octet_length({0}) = length({0}) THEN {0} WHEN {0} IS NOT NULL "
    "THEN raise_error('case beyond ASCII') END)",
    is_finite="(abs({0}) < CAST('Infinity' AS DOUBLE))",
    is_whole="(abs({0}) < CAST('Infinity' AS DOUBLE) AND {0} = floor({0}))",
    same="{0} <=> {1}",
    matches="({0} RLIKE concat('^(?:', {1}, ')\\\\z'))",
    matches_folded="({0} RLIKE concat('(?i)^(?:', {1}, ')\\\\z'))",
    lower="(CASE WHEN octet_length({0}) = length({0}) THEN lower({0}) WHEN {0} IS NOT NULL "
    "THEN raise_error('case beyond ASCII') END)",
    start="startswith({0}, {1})",
    end="endswith({0}, {1})",
    strip=f"trim(BOTH '{SPACES}' FROM {{0}})",
    to_zone="convert_timezone('UTC', {1}, to_timestamp_ntz({0}))",
    from_zone="to_timestamp(convert_timezone({1}, 'UTC', {0}))",
    part="CAST(extract({0} FROM {1}) AS BIGINT)",
    part_weekday="(weekday({0}) + 1)",
    part_date="CAST(date_trunc('DAY', {0}) AS TIMESTAMP_NTZ)",
    micros="unix_micros(CAST({0} AS TIMESTAMP))",
    plus_micros="timestampadd(MICROSECOND, {1}, {0})",
    plus_months="timestampadd(MONTH, {1}, {0})",
    read_moment="to_timestamp_ntz({0})",
    read_time="(unix_micros(CAST(to_timestamp_ntz(concat('1970-01-01 ', {0})) AS TIMESTAMP)) "
    "- unix_micros(CAST(TIMESTAMP_NTZ '1970-01-01 00:00:00' AS TIMESTAMP)))",
    sum_whole="sum(CAST({0} AS DECIMAL(38, 0)))",
    sum="sum({0})",
    quantile="percentile_cont({1}) WITHIN GROUP (ORDER BY {0})",
    hash="xxhash64({0})",
)

SNOWFLAKE = replace(DUCKDB, escapes=_BACKSLASHED, joins_missing=False).but(
    "Snowflake",
    lacks=("finite_only", "exact_double", "ascii_only", "matches_folded", "lower", "read_time"),
    moment="CAST('{0}' AS TIMESTAMP_NTZ)",
    moment_in_UTC="CAST('{0}' AS TIMESTAMP_TZ)",
    infinity="CAST('inf' AS DOUBLE)",
    no_nan="nullif({0}, CAST('NaN' AS DOUBLE))",
    is_finite="(abs({0}) < CAST('inf' AS DOUBLE))",
    is_whole="(abs({0}) < CAST('inf' AS DOUBLE) AND {0} = floor({0}))",
    matches="REGEXP_LIKE({0}, {1})",
    start="startswith({0}, {1})",
    end="endswith({0}, {1})",
    to_zone="CAST(convert_timezone({1}, {0}) AS TIMESTAMP_NTZ)",
    from_zone="convert_timezone({1}, 'UTC', {0})",
    part_weekday="dayofweekiso({0})",
    part_week="weekiso({0})",
    part_date="date_trunc('day', {0})",
    micros="date_part('epoch_microsecond', {0})",
    plus_micros="dateadd('microsecond', {1}, {0})",
    plus_months="add_months({0}, {1})",
    read_moment="CAST({0} AS TIMESTAMP_NTZ)",
    sum="sum({0})",
    quantile="percentile_cont({1}) WITHIN GROUP (ORDER BY {0})",
)

BIGQUERY = replace(DUCKDB, quote_mark="`", escapes=_BACKSLASHED, joins_missing=False).but(
    "BigQuery",
    lacks=("quantile", "read_time"),
    minus_zero="(CAST({0} AS STRING) LIKE '-%')",
    moment="DATETIME '{0}'",
    moment_in_UTC="TIMESTAMP '{0}'",
    infinity="CAST('Infinity' AS FLOAT64)",
    double="CAST({0} AS FLOAT64)",
    exact_double=f"(CASE WHEN {_BEYOND_EXACT} THEN ERROR('{_UNEXACT}') ELSE CAST({{0}} AS FLOAT64) END)",
    finite_only="(CASE WHEN IS_INF({0}) THEN ERROR('a quantile of infinities') ELSE {0} END)",
    ascii_only="(CASE WHEN byte_length({0}) = length({0}) THEN {0} WHEN {0} IS NOT NULL "
    "THEN ERROR('case beyond ASCII') END)",
    no_nan="nullif({0}, CAST('NaN' AS FLOAT64))",
    is_finite="(NOT IS_INF({0}))",
    is_whole="(NOT IS_INF({0}) AND {0} = floor({0}))",
    matches="REGEXP_CONTAINS({0}, CONCAT('^(?:', {1}, r')\\z'))",
    matches_folded="REGEXP_CONTAINS({0}, CONCAT('(?i)^(?:', {1}, r')\\z'))",
    lower="(CASE WHEN byte_length({0}) = length({0}) THEN lower({0}) WHEN {0} IS NOT NULL "
    "THEN ERROR('case beyond ASCII') END)",
    anywhere="(strpos({0}, {1}) > 0)",
    to_zone="DATETIME({0}, {1})",
    from_zone="TIMESTAMP({0}, {1})",
    part="EXTRACT({0} FROM {1})",
    part_weekday="(1 + MOD(EXTRACT(DAYOFWEEK FROM {0}) + 5, 7))",
    part_week="EXTRACT(ISOWEEK FROM {0})",
    part_date="DATETIME_TRUNC({0}, DAY)",
    micros="UNIX_MICROS(TIMESTAMP({0}))",
    plus_micros="({0} + INTERVAL ({1}) MICROSECOND)",
    plus_months="DATETIME_ADD({0}, INTERVAL {1} MONTH)",
    read_number="CAST({0} AS FLOAT64)",
    read_moment="CAST({0} AS DATETIME)",
    sum="sum({0})",
    sum_whole="sum(CAST({0} AS BIGNUMERIC))",
)

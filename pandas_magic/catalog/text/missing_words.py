"""Words that are written where a value is missing, what is said of them, and the one that is a country's code, too."""

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

# What pandas.read_csv takes for a missing value, so that a table reads here as it does by hand; and what MySQL and
# PostgreSQL write for NULL.
MISSING = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null", "\\N",
)  # fmt: skip
CODE = "NA"  # Namibia
_LEAST_CODES = 2  # beside it
_PROBE_VALUES = 1_000


def are_codes(values: pa.ChunkedArray) -> bool:
    """Whether all values are codes of two capital letters, and not the same one."""
    if not pa.types.is_string(values.type) and not pa.types.is_large_string(values.type):
        return False
    for some in (values.slice(0, _PROBE_VALUES), values):
        if not pc.all(pc.match_substring_regex(some, "^[A-Z]{2}$"), min_count=0).as_py():
            return False
    return len(values.unique().drop_null()) >= _LEAST_CODES


def said_of_code() -> str:
    """What is said where the code is no gap."""
    return f'"{CODE}" is a code as the others are; say missing = ["", "{CODE}"] where nothing is meant by it'


def said_of_words(words: Collection[str]) -> str:
    """What is said of words in a column of texts that were taken for gaps; "" where there are none."""
    found = [f'"{word}"' for word in MISSING if word and word in words]
    are = "is" if len(found) == 1 else "are"
    return f'{", ".join(found)} {are} read as missing; say missing = [""] where it is a text' if found else ""

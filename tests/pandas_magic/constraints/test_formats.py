"""Named formats match their valid examples and none of their invalid ones, in every regex engine that may run them."""

import re

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pandas_magic.constraints import FORMATS, Column, Matches, RowRule, render_code
from pandas_magic.constraints.algebra.patterns import explicit, pattern_problem
from tests.pandas_magic.constraints.random_rules import DTYPES, tables
from tests.pandas_magic.constraints.run_code import found_by

NOW = pd.Timestamp("2026-03-30")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("dtypes", ["numpy", "old", "nullable", "arrow", "small"])
def test_code_flags_the_invalid_examples_only(name: str, dtypes: str) -> None:
    known = FORMATS[name]
    texts = pd.Series([*known.valid, *known.invalid, None], dtype=object).astype(DTYPES[dtypes]["text"])
    rule = RowRule(table="t", must=Matches(of=Column(name="s"), pattern=known.pattern, format=name))
    code = render_code(rule, tables(DTYPES[dtypes]))
    found = found_by(code, {"t": pd.DataFrame({"s": texts})}, NOW, NOW)
    assert list(found.index) == list(range(len(known.valid), len(texts) - 1))


@pytest.mark.parametrize("name", FORMATS)
def test_pattern_is_understood_alike_by_python_and_re2(name: str) -> None:
    known = FORMATS[name]
    assert pattern_problem(known.pattern) is None
    for text in (*known.valid, *known.invalid):
        by_re2 = pc.match_substring_regex(pa.array([text]), pattern=f"^(?:{known.pattern})$")[0].as_py()
        assert by_re2 == (re.fullmatch(known.pattern, text) is not None)


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        (r"\d+", "[0-9]+"),
        (r"[\d.]+", "[0-9.]+"),
        (r"\\d", r"\\d"),
        (r"\D", "[^0-9]"),
        (r"\w", "[A-Za-z0-9_]"),
        ("^ab$", "ab"),
        ("^a|b$", "(?:^a|b$)"),
        (r"a\$", r"a\$"),
        (r"[\]\d]", r"[\]0-9]"),
    ],
)
def test_digits_and_anchors_are_spelt_out(pattern: str, meant: str) -> None:
    assert explicit(pattern) == meant

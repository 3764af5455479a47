"""What a text is compared with is folded as the text is: "ignoring case must be 'Berlin'" means every Berlin."""

import pandas as pd
import pytest

from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.constraints import describe, render_code, violating_rows
from pandas_magic.planner.language.canonical import read_canonical
from tests.pandas_magic.constraints.random_rules import NOW, UTC_NOW
from tests.pandas_magic.constraints.run_code import found_by

CITIES = ["Berlin", "BERLIN", "paris", " Rome ", "ΑΘΗΝΑΣ", "Αθηνας", "İzmir", "izmir", None]
CASES = [
    ("t: city ignoring case must be one of 'Berlin', 'Paris'", [3, 4, 5, 6, 7]),
    ("t: city ignoring case must not be 'Berlin'", [0, 1]),
    ("t: 'Paris' must equal city ignoring case", [0, 1, 3, 4, 5, 6, 7]),
    ("t: city ignoring case must be 'ΑΘΗΝΑΣ'", [0, 1, 2, 3, 5, 6, 7]),
    ("t where city ignoring case is 'İZMİR': city must be missing", [6, 7]),
    ("t: city ignoring outer spaces must be none of ' Rome'", [3]),
    ("t: (city ignoring case) ignoring outer spaces must not be ' ROME '", [3]),
    ("t: city must not start with 'BER' ignoring case", [0, 1]),
    ("t: city must not end with 'ΝΑΣ' ignoring case", [4]),
    ("t: city ignoring case must be unique", [0, 1, 6, 7]),
]


@pytest.mark.parametrize(("sentence", "expected"), CASES)
def test_texts_and_what_they_are_compared_with_are_folded_alike(sentence: str, expected: list[int]) -> None:
    rule = read_canonical(sentence)
    assert rule is not None and read_canonical(describe(rule)) == rule
    frames = {"t": pd.DataFrame({"city": pd.Series(CITIES, dtype="str")})}
    tables = {"t": describe_frame("t", frames["t"])}
    found = list(found_by(render_code(rule, tables), frames, NOW, UTC_NOW).index)
    assert (found, violating_rows(rule, frames, NOW, UTC_NOW)) == (expected, expected)

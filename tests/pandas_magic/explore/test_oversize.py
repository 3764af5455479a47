"""A table too large for an exploration is asked about, and its part is said to be one."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pandas_magic import profile
from pandas_magic.explore import oversize
from pandas_magic.explore.exploration_request import Constraints
from pandas_magic.explore.oversize import fitted, question_about
from pandas_magic.explore.subject import Subject
from pandas_magic.explore.unfinished import NeedsConfirmation

SMALL = Constraints(memory_mb=1)
ROWS = 100_000


@pytest.fixture
def large() -> pd.DataFrame:
    return pd.DataFrame({"n": np.arange(ROWS), "x": np.arange(ROWS) % 7})


@pytest.mark.feature("C34")
def test_a_sample_that_fits_is_offered_and_says_of_what(large: pd.DataFrame) -> None:
    subject = Subject("t", frame=large)
    assert question_about(subject, Constraints()) == "" and fitted(subject, Constraints()) is subject
    told = "t has 2 MiB, too many for an exploration in 1 MiB: a sample of 49,152 rows would be explored."
    assert question_about(subject, SMALL) == told
    part = fitted(subject, SMALL)
    assert part.frame is not None and len(part.frame) == 49_152 and part.frame.index.is_monotonic_increasing
    assert part.described()["whole_rows"] == ROWS and question_about(part, SMALL) == ""


@pytest.mark.feature("C34")
def test_a_large_table_is_explored_in_part_after_yes(large: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oversize, "_OF_FRAMES", 16 * 1000 / 2**31)
    with pytest.raises(NeedsConfirmation, match=r"a sample of 1,000 rows would be explored.*--yes"):
        profile(large)
    report = profile(large, yes=True, inputs={"plot_limit": 0})
    assert report.document.dataset.n_rows == 1000 and "a sample of 1,000 of 100,000 rows" in report.document.noted()
    assert report.summary.text.endswith("(confidence: low)")


@pytest.mark.feature("C12", "C34")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_of_a_large_file_the_first_whole_lines_are_read_after_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    path = tmp_path / "long.csv"
    path.write_text("n,who\n" + "".join(f"{n},é{n % 3}\n" for n in range(9000)), encoding=encoding)
    monkeypatch.setattr(oversize, "_OF_FILES", 20_000 / 2**31)
    monkeypatch.setattr(oversize, "sketches_are_installed", lambda: False)
    with pytest.raises(NeedsConfirmation, match="its first rows would be explored"):
        profile(path)
    report = profile(path, yes=True, inputs={"plot_limit": 0})
    rows = report.document.dataset.n_rows
    assert 1000 < rows < 3000 and report.document.columns_profile["n"].summary.model_dump()["max"] == rows - 1
    assert report.document.columns_profile["who"].unique == 3
    assert any(note.startswith("only the first ") and "bytes were read" in note for note in report.document.noted())
    assert report.summary.confidence == "low"

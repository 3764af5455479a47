"""The Python interface: files and frames explored in the sandbox, with the limits that a person says."""

import re
from pathlib import Path

import pandas as pd
import pytest

import pandas_magic
from pandas_magic.errors import TableUnreadable, UsageMistake
from pandas_magic.explore.unfinished import ExplorationFailed


@pytest.mark.feature("C35")
def test_a_broken_file_is_refused_by_the_sandbox_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1 nonsense PAR1")
    with pytest.raises(TableUnreadable, match=r"broken\.parquet does not parse as PARQUET"):
        pandas_magic.profile(path)


@pytest.mark.feature("C12")
def test_encoding_delimiter_and_lost_lines_are_found_and_said(tmp_path: Path) -> None:
    path = tmp_path / "caffè; rm.csv"
    rows = "".join(f"{n};città {n % 3}\n" for n in range(30))
    path.write_bytes(f"n;città\n{rows}1;2;3\n".encode("cp1252"))
    report = pandas_magic.profile(path, inputs={"plot_limit": 0}, max_follow_ups=0)
    reading = report.details.reading
    assert (reading.encoding, reading.delimiter, reading.ragged_lines) == ("cp1252", ";", 1)
    assert report.document.dataset.columns == ("n", "città") and report.document.dataset.n_rows == 30
    assert any("Windows-1252" in note for note in report.document.noted())
    assert any(note.startswith("1 line had another number of fields") for note in report.document.noted())


@pytest.mark.feature("C13")
def test_what_all_values_of_a_file_agree_on_is_read_so_and_noted(tmp_path: Path) -> None:
    rows = "".join(f"{n},5;{n},100;{n} %;{n % 28 + 1:02}/03/2024 1{n % 10}:30\n" for n in range(1, 60))
    (tmp_path / "sold.csv").write_text(f"price;either;share;day\n{rows}")
    report = pandas_magic.profile(tmp_path / "sold.csv", constraints={"timeout_seconds": 120})
    columns = report.document.columns_profile
    assert {name: column.summary.kind for name, column in columns.items()} == {
        **{"price": "numeric", "day": "datetime"},
        **{"either": "categorical", "share": "categorical"},  # a thousand or a fraction; percents or shares
    }
    assert columns["price"].summary.model_extra["max"] == 59.5
    notes = report.document.noted()
    assert 'price: all its texts are numeric with a decimal comma, like "1,5", and are read so' in notes


@pytest.mark.feature("C34")
def test_names_of_files_and_columns_never_become_paths(tmp_path: Path) -> None:
    path = tmp_path / "..%2F..%2Fetc $(reboot).csv"
    path.write_text("../../x $(reboot),y\n" + "".join(f"{n % 9},{n % 7}\n" for n in range(40)))
    report = pandas_magic.profile(path, "y", folder=tmp_path / "out", max_follow_ups=0)
    written = {each.name for each in (tmp_path / "out").rglob("*") if each.is_file()}
    assert "histogram_x_reboot.svg" in written
    assert all(re.fullmatch(r"[A-Za-z0-9_.]+", name) for name in written)
    assert {each for each in tmp_path.iterdir()} == {path, tmp_path / "out"}
    assert report.document.dataset.columns == ("../../x $(reboot)", "y")


def test_columns_of_mixed_kinds_and_repeated_names_are_explored_and_said() -> None:
    frame = pd.DataFrame([[1, [1, 2], 5], ["x", None, 6], [2.5, {"a": 1}, 7]], columns=["m", "l", "m"])
    report = pandas_magic.profile(frame, inputs={"plot_limit": 0})
    assert report.document.dataset.columns == ("m", "l", "m.2")
    assert any("values of different kinds" in note for note in report.document.noted())
    assert frame.columns.tolist() == ["m", "l", "m"]


def test_a_missing_file_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(UsageMistake, match="is no file"):
        pandas_magic.profile(tmp_path / "gone.csv")


@pytest.mark.feature("C03")
def test_pictures_are_no_more_than_asked_for(people: pd.DataFrame) -> None:
    report = pandas_magic.profile(people, "bought", inputs={"plot_limit": 2}, max_follow_ups=0)
    assert len(report.pictures) == 2


@pytest.mark.feature("C03")
def test_relations_are_those_of_as_many_columns_as_asked_for(people: pd.DataFrame) -> None:
    few = {"plot_limit": 0, "max_columns_to_explore": 3}
    report = pandas_magic.profile(people, "bought", inputs=few, max_follow_ups=0)
    assert {tie.feature for tie in report.details.associations.to_target} == {"age"}
    assert report.details.explored_in_pairs == 3 and len(report.document.columns_profile) == people.shape[1]


@pytest.mark.feature("C03")
@pytest.mark.parametrize(("threshold", "flagged"), [(9, ("income", "notes")), (30, ("notes",)), (60, ())])
def test_gaps_are_flagged_and_drilled_beyond_the_threshold_asked_for(
    people: pd.DataFrame, threshold: int, flagged: tuple[str, ...]
) -> None:
    asked = {"plot_limit": 0, "missing_threshold_pct": threshold}
    report = pandas_magic.profile(people[["age", "income", "notes"]], inputs=asked)
    assert report.document.flags.high_missing == flagged
    assert [probe.probe for probe in report.probes] == ["drill_missing"] * bool(flagged)


@pytest.mark.feature("C03", "C33")
def test_time_is_that_of_the_request(people: pd.DataFrame) -> None:
    with pytest.raises(ExplorationFailed) as failed:
        pandas_magic.profile(people, constraints={"timeout_seconds": 0.001})
    assert {attempt.status for attempt in failed.value.attempts} <= {"timeout", "cpu"}

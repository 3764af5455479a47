"""The files there are, in the code execution agent's shapes and as a notebook lists them."""

import json
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.compat import agents
from pandas_magic.errors import NoSuchName, TableUnreadable
from pandas_magic.notebook import magics


@pytest.fixture
def trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data" / "trial_001").mkdir(parents=True)
    (tmp_path / "data" / "trial_001" / "runs.csv").write_text("run,speed\n1,2\n2,\n")
    (tmp_path / "data" / "users.csv").write_text("user_id\n" + "1\n" * 100_000)
    (tmp_path / "data" / "broken.parquet").write_bytes(b"no Parquet")
    (tmp_path / "elsewhere.csv").write_text("x\n1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.feature("B04")
def test_files_are_listed_in_the_shape_of_the_code_execution_agent(trials: Path) -> None:
    found = agents.get_available_files()
    assert set(found) == {"count", "files", "total_size_mb", "sources"}
    told = {file["file_name"]: file for file in found["files"]}
    assert (found["count"], set(told)) == (3, {"runs.csv", "users.csv", "broken"})
    assert told["users.csv"]["file_size_mb"] == pytest.approx(0.191, abs=0.001)  # 200,008 bytes
    assert told["runs.csv"]["trial_name"] == "trial_001"
    assert told["users.csv"]["trial_name"] is None
    assert "broken.parquet" in told["broken"]["error"]
    assert found["sources"] == ["local"]
    only = agents.get_available_files(trial_name="trial_001")
    assert [file["table"] for file in only["files"]] == ["trial_001_runs"]
    json.dumps(found)


@pytest.mark.feature("B05")
@pytest.mark.parametrize("named", ["trial_001_runs", "data/trial_001/runs.csv"])
def test_a_file_is_described_by_its_path_in_the_shape_of_the_code_execution_agent(trials: Path, named: str) -> None:
    info = agents.get_file_info(named, workspace=trials)
    assert info["file_name"] == "runs.csv"
    assert (info["column_names"], info["num_rows"], info["num_columns"]) == (["run", "speed"], 2, 2)
    assert info["sample_data"] == [{"run": 1, "speed": 2.0}, {"run": 2, "speed": None}]


@pytest.mark.feature("B05")
def test_a_file_outside_the_folder_of_tables_is_described_from_anywhere(
    trials: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("another"))
    assert agents.get_file_info("elsewhere.csv", workspace=trials)["num_rows"] == 1
    assert agents.get_file_info(trials / "elsewhere.csv")["num_rows"] == 1
    with pytest.raises((TableUnreadable, NoSuchName), match="nowhere"):
        agents.get_file_info("nowhere.csv", workspace=trials)


@pytest.mark.feature("B04")
def test_files_are_listed_in_a_notebook(shell: InteractiveShell, trials: Path) -> None:
    def shown(line: str) -> str:
        done = shell.run_cell(line, store_history=False)
        done.raise_error()
        return repr(done.result)

    magics.load(shell)
    try:
        assert shown("%files").startswith("3 files, 0.191 MB")
        assert "broken.parquet" in shown("%files")
        of_group = shown("%files --group trial_001")
        assert "runs.csv" in of_group
        assert "users.csv" not in of_group
        for listing in ("%files", "%tables"):
            with pytest.raises(NoSuchName, match=r'no group "trial_01"; .* has "trial_001"\. Did you mean "trial_001"'):
                shown(f"{listing} --group trial_01")
        assert shown("%files --info trial_001_runs").startswith("runs.csv: 2 rows, 2 columns")
    finally:
        magics.unload(shell)

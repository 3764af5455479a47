"""A notebook that works in a copy of its folder: what it wrote is listed, and one command brings it over."""

import os
import time
from pathlib import Path

import pytest

from kernel_sandbox import Limits, Policy, Sandbox, SandboxUnavailable, bring
from kernel_sandbox.copies import begin_copy, bring_over, copy_names, end_copy, written_files
from kernel_sandbox.reserved import copies_base
from tests.kernel_sandbox.jupyter import confined_kernel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*TCP.*:UserWarning")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A notebook's folder; copies are kept beside it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = tmp_path / "project"
    (made / "in").mkdir(parents=True)
    (made / "in" / "data.csv").write_text("a\n1\n")
    (made / "module.py").write_text("x = 1\n")
    (made / ".env").write_text("secret")
    (made / "link").symlink_to("/etc/passwd")
    return made


def begun(folder: Path, **terms: object) -> tuple[Policy, Path, str]:
    policy, started = begin_copy(Policy(read=(str(folder),), writes="copy", **terms), str(folder))
    return policy, Path(started), Path(started).parent.name


def test_a_notebook_writes_as_if_into_its_folder_and_one_command_brings_it_over(
    folder: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with confined_kernel(folder, {"read": [str(folder)], "writes": "copy"}) as kernel:
        listed = kernel.told(
            "import pandas as pd, pathlib\nframe = pd.read_csv('in/data.csv')\n"
            "frame.to_csv('in/out.csv', index=False)\n"
            "frame.assign(a=2).to_csv('in/data.csv', index=False)\n"
            "print(sorted(p.name for p in pathlib.Path('.').glob('[!.]*')))"
        )
        kernel.manager.restart_kernel(now=True)
        kernel.client.wait_for_ready(timeout=60)
        after_restart = kernel.told("print(open('in/data.csv').read())")
        original = kernel.run(f"open({str(folder / 'in' / 'data.csv')!r})")[0]
    (name,) = copy_names()

    assert (listed, after_restart) == ("['in', 'module.py']\n", "a\n2\n\n")
    assert original["ename"] == "PermissionError"
    assert f"2 files were written in a copy (in/data.csv, in/out.csv); run: python -m kernel_sandbox bring {name}" in (
        caplog.text
    )
    assert (folder / "in" / "data.csv").read_text() == "a\n1\n"
    assert bring.main([name]) == 0
    assert capsys.readouterr().out == "in/data.csv (4 bytes): brought over\nin/out.csv (4 bytes): brought over\n"
    assert (folder / "in" / "data.csv").read_text() == "a\n2\n"
    assert (folder / "in" / "out.csv").read_text() == "a\n1\n"
    assert (folder / "module.py").read_text() == "x = 1\n"
    assert bring.main([name, "--drop"]) == 0
    assert copy_names() == ()


def test_a_copy_in_which_nothing_was_written_goes_by_itself(folder: Path) -> None:
    policy, started, _ = begun(folder)

    assert end_copy(policy) == ""
    assert not started.exists()
    assert end_copy(Policy()) == ""


def test_what_may_run_when_it_is_opened_is_brought_by_its_name_alone(folder: Path) -> None:
    _, started, name = begun(folder)
    for path in ("pandas.py", "new.pkl", "page.html", "module.py", "run", "in/evil.ipynb", "plot.svg", "fine.csv"):
        (started / path).write_text("written")

    kinds = {one.path: one.kind for one in written_files(name)}
    brought = bring_over(name)
    named = bring_over(name, only=frozenset({"module.py"}))

    assert {path for path, kind in kinds.items() if kind == "program"} == set(kinds) - {"fine.csv"}
    assert [one.path for one in brought] == ["fine.csv"]
    assert [one.path for one in named] == ["module.py"]
    assert not (folder / "pandas.py").exists()


def test_hidden_files_and_links_are_neither_copied_nor_brought(folder: Path) -> None:
    _, started, name = begun(folder)
    assert {path.name for path in started.rglob("*")} == {"in", "data.csv", "module.py"}
    (started / ".bashrc").write_text("evil")
    (started / ".git").mkdir()
    (started / ".git" / "config.txt").write_text("evil")
    (started / "stolen.txt").symlink_to("/etc/passwd")

    assert written_files(name) == ()


def test_a_file_that_was_changed_in_both_places_waits_for_a_word(folder: Path) -> None:
    _, started, name = begun(folder)
    (started / "in" / "data.csv").write_text("code")
    (folder / "in" / "data.csv").write_text("person")
    (started / "new.csv").write_text("code")
    (folder / "new.csv").write_text("person")

    assert [one.kind for one in written_files(name)] == ["changed meanwhile"] * 2
    assert bring_over(name) == ()
    assert (folder / "in" / "data.csv").read_text() == "person"
    assert len(bring_over(name, overwrite=True)) == 2
    assert (folder / "in" / "data.csv").read_text() == "code"


def test_a_folder_that_is_a_link_leads_nowhere(folder: Path, tmp_path: Path) -> None:
    _, started, name = begun(folder)
    (started / "sub" / "deep").mkdir(parents=True)
    (started / "sub" / "deep" / "x.csv").write_text("code")
    (folder / "sub").symlink_to(tmp_path)

    with pytest.raises(PermissionError, match="by a link; nothing was written"):
        bring_over(name)
    assert not (tmp_path / "deep").exists()


def test_names_that_steer_a_terminal_are_listed_harmlessly(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy, started, name = begun(folder)
    (started / "a\x1b]0;x\x07\u202eb.csv").write_text("x")

    line = end_copy(policy)
    bring.main([name, "--list"])

    for shown in (line, capsys.readouterr().out):
        assert "a?]0;x??b.csv" in shown
        assert "\x1b" not in shown


def test_a_folder_that_is_too_large_is_refused_and_leaves_nothing(folder: Path) -> None:
    with pytest.raises(ValueError, match='is too large for "writes": "copy"'):
        begun(folder, limits=Limits(work_bytes=8))
    with pytest.raises(ValueError, match='leave "work" out of the policy'):
        begin_copy(Policy(work=str(folder / "out"), writes="copy"), str(folder))

    assert copy_names() == ()


def test_a_process_whose_copy_nobody_made_does_not_start() -> None:
    with pytest.raises(SandboxUnavailable, match="whoever starts this process made no copy"):
        Sandbox(Policy(writes="copy"), warm=False).__enter__()


def test_without_the_word_nothing_is_copied(folder: Path) -> None:
    policy = Policy(read=(str(folder),))

    assert begin_copy(policy, str(folder)) == (policy, str(folder))


@pytest.mark.parametrize("words", [["no-such"], ["../../etc"], ["--drop", "no-such"]])
def test_a_copy_that_is_not_there_is_named(words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bring.main(words) == 1
    assert "there is no copy" in capsys.readouterr().out


def test_copies_are_listed_oldest_first_and_never_granted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, first, one = begun(folder)
    _, _, two = begun(folder)
    (first / "new.csv").write_text("x")
    os.utime(first.parent, (time.time() - 100,) * 2)

    assert bring.main([]) == 0
    assert capsys.readouterr().out == f"{one}: 1 files\n{two}: 0 files\n"
    with pytest.raises(ValueError, match="holds copies of other notebooks"):
        Policy(read=(copies_base(),))

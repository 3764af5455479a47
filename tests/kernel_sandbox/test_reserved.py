"""What no policy may grant: folders from which code would run outside, and the private files of other kernels."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import kernel_sandbox
from kernel_sandbox import Policy, Sandbox
from kernel_sandbox.reserved import private_base

# Not through all of /tmp: it may hold anything, by the hundred thousand.
STEAL = """
import glob
for depth in ('', '*/', '*/*/'):
    for path in glob.glob(f'/tmp/{depth}kernel-sandbox-*/**', recursive=True):
        try: print(open(path).read())
        except OSError: pass
"""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder whose paths are short enough for sockets, as they are outside tests."""
    with tempfile.TemporaryDirectory(prefix="h", dir="/var/tmp") as folder:
        for name in ("XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", folder)
        yield Path(folder)


@pytest.mark.parametrize("work", ["/", "/usr", "~", "~/..", "~/.ipython", "~/.jupyter/lab", "~/.local/share"])
def test_a_work_folder_from_which_code_would_run_outside_is_refused_with_the_next_step(work: str, home: Path) -> None:
    path = str(Path(work.replace("~", str(home))))

    with pytest.raises(ValueError, match=r'"work" of a policy is .*; name a folder of its own') as caught:
        Policy(work=path)

    assert path in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("place", [sys.prefix, str(Path(kernel_sandbox.__file__).parent), str(Path(sys.prefix, "bin"))])
def test_the_installation_is_no_work_folder_nor_what_holds_it(place: str, home: Path) -> None:
    for work in (place, str(Path(place).parent)):
        with pytest.raises(ValueError, match="where your Python and its packages are installed"):
            Policy(work=work)


def test_a_link_to_the_home_folder_is_the_home_folder(home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home)

    with pytest.raises(ValueError, match="is your home folder"):
        Policy(work=str(tmp_path / "link"))


def test_a_folder_of_its_own_is_a_work_folder(home: Path, tmp_path: Path) -> None:
    for work in (home / "out", home / "project" / "out", tmp_path / "out"):
        assert Policy(work=str(work)).work == str(work)


def test_a_policy_that_its_code_could_rewrite_is_refused(home: Path, tmp_path: Path) -> None:
    (tmp_path / "work" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "work")
    content = f'{{"work": "{tmp_path}/work"}}'

    for inside in ("work/policy.json", "work/deep/policy.json", "link/policy.json"):
        (tmp_path / inside).write_text(content)
        with pytest.raises(ValueError, match=r'lies in its own "work", .*; move the file elsewhere'):
            Policy.from_file(tmp_path / inside)
    (tmp_path / "policy.json").write_text(content)
    assert Policy.from_file(tmp_path / "policy.json").work == f"{tmp_path}/work"


def test_private_folders_lie_in_the_runtime_folder_else_in_the_cache(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert private_base() == str(home / ".cache" / "kernel_sandbox" / "private")
    assert Path(private_base()).stat().st_mode & 0o777 == 0o700

    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home))
    assert private_base() == str(home)


def test_without_a_home_the_folder_for_temporary_files_is_refused_in_its_turn(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home / "gone"))
    assert private_base() == tempfile.gettempdir()
    assert not (home / "gone").exists()

    with pytest.raises(ValueError, match=r'"read" of a policy names .*holds private files of confined kernels'):
        Policy(read=(tempfile.gettempdir(),))
    assert Policy(read=(f"{tempfile.gettempdir()}/data",))


def test_a_user_without_any_home_may_use_the_folder_that_is_current(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    monkeypatch.chdir(tmp_path)

    assert Policy(read=(str(tmp_path),), work=str(tmp_path)).work == str(tmp_path)


@pytest.mark.parametrize("place", ["~", "~/.cache", "~/.cache/kernel_sandbox/private/kernel-sandbox-1/work", "/"])
def test_what_holds_the_private_files_of_kernels_is_not_granted(place: str, home: Path) -> None:
    path = place.replace("~", str(home))

    for grant in ({"read": (path,)}, {"work": path}):
        with pytest.raises(ValueError, match=r"home folder|private files of confined kernels|are installed"):
            Policy(**grant)


@pytest.mark.parametrize("place", ["~/.local/share/jupyter/runtime", "~/.local"])
def test_the_keys_of_running_kernels_are_not_granted(place: str, home: Path) -> None:
    with pytest.raises(ValueError, match="the keys of running kernels"):
        Policy(read=(place.replace("~", str(home)),))


def test_a_kernel_that_may_read_all_temporary_files_finds_no_file_of_its_neighbour(home: Path) -> None:
    with Sandbox(warm=False) as neighbour, Sandbox(Policy(read=("/tmp",)), warm=False) as thief:
        neighbour.execute("open('secret.txt', 'w').write('neighbour-secret')")
        lines = neighbour.execute("import os; print(os.getcwd())").stdout.split()

        execution = thief.execute(STEAL)
        direct = thief.execute(f"print(open('{lines[0]}/secret.txt').read())")

    assert execution.status == "ok"
    assert "neighbour-secret" not in execution.stdout
    assert direct.error_name == "PermissionError"

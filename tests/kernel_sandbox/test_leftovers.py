"""Private folders, whoever is killed and whenever: removed by who made them, else by the next one who makes one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kernel_sandbox import Sandbox
from kernel_sandbox.keeper import workfolder
from tests.kernel_sandbox.users import site_folders

SIGNALLED_WHILE_REMOVING = f"""
import json, os, signal, socket, sys
sys.path += {site_folders()!r}
from kernel_sandbox import Policy
from kernel_sandbox.keeper import launch, workfolder
plain = workfolder.remove
def remove(path):
    os.kill(os.getpid(), signal.SIGTERM)
    plain(path)
workfolder.remove = remove
lease, side = socket.socketpair(), socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
lease[0].close()
settings = {{"policy": Policy().to_dict(), "root": sys.argv[1] + "/kernel-sandbox-x", "plot_cache": "", "folder": "",
    "readable": [], "wrapped": False, "renewable": True, "spare": False}}
sys.argv = ["keeper", str(lease[1].fileno()), str(side[1].fileno()), json.dumps(settings)]
launch.main()
"""
KILLED_WITH_ITS_KEEPER = f"""
import os, signal, sys
sys.path += {site_folders()!r}
from kernel_sandbox import Sandbox
sandbox = Sandbox(warm=False)
sandbox.execute("import os; os.makedirs('a/b'); open('a/b/c', 'w').write('x')")
os.kill(sandbox._open()._process.pid, signal.SIGKILL)
os.kill(os.getpid(), signal.SIGKILL)
"""
KILLED_BEFORE_THE_START = f"""
import asyncio, os, signal, sys
sys.path += {site_folders()!r}
from jupyter_client.manager import KernelManager
from kernel_sandbox.provisioner import SandboxProvisioner
manager = KernelManager(kernel_name="python3")
provisioner = SandboxProvisioner(kernel_id="x", kernel_spec=manager.kernel_spec, parent=manager)
asyncio.run(provisioner.pre_launch())
os.kill(os.getpid(), signal.SIGKILL)
"""


def left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith("kernel-sandbox-")]


def run(program: str, *arguments: str, temporary: Path) -> int:
    place = str(temporary)
    environment = {"PATH": os.environ["PATH"], "HOME": place, "TMPDIR": place, "XDG_RUNTIME_DIR": place}
    finished = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, *arguments], env=environment, capture_output=True, check=False
    )
    return finished.returncode


def test_a_folder_whose_keeper_was_killed_is_removed_by_the_next_one(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(KILLED_WITH_ITS_KEEPER, temporary=short_folder) == -signal.SIGKILL
    assert len(left_in(short_folder)) == 1
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_folder))

    with Sandbox(warm=False) as second:
        assert second.execute("1").status == "ok"
        assert len(left_in(short_folder)) == 1

    assert left_in(short_folder) == []


def test_folders_whose_paths_are_long_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / ("x" * 120)
    long.mkdir()
    for name in ("XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "TMPDIR", "HOME"):
        monkeypatch.setenv(name, str(long))

    with Sandbox(warm=False) as sandbox:
        assert sandbox.execute("1").status == "ok"


def test_a_keeper_told_to_end_while_it_removes_its_folder_removes_all_of_it(tmp_path: Path) -> None:
    status = run(SIGNALLED_WHILE_REMOVING, str(tmp_path), temporary=tmp_path)

    assert (status, left_in(tmp_path)) == (0, [])


def test_a_jupyter_killed_before_it_starts_its_kernel_has_made_no_folder(tmp_path: Path) -> None:
    assert run(KILLED_BEFORE_THE_START, temporary=tmp_path) == -signal.SIGKILL

    assert left_in(tmp_path) == []


def test_sweeping_spares_folders_in_use_and_what_is_no_folder_of_ours(tmp_path: Path) -> None:
    used, claim = workfolder.private_root(str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "kept").write_text("x")
    (tmp_path / "kernel-sandbox-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "kernel-sandbox-file").write_text("x")
    (tmp_path / "kernel-sandbox-left" / "a").mkdir(parents=True)

    workfolder.sweep(str(tmp_path))

    assert sorted(left_in(tmp_path)) == sorted(["kernel-sandbox-file", "kernel-sandbox-link", Path(used).name])
    assert (tmp_path / "elsewhere" / "kept").exists()
    os.close(claim)
    workfolder.sweep(str(tmp_path))
    assert not Path(used).exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make folders of others")
def test_sweeping_spares_folders_of_others(tmp_path: Path) -> None:
    (tmp_path / "kernel-sandbox-other").mkdir()
    os.chown(tmp_path / "kernel-sandbox-other", 65534, 65534)

    workfolder.sweep(str(tmp_path))

    assert left_in(tmp_path) == ["kernel-sandbox-other"]


def test_a_folder_that_somebody_else_prepared_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "kernel-sandbox-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "kernel-sandbox-open").mkdir()
    (tmp_path / "kernel-sandbox-open").chmod(0o777)

    for name in ("link", "open"):
        with pytest.raises(OSError, match="is not a private folder of this user"):
            workfolder.claim_root(f"{tmp_path}/kernel-sandbox-{name}")

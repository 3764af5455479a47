"""The sandbox for a user without any rights, as nearly all users are: the same locks, the same answers."""

import json
import os
import subprocess

import pytest

from tests.kernel_sandbox.users import NOBODY, readable_python, site_folders

PROGRAM = """
import json, os, signal, sys
sys.path += {folders!r}
import pandas as pd
from kernel_sandbox import Limits, Policy, Sandbox
answers = {{"uid": os.getuid()}}
with Sandbox(Policy(limits=Limits(wall_seconds=1, grace_seconds=0.3, memory_bytes=400 * 2**20))) as sandbox:
    answers["layers"] = sandbox.confinement.layers
    for name, code in {attempts!r}.items():
        answers[name] = sandbox.execute(code).error_text
    sandbox.stage("t", pd.DataFrame({{"a": [1, 2]}}))
    sandbox.execute("v = t[t.a > 1]")
    answers["rows"] = len(sandbox.fetch_frame("v"))
    answers["wall"] = sandbox.execute("while True: pass").status
    answers["memory"] = sandbox.execute("x = [bytearray(10**6) for _ in range(10**5)]", wall_seconds=10).status
    answers["after"] = sandbox.execute("1").status
    sandbox.execute("import os; os.mkdir('closed', 0o300); open('closed/x', 'w')")
    root = sandbox._open()._provisioner.root
answers["left"] = os.path.exists(root)
print(json.dumps(answers))
"""
# The files of a process that has ended, and was not waited for, are root's.
ENDED = """
import os, sys, time
sys.path += {folders!r}
from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.keeper import attestation, watch
from kernel_sandbox.policy import Limits, Policy
attestation.attest_locks = lambda *places, **bounds: ()
pid = os.fork()
if pid == 0:
    time.sleep(1)
    os._exit(0)
watched = watch.Watch(pid, Limits(), ())
watched.count_files()
os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
try:
    os.listdir(f"/proc/{{pid}}/fd")
except PermissionError:
    print("closed")
try:
    watched.excess()
except ProcessLookupError:
    print("ended")
try:
    attestation.attest(pid, Policy(), 7, files=())
except SandboxUnavailable as refusal:
    print(refusal.reason)
"""
ATTEMPTS = {
    "read": "open('/etc/passwd')",
    "write": "open('/tmp/x-of-nobody', 'w')",
    "socket": "import socket; socket.socket()",
    "fork": "import os; os.fork()",
    "kill": "import os; os.kill(os.getppid(), 0)",
}


def run_as_nobody(program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [readable_python(), "-W", "ignore", "-c", program],
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"},
        cwd="/",
        user=NOBODY,
        group=NOBODY,
        extra_groups=(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="every other test runs as an ordinary user already")
def test_an_ordinary_user_gets_the_same_locks_and_limits() -> None:
    finished = run_as_nobody(PROGRAM.format(folders=site_folders(), attempts=ATTEMPTS))
    assert finished.returncode == 0, finished.stderr

    answers = json.loads(finished.stdout)
    assert answers.pop("layers") == [
        "descriptors",
        "environment",
        "rlimits",
        "capabilities",
        "no_new_privs",
        "landlock",
        "seccomp",
    ]
    assert answers == {
        "uid": NOBODY,
        "read": "[Errno 13] Permission denied: '/etc/passwd'",  # Landlock
        "write": "[Errno 13] Permission denied: '/tmp/x-of-nobody'",  # Landlock
        "socket": "[Errno 1] Operation not permitted",  # seccomp
        "fork": "[Errno 1] Operation not permitted",  # seccomp
        "kill": "[Errno 1] Operation not permitted",  # seccomp
        "rows": 1,
        "wall": "timeout",
        "memory": "memory",
        "after": "ok",
        "left": False,
    }


@pytest.mark.skipif(os.geteuid() != 0, reason="every other test runs as an ordinary user already")
def test_a_process_that_ends_while_it_is_looked_at_does_not_end_an_ordinary_users_keeper() -> None:
    finished = run_as_nobody(ENDED.format(folders=site_folders()))

    assert finished.stderr == ""
    first, second, third = finished.stdout.splitlines()
    assert (first, second) == ("closed", "ended")
    assert "lacks life: it ended before its locks were seen" in third

"""Make every attempt in one configuration; print what left a trace, as JSON. Run as root and as an ordinary user.

python tests/escapes/battery.py {confined | bwrap | as-front | without-LOCK | unconfined} [name …]

LOCK is landlock, seccomp, rlimits, capabilities, environment or files (those that are open when it starts).
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from kernel_sandbox import Limits, Policy, Sandbox
from kernel_sandbox.confined import bootstrap
from tests.escapes.attempts import ATTEMPTS, PRELUDE
from tests.escapes.host import Host, children_of, end, files_of, spaces_of
from tests.kernel_sandbox.changed import UNSEEN, change_keepers

# A lock is taken away by telling the keeper to do nothing in its place; the product has no switch for that.
_WITHOUT = {
    "without-landlock": UNSEEN
    + """
from kernel_sandbox.locks import landlock
class Nothing:
    abi = 7
    def grant(self, path, access): return True
    def enforce(self): pass
landlock.Ruleset = Nothing
from kernel_sandbox.confined import bootstrap
bootstrap.try_the_lock = lambda: None
""",
    "without-seccomp": UNSEEN + "from kernel_sandbox.locks import seccomp; seccomp.install = lambda program: None",
    "without-rlimits": UNSEEN + "from kernel_sandbox.locks import rlimits; rlimits.set_rlimits = lambda limits: None",
    "without-capabilities": UNSEEN
    + "from kernel_sandbox.locks import privileges; privileges.drop_capabilities = lambda: None",
    "without-files": UNSEEN
    + "from kernel_sandbox.confined import bootstrap; bootstrap.close_all_but = lambda *kept: None",
    "without-environment": "",
    # The code runs behind the locks of a front, as if a message had taken one over.
    "as-front": """
import os
from kernel_sandbox import locks
from kernel_sandbox.confined import bootstrap, life
def confine_as_front(policy, places):
    folder = os.path.join(places.work, "front")
    os.mkdir(folder)
    version = locks.confine_front(folder)
    locks.finish()
    return version
bootstrap.confine = confine_as_front
# Nothing can be imported there; so that the attempts fail by its locks, and not for want of a module.
plain_prepare = life.prepare
def prepare(root, notebook):
    plain_prepare(root, notebook=notebook)
    import asyncio, concurrent.futures, fcntl, fileinput, gettext, glob, linecache, mmap, multiprocessing, pty, resource
    import runpy, shutil, socket, sqlite3, subprocess, urllib.request, zipfile, IPython.core.logger, pyarrow.fs, zmq
    shell = life._PREPARED["shell"]
    for cell in ("1", "1/0", "print(open)", "import multiprocessing.popen_fork; multiprocessing.get_context('fork')"):
        shell.send = shell.displayhook.send = lambda *content: None
        shell.run_cell(cell)
life.prepare = prepare
life._touch_pages = lambda shell: None
""",
    "unconfined": "",
    "confined": "",
    "bwrap": "",
}


def run(configuration: str, names: list[str]) -> dict[str, list[str]]:
    """The traces of each attempt that left any."""
    _arrange(configuration, pytest.MonkeyPatch())
    host = Host()
    limits = Limits(wall_seconds=8, grace_seconds=0.3)
    policy = Policy(
        limits=limits,
        isolation="none" if configuration == "unconfined" else "auto",
        outer="bwrap" if configuration == "bwrap" else "off",
    )
    traces: dict[str, list[str]] = {}
    try:
        with Sandbox(policy) as sandbox:
            for attempt in ATTEMPTS:
                if names and attempt.name not in names:
                    continue
                found = _make(sandbox, host, attempt.code, verbose=bool(names))
                if found:
                    traces[attempt.name] = found
    finally:
        host.close()
    return traces


def _make(sandbox: Sandbox, host: Host, code: str, *, verbose: bool) -> list[str]:
    sandbox.renew()
    pid = sandbox.confinement.pid
    spaces, sockets = spaces_of(pid), [file for file in files_of(pid) if file.startswith("socket:")]
    sandbox.stage_value("HOST", host.known())
    execution = sandbox.execute(f"{PRELUDE}\n{code}")
    children = children_of(pid)
    found: list[str] = host.evidence(code, execution, pid, children, spaces)
    end(children)
    if len(sockets) > 1:
        found.append("it was born with a socket besides its line")
    if verbose:
        print(execution, found, file=sys.stderr)
    return found


def _arrange(configuration: str, patch: pytest.MonkeyPatch) -> None:
    change_keepers(patch, _WITHOUT[configuration])
    if configuration in ("unconfined", "without-environment"):
        plain_environment = bootstrap.environment

        def everything(parent: dict[str, str], **options: Any) -> dict[str, str]:
            return parent | plain_environment(parent, **options)

        patch.setattr(bootstrap, "environment", everything)


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2:]), indent=1))

"""Make every attempt in one configuration; print what left a trace, as JSON. Run as root and as an ordinary user.

python tests/escapes/battery.py {confined | bwrap | as-relay | without-landlock | without-seccomp | unconfined} [name …]
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from kernel_sandbox import Limits, Policy, Sandbox
from kernel_sandbox.confined import bootstrap
from kernel_sandbox.front import admission
from kernel_sandbox.keeper import nursery
from kernel_sandbox.keeper.attestation import Confinement
from tests.escapes.attempts import ATTEMPTS, PRELUDE
from tests.escapes.host import Host, children_of, end, spaces_of

# A lock is taken away by telling the keeper to do nothing in its place; the product has no switch for that.
_WITHOUT = {
    "without-landlock": """
from kernel_sandbox.locks import landlock
class Nothing:
    abi = 7
    def grant(self, path, access): return True
    def enforce(self): pass
landlock.Ruleset = Nothing
from kernel_sandbox.confined import bootstrap
bootstrap.try_the_lock = lambda: None
""",
    "without-seccomp": "from kernel_sandbox.locks import seccomp; seccomp.install = lambda program: None",
    # The code runs behind the locks of a relay, as if a message had taken one over.
    "as-relay": """
import os
from kernel_sandbox import locks
from kernel_sandbox.confined import bootstrap, worker
from kernel_sandbox.front import wall
def confine_as_relay(policy, places):
    front, back = os.path.join(places.work, "front"), os.path.join(places.work, "back")
    os.mkdir(front), os.mkdir(back)
    version = locks.confine_relay(front, back)
    locks.finish()
    return version
bootstrap.confine = confine_as_relay
# Nothing can be imported there; so that the attempts fail by its locks, and not for want of a module.
plain_prepare = worker.prepare
def prepare(root):
    plain_prepare(root)
    import asyncio, concurrent.futures, fcntl, fileinput, gettext, glob, linecache, mmap, multiprocessing, pty, resource
    import runpy, shutil, socket, sqlite3, subprocess, urllib.request, zipfile, IPython.core.logger, pyarrow.fs, zmq
    for cell in ("1", "1/0", "print(open)", "import multiprocessing.popen_fork; multiprocessing.get_context('fork')"):
        worker._SHELL["shell"].send = worker._SHELL["shell"].displayhook.send = lambda *content: None
        worker._SHELL["shell"].run_cell(cell)
worker.prepare = prepare
worker._touch_pages = lambda: None
""",
    "unconfined": "",
    "confined": "",
    "bwrap": "",
}


def run(configuration: str, names: list[str]) -> dict[str, list[str]]:
    """The traces of each attempt that left any."""
    _arrange(configuration)
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
    spaces = spaces_of(pid)
    sandbox.stage_value("HOST", host.known())
    execution = sandbox.execute(f"{PRELUDE}\n{code}")
    children = children_of(pid)
    found: list[str] = host.evidence(code, execution, pid, children, spaces)
    end(children)
    if verbose:
        print(execution, found, file=sys.stderr)
    return found


def _arrange(configuration: str) -> None:
    plain_command = bootstrap.installation_command

    def command(module: str) -> list[str]:
        *head, program = plain_command(module)
        paths, _, rest = program.rpartition("from ")
        return [*head, f"{paths}\n{_WITHOUT[configuration]}\nfrom {rest}"]

    bootstrap.installation_command = command
    if configuration not in ("confined", "bwrap", "as-relay"):
        admission.attest = lambda pid, policy, abi, **_: Confinement((), policy.isolation, abi, pid)
    if configuration == "unconfined":
        plain_environment = nursery.bootstrap.environment

        def everything(parent: dict[str, str], **options: Any) -> dict[str, str]:
            return parent | plain_environment(parent, **options)

        nursery.bootstrap.environment = everything


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2:]), indent=1))

"""How a keeper begins: folders first, then the front, before anything is imported that is large; then it keeps.

Started by `SandboxProvisioner`. `sys.argv` holds two open sockets and, as JSON, the settings: `lease`, which hangs up
when the owner ends, and `side`, on which the front gets the key and the owner's tables. The keeper reads neither.
"""

import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.errors import SandboxError, SandboxUnavailable
from kernel_sandbox.keeper import workfolder
from kernel_sandbox.keeper.attestation import attest_locks
from kernel_sandbox.keeper.newborn import DOCTOR, Terms
from kernel_sandbox.keeper.zygote import ORDER_BYTES, serve
from kernel_sandbox.locks import FRONT_FILE_BYTES, bubblewrap, privileges
from kernel_sandbox.policy import Policy

_FRONT_SECONDS = 30.0
_FAILED_STATUS = 1


def main() -> None:
    """Entry of the process; it ends with the status of the kernel."""
    if len(sys.argv) < 4:
        sys.exit(
            'this kernel must be started by its provisioner "kernel-sandbox" of jupyter_client 7 or later, which '
            "prepares its folders; a launcher that ignores kernel_provisioner in kernel.json cannot confine it"
        )
    lease, side, settings = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]), json.loads(sys.argv[3])
    os.environ.pop("JPY_PARENT_PID", None)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # Told to end, it ends as when its owner hangs up: no exception can come between a folder and its removal.
    signal.signal(signal.SIGTERM, lambda *_: _hang_up(lease))
    try:
        _leave(_keep(lease, side, settings))
    except SandboxError as error:
        sys.exit(f"the confined kernel did not start: {error}")


def wrapped_main() -> None:
    """Entry of the keeper within the namespaces of bubblewrap: its front runs already and was looked at."""
    line, lease, settings = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]), json.loads(sys.argv[3])
    root, claim = workfolder.private_root(bubblewrap.PRIVATE_BASE)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        status = _serve(line, socket.socket(fileno=lease), settings | {"root": root}, front=None)
    finally:
        workfolder.remove(root)
        os.close(claim)
    _leave(status)


def _leave(status: int) -> NoReturn:
    # To take apart what was imported takes a tenth of a second, for which the owner waits.
    sys.stderr.flush()
    os._exit(status)


def _keep(lease: socket.socket, side: int, settings: dict[str, Any]) -> int:
    root = settings["root"]
    workfolder.sweep(str(Path(root).parent))
    claim = workfolder.claim_root(root)
    try:
        line, front = _start_front(lease, side, settings)
        if settings.pop("wrapped"):
            _await_front(line, front, settings)
            _become_wrapped(line, lease, settings, claim)
        return _serve(line, lease, settings, front=front)
    finally:
        workfolder.remove(root)


def _serve(line: socket.socket, lease: socket.socket, settings: dict[str, Any], *, front: int | None) -> int:
    terms = Terms(**settings | {"policy": Policy.from_dict(settings["policy"])})
    return serve(line, lease, terms, front=front)


def _start_front(lease: socket.socket, side: int, settings: dict[str, Any]) -> tuple[socket.socket, int]:
    folder = f"{settings['root']}/client"
    Path(folder).mkdir(mode=0o700, exist_ok=True)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    keeper_pid = os.getpid()
    pid = os.fork()
    if pid == 0:
        status = _FAILED_STATUS
        try:
            bootstrap.close_all_but(side, theirs.fileno())
            privileges.die_with_parent(keeper_pid)
            from kernel_sandbox.front.process import main as front_main

            status = front_main(side, theirs, settings["policy"], folder, renewable=settings["renewable"])
        finally:
            os._exit(status)
    theirs.close()
    # What Jupyter's key comes on: from here on the front alone can read it.
    os.close(side)
    return ours, pid


def _await_front(line: socket.socket, front: int, settings: dict[str, Any]) -> None:
    """Look at the locks of the front from outside the namespaces, whence it can be seen."""
    if not select.select([line], [], [], _FRONT_SECONDS)[0]:
        raise SandboxUnavailable(f"the front did not start in {_FRONT_SECONDS:g} s", DOCTOR)
    word = json.loads(line.recv(ORDER_BYTES) or b"{}")
    if word.get("op") != "locked":
        raise SandboxUnavailable(f"the front could not be locked: {word.get('reason', 'it ended')}", DOCTOR)
    attest_locks(front, word["landlock_abi"], file_bytes=FRONT_FILE_BYTES)


def _become_wrapped(line: socket.socket, lease: socket.socket, settings: dict[str, Any], claim: int) -> NoReturn:
    policy = Policy.from_dict(settings["policy"])
    writable = [folder for folder in (policy.work, settings["plot_cache"]) if folder]
    inner = settings | {"outside": bubblewrap.spaces_of("self")}
    words = [
        *bubblewrap.command(policy, readable=settings["readable"], writable=writable),
        *bootstrap.installation_command("kernel_sandbox.keeper.launch", entry="wrapped_main"),
        *(str(line.fileno()), str(lease.fileno()), json.dumps(inner)),
    ]
    # The claim goes along: it holds the folder of the front's sockets until everything has ended.
    for descriptor in (line.fileno(), lease.fileno(), claim):
        os.set_inheritable(descriptor, True)
    os.execv(words[0], words)


def _hang_up(lease: socket.socket) -> None:
    with suppress(OSError):
        lease.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    main()

"""The parent of one confined Jupyter kernel: forks it, looks at its locks, lets it begin, watches it, cleans up.

Started by `SandboxProvisioner` as `python -m kernel_sandbox.supervisor -f CONNECTION_FILE`. It runs none of the
kernel's code, ends when the Jupyter application ends, and takes the kernel and its folders with it.
Standard library only, and no thread, so that the fork is clean.
"""

import contextlib
import json
import os
import secrets
import select
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from kernel_sandbox import bootstrap, workfolder
from kernel_sandbox.attestation import attest
from kernel_sandbox.confine import Places, privileges
from kernel_sandbox.errors import SandboxError, SandboxUnavailable
from kernel_sandbox.keeping import Charge
from kernel_sandbox.policy import Policy

SETTINGS_VARIABLE = "KERNEL_SANDBOX_SETTINGS"
_REFUSED_STATUS = 1
_OWNER_ENDED = "its owner ended"
_RELAY_ENDED = "its relay ended"
_RELAY_SECONDS = 1.5


def main() -> None:
    """Entry of the process; it ends with the status of the kernel."""
    settings = os.environ.pop(SETTINGS_VARIABLE, "")
    if not settings:
        sys.exit(
            'this kernel must be started by its provisioner "kernel-sandbox" of jupyter_client 7 or later, which '
            "prepares its folders; a launcher that ignores kernel_provisioner in kernel.json cannot confine it"
        )
    try:
        sys.exit(supervise(json.loads(settings), sys.argv[sys.argv.index("-f") + 1]))
    except SandboxError as error:
        sys.exit(f"the confined kernel did not start: {error}")


def supervise(settings: dict[str, str], connection_file: str) -> int:
    """Run one kernel to its end: the status it ended with.

    Raises: SandboxUnavailable when a lock could not be set or was not seen from outside.
    """
    policy = Policy.from_json(settings["policy"])
    root = settings["root"]
    sockets = os.path.join(root, "sockets")  # noqa: PTH118
    work = policy.work or os.path.join(root, "work")  # noqa: PTH118
    Path(work).mkdir(mode=0o700, parents=True, exist_ok=True)
    front = json.loads(Path(connection_file).read_text())
    # Jupyter's key stays with the relay, and its sockets lie where the kernel cannot reach them.
    back = front | {"transport": "ipc", "ip": f"{sockets}/k", "key": secrets.token_hex(32)}
    own_connection_file = os.path.join(sockets, "connection.json")  # noqa: PTH118
    Path(own_connection_file).write_text(json.dumps(back))
    ready_read, ready_write = os.pipe()
    begin_read, begin_write = os.pipe()
    keeper_pid = os.getpid()
    pid = os.fork()
    if pid == 0:
        os.close(ready_read)
        os.close(begin_write)
        places = Places(work, sockets=sockets, readable=tuple(settings["readable"].split(os.pathsep)))
        _live(policy, places, own_connection_file, settings["folder"], (ready_write, begin_read), keeper_pid)
    os.close(ready_write)
    os.close(begin_read)
    for number in (signal.SIGINT, signal.SIGHUP):
        # Jupyter interrupts the whole process group; the kernel is the one who is meant.
        signal.signal(number, signal.SIG_IGN)
    charge = Charge(1, pid, policy, work, removable=policy.work is None)
    relay = _start_relay(front, back, policy, keeper_pid)
    try:
        return _watch(charge, policy, (ready_read, begin_write, int(settings["owner"])), relay)
    finally:
        relay.end(f"the kernel was ended: it used {charge.seen}" if charge.seen else "")
        if os.getppid() == 1 or charge.cause == _OWNER_ENDED:
            workfolder.remove(root)


@dataclass(frozen=True)
class _RelayProcess:
    """The process between the kernel and Jupyter. It ends when the pipe `stop` is closed."""

    pid: int
    pidfd: int
    stop: int

    def end(self, reason: str = "") -> None:
        """Let it pass on what is on its way and the reason, if any; wait for its end."""
        # It may have ended already, and then nobody reads.
        with contextlib.suppress(BrokenPipeError):
            os.write(self.stop, reason.encode()[:2000])
        os.close(self.stop)
        if not select.select([self.pidfd], [], [], _RELAY_SECONDS)[0]:
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.pidfd)


def _start_relay(front: dict[str, Any], back: dict[str, Any], policy: Policy, keeper_pid: int) -> _RelayProcess:
    stop_read, stop_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = _REFUSED_STATUS
        try:
            bootstrap.close_all_but(stop_read)
            privileges.die_with_parent(keeper_pid)
            from kernel_sandbox.relay.forwarding import main

            status = main(front, back, policy.limits, stop_read)
        finally:
            if sys.exc_info()[0] is not None:
                sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
            os._exit(status)
    os.close(stop_read)
    return _RelayProcess(pid, os.pidfd_open(pid), stop_write)


def _watch(charge: Charge, policy: Policy, pipes: tuple[int, int, int], relay: _RelayProcess) -> int:
    ready, begin, owner = pipes
    poller = select.poll()
    for descriptor in (charge.pidfd, ready, owner, relay.pidfd):
        poller.register(descriptor, select.POLLIN)
    signal.signal(signal.SIGTERM, lambda *_: charge.kill("terminated"))
    try:
        while True:
            wait = charge.patience_seconds()
            events = dict(poller.poll(None if wait is None else max(1000 * wait, 1)))
            if ready in events:
                poller.unregister(ready)
                _let_begin(charge, policy, ready, begin)
            if owner in events or os.getppid() == 1:
                charge.kill(_OWNER_ENDED)
            if relay.pidfd in events:
                poller.unregister(relay.pidfd)
                _outlive(charge)
            if charge.pidfd in events:
                return _end(charge)
            charge.enforce()
    except SandboxUnavailable:
        charge.kill("not confined")
        charge.bury()
        raise


def _let_begin(charge: Charge, policy: Policy, ready: int, begin: int) -> None:
    message = os.read(ready, 4096).decode("utf-8", "replace")
    word, _, rest = message.partition(" ")
    if word != "ready":
        raise SandboxUnavailable(
            rest or "the kernel ended before it was locked", "Run: python -m kernel_sandbox doctor"
        )
    attest(charge.pid, policy, int(rest))
    os.write(begin, b"g")


def _outlive(charge: Charge) -> None:
    # At its own end the kernel leaves the relay first; otherwise it sent what the relay could not hold.
    if not select.select([charge.pidfd], [], [], _RELAY_SECONDS)[0]:
        print("the confined kernel was ended: its relay could not hold what it sent", file=sys.stderr, flush=True)
        charge.kill(_RELAY_ENDED)


def _end(charge: Charge) -> int:
    event = charge.bury()
    if event["cause"] not in ("exit", "signal", "terminated", _OWNER_ENDED, _RELAY_ENDED):
        print(f"the confined kernel was ended: it used {event['seen']}", file=sys.stderr, flush=True)
    if event["problem"]:
        print(event["problem"], file=sys.stderr, flush=True)
    return int(event["code"]) if event["code"] >= 0 else 128 - int(event["code"])


def _live(
    policy: Policy, places: Places, connection_file: str, folder: str, pipes: tuple[int, int], keeper_pid: int
) -> NoReturn:
    """The forked child: it never returns."""
    ready, begin = pipes
    status = bootstrap.LOCK_FAILED_STATUS
    try:
        os.environ.pop("JPY_PARENT_PID", None)
        bootstrap.restore_signals()
        bootstrap.close_all_but(ready, begin)
        landlock_abi = bootstrap.enter(policy, places, keeper_pid=keeper_pid)
        _change_folder(folder)

        # The debugger binds TCP and connects to itself, and libzmq aborts the process when a socket is refused. Its
        # import is also the larger half of ipykernel's start.
        sys.modules["debugpy"] = None  # type: ignore[assignment]
        from kernel_sandbox.kernel import run

        run(
            connection_file,
            confined=policy.isolation != "none",
            before_start=lambda: _await(ready, begin, landlock_abi),
        )
        status = 0
    except OSError as error:
        os.write(ready, f"failed {error}".encode()[:4096])
        raise
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else _REFUSED_STATUS
    finally:
        if sys.exc_info()[0] is not None:
            sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
        os._exit(status)


def _await(ready: int, begin: int, landlock_abi: int) -> None:
    os.write(ready, f"ready {landlock_abi}".encode())
    if os.read(begin, 1) != b"g":
        raise SystemExit(_REFUSED_STATUS)
    os.close(ready)
    os.close(begin)


def _change_folder(folder: str) -> None:
    try:
        os.chdir(folder)
    except OSError as error:
        print(f"the kernel starts in its work folder, since {folder} cannot be entered: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()

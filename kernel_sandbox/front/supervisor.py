"""The parent of one confined Jupyter kernel: has it born, looks at its locks, lets it begin, watches it, cleans up.

Started by `SandboxProvisioner` as `python -m kernel_sandbox.front.supervisor -f CONNECTION_FILE`. It runs none of the
kernel's code, ends when the Jupyter application ends, and takes the kernel and its folders with it.
Standard library only, and no thread, so that the fork is clean.
"""

import json
import os
import secrets
import select
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from kernel_sandbox.confined.birth import Birth, Newborn, bear
from kernel_sandbox.errors import SandboxError, SandboxUnavailable
from kernel_sandbox.front.process import BANNER, CELL_BEGINS, END_SECONDS, NOTE, RelayProcess, start_relay
from kernel_sandbox.keeper import workfolder
from kernel_sandbox.keeper.attestation import Confinement, attest
from kernel_sandbox.keeper.keeping import REMAIN, Charge, overtime
from kernel_sandbox.policy import Limits, Policy

SETTINGS_VARIABLE = "KERNEL_SANDBOX_SETTINGS"
_OWNER_ENDED = "its owner ended"
_RELAY_ENDED = "its relay ended"


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
    root, owner, wrapped = settings["root"], int(settings["owner"]), settings["wrapped"] == "yes"
    workfolder.sweep(os.path.dirname(root))
    # Held until this process ends.
    workfolder.claim_root(root)
    sockets, work = os.path.join(root, "sockets"), policy.work or os.path.join(root, "work")
    Path(work).mkdir(mode=0o700, parents=True, exist_ok=True)
    front = json.loads(Path(connection_file).read_text())
    # The kernel makes its sockets in the one folder; in the other one Jupyter meets the relay.
    for folder in (Path(sockets), Path(front["ip"]).parent):
        folder.mkdir(mode=0o700, exist_ok=True)
    # Jupyter's key stays with the relay, and its sockets lie where the kernel cannot reach them.
    back = front | {"transport": "ipc", "ip": f"{sockets}/k", "key": secrets.token_hex(32)}
    own_connection_file = os.path.join(sockets, "connection.json")
    Path(own_connection_file).write_text(json.dumps(back))
    readable = tuple(settings["readable"].split(os.pathsep))
    birth = Birth(settings["policy"], work, sockets, readable, own_connection_file, settings["folder"])
    newborn = bear(birth, wrapped=wrapped)
    for number in (signal.SIGINT, signal.SIGHUP):
        # Jupyter interrupts the whole process group; the kernel is the one who is meant.
        signal.signal(number, signal.SIG_IGN)
    charge = Charge(1, newborn.pid, policy, work, removable=policy.work is None, child=newborn.child)
    relay = start_relay(front, back, policy, os.getpid())
    try:
        return _Watch(charge, newborn, relay, policy, owner, wrapped).run()
    finally:
        relay.end(_last_words(charge, policy.limits))
        if _is_over(owner):
            workfolder.remove(root)


@dataclass
class _Watch:
    """One kernel with its relay and its owner, waited for all at once."""

    charge: Charge
    newborn: Newborn
    relay: RelayProcess
    policy: Policy
    owner: int
    wrapped: bool
    cells: int = 0

    def run(self) -> int:
        """Watch until the kernel ended: its status."""
        charge, relay, ready = self.charge, self.relay, self.newborn.ready
        poller = select.poll()
        for descriptor in (charge.pidfd, ready, self.owner, relay.pidfd):
            poller.register(descriptor, select.POLLIN)
        signal.signal(signal.SIGTERM, lambda *_: charge.kill("terminated"))
        try:
            while True:
                wait = charge.patience_seconds()
                events = dict(poller.poll(None if wait is None else max(1000 * wait, 1)))
                if ready in events:
                    poller.unregister(ready)
                    self._let_begin()
                    poller.register(relay.line, select.POLLIN)
                if self.owner in events:
                    charge.kill(_OWNER_ENDED)
                if relay.line.fileno() in events and not self._listen():
                    poller.unregister(relay.line)
                if relay.pidfd in events:
                    poller.unregister(relay.pidfd)
                    _outlive(charge)
                if charge.pidfd in events:
                    return _end(charge, self.policy.limits)
                for _ in charge.enforce():
                    relay.tell(NOTE, f"{overtime(self.policy.limits.wall_seconds)} and was interrupted; {REMAIN}")
        except SandboxUnavailable:
            charge.kill("not confined")
            charge.bury()
            raise

    def _let_begin(self) -> None:
        message = os.read(self.newborn.ready, 4096).decode("utf-8", "replace")
        word, _, rest = message.partition(" ")
        if word != "ready":
            raise SandboxUnavailable(
                rest or "the kernel ended before it was locked", "Run: python -m kernel_sandbox doctor"
            )
        self.relay.attest(self.policy)
        confinement = attest(self.charge.pid, self.policy, int(rest), wrapped=self.wrapped)
        self.relay.tell(BANNER, _banner(confinement))
        os.write(self.newborn.begin, b"g")

    def _listen(self) -> bool:
        """Take a cell's beginning or end from the relay, and set the clocks: False when it hung up."""
        if not (heard := self.relay.heard()):
            return False
        self.cells += 1
        limits, in_cell = self.policy.limits, heard[-1:] == CELL_BEGINS
        # Between cells, threads of earlier ones may work, for as much processor time as a cell may use.
        wall_seconds = limits.wall_seconds if in_cell else None
        order = {"op": "run", "run": self.cells, "wall_seconds": wall_seconds, "cpu_seconds": limits.cpu_seconds}
        self.charge.obey(order)
        return True


def _banner(confinement: Confinement) -> str:
    if confinement.isolation == "none":
        return 'NOT confined: the policy says isolation="none"'
    return f"Confined, as seen from outside, by: {', '.join(confinement.layers)}"


def _last_words(charge: Charge, limits: Limits) -> str:
    excess = _excess(charge.cause, charge.seen, limits)
    return f"the kernel was ended: {excess}" if excess else ""


def _excess(cause: str, seen: str, limits: Limits) -> str:
    if cause == "wall":
        return f"{overtime(limits.wall_seconds)} and went on when it was interrupted"
    return f"it used {seen}" if seen else ""


def _is_over(owner: int) -> bool:
    """True when nobody is left who would remove the folders: the owner's end of the pipe is closed."""
    poller = select.poll()
    poller.register(owner, select.POLLIN)
    return bool(poller.poll(0))


def _outlive(charge: Charge) -> None:
    # At its own end the kernel leaves the relay first; otherwise it sent what the relay could not hold.
    if not select.select([charge.pidfd], [], [], END_SECONDS)[0]:
        print("the confined kernel was ended: its relay could not hold what it sent", file=sys.stderr, flush=True)
        charge.kill(_RELAY_ENDED)


def _end(charge: Charge, limits: Limits) -> int:
    event = charge.bury()
    excess = _excess(event["cause"], charge.seen, limits)
    if excess:
        print(f"the confined kernel was ended: {excess}", file=sys.stderr, flush=True)
    if event["problem"]:
        print(event["problem"], file=sys.stderr, flush=True)
    return int(event["code"]) if event["code"] >= 0 else 128 - int(event["code"])


if __name__ == "__main__":
    main()

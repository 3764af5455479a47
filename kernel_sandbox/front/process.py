"""The relay's process as its supervisor sees it: started, looked at from outside, listened to, ended.

Standard library only: the supervisor never imports what the relay runs.
"""

import contextlib
import os
import select
import signal
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel_sandbox.confined import bootstrap
from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.keeper.attestation import attest_locks
from kernel_sandbox.locks import RELAY_FILE_BYTES, privileges
from kernel_sandbox.policy import Policy

# One byte from the relay for each turn of the kernel, one letter before each line to it.
CELL_BEGINS, CELL_ENDS = b"+", b"-"
NOTE, BANNER = "n", "b"
READY_WORD = "locked"
END_SECONDS = 1.5
_READ_BYTES = 4096
_LINE_CHARACTERS = 2000
_FAILED_STATUS = 1


@dataclass(frozen=True)
class RelayProcess:
    """The process between the kernel and Jupyter. It ends when `line` is shut down from here."""

    pid: int
    pidfd: int
    line: socket.socket

    def attest(self, policy: Policy) -> None:
        """Wait until it has locked itself, and look at its locks from outside; it has read no message by then.

        Raises: SandboxUnavailable when a lock is missing.
        """
        if policy.isolation == "none":
            return
        word, _, abi = self.line.recv(_READ_BYTES).decode("utf-8", "replace").partition(" ")
        try:
            if word != READY_WORD or not abi.isdecimal():
                raise SandboxUnavailable(
                    f"the relay could not be locked: {abi or 'it ended'}", "Run: python -m kernel_sandbox doctor"
                )
            attest_locks(self.pid, int(abi), file_bytes=RELAY_FILE_BYTES)
        except (FileNotFoundError, ProcessLookupError) as error:
            raise SandboxUnavailable(f"the relay ended before its locks were seen: {error}", "Start again") from error

    def heard(self) -> bytes:
        """What it says of cells that began and ended since the last time; empty when it hung up."""
        with contextlib.suppress(ConnectionResetError):
            return self.line.recv(_READ_BYTES)
        return b""

    def tell(self, kind: str, text: str) -> None:
        """Have a line shown: a NOTE in the cell that runs, or the BANNER."""
        # It may have ended already, and then nobody reads.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.line.sendall(f"{kind}{text[:_LINE_CHARACTERS]}\n".encode())

    def end(self, reason: str = "") -> None:
        """Let it pass on what is on its way and the reason, if any; wait for its end."""
        if reason:
            self.tell(NOTE, reason)
        with contextlib.suppress(OSError):
            self.line.shutdown(socket.SHUT_WR)
        if not select.select([self.pidfd], [], [], END_SECONDS)[0]:
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.line.close()
        os.close(self.pidfd)


def start_relay(front: dict[str, Any], back: dict[str, Any], policy: Policy, keeper_pid: int) -> RelayProcess:
    """The relay between the sockets of Jupyter, `front`, and those of the kernel, `back`."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        status = _FAILED_STATUS
        try:
            bootstrap.close_all_but(theirs.fileno())
            privileges.die_with_parent(keeper_pid)
            os.chdir(Path(front["ip"]).parent)
            from kernel_sandbox.front.forwarding import main

            status = main(front, back, policy, theirs)
        finally:
            bootstrap.leave(status)
    theirs.close()
    return RelayProcess(pid, os.pidfd_open(pid), ours)

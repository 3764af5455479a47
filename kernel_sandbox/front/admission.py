"""The first words of a confined process, and the look at its locks before it is let in."""

from kernel_sandbox.confined.wire import Kind
from kernel_sandbox.errors import SandboxUnavailable
from kernel_sandbox.front.exchange import Conversation
from kernel_sandbox.front.execution import Collector
from kernel_sandbox.keeper.attestation import Confinement, attest
from kernel_sandbox.keeper.nursery import DOCTOR, Kernel, Nursery, death_of
from kernel_sandbox.policy import Policy

_READY_SECONDS = 30.0


def admit(nursery: Nursery, kernel: Kernel, policy: Policy) -> Confinement:
    """Wait until the process has locked itself, and look at its locks from outside.

    Raises: SandboxUnavailable when a lock could not be set or was not seen; the process is then ended.
    """
    greeting = _Greeting(0, policy.limits)
    Conversation(nursery, kernel, policy.limits, greeting, 0).await_greeting(_READY_SECONDS)
    try:
        if not greeting.landlock_abi.isdecimal():
            last_words = greeting.text("stderr").strip().splitlines()[-1:]
            ending = death_of(kernel).reason if kernel.ended else "it did not answer"
            reason = greeting.fault or "; ".join([ending, *last_words])
            raise SandboxUnavailable(f"the confined process could not be locked: {reason}", DOCTOR)
        nursery.await_birth(kernel, _READY_SECONDS)
        return attest(kernel.pid, policy, int(greeting.landlock_abi), wrapped=nursery.wrapped)
    except BaseException:
        nursery.discard(kernel)
        raise


class _Greeting(Collector):
    """The first frame of a process: which version of Landlock it found to hold."""

    landlock_abi = ""

    def take_frame(self, kind: int, request: int, content: bytes) -> None:
        if kind == Kind.READY:
            self.landlock_abi = content[:8].decode("ascii", "replace")
            self.done = content
        else:
            super().take_frame(kind, request, content)

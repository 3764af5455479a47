"""Who runs code: our confined kernel, or what another package brings in its place.

A package registers a function under the entry-point group `pandas_magic.executors`; its name is then a value of the
setting `executor`. Nothing can be said of how such an executor confines code but what it says itself, so every run
names it, and proofs are made in our own kernel whatever the setting.
"""

from typing import Protocol

from kernel_sandbox import Policy, Sandbox
from pandas_magic.checking.kept_sandboxes import take_sandbox
from pandas_magic.plug_ins import load_plug_in

CONFINED = "confined"  # our own


class Executor(Protocol):
    """A function that makes a place to run code in. A bench calls it once for each kernel that it needs."""

    def __call__(self, policy: Policy) -> Sandbox:
        """A sandbox, or what has the methods and attributes of one, under the policy."""


def executor_for(name: str) -> Executor:
    """The executor of that name.

    Raises: NoSuchName with the names there are; UsageMistake when the package that brings it does not load.
    """
    if name == CONFINED:
        return take_sandbox
    executor: Executor = load_plug_in("executor", name, ours=CONFINED)
    return executor


def said_of(executor: str) -> tuple[str, ...]:
    """What a reader of results must know of the executor; nothing of our own."""
    if executor == CONFINED:
        return ()
    return (f'run by the executor "{executor}" of another package: what it found and how it confines are its word',)

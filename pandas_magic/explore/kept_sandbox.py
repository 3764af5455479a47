"""One sandbox kept from one exploration to the next: starting its keeper costs more than exploring a small table.

What is kept is the keeper, which has imported pandas and runs none of the confined code. The process that saw a table
ends with its exploration; the next one is forked anew.
"""

from __future__ import annotations

import os
import threading

from kernel_sandbox import Policy, Sandbox

_lock = threading.Lock()
_kept: list[tuple[int, Policy, Sandbox]] = []  # at most one, with the process that made it


def begin_sandbox(policy: Policy) -> None:
    """Have a keeper of this policy on its way; it comes up while its user still does other things."""
    give_to_next(take_sandbox(policy))


def take_sandbox(policy: Policy) -> Sandbox:
    """The kept sandbox when it has the same policy, else a new one."""
    with _lock:
        for owner, known, sandbox in _kept:
            # After a fork of this process the keeper answers its first owner only.
            if owner == os.getpid() and known == policy:
                _kept.clear()
                return sandbox
    return Sandbox(policy, warm=False)


def give_back(sandbox: Sandbox) -> None:
    """End the sandbox's process, and keep its keeper in place of an older one.

    A sandbox that may read files is ended: the next table is another file.
    """
    if sandbox.policy.read:
        sandbox.close()
        return
    sandbox.renew()
    give_to_next(sandbox)


def give_to_next(sandbox: Sandbox) -> None:
    """Keep a sandbox that has run nothing in place of an older one."""
    with _lock:
        older = [each for owner, _, each in _kept if owner == os.getpid()]
        _kept[:] = [(os.getpid(), sandbox.policy, sandbox)]
    for each in older:
        each.close()

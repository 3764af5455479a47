"""Sandboxes that nobody uses yet: begun before they are asked for, or left by an exploration for the next.

Starting a keeper costs more than most checks and explorations of small tables. What is kept is the keeper, which has
imported pandas and runs none of the confined code: the process that saw a table ends with its use, and the next one is
forked anew.
"""

from __future__ import annotations

import os
import threading

from kernel_sandbox import Policy, Sandbox

_lock = threading.RLock()
# At most one that is warm, for checks, and one that is not, for explorations; with the process that made it.
_kept: list[tuple[int, bool, Sandbox]] = []


def begin_sandbox(policy: Policy, *, warm: bool) -> None:
    """Have a keeper of this policy on its way; it comes up while its user still does other things.

    Raises: SandboxError where there can be none.
    """
    with _lock:  # who asks for one meanwhile waits for it
        _keep(take_sandbox(policy, warm=warm), warm=warm)


def take_sandbox(policy: Policy, *, warm: bool = True) -> Sandbox:
    """The kept sandbox where it is what a new one would be, else a new one. `warm` is as for `Sandbox`."""
    with _lock:
        for kept in _kept:
            owner, is_warm, sandbox = kept
            # After a fork of this process the keeper answers its first owner only.
            if owner == os.getpid() and is_warm == warm and sandbox.policy == policy and sandbox.is_up_to_date:
                _kept.remove(kept)
                return sandbox
    return Sandbox(policy, warm=warm)


def give_back(sandbox: Sandbox) -> None:
    """End the process of an exploration's sandbox, and keep its keeper in place of an older one.

    A sandbox that may read files is ended: the next table is another file.
    """
    if sandbox.policy.read:
        sandbox.close()
        return
    sandbox.renew()
    _keep(sandbox, warm=False)


def end_sandboxes() -> None:
    """End those that are kept."""
    with _lock:
        ended, _kept[:] = list(_kept), []
    for owner, _, sandbox in ended:
        if owner == os.getpid():
            sandbox.close()


def _keep(sandbox: Sandbox, *, warm: bool) -> None:
    with _lock:
        older = [kept for kept in _kept if kept[1] == warm or kept[0] != os.getpid()]
        _kept[:] = [kept for kept in _kept if kept not in older] + [(os.getpid(), warm, sandbox)]
    for owner, _, other in older:
        if owner == os.getpid():
            other.close()

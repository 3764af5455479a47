"""A keeper with something changed in it, as only tests can have one."""

import pytest

from kernel_sandbox.confined import bootstrap

# What a keeper is told that is to miss nothing.
UNSEEN = """
from kernel_sandbox.keeper import newborn, zygote
from kernel_sandbox.keeper.attestation import Confinement
newborn.attest = lambda pid, policy, landlock_abi, **seen: Confinement((), policy.isolation, landlock_abi, pid)
zygote.attest_locks = lambda pid, landlock_abi, **bounds: ()
"""


def change_keepers(patch: pytest.MonkeyPatch, code: str) -> None:
    """Let every keeper that is started from now on run the code before it begins."""
    plain = bootstrap.installation_command

    def command(module: str, **options: str) -> list[str]:
        *head, program = plain(module, **options)
        paths, _, rest = program.rpartition("from ")
        return [*head, f"{paths}\n{code}\nfrom {rest}"]

    patch.setattr(bootstrap, "installation_command", command)

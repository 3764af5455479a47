"""Resource limits of the process: the backstop behind the watcher, and the bound on single files."""

from kernel_sandbox.policy import GIB, Limits

# An idle interpreter with pandas, BLAS and Arrow reserves up to 2.5 GiB of addresses that it never touches (measured:
# 2466 MiB with two threads), so the address space is a backstop above the budget, not the budget.
ADDRESS_HEADROOM_BYTES = 2 * GIB + GIB // 2


def set_rlimits(limits: Limits) -> None:
    """Bound file size, open files, address space, core dumps, locked memory and message queues.

    The hard limit of the address space stays open: seccomp refuses to raise a limit from inside, and the keeper
    outside makes room for staged tables.
    """
    # Not at the top: on other systems, which are refused in words, there is no such module.
    import resource

    _, hard_address = resource.getrlimit(resource.RLIMIT_AS)
    address = limits.memory_bytes + ADDRESS_HEADROOM_BYTES
    if hard_address != resource.RLIM_INFINITY:
        address = min(address, hard_address)
    resource.setrlimit(resource.RLIMIT_AS, (address, hard_address))
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
    ):
        _, hard = resource.getrlimit(kind)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bound, bound))

"""How a confined process begins: folders, environment, locks; only then anything that code could reach.

Standard library only. A process that cannot set a lock says why on its line and ends; it never goes on without.
"""

import os
import sys

from kernel_sandbox.locks import Places, confine, privileges
from kernel_sandbox.policy import Policy

LOCK_FAILED_STATUS = 97
PLOT_FOLDER = ".matplotlib"


def enter(policy: Policy, places: Places, *, keeper_pid: int) -> int:
    """Make this process ready to run code under the policy: the version of Landlock, 0 when isolation is "none".

    Raises: OSError naming the lock that could not be set.
    """
    privileges.die_with_parent(keeper_pid)
    os.chdir(places.work)
    os.umask(0o077)
    os.environ.update(_folders(places))
    if policy.isolation == "none":
        return 0
    landlock_abi = confine(policy, places)
    try_the_lock()
    return landlock_abi


def _folders(places: Places) -> dict[str, str]:
    # Programs read their start-up files there: what code wrote in one life may never run in the next.
    home = places.home
    own = {"HOME": home, "TMPDIR": home, "XDG_CACHE_HOME": f"{home}/.cache", "IPYTHONDIR": f"{home}/.ipython"}
    own["MPLCONFIGDIR"] = own["MATPLOTLIBRC"] = f"{home}/{PLOT_FOLDER}"
    return own | {"PWD": places.work, "KERNEL_SANDBOX_WORK": places.work}


def try_the_lock() -> None:
    """Nothing, when Landlock holds in this process.

    Raises: OSError when it does not.
    """
    # Landlock shows nowhere in /proc, so it is tried: without it, a process may write its own name there.
    try:
        descriptor = os.open(f"/proc/{os.getpid()}/comm", os.O_WRONLY)
    except PermissionError:
        return
    os.close(descriptor)
    raise OSError("Landlock was set and yet refuses nothing")


def close_all_but(*kept: int) -> None:
    """Close every open file above standard error, except those named."""
    low = 3
    for descriptor in sorted(kept):
        os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") < 1 << 20 else 1 << 20)


def environment(parent: dict[str, str], *, compute_threads: int) -> dict[str, str]:
    """The variables of a confined process: what language, time zone and libraries need, and nothing else.

    An allow-list, so a key or token that nobody thought of stays outside.
    """
    passed = ("LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH")
    kept = {name: value for name, value in parent.items() if name in passed or name.startswith("LC_")}
    threads = str(compute_threads)
    return kept | {
        "PATH": "/usr/bin:/bin",
        "USER": "sandbox",
        "LOGNAME": "sandbox",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "OPENBLAS_NUM_THREADS": threads,
        "OMP_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        "NUMEXPR_MAX_THREADS": threads,
        "ARROW_IO_THREADS": threads,
        # As data; as a script nothing of a figure would be shown.
        "PLOTLY_RENDERER": "plotly_mimetype",
        # joblib would try to start processes and to ask lscpu; both are refused, so it is told beforehand.
        "JOBLIB_MULTIPROCESSING": "0",
        "LOKY_MAX_CPU_COUNT": threads,
        # Each arena reserves 64 MiB of addresses.
        "MALLOC_ARENA_MAX": "2",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def installation_command(module: str, *, entry: str = "main") -> list[str]:
    """The command that runs a function of a module of this package, with the packages that this interpreter sees."""
    packages = [entry for entry in sys.path if entry.rstrip("/").endswith(("site-packages", "dist-packages"))]
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    program = (
        "import sys; "
        f"sys.path += [entry for entry in {[*packages, ours]!r} if entry not in sys.path]; "
        f"from {module} import {entry}; {entry}()"
    )
    # -I: neither the current folder, nor PYTHON* variables, nor the user's site can put a module before ours.
    return [sys.executable, "-I", "-c", program]

"""Folders that no policy may grant: whoever writes them runs code outside, whoever reads them meets other kernels.

Standard library only, and nothing of this package: the policy asks here.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

# A path of a socket has 107 bytes; behind the base come the name of a root and that of a socket in it.
_LONGEST_BASE_BYTES = 60
# The names of private folders begin so.
PRIVATE_PREFIX = "kernel-sandbox-"
_LAST_RESORT = "/tmp"
_OWN_FOLDER = "kernel_sandbox/private"


def private_base() -> str:
    """Where private folders of kernels lie: the user's runtime folder, else one in the user's cache.

    The last resort is the folder for temporary files; notebooks are started there, and a kernel may read its folder.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and len(os.fsencode(runtime)) <= _LONGEST_BASE_BYTES and os.access(runtime, os.W_OK):
        return runtime
    cache = Path(_cache_home())
    own = cache / _OWN_FOLDER
    if cache.parent.is_dir() and len(os.fsencode(own)) <= _LONGEST_BASE_BYTES and _is_ours(own):
        return str(own)
    # tempfile would remember its answer, for a process that gets another folder for temporary files later.
    named = os.environ.get("TMPDIR", "")
    fits = os.path.isdir(named) and len(os.fsencode(named)) <= _LONGEST_BASE_BYTES  # noqa: PTH112 - a path is text here
    return named if fits else _LAST_RESORT


def copies_base() -> str:
    """Where copies of notebook folders are kept until somebody brings over what was written in them."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")  # noqa: PTH111 - as for the cache
    return f"{state}/kernel_sandbox/copies"


def work_problem(work: str) -> str:
    """Why code may not write that folder, in words that follow its name; empty when it may."""
    real, home = _real(work), _real("~")
    if _holds(real, home):
        return "is your home folder" if real == home else "holds your home folder"
    for place, meaning in _never_written():
        if _holds(real, place) or _holds(place, real):
            return f"{'holds' if _holds(real, place) else 'lies in'} {place}, {meaning}"
    return read_problem(work)


def read_problem(path: str) -> str:
    """Why code may not read that file or folder, in words that follow its name; empty when it may."""
    real, base, runtime = _real(path), _real(private_base()), _real(_jupyter_runtime())
    if _holds(real, base) or any(place.name.startswith(PRIVATE_PREFIX) for place in (real, *real.parents)):
        return f"holds private files of confined kernels, which lie in {base}"
    if _holds(real, runtime) or _holds(runtime, real):
        return f"holds the keys of running kernels, which Jupyter keeps in {runtime}"
    if _holds(real, _real(copies_base())):
        return f"holds copies of other notebooks, which are kept in {_real(copies_base())}"
    return ""


def _never_written() -> Iterator[tuple[Path, str]]:
    installed = (sys.prefix, sys.base_prefix, str(Path(__file__).parent), *_packages())
    for place in dict.fromkeys(installed):
        yield _real(place), "where your Python and its packages are installed"
    for place in ("~/.ipython", "~/.jupyter", "~/.local/share/jupyter"):
        yield _real(place), "from which IPython and Jupyter start"
    for place in ("/bin", "/boot", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr"):
        yield _real(place), "which is the system's own"


def _packages() -> list[str]:
    return [entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")]


def _jupyter_runtime() -> str:
    # As jupyter_core.paths has it.
    named, runtime = os.environ.get("JUPYTER_RUNTIME_DIR"), os.environ.get("XDG_RUNTIME_DIR")
    data = os.environ.get("JUPYTER_DATA_DIR") or "~/.local/share/jupyter"
    return named or (f"{runtime}/jupyter" if runtime else f"{data}/runtime")


def _cache_home() -> str:
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - without a home it stays


def _is_ours(folder: Path) -> bool:
    """True when the folder is there, or could be made, and nobody else may enter it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError:
        return False
    return found.st_uid == os.geteuid() and not found.st_mode & 0o077 and os.access(folder, os.W_OK)


def _holds(folder: Path, place: Path) -> bool:
    return folder == place or folder in place.parents


def _real(path: str) -> Path:
    expanded = os.path.expanduser(path)  # noqa: PTH111 - without a home it stays, and no absolute path meets it
    return Path(expanded if expanded.startswith("~") else os.path.realpath(expanded))

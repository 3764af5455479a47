"""A Python that a user without rights can run, and what it needs to find our packages."""

import os
import sys
from pathlib import Path

import kernel_sandbox

NOBODY = 65534


def readable_python() -> str:
    """The path of an interpreter of this version that everybody may execute.

    Raises: LookupError when there is none, for instance when Python lives below /root only.
    """
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        if Path(candidate).exists() and _open_to_all(Path(candidate).resolve()):
            return candidate
    raise LookupError(f"no {version} that every user may run; install one: apt-get install {version}")


def site_folders() -> list[str]:
    """Where our packages and those they need are found."""
    packages = [entry for entry in sys.path if entry.endswith("site-packages")]
    return [*packages, str(Path(kernel_sandbox.__file__).parent.parent)]


def _open_to_all(path: Path) -> bool:
    return all(os.stat(folder).st_mode & 0o001 for folder in (path, *path.parents))  # noqa: PTH116 - follows links

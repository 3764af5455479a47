"""The built package, installed offline from a folder of wheels, with the lowest and the newest versions of its needs.

    python tests/matrix/try_versions.py [DIST]

DIST holds the wheel (`make dist` puts it into dist/). Tried are the lowest bounds of pyproject.toml on the oldest
Python, and the newest versions on each Python from 3.11 on that is found; one that is not is said. Each gets an
environment of its own below build/matrix, in which the example shop is compiled, proved and run, and a file of one's
own goes from `pandas-magic start` to a scheduled run. The exit code is 1 when one of them fails.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "matrix"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_BOUND = re.compile(r"(?P<package>[\w.-]+)>=(?P<version>[\d.]+)")
_VERSIONS = "import sys, pandas, pyarrow; print(sys.version.split()[0], pandas.__version__, pyarrow.__version__)"
_DELIVERIES = "delivery_id,fee,sent\n" + "".join(f"{number},{number % 7 + 0.5},2026-10-01\n" for number in range(80))


def lowest_bounds() -> list[str]:
    """The runtime requirements, each pinned to the lowest version that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = (_BOUND.fullmatch(line) for line in project["dependencies"])
    return [f"{bound['package']}=={bound['version']}" for bound in bounds if bound]


def find_python(version: str) -> str | None:
    """The interpreter of that version: on the path, or among those of pyenv."""
    roots = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{version}.*/bin/python"))
    for candidate in (shutil.which(f"python{version}"), *map(str, roots)):
        if candidate and _says(candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])") == version:
            return candidate
    return None


def try_installation(python: str, name: str, wheel: Path, pins: list[str]) -> str:
    """Install from a folder of wheels without an index and use it; the versions that ran.

    Raises: CalledProcessError of the first command that fails.
    """
    folder = BUILT / name
    shutil.rmtree(folder, ignore_errors=True)
    _run(python, "-m", "venv", folder / "venv")
    ours = folder / "venv" / "bin" / "python"
    _run(ours, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", folder / "wheels", wheel, *pins)
    _run(ours, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", folder / "wheels", wheel, *pins)
    _run(ours, "-m", "pandas_magic", "demo", folder / "demo")
    (folder / "own").mkdir()
    (folder / "own" / "deliveries.csv").write_text(_DELIVERIES, encoding="utf-8")
    start = ("start", folder / "own" / "deliveries.csv", "--keep", "1", "--rule", "fee must be positive")
    for words in (start, ("approve", "--all", "-C", folder / "own"), ("run", "-C", folder / "own")):
        _run(ours, "-m", "pandas_magic", *words)
    return _says(str(ours), "-c", _VERSIONS)


def _run(*command: str | Path) -> None:
    done = subprocess.run(
        command, cwd=BUILT, env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(done.stdout[-2000:], done.stderr[-2000:], sep="\n")
        done.check_returncode()


def _says(*command: str) -> str:
    done = subprocess.run(command, cwd=BUILT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def main(dist: Path) -> int:
    """Try every combination that there is, and say each in a line."""
    (wheel,) = dist.resolve().glob("pandas_magic-*.whl")
    BUILT.mkdir(parents=True, exist_ok=True)
    failed = 0
    for version, kind in ((PYTHONS[0], "lowest"), *((version, "newest") for version in PYTHONS)):
        python = find_python(version)
        if python is None:
            print(f"Python {version}, {kind}: not tried, no such interpreter")
            continue
        try:
            ran = try_installation(python, f"{version}-{kind}", wheel, lowest_bounds() if kind == "lowest" else [])
            print(f"Python {version}, {kind}: works (Python, pandas, pyarrow: {ran})", flush=True)
        except subprocess.CalledProcessError as error:
            failed = 1
            print(f"Python {version}, {kind}: FAILS at {' '.join(map(str, error.cmd[1:6]))}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"))

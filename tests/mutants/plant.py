"""Plant one fault at a time and see whether a marked test fails: `python tests/mutants/plant.py [ROW…]`.

`mutants.toml` says for each row of the feature inventory which text of which file is replaced by which. Each fault
stands alone in a copy of the repository with an environment of its own, so that confined processes import the copy as
well; the working tree is never written.
"""

import argparse
import ast
import itertools
import os
import queue
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
import venv
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).with_name("mutants.toml")
SECTIONS = {"A": 26, "B": 26, "C": 38, "D": 22, "E": 14}  # rows in each section of the feature inventory
PATIENCE_SECONDS = 300  # a fault may make a test wait for ever
_NO_END = 124  # what timeout(1) answers; on a loaded machine it shows nothing of the fault
# What takes longest comes last: with the first failure the others need not run.
# Within that by path: pytest loses the fixtures of a folder that it comes back to.
_SLOW = ("tests/notebooks/", "tests/browser/")
_NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "benchmarks", "images")


@dataclass(frozen=True)
class Mutant:
    """One fault: `old` stands once in `file`, and `new` in its place must make one of the `tests` fail."""

    row: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ()  # names of marked tests; empty: every test that is marked with the row

    def problem(self, root: Path = ROOT) -> str:
        """Why it cannot be planted in the files below `root`; "" when it can."""
        text = (root / self.file).read_text(encoding="utf-8")
        if (count := text.count(self.old)) != 1:
            return f"the old text stands {count} times in {self.file}"
        try:
            ast.parse(self.planted(text))
        except SyntaxError as error:
            return f"with the new text {self.file} is no Python: {error.msg}"
        return ""

    def planted(self, text: str) -> str:
        """The text of the file with the fault in it."""
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Row:
    """One row of the feature inventory, in our words, and the faults that its tests must find."""

    id: str
    text: str
    mutants: tuple[Mutant, ...]
    see: str  # a line of a shell or of a notebook that shows it; "⏎" begins the line below a magic
    partly: str = ""  # what of the row is not built; "": all of it is
    none: str = ""  # why no fault can be planted; "": there is one


def inventory() -> list[str]:
    """The ids of every row: A01 to E14."""
    return [f"{section}{number:02d}" for section, rows in SECTIONS.items() for number in range(1, rows + 1)]


def read_rows(path: Path = DATA) -> dict[str, Row]:
    """The rows of the data file by their ids, in its order. Raises: ValueError when one stands there twice."""
    rows: dict[str, Row] = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["row"]:
        if entry["id"] in rows:
            raise ValueError(f"{entry['id']} stands twice in {path.name}")
        mutants = tuple(
            Mutant(entry["id"], each["file"], each["old"], each["new"], tuple(each.get("tests", ())))
            for each in entry.get("mutant", ())
        )
        rows[entry["id"]] = Row(
            entry["id"], entry["is"], mutants, entry["see"], entry.get("partly", ""), entry.get("none", "")
        )
    return rows


@cache
def marked_tests(root: Path = ROOT) -> dict[str, list[str]]:
    """The tests that are marked with each row, as pytest names them, the quick ones first."""
    found: dict[str, list[str]] = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "mark.feature" not in text:
            continue
        for name, rows in _marks_in(ast.parse(text)):
            for row in rows:
                found.setdefault(row, []).append(f"{path.relative_to(root).as_posix()}::{name}")
    return {row: sorted(tests, key=_slowness) for row, tests in found.items()}


def _marks_in(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    for node in tree.body:
        inside, methods = (f"{node.name}::", node.body) if isinstance(node, ast.ClassDef) else ("", [node])
        for function in methods:
            if isinstance(function, ast.FunctionDef):
                yield inside + function.name, [row for mark in function.decorator_list for row in _rows_of(mark)]


def _rows_of(mark: ast.expr) -> list[str]:
    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.feature":
        return [str(ast.literal_eval(argument)) for argument in mark.args]
    return []


def _slowness(test: str) -> int:
    return next((place for place, slow in enumerate(_SLOW, 1) if test.startswith(slow)), 0)


class Copy:
    """A copy of the repository below `folder`, in which faults are planted, with an environment that imports it."""

    def __init__(self, folder: Path) -> None:
        self.root, self._environment = folder / "copy", folder / "environment"
        shutil.copytree(ROOT, self.root, ignore=_NOT_COPIED)
        venv.create(self._environment, symlinks=True)
        packages = Path(sysconfig.get_path("purelib", vars={"base": str(self._environment)}))
        # Installed packages as they are, but for the path to the working tree, which stands in a file that is not read.
        paths = f"{self.root}\n{sysconfig.get_path('purelib')}\n"
        (packages / "copy.pth").write_text(paths, encoding="utf-8")
        (self._environment / "share").symlink_to(Path(sys.prefix) / "share")
        self._take_scripts()

    def _take_scripts(self) -> None:
        mine, theirs = self._environment / "bin", Path(sys.prefix) / "bin"
        for script in theirs.iterdir():
            if script.is_file() and not script.is_symlink() and not (mine / script.name).exists():
                content = script.read_bytes().replace(f"#!{theirs}/".encode(), f"#!{mine}/".encode(), 1)
                (mine / script.name).write_bytes(content)
                (mine / script.name).chmod(0o755)

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """The copy with one fault in it."""
        path = self.root / mutant.file
        before, stat = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(mutant.planted(before), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(before, encoding="utf-8")
            # Compiled files are told apart by whole seconds and the size: the one of the fault must not stand for this.
            os.utime(path, (stat.st_atime, stat.st_mtime))

    def test(self, tests: Sequence[str]) -> tuple[int, str]:
        """The exit code of pytest on the tests, up to the first that fails, and what it said."""
        command = [str(self._environment / "bin" / "python"), "-m", "pytest", "-x", "-q", "--no-header", "--tb=line"]
        try:
            ended = subprocess.run(
                [*command, "-p", "no:cacheprovider", "-n", "0", *tests],
                cwd=self.root,
                capture_output=True,
                text=True,
                timeout=PATIENCE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _NO_END, f"no end within {PATIENCE_SECONDS} s"
        return ended.returncode, ended.stdout + ended.stderr


def chosen_tests(mutant: Mutant, marked: Sequence[str]) -> list[str]:
    """Of the marked tests those that the mutant names, with its case in brackets; all when it names none."""
    named = {test.partition("[")[0]: test for test in mutant.tests}
    ends = {test: test.rpartition("::")[2] for test in marked}
    if not named:
        return list(marked)
    return [test.removesuffix(end) + named[end] for test, end in ends.items() if end in named]


def outcome_of(mutant: Mutant, copy: Copy, marked: Sequence[str]) -> tuple[str, str]:
    """What came of one fault in one or two words, and the last lines that pytest said."""
    if problem := mutant.problem(copy.root):
        return "not planted", problem
    tests = chosen_tests(mutant, marked)
    if not tests:
        return "no marked test", ""
    with copy.planted(mutant):
        code, said = copy.test(tests)
    lines = [line for line in said.splitlines() if line.strip()]
    word = {0: "survived", 1: "killed", _NO_END: "no end"}.get(code, "not run")
    skipped = code == 0 and " passed" not in (lines or [""])[-1]
    return ("skipped" if skipped else word), "\n".join(lines[-6:])


def plant_all(mutants: Sequence[Mutant], *, jobs: int) -> dict[str, int]:
    """Plant each fault, print what came of it, and count the outcomes."""
    marked, counts = marked_tests(), dict[str, int]()
    copies: queue.SimpleQueue[Copy] = queue.SimpleQueue()
    with ExitStack() as stack:
        for _ in range(min(jobs, len(mutants))):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mutants-")))
            folder.chmod(0o755)  # some tests give up root's rights
            copies.put(Copy(folder))

        def tried(mutant: Mutant) -> tuple[Mutant, str, str, float]:
            copy, began = copies.get(), time.monotonic()
            try:
                return mutant, *outcome_of(mutant, copy, marked.get(mutant.row, ())), time.monotonic() - began
            finally:
                copies.put(copy)

        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        for mutant, word, said, seconds in pool.map(tried, mutants):
            counts[word] = counts.get(word, 0) + 1
            told = "" if word == "killed" else f"\n{said}"
            print(f"{mutant.row} {word:<14} {seconds:5.1f} s  {mutant.file}: {_told(mutant)}{told}", flush=True)
    return counts


def _told(mutant: Mutant) -> str:
    fault = mutant.new if mutant.new.strip() else f"without {mutant.old}"
    return " ".join(fault.split())[:80]


def _list(rows: Sequence[Row]) -> None:
    marked = marked_tests()
    for row in rows:
        told = f"none: {row.none}" if row.none else f"{len(row.mutants)} to plant, {len(marked.get(row.id, ()))} marked"
        print(f"{row.id}  {told:<24}  {row.text}{f' (not built: {row.partly})' if row.partly else ''}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit 0 when every fault is found, 1 when one is not."""
    parser = argparse.ArgumentParser(description="plant faults, and see whether the tests of each row find them")
    parser.add_argument("rows", nargs="*", metavar="ROW", help="A12 for one row, A for a section; none: all")
    parser.add_argument("--list", action="store_true", help="print the rows and what there is to plant")
    parser.add_argument("--jobs", type=int, default=1, help="how many faults are tried at once")
    said = parser.parse_args(arguments)
    rows = [row for row in read_rows().values() if not said.rows or row.id.startswith(tuple(said.rows))]
    if said.list:
        _list(rows)
        return 0
    counts = plant_all(list(itertools.chain.from_iterable(row.mutants for row in rows)), jobs=said.jobs)
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 0 if set(counts) <= {"killed"} else 1


if __name__ == "__main__":
    sys.exit(main())

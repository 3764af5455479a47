"""Who may import whom, as data; held against every file and against clean interpreters."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted([*ROOT.glob("pandas_magic/**/*.py"), *ROOT.glob("kernel_sandbox/**/*.py")])

# The parts that run things and show things; parts below them know nothing of these.
ABOVE = ("pandas_magic.workspace", "pandas_magic.checking.runner", "pandas_magic.notebook", "pandas_magic.reporters")

# A package or module -> what it must never import.
FORBIDDEN = {
    "kernel_sandbox": ("pandas_magic",),
    "kernel_sandbox/locks": ("pandas_magic", "zmq", "IPython", "ipykernel", "numpy", "pandas", "pyarrow"),
    "kernel_sandbox/policy.py": ("pandas", "pyarrow", "zmq", "ipykernel", "jupyter_client", "pydantic"),
    "pandas_magic/record.py": ("pandas", "pandas_magic"),
    "pandas_magic/constraints": ("kernel_sandbox", "pandas_magic.planner", *ABOVE),
    "pandas_magic/explore/confined": ("pandas_magic", "kernel_sandbox", "pydantic", "IPython.core"),
    "pandas_magic/explore": ("pandas_magic.workspace", "pandas_magic.notebook", "pandas_magic.checking.runner"),
    "pandas_magic/catalog": ("kernel_sandbox", "pandas_magic.planner", *ABOVE),
    "pandas_magic/planner": ("kernel_sandbox", "pandas_magic.registry", *ABOVE),
    "pandas_magic/peers": ("kernel_sandbox", *ABOVE),
    "pandas_magic/checking/by_model": (
        "pandas_magic.workspace",
        "pandas_magic.notebook",
        "pandas_magic.reporters",
        "IPython",
    ),
    "pandas_magic/plans": ("pandas_magic.notebook", "pandas_magic.reporters", "IPython"),
    "pandas_magic/registry": ("kernel_sandbox", "pandas_magic.planner", *ABOVE),
    "pandas_magic/history": ("kernel_sandbox", "pandas_magic.planner", *ABOVE),
    "pandas_magic/checking/batch.py": ("pandas_magic.notebook", "pandas_magic.reporters", "IPython"),
    "pandas_magic/quarantine": ("pandas_magic.notebook", "pandas_magic.workspace", "IPython"),
    "pandas_magic/checking/prover.py": ("kernel_sandbox", "pandas_magic.planner", *ABOVE),
    "pandas_magic/checking/compiler.py": ("pandas_magic.workspace", "pandas_magic.notebook", "pandas_magic.reporters"),
    "pandas_magic/checking/runner.py": ("pandas_magic.planner", *ABOVE),
    "pandas_magic/checking/bench.py": ("pandas_magic.catalog", "pandas_magic.planner", *ABOVE),
    "pandas_magic/checking/own_rows.py": ("kernel_sandbox", "pandas_magic"),
    "pandas_magic/workspace.py": ("pandas_magic.notebook", "pandas_magic.reporters", "IPython"),
}

# Heavy libraries, each imported in one file only.
ONE_HOME = {"openai", "ipywidgets", "anywidget", "matplotlib", "sqlalchemy", "dask"}

# importing this -> must not load that; each is tried in an interpreter of its own.
LIGHT = [
    ("pandas_magic", ("pandas", "openai", "ipykernel", "matplotlib", "pyarrow", "pydantic", "jupyter_client")),
    ("kernel_sandbox", ("pandas", "pyarrow", "zmq", "ipykernel", "jupyter_client", "IPython")),
    ("kernel_sandbox.locks", ("pandas", "pyarrow", "zmq", "ipykernel", "jupyter_client", "IPython", "asyncio")),
    ("pandas_magic.constraints", ("pandas", "openai", "ipykernel", "matplotlib")),
    # What `%load_ext` and the terminal wait for; nbformat brings a grammar that takes seconds to build.
    ("pandas_magic.notebook.magics", ("openai", "matplotlib", "nbformat", "jsonschema", "nbclient")),
    ("pandas_magic.cli.main", ("openai", "matplotlib", "nbformat", "jsonschema", "nbclient", "IPython")),
]


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Every module that the file imports outside `if TYPE_CHECKING`, with its line."""
    pending: list[ast.AST] = [ast.parse(path.read_text())]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield module, node.lineno
            yield from ((f"{module}.{alias.name}", node.lineno) for alias in node.names)
        pending += ast.iter_child_nodes(node)


def is_or_below(module: str, forbidden: str) -> bool:
    return module == forbidden or module.startswith(f"{forbidden}.")


@pytest.mark.parametrize("place", FORBIDDEN)
def test_no_file_imports_what_its_place_forbids(place: str) -> None:
    files = [path for path in FILES if path.relative_to(ROOT).as_posix().startswith(place)]
    assert files, f"{place} is gone: mend the list"
    own = place.removesuffix(".py").replace("/", ".")
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in files
        for module, line in imported(path)
        for forbidden in FORBIDDEN[place]
        if is_or_below(module, forbidden) and not is_or_below(module, own)
    ]
    assert not wrong, "\n".join(wrong)


def test_heavy_libraries_have_one_home_each() -> None:
    homes: dict[str, set[str]] = {}
    for path in FILES:
        for module, _ in imported(path):
            top = module.split(".")[0]
            if top in ONE_HOME:
                homes.setdefault(top, set()).add(path.relative_to(ROOT).as_posix())
    crowded = {library: files for library, files in homes.items() if len(files) > 1}
    assert not crowded


@pytest.mark.parametrize(("module", "heavy"), LIGHT)
def test_importing_stays_light(module: str, heavy: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print(' '.join(name for name in {heavy!r} if name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.split() == []


def test_underscored_names_stay_in_their_module() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in FILES
        for module, line in imported(path)
        if module.split(".")[0] in ("pandas_magic", "kernel_sandbox")
        and any(part.startswith("_") and not part.startswith("__") for part in module.split("."))
    ]
    assert not wrong, "\n".join(wrong)


def test_no_module_has_a_name_without_a_subject() -> None:
    vague = {"utils", "helpers", "core", "common", "base", "manager", "service", "misc"}
    assert not [path for path in FILES if path.stem in vague or path.parent.name in vague]

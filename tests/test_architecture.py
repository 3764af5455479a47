"""Who may import whom, as data; held against every file and against clean interpreters."""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted([*ROOT.glob("pandas_magic/**/*.py"), *ROOT.glob("kernel_sandbox/**/*.py")])

# The rooms of pandas_magic from the top down; a room imports only rooms below it. Those of one line know nothing of
# each other.
ROOMS = (
    ("cli",),
    ("notebook",),
    ("compat",),
    ("suggestions",),
    ("plans", "explore", "agents", "api"),
    ("workspace",),
    ("quarantine", "corrections"),
    ("reporters",),
    ("checking",),
    ("peers",),
    ("history",),
    ("registry",),
    ("planner",),
    ("constraints",),
    ("catalog",),
    ("settings", "state", "plug_ins"),
    ("clock",),
    ("errors", "record", "garbage"),
)
# The same inside rooms that have rooms of their own.
ROOMS_WITHIN = {
    "pandas_magic.constraints": (("plans",), ("code",), ("types",), ("meaning",), ("algebra",)),
    "pandas_magic.planner": (("model",), ("language",)),
    "pandas_magic.checking": (
        ("time_travel",),
        ("compiler",),
        ("by_model",),
        ("compilation",),
        ("batch",),
        ("runner",),
        ("prover",),
    ),
    "kernel_sandbox": (
        ("bring",),
        ("probe",),
        ("sandbox",),
        ("client",),
        ("provisioner",),
        ("copies",),
        ("keeper",),
        ("front",),
        ("confined",),
        ("tables",),
        ("locks",),
        ("policy", "errors"),
        ("reserved",),
    ),
}
# Files that may import each other in a circle, at most.
CIRCLE_FILES = 3

# A package or module -> what it must never import.
FORBIDDEN = {
    "kernel_sandbox": ("pandas_magic",),
    "kernel_sandbox/locks": ("pandas_magic", "zmq", "IPython", "ipykernel", "numpy", "pandas", "pyarrow"),
    "kernel_sandbox/policy.py": ("pandas", "pyarrow", "zmq", "ipykernel", "jupyter_client", "pydantic"),
    "pandas_magic/record.py": ("pandas", "pandas_magic"),
    "pandas_magic/constraints": ("kernel_sandbox",),
    "pandas_magic/explore/confined": ("pandas_magic", "kernel_sandbox", "pydantic", "IPython.core"),
    "pandas_magic/catalog": ("kernel_sandbox",),
    "pandas_magic/planner": ("kernel_sandbox",),
    "pandas_magic/peers": ("kernel_sandbox",),
    "pandas_magic/registry": ("kernel_sandbox",),
    "pandas_magic/history": ("kernel_sandbox",),
    "pandas_magic/plans": ("IPython",),
    "pandas_magic/quarantine": ("IPython",),
    "pandas_magic/corrections": ("IPython", "kernel_sandbox"),
    "pandas_magic/workspace": ("IPython",),
    "pandas_magic/checking": ("IPython",),
    # A rule that needs no model never passes through a model's code.
    "pandas_magic/checking/prover.py": ("kernel_sandbox", "pandas_magic.planner"),
    "pandas_magic/checking/runner.py": ("pandas_magic.planner",),
    "pandas_magic/checking/bench.py": ("pandas_magic.catalog", "pandas_magic.planner"),
    "pandas_magic/checking/own_rows.py": ("kernel_sandbox", "pandas_magic"),
}

# Heavy libraries, each imported in one file only.
ONE_HOME = {
    "lemminflect", "openai", "ipywidgets", "anywidget", "matplotlib", "sqlalchemy", "sqlglot", "dask", "mcp",
    "opentelemetry",
}  # fmt: skip

LATE = (
    "lemminflect", "nbformat", "jsonschema", "nbclient", "openai", "matplotlib", "duckdb", "sqlalchemy", "psycopg",
    "sklearn", "scipy", "openpyxl", "h5py", "netCDF4", "PIL", "yaml", "defusedxml", "py7zr", "pdfplumber", "docx",
    "pyreadstat", "mcp", "opentelemetry",
)  # fmt: skip

# importing this -> must not load that; each is tried in an interpreter of its own.
LIGHT = [
    (
        "pandas_magic",
        ("pandas", "openai", "ipykernel", "matplotlib", "pyarrow", "pydantic", "jupyter_client", "lemminflect"),
    ),
    ("kernel_sandbox", ("pandas", "pyarrow", "zmq", "ipykernel", "jupyter_client", "IPython")),
    ("kernel_sandbox.locks", ("pandas", "pyarrow", "zmq", "ipykernel", "jupyter_client", "IPython", "asyncio")),
    ("pandas_magic.constraints", ("pandas", "openai", "ipykernel", "matplotlib")),
    # What `%load_ext` and the terminal wait for: nothing of the extras, which may not be installed, and no nbformat,
    # which brings a grammar that takes seconds to build.
    ("pandas_magic.notebook.magics", LATE),
    ("pandas_magic.cli.main", (*LATE, "IPython")),
    # The kernel is on its way before anything large is imported, and --help needs none of it.
    ("pandas_magic.cli.main", ("pandas", "pyarrow", "numpy", "pandas_magic.constraints", "pandas_magic.catalog")),
    ("pandas_magic.cli.head_start", ("pandas", "pyarrow", "numpy", "pandas_magic.constraints")),
    ("pandas_magic.checking.bench", ("pandas", "pyarrow", "numpy", "pandas_magic.constraints")),
    # A run in which nobody is asked reads no sentences and proves nothing.
    ("pandas_magic.workspace", (*LATE, "pandas_magic.planner.language", "pandas_magic.checking.prover")),
]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imported(path: Path) -> tuple[tuple[str, int], ...]:
    """Every module that the file imports outside `if TYPE_CHECKING`, with its line."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, int]]:
    pending: list[ast.AST] = [tree(path)]
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


@cache
def module_graph() -> Mapping[str, frozenset[str]]:
    """Every module of ours and the modules of ours that it imports, those for type checkers left out."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}
    return {
        name: frozenset(module for module, _ in imported(path) if module in names) - {name}
        for name, path in names.items()
    }


def room_of(module: str, house: str) -> str:
    return module.removeprefix(f"{house}.").split(".")[0] if module.startswith(f"{house}.") else ""


@pytest.mark.parametrize("house", ["pandas_magic", *ROOMS_WITHIN])
def test_rooms_import_only_rooms_below_them(house: str) -> None:
    order = ROOMS_WITHIN.get(house, ROOMS)
    floor = {room: number for number, rooms in enumerate(order) for room in rooms}
    assert set(floor) <= {room_of(module, house) for module in module_graph()}, f"a room of {house} is gone"
    wrong = [
        f"{module} imports {other}"
        for module, others in module_graph().items()
        for other in others
        if (mine := room_of(module, house)) in floor
        and (theirs := room_of(other, house)) in floor
        and mine != theirs
        and floor[mine] >= floor[theirs]
    ]
    assert not wrong, "\n".join(wrong)


def test_every_room_has_its_place_in_the_order() -> None:
    rooms = {room for line in ROOMS for room in line}
    there = {room_of(module, "pandas_magic") for module in module_graph()} - {"", "__main__"}
    assert there == rooms


def circles() -> Iterator[tuple[str, ...]]:
    """The sets of modules that import each other in a circle: components of the graph that are strongly connected."""
    below = {module: reached_from(module) for module in module_graph()}
    seen: set[str] = set()
    for module, reached in below.items():
        circle = {other for other in reached if module in below[other]}
        if module not in seen and circle:
            seen |= circle
            yield tuple(sorted(circle))


def reached_from(module: str) -> set[str]:
    reached: set[str] = set()
    pending = [module]
    while pending:
        new = module_graph()[pending.pop()] - reached
        reached |= new
        pending += new
    return reached


def test_circles_are_small_and_stay_in_one_room() -> None:
    assert [circle for circle in circles() if len(circle) > CIRCLE_FILES] == []
    assert [circle for circle in circles() if len({module.rsplit(".", 1)[0] for module in circle}) > 1] == []


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


# A function fits on a screen; its docstring is not counted.
FUNCTION_LINES, POSITIONAL_PARAMETERS, MODULE_LINES = 30, 4, 300


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def positional_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_functions_and_modules_are_small() -> None:
    large = [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}: {lines_of(function)} lines, "
        f"{positional_of(function)} positional parameters"
        for path in FILES
        for function in functions(path)
        if lines_of(function) > FUNCTION_LINES or positional_of(function) > POSITIONAL_PARAMETERS
    ]
    large += [
        f"{path.relative_to(ROOT)}: {length} lines"
        for path in FILES
        if (length := len(path.read_text().splitlines())) > MODULE_LINES
    ]
    assert not large, "\n".join(large)


def test_a_class_has_a_name_of_its_own() -> None:
    homes: dict[str, list[str]] = {}
    for path in FILES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    assert not {
        name: files for name, files in homes.items() if len({file.split("/")[0] for file in files}) < len(files)
    }

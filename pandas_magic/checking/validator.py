"""What code would be refused for, said before it runs, with the line and the way out.

This is for good messages. It is no wall: names can be reached in other ways, and the locks of the operating system are
what holds. So it refuses only what is plainly written there, and nothing that ordinary pandas code does.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from pandas_magic.errors import Refusal

_MAGIC = re.compile(r"^\s*(?:[\w, ]+=\s*)?(?P<mark>%%|%|!)(?P<name>\w*)")

# Feature rows B13 and D09 of the source systems, with the way out that the message gives.
_NAMES = {
    "exec": "write the statements out",
    "eval": "write the expression out",
    "compile": "write the code out",
    "__import__": "use an import statement",
    "open": "tables are there as variables; there is no other file to open",
    "input": "pass the value in as a variable",
    "breakpoint": "use print",
    "__builtins__": "use the names directly",
    "__loader__": "use an import statement",
}
# Feature row B12 of the source systems, plus what those packages' own documentation uses in examples.
ALLOWED_IMPORTS = (
    *("abc", "altair", "array", "bisect", "calendar", "collections", "contextlib", "copy", "csv", "dataclasses"),
    *("datetime", "decimal", "difflib", "enum", "fractions", "functools", "heapq", "io", "itertools", "json"),
    *("math", "matplotlib", "numbers", "numpy", "operator", "pandas", "plotly", "pprint", "pyarrow", "random"),
    *("re", "scipy", "seaborn", "sklearn", "statistics", "statsmodels", "string", "textwrap", "time", "types"),
    *("typing", "unicodedata", "uuid", "warnings", "zoneinfo"),
)
_ATTRIBUTES = {
    *("__subclasses__", "__globals__", "__builtins__", "__bases__", "__base__", "__mro__", "__code__", "__closure__"),
    *("__loader__", "__spec__", "__import__", "__reduce__", "__reduce_ex__", "__getattribute__", "__self__"),
    *("gi_frame", "gi_code", "cr_frame", "ag_frame", "f_globals", "f_locals", "f_builtins", "f_back", "tb_frame"),
    *("_getframe", "ctypeslib"),
}
_BLOCKED_MODULES = {
    *("os", "sys", "subprocess", "socket", "ctypes", "importlib", "pickle", "shutil", "multiprocessing", "threading"),
    *("builtins", "pty", "signal", "resource", "mmap", "asyncio", "http", "urllib", "requests", "tempfile", "pathlib"),
}
_ALWAYS_WRITE = {
    *("to_pickle", "to_parquet", "to_excel", "to_hdf", "to_feather", "to_stata", "to_orc", "to_sql", "to_gbq"),
    *("to_clipboard", "tofile", "to_iceberg", "write_text", "write_bytes"),
}
_WRITE_WHEN_GIVEN_A_PATH = {"to_csv", "to_json", "to_html", "to_latex", "to_markdown", "to_string", "to_xml"}
_UNPICKLE = {"read_pickle": "a pickle runs code; hand the table in as a variable"}
_REMOTE = re.compile(r"^(?:https?|ftp|s3|gs|gcs|abfs)://", re.IGNORECASE)


class Forbidden(StrEnum):
    """What code is refused for, by the code that leads to its part of docs/errors.md."""

    SYNTAX = "KS201"
    MAGIC = "KS202"
    IMPORT = "KS203"
    BUILTIN = "KS204"
    INNARDS = "KS205"
    PICKLE = "KS206"
    WRITING = "KS207"
    ADDRESS = "KS208"
    TEXT = "KS209"


def find_refusals(source: str, allowed_imports: Sequence[str] = ALLOWED_IMPORTS) -> tuple[Refusal, ...]:
    """What the code is refused for, in the order of its lines; empty when nothing was found.

    Code that is no Python is refused too: its syntax error, or the IPython magic in it.

    >>> for refusal in find_refusals("violations = eval('orders')"):
    ...     print(refusal, refusal.code)
    line 1: eval is refused: write the expression out KS204
    """
    if magics := tuple(_magics(source)):
        return magics
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        place = (error.lineno or 1, max((error.offset or 1) - 1, 0))
        return (Refusal(*place, f"this is no Python: {error.msg}", "syntax", Forbidden.SYNTAX),)
    except (ValueError, RecursionError, MemoryError) as error:
        return (Refusal(1, 0, f"this cannot be read as Python: {error}", "syntax", Forbidden.SYNTAX),)
    found = {refusal for node in ast.walk(tree) for refusal in _of_node(node, allowed_imports)}
    return tuple(sorted(found, key=lambda refusal: (refusal.line, refusal.column, refusal.name)))


def find_texts(source: str, texts: Iterable[str]) -> tuple[Refusal, ...]:
    """The first place of each of these texts in the code, spaces that Python does not need left out or not."""
    found = []
    for text in filter(None, texts):
        numbered = [(number, line.find(text)) for number, line in enumerate(source.splitlines(), start=1)]
        place = next((each for each in numbered if each[1] >= 0), (1, 0) if text in _spaced_plainly(source) else None)
        if place is not None:
            message = f'"{text}" is on the list of texts that code must not hold (disallowed_code_patterns)'
            found.append(Refusal(*place, message, text, Forbidden.TEXT))
    return tuple(found)


def _spaced_plainly(source: str) -> str:
    try:
        return ast.unparse(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source


def _magics(source: str) -> Iterator[Refusal]:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        for number, line in enumerate(source.splitlines(), start=1):
            if found := _MAGIC.match(line):
                what = f"{found['mark']}{found['name']}"
                way_out = "starts another program" if found["mark"] == "!" else "is an IPython magic"
                message = f"{what} {way_out}; write it in Python"
                yield Refusal(number, found.start("mark"), message, what, Forbidden.MAGIC)


def _of_node(node: ast.AST, allowed_imports: Sequence[str]) -> Iterator[Refusal]:
    match node:
        case ast.Import():
            for alias in node.names:
                yield from _import(node, alias.name, allowed_imports)
        case ast.ImportFrom():
            yield from _import(node, node.module or ".", allowed_imports)
        case ast.Name(id=name) if name in _NAMES:
            yield _refusal(node, Forbidden.BUILTIN, name, f"{name} is refused: {_NAMES[name]}")
        case ast.Attribute(attr=name) if name in _ATTRIBUTES:
            message = f".{name} reaches into Python itself; no rule about data needs it"
            yield _refusal(node, Forbidden.INNARDS, name, message)
        case ast.Attribute(attr=name) if name in _UNPICKLE:
            yield _refusal(node, Forbidden.PICKLE, name, f"{name} is refused: {_UNPICKLE[name]}")
        case ast.Call():
            yield from _call(node)
        case ast.Constant() if isinstance(node.value, str) and _REMOTE.match(node.value):
            message = "there is no network; name the table in the request instead"
            yield _refusal(node, Forbidden.ADDRESS, node.value[:80], message)


def _import(node: ast.Import | ast.ImportFrom, module: str, allowed_imports: Sequence[str]) -> Iterator[Refusal]:
    top = module.split(".")[0]
    if top in allowed_imports and top not in _BLOCKED_MODULES:
        return
    if top in _BLOCKED_MODULES:
        why = "can reach beyond the data, and no list of allowed packages changes that"
    else:
        why = "is not on the list of allowed packages (allowed_imports)"
    message = f'import of "{module}" is refused: it {why}. Allowed: {", ".join(allowed_imports)}'
    yield _refusal(node, Forbidden.IMPORT, top or module, message)


def _call(node: ast.Call) -> Iterator[Refusal]:
    if not isinstance(node.func, ast.Attribute):
        return
    name = node.func.attr
    if name in _ALWAYS_WRITE or (name in _WRITE_WHEN_GIVEN_A_PATH and _path_given(node)):
        message = f".{name} writes a file; leave the frame in a variable, and it is saved for you"
        yield _refusal(node, Forbidden.WRITING, name, message)


def _path_given(node: ast.Call) -> bool:
    named = [word.value for word in node.keywords if word.arg in ("path_or_buf", "buf", "path_or_buffer")]
    target = next(iter([*node.args, *named]), None)
    return isinstance(target, ast.JoinedStr | ast.BinOp) or (
        isinstance(target, ast.Constant) and isinstance(target.value, str)
    )


def _refusal(node: ast.stmt | ast.expr, code: Forbidden, name: str, message: str) -> Refusal:
    return Refusal(node.lineno, node.col_offset, message, name, code)

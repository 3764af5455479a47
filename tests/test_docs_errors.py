"""Every refusal has a code of its own and a part of docs/errors.md that says what, why and what to write instead."""

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

import kernel_sandbox
import pandas_magic
from kernel_sandbox import SandboxError
from pandas_magic.checking.validator import Forbidden, find_refusals, find_texts
from pandas_magic.errors import CodeRefused, PandasMagicError, error_line

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "errors.md"
PARTS: dict[str, dict[str, str]] = tomllib.loads((ROOT / "docs" / "errors.toml").read_text(encoding="utf-8"))
FIELDS = {"name", "means", "why", "instead", "shows"}
GROUPS = {
    "PM0": "Usage",
    "PM1": "Rules and requests",
    "PM2": "Proofs and runs",
    "PM3": "Tables",
    "PM4": "What is kept",
    "PM5": "Models",
    "PM6": "Exploring",
    "PM7": "Telling others",
    "KS1": "The sandbox",
    "KS2": "Refused code",
}
_OPENING = """\
# Errors, and what to write instead

What goes wrong is said in one line, in a notebook as in a terminal: what kind of error it is, what happened to what,
and at the end a code such as (PM101). This page has a part for each code. In Python the code is `error.code`, and with
`pandas-magic --json` it stands beside the name.
"""


def error_classes() -> Iterator[type[PandasMagicError | SandboxError]]:
    """Every class of the two trees, found in the files so that none hides in a module that nothing imports."""
    bases: dict[str, tuple[str, set[str]]] = {}
    for package in ("pandas_magic", "kernel_sandbox"):
        for path in ROOT.glob(f"{package}/**/*.py"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            text = path.read_text(encoding="utf-8")
            for name, listed in re.findall(r"^class (\w+)\(([^)]*)\)", text, re.MULTILINE):
                bases[name] = (module, {base.strip() for base in listed.split(",")})
    found = {"PandasMagicError", "SandboxError"}
    while more := {name for name, (_, above) in bases.items() if above & found} - found:
        found |= more
    for name in sorted(found):
        yield getattr(import_module(bases[name][0]), name)


CLASSES = list(error_classes())


def page() -> str:
    """docs/errors.md as the data have it."""
    lines = [_OPENING]
    for begin, title in GROUPS.items():
        codes = [code for code in PARTS if code.startswith(begin)]
        lines += [f"## {title}\n", *[part_of(code) for code in codes]]
    return "\n".join(lines)


def part_of(code: str) -> str:
    """What the page says of one code."""
    part = PARTS[code]
    said = f"### {code}\n**{part['name']}.** {part['means']}\n\n{part['why']}\n\n*Instead:* {part['instead']}\n"
    shown = "\n".join(text.strip() for text in (part.get("example", ""), part["shows"]) if text)
    return f"{said}\n```\n{shown}\n```\n" if part["shows"] else said


def test_the_page_is_that_of_the_data() -> None:
    # To accept a change: UPDATE_GOLDEN=1 pytest tests/test_docs_errors.py, then read the diff.
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("error", CLASSES, ids=lambda error: error.__name__)
def test_each_error_has_its_own_code_with_a_part_of_the_page(error: type[PandasMagicError | SandboxError]) -> None:
    assert "code" in vars(error), f"give {error.__name__} a code, and the code a part in docs/errors.toml"
    assert PARTS[error.code]["name"] == error.__name__
    assert [other for other in CLASSES if other.code == error.code] == [error]


def test_the_page_speaks_of_nothing_else() -> None:
    assert set(PARTS) == {error.code for error in CLASSES} | {code.value for code in Forbidden}
    assert list(PARTS) == sorted(PARTS, key=lambda code: (list(GROUPS).index(code[:3]), code))


@pytest.mark.parametrize("code", PARTS)
def test_each_part_says_what_why_and_what_instead(code: str) -> None:
    part = PARTS[code]
    assert set(part) - {"example"} == FIELDS
    assert all(part[field].endswith((".", ").")) for field in ("means", "why", "instead")), code
    assert not part["shows"] or part["shows"].startswith(f"{part['name']}: ")
    assert not part["shows"] or part["shows"].endswith(f" ({code})")


@pytest.mark.parametrize("code", [code for code in PARTS if not code.startswith("KS2") and "example" in PARTS[code]])
def test_the_example_shows_that_line(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    orders = pd.DataFrame({"order_id": [1, 2, 2], "amount": [10.0, -1.0, 5.0]})
    names = {"pandas_magic": pandas_magic, "kernel_sandbox": kernel_sandbox, "orders": orders}
    *before, last = ast.parse(PARTS[code]["example"].strip()).body
    exec(compile(ast.Module(before, []), "<before>", "exec"), names)
    with pytest.raises((PandasMagicError, SandboxError)) as raised:
        exec(compile(ast.Module([last], []), "<example>", "exec"), names)
    assert error_line(raised.value).replace(str(tmp_path), "FOLDER") == PARTS[code]["shows"]


@pytest.mark.parametrize("code", Forbidden)
def test_code_like_the_example_is_refused_with_that_line(code: Forbidden) -> None:
    example = PARTS[code]["example"]
    first = (*find_refusals(example), *find_texts(example, [".query("]))[0]
    shown, _, end = PARTS[code]["shows"].partition("…")
    assert error_line(CodeRefused(first)).startswith(shown)
    assert error_line(CodeRefused(first)).endswith(end)


def test_an_error_of_others_has_no_code() -> None:
    assert error_line(SystemExit(3)) == "SystemExit: 3"
    assert error_line(KeyError("amount")) == "KeyError: 'amount'"


def test_the_code_is_part_of_the_line_and_not_of_the_message() -> None:
    error = PandasMagicError("the shop is closed")
    assert error._render_traceback_() == ["PandasMagicError: the shop is closed (PM001)"]
    assert str(error) == "the shop is closed"

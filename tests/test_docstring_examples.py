"""The examples in docstrings say what happens."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Only these modules are imported: there are some six hundred, and few have examples.
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("kernel_sandbox", "pandas_magic")
    for path in sorted(ROOT.glob(f"{package}/**/*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_say_what_happens(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(import_module(module))
    assert found.attempted, f"{module} has an example outside a docstring"
    assert not found.failed, "what was expected and what came is above"


@pytest.mark.parametrize(
    "module", ["kernel_sandbox.sandbox", "pandas_magic.checking.validator", "pandas_magic.api", "pandas_magic.peers"]
)
def test_what_people_call_has_an_example(module: str) -> None:
    assert module in MODULES

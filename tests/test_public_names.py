"""What people call, type and set, as a list and as pages: what goes, or a default that changes, shows in the diff."""

import argparse
import dataclasses
import inspect
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

import kernel_sandbox
import pandas_magic
from pandas_magic.cli.main import main
from pandas_magic.notebook.magic_settings import PandasMagic
from pandas_magic.planner.model.model_settings import ModelConfiguration, ModelLimits
from pandas_magic.settings import setting_names
from tests.reference import check_file_page, commands_page, magics_page, settings_table

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGE = ROOT / "tests" / "golden" / "public_names.txt"
_REFRESH = "UPDATE_GOLDEN=1 pytest tests/test_public_names.py, then read the diff"
_OPEN = "<!-- settings: written by UPDATE_GOLDEN=1 pytest tests/test_public_names.py -->\n"
_CLOSE = "<!-- /settings -->"
_VARIABLE = re.compile(r'"(PANDAS_MAGIC_[A-Z_]*[A-Z])"')


def page() -> str:
    """Every public name, section by section."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sections: dict[str, Iterator[str]] = {
        "pandas_magic": names_of(pandas_magic),
        "kernel_sandbox": names_of(kernel_sandbox),
        "models": models(),
        "environment": variables(),
        "entry points": entry_points(project),
        "extras": iter(sorted(project["optional-dependencies"])),
    }
    return "\n".join("\n".join([f"[{name}]", *lines, ""]) for name, lines in sections.items())


def names_of(package: Any) -> Iterator[str]:
    """The names of `__all__` with their parameters; below a class its public members."""
    for name in sorted(package.__all__):
        value = getattr(package, name)
        yield f"{name}{parameters(value) if is_called(value) else ''}"
        if isinstance(value, type):
            yield from sorted(set(members(value)))


def is_called(value: Any) -> bool:
    """Whether people call it with parameters of ours; what Python says of other classes differs by version."""
    if not isinstance(value, type):
        return callable(value)
    return not issubclass(value, Enum) and (not issubclass(value, Exception) or "__init__" in vars(value))


def members(owner: type) -> Iterator[str]:
    """What a class of ours adds to what its bases from elsewhere have."""
    if issubclass(owner, Enum):
        yield from (f"    {member.name} = {member.value!r}" for member in owner)
        return
    # Fields of a record stand among its parameters.
    fields = {*getattr(owner, "__dataclass_fields__", ())}
    for base in owner.__mro__:
        if not base.__module__.startswith(("pandas_magic", "kernel_sandbox")):
            continue
        for name, value in vars(base).items():
            if name.startswith(("_", "model_")) or name in fields:
                continue
            function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            yield f"    .{name}{parameters(getattr(owner, name)) if inspect.isfunction(function) else ''}"


def parameters(value: Any) -> str:
    """Names and defaults. Annotations are left out: each version of Python writes them in another way."""
    said = []
    for each in inspect.signature(value).parameters.values():
        bare = each.replace(annotation=inspect.Parameter.empty, default=inspect.Parameter.empty)
        said.append(str(bare) if each.default is inspect.Parameter.empty else f"{bare}={default_words(each.default)}")
        if each.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in "".join(said[:-1]):
            said.insert(-1, "*")
    return f"({', '.join(word for word in said if word != 'self')})"


def default_words(value: object) -> str:
    """A default as it is written, or three dots where it is made anew each time."""
    return repr(value) if isinstance(value, str | int | float | tuple | frozenset | None) else "…"


def parsers() -> Mapping[str, argparse.ArgumentParser]:
    """Each command of the command line with its parser."""
    (chosen,) = (each for each in parser_of_main()._actions if isinstance(each, argparse._SubParsersAction))
    return dict(sorted(chosen.choices.items()))


def parser_of_main() -> argparse.ArgumentParser:
    """The parser that the command line makes."""
    made: list[argparse.ArgumentParser] = []

    def keep(self: argparse.ArgumentParser, _: object = None) -> argparse.Namespace:
        made.append(self)
        raise SystemExit(0)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(argparse.ArgumentParser, "parse_args", keep)
        main([])
    return made[0]


def models() -> Iterator[str]:
    """Each setting of a model with its default."""
    for kind, record in (("model", ModelConfiguration), ("model: limits", ModelLimits)):
        for each in dataclasses.fields(record):
            known = "" if each.default is dataclasses.MISSING else f" = {default_words(each.default)}"
            yield f"{kind}: {each.name}{known}"


def variables() -> Iterator[str]:
    """Each variable of the environment that the code names, beside those of the settings."""
    texts = (path.read_text(encoding="utf-8") for path in ROOT.glob("pandas_magic/**/*.py"))
    yield from sorted({name for text in texts for name in _VARIABLE.findall(text)})


def entry_points(project: Mapping[str, Any]) -> Iterator[str]:
    """What other packages find us by, and what ours are."""
    yield from (f"console: {name}" for name in project["scripts"])
    for group, points in sorted(project["entry-points"].items()):
        yield from (f"{group}: {name}" for name in points)


def settings_page() -> str:
    """docs/settings.md with its table as the code has it."""
    before, rest = (DOCS / "settings.md").read_text(encoding="utf-8").split(_OPEN)
    return f"{before}{_OPEN}{settings_table()}{_CLOSE}{rest.split(_CLOSE)[1]}"


WRITTEN = {
    PAGE: page,
    DOCS / "magics.md": magics_page,
    DOCS / "commands.md": lambda: commands_page(parsers()),
    DOCS / "settings.md": settings_page,
    DOCS / "check-file.md": check_file_page,
}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_the_names_that_people_use_are_those_of_the_list_and_of_the_reference(path: Path) -> None:
    now = WRITTEN[path]()
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(now, encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    gone = [line for line in before.splitlines() if line not in now.splitlines()]
    new = [line for line in now.splitlines() if line not in before.splitlines()]
    assert before == now, f"gone: {gone}; new: {new}. What is meant is kept by {_REFRESH}"


def test_every_name_of_a_setting_is_one_of_the_notebook() -> None:
    known = {name for name in PandasMagic.class_own_traits(config=True)}
    assert known == {"base_dir", *setting_names()}


def test_the_list_tells_a_name_from_a_default() -> None:
    def shown(rule: str, *, jobs: int = 1, planner: str = "rules") -> None:
        """As a person would call it."""

    assert parameters(shown) == "(rule, *, jobs=1, planner='rules')"

"""What people call, type and set, as a list: a name that goes, or a default that changes, shows in the diff."""

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
from pandas_magic.notebook.check_commands import ACTIONS
from pandas_magic.notebook.eda_magics import EdaMagics
from pandas_magic.notebook.magic_lines import parser_of
from pandas_magic.notebook.magic_settings import PandasMagic
from pandas_magic.notebook.magics import PandasMagics
from pandas_magic.notebook.plan_magics import PlanMagics
from pandas_magic.planner.model.model_settings import ModelConfiguration, ModelLimits
from pandas_magic.settings import Settings

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "tests" / "golden" / "public_names.txt"
_REFRESH = "UPDATE_GOLDEN=1 pytest tests/test_public_names.py, then read the diff of tests/golden/public_names.txt"
_VARIABLE = re.compile(r'"(PANDAS_MAGIC_[A-Z_]*[A-Z])"')


def page() -> str:
    """Every public name, section by section."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sections: dict[str, Iterator[str]] = {
        "pandas_magic": names_of(pandas_magic),
        "kernel_sandbox": names_of(kernel_sandbox),
        "magics": magics(),
        "pandas-magic": commands(),
        "settings": settings(),
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


def magics() -> Iterator[str]:
    """Each magic with its words and options."""
    for owner in (EdaMagics, PandasMagics, PlanMagics):
        for name in sorted({name for names in owner.magics.values() for name in names.values()}):
            signs = "/".join("%" * (1 + (kind == "cell")) for kind in ("line", "cell") if name in owner.magics[kind])
            yield f"{signs} {name}"
            yield from options_of(parser_of(getattr(owner, name)))
    yield from (f"% checks {action}" for action in sorted(ACTIONS))


def options_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Each word and option of a parser, with what may stand there."""
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            continue
        takes = f" {{{','.join(map(str, action.choices))}}}" if action.choices else ""
        default = "" if action.default in (None, False, [], argparse.SUPPRESS) else f" = {action.default!r}"
        many = f" {action.nargs}" if action.nargs in ("*", "+", "?") else ""
        yield f"    {', '.join(action.option_strings) or action.dest}{takes}{many}{default}"


def commands() -> Iterator[str]:
    """Each command of the command line with its words and options."""
    (chosen,) = (each for each in parser_of_main()._actions if isinstance(each, argparse._SubParsersAction))
    parsers: Mapping[str, argparse.ArgumentParser] = chosen.choices
    for name, parser in sorted(parsers.items()):
        yield name
        yield from options_of(parser)


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


def settings() -> Iterator[str]:
    """Each setting with its default: of a workspace, of `%config`, of a model."""
    for name, field in Settings.model_fields.items():
        yield f"{name} = {default_words(field.default)}"
    for name in sorted(PandasMagic.class_trait_names(config=True)):
        if name in PandasMagic.class_own_traits():
            yield f"%config PandasMagic.{name}"
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


def test_the_public_names_are_those_of_the_list() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page(), encoding="utf-8")
    before, now = PAGE.read_text(encoding="utf-8").splitlines(), page().splitlines()
    gone = [line for line in before if line not in now]
    new = [line for line in now if line not in before]
    assert before == now, f"gone: {gone}; new: {new}. What is meant is kept by {_REFRESH}"


def test_the_list_tells_a_name_from_a_default() -> None:
    def shown(rule: str, *, jobs: int = 1, planner: str = "rules") -> None:
        """As a person would call it."""

    assert parameters(shown) == "(rule, *, jobs=1, planner='rules')"

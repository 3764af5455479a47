"""The pages of the reference that the code tells: magics, commands, settings, the file of a check."""

import argparse
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pandas_magic.constraints.plans import Plan
from pandas_magic.notebook.check_commands import ACTIONS
from pandas_magic.notebook.eda_magics import EdaMagics
from pandas_magic.notebook.magic_lines import parser_of
from pandas_magic.notebook.magics import PandasMagics
from pandas_magic.notebook.plan_magics import PlanMagics
from pandas_magic.record import Record
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.decisions import Approval, Bands, KnownException, Snooze
from pandas_magic.registry.proof import Proof
from pandas_magic.settings import Settings

_MADE = "<!-- written by UPDATE_GOLDEN=1 pytest tests/test_public_names.py -->\n"
_FIELD = re.compile(r"^    (?P<name>\w+): [^#]*(?:# (?P<beside>.*))?$")
_JSON = ("json", "print one JSON document and nothing else")
_MAGICS = f"""\
# Magics

{_MADE}
`%load_ext pandas_magic` brings them into a notebook. Each answers `--help`. `%name` is a line, `%%name` begins a cell.
"""
_COMMANDS = f"""\
# Commands

{_MADE}
`pandas-magic COMMAND`, or `python -m pandas_magic COMMAND`. Each answers `--help`, takes `-C DIR` (the folder of
tables and checks, the present one without it) and `--json` (one JSON document and nothing else), and ends with one of
four [exit codes](exit-codes.md).
"""
_CHECK_FILE = f"""\
# The file of a check

{_MADE}
`checks/registry/ID.json` holds one compiled check, so that a review sees it in a diff. It is written by
`pandas-magic compile`, `%%check` and what people decide ([review](review.md)); `pandas-magic verify` says where it was
edited by hand. It is JSON with `"version": 2` and the fields below; a file with another field, or without one that
has no default, is refused. `code` is a list of lines. Fields that are null are left out.
"""


def magics_page() -> str:
    """Each magic with what it takes; `%checks` with its actions."""
    parts = [_MAGICS]
    for name, signs, method in sorted(_magics()):
        listed = f"\nActions: {', '.join(f'`{action}`' for action in sorted(ACTIONS))}.\n" if name == "checks" else ""
        parser = parser_of(method)
        said = (parser.description or "").partition("\n\n")[0].replace("\n", " ")
        parts.append(f"## {' and '.join(f'`{sign}{name}`' for sign in signs)}\n{said}\n{listed}")
        parts.append(_options_table(parser))
    return "\n".join(parts)


def commands_page(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    """Each command with what it takes."""
    parts = [_COMMANDS]
    for name, parser in parsers.items():
        parts.append(f"## `pandas-magic {name}`\n{_sentence(parser.description or '')}\n")
        parts.append(_options_table(parser))
    return "\n".join(parts)


def settings_table() -> str:
    """Each setting of a workspace with its default."""
    said = _comments(Settings)
    rows = (
        f"| `{name}` | {_default(field.get_default(call_default_factory=True))} | {said[name]} |"
        for name, field in Settings.model_fields.items()
    )
    return "\n".join(["| setting | without it | what |", "|---|---|---|", *rows]) + "\n"


def check_file_page() -> str:
    """Each record of a check's file with its fields."""
    parts = [_CHECK_FILE]
    for record, title in (
        (CompiledCheck, "The whole"),
        (Check, "`check`"),
        (Bands, "`check.bands`"),
        (Plan, "`plan`"),
        (Proof, "`proof`"),
        (Approval, "`approval`"),
        (Snooze, "`snooze`"),
        (KnownException, "each of `exceptions`"),
    ):
        parts.append(f"## {title}\n{(record.__doc__ or '').partition(chr(10))[0]}\n\n{_fields_table(record)}")
    return "\n".join(parts)


def _magics() -> Iterator[tuple[str, tuple[str, ...], Callable[..., object]]]:
    for owner in (EdaMagics, PandasMagics, PlanMagics):
        for name in {name for names in owner.magics.values() for name in names.values()}:
            signs = tuple(sign for sign, kind in (("%", "line"), ("%%", "cell")) if name in owner.magics[kind].values())
            yield name, signs, getattr(owner, name)


def _options_table(parser: argparse.ArgumentParser) -> str:
    """What a parser takes; what all take is told once on the page."""
    rows = []
    for action in parser._actions:
        if {"--help", "--workspace"} & {*action.option_strings} or (action.dest, action.help) == _JSON:
            continue
        values = "|".join(map(str, action.choices or ())) or action.metavar or action.dest.upper() * (action.nargs != 0)
        words = action.option_strings or [action.metavar or action.dest]
        shown = ", ".join(words) + (f" {values}" if action.option_strings and values else "")
        said = (action.help or "") % {**vars(action), "prog": parser.prog}
        default = "" if action.default in (None, False, True, [], "", argparse.SUPPRESS) else f"`{action.default}`"
        rows.append(f"| `{_cell(shown)}` | {_cell(said)} | {default} |")
    return (
        "\n".join(["| takes | what | without it |", "|---|---|---|", *rows, ""]) if rows else "It takes nothing more.\n"
    )


def _fields_table(record: type[Record]) -> str:
    said = _comments(record)
    rows = (
        f"| `{name}` | {'' if field.is_required() else _default(field.get_default(call_default_factory=True))} "
        f"| {said.get(name, '')} |"
        for name, field in record.model_fields.items()
    )
    return "\n".join(["| field | without it | what |", "|---|---|---|", *rows, ""])


def _comments(record: type[Record]) -> dict[str, str]:
    """What the file of a record says of each field: the comment beside it, or the lines above."""
    said: dict[str, str] = {}
    for owner in reversed(record.__mro__[: record.__mro__.index(Record)]):
        above: list[str] = []
        for line in inspect.getsource(owner).splitlines():
            if line.strip().startswith("# "):
                above.append(line.strip()[2:])
            elif field := _FIELD.match(line):
                said[field["name"]] = _cell(field["beside"] or " ".join(above))
                above = []
    return said


def _default(value: Any) -> str:
    return f"`{value!r}`" if value not in ("", (), None) and value != {} else "none"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")

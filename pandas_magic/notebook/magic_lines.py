"""What a magic's line may say: words and options, their mistakes in one line, their completion."""

import argparse
import re
import shlex
from collections.abc import Callable
from typing import Any, Literal, NoReturn, TypeVar

from IPython.core import magic as ipython
from IPython.core.error import UsageError
from IPython.core.magic_arguments import argument, magic_arguments

from pandas_magic.errors import UsageMistake, nearest_name

_Method = TypeVar("_Method", bound=Callable[..., object])
_Decorator = Callable[[Any], Any]

_KINDS: dict[str, _Decorator] = {
    "line": ipython.line_magic,
    "cell": ipython.cell_magic,
    "line_cell": ipython.line_cell_magic,
}


def option(*flags: str, **said: object) -> _Decorator:
    """One option of a magic, said as `argparse` says it."""
    made: _Decorator = argument(*flags, **said)
    return made


def magic(kind: Literal["line", "cell", "line_cell"], *options: _Decorator) -> Callable[[_Method], _Method]:
    """Make a method a magic that takes these options and `--help`.

    IPython's decorators carry no types, and stacked they would take the method's own away.
    """

    def decorate(method: _Method) -> _Method:
        decorated: Any = method
        for each in (*reversed(options), option("-h", "--help", action="store_true", help="say what this magic takes")):
            decorated = each(decorated)
        named: _Method = _KINDS[kind](magic_arguments()(decorated))
        return named

    return decorate


def parse_line(magic: Callable[..., object], line: str) -> argparse.Namespace:
    """The line's options, by the parser that `@magic_arguments` gave the magic.

    A word in quotes is one word, without its quotes (IPython's own splitting keeps them).

    Raises: UsageMistake naming the part that cannot be meant, and the nearest option.
    """
    name = magic_name(magic)
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageMistake(f"a quotation mark in `{line.strip()}` has no partner") from error
    try:
        return parser_of(magic).parse_args(words)
    except UsageError as error:
        raise UsageMistake(f"%{name}: {error}{_guess(magic, str(error))}; %{name} --help lists what it takes") from None


def help_of(magic: Callable[..., object]) -> str:
    """What the magic takes, as a terminal's commands say it; IPython's own form is meant for documentation."""
    parser = parser_of(magic)
    parser.prog, parser.formatter_class = f"%{magic_name(magic)}", argparse.RawDescriptionHelpFormatter
    return parser.format_help()


def parser_of(magic: Callable[..., object]) -> argparse.ArgumentParser:
    """The parser that `@magic_arguments` made for the magic."""
    parser: argparse.ArgumentParser = magic.parser  # type: ignore[attr-defined] # the decorator put it there
    return parser


def magic_name(magic: Callable[..., object]) -> str:
    """The name by which the magic is called, without its signs."""
    return magic.__name__


def options_of(magic: Callable[..., object]) -> list[str]:
    """Every long option of the magic, sorted."""
    return sorted(option for option in parser_of(magic)._option_string_actions if option.startswith("--"))


def comma_separated(text: str | None) -> tuple[str, ...]:
    """The parts of a list as people write it: "a,b", "a, b" or one name."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def no_such_action(magic: str, action: str, known: tuple[str, ...]) -> NoReturn:
    """Say that a magic has no such action.

    Raises: UsageMistake, always.
    """
    nearest = nearest_name(action, known)
    guess = f'. Did you mean "{nearest}"?' if nearest else ""
    raise UsageMistake(f'%{magic} has no action "{action}"; it has {", ".join(known)}{guess}')


def _guess(magic: Callable[..., object], message: str) -> str:
    unknown = re.search(r"unrecognized arguments: (--\S+)", message)
    nearest = nearest_name(unknown[1], options_of(magic)) if unknown else None
    return f". Did you mean {nearest}?" if nearest else ""

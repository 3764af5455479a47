"""Lists of entries in JSON, YAML and TOML, each entry with the line on which it stands."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pandas_magic.errors import StateUnreadable, UsageMistake
from pandas_magic.record import first_twice

_SUFFIXES = (".json", ".yaml", ".yml", ".toml")
_KEY = "checks"  # of the list, where the form has none at its top
_BLANK = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class PlacedEntry:
    """One entry of a list, with its text: `line` is the first of it, from 1."""

    content: Any
    line: int
    text: str

    def line_of(self, name: str) -> int:
        """The line on which the entry has that name; its own when the text does not tell."""
        for number, line in enumerate(self.text.split("\n")):
            if re.search(rf'(^|[\s{{,"\'-]){re.escape(name)}["\']?\s*[:=]', line):
                return self.line + number
        return self.line


def list_file(folder: Path) -> Path | None:
    """The list in the folder, or None. Raises: StateUnreadable when there are several."""
    found = [path for suffix in _SUFFIXES if (path := folder / f"checks{suffix}").exists()]
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise StateUnreadable(f"{folder} has {names}; one of them must be the list of checks: put the others away")
    return found[0] if found else None


def list_text(path: Path) -> str:
    """What stands in the file. Raises: StateUnreadable when it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StateUnreadable(f"{path} cannot be read: {error}") from error


def entries_in(path: Path, text: str) -> list[PlacedEntry]:
    """Every entry of the list that the text holds, in its order; the path's suffix says in which form.

    Raises: StateUnreadable when it holds no list, with the line where there is one.
    """
    read: Callable[[Path, str], Iterator[PlacedEntry]] = {".json": _json, ".toml": _toml}.get(path.suffix, _yaml)
    return list(read(path, text))


def _json(path: Path, text: str) -> Iterator[PlacedEntry]:
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    try:
        content = decoder.decode(text)
    except ValueError as error:
        raise StateUnreadable(f"{path} is no JSON: {error}; mend that line") from error
    _refuse_other(path, content)
    # It is a list, and valid: its entries are found one after the other.
    at = text.index("[") + 1
    line = text.count("\n", 0, at) + 1
    for entry in content:
        begin = _after(_BLANK, text, at)
        line += text.count("\n", at, begin)
        _, at = decoder.raw_decode(text, begin)
        yield PlacedEntry(entry, line, text[begin:at])
        line += text.count("\n", begin, at)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entry = dict(pairs)
    if len(entry) < len(pairs):
        raise ValueError(_said_twice([name for name, _ in pairs]))
    return entry


def _said_twice(names: Sequence[str]) -> str:
    """What is wrong with names of which one stands twice; "" where none does."""
    twice = first_twice(names)
    return "" if twice is None else f'"{twice}" stands twice in one check'


def _toml(path: Path, text: str) -> Iterator[PlacedEntry]:
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StateUnreadable(f"{path} is no TOML: {error}; mend that line") from error
    listed = content.get(_KEY, [])
    if set(content) - {_KEY} or not isinstance(listed, list):
        raise StateUnreadable(f"{path} must be a list of checks: each under [[{_KEY}]], and nothing else")
    headers = [match.start() for match in re.finditer(rf"(?m)^\s*\[\[\s*{_KEY}\s*\]\]", text)]
    starts = headers if len(headers) == len(listed) else [0] * len(listed)
    for number, entry in enumerate(listed):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        begin = _after(re.compile(r"\s*"), text, starts[number])
        yield PlacedEntry(entry, text.count("\n", 0, begin) + 1, text[begin:end])


def _yaml(path: Path, text: str) -> Iterator[PlacedEntry]:
    try:
        import yaml
    except ImportError as error:
        raise UsageMistake(f"{path.name} needs a package that is missing: pip install 'pandas-magic[yaml]'") from error
    try:
        content, tree = yaml.safe_load(text), yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise StateUnreadable(f"{path} is no YAML: {' '.join(str(error).split())}; mend that line") from error
    if isinstance(content, dict) and set(content) == {_KEY}:
        content, tree = content[_KEY], tree.value[0][1]
    if content is None:
        return
    _refuse_other(path, content)
    for entry, node in zip(content, tree.value, strict=True):
        begin, end = node.start_mark, node.end_mark
        if isinstance(node, yaml.MappingNode) and (twice := _said_twice([name.value for name, _ in node.value])):
            raise StateUnreadable(f"{path}, line {begin.line + 1}: {twice}; mend that check")
        yield PlacedEntry(entry, begin.line + 1, text[begin.index : end.index])


def _refuse_other(path: Path, content: object) -> None:
    if not isinstance(content, list):
        raise StateUnreadable(f"{path} holds a {type(content).__name__}; it must be a list of checks")


def _after(blank: re.Pattern[str], text: str, at: int) -> int:
    found = blank.match(text, at)
    return found.end() if found else at

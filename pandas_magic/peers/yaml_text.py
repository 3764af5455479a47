"""YAML of peers: plain values with the line of each, and nothing that stands in the text is lost in reading."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pandas_magic.errors import UsageMistake

# A file of checks has some thousand values; an alias can stand for billions.
_MOST_VALUES = 200_000
_DEEPEST = 60
_NO_YAML = "reading and writing YAML needs a package that is missing: pip install 'pandas-magic[yaml]'"
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class YamlText:
    """The content as plain values, and the line at which each value begins."""

    content: Any
    lines: Mapping[Path, int]

    def where(self, *path: str | int) -> str:
        """The place of the value, as "line 12"; that of the nearest value around it when it has none of its own."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"line {self.lines.get(path, 1)}"


def load(text: str) -> YamlText:
    """The one document in the text.

    Raises: UsageMistake for what is no YAML, keys given twice, merge keys, and aliases that unfold without end.
    """
    yaml = _yaml()
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        builder = yaml.constructor.SafeConstructor()
        lines: dict[Path, int] = {}
        return YamlText(None if node is None else _value(node, (), lines, builder), lines)
    except yaml.YAMLError as error:
        raise UsageMistake(f"the file is no YAML that can be read: {' '.join(str(error).split())}") from error
    except (ValueError, RecursionError) as error:
        raise UsageMistake(f"the file cannot be read: {error}") from error


def _value(node: Any, path: Path, lines: dict[Path, int], builder: Any) -> Any:  # noqa: ANN401 - nodes of YAML
    line = node.start_mark.line + 1
    lines[path] = line
    if len(lines) > _MOST_VALUES or len(path) > _DEEPEST:
        raise UsageMistake(f"line {line}: the file holds more values, or deeper ones, than any file of checks")
    if node.id == "sequence":
        return [_value(child, (*path, place), lines, builder) for place, child in enumerate(node.value)]
    if node.id == "scalar":
        return builder.construct_object(node)
    found: dict[Any, Any] = {}
    for key_node, child in node.value:
        if key_node.tag == "tag:yaml.org,2002:merge" or key_node.id != "scalar":
            raise UsageMistake(f"line {line}: merge keys and keys that are no plain words are not understood")
        key = builder.construct_object(key_node)
        if key in found:
            raise UsageMistake(f"line {key_node.start_mark.line + 1}: {key!r} is given twice; only one would count")
        found[key] = _value(child, (*path, key), lines, builder)
        lines[(*path, key)] = key_node.start_mark.line + 1
    return found


def dump(content: object) -> str:
    """The content as YAML, keys in their order, lines unbroken."""
    text: str = _yaml().safe_dump(content, sort_keys=False, allow_unicode=True, width=10_000)
    return text


def _yaml() -> Any:  # noqa: ANN401 - the module
    try:
        import yaml
    except ImportError as error:
        raise UsageMistake(_NO_YAML) from error
    return yaml

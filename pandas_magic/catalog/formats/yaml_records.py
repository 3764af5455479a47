"""YAML: a list of records, read with the safe loader, which makes no objects but plain values."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from pandas_magic.catalog.formats.codes import A_PLUS, lost_in_front
from pandas_magic.catalog.formats.json_records import refuse_twice, rows_of_records, text_of
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    from yaml import Node

_NUMBERS, _TEXT = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float"), "tag:yaml.org,2002:str"
# 017 is 15 in YAML, 0x1F is 31, and 12:30 is 750.
_OTHERWISE, _PLUS = re.compile(r"[+-]?0[0-9_xb]|.*:"), re.compile(r"\+")
# An alias stands for a whole branch, so a few lines can mean billions of values. No table needs one.
_ALIASES = "holds aliases (*name), which can unfold to any size; write the values out"


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The records as rows. Raises: TableUnreadable for aliases and for anything but a list of records."""
    import yaml

    said: list[str] = []
    text, notes = text_of(path, options)
    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            raise TableUnreadable(f"{path.name} {_ALIASES}")
        loader = yaml.SafeLoader(text)
        tree = loader.get_single_node()
        for record in getattr(tree, "value", ()):
            if isinstance(record, yaml.MappingNode):
                refuse_twice([name.value for name, _ in record.value])
        said = [] if tree is None else list(_keep_as_written(tree))
        content = None if tree is None else loader.construct_document(tree)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    return rows_of_records(content, path.name, (*notes, *said))


def _keep_as_written(tree: "Node") -> Iterator[str]:
    """Make texts of numbers that would be other ones than those written, in all of their column; what is said of it."""
    columns: defaultdict[str, list[Node]] = defaultdict(list)
    for record in tree.value if tree.id == "sequence" else ():
        for name, value in record.value if record.id == "mapping" else ():
            if value.tag in _NUMBERS:
                columns[str(name.value)].append(value)
    for name, values in columns.items():
        texts = [str(each.value) for each in values]
        otherwise = _PLUS if lost_in_front(pa.array(texts)) == A_PLUS else _OTHERWISE
        found = next((text for text in texts if otherwise.match(text)), None) or _one_of_two(texts)
        if found:
            for value in values:
                value.tag = _TEXT
            yield f'column "{name}": numbers stay text as they are written, since "{found}" would be read as another'


def _one_of_two(texts: list[str]) -> str:
    """A number written in two ways, such as the versions 1.1 and 1.10; "" where there is none."""
    plain = {text for text in texts if "." in text}
    return next((text for text in sorted(plain) if text.endswith("0") and text.rstrip("0") in plain), "")

"""XML: the element that repeats most is the record; its attributes and simple children are the columns."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from pandas_magic.catalog.formats.retyping import retyped
from pandas_magic.catalog.readers import LoadedRows, ReadOptions
from pandas_magic.errors import TableUnreadable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The repeated elements as rows, values typed as in a CSV file. Entities and external parts are refused."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import parse

    try:
        root: Element = parse(path).getroot()
    except ParseError as error:
        raise ValueError(str(error)) from error
    except DefusedXmlException as error:
        raise TableUnreadable(f"{path.name} defines entities, which are not followed: write the values out") from error
    parent = max(root.iter(), key=_repeats)
    if not len(parent):
        raise TableUnreadable(f"{path.name} has no elements that repeat, so it holds no table")
    tag = Counter(_plain(child.tag) for child in parent).most_common(1)[0][0]
    records = [_record(child) for child in parent if _plain(child.tag) == tag]
    frame = pd.DataFrame.from_records(records)
    return retyped(frame, path.name, options, (f"rows are the elements <{tag}> in <{_plain(parent.tag)}>",))


def _repeats(element: "Element") -> int:
    counts = Counter(child.tag for child in element)
    return max(counts.values(), default=0)


def _plain(tag: str) -> str:
    return tag.rpartition("}")[2]


def _record(element: "Element") -> dict[str, str | None]:
    record: dict[str, str | None] = {_plain(name): value for name, value in element.attrib.items()}
    for child in element:
        name = _plain(child.tag)
        text = " ".join("".join(child.itertext()).split()) or None
        record[name] = f"{record[name]}; {text}" if name in record else text
    return record

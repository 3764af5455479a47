"""Labels of columns and names of indexes as JSON, and back from a process that nobody trusts."""

import datetime
import re
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from kernel_sandbox.tables.boundary import NotRepresentable

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?)?(?:[+-]\d\d:\d\d(?::\d\d)?)?", re.ASCII)
# Whoever prints a frame prints its labels: these would steer a terminal, or show another order of characters than the
# one that is there. Tabs, line ends and marks of invisible width stand in honest tables.
_STEERING = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)


def label_to_json(label: Hashable) -> Any:  # noqa: ANN401 - any JSON value
    """The label as JSON that `label_from_json` reads.

    Raises: NotRepresentable when it is of a kind that cannot cross.
    """
    if label is None or isinstance(label, bool | int | str):
        return label
    if isinstance(label, np.generic):
        return label_to_json(label.item())
    if isinstance(label, tuple):
        return {"tuple": [label_to_json(part) for part in label]}
    if isinstance(label, float):
        return {"float": label.hex()}
    if isinstance(label, datetime.datetime):
        return {"time": label.isoformat()}
    raise NotRepresentable(f"the label {label!r} is a {type(label).__name__}, which cannot cross; use text")


def label_from_json(content: Any) -> Any:  # noqa: ANN401 - any label
    """The label, of a kind that is known here.

    Raises: NotRepresentable when it is anything else.
    """
    match content:
        case None | bool() | int() | str():
            return content
        case {"tuple": [*parts], **rest} if not rest:
            return tuple(label_from_json(part) for part in parts)
        case {"float": str(text), **rest} if not rest:
            return float.fromhex(text)
        case {"time": str(text), **rest} if not rest and _MOMENT.fullmatch(text):
            return pd.Timestamp(text)
    raise NotRepresentable(f"it claims a label {ascii(content)[:200]} of no known kind")


def check_labels(frame: pd.DataFrame) -> None:
    """Nothing, when the labels of the columns and the names of the indexes are harmless where they are printed.

    Raises: NotRepresentable naming the label and the character.
    """
    pending = [*frame.columns, *frame.columns.names, *frame.index.names]
    while pending:
        label = pending.pop()
        if isinstance(label, tuple):
            pending += label
        elif isinstance(label, str) and (found := _STEERING.search(label)):
            raise NotRepresentable(
                f"its label {ascii(label)[:200]} holds the character {found[0]!a}, which steers a terminal or "
                "reorders text; rename it in the code"
            )

"""Names of columns as texts, no two alike: what the report calls them by."""

from __future__ import annotations

import pandas as pd


def with_unique_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its labels as texts: a second "a" is "a.2", one without a name is "column 3"."""
    texts = [str(label) if str(label).strip() else f"column {number}" for number, label in enumerate(frame.columns, 1)]
    taken, names = set(texts), set[str]()
    unique = []
    for text in texts:
        name, repeat = text, 2
        while name in names or (repeat > 2 and name in taken):
            name, repeat = f"{text}.{repeat}", repeat + 1
        names.add(name)
        unique.append(name)
    renamed = frame.copy(deep=False)
    renamed.columns = pd.Index(unique, dtype=object)
    return renamed

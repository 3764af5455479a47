"""A hash of what a table holds, the same however it is stored and in whatever order its rows and columns stand."""

import hashlib

import numpy as np
import pandas as pd

from pandas_magic.catalog.table import kind_of


def content_hash(frame: pd.DataFrame) -> str:
    """Sixteen hex digits that change with any value, column name or row, and with nothing else.

    Rows count as often as they occur. 1 and 1.0 are the same number, and every kind of missing value is one.
    """
    names = sorted(map(str, frame.columns))
    plain = frame.rename(columns=str)
    rows = np.zeros(len(frame), dtype=np.uint64)
    for name in names:
        # The name is part of each value's hash: equal values in two columns must not cancel out.
        salt = np.uint64(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little") | 1)
        rows = rows * np.uint64(6364136223846793005) + _hashes(plain[name]) * salt
    total = hashlib.sha256("\x1f".join(names).encode())
    # Adding forgets the order of rows but not how often each occurs; mixed first, so that sums say nothing of parts.
    mixed = pd.util.hash_array(rows)
    total.update(len(frame).to_bytes(8, "little"))
    total.update(int(mixed.sum(dtype=np.uint64)).to_bytes(8, "little"))
    total.update(int(np.bitwise_xor.reduce(mixed)).to_bytes(8, "little"))
    return total.hexdigest()[:16]


def _hashes(column: pd.Series) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    kind = kind_of(str(column.dtype))
    present = column.notna().to_numpy()
    if kind in ("integer", "number", "boolean"):
        values = pd.Series([str(_plain(value)) for value in column[present]], dtype=object)
    elif kind == "datetime":
        values = column[present].map(lambda moment: moment.isoformat()).astype(object)
    else:
        values = column[present].map(str).astype(object)
    hashes = np.zeros(len(column), dtype=np.uint64)
    hashes[present] = pd.util.hash_array(values.to_numpy(), categorize=True)
    return hashes


def _plain(value: object) -> object:
    return int(value) if isinstance(value, (float, np.floating)) and float(value).is_integer() else value

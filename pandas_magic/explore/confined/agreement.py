"""Texts of a file that can be nothing but numbers: where all agree, nobody is asked."""

from __future__ import annotations

import pyarrow.compute as pc

from pandas_magic.explore.confined.recognition import reread
from pandas_magic.explore.confined.typed_column import ALL_AGREE, TypedColumn


def read_as_all_agree(column: TypedColumn) -> TypedColumn:
    """The column as numbers, where that is the one reading of its texts and no unit stands beside them; else as it is.

    `evidence` then says what they agree on. It is for files, in which every value was a text once.
    """
    if column.codes is None or len(column.readings) != 1:
        return column
    if pc.any(pc.match_substring_regex(column.labels.texts, "[^0-9.,+-]")).as_py():
        return column
    reading, example = column.readings[0], column.labels[0]
    if reading.startswith("numeric"):
        column = reread(column, reading)
        column.evidence = f'{ALL_AGREE} {reading}, like "{example}"'
    return column

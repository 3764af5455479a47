"""Moments written with an offset: which days and hours they have, and what is said where offsets differ."""

import re

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

_OFFSET = re.compile(r"[0-9][T ][0-9]{2}[0-9:.]*\s*(Z|[+-][0-9]{2}(?::?[0-9]{2})?)$")
_UTC = "UTC"


def offsets_of(texts: pa.Array | pa.ChunkedArray) -> set[str]:
    """The offsets of moments in ISO 8601, as in "+02:00"; "UTC" where it is none, "" for what is without one."""
    found, rest = set[str](), texts.drop_null()
    while len(rest):
        written = _OFFSET.search(rest[0].as_py())
        found.add(_plain(written[1]) if written else "")
        if written:  # few are written in one column, and to compare the ends of texts is quick
            rest = rest.filter(pc.invert(pc.ends_with(rest, written[1])))
        else:
            rest = rest.filter(pc.match_substring_regex(rest, _OFFSET.pattern))
    return found


def zone_of(offsets: set[str]) -> str:
    """In what zone moments are shown: the one in which all are written, else UTC, in which they can be compared."""
    return next(iter(offsets)) if len(offsets) == 1 else _UTC


def said_of_offsets(offsets: set[str]) -> str:
    """What is said of a column whose moments are shown in another zone than they are written in; "" where not."""
    if len(offsets) < 2:
        return ""
    return f"its offsets differ ({', '.join(sorted(offsets))}), so its days and hours are those of UTC"


def moments_of(texts: pd.Series) -> tuple[pd.Series | None, str]:
    """Texts in ISO 8601 as dates and moments, and what is said of it; None where one is none, or lacks an offset."""
    present = texts.dropna()
    if pd.api.types.infer_dtype(present) not in ("string", "empty"):
        return None, ""
    offsets = offsets_of(pa.array(present, pa.string()))
    if "" in offsets and len(offsets) > 1:
        return None, ""
    try:
        found = pd.to_datetime(texts, format="ISO8601", utc=len(offsets) > 1)
    except ValueError:  # "2026-13-45"
        return None, ""
    return (None, "") if (found.isna() & texts.notna()).any() else (found, said_of_offsets(offsets))


def _plain(offset: str) -> str:
    digits = offset.replace(":", "").ljust(5, "0")
    return _UTC if offset == "Z" or digits[1:] == "0000" else f"{digits[:3]}:{digits[3:]}"

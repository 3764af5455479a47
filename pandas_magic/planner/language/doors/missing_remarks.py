"""Comments which say of code that missing values break nothing: "# nulls in either are fine"."""

import re
from collections.abc import Collection

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Column
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.planner.language.logic import all_of

_MISSING = "null nulls nan nans missing empty blank blanks without unset"
_PASS = (
    "fine ok okay allowed ignore ignored ignoring skip skipped skipping out excluded exclude pass passes drop dropped"
)
_BESIDES = (
    "operands rows row records record values value dates date with where when in of a an the any either both is are be"
    " may can it or they here left leave leaving and these those"
)
_NOT_JUDGED = re.compile(r"\bnot (?:checked|judged|counted|looked at|compared)\b", re.IGNORECASE)
_ASKS_ITSELF = re.compile(r"\b(?:not|is)(?:na|null)\(|\bis (?:not )?(?:null|none)\b|coalesce|fillna", re.IGNORECASE)


def is_remark_on_missing(remark: str) -> bool:
    """Whether the words say of missing values that they break nothing, and nothing more, or that rounding does not."""
    rounding = re.fullmatch(r"(?:(?:up to|apart from|but for) )?rounding(?: differences?)?(?: aside| apart)?", remark)
    return bool(rounding) or _says_so(_NOT_JUDGED.sub("ignored", remark))


def _says_so(plain: str) -> bool:
    words = set(re.findall(r"[^\s,.()]+", plain.lower()))
    missing, passed = words & {*_MISSING.split()}, words & {*_PASS.split()}
    return bool(missing and passed) and words <= {*missing, *passed, *_BESIDES.split()}


def passing_columns(remark: str, code: str, columns: Collection[str]) -> frozenset[str]:
    """The columns whose missing values break nothing by the remark, all where it names none; none if it says more."""
    named = {column for column in columns if re.search(rf"(?<!\w){re.escape(column)}(?!\w)", remark, re.IGNORECASE)}
    plain = _NOT_JUDGED.sub("ignored", remark)
    for column in named:
        plain = re.sub(rf"(?<!\w){re.escape(column)}(?!\w)", " ", plain, flags=re.IGNORECASE)
    return frozenset(named or columns) if _says_so(plain) and not _ASKS_ITSELF.search(code) else frozenset()


def but_for_missing(must: Condition, passing: Collection[str]) -> Condition:
    """The demand without that values of these columns be there, where it demands something else of them."""
    kept = [
        part
        for part in conjuncts(must)
        if not (isinstance(part, Present) and isinstance(part.of, Column) and part.of.name in passing)
    ]
    return all_of(kept) if kept else must

"""What pandas' methods and a few functions of Python say, as terms. A keyword that is not known here is not read."""

import re
from collections.abc import Callable
from functools import partial

from pandas_magic.planner.language.doors.frames import columns_of, where_known
from pandas_magic.planner.language.doors.joined_frames import joined, merged
from pandas_magic.planner.language.doors.library_calls import called_of_library
from pandas_magic.planner.language.doors.pandas_groups import (
    STATISTICS,
    Given,
    Keywords,
    aggregated,
    by_key,
    difference,
    filled,
    grouped,
    mapped,
    nothing,
    only,
    rounded,
    shifted,
    transformed,
    value_counts,
)
from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, literal
from pandas_magic.planner.language.doors.whole_columns import within

_LONGEST_RANGE = 100
_SIGNS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "add": "+", "sub": "-", "mul": "*", "div": "/", "truediv": "/",
}  # fmt: skip


def _relation(sign: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        other = only(given, keywords)
        if of.op == "list":
            return SyntaxTerm("each", tuple(SyntaxTerm(sign, (part, other)) for part in of.parts))
        return SyntaxTerm(sign, (of, other))

    return read


def _plain(op: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    """A method without arguments; of several columns it is one of each."""

    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        nothing(given, keywords)
        if of.op in ("list", "each"):
            return SyntaxTerm("each", tuple(SyntaxTerm(op, (part,)) for part in of.parts))
        return SyntaxTerm(op, (of,))

    return read


def _over_columns(op: str, joined: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    """`.all()` of a condition, and `.all(axis=1)` of one for each of several columns."""

    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        axis = next(iter((*given, *keywords.values())), literal(0)).said
        if len(given) + len(keywords) > 1 or axis not in (0, 1, "columns", "index") or set(keywords) - {"axis"}:
            raise NotMeant("arguments")
        if axis in (1, "columns") and of.op == "each":
            return SyntaxTerm(joined, of.parts)
        if axis in (1, "columns") or (of.op == "each" and op != "all"):
            raise NothingHolds("what holds along the columns needs a condition on several of them")
        return SyntaxTerm(op, (SyntaxTerm("and", of.parts) if of.op == "each" else of,))

    return read


def _known(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`.dropna()`: of missing values nothing is said; of a frame with `subset`, which rows are taken."""
    if keywords.keys() == {"subset"} and not given:
        return where_known(of, keywords["subset"])
    nothing(given, keywords)
    if of.op == "list":
        return SyntaxTerm("list", tuple(SyntaxTerm("same", (part,), said="known") for part in of.parts))
    return SyntaxTerm("same", (of,), said="known")


def _same(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """What changes nothing of the values: `.unique()`, `.tolist()`."""
    nothing(given, keywords)
    return of


def _seconds(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`.dt.total_seconds()` of a length of time."""
    nothing(given, keywords)
    return SyntaxTerm("/", (of, SyntaxTerm("span", (literal(1),), said="seconds")))


def _negated_test(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    found = _plain("missing")(of, given, keywords)
    if found.op == "each":
        return SyntaxTerm("each", tuple(SyntaxTerm("not", (part,)) for part in found.parts))
    return SyntaxTerm("not", (found,))


def _statistic(op: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        rest = {word: term for word, term in keywords.items() if word not in ("skipna", "numeric_only")}
        if of.op == "each" and op == "sum" and rest == {"axis": literal(1)} and not given:
            return SyntaxTerm("how many", of.parts)
        nothing(given, rest)
        return SyntaxTerm(op, (of,))

    return read


def _pattern(op: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    """A test of a text; a missing one passes where `na` says so."""

    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        if keywords.get("na") == literal(True):
            rest = {word: term for word, term in keywords.items() if word != "na"}
            return SyntaxTerm("or", (SyntaxTerm("missing", (of,)), read(of, given, rest)))
        if keywords.get("na") == literal(False):
            rest = {word: term for word, term in keywords.items() if word != "na"}
            present = SyntaxTerm("not", (SyntaxTerm("missing", (of,)),))
            return SyntaxTerm("and", (present, read(of, given, rest)))
        plain = keywords.get("regex") == literal(False)
        rest = {word: term for word, term in keywords.items() if word not in ("na", "regex")}
        among = only(given, rest)
        if among.op == "list" and op in ("starts with", "ends with"):
            return SyntaxTerm("or", tuple(SyntaxTerm(op, (of, part)) for part in among.parts))
        return SyntaxTerm("has text" if plain and op == "has pattern" else op, (of, among))

    return read


def _between(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    rest = dict(keywords)
    inclusive = rest.pop("inclusive", literal("both")).said
    bounds = (*given, *(rest.pop(word) for word in ("left", "right") if word in rest))
    if rest or len(bounds) != 2 or inclusive not in ("both", "neither", "left", "right"):
        raise NotMeant("between")
    low = ">=" if inclusive in ("both", "left") else ">"
    high = "<=" if inclusive in ("both", "right") else "<"
    return SyntaxTerm("and", (SyntaxTerm(low, (of, bounds[0])), SyntaxTerm(high, (of, bounds[1]))))


def _isin(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    among = only(given, keywords)
    return SyntaxTerm("in" if among.op == "list" else "in column", (of, among))


def _duplicated(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    rest = {word: term for word, term in keywords.items() if word != "keep"}
    columns = (*given, *(rest.pop(word) for word in ("subset",) if word in rest))
    if rest or len(columns) > 1:
        raise NotMeant("duplicated")
    return SyntaxTerm("duplicated", columns_of(of, columns[0] if columns else None), said="pandas")


def _once(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`df.drop_duplicates(["a", "b"])`, of which the frame and the columns are kept."""
    return SyntaxTerm("once", (of, *_duplicated(of, given, keywords).parts))


def _sliced(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    ends = [part.said for part in given]
    if keywords or len(ends) not in (1, 2) or not all(isinstance(end, int) for end in ends):
        raise NotMeant("slice")
    start, stop = ends if len(ends) == 2 else (0, ends[0])
    return SyntaxTerm("slice", (of,), said=(start, stop))


def _count(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`df.x.count()`, and `x.count("@")` of a text."""
    if len(given) == 1 and not keywords and isinstance(given[0].said, str):
        return SyntaxTerm("occurrences", (of, given[0]))
    return _plain("count")(of, given, keywords)


def _count_of_pattern(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`x.str.count("@")`, which takes a pattern: "." stands for any character. Raises: NothingHolds."""
    said = str(given[0].said) if len(given) == 1 else ""
    if re.fullmatch(r"\\[^\w\s]", said):
        return _count(of, (literal(said[1]),), keywords)
    if said != re.escape(said).replace("\\-", "-").replace("\\#", "#").replace("\\ ", " ").replace("\\&", "&"):
        raise NothingHolds("how often a pattern fits a text is nothing that a rule can hold; write \\. for a dot")
    return _count(of, given, keywords)


_OF_TEXTS: dict[str, Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]] = {
    "lower": _plain("fold case"),
    "casefold": _plain("fold case"),
    "upper": _plain("fold case up"),
    "strip": _plain("fold space"),
    "startswith": _pattern("starts with"),
    "endswith": _pattern("ends with"),
    **{f"is{form}": _plain("is digits") for form in ("digit", "numeric", "decimal")},
    "isalpha": _plain("is letters"),
    "isalnum": _plain("is letters and digits"),
    "isupper": _plain("is upper case"),
    "islower": _plain("is lower case"),
}
CALLS: dict[str, Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]] = {
    **{method: _relation(sign) for method, sign in _SIGNS.items()},
    **{word: _statistic(word) for word in STATISTICS},
    **{method: _plain("missing") for method in ("isna", "isnull")},
    **{method: _negated_test for method in ("notna", "notnull")},
    "all": _over_columns("all", "and"),
    "any": _over_columns("any", "or"),
    "abs": _plain("abs"),
    "nunique": _plain("distinct"),
    "count": _count,
    "size": _plain("rows"),
    "between": _between,
    "isin": _isin,
    "duplicated": _duplicated,
    "drop_duplicates": _once,
    "issubset": lambda of, given, keywords: within(of, only(given, keywords)),
    "groupby": grouped,
    "transform": transformed,
    "agg": aggregated,
    "aggregate": aggregated,
    "value_counts": value_counts,
    "fillna": filled,
    "map": mapped,
    "set_index": by_key,
    "shift": shifted,
    "diff": difference,
    "round": rounded,
    **{method: _same for method in ("unique", "tolist", "to_list", "copy")},
    "dropna": _known,
    "merge": merged,
    "join": joined,
    "reset_index": _same,
    "dt.total_seconds": _seconds,
    **_OF_TEXTS,
    **{f"str.{method}": read for method, read in _OF_TEXTS.items()},
    "str.len": _plain("length"),
    "str.count": _count_of_pattern,
    "str.slice": _sliced,
    "str.fullmatch": _pattern("fits"),
    "str.match": _pattern("starts with pattern"),
    "str.contains": _pattern("has pattern"),
    "dt.date": _plain("date"),
    "dt.normalize": _plain("date"),
}


def _listed(given: Given, keywords: Keywords) -> SyntaxTerm:
    """`list("AB")`, `range(5)`: the values, one by one. Raises: NotMeant for columns and long ones."""
    of = only(given, keywords)
    if of.op == "list":
        return of
    if of.op == "literal" and isinstance(of.said, str):
        return SyntaxTerm("list", tuple(map(literal, of.said)))
    if of.op == "literal" and isinstance(of.said, int) and 0 < of.said <= _LONGEST_RANGE:
        return SyntaxTerm("list", tuple(map(literal, range(of.said))))
    raise NotMeant("a list")


def _bare(op: str, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`today()`, the start of the day of the run, and `now()`, its moment; of neither anything is asked."""
    nothing(given, keywords)
    return SyntaxTerm(op)


_FUNCTIONS: dict[str, Callable[[Given, Keywords], SyntaxTerm]] = {
    "list": _listed,
    "range": _listed,
    "timedelta": partial(called_of_library, "timedelta"),
    **{word: partial(_bare, word) for word in ("today", "now")},
}


def called_function(function: str, given: Given, keywords: Keywords) -> SyntaxTerm:
    """What a bare function says: `len(x)`, `abs(x)`, `today()`. Raises: NotMeant, NothingHolds for others."""
    if function in _FUNCTIONS:
        return _FUNCTIONS[function](given, keywords)
    match function:
        case "len":
            return SyntaxTerm("length", (only(given, keywords),), said="len")
        case "abs" | "date":
            return SyntaxTerm(function, (only(given, keywords),))
        case "num" | "float" | "number" | "int" | "Decimal":
            return SyntaxTerm("whole number" if function == "int" else "number", (only(given, keywords),))
        case "set" | "all" if len(given) == 1 and not keywords:
            return SyntaxTerm(function, given)
        case "str" | "bool" if len(given) == 1 and not keywords:
            return given[0]
        case "round" if given:
            return rounded(given[0], given[1:], keywords)
        case "max" | "min" if len(given) > 1 and not keywords:
            return SyntaxTerm("greatest" if function == "max" else "least", given)
        case "unique" | "isna" | "isnull" | "notna" | "notnull" if given and not keywords:
            test = {"unique": "unique"}.get(function, "missing")
            found = SyntaxTerm(test, given if test == "unique" else (only(given, keywords),))
            return SyntaxTerm("not", (found,)) if function.startswith("not") else found
    raise NothingHolds(f"I know no function {function}")

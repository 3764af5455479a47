"""What pandas' methods and a few functions of Python say, as terms. A keyword that is not known here is not read."""

from collections.abc import Callable, Mapping

from pandas_magic.planner.language.doors.terms import NotMeant, SyntaxTerm, literal

Given = tuple[SyntaxTerm, ...]
Keywords = Mapping[str, SyntaxTerm]
_RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_STATISTICS = ("sum", "mean", "median", "min", "max", "std")
_UNITS = ("seconds", "minutes", "hours", "days", "weeks")


def _relation(sign: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        return SyntaxTerm(sign, (of, _only(given, keywords)))

    return read


def _plain(op: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    """A method without arguments."""

    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        _nothing(given, keywords)
        return SyntaxTerm(op, (of,))

    return read


def _negated(op: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        return SyntaxTerm("not", (_plain(op)(of, given, keywords),))

    return read


def _statistic(op: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        _nothing(given, {word: term for word, term in keywords.items() if word not in ("skipna", "numeric_only")})
        return SyntaxTerm(op, (of,))

    return read


def _pattern(op: str) -> Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]:
    """A test of a text; whether a missing one passes is said by `na`, and here it is never judged."""

    def read(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
        plain = keywords.get("regex") == literal(False)
        rest = {word: term for word, term in keywords.items() if word not in ("na", "regex")}
        return SyntaxTerm("has text" if plain and op == "has pattern" else op, (of, _only(given, rest)))

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
    among = _only(given, keywords)
    return SyntaxTerm("in" if among.op == "list" else "in column", (of, among))


def _duplicated(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    rest = {word: term for word, term in keywords.items() if word != "keep"}
    columns = (*given, *(rest.pop(word) for word in ("subset",) if word in rest))
    if rest or len(columns) > 1:
        raise NotMeant("duplicated")
    return SyntaxTerm("duplicated", (of, *columns))


def _groupby(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    rest = {word: term for word, term in keywords.items() if word not in ("dropna", "sort", "as_index", "by")}
    by = (*given, *(keywords[word] for word in ("by",) if word in keywords))
    if rest or len(by) != 1 or of.op != "name" or keywords.get("dropna") == literal(False):
        raise NotMeant("groupby")
    return SyntaxTerm("grouped", (by[0],))


def _transform(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    said = _only(given, keywords).said
    if of.op != "grouped" or said not in (*_STATISTICS, "nunique", "size", "count"):
        raise NotMeant("transform")
    return SyntaxTerm("distinct" if said == "nunique" else "rows" if said == "size" else str(said), (of,))


CALLS: dict[str, Callable[[SyntaxTerm, Given, Keywords], SyntaxTerm]] = {
    **{method: _relation(sign) for method, sign in _RELATIONS.items()},
    **{word: _statistic(word) for word in _STATISTICS},
    **{method: _plain("missing") for method in ("isna", "isnull")},
    **{method: _negated("missing") for method in ("notna", "notnull")},
    "all": _plain("all"),
    "any": _plain("any"),
    "abs": _plain("abs"),
    "nunique": _plain("distinct"),
    "count": _plain("count"),
    "size": _plain("rows"),
    "between": _between,
    "isin": _isin,
    "duplicated": _duplicated,
    "groupby": _groupby,
    "transform": _transform,
    "str.len": _plain("length"),
    "str.lower": _plain("fold case"),
    "str.casefold": _plain("fold case"),
    "str.upper": _plain("fold case up"),
    "str.strip": _plain("fold space"),
    "str.isdigit": _plain("is digits"),
    "str.isnumeric": _plain("is digits"),
    "str.isdecimal": _plain("is digits"),
    "str.isalpha": _plain("is letters"),
    "str.isalnum": _plain("is letters and digits"),
    "str.isupper": _plain("is upper case"),
    "str.islower": _plain("is lower case"),
    "str.fullmatch": _pattern("fits"),
    "str.match": _pattern("starts with pattern"),
    "str.contains": _pattern("has pattern"),
    "str.startswith": _pattern("starts with"),
    "str.endswith": _pattern("ends with"),
    "dt.date": _plain("date"),
    "dt.normalize": _plain("date"),
}


def called_function(function: str, given: Given, keywords: Keywords) -> SyntaxTerm:
    """What a bare function says: `len(x)`, `abs(x)`, `today()`. Raises: NotMeant."""
    match function:
        case "len":
            of = _only(given, keywords)
            return SyntaxTerm("rows" if of.op in ("name", "where") else "length", (of,), said="len")
        case "abs":
            return SyntaxTerm("abs", (_only(given, keywords),))
        case "today" | "now":
            _nothing(given, keywords)
            return SyntaxTerm(function)
        case "unique" | "isna" | "isnull" | "notna" | "notnull" if given and not keywords:
            test = {"unique": "unique"}.get(function, "missing")
            found = SyntaxTerm(test, given if test == "unique" else (_only(given, keywords),))
            return SyntaxTerm("not", (found,)) if function.startswith("not") else found
    raise NotMeant(function)


def called_of_library(function: str, given: Given, keywords: Keywords) -> SyntaxTerm:
    """What `pd.Timestamp.now()`, `pd.Timedelta(days=3)`, `pd.to_datetime("2020-01-01")` say. Raises: NotMeant."""
    if function in ("now", "today", "utcnow"):
        return SyntaxTerm("now")  # `pd.Timestamp.today()` is the time of the run, too
    if function == "Timedelta" or function == "timedelta" or function == "DateOffset":
        return _length_of_time(given, keywords)
    if function in ("Timestamp", "to_datetime", "date", "datetime") and len(given) == 1 and not keywords:
        return SyntaxTerm("moment", given)
    raise NotMeant(function)


def _length_of_time(given: Given, keywords: Keywords) -> SyntaxTerm:
    units = (*_UNITS, "months", "years")
    if len(keywords) == 1 and not given:
        ((unit, amount),) = keywords.items()
        if unit in units and amount.op == "literal":
            return SyntaxTerm("span", (amount,), said=unit)
    if len(given) == 1 and isinstance(given[0].said, str):
        amount_said, _, unit = given[0].said.strip().partition(" ")
        unit = {"d": "days", "h": "hours", "day": "days", "hour": "hours", "w": "weeks"}.get(unit.lower(), unit)
        if unit in units and amount_said.replace(".", "", 1).isdigit():
            return SyntaxTerm("span", (literal(float(amount_said)),), said=unit)
    raise NotMeant("a length of time")


def _only(given: Given, keywords: Keywords) -> SyntaxTerm:
    values = (*given, *(term for word, term in keywords.items() if word in ("values", "pat", "other")))
    if len(values) != 1 or len(given) + len(keywords) != 1:
        raise NotMeant("arguments")
    return values[0]


def _nothing(given: Given, keywords: Keywords) -> None:
    if given or keywords:
        raise NotMeant("arguments")

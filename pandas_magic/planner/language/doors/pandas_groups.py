"""What pandas' methods on groups, on rows before and on other frames say, as terms."""

from collections.abc import Mapping

from pandas_magic.planner.language.doors.terms import NothingHolds, NotMeant, SyntaxTerm, literal, name

Given = tuple[SyntaxTerm, ...]
Keywords = Mapping[str, SyntaxTerm]
STATISTICS = ("sum", "mean", "median", "min", "max", "std")


def grouped(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`df.groupby("k")`, of a frame or of some of its rows. Raises: NotMeant."""
    rest = {word: term for word, term in keywords.items() if word not in ("dropna", "sort", "as_index", "by")}
    by = (*given, *(keywords[word] for word in ("by",) if word in keywords))
    frame, column = (name(*_path(of)[:-1]), of) if of.op == "name" and len(_path(of)) > 1 else (of, None)
    if rest or len(by) != 1 or frame.op not in ("name", "where") or keywords.get("dropna") == literal(False):
        raise NotMeant("groupby")
    return SyntaxTerm("grouped", (by[0], *([column] if column else [])), said=frame)


def _path(term: SyntaxTerm) -> tuple[str, ...]:
    return term.said if isinstance(term.said, tuple) else ()


def transformed(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`.transform("sum")`, which gives each row the statistic of its group, and `.agg("sum")`, which does not."""
    return _named_statistic(of, given, keywords, said="each row")


def aggregated(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`.agg("sum")`, a statistic for each group. Raises: NotMeant."""
    return _named_statistic(of, given, keywords, said=None)


def _named_statistic(of: SyntaxTerm, given: Given, keywords: Keywords, *, said: str | None) -> SyntaxTerm:
    asked = only(given, keywords)
    called = asked.said[-1] if isinstance(asked.said, tuple) else asked.said
    if of.op != "grouped" or called not in (*STATISTICS, "nunique", "size", "count", "len"):
        raise NothingHolds(f"of a group a rule can hold {', '.join(STATISTICS)}, nunique, size and count")
    op = {"nunique": "distinct", "size": "rows", "len": "rows"}.get(str(called), str(called))
    return SyntaxTerm(op, (of,), said=said)


def value_counts(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`df.k.value_counts()`: how many rows there are of each value. Raises: NotMeant."""
    nothing(given, keywords)
    if of.op != "name" or len(_path(of)) < 2:
        raise NotMeant("value_counts")
    return SyntaxTerm("rows", (SyntaxTerm("grouped", (of,), said=name(*_path(of)[:-1])),))


def rounded(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`x.round(2)`, `round(x, ndigits=2)`: as SQL's ROUND(x, 2)."""
    places = (*given, *(part for name, part in keywords.items() if name in ("decimals", "ndigits")))
    if len(places) > 1 or len(places) < len(given) + len(keywords):
        raise NotMeant("arguments")
    return SyntaxTerm("round", (of, *places))


def filled(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`.fillna(0)`. Raises: NotMeant."""
    return SyntaxTerm("coalesce", (of, only(given, keywords)))


def mapped(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`df.k.map(other.set_index("k").x)`. Raises: NotMeant."""
    return SyntaxTerm("mapped", (of, only(given, keywords)))


def by_key(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`other.set_index("k")`. Raises: NotMeant."""
    return SyntaxTerm("by key", (of, only(given, keywords)))


def shifted(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """The value in the row before, of the table as it stands or of a group."""
    if (given and given[0] != literal(1)) or len(given) > 1 or keywords:
        raise NothingHolds("a shift by anything but one row is nothing that a rule can hold")
    by = of.parts[0] if of.op == "grouped" and len(of.parts) == 2 else None
    column = of.parts[1] if by is not None else of
    if column.op != "name" or (of.op == "grouped" and of.said != name(*_path(column)[:-1])):
        raise NotMeant("shift")
    keys = () if by is None else by.parts if by.op == "list" else (by,)
    return SyntaxTerm("previous", (column, SyntaxTerm("rows"), *(_named(key) for key in keys)))


def _named(key: SyntaxTerm) -> SyntaxTerm:
    return name(str(key.said)) if key.op == "literal" else key


def difference(of: SyntaxTerm, given: Given, keywords: Keywords) -> SyntaxTerm:
    """`.diff()`: what was added since the row before. Raises: NotMeant."""
    before = shifted(of, given, keywords)
    return SyntaxTerm("-", (before.parts[0], before))


def only(given: Given, keywords: Keywords) -> SyntaxTerm:
    """The one argument. Raises: NotMeant."""
    values = (*given, *(term for word, term in keywords.items() if word in ("values", "pat", "other")))
    if len(values) != 1 or len(given) + len(keywords) != 1:
        raise NotMeant("arguments")
    return values[0]


def nothing(given: Given, keywords: Keywords) -> None:
    """Raises: NotMeant where there is an argument."""
    if given or keywords:
        raise NotMeant("arguments")

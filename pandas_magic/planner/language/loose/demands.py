"""What a word of the language obliges a rule to contain: a rule without it has not understood the word."""

from collections.abc import Callable

_BOUNDS = ('"<="', '"<"', '">="', '">"')


def _any_of(*signs: str) -> Callable[[str], bool]:
    return lambda rule: any(sign in rule for sign in signs)


def _named(words_of_names: tuple[str, ...], *signs: str) -> Callable[[str], bool]:
    """One of the signs, or a column whose name has one of the words."""

    def is_named(rule: str) -> bool:
        return any(sign in rule for sign in signs) or any(map(rule.lower().__contains__, words_of_names))

    return is_named


# Each is a test of the rule's JSON text. They only weigh candidates; the guards judge nodes.
DEMANDS: dict[str, Callable[[str], bool]] = {
    "UNLESS": _any_of('"where"', '"any"', '"not"', "!="),
    "IF": _any_of('"where"', '"any"'),
    "ATLEASTONE": _any_of('"any"', '"one_of"', '"exists"', '"rollup"', '"aggregate"', "how_many", '">="', '">"'),
    "EXACTLYONE": _any_of("how_many", '"any"', '"=="'),
    "SHARE": _any_of("max_share", '"share"', "*", '"value"'),
    "SUM": _named(("total", "sum", "combined"), '"sum"', '"+"', '"-"'),
    "MEAN": _named(("average", "avg", "mean"), '"mean"'),
    "MEDIAN": _any_of('"median"'),
    "QUANTILE": _any_of('"quantile"'),
    "MAXSTAT": _named(("max", "last", "latest", "highest"), '"max"', '"max_', '"<="', '"<"'),
    "MINSTAT": _named(("min", "first", "lowest"), '"min"', '">="', '">"', '"previous"'),
    "PER": _any_of('"group"', '"rollup"', '"by"', '"lookup"'),
    "LENGTH": _any_of('"length"', '"matches"', '"has_text"'),
    "STARTS": _named(("start", "begin"), '"start"', '"matches"'),
    "ENDS": _named(("end",), '"end"', '"matches"'),
    "CASE": _any_of('"case"', '"matches"', "ignore_case"),
    "WEEKDAY": _any_of('"weekday"'),
    "TIMES": _any_of('"*"', '"/"', '"group"', '"rollup"'),
    "MINUS": _any_of('"-"'),
    "STD": _any_of('"std"', '"quantile"'),
    "GAP": _any_of('"exists"', '"previous"'),
    "MULTIPLE": _any_of('"/"'),
    "NOW": _any_of('"now"'),
    "AGO": _named(("last", "old", "recent"), '"now"'),
    "TOLERANCE": _any_of("within", '"absolute"', '"span"'),
    "INTEGER": _any_of('"parses"', '"matches"'),
    "GE": _named(("min", "minimum"), '">="', '"<"', '"exists"', "tolerance", '"any"'),
    "LE": _named(("max", "maximum", "limit"), '"<="', '">"', "tolerance"),
    "GT": _any_of(*_BOUNDS),
    "LT": _any_of(*_BOUNDS),
    "BETWEEN": _any_of('"<', '"<='),
    "NE": _any_of("!=", '"==', '"unique"', '"distinct"'),
    "PREV": _named(("prev", "order", "sort"), '"previous"'),
    "BOTH": _any_of('"all"', '"any"', '"where"'),
}

"""What numbers of a row come to: sums, differences, products, quotients, and what is more or less by a percentage."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from pandas_magic.planner.language.linking.spelled_out import spelled_out
from pandas_magic.planner.language.linking.words import name_words
from pandas_magic.planner.language.loose.nodes import Node, arithmetic, text_of, value
from pandas_magic.planner.language.loose.scene import Scene
from pandas_magic.planner.language.loose.terms import MOST_OPERANDS, Term

_LITERAL = 2.6  # how loosely a column of a sum may be named
_SIGNS = (("+", ("SUM", "AND")), ("-", ("MINUS",)), ("*", ("TIMES",)))
_PERCENTAGES = frozenset(("pct", "percent", "percentage", "perc"))
_RATES = frozenset(("rate",))
_PER_TIME = frozenset(("hourly", "daily", "weekly", "monthly", "yearly", "hour", "day", "week", "month", "year"))
_CURRENCIES = (("eur",), ("usd",), ("gbp",), ("chf",))
_MOST_OF_THREE = 5
_SIGNS_OF_THREE = ("++", "+-", "-+", "--", "*-", "*+", "**")
_EVERY_SIGN = "+-*/"
_SIGN_WORDS = {
    "+": frozenset(("plus", "+")),
    "-": frozenset(("minus", "less", "reduced")),
    "*": frozenset(("times", "multiplied", "×")),
    "/": frozenset(("divided", "over", "÷")),
}


def sums(scene: Scene, columns: list[Term]) -> Iterator[Term]:
    """Two or three numbers added, subtracted, multiplied or divided."""
    numbers = [term for term in columns if term.kind == "num" and term.label in "CL" and term.tier <= _LITERAL]
    some = numbers[:MOST_OPERANDS]
    named = {sign for sign, cues in _SIGNS if not scene.cues.isdisjoint(cues)} or {"+", "-", "*"}
    named |= {"/"} if scene.cues & {"SHARE", "TIMES", "DIVIDED", "PER"} else set()
    for left, right in combinations(some, 2):
        if left.place != right.place and left.node != right.node:
            yield from _of_two(left, right, named & _said_between(scene, left, right))
    if len(some) > 3 and scene.cues & {"SUM", "MINUS", "AND", "TIMES", "EQ"}:
        yield from _of_three(scene, some)


def _of_two(left: Term, right: Term, signs: set[str]) -> Iterator[Term]:
    orders = ((left, right), (right, left))
    yield from _added(orders, signs)
    if "*" in signs:
        yield _joined(left, "*", right)
        yield from (_hundredth(_joined(one, "*", other)) for one, other in orders if is_percentage(other.name))
    if "/" in signs:
        yield from (_joined(one, "/", other) for one, other in orders)


def _said_between(scene: Scene, left: Term, right: Term) -> set[str]:
    """The signs that the words between two columns leave: "times" alone of "hours times rate"; all where they say none.

    What stands between two columns with a third one among it says nothing of them.
    """
    first, last = sorted((left.place, right.place))
    between = scene.mentions[first + 1 : last]
    if any(mention.tier <= _LITERAL for mention in between):
        return set(_EVERY_SIGN)
    told = {sign for mention in between for sign, words in _SIGN_WORDS.items() if not words.isdisjoint(mention.words)}
    return told if len(told) == 1 else set(_EVERY_SIGN)


def _added(orders: Sequence[tuple[Term, Term]], signs: set[str]) -> Iterator[Term]:
    """Both added or subtracted; a percentage is of the other one: "net plus VAT" of a vat_pct is net and its VAT."""
    by_percent = [(base, percentage) for base, percentage in orders if _is_of(percentage, base)]
    for sign in "+-":
        if sign in signs and by_percent:
            yield _by_percent(*by_percent[0], sign)
        elif sign in signs:
            yield from (_joined(one, sign, other) for one, other in (orders if sign == "-" else orders[:1]))


def _is_of(percentage: Term, base: Term) -> bool:
    """Whether the one holds percentages, and the other none."""
    return _in_percent(percentage) and not _in_percent(base)


def _of_three(scene: Scene, some: list[Term]) -> Iterator[Term]:
    for one, two, three in combinations(sorted(some[:_MOST_OF_THREE], key=lambda term: term.place), 3):
        if not (one.place < two.place < three.place and _all_differ(one, two, three)):
            continue
        said = _said_between(scene, one, two), _said_between(scene, two, three)
        first = {sign: _joined(one, sign, two) for sign in "+-*"}
        for signs in _SIGNS_OF_THREE if "TIMES" in scene.cues else _SIGNS_OF_THREE[:-1]:
            if signs[0] in said[0] and signs[1] in said[1]:
                is_of = signs[1] != "*" and _is_of(three, one) and _is_of(three, two)
                joined = _by_percent(first[signs[0]], three, signs[1]) if is_of else None
                yield joined or _joined(first[signs[0]], signs[1], three)


def _all_differ(*terms: Term) -> bool:
    return len({text_of(term.node) for term in terms}) == len(terms)


def _in_percent(term: Term) -> bool:
    """Whether it holds percentages for sure: a rate may be a share, or what is paid by the hour."""
    return _says(term.name, _PERCENTAGES)


def is_percentage(name: str) -> bool:
    """Whether the column's name says that it holds percentages: vat_pct, tax_rate."""
    return _says(name, _PERCENTAGES) or (_says(name, _RATES) and not _says(name, _PER_TIME))


def _says(name: str, words: frozenset[str]) -> bool:
    of_money = name_words(name)[-1:] in _CURRENCIES
    return not of_money and not words.isdisjoint(w for form in spelled_out(name_words(name)) for w in form)


def _hundredth(product: Term) -> Term:
    node = arithmetic(product.node, "/", value(100))
    return Term(node, product.kind, product.slots, product.tier, f"{product.label}%", node)


def _by_percent(base: Term, percentage: Term, sign: str) -> Term:
    """The base with so many percent of it added, or taken off."""
    joined = _joined(base, sign, percentage)
    factor = arithmetic(value(1), sign, arithmetic(percentage.node, "/", value(100)))
    node: Node = arithmetic(base.node, "*", factor)
    return Term(node, "num", joined.slots, joined.tier, joined.label, node)


def _joined(left: Term, sign: str, right: Term) -> Term:
    slots = tuple((f"C{place}", at) for place, (_, at) in enumerate((*left.slots, *right.slots)))
    node = arithmetic(left.node, sign, right.node)
    label = f"{left.label}{sign}" if left.label.startswith("S") else f"S{sign}"
    return Term(node, "num", slots, left.tier + right.tier, label, node)

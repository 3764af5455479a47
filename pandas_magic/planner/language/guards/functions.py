"""Functions round a column: each is in the rule, and no text is compared that it never gives."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, HasText, Matches
from pandas_magic.constraints.algebra.expressions import Column, Folded, Value
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.planner.language.guards.nodes_needed import equalled, every_node
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.functions import ColumnCall, calls, unknown_functions
from pandas_magic.record import Record

# The greatest is at most so much where each is.
_STATISTICS = {"sum": "sum", "avg": "mean", "mean": "mean", "count": "count"}
_UPPER = frozenset(("upper", "ucase"))
_CASED = frozenset(("lower", "lcase", *_UPPER))


def functions_left(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like LOWER in "LOWER(email) must be unique", where the rule is about the email as it stands."""
    yield from (f"I know no function {function}" for function in unknown_functions(linked))
    called = list(calls(linked))
    held = [_kind(node) for node in every_node(constraint)] if called else []
    for call in called:
        made = call.of(Column(name=""), None)
        if made is not None and any(_kind(node) not in held for node in _made_of(made)):
            yield f"nothing in it stands for what {'('.join(call.functions)}() makes of a value"
        elif made is not None:
            yield from _never_given(constraint, linked, call)
        statistic = _STATISTICS.get(call.functions[0].lower())
        taken = [_is_taken(node, statistic, call, linked) for node in every_node(constraint) if statistic is not None]
        if statistic is not None and not any(taken):
            yield f"nothing in it takes the {call.functions[0]} of {linked.tokens[call.at].text}"


def _is_taken(node: Record, statistic: str, call: ColumnCall, linked: Linked) -> bool:
    """Whether it is the statistic of the column, or counts, as of keys may be said either way."""
    names = {column for _, column in linked.names.exact[linked.tokens[call.at].text.strip("`")]}
    of = getattr(node, "of", None) or ()
    parts = (part for one in (of if isinstance(of, tuple) else (of,)) for part in nodes(one))
    is_of_it = any(isinstance(part, Column) and part.name in names for part in parts)
    taken = getattr(node, "statistic", "")
    return taken in ("count", "distinct") if statistic == "count" else taken == statistic and is_of_it


def _made_of(made: Record) -> Iterator[Record]:
    while not isinstance(made, Column):
        yield made
        made = made.of  # type: ignore[attr-defined]


def _kind(node: Record) -> object:
    """What is made of a value, whatever the value is."""
    return type(node), getattr(node, "fold", None), getattr(node, "part", None)


def _never_given(constraint: Constraint, linked: Linked, call: ColumnCall) -> Iterator[str]:
    """Like "Cash" of UPPER(paid_by): the rule compares without regard to case, and the function has one case alone."""
    cased = next((one.lower() for one in call.functions if one.lower() in _CASED), "")
    of_text = [node for node in every_node(constraint) if _is_of_folded(node)] if cased else []
    if any(isinstance(node, Matches) for node in of_text):
        yield "the pattern is held against the text in lower case"
    if cased in _UPPER and any(map(_is_with_a_column, every_node(constraint))):
        yield "a text in upper case can be compared with one that is written out"
    texts = {node.text.lower() for node in of_text if isinstance(node, HasText)}
    texts |= {str(value).lower() for node in of_text for _, value in equalled(node)}
    for token in linked.tokens:
        said = str(token.value)
        if said.lower() in texts and said != (said.upper() if cased in _UPPER else said.lower()):
            yield f"a text so changed never holds {said!r}"


def _is_with_a_column(node: Record) -> bool:
    sides = [node.left, node.right] if isinstance(node, Compare) else []
    return sum(isinstance(side, Folded) for side in sides) == 1 and not any(isinstance(side, Value) for side in sides)


def _is_of_folded(node: Record) -> bool:
    of = getattr(node, "left", getattr(node, "of", None))
    return isinstance(of, Folded) and of.fold == "case" and not isinstance(node, Folded)

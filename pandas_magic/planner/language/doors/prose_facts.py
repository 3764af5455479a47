"""Facts in words of prose, read by the readers of conditions and sentences as if each stood in a rule of its own."""

import re
from collections.abc import Iterator

from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import Compare, Condition, Not, Present, Unique
from pandas_magic.constraints.algebra.expressions import Value
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.constraints.algebra.tree import nodes
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language.doors.conditions import read_condition
from pandas_magic.planner.language.doors.fact_subject import FactSubject
from pandas_magic.planner.language.doors.terms import NotMeant
from pandas_magic.planner.language.doors.value_lists import is_divided_two_ways
from pandas_magic.planner.language.linking import link
from pandas_magic.planner.language.logic import opposite
from pandas_magic.planner.language.strict import read_strictly

_ROWS = r"(?:all |any |every |each |the )?(?:everybody|everyone|anyone|anybody|those|rows|records|entries|[a-z]+s)"
_WITHOUT = re.compile(rf"(?:{_ROWS} )?(?:without|there is no) (?:an? |any |the )?(?P<column>[\w.]+)", re.IGNORECASE)
_WITH = re.compile(rf"(?:{_ROWS} )?(?:with|where|whose|that have|having|of)\s+(?P<condition>.+)", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\b.*?\band\b", re.IGNORECASE)
_BARE_LIST = re.compile(r"[\w.+-]+(?:\s*[,|/;]\s*[\w.+-]+)+")
_MINUS = re.compile(r"(?:^|[<>=(\s])[-−](?=[A-Za-z_`])|(?:^|[<>=(])\s*[-−]\s+[A-Za-z_`]")
_BOTH_WAYS = re.compile(r"\b(?:iff|only|otherwise|else|unless|except)\b", re.IGNORECASE)


def read_when(text: str, subject: FactSubject) -> Condition:
    """The rows that the words behind "when" choose. Raises: NotMeant."""
    for said in _whens(text.strip().strip(","), subject):
        if (found := _WITHOUT.fullmatch(said)) and subject.names.has((found["column"],)):
            return opposite(Present(of=subject.names.value((found["column"],))))
        try:
            return read_condition(said, subject.names)
        except NotMeant:
            rule = (
                None if _BOTH_WAYS.search(said) else _strictly(f"{subject.column} must be present if {said}", subject)
            )
        if rule is not None and rule.where is not None and rule.must == Present(of=subject.of):
            return rule.where
    raise NotMeant(f"when {text!r} holds is not understood")


def _whens(text: str, subject: FactSubject) -> Iterator[str]:
    yield text
    table = re.escape(subject.names.target)
    kind = re.sub(rf" (?:{table}|{table.removesuffix('s')}|rows|records|ones|types?)$", "", text, flags=re.IGNORECASE)
    if any(kind in values for values in subject.names.tables[subject.names.target].values.values()):
        yield kind
    rows = _WITH.fullmatch(text)
    if rows:
        yield rows["condition"]
        yield re.sub(r"^(\w+) (?=\w+$)", r"\1 = ", rows["condition"])
    yield from _listed(text, subject)
    last = next(_columns(subject.scopes[-1]), None) if subject.scopes else None
    if last is not None:  # "5 digits when land is DE, 4 when AT or CH"
        yield f"{last} is {text}"
        yield f"{last} in ({re.sub(r' or |/', ', ', text)})"


def _listed(text: str, subject: FactSubject) -> Iterator[str]:
    """Like "PKW and LKW", which occur in one column alone: the rows with one of them."""
    items = re.split(r"\s*(?:,|/|\band\b|\bor\b)\s*", text)
    own = subject.names.tables[subject.names.target].values
    holding = [column for column, known in own.items() if set(items) <= set(known)]
    if len(items) > 1 and len(holding) == 1:
        yield f"{holding[0]} in ({', '.join(map(repr, items))})"


def _columns(condition: Condition) -> Iterator[str]:
    yield from (node.name for node in nodes(condition) if node.node == "column")  # type: ignore[attr-defined]


def read_demand(text: str, subject: FactSubject) -> Condition:
    """What a cell such as "never earlier than ordered_on" demands of the column. Raises: NotMeant."""
    if _BOTH_WAYS.search(text):
        raise NotMeant("of which rows it is said")
    if _MINUS.search(text):
        raise NotMeant("a minus before a name")
    if _BARE_LIST.fullmatch(text) and is_divided_two_ways(text):
        raise NotMeant("a list that is divided in two ways")
    plain = re.sub(r"^(?:must |should |shall |is |be |always )+", "", text, flags=re.IGNORECASE)
    denied = re.sub(r"^(?:never|not)\b", "", plain, flags=re.IGNORECASE)
    ways = (f"must never be{denied}", f"must never{denied}") if denied != plain else (f"must be {plain}",)
    # "not above tax and positive" denies what stands before "and", and not both together.
    reaches_over = denied != plain and re.search(r"\band\b", _BETWEEN.sub("", denied))
    for way in (f"must be {plain}",) if reaches_over else (*ways, f"must {plain}", plain):
        rule = _strictly(f"{subject.column} {way}", subject)
        # A limit before a comma is no choice of the rows for the limit behind it.
        if rule is not None and rule.where is None and not _is_bare(rule.must):
            return rule.must
    raise NotMeant(f"{text!r} is not understood")


def _is_bare(must: Condition) -> bool:
    """Whether it asks only for presence, absence, uniqueness or one value, which patterns read where they are meant."""
    plain = must.condition if isinstance(must, Not) else must
    one_value = isinstance(plain, Compare) and isinstance(plain.right, Value) and plain.relation in ("==", "!=")
    return one_value or isinstance(plain, (Present, Unique))


def _strictly(sentence: str, subject: FactSubject) -> RowRule | None:
    """The one rule about the column's table that the sentence is, or None."""
    names = subject.names
    try:
        found = read_strictly(link(sentence, names.tables, target=names.target))
    except RuleNotUnderstood:
        return None
    rule = found[0].constraint if len(found) == 1 else None
    if not isinstance(rule, RowRule) or rule.table != names.target or rule.tolerance is not None:
        return None
    return rule if subject.column in reads(rule).get(names.target, ()) else None

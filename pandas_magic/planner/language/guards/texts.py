"""Texts and names: what is quoted is meant as it stands, a list is literal, a column that is spelt out is read."""

import re
from collections.abc import Iterator, Mapping

from pandas_magic.catalog.table import Table
from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.conditions import All, Compare, HasText, Matches, OneOf, Parses, Present
from pandas_magic.constraints.algebra.expressions import Column, Folded, Moment, Value
from pandas_magic.constraints.algebra.folding import lower_case
from pandas_magic.constraints.algebra.polarity import is_alike, leaves, passing_texts
from pandas_magic.constraints.algebra.rules import ColumnsRule, Constraint, RowRule
from pandas_magic.constraints.algebra.tree import conjuncts
from pandas_magic.planner.language.guards.contents import spelling_compared
from pandas_magic.planner.language.guards.nodes_needed import NEEDED, each, every_node, holds, leaves_elsewhere
from pandas_magic.planner.language.guards.said import literal_columns
from pandas_magic.planner.language.linking import Linked
from pandas_magic.planner.language.linking.words import FUNCTION_WORDS, singular

_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)|\"([^\"]+)\"")


_EXAMPLE = re.compile(r"(?:e\.g\.|\bex\.|for example|for instance|such as|looks? like|has the form),? ['\"(]?(\S+)")
# "DE or AT followed by one digit".
_OR_WITH_MORE = re.compile(r"\bor '?([A-Z][A-Z0-9]*)'?,? (?:followed by|then|plus|and) ")
# "Show the order_id of orders with …" says what to look at.
_SHOWN = re.compile(r"(?:please )?(?:show|list|report|return|print|give me|find)\b.*?\bof\b", re.IGNORECASE)
# "Apart from the id no two rows may be alike" leaves a column out of the comparison.
_LEFT_OUT = re.compile(r"(?:apart from|except(?: for)?|other than|besides|ignoring|aside from)\b[^,;.]*", re.IGNORECASE)


def texts_changed(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Which texts and columns that the words spell out the rule has not, or spells otherwise."""
    yield from _quoted_elsewhere(constraint, linked)
    yield from _spelt_otherwise(constraint, linked)
    yield from _unlike_the_example(constraint, linked)
    yield from _passed_over(constraint, linked)
    yield from spelling_compared(constraint, linked)
    yield from _listed_in_a_row(constraint, linked)
    yield from _of_no_row(constraint, linked.tables)
    yield from values_missed(constraint, linked.tables)
    if not isinstance(constraint, ColumnsRule):
        read = {(table, column) for table, columns in reads(constraint).items() for column in columns}
        spoken = [found[0] for found in (_SHOWN.match(linked.text), _LEFT_OUT.search(linked.text)) if found]
        for said, meant in literal_columns(linked):
            if not meant & read and not any(said in stretch for stretch in spoken):
                yield f"nothing in it reads {said}"


def _passed_over(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "above 55 in IT", taken for "in it", where a team is called 'IT'."""
    told = " ".join(text for node in every_node(constraint) for text in _texts_of(node))
    own = {name: linked.tables[name].values for name in (constraint.table, *reads(constraint)) if name in linked.tables}
    held = {text: column for values in own.values() for column, texts in values.items() for text in texts}
    words = [token.text for token in linked.tokens]
    if any(word.isupper() and word.lower() in FUNCTION_WORDS and word not in (*held, "A", "I") for word in words):
        return  # it is all in capitals, or says IS NOT NULL
    for at, (word, token) in enumerate(zip(words, linked.tokens, strict=True)):
        is_word = token.kind == "word" and token.low in FUNCTION_WORDS and not word.islower()
        if word in held and is_word and _is_no_word(at, words) and not re.search(rf"\b{re.escape(word)}\b", told):
            yield f"nothing in it stands for {word!r}, which {held[word]} holds"


def _is_no_word(at: int, words: list[str]) -> bool:
    """Whether it is in capitals where a word of grammar is not: inside the sentence, or all of them."""
    following = words[at + 1] if at + 1 < len(words) else ""
    if words[at] == "A":
        return following.islower() and singular(following) != following
    begins = at == 0 or words[at - 1] in (".", "!", "?", ":", ";")
    return words[at] != "I" and (not begins or (words[at].isupper() and len(words[at]) > 1))


def _listed_in_a_row(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "EUR, NOK and two letters", taken for both one behind the other."""
    patterns = [node.pattern for node in each(constraint, Matches)]
    for one, other in re.findall(r"\b([A-Z]{2,}), (?=([A-Z]{2,})\b)", linked.text):
        if any(one + other in pattern for pattern in patterns):
            yield f"whether {one} or {other}, or both in a row, is not said"
    for last in _OR_WITH_MORE.findall(linked.text):
        if any(pattern.startswith(last) for pattern in patterns):
            yield f"whether what follows {last} follows what stands before it, too, is not said"


def _quoted_elsewhere(constraint: Constraint, linked: Linked) -> Iterator[str]:
    held = [text for node in every_node(constraint) for text in _texts_of(node)]
    if isinstance(constraint, ColumnsRule):
        return
    if holds(constraint, Parses):
        return  # a text that shows what the column must not hold
    names = {name for table, columns in reads(constraint).items() for name in (table, *columns)}
    is_folded = NEEDED["folding"](constraint, "")
    for single, double in _QUOTED.findall(linked.text):
        said = single or double
        forms = {said, lower_case(said)} if is_folded else {said}
        if (
            said not in names
            and not any(form in text for text in held for form in forms)
            and not _is_number(said, held)
        ):
            yield f"nothing in it stands for {said!r}"


def _of_no_row(constraint: Constraint, tables: Mapping[str, Table]) -> Iterator[str]:
    """Like "orders with status 'lost'", where no order has it: a rule that judges no row says nothing when it holds."""
    own = leaves(constraint) if isinstance(constraint, RowRule) else ()
    for table, leaf in (*((constraint.table, leaf) for leaf in own), *leaves_elsewhere(constraint)):
        of = leaf.told_apart
        if of is None or not leaf.is_scope or not leaf.is_positive:
            continue
        known, said = tables[table].values.get(of.name, ()), leaf.values
        if known and said and said.isdisjoint(known):
            yield f"{of.name} is {' or '.join(map(repr, sorted(said)))} in no row"


def values_missed(constraint: Constraint, tables: Mapping[str, Table]) -> tuple[str, ...]:
    """Like "must not be '?'" of a column that holds ' ?': nothing would break the rule, and nobody would see why."""
    return tuple(
        f"{column} holds {held!r}, and {said!r} in no row" for column, said, held in _missed(constraint, tables)
    )


def as_held(constraint: Constraint, tables: Mapping[str, Table]) -> Constraint:
    """The rule with each such value as the column holds it."""
    changed = {said: held for _, said, held in _missed(constraint, tables)}
    return type(constraint).model_validate(_respelt(constraint.model_dump(), changed))


def _missed(constraint: Constraint, tables: Mapping[str, Table]) -> Iterator[tuple[str, str, str]]:
    """Column, value, and what it holds instead."""
    for column, said in passing_texts(constraint):
        known = tables[constraint.table].values.get(column, ())
        held = [text for text in known if said not in known and is_alike(text, said)]
        yield from ((column, said, text) for text in held[:1])


def _unlike_the_example(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """Like "YYYY-MM, for example 09-2026", where the example breaks the rule that it is given for."""
    shapes = [leaf for leaf in leaves(constraint) if isinstance(leaf.condition, Matches) and not leaf.negated]
    patterns = [leaf.condition.pattern for leaf in shapes if isinstance(leaf.condition, Matches)]
    for said in _EXAMPLE.findall(linked.text) if len(patterns) == 1 else ():
        text = said.rstrip(".,;:)'\"")
        if re.search(r"\d", text) and not re.fullmatch(patterns[0], text):
            yield f"the example {text!r} is not of that form"


def _is_number(said: str, held: list[str]) -> bool:
    return bool(re.fullmatch(r"[\d.,-]+", said)) and said in held


def _texts_of(node: object) -> Iterator[str]:
    match node:
        case Value(value=value):
            yield str(value)
        case OneOf(values=values):
            yield from map(str, values)
        case HasText(text=text):
            yield text
        case Matches(pattern=pattern):
            yield pattern
            yield pattern.replace("\\", "")
        case Moment(iso=iso):
            yield iso
            yield iso.replace("T", " ")


def _spelt_otherwise(constraint: Constraint, linked: Linked) -> Iterator[str]:
    """A value that a demand lists is in the rule as the words spell it, unless the rule ignores case."""
    if holds(constraint, Folded):
        return
    for leaf in leaves(constraint):
        for value in () if leaf.is_scope else sorted(leaf.values):
            whole = rf"(?<!\w){re.escape(value)}(?!\w)"
            said = re.search(whole, linked.text, re.IGNORECASE)
            if said and _is_spelt_on_purpose(linked.text, said) and not re.search(whole, linked.text):
                yield f"the rule says {said[0]!r}, and the table has {value!r}; write it as it stands, or ignoring case"


def never_blank(constraint: Constraint, tables: Mapping[str, Table]) -> Constraint | None:
    """The rule that demands more than blanks where it demands a text; None where none that it demands may be blank."""
    if not isinstance(constraint, RowRule):
        return None
    parts = conjuncts(constraint.must)
    texts = [part.of for part in parts if isinstance(part, Present) and isinstance(part.of, Column)]
    some = [Folded(of=text, fold="space") for text in texts if _may_be_blank(tables[constraint.table], text.name)]
    filled = [Compare(relation="!=", left=text, right=Value(value="")) for text in some]
    return constraint.model_copy(update={"must": All(conditions=(*parts, *filled))}) if filled else None


def _may_be_blank(table: Table, column: str) -> bool:
    known = table.values.get(column)
    blank = known is None or any(not text.strip() for text in known)
    return table.kind(column) == "text" and column not in table.read_as and blank


def as_spelt(constraint: Constraint, linked: Linked) -> Constraint:
    """The rule with each text as the words spell it, which no row may hold."""
    changed = {
        value: found[0]
        for leaf in leaves(constraint)
        for value in leaf.values
        if (found := re.search(rf"(?<!\w){re.escape(value)}(?!\w)", linked.text, re.IGNORECASE))
    }
    return type(constraint).model_validate(_respelt(constraint.model_dump(), changed))


def _respelt(node: object, changed: dict[str, str]) -> object:
    if isinstance(node, dict):
        return {
            key: changed.get(part, part) if key == "value" and isinstance(part, str) else _respelt(part, changed)
            for key, part in node.items()
        }
    if isinstance(node, list | tuple):
        return [changed.get(part, part) if isinstance(part, str) else _respelt(part, changed) for part in node]
    return node


def _is_spelt_on_purpose(text: str, said: re.Match[str]) -> bool:
    """Whether capitals or quotes show that the value is written as it is meant, not as a sentence has it."""
    quoted = text[: said.start()].endswith(("'", '"'))
    return quoted or bool(re.search(r"[A-Z]", said[0] if said.start() else said[0][1:]))

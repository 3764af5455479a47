"""From a rule's text to the lattice of what its words could mean on these tables."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from pandas_magic.catalog.table import Table
from pandas_magic.errors import RuleNotUnderstood
from pandas_magic.planner.language.linking.abbreviating import abbreviated, abbreviated_in_part, called_in_part
from pandas_magic.planner.language.linking.aliases import DATE_PARTS, PARTICLES
from pandas_magic.planner.language.linking.cues import LONGEST_PHRASE, cues_of, format_of
from pandas_magic.planner.language.linking.functions import call_at, made_at, reckoning
from pandas_magic.planner.language.linking.glossary import Terms, terms_of
from pandas_magic.planner.language.linking.quantities import AND_A_HALF, quantity_at
from pandas_magic.planner.language.linking.schema_index import SchemaNames, stem
from pandas_magic.planner.language.linking.spans import (
    EVENT,
    EXACT,
    NEAR,
    PART,
    WORD,
    ColumnMeant,
    CueMeant,
    DefinedMeant,
    FormatMeant,
    Linked,
    LinkedSpan,
    Meaning,
    PatternMeant,
    TableMeant,
    TextMeant,
    TruthMeant,
    ValueMeant,
    once,
)
from pandas_magic.planner.language.linking.tokens import RuleToken, expand_contractions, tokenize
from pandas_magic.planner.language.linking.words import (
    FUNCTION_WORDS,
    Words,
    doers,
    name_words,
    relatives,
    without_articles,
    word_forms,
)

_HOW, _RATE = ("name", "synonym", "part"), "per"
_OPENED = re.compile(r"-|(?<=\b[A-Z])\. (?=[a-z])")
_LIST_MARKS = frozenset((",", "/", "|", "or", "and", "="))
_NO_CODES = FUNCTION_WORDS - {"no", "on"}  # what a column of truth or of states may hold


def link(
    rule: str,
    tables: Mapping[str, Table],
    *,
    target: str | None,
    locale: str = "en",
) -> Linked:
    """The rule with every meaning that its words could have on these tables.

    Raises: RuleNotUnderstood for a date that does not exist or leaves day and month in doubt, and for a number that
    the locale writes otherwise; GlossaryUnreadable.
    """
    text = expand_contractions(rule.strip())
    try:
        tokens = tokenize(text, locale)
    except ValueError as error:
        raise RuleNotUnderstood(rule, str(error)) from error
    names = names_of(tables)
    reader = _Lattice(text, tokens, names, _terms(names))
    return Linked(rule, text, tokens, tables, target, names, cache(reader.spans_at))


@lru_cache(maxsize=4)
def _terms(names: SchemaNames) -> Terms:
    return terms_of(names)


_recent: list[tuple[tuple[tuple[str, int], ...], SchemaNames]] = []
_MOST_RECENT = 4


def names_of(tables: Mapping[str, Table]) -> SchemaNames:
    """The names of the tables; the last few are kept, since many rules are read against the same tables."""
    identity = tuple((name, id(table)) for name, table in tables.items())
    for known, names in _recent:
        if known == identity:
            return names
    # The names hold the tables, so that their identities are not given to others.
    _recent.append((identity, SchemaNames(tables)))
    del _recent[:-_MOST_RECENT]
    return _recent[-1][1]


class _Lattice:
    """Reads the meanings of spans from one token on."""

    def __init__(self, text: str, tokens: tuple[RuleToken, ...], names: SchemaNames, terms: Terms) -> None:
        self.text, self.tokens, self.names, self.terms = text, tokens, names, terms
        self.words = [name_words(token.text) if token.kind in ("word", "number") else () for token in tokens]
        self.low = [token.low for token in tokens]
        self.owned = self._owned()

    def spans_at(self, start: int) -> tuple[LinkedSpan, ...]:
        """The spans that begin at the token, the longest first."""
        if any(first < start < end for first, end in self.owned.items()):
            return ()
        found: dict[int, list[Meaning]] = {}
        for end, meaning in self._meanings(start):
            if end > self.owned.get(start, 0):
                found.setdefault(end, []).append(meaning)
        if start in self.owned:
            found[self.owned[start]] = [*self.terms[self._joined(start, self.owned[start])]]
        if not found and self.tokens[start].kind == "word" and self.low[start] not in FUNCTION_WORDS:
            related = list(self._related(self.low[start]))
            found |= {start + 1: related} if related else {}
        opens, ends = start == 0 and self.tokens[start].text.istitle(), sorted(found, reverse=True)
        return tuple(LinkedSpan(start, end, self._said(start, end), once(found[end], opens=opens)) for end in ends)

    def _owned(self) -> dict[int, int]:
        """Where terms of the glossary stand, from left to right and the longest: there nothing else is meant."""
        found: dict[int, int] = {}
        start = 0 if self.terms else len(self.tokens)
        while start < len(self.tokens):
            ends = range(min(start + LONGEST_PHRASE, len(self.tokens)), start, -1)
            end = next((end for end in ends if self._joined(start, end) in self.terms), None)
            found |= {start: end} if end is not None else {}
            start = end or start + 1
        return found

    def _related(self, word: str) -> Iterator[Meaning]:
        """Columns of words that are near in meaning, where the word itself means nothing."""
        for form in sorted(word_forms(word)):
            for other in relatives().get(form, ()):
                yield from (ColumnMeant(*place, NEAR, "related") for place in self.names.parts.get(other, ()))

    def _said(self, start: int, end: int) -> str:
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def _meanings(self, start: int) -> Iterator[tuple[int, Meaning]]:
        token = self.tokens[start]
        if token.kind in ("text", "regex"):
            yield from ((start + 1, meaning) for meaning in self._quoted(token))
            return
        yield from quantity_at(self.tokens, start)
        yield from made_at(self.tokens, start, self.names)
        yield from self._pointed_out(start)
        for end in range(start + 1, min(start + LONGEST_PHRASE, len(self.tokens)) + 1):
            if self.tokens[end - 1].kind in ("text", "regex"):
                return
            yield from ((end, meaning) for meaning in self._named(start, end))
        if token.kind == "word" and token.low not in FUNCTION_WORDS:
            yield from ((start + 1, meaning) for meaning in self._loosely(token))
            if start + 1 < len(self.tokens) and self.low[start + 1] in PARTICLES:
                for form in sorted(word_forms(token.text)):
                    places = self.names.events.get(form + self.low[start + 1], ())
                    yield from ((start + 2, ColumnMeant(*place, EVENT, "event")) for place in places)

    def _pointed_out(self, start: int) -> Iterator[tuple[int, Meaning]]:
        """The column that stands in parentheses behind what it is called: "the exit date (fecha_salida)"."""
        for end in range(start, min(start + LONGEST_PHRASE, len(self.tokens) - 2)):
            # Neither "per month (paid_on)" nor "SQRT(price)".
            is_called = end > start and self.low[end - 1] not in DATE_PARTS and call_at(self.tokens, end - 1) is None
            if is_called and self.low[end] == "(" and self.low[end + 2] == ")":
                for meant in self._exact(self.tokens[end + 1].text.strip("`")):
                    if self._may_call(start, end, meant):
                        yield end + 3, meant
            is_name = self.tokens[end].kind == "word" and self.low[end] not in FUNCTION_WORDS | reckoning()
            if not is_name or cues_of((self.low[end],)):
                return

    def _may_call(self, start: int, end: int, column: ColumnMeant) -> bool:
        """Whether the words may be a name of the column: none says which rows, or names another column."""
        if end == start + 1 and (start == 0 or self.low[start - 1] not in FUNCTION_WORDS):
            loosely = (*self._named(start, end), *self._loosely(self.tokens[start]), *self._related(self.low[start]))
            if not any(isinstance(one, ColumnMeant) and one.column == column.column for one in loosely):
                return False
        said = [meant for at in range(start, end) for meant in self._named(at, at + 1)]
        columns = (one for one in said if isinstance(one, ColumnMeant) and one.tier < PART)
        return not any(isinstance(one, (TableMeant, ValueMeant, TruthMeant, DefinedMeant)) for one in said) and all(
            one.column == column.column for one in columns if one.table == column.table
        )

    def _quoted(self, token: RuleToken) -> Iterator[Meaning]:
        content = str(token.value)
        if token.kind == "regex":
            yield PatternMeant(content)
        elif token.text.startswith("`"):
            yield from self._exact(content)
            yield from (TableMeant(name) for name in self.names.tables if name == content)
        else:
            yield TextMeant(content)
            yield from (ValueMeant(*place, content, literal=True) for place in self.names.literals.get(content, ()))
            yield from (ValueMeant(*place, literal=False) for place in self.names.spaced_literals.get(content, ()))

    def _exact(self, written: str) -> Iterator[ColumnMeant]:
        for table, column in self.names.exact.get(written, ()):
            yield ColumnMeant(table, column, EXACT, "name")

    def _named(self, start: int, end: int) -> Iterator[Meaning]:
        """What the tokens name: of the schema, of the glossary, of the language."""
        written = self._said(start, end)
        yield from self._exact(written)
        yield from self._exact(written.lower())
        yield from (ValueMeant(*place, written, literal=True) for place in self._literals(written, start, end))
        for table, column, value in self.names.folded_literals.get(written.lower(), ()):
            if value != written and not _is_grammar(written, value):
                yield ValueMeant(table, column, value, literal=False)
        words = self._joined(start, end)
        if words:
            yield from self._of_words(words, written)
        if _RATE in self.low[start + 1 : end - 1]:
            yield from self._rates(start, end)
        closed = _OPENED.sub("", written)
        if closed != written and closed.isalpha():  # "take-off" for takeoff, "E. coli" for ecoli
            yield from self._of_words(name_words(closed.lower()), written)
        low = tuple(self.low[start:end])
        named = format_of(low)
        if named is not None:
            yield FormatMeant(named)
        is_number = low[-1] == "one" and tuple(self.low[end : end + 3]) == AND_A_HALF  # "at least one and a half"
        yield from map(CueMeant, () if is_number else cues_of(low))

    def _rates(self, start: int, end: int) -> Iterator[Meaning]:
        """The column of whose name "per" stands between the words: "price per kilo", unless these count rows."""
        said = tuple(word for word in self._joined(start, end) if word != _RATE)
        if said and not any(form in self.names.nouns for form in (said[:1], said[-1:])):
            yield from abbreviated(self.names, said)

    def _literals(self, written: str, start: int, end: int) -> list[tuple[str, str]]:
        # "A" and "I" begin sentences, but for those of a list; what is no letter at all is a mark of the sentence.
        listed = not _LIST_MARKS.isdisjoint((*self.low[start - 1 : start], *self.low[end : end + 1]))
        last = end == len(self.tokens) or self.tokens[end].kind == "mark"
        found = self.names.literals.get(written, [])
        if written in ("A", "a", "I") and not (listed or last):
            named = self._exact(self.low[start - 1]) if start and written != "a" else ()  # "class A"
            return [place for place in found if place in {(meant.table, meant.column) for meant in named}]
        if not any(sign.isalnum() for sign in written):
            return []
        if (written == "I" or (written.islower() and written in _NO_CODES)) and not self._is_an_item(start, end):
            return []  # "must be listed" speaks of no country 'be'
        return found

    def _is_an_item(self, start: int, end: int) -> bool:
        """Whether the tokens stand between two marks of a list, or at its end."""
        behind = self.low[end : end + 1]
        closed = not behind or self.tokens[end].kind == "mark" or behind[0] in _LIST_MARKS
        return closed and not _LIST_MARKS.isdisjoint((*self.low[start - 1 : start], *behind))

    def _joined(self, start: int, end: int) -> Words:
        """The words of the tokens, or none when something that is no word stands between."""
        if any(
            not words and low not in ("-", "_")
            for words, low in zip(self.words[start:end], self.low[start:end], strict=True)
        ):
            return ()
        return tuple(word for words in self.words[start:end] for word in words)

    def _of_words(self, words: Words, written: str) -> Iterator[Meaning]:
        names = self.names
        for table, column, tier in names.columns.get(words, ()) or names.columns.get(without_articles(words), ()):
            yield ColumnMeant(table, column, tier, _HOW[tier])
        yield from map(TableMeant, names.nouns.get(words, ()))
        for table, column, value in names.values.get(words, ()):
            if not _is_grammar(written, value):
                yield ValueMeant(table, column, value, literal=value == written)
        for table, column, truth in names.truths.get(words, ()):
            pair = names.truth_values(table, column)
            if pair is not None:
                yield TruthMeant(table, column, truth, pair[0 if truth else 1])
        yield from abbreviated(names, words)

    def _loosely(self, token: RuleToken) -> Iterator[Meaning]:
        """Columns of which the word is a part, or whose date tells of what the word does."""
        names = self.names
        if name_words(token.text) in names.nouns:  # an order is no time of ordering
            return
        forms = sorted(word_forms(token.text))
        for form in forms:
            yield from (ColumnMeant(*place, EVENT, "event") for place in names.events.get(form, ()))
        for form in sorted(word_forms(token.low.removeprefix("un"))) if token.low.startswith("un") else ():
            yield from (ColumnMeant(*place, EVENT, "not yet") for place in names.events.get(form, ()))
        nouns = [table for form in forms for table in names.nouns.get((form,), ())]
        if nouns:  # what was ordered is an order
            yield from map(TableMeant, nouns)
            return
        for word in (*forms, *(doer for form in forms for doer in doers(form))):
            yield from (ColumnMeant(*place, WORD, "word") for place in names.parts.get(word, ()))
        for form in forms:
            yield from (ColumnMeant(*place, NEAR, "near") for place in called_in_part(names).get(form, ()))
        if len(token.text) > 3:
            yield from (ColumnMeant(*place, NEAR, "near") for place in names.stems.get(stem(token.low), ()))
            yield from abbreviated_in_part(names, token.low)


def _is_grammar(written: str, value: str) -> bool:
    """Whether a word of grammar looks like a code or a name: "it" is no 'IT', and "may" no 'May'."""
    is_code = value.isupper() or (written.islower() and value.istitle())
    return written.lower() in _NO_CODES and is_code and written != value

"""What names no data, as parts of sentences: texts as they are written, units, words of the trade, reasons, asides."""

from collections.abc import Callable, Iterator

from pandas_magic.planner.language.linking import (
    ColumnMeant,
    DateMeant,
    DefinedMeant,
    DurationMeant,
    FormatMeant,
    NumberMeant,
    PatternMeant,
    TableMeant,
    TextMeant,
    TruthMeant,
    ValueMeant,
)
from pandas_magic.planner.language.linking.spans import PART
from pandas_magic.planner.language.linking.tokens import RuleToken
from pandas_magic.planner.language.linking.words import is_verb
from pandas_magic.planner.language.strict.amount_mentions import SpokenPart
from pandas_magic.planner.language.strict.mentions import SpottedParts
from pandas_magic.planner.language.strict.scene import About

_ROWS, _COLUMNS, _SAID = (TableMeant,), (ColumnMeant,), (ValueMeant, TruthMeant, DefinedMeant)
# What the words must mean for something of a category to be told by them; nothing for what is not listed.
_NEEDED: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("noun", "table", "kin", "parent", "child"), _ROWS),
    "column": (ColumnMeant, DefinedMeant),
    **dict.fromkeys(("parent_column", "column_elsewhere", "child_column"), _COLUMNS),
    **dict.fromkeys(("adjective", "kin_adjective"), _SAID),
    **{"truth_of": (TruthMeant,), "number": (NumberMeant,), "percent": (NumberMeant,), "duration": (DurationMeant,)},
    **{"date": (DateMeant,), "text": (TextMeant,), "pattern": (PatternMeant,), "format": (FormatMeant,)},
}
_DATED = ("happened", "parent_happened")
_COMPARING = frozenset(("GE", "LE", "GT", "LT", "BETWEEN"))
_STOPS = frozenset(",.;:!?)")
_SHORT = 2


class SpokenParts(SpottedParts):
    """All parts of one sentence that the grammar does not spell out."""

    categories = (
        *SpottedParts.categories,
        *("raw_text", "unit", "trade", "deed", "word", "verb"),
        *("aside", "outcome", "instance", "premise", "ground", "remark"),
    )

    def told_at(self, at: int) -> Iterator[str]:
        """The categories of which something may be told here; by the kinds of what the words mean."""
        kinds = {type(meaning) for span in self.linked.at(at) for meaning in span.meanings}
        dated = any(True for _ in self._events(at))
        for name in self.categories:
            needed = _NEEDED.get(name)
            if dated if name in _DATED else needed is None or not kinds.isdisjoint(needed):
                yield name

    def _raw_text(self, start: int, about: About) -> Iterator[SpokenPart]:
        """What is written in one piece and is no plain word: INV-, LAB, https://."""
        token, end = self.tokens[start], start + 1
        while end < len(self.tokens) and self.tokens[end].start == self.tokens[end - 1].end:
            end += 1
        while end > start + 1 and self.tokens[end - 1].text in _STOPS:
            end -= 1
        written = self.linked.text[token.start : self.tokens[end - 1].end]
        plain = written.islower() and written.isalpha()
        if (
            token.kind in ("word", "number", "mark")
            and not plain
            and written not in ("A", "I")
            and written.strip(",.;:()")
        ):
            yield end, written, 0.0, f"the text {written!r}"

    def _trade(self, start: int, about: About) -> Iterator[SpokenPart]:
        """A word that names nothing: set aside where the grammar has a place for it."""
        token = self.tokens[start]
        if (
            token.kind == "word"
            and not self.linked.at(start)
            and token.text.lower() not in self.chart.words("no_value")
        ):
            yield start + 1, token.text, 2.0, "aside"

    def _deed(self, start: int, about: About) -> Iterator[SpokenPart]:
        """A verb of the trade, or one that says when it was done; not one that holds for some rows alone."""
        token = self.tokens[start]
        if token.kind != "word" or token.low in self.chart.words("no_value"):
            return
        dates = [meaning for _, meaning, _, _ in self._happened(start, about)]
        if dates:
            yield from ((start + 1, date, 0.0, "what is done") for date in dates)
        elif not self.linked.at(start) and is_verb(token.low) and not self._is_partial(token):
            yield start + 1, token.text, 0.0, "what is done"

    def _is_partial(self, token: RuleToken) -> bool:
        """Whether the verb holds for some rows alone, by itself or by a value: spoil, beside 'spoiled'."""
        states = (value for table in self.scene.tables.values() for values in table.values.values() for value in values)
        stems = tuple(form for form in token.forms if len(form) > _SHORT)
        told = any(str(value).lower().startswith(stems) for value in states)
        return told or not token.forms.isdisjoint(self.chart.words("partial") | self.chart.words("denying"))

    def _word(self, start: int, about: About) -> Iterator[SpokenPart]:
        """Any word but those of grammar, where the rest says all."""
        token = self.tokens[start]
        if token.kind == "word" and token.text.lower() not in self.chart.words("no_value"):
            yield start + 1, token.text, 0.5, "aside"

    def _verb(self, start: int, about: About) -> Iterator[SpokenPart]:
        """A verb that says only that a row has something."""
        token = self.tokens[start]
        told = frozenset(token.forms) & (self.chart.words("no_value") | self.chart.words("denying"))
        if token.kind == "word" and not told and is_verb(token.text.lower()):
            yield start + 1, token.text, 0.1, "aside"

    def _unit(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end in self.chart.ends("<unit>", start):
            yield end, " ".join(token.text for token in self.tokens[start:end]), 0.0, "a unit"

    def _until(self, start: int, ends: Callable[[int], bool], *, least: int = 2) -> Iterator[SpokenPart]:
        """Clauses of at least so many words that are set aside, up to the first word that ends them."""
        for at in range(start, len(self.tokens)):
            if ends(at):
                return
            if at - start + 1 >= least:
                yield at + 1, "", 0.1, "aside"

    def _is_one_of(self, at: int, *kinds: str) -> bool:
        return any(self.tokens[at].low in self.chart.words(kind) for kind in kinds)

    def _aside(self, start: int, about: About) -> Iterator[SpokenPart]:
        """A clause of its own that demands nothing, names no data and says of nothing where it holds."""
        return self._until(
            start, lambda at: self._is_one_of(at, "demanding", "bounding") or self._bids(at) or self._names_data(at)
        )

    def _remark(self, start: int, about: About) -> Iterator[SpokenPart]:
        """What somebody tells besides, in a clause of its own that names no data and demands nothing."""
        if self.tokens[start].low in self.chart.words("telling"):
            yield from self._aside(start, about)

    def _names_data(self, at: int) -> bool:
        return self.tokens[at].low != "time" and any(  # "all the time"
            span.is_mention and (span.tier <= PART or not span.columns) for span in self.linked.at(at)
        )

    def _reason(self, start: int, about: About) -> Iterator[SpokenPart]:
        """A clause that says why, whatever it says, but for demands."""
        return self._until(start, lambda at: self._is_one_of(at, "claiming") or self._bids(at))

    def _bids(self, at: int) -> bool:
        """Whether a word stands by itself that demands something: ", required"."""
        return self._is_one_of(at, "bidding") and self.tokens[at - 1].low in (",", ";", "and")

    def _outcome(self, start: int, about: About) -> Iterator[SpokenPart]:
        """What comes of it otherwise: a clause that claims nothing and names no column, value or number in digits."""
        return self._until(start, lambda at: self._is_one_of(at, "claiming") or self._names_outright(at))

    def _names_outright(self, at: int) -> bool:
        spans = self.linked.at(at)
        named = any(meant.tier < PART for span in spans for meant in span.columns)
        said = any(span.of(ValueMeant, TruthMeant) for span in spans) and self.tokens[at].kind != "mark"
        return named or said or self.tokens[at].kind not in ("word", "mark")

    def _instance(self, start: int, about: About) -> Iterator[SpokenPart]:
        """An example, whatever it names."""
        return self._until(start, lambda at: self._is_one_of(at, "demanding", "bidding"), least=1)

    def _premise(self, start: int, about: About) -> Iterator[SpokenPart]:
        """A clause before a rule that says why; one that tells of rows of some kind may be a condition."""
        end_of_talk = next(
            (at for at in range(start, len(self.tokens)) if any(self._adjective(at, about)) or self._kinds(at, about)),
            len(self.tokens),
        )
        yield from (part for part in self._reason(start, about) if part[0] <= end_of_talk)

    def _ground(self, start: int, about: About) -> Iterator[SpokenPart]:
        """Such a clause in front of the rule that names no data: "the price is above 5, so" may be a condition."""
        named, last = False, len(self.tokens)
        for at in range(start, len(self.tokens)):
            spans = self.linked.at(at) if self.tokens[at].low != "one" else ()  # who is somebody
            named = named or any(meant.tier < PART for span in spans for meant in span.columns)
            is_measured = any(span.of(NumberMeant, DurationMeant, DateMeant, TextMeant, ValueMeant) for span in spans)
            if named and (is_measured or any(not _COMPARING.isdisjoint(span.cues) for span in spans)):
                last = at
                break
        yield from (part for part in self._premise(start, about) if part[0] <= last)

    def _kinds(self, at: int, about: About) -> bool:
        return any(True for _ in self._kin_adjective(at, about))

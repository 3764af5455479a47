"""What names data, as parts of sentences: columns, tables, values. All from the linked spans."""

from collections.abc import Iterator

from pandas_magic.constraints import Column, Compare, Condition, Expression, Lookup, Present, Value
from pandas_magic.planner.language.linking import (
    ColumnMeant,
    DefinedMeant,
    NumberMeant,
    TableMeant,
    TextMeant,
    TruthMeant,
    ValueMeant,
)
from pandas_magic.planner.language.linking.aliases import is_birth
from pandas_magic.planner.language.linking.spans import PART
from pandas_magic.planner.language.linking.words import base_verb, name_parts, verbs_of
from pandas_magic.planner.language.strict.amount_mentions import SpokenPart, SpottedAmounts
from pandas_magic.planner.language.strict.chart import Chart, Mentions, Parsed
from pandas_magic.planner.language.strict.logic import EVERY_ROW, negate
from pandas_magic.planner.language.strict.scene import NUMBERS, About, Kin, KinColumn, SpokenRule

_ELSEWHERE = 1.5  # how far-fetched a column of another table is, when the sentence does not name the table
_AS_WRITTEN = 1.0  # a text that does not occur in the column


class SpottedParts(SpottedAmounts):
    """The parts of one sentence that name data, by category."""

    categories: tuple[str, ...] = (
        *("column", "parent_column", "column_elsewhere", "child_column", "child_done", "any_column", "happened"),
        "done_or_not",
        "not_done",
        *("parent_happened", "noun", "table"),
        *("kin", "parent", "child", "value", "adjective", "kin_adjective", "truth_of", "number", "percent", "duration"),
        *("date", "clock", "text", "pattern", "format", "percentile", "month", "weekday"),
    )

    def __init__(self, scene: SpokenRule) -> None:
        super().__init__(scene.linked)
        self.scene = scene
        self.chart: Chart  # set by the chart that asks

    def by_category(self) -> dict[str, Mentions]:
        """How to read each category."""
        return {name: self._reader(name) for name in self.categories}

    def _reader(self, name: str) -> Mentions:
        parts = getattr(self, f"_{name}")

        def read(start: int, about: About) -> list[Parsed]:
            return [Parsed(end, meaning, cost, ((start, end, how),)) for end, meaning, cost, how in parts(start, about)]

        return read

    def _columns(self, start: int) -> Iterator[tuple[int, ColumnMeant]]:
        return self._meant(start, ColumnMeant)

    def _column(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._columns(start):
            if (
                meant.table == about.table
                and meant.tier <= self.scene.widest
                and not self._is_a_period(start, end, meant)
            ):
                by = ", by the glossary" if meant.how == "glossary" else ""
                yield end, Column(name=meant.column), meant.tier, f"the column {meant.column}{by}"
        for end, defined in self._meant(start, DefinedMeant):
            if defined.table == about.table and defined.quantity is not None:
                by = ", by the glossary" if defined.term else ""
                yield end, defined.quantity, 0.0, f"{defined.definition}{by}"

    def _is_a_period(self, start: int, end: int, meant: ColumnMeant) -> bool:
        """Like "day", which is no number of days, "date", none of several, and "max", a limit."""
        said = self.tokens[start].low
        if end > start + 1 or said == meant.column.lower():
            return False
        if said == "date" and meant.tier == PART:
            return len(self.linked.names.references.dates(meant.table)) > 1
        return said in _LIMITS or (said in _PERIODS and self.scene.tables[meant.table].kind(meant.column) in NUMBERS)

    def _events(self, start: int) -> Iterator[tuple[str, str]]:
        """The columns of dates on which what the word says happened: (table, column)."""
        token, events = self.tokens[start], self.linked.names.events
        if token.kind == "word":
            forms = sorted({*token.forms, *verbs_of(token.low)})  # "admission" is what happened at admitted_at
            yield from dict.fromkeys(place for form in forms for place in events.get(form, ()))

    def _happened(self, start: int, about: About) -> Iterator[SpokenPart]:
        for table, column in self._events(start):
            if table == about.table:
                yield start + 1, Column(name=column), 0.0, f"the column {column}"

    def _done_or_not(self, start: int, about: About) -> Iterator[SpokenPart]:
        """What a paid bill was, or an unpaid one was not, where no other column says so by a text."""
        low = self.tokens[start].low
        done = low.removeprefix("un")
        told = {str(value).lower() for values in self.scene.tables[about.table].values.values() for value in values}
        if base_verb(done) == done or done in told:
            return
        for table, column in self.linked.names.events.get(base_verb(done), ()):
            if table == about.table:
                said: Condition = Present(of=Column(name=column))
                yield start + 1, said if done == low else negate(said), 0.0, f"the column {column}"

    def _not_done(self, start: int, about: About) -> Iterator[SpokenPart]:
        """What an unpaid bill was not; who did what is behind the rows may be another: "tests ordered for it"."""
        yield from self._done_or_not(start, about) if self.tokens[start].low.startswith("un") else ()

    def _parent_happened(self, start: int, about: About) -> Iterator[SpokenPart]:
        for table, column in self._events(start):
            for join in self.scene.up(about.table, table):
                yield start + 1, Lookup(join=join, of=Column(name=column)), 0.0, f"the column {column} of {table}"

    def _parent_column(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._columns(start):
            if meant.tier <= self.scene.widest and meant.table != about.table:
                for join in self.scene.up(about.table, meant.table):
                    of = Lookup(join=join, of=Column(name=meant.column))
                    yield end, of, meant.tier + _ELSEWHERE, f"the column {meant.column} of {meant.table}"

    def _column_elsewhere(self, start: int, about: About) -> Iterator[SpokenPart]:
        """A column of a row referred to that is not named, where the table at hand has none of that name at all."""
        born = any(is_birth(name) for name in self.scene.tables[about.table].columns)
        if not any(meant.table == about.table for _, meant in self._columns(start)):
            found = self._parent_column(start, about)
            yield from (one for one in found if not (born and "birth" in one[3]))

    def _child_column(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._columns(start):
            for join in self.scene.down(about.table, meant.table) if meant.tier <= self.scene.widest else ():
                of = KinColumn(join, Column(name=meant.column))
                yield end, of, meant.tier, f"the column {meant.column} of {meant.table}"

    def _child_done(self, start: int, about: About) -> Iterator[SpokenPart]:
        """What the word says is done, by the name of the table that tells of it: rented, beside the rentals."""
        for table in self.scene.tables:
            name = table.lower().rsplit("_", 1)[-1]
            if any(name.removeprefix(form) in _DOINGS for form in self.tokens[start].forms if len(form) > _SHORT):
                for join in self.scene.down(about.table, table):
                    yield start + 1, Kin(join), 0.0, f"rows of {table} that refer to it"

    def _tables(self, start: int) -> Iterator[tuple[int, str]]:
        for end, meant in self._meant(start, TableMeant):
            yield end, meant.table

    def _table(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, table in self._tables(start):
            yield end, table, 0.0, f"the table {table}"

    def _noun(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, table in self._tables(start):
            # Houses are a kind of properties before they are the properties.
            kinds = any(at == end and other == table for at, other, *_ in self._said_of_rows(start))
            if table == about.table and not kinds:
                yield end, EVERY_ROW, 0.0, f"rows of {table}"

    def _parent(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, table in self._tables(start):
            for join in self.scene.up(about.table, table):
                yield end, Kin(join, refers=True), 0.0, f"the row of {table} that it refers to"

    def _child(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, table in self._tables(start):
            for join in self.scene.down(about.table, table) if not self._is_told(start, end, about) else ():
                yield end, Kin(join), 0.0, f"rows of {table} that refer to it"

    def _is_told(self, start: int, end: int, about: About) -> bool:
        """Whether a column of truth speaks of it: prescription_required, beside the prescriptions."""
        forms = frozenset(form for token in self.tokens[start:end] for form in token.forms)
        names = self.linked.names
        told = (name for name in self.scene.tables[about.table].columns if names.truth_values(about.table, name))
        return any(not forms.isdisjoint(name_parts(name)) for name in told)

    def _kin(self, start: int, about: About) -> Iterator[SpokenPart]:
        yield from self._parent(start, about)
        yield from self._child(start, about)

    def _value(self, start: int, about: About) -> Iterator[SpokenPart]:
        subject = about.subject
        kind = self.scene.type_of(subject, about.table) if subject is not None else None
        if kind is None or kind.kind not in ("text", "mixed", "integer", "number"):
            return
        place = place_of(subject, about.table)
        known = False
        for end, meant in self._values_of(start, place):
            known = True
            yield end, meant.value, 0.0, f"the value {meant.value!r}"
        for end, quoted in self._meant(start, TextMeant):
            known = True
            if kind.kind in ("text", "mixed"):
                yield end, quoted.value, 0.0, "a text"
        for end, number in self._meant(start, NumberMeant):
            is_pronoun = self.tokens[start].low == "one" and self.tokens[end : end + 1] and self.tokens[end].low == "of"
            if not number.percent and not is_pronoun and kind.kind in ("integer", "number"):
                yield end, number.value, 0.0, "a number"
        if not known and kind.kind in ("text", "mixed"):
            yield from self._as_written(start, about)

    def _values_of(self, start: int, place: tuple[str, str] | None) -> list[tuple[int, ValueMeant]]:
        """The column's values that the words name."""
        return [(end, meant) for end, meant in self._meant(start, ValueMeant) if (meant.table, meant.column) == place]

    def _as_written(self, start: int, about: About) -> Iterator[SpokenPart]:
        token = self.tokens[start]
        named = any(meant.tier < PART for _, meant in self._columns(start))
        plain = token.kind == "word" and token.text.lower() not in self.chart.words("no_value") and not named
        if self._has_listed_values(about) and token.text.islower():
            return
        if plain and (not token.text[1:].islower() or self._is_listed(start)):
            yield start + 1, token.text, _AS_WRITTEN, f"the text {token.text!r}"

    def _has_listed_values(self, about: About) -> bool:
        place = place_of(about.subject, about.table)
        return place is not None and bool(self.scene.tables[place[0]].values.get(place[1]))

    def _is_listed(self, start: int) -> bool:
        """Whether the word stands in a list of words."""
        beside = [self.tokens[at].text for at in (start - 1, start + 1) if 0 <= at < len(self.tokens)]
        return any(text in _LISTING for text in beside)

    def _said_of_rows(self, start: int) -> Iterator[tuple[int, str, Condition, str]]:
        """What may be said of rows: the table, the condition, and how that was understood."""
        values: list[tuple[int, ValueMeant | TruthMeant]]
        values = [*self._meant(start, ValueMeant), *self._meant(start, TruthMeant)]
        for end, meant in values:
            if self.tokens[start].low == "no" and end == start + 1:
                continue  # "no patient" is none that is 'no'
            yield end, meant.table, _equal(Column(name=meant.column), meant.value), f"{meant.column} {meant.value!r}"
        for end, defined in self._meant(start, DefinedMeant):
            if defined.condition is not None:
                yield end, defined.table, defined.condition, f"{defined.definition}, by the glossary"

    def _adjective(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, table, said, how in self._said_of_rows(start):
            if table == about.table:
                yield end, said, 0.0, how

    def _kin_adjective(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, table, said, how in self._said_of_rows(start):
            for join in self.scene.down(about.table, table):
                yield end, Kin(join, said), 0.0, how
            for join in self.scene.up(about.table, table):
                yield end, Kin(join, said, refers=True), 0.0, how

    def _any_column(self, start: int, about: About) -> Iterator[SpokenPart]:
        """A column's name as it is written, whether or not there is such a column."""
        known = [found for found in self._column(start, about) if found[2] < PART]
        yield from known
        token = self.tokens[start]
        if not known and token.kind == "word" and token.text.lower() not in self.chart.words("no_value"):
            yield start + 1, Column(name=token.text), 0.0, f"the name {token.text}"

    def _truth_of(self, start: int, about: About) -> Iterator[SpokenPart]:
        for end, meant in self._meant(start, TruthMeant):
            if meant.table == about.table:
                yield end, _equal(Column(name=meant.column), meant.value), 0.0, f"{meant.column} {meant.value!r}"


def place_of(subject: Expression | None, table: str) -> tuple[str, str] | None:
    """The table and column in which the subject's values stand; None for what is reckoned."""
    if isinstance(subject, Column):
        return table, subject.name
    if isinstance(subject, Lookup) and isinstance(subject.of, Column):
        return subject.join.table, subject.of.name
    return None


def _equal(of: Expression, value: bool | int | float | str) -> Compare:
    return Compare(relation="==", left=of, right=Value(value=value))


_DOINGS = frozenset(("s", "es", "ing", "ings", "al", "als", "ment", "ments"))
_SHORT = 2
_PERIODS = frozenset(("day", "week", "month", "year", "hour", "minute"))
_LIMITS = frozenset(("max", "min", "maximum", "minimum"))
_LISTING = frozenset((",", "or", "/", "|", "nor"))

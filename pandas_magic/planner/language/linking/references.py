"""How tables refer to each other, as the names of their columns say: keys, references, references in a role."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from pandas_magic.catalog.table import Table
from pandas_magic.planner.language.linking.aliases import KEY_ENDINGS, event_verbs, is_birth, unit_words
from pandas_magic.planner.language.linking.spelled_out import abroad, spelled_out
from pandas_magic.planner.language.linking.words import (
    Words,
    last_word,
    name_words,
    names_data,
    verbs_of,
    word_forms,
)

# What a table is of its rows says nothing of them: JOB_HDR holds jobs, BIN_MST bins.
_LISTS = frozenset(("header", "hdr", "master", "mst", "main", "list", "file", "register", "reference", "ref", "book"))
_TELLING = (("id",), ("key",), ("uuid",), ("guid",))
_WEAKER = (("code",), ("no",), ("nr",), ("number",), ("ref",), ("num",))
_LINES = frozenset(("line", "position", "sequence"))
_INITIALS = frozenset(("abbreviation", "initials"))
# Texts that a column and a key must have in common, and the share of the column's, for the one to refer to the other.
_FEWEST_COMMON, _NEARLY_ALL = 2, 0.75
_TECHNICAL = frozenset(names_data()["technical"])


@dataclass(frozen=True)
class Reference:
    """`column` of `table` refers to `key` of `parent`, which the name of the column says.

    A `role` is what the name says besides: ("home",) of home_team_id, ("manager",) of manager_id in employees.
    """

    table: str
    column: str
    parent: str
    key: str
    role: Words = ()


@cache
def _common_names() -> frozenset[str]:
    """Words that as the names of columns in two tables say nothing of a reference, in any language."""
    return frozenset(
        word
        for common in names_data()["common"]
        for word in (common, *(abroad(common) if common not in ("order", "position") else ()))  # they are rows, too
    )


@lru_cache(maxsize=4096)
def table_words(table: str) -> tuple[Words, ...]:
    """How the rows of a table are called: dim_customers are customers, Auftragspositionen order items."""
    words = name_words(table)
    plain = words[1:] if len(words) > 1 and words[0] in _TECHNICAL else words
    forms = [words, *(form for form in spelled_out(plain) if form)]
    return tuple(dict.fromkeys((*forms, *(form[:-1] for form in forms if form[1:] and form[-1] in _LISTS))))


def _is_called_a_key(column: str) -> bool:
    forms = list(spelled_out(name_words(column)))
    return any({*form[:1], *form[-1:]} & {*KEY_ENDINGS} or not _INITIALS.isdisjoint(form) for form in forms)


class References:
    """The keys of tables, and what refers to them."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        self._keys = {table: self._find_key(table) for table in tables}

    def key(self, table: str) -> str | None:
        """The column by which rows of the table are referred to, or None when the names leave it open."""
        return self._keys[table]

    def _find_key(self, table: str) -> str | None:
        columns = self.tables[table].columns
        forms: dict[Words, str] = {}
        for column in columns:
            for form in spelled_out(name_words(column)):
                forms.setdefault(form, column)
        stems = list(dict.fromkeys(s for noun in table_words(table) for s in (noun, noun[-1:])))
        telling = [(*stem, *ending) for ending in _TELLING for stem in stems]
        weaker = [(*stem, *ending) for ending in _WEAKER for stem in stems]
        joined = [("".join(stem) + "id",) for stem in stems]
        endings = [*telling, *joined, ("id",), ("key",), ("uuid",), *weaker, ("code",), *stems]
        unique = [key for key in self.tables[table].keys if self._can_refer(table, key)]
        keys = [key for key in unique if self._is_like_a_key(table, key)]
        for name in endings:
            found = forms.get(name)
            if found is None or self._is_of_the_head(table, found):
                continue
            # Beside a column of which all values differ, a "code" or the dose of doses is no key by its name alone.
            if not keys or found in keys or name in telling or self._is_elsewhere(table, found):
                return found
        shared = [
            key for key in keys if not _common_names().issuperset(name_words(key)) and self._is_elsewhere(table, key)
        ]
        telling_keys = [key for key in keys if name_words(key)[-1:] in _TELLING]
        first = next(iter(columns), "")
        own = [first] if first in keys or (first and self._is_first_key(table)) else []
        return next((some[0] for some in (keys, shared, telling_keys, own, unique) if len(some) == 1), None)

    def _can_refer(self, table: str, column: str) -> bool:
        """Whether rows may be referred to by the column: no date, measure or name that happens to differ."""
        forms = list(spelled_out(name_words(column)))
        if any(form[-1:] == ("name",) or form[-1] in unit_words() for form in forms if len(form) > 1):
            return False
        return self.tables[table].kind(column) in ("integer", "text") and column not in self.tables[table].read_as

    def _is_like_a_key(self, table: str, column: str) -> bool:
        """Whether more than its values speaks for the column: its place, its name, or that other tables have it."""
        is_first = column == next(iter(self.tables[table].columns))
        return is_first or _is_called_a_key(column) or self._is_elsewhere(table, column)

    def _is_first_key(self, table: str) -> bool:
        """Whether the first column is called like a key, or stands in other tables too, though a value may be wrong."""
        first = next(iter(self.tables[table].columns))
        if self._is_of_the_head(table, first):
            return False
        called = _is_called_a_key(first) or self._is_elsewhere(table, first)
        return called and self.tables[table].kind(first) in ("integer", "text")

    def _is_of_the_head(self, table: str, column: str) -> bool:
        """Whether the column only tells of what the rows are the lines: the order_no of lines with a line_no."""
        if column in self.tables[table].keys or not self._is_elsewhere(table, column):
            return False
        counted = (form for name in self.tables[table].columns for form in spelled_out(name_words(name)))
        return any(form[0] in _LINES and form[1:] in ((), *_WEAKER) for form in counted if form)

    def _is_elsewhere(self, table: str, column: str) -> bool:
        return any(column in other.columns for name, other in self.tables.items() if name != table)

    def row_noun(self, table: str) -> Words:
        """How the key calls the rows, whatever the table is called: "passenger" for PassengerId; empty: not at all."""
        key = self.key(table)
        words = name_words(key) if key is not None and key in self.tables[table].keys else ()
        return words[:-1] if words[-1:] in _TELLING else ()

    @cached_property
    def by_table(self) -> dict[str, tuple[Reference, ...]]:
        """The columns of each table that refer to other tables by their names."""
        return {table: tuple(self._find(table)) for table in self.tables}

    def links(self, table: str) -> tuple[Reference, ...]:
        """The columns of the table that refer to other tables by their names."""
        return self.by_table[table]

    def links_to(self, table: str, parent: str) -> list[Reference]:
        """The references by which rows of the table refer to rows of the parent, roles left out."""
        return [link for link in self.by_table[table] if link.parent == parent]

    def all_from(self, table: str) -> tuple[Reference, ...]:
        """The references of the table, those in a role and those that only the values tell too."""
        return (*self.links(table), *self.roles(table), *self._by_values[table])

    def telling_apart(self, table: str) -> frozenset[str | None]:
        """The columns of which the values only tell rows apart: the table's key, and its references."""
        return frozenset((self.key(table), *(link.column for link in self.all_from(table))))

    def _find(self, table: str) -> Iterator[Reference]:
        own = self.key(table)
        folded: dict[Words, str] = {}
        for column in self.tables[table].columns:
            for form in spelled_out(name_words(column)):
                folded.setdefault(form, column)
        for parent in self.tables:
            key = self.key(parent)
            if key is None or parent == table:
                continue
            for name in self._names_of_key(parent, key):
                found = folded.get(name)
                if found is not None and (found != own or self._is_shared(table, found, parent)):
                    yield Reference(table, found, parent, key)
                    break

    def _is_shared(self, table: str, column: str, parent: str) -> bool:
        # Rows of details have the key of their head: order_id of order_notes, where it does not tell the rows apart.
        return column not in self.tables[table].keys and self.key(parent) in self.tables[parent].keys

    @cached_property
    def _by_values(self) -> dict[str, tuple[Reference, ...]]:
        return {table: tuple(self._find_by_values(table)) for table in self.tables}

    def _find_by_values(self, table: str) -> Iterator[Reference]:
        """Columns of which nearly all texts are keys of rows, whatever they are called: the vet of treatments."""
        linked = {link.column for link in (*self.links(table), *self.roles(table))}
        for column, texts in self.tables[table].values.items():
            for parent, key in self._keys.items() if column not in (*linked, self.key(table)) else ():
                known = self.tables[parent].values.get(key or "", ())
                common = len({*texts} & {*known})
                if key is not None and common >= max(_FEWEST_COMMON, _NEARLY_ALL * len(texts)):
                    yield Reference(table, column, parent, key, name_words(column))
                    break

    def _names_of_key(self, parent: str, key: str) -> Iterator[Words]:
        nouns = [stem for noun in table_words(parent) for stem in (noun, noun[-1:])]
        unique = key in self.tables[parent].keys or key == next(iter(self.tables[parent].columns))
        for words in spelled_out(name_words(key)):
            if len(words) == 1 and words not in nouns:
                yield from ((*noun, *words) for noun in dict.fromkeys(nouns))
                if unique and words[0] not in _common_names():
                    yield words  # barcode, isbn, vin
            elif words in nouns or words[:-1] in nouns or unique:
                yield words

    def self_references(self, table: str) -> tuple[str, ...]:
        """The columns that refer to other rows of the same table: manager_id, parent_category_id, referred_by."""
        key = self.key(table)
        if key is None:
            return ()
        ending = name_words(key)
        found = []
        for column in self.tables[table].columns:
            name = name_words(column)
            kinds = {self.tables[table].kind(column), self.tables[table].kind(key)}
            alike = len(kinds) == 1 or kinds == {"integer", "number"}
            longer = len(ending) > 1 and len(name) > len(ending) and name[-len(ending) :] == ending
            if column != key and alike and (longer or self._is_in_a_role(table, name)):
                found.append(column)
        return tuple(found)

    def _is_in_a_role(self, table: str, name: Words) -> bool:
        data = names_data()
        somebody = last_word(table) in data["people"]
        if "_".join(name) in data["done_by"]:
            return somebody
        if not name or len(name) > 3 or (len(name) > 1 and name[-1] not in KEY_ENDINGS):
            return False
        role = name[0] if len(name) == 1 else name[-2]
        if len(name) == 3:
            return role in data["self_roles_of_people"] and somebody
        elsewhere = not somebody and any(last_word(other) in data["people"] for other in self.tables)
        return role in data["self_roles"] and not (role in data["self_roles_of_people"] and elsewhere)

    def roles(self, table: str) -> tuple[Reference, ...]:
        """The columns that refer to rows in a role: home_team_id and away_team_id, manager_id of employees."""
        return self._roles[table]

    @cached_property
    def _roles(self) -> dict[str, tuple[Reference, ...]]:
        return {table: tuple(self._find_roles(table)) for table in self.tables}

    def _find_roles(self, table: str) -> Iterator[Reference]:
        plain = {link.column for link in self.links(table)}
        own = self.self_references(table)
        endings = [(parent, key, name_words(key)) for parent, key in self._keys.items() if key]
        for column in self.tables[table].columns:
            words = name_words(column)
            for parent, key, ending in endings:
                named = len(ending) > 1 and len(words) > len(ending) and words[-len(ending) :] == ending
                if named and column not in plain and ending[:-1] == name_words(parent)[-1:]:
                    yield Reference(table, column, parent, key, words[: -len(ending)])
                elif parent == table and column in own:
                    yield Reference(table, column, table, key, _role_of(words))

    def dates(self, table: str, *, of_texts: bool = False) -> list[str]:
        """The table's columns of dates; with `of_texts` also those of texts that are dates."""
        read_as = self.tables[table].read_as if of_texts else {}
        columns = self.tables[table].columns
        return [name for name in columns if read_as.get(name) == "date" or self.tables[table].kind(name) == "datetime"]

    def principal_date(self, table: str, *, of_texts: bool = False) -> str | None:
        """The date of the row itself: its only one, or the one named for the table; None when that is open."""
        if of_texts and self.dates(table):
            return self.principal_date(table)
        dates = [date for date in self.dates(table, of_texts=of_texts) if not is_birth(date)]
        if len(dates) == 1:
            return dates[0]
        noun = name_words(table)
        own = [date for date in dates if name_words(date)[:-1] in (noun, noun[-1:], ())]
        if not own:  # appt_date of appointments
            forms = {date: {form[:-1] for form in spelled_out(name_words(date))} for date in dates}
            own = [date for date in dates if not forms[date].isdisjoint((noun, noun[-1:]))]
        if not own:
            # Borrowings have a borrowed_on, admissions an admitted_at.
            short = last_word(table)
            own = [date for date in dates if event_verbs(date) & (word_forms(short) | verbs_of(short))]
        return own[0] if len(own) == 1 else None


def _role_of(name: Words) -> Words:
    done_by: dict[str, str] = names_data()["done_by"]
    if "_".join(name) in done_by:
        return (done_by["_".join(name)],)
    return name[:-1] if len(name) == 3 and name[-1] in KEY_ENDINGS else name[:1]

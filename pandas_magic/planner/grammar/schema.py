"""Where the words of a rule meet the schema: tables, columns, values, dates of events, references.

`aliases` knows what a column can be called; a spelling is never guessed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, TypeVar, TypeVarTuple

from pandas_magic.catalog.table import Table, ValueKind, kind_of
from pandas_magic.planner.grammar.aliases import (
    EXACT,
    KEY_ENDINGS,
    PART,
    Words,
    column_aliases,
    event_verbs,
    is_a_term,
    is_the_last,
    value_words,
)
from pandas_magic.planner.grammar.beginnings import ENDINGS, begun_and_over
from pandas_magic.planner.grammar.morphology import NOMINAL, last_word, name_words, word_forms
from pandas_magic.planner.grammar.naming import (
    AFTERWARDS,
    DONE_BY_ANOTHER,
    EVENT_SYNONYMS,
    MAKING,
    PEOPLE,
    SELF_ROLES,
    SELF_ROLES_OF_PEOPLE,
    TABLE_SYNONYMS,
)
from pandas_magic.planner.grammar.nominals import verbs_of

Given = TypeVarTuple("Given")
Answer = TypeVar("Answer")
# What happens in a year that a number names.
_YEAR_WORDS = frozenset(("born", "birth", "built", "build", "found", "founded", "publish", "create", "die", "died"))
_SHARES = frozenset(("pct", "percent", "percentage"))
_AMOUNTS = frozenset(("amount", "quantity", "price", "cost", "weight", "value", "fee", "total"))
_DONE = ("ed", "due", "paid", "sold", "left", "sent", "open", "owing")
_SEXES = {"m": "male", "f": "female"}
# Columns of this name in two tables say nothing of a reference.
_COMMON_NAMES = frozenset(
    ("id", "key", "code", "name", "title", "number", "no", "date", "time", "type", "label", "description", "value",
     "email", "phone", "address", "timestamp", "day", "month", "year", "status", "index", "position", "rank", "order")
)  # fmt: skip


@dataclass(frozen=True)
class Link:
    """`column` of `table` refers to `key` of `parent`, which the name of the column says.

    A `role` is what the name says besides: ("home",) of home_team_id, ("manager",) of manager_id in employees.
    """

    table: str
    column: str
    parent: str
    key: str
    role: Words = ()


# Alone no name for a column of which they are a part: "on" for closed_on.
_PARTS = frozenset(("line", "item", "position", "detail"))
_SAYS_NOTHING = frozenset([
    ("on",), ("at",), ("by",), ("in",), ("of",), ("to",), ("for",), ("from",), ("is",), ("has",), ("no",), ("up",),
    ("out",), ("off",), ("until",), ("since",), ("with",),
])  # fmt: skip


def _once(method: Callable[["SchemaIndex", *Given], Answer]) -> Callable[["SchemaIndex", *Given], Answer]:
    """A question about the tables that is answered once; whoever asks must leave the answer as it is."""

    @wraps(method)
    def remembered(index: "SchemaIndex", *given: *Given) -> Answer:
        key = (method, *given)
        if key not in index.known:
            index.known[key] = method(index, *given)
        answer: Answer = index.known[key]
        return answer

    return remembered


class SchemaIndex:
    """The tables with their names, columns, values and links looked up by words."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = dict(tables)
        self.nouns: dict[Words, list[str]] = {}
        self.known: dict[tuple[object, ...], Any] = {}  # what was asked before, by the method and what it was given
        for name in self.tables:
            self.nouns.setdefault(name_words(name), []).append(name)
        exact = {word for words in self.nouns for word in words}
        last = Counter(last_word(name) for name in self.tables)
        for name in self.tables:
            short = name_words(name)[-1:]
            if last[last_word(name)] == 1 and short not in self.nouns:
                self.nouns[short] = [name]
        for name in self.tables:
            words = name_words(name)
            if last_word(name) in ("crew", "staff", "personnel", "faculty", "team", "family"):
                self.nouns.setdefault((*words, "member"), []).append(name)
            for other in TABLE_SYNONYMS.get(last_word(name), ()) if len(words) == 1 else ():
                if other not in exact:
                    self.nouns.setdefault((other,), []).append(name)

    @_once
    def words(self) -> frozenset[str]:
        """Every word by which a table, a column or a value can be named."""
        found = {word for words in self.nouns for word in words}
        for table in self.tables:
            found.update(word for words in self.columns(table) for word in words)
            found.update(word for words in self.values(table) for word in words)
            found.update(column.lower() for column in self.tables[table].columns)
            found.update(verb for column in self.dates(table) for verb in event_verbs(column))
            found.update(word for link in self.roles(table) for word in link.role)
            found.update(self.verbs(table))
        return frozenset(found)

    def names(self) -> set[str]:
        """The names of the tables and their columns, and the texts that occur."""
        columns = {column for table in self.tables.values() for column in table.columns}
        values = {text for table in self.tables.values() for texts in table.values.values() for text in texts}
        return {*self.tables, *columns, *values}

    def kind(self, table: str, column: str) -> ValueKind:
        """What kind of values the column holds."""
        return _kind_of(self.tables[table].columns[column])

    @_once
    def truths(self, table: str) -> tuple[str, ...]:
        """The table's columns of truth values that words can name."""
        columns = self.tables[table].columns
        return tuple(name for name in columns if name_words(name) and self.truth_values(table, name) is not None)

    @_once
    def truth_values(self, table: str, column: str) -> tuple[bool | str, bool | str] | None:
        """What stands in the column for true and for false; None when it does not say whether something is so."""
        if self.kind(table, column) == "boolean":
            return True, False
        texts = self.occurring(table, column)
        for yes, no in (("yes", "no"), ("y", "n"), ("true", "false"), ("t", "f")):
            folded = {text.lower(): text for text in texts}
            if len(texts) <= 3 and {yes, no} <= set(folded):
                return folded[yes], folded[no]
        return None

    @_once
    def truth_words(self, table: str) -> dict[Words, list[tuple[str, bool]]]:
        """What says that a column of truth is so, or is not: "active" and "inactive" of is_active."""
        by_words: dict[Words, list[tuple[str, bool]]] = {}
        for column in self.truths(table):
            name = name_words(column)
            plain = name[1:] if name[0] in ("is", "has", "was", "are") and len(name) > 1 else name
            for words in dict.fromkeys((plain, name)):
                by_words.setdefault(words, []).append((column, True))
            for prefix in ("in", "un", "non", "dis"):
                by_words.setdefault((prefix + plain[0], *plain[1:]), []).append((column, False))
        return by_words

    def may_be_about(self, table: str, spoken: frozenset[Words]) -> bool:
        """Some stretch of the words names the table, one of its columns or one of the texts in it."""
        roles = [link.parent for link in self.roles(table) if link.parent != table]
        about = {table, *(parent for parent in roles if roles.count(parent) == 2)}
        if any(not about.isdisjoint(self.nouns.get(words, ())) for words in spoken):
            return True
        return not spoken.isdisjoint(self.columns(table)) or not spoken.isdisjoint(self.values(table))

    @_once
    def columns(self, table: str) -> dict[Words, list[tuple[int, str]]]:
        """The table's columns by what they can be called, with the tier of that name."""
        by_words: dict[Words, list[tuple[int, str]]] = {}
        for column in self.tables[table].columns:
            for words, tier in column_aliases(table, column):
                # "Customers" are the rows of that table, not the customer_id of another.
                if tier == PART and self._is_a_noun_for(table, words):
                    continue
                by_words.setdefault(words, []).append((tier, column))
            for words in self._within_another(table, column):
                by_words.setdefault(words, []).append((PART, column))
        return by_words

    def _is_a_noun_for(self, table: str, words: Words) -> bool:
        """The words are a table's name, or another word for the rows of one that this table has to do with."""
        return any(
            words in (name_words(noun), name_words(noun)[-1:])
            or noun == table
            or self.links_to(table, noun)
            or self.links_to(noun, table)
            for noun in self.nouns.get(words, ())
        )

    def _within_another(self, table: str, column: str) -> Iterator[Words]:
        """Like "position" for position_in_train, where there are trains that rows of the table refer to."""
        words = name_words(column)
        for place in range(1, len(words) - 1):
            parents = self.nouns.get(words[place + 1 :], ()) if words[place] in ("in", "within", "on") else ()
            if words[:place] not in self.nouns and any(self.links_to(table, parent) for parent in parents):
                yield words[:place]

    @_once
    def is_part(self, table: str, words: Words) -> bool:
        """The words are only a part of the name of the columns that they name."""
        return min((tier for tier, _ in self.columns(table).get(words, [])), default=EXACT) == PART

    @_once
    def column_words(self, table: str) -> frozenset[str]:
        """The words of which the names of the table's columns are made."""
        return frozenset(word for column in self.tables[table].columns for word in name_words(column))

    @_once
    def called(self, table: str, words: Words) -> list[str]:
        """The columns that the words name, most literal tier only; several when the words leave it open."""
        found = self.columns(table).get(words, [])
        best = min((tier for tier, _ in found), default=EXACT)
        any_date = words == ("date",) and len(self.dates(table)) > 1  # "a date in the future", of a member with three
        if best == PART and (words in _SAYS_NOTHING or any_date):
            return []
        named = [column for tier, column in found if tier == best]
        begun = self._begun_so(table, words, named) if best == PART else []
        return [*named, *self._amounts_beside(table, words, named), *begun]

    def _begun_so(self, table: str, words: Words, named: list[str]) -> list[str]:
        """Like amount_due and amount_paid beside discount_amount, each an amount."""
        if len(words) != 1 or words[0] not in _AMOUNTS or not any(last_word(column) == words[0] for column in named):
            return []
        numbers = [name for name in self.tables[table].columns if self.kind(table, name) in ("integer", "number")]
        begun = [name for name in numbers if name_words(name)[:1] == words and name not in named]
        return [name for name in begun if len(name_words(name)) == 2 and name_words(name)[1].endswith(_DONE)]

    def _amounts_beside(self, table: str, words: Words, named: list[str]) -> list[str]:
        """Like discount_amount beside discount_pct, each as much "the discount"."""
        if not any(last_word(column) in _SHARES and name_words(column) != words for column in named):
            return []
        found = self.columns(table).get((*words, "amount"), [])
        return [column for tier, column in found if tier == EXACT and column not in named]

    @_once
    def values(self, table: str) -> dict[Words, list[tuple[str, str]]]:
        """The texts that occur in the table's columns, by their words: (column, text as it occurs)."""
        by_words: dict[Words, list[tuple[str, str]]] = {}
        for column, texts in self.tables[table].values.items():
            spoken = _SEXES if last_word(column) in ("sex", "gender") else {}
            for text in texts if self.kind(table, column) == "text" else ():
                by_words.setdefault(value_words(text), []).append((column, text))
                if text.lower() in spoken:
                    by_words.setdefault((spoken[text.lower()],), []).append((column, text))
        return by_words

    def occurring(self, table: str, column: str) -> tuple[str, ...]:
        """The texts known to occur in the column, or none when it has too many."""
        return self.tables[table].values.get(column, ())

    @_once
    def key(self, table: str) -> str | None:
        """The column by which rows of the table are referred to, or None when the names leave it open."""
        columns = {name.lower(): name for name in self.tables[table].columns}
        noun = "_".join(name_words(table))
        short = last_word(table)
        stems = dict.fromkeys((noun, short))
        telling = [stem + ending for stem in stems for ending in ("_id", "id", "_key", "_uuid")]
        weaker = [stem + ending for stem in stems for ending in ("_code", "_no", "_nr", "_number", "_ref")]
        for name in (*telling, "id", "key", "uuid", *weaker, "code", noun):
            if name in columns:
                return columns[name]
        keys = self.tables[table].keys
        return keys[0] if len(keys) == 1 else None

    @_once
    def links(self, table: str) -> tuple[Link, ...]:
        """The columns of the table that refer to other tables by their names."""
        return tuple(self._find_links(table))

    def _find_links(self, table: str) -> Iterator[Link]:
        own = self.key(table)
        folded = {name_words(column): column for column in self.tables[table].columns}
        for parent in self.tables:
            key = self.key(parent)
            if key is None or parent == table:
                continue
            noun = name_words(parent)
            names = (
                [name_words(key)]
                if len(name_words(key)) > 1
                else [(*noun, *name_words(key)), (*noun[-1:], *name_words(key))]
            )
            if name_words(key) in (noun, noun[-1:]):
                names = [name_words(key)]
            if len(name_words(key)) > 1 and name_words(key)[:-1] not in (noun, noun[-1:]):
                names = names if key in self.tables[parent].keys else []
            if (
                key in self.tables[parent].keys
                and len(name_words(key)) == 1
                and name_words(key)[0] not in _COMMON_NAMES
            ):
                names = [*names, name_words(key)]  # barcode, isbn, vin
            for name in dict.fromkeys(names):
                column = folded.get(name)
                if column is not None and column != own:
                    yield Link(table, column, parent, key)
                    break

    @_once
    def self_references(self, table: str) -> tuple[str, ...]:
        """The columns that refer to other rows of the same table: manager_id, parent_category_id, referred_by."""
        key = self.key(table)
        if key is None:
            return ()
        ending = name_words(key)
        found = []
        for column in self.tables[table].columns:
            name = name_words(column)
            alike = self.kind(table, column) == self.kind(table, key) or self.kind(table, column) == "number"
            longer = len(ending) > 1 and len(name) > len(ending) and name[-len(ending) :] == ending
            if column != key and alike and (longer or self._is_in_a_role(table, name)):
                found.append(column)
        return tuple(found)

    def _is_in_a_role(self, table: str, name: Words) -> bool:
        """The name tells another row of the table: manager_id, line_manager_id, referred_by."""
        somebody = last_word(table) in PEOPLE
        if not name:
            return False
        if name in DONE_BY_ANOTHER:
            return somebody
        role = name[0] if len(name) == 1 else name[-2] if len(name) <= 3 and name[-1] in KEY_ENDINGS else ""
        if len(name) == 3:
            return role in SELF_ROLES_OF_PEOPLE and somebody
        elsewhere = not somebody and any(last_word(other) in PEOPLE for other in self.tables)
        return role in SELF_ROLES and not (role in SELF_ROLES_OF_PEOPLE and elsewhere)

    @_once
    def roles(self, table: str) -> tuple[Link, ...]:
        """The columns that refer to rows in a role: home_team_id and away_team_id, manager_id of employees."""
        return tuple(self._find_roles(table))

    def _find_roles(self, table: str) -> Iterator[Link]:
        plain = {link.column for link in self.links(table)}
        own = self.self_references(table)
        for column in self.tables[table].columns:
            words = name_words(column)
            for parent in self.tables:
                key = self.key(parent)
                ending = name_words(key) if key is not None else ()
                named = len(ending) > 1 and len(words) > len(ending) and words[-len(ending) :] == ending
                if key is not None and named and column not in plain and ending[:-1] == name_words(parent)[-1:]:
                    yield Link(table, column, parent, key, words[: -len(ending)])
                elif key is not None and parent == table and column in own:
                    yield Link(table, column, table, key, _role_of(words))

    @_once
    def links_to(self, table: str, parent: str) -> list[Link]:
        """The links by which rows of the table refer to rows of the parent."""
        return [link for link in self.links(table) if link.parent == parent]

    @_once
    def is_year(self, table: str, column: str) -> bool:
        """The numbers in the column are years, as its name says: year_created, founded, born."""
        words = name_words(column)
        numeric = self.kind(table, column) in ("integer", "number")
        said = "year" in words or (len(words) == 1 and (words[0] in _YEAR_WORDS))
        return numeric and (said or (len(words) == 1 and bool(word_forms(words[0]) & _YEAR_WORDS)))

    @_once
    def years(self, table: str) -> list[str]:
        """The table's columns of years in which something happened."""
        return [
            column
            for column in self.tables[table].columns
            if self.is_year(table, column) and name_words(column) != ("year",)
        ]

    @_once
    def dates(self, table: str) -> list[str]:
        """The table's columns of dates."""
        return [column for column in self.tables[table].columns if self.kind(table, column) == "datetime"]

    @_once
    def principal_date(self, table: str) -> str | None:
        """The date of the row itself: its only one, or the one named for the table; None when that is open."""
        dates = self.dates(table)
        if len(dates) == 1:
            return dates[0]
        noun = name_words(table)
        own = [date for date in dates if name_words(date)[:-1] in (noun, noun[-1:], ())]
        if not own:
            # Borrowings have a borrowed_on, admissions an admitted_at.
            short = last_word(table)
            verbs = word_forms(short) | frozenset((NOMINAL.get(short, short),)) | verbs_of(short)
            own = [date for date in dates if event_verbs(date) & verbs]
        return own[0] if len(own) == 1 else None

    def worth(self, table: str) -> str | None:
        """The one amount of money that a row stands for: its amount, else its total; None when that is open."""
        amounts = [] if self.is_part(table, ("amount",)) else self.called(table, ("amount",))
        found = amounts or self.called(table, ("total",))
        return found[0] if len(found) == 1 and self.kind(table, found[0]) in ("integer", "number") else None

    @_once
    def verbs(self, table: str) -> frozenset[str]:
        """The verbs that make a row of the table: "borrow" for borrowings, "admit" for admissions with admitted_on."""
        noun = last_word(table)
        date = self.principal_date(table) or self._made(table)
        named = word_forms(noun) | frozenset((NOMINAL.get(noun, noun),))
        if noun in _PARTS and len(name_words(table)) > 1:  # a product is ordered by an order line
            named |= word_forms(name_words(table)[-2])
        named |= event_verbs(date) if date else frozenset()
        return named | {said for verb in named for said in EVENT_SYNONYMS.get(verb, ())}

    @_once
    def first_date(self, table: str) -> str | None:
        """The date at which the row begins: the date of the row itself, else the only one of a start."""
        own = self.principal_date(table)
        begun, ended = begun_and_over(table, self.dates(table))
        if own is None and len(begun) == 1 and len(begun) + len(ended) == len(self.dates(table)):
            return begun[0]
        return own or self._made(table) or self._only_plain_date(table)

    def _only_plain_date(self, table: str) -> str | None:
        """The one date that is neither the end of a term nor of what can only come later."""
        plain = [
            date
            for date in self.dates(table)
            if not is_a_term(date)
            and not is_the_last(date)
            and event_verbs(date).isdisjoint((*AFTERWARDS, *ENDINGS, "arrive"))
        ]
        return plain[0] if len(plain) == 1 else None

    def _made(self, table: str) -> str | None:
        """The only date on which a row comes into being, where all its other dates are terms, ends or later steps."""
        dates = self.dates(table)
        begun, over = begun_and_over(table, dates)
        over += [date for date in dates if is_a_term(date) or is_the_last(date)]
        made = [date for date in dates if (event_verbs(date) & {*MAKING} or date in begun) and not is_the_last(date)]
        later = [date for date in dates if event_verbs(date) & {*AFTERWARDS} or date in over]
        return made[0] if len(made) == 1 and {*made, *later} == set(dates) and made[0] not in later else None


@lru_cache(maxsize=256)
def _role_of(name: Words) -> Words:
    """Who the column names: the manager for manager_id, the line manager for line_manager_id."""
    if name in DONE_BY_ANOTHER:
        return (DONE_BY_ANOTHER[name],)
    if name[:-1] in (("replace",), ("supersede",)):
        return (f"{name[0]}d",)
    return name[:-1] if len(name) == 3 and name[-1] in KEY_ENDINGS else name[:1]


def _kind_of(dtype: str) -> ValueKind:
    return kind_of(dtype)


_recent: list[tuple[tuple[tuple[str, int], ...], dict[str, Table], SchemaIndex]] = []


def index_of(tables: Mapping[str, Table]) -> SchemaIndex:
    """The index of the tables; the last few are kept, since many rules are read against the same tables."""
    identity = tuple((name, id(table)) for name, table in tables.items())
    for known, _, index in _recent:
        if known == identity:
            return index
    index = SchemaIndex(tables)
    # The tables are kept as well, so that their identities are not given to others.
    _recent.append((identity, dict(tables), index))
    del _recent[:-4]
    return index

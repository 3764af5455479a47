"""What must not be: "no order may …", "there must be no …", "flag rows where …", "… is not allowed"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Condition, Present
from pandas_magic.constraints.algebra.expressions import Column, Expression, Rollup
from pandas_magic.planner.grammar import (
    ages,
    another_row,
    children,
    claims,
    clauses,
    comparatives,
    comparisons,
    events,
    had_numbers,
    kinds_of_rows,
    modifiers,
    nouns,
    parents,
    periods,
    phrases,
    possession,
    qualities,
    requirements,
    row_predicates,
    rows,
    statements,
    uniqueness,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.chart import Parse, Position
from pandas_magic.planner.grammar.logic import expressions_in, negate, of_which
from pandas_magic.planner.grammar.meaning import Claim, Rows, as_claim
from pandas_magic.planner.grammar.morphology import name_words

Found = Iterator[tuple[Position, Claim]]
_LIKE_NAMES = frozenset(["list", "report", "mark", "return", "display", "select", "show", "find", "check"])


def of_no(p: Parse, i: Position, table: str) -> Found:
    """Like "No order may …", "nothing can be delivered before …", "no discount is negative"."""
    for start in p.phrase(i, words.NO):
        noted = p.note(i, start, "what follows must not be")
        for middle, (x, where) in claims.value_subject(p, noted, table):
            for end, condition in claims.not_negated(p, middle, clauses.value_phrase(p, middle, table, x, "may")):
                yield end, as_claim(Rows(table, where), condition)
        for middle, found in rows.subject_rows(p, noted):
            if found.table == table:
                yield from claims.forbidden(middle, found)
                said = () if clauses.only_permits(p, middle, table) else clauses.row_phrase(p, middle, table, "may")
                for end, condition in claims.not_negated(p, middle, iter(said)):
                    yield end, as_claim(found, condition)
                for end in (*p.phrase(middle, phrases.ROWS_ALLOWED), *_in_the_table(p, middle, table)):
                    yield from claims.forbidden(end, found)
        for end, (condition, which) in ages.too_old_or_young(p, noted, table):
            yield end, claims.demand(table, negate(condition), which)
        for end, condition in claims.not_negated(p, noted, periods.period_clause(p, noted, table, "may")):
            yield end, claims.demand(table, negate(condition))
        yield from _never_with_parent(p, noted, table)
        yield from uniqueness.shared_by_two(p, noted, table)
        yield from parents.no_rows_of_some(p, noted, table)
        yield from _no_parent_with(p, noted, table)
    yield from _of_nothing(p, i, table)
    yield from another_row.two_never_alike(p, i, table)


def _no_parent_with(p: Parse, i: Position, table: str) -> Found:
    """Behind "no": "closed department may have active employees", read for the employees that it must not have."""
    for middle, found in rows.subject_rows(p, i) if p.target == table else ():
        if found.table == table or found.where is None:
            continue
        for link in p.schema.links_to(table, found.table):
            said = clauses.row_phrase(p, middle, found.table, "may")
            for end, condition in claims.not_negated(p, middle, said):
                child = children.without_child(negate(condition))
                if child is not None and child.table == table:
                    yield end, claims.demand(table, negate(modifiers.belongs(link, found.where)), child.where)


def _never_with_parent(p: Parse, i: Position, table: str) -> Found:
    """Behind "no": "animal can be vaccinated before it was born", where a vaccination is a row."""
    for middle, _ in nouns.parent(p, i, table):
        for begin in p.seq_ends(middle, f"{words.MAY}|{words.MUST}", "?ever", "be|get|have been"):
            for end, condition in events.event_predicate(p, begin, table, False):
                yield end, claims.demand(table, negate(condition))


def _of_nothing(p: Parse, i: Position, table: str) -> Found:
    """Like "nothing can be delivered before it has been shipped", "nobody younger than 13 may be in users"."""
    for start in p.phrase(i, words.NOTHING):
        noted = p.note(i, start, "no row")
        for end, condition in claims.not_negated(p, noted, clauses.row_phrase(p, noted, table, "may")):
            yield end, as_claim(Rows(table), condition)
        for middle, where in modifiers.modifier(p, noted, table):
            for end, condition in claims.not_negated(p, middle, clauses.row_phrase(p, middle, table, "may")):
                yield end, as_claim(Rows(table, where), condition)
        for middle, comparative in comparatives.row_comparative_list(p, noted, table):
            for end in _in_the_table(p, middle, table):
                yield end, as_claim(Rows(table), comparative)


def _in_the_table(p: Parse, i: Position, table: str) -> Iterator[Position]:
    for start in p.phrase(i, phrases.BE_IN_THE_TABLE):
        for after in (start, *p.phrase(start, nouns.DETERMINER)):
            for end, noun in nouns.table_noun(p, after):
                if noun == table:
                    yield end


def there_is_no(p: Parse, i: Position, table: str) -> Found:
    """Like "there must be no orders without …", "there must be no negative amounts"."""
    none = phrases.THERE_IS_NO
    for start in p.phrase(i, none):
        for end, found in rows.rows(p, p.note(i, start, "what follows must not be")):
            if found.table == table:
                yield from claims.forbidden(end, found)
        for end, found in kinds_of_rows.counted_rows(p, start, table):  # "no refunds on active rentals"
            yield from claims.forbidden(end, found)
        for middle, (x, where) in claims.value_subject(p, start, table):
            yield from _values_forbidden(p, middle, table, x, where)
        for end, condition in (*adjective_and_column(p, start, table), *possession.more_than(p, start, table)):
            yield end, claims.demand(table, negate(condition))
        for end, x in nouns.own_column(p, start, table):
            yield p.note(i, end, "must be missing"), claims.demand(table, negate(Present(of=x)))
        yield from uniqueness.shared_by_two(p, start, table)


def there_is(p: Parse, i: Position, table: str) -> Found:
    """Like "There must be a ship date", said of every row."""
    for start in p.phrase(i, "there must be|there should be|there has to be|there shall be"):
        for end, condition in possession.had(p, start, table):
            counted = requirements.about_children(condition) or counts_children(condition)
            if not counted and not _names_rows(p, start, end):
                yield end, claims.demand(table, condition)


def _names_rows(p: Parse, i: Position, end: Position) -> bool:
    """Like "There must be at least one purchase event", which is about events and not about their type."""
    begun = [place for place in range(int(i), int(end)) if p.tokens[place].low in ("one", "1", "single")]
    return any(int(last) == int(end) for place in begun for last, _ in nouns.table_noun(p, Position(int(end) - 1)))


def counts_children(condition: Condition) -> bool:
    """Like "There must be 1000 orders", which is about all orders, not about those of each user."""
    return any(isinstance(part, Rollup) for part in expressions_in(condition))


def adjective_and_column(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Condition]]:
    """Like "Negative amounts", "missing emails", "duplicate order ids": a quality before the column's name."""
    for middle in range(int(i) + 1, min(int(i) + 6, len(p.tokens))):
        for end, x in nouns.own_column(p, Position(middle), table):
            for last, condition in had_numbers.before_its_name(p, i, table, x):
                if int(last) == middle and (not possession.is_count(p, i) or had_numbers.says_more(p, i, last)):
                    for after in (end, *nouns.of_this_row(p, end, table)):
                        yield p.note(last, after, "of that column"), condition


def _values_forbidden(p: Parse, i: Position, table: str, x: Expression, where: Condition | None) -> Found:
    for start in (i, *p.phrase(i, "that be|which be")):
        for end, condition in qualities.quality(p, start, table, x):
            yield end, as_claim(Rows(table, where), condition)


def flagged(p: Parse, i: Position, table: str) -> Found:
    """Like "flag orders whose …", "reject any order that …", "it is an error if …"."""
    token = p.at(i)
    if (token is not None and token.low.endswith("s")) or _begins_a_name(p, i, table):
        # "Shows end after they start" is no order to show.
        yield from _forbidden_outright(p, i, table)
        return
    for start in p.seq_ends(i, words.ASKED_FOR, f"?{words.EVERY}|the|as violation|as invalid|as an error"):
        noted = p.note(i, start, "the rows that break the rule")
        for end, found in rows.subject_rows(p, noted):
            if found.table == table:
                yield from claims.forbidden(end, found)
                for last in p.phrase(end, "as violation|as invalid|as an error|as error|as a violation|as bad"):
                    yield from claims.forbidden(last, found)
        for end, (condition,) in p.seq(
            noted, "if|when|whenever|where|a violation if|an error if", lambda p, i: statements.condition(p, i, table)
        ):
            yield from claims.forbidden(end, Rows(table, condition))
        for end, condition in adjective_and_column(p, noted, table):
            yield end, claims.demand(table, negate(condition))
        for middle, (x, where) in claims.value_subject(p, noted, table):
            if where in (None, Present(of=x)) or claims.ends_with_noun(p, middle, table):
                yield from _values_forbidden(p, middle, table, x, where)
        yield from _keys_of(p, noted, table)
    yield from _forbidden_outright(p, i, table)


def _begins_a_name(p: Parse, i: Position, table: str) -> bool:
    """Like "List price at least 1.2 x cost" for list_price, which asks for no list: that would be of prices."""
    token = p.at(i)
    if token is None or token.low not in _LIKE_NAMES:
        return False
    named = [int(end) for end, name in nouns.named_column(p, i, table) if name_words(name)[:1] == (token.low,)]
    return any(end > int(i) + 1 and not p.tokens[end - 1].low.endswith("s") for end in named)


def _keys_of(p: Parse, i: Position, table: str) -> Found:
    """Like "(List) the order ids of orders without a user": those rows."""
    key = p.schema.key(table)
    for middle, x in nouns.own_column(p, i, table):
        for start in p.phrase(middle, "of|for|from") if x == Column(name=key or "") else ():
            for end, found in rows.rows(p, start):
                if found.table == table:
                    yield from claims.forbidden(p.note(i, end, "these rows"), found)
    for start in p.seq_ends(i, "?the", "id|ids|key|keys|number|numbers", "of|for|from"):
        for end, found in rows.rows(p, start):
            if found.table == table:
                yield from claims.forbidden(p.note(i, end, "these rows"), found)


def _forbidden_outright(p: Parse, i: Position, table: str) -> Found:
    """Like "it is forbidden for an order to have no user", "it is an error if the amount is negative"."""
    for start in p.phrase(i, phrases.FORBIDDEN_FOR):
        for middle, found in rows.rows(p, p.note(i, start, "what follows must not be")):
            if found.table == table:
                for begin in p.phrase(middle, "to"):
                    for end, condition in row_predicates.row_predicate(p, begin, table):
                        yield end, as_claim(found, condition)
    yield from _forbidden_for_value(p, i, table)
    yield from _forbidden_to_do(p, i, table)
    for start in p.phrase(i, words.FORBID_THAT):
        for end, condition in statements.condition(p, p.note(i, start, "what follows must not be"), table):
            yield from claims.forbidden(end, Rows(table, condition))


def _forbidden_for_value(p: Parse, i: Position, table: str) -> Found:
    """Like "It is not permitted for a postcode to be missing"."""
    for start in p.phrase(i, phrases.FORBIDDEN_FOR):
        for middle, (x, where) in claims.value_subject(p, p.note(i, start, "what follows must not be"), table):
            for begin in p.phrase(middle, "to"):
                for end, condition in clauses.value_phrase(p, begin, table, x, "is"):
                    yield end, as_claim(Rows(table, where), of_which(x, condition))


def _left_blank(p: Parse, i: Position, table: str) -> Iterator[tuple[Position, Expression, Condition | None]]:
    """Like "leave the cancel reason of a cancelled visit blank"."""
    for start in p.phrase(i, "leave"):
        for middle, (x, where) in claims.value_subject(p, start, table):
            for end in p.phrase(middle, "blank|empty|open|unset|out|unfilled|missing|null|unspecified|undefined"):
                yield end, x, where


def _forbidden_to_do(p: Parse, i: Position, table: str) -> Found:
    """Like "It is impossible to read a meter after it has been removed", where a reading is a row."""
    for start in p.phrase(i, phrases.FORBIDDEN_TO_DO):
        for end, x, where in _left_blank(p, start, table):
            yield p.note(i, end, "must be present"), claims.demand(table, Present(of=x), where)
    date = p.schema.first_date(table)
    yield from _forbidden_to_give(p, i, table)
    for start in p.phrase(i, phrases.FORBIDDEN_TO_DO) if date is not None else ():
        noted = p.note(i, start, "what follows must not be")
        for middle in events.done_to_rows(p, noted, table):
            objects = (*(end for end, _ in nouns.parent(p, middle, table)), *nouns.this_table(p, middle, table))
            for after in (middle, *objects):
                for end, condition in comparisons.comparison(p, after, table, Column(name=str(date))):
                    yield end, claims.demand(table, negate(condition))


def _forbidden_to_give(p: Parse, i: Position, table: str) -> Found:
    """Like "It is forbidden to grant a discount larger than the amount"."""
    for start in p.seq_ends(i, phrases.FORBIDDEN_TO_DO, f"?{words.ADVERBS}", phrases.GRANT):
        for end, condition in possession.had(p, p.note(i, start, "what follows must not be"), table):
            if _is_number_of(p, start):
                break  # "to enter more than one age" counts ages
            if not requirements.about_children(condition) and not counts_children(condition):
                yield end, claims.demand(table, negate(condition))


def _is_number_of(p: Parse, i: Position) -> bool:
    """Like "3 discounts", "more than one discount", and not "discounts above 3"."""
    numbers = [token.kind == "number" or token.low in words.NUMBER_WORDS for token in p.tokens[i : i + 3]]
    limited = p.tokens[i : i + 1] and p.tokens[i].low in ("more", "less", "fewer", "at", "over", "under", "exactly")
    return any(numbers) if limited else any(numbers[:1])


def no_child(p: Parse, i: Position, table: str) -> Found:
    """Like "Banned users must not have pending orders", read for the orders: they are the rows at fault."""
    denied = [(found, "may") for start in p.phrase(i, words.NO) for found in rows.rows(p, start)]
    for (middle, found), mood in (*((one, "must") for one in rows.rows(p, i)), *denied):
        if found.table == table or found.where is None:
            continue
        for link in p.schema.links_to(table, found.table):
            for end, condition in clauses.row_phrase(p, middle, found.table, mood):
                child = children.without_child(negate(condition) if mood == "may" else condition)
                if child is not None and child.table == table:
                    yield end, claims.demand(table, negate(modifiers.belongs(link, found.where)), child.where)

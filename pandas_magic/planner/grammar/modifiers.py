"""What stands behind a noun for rows and narrows them down: "with …", "from banned users", "older than …"."""

from collections.abc import Iterator

from pandas_magic.constraints.algebra.conditions import Compare, Condition, Exists, Present, Relation
from pandas_magic.constraints.algebra.expressions import Column, Now, Value
from pandas_magic.planner.grammar import (
    another_row,
    clauses,
    comparatives,
    comparisons,
    crowds,
    done_by_whom,
    events,
    group_totals,
    lacking,
    measures,
    measuring_verbs,
    moments,
    nouns,
    on_lists,
    phrases,
    possession,
    rows,
    statements,
    time_between,
    truths_told,
    value_lists,
    values_of_all,
)
from pandas_magic.planner.grammar import lexicon as words
from pandas_magic.planner.grammar.aliases import KEY_ENDINGS
from pandas_magic.planner.grammar.chart import Parse, Position, position, rule
from pandas_magic.planner.grammar.logic import among, both, for_where, negate
from pandas_magic.planner.grammar.morphology import last_word, name_words
from pandas_magic.planner.grammar.schema import Link
from pandas_magic.planner.grammar.telling_verbs import tells_rows_apart
from pandas_magic.planner.grammar.values import literals, number

Found = Iterator[tuple[Position, Condition]]
_STANDING = ("in", "on", "at", "under", "out", "off", "over", "to", "for", "without")
_KIND_ENDINGS = ("type", "kind", "category", "class", "method", "mode", "model")
_PARTICIPLES = ("ed", "en", "id", "nt", "ld", "wn", "ught", "ung")
_DONE = ("ed", "made", "taken", "run")
_TENSES: tuple[tuple[str, Relation], ...] = (("in the future|in future", ">"), ("in the past|in past", "<"))


@rule
def modifier(p: Parse, i: Position, table: str) -> Found:
    """One phrase behind the noun that narrows the rows down."""
    for start in p.phrase(i, words.RELATIVE) if not _speaks_of_another(p, i, table) else ():
        yield from clauses.row_phrase(p, start, table, "is")
        yield from events.happened_then(p, start, table)
    for start in p.phrase(i, "whose|of which|with the|of which the"):
        yield from statements.whose_condition(p, start, table)
    for start in p.phrase(i, "where|for which|in which|when|such that|if|for whom|in whose case"):
        yield from statements.condition(p, start, table)
    yield from _with_or_without(p, i, table)
    yield from of_amount(p, i, table)
    yield from comparatives.row_comparative_list(p, i, table)
    yield from dated(p, i, table)
    yield from measuring_verbs.measured_by_verb(p, i, table)
    if (token := p.at(i)) is not None and token.low.endswith("ing"):
        yield from truths_told.does_so(p, i, table)
    for start in (i, *p.phrase(i, "be|being")):
        yield from events.event_predicate(p, start, table, True)
    yield from _standing(p, i, table)
    yield from done_by_whom.done_by(p, i, table)
    yield from _dealt_with(p, i, table)
    yield from _linked(p, i, table)
    yield from on_lists.on_a_list(p, i, table)
    for start in p.phrase(i, "sharing|repeating|having|using|with"):
        yield from another_row.alike_in(p, start, table)
    yield from group_totals.of_those_adding_up(p, i, table)
    for start in p.phrase(i, phrases.BELONGING_TO):
        yield from crowds.crowded(p, start, table)
    yield from _adjective_behind(p, i, table)


def _speaks_of_another(p: Parse, i: Position, table: str) -> bool:
    """Like "which are" in "bookings on that flight which are not cancelled": several are not the one flight."""
    verb, noun = p.at(Position(int(i) + 1)), p.tokens[i - 1]
    one = p.tokens[i - 2].low in ("that", "this", "a", "an", "the", "each", "every", "its", "one") if i > 1 else False
    if verb is None or verb.low not in ("are", "were") or not one or noun.low.endswith("s"):
        return False
    return any(int(end) == int(i) and named == table for end, named in nouns.table_noun(p, Position(int(i) - 1)))


def _dealt_with(p: Parse, i: Position, table: str) -> Found:
    """Like "(sales) paid by voucher", "(tickets) sold through an agency": where the verb is no step of the rows."""
    token = p.at(i)
    if token is None or not token.low.endswith(_PARTICIPLES) or tells_rows_apart(p, token, table):
        return
    for middle in p.phrase(i, phrases.DEAL_IN):
        if p.tokens[middle - 1].low != "let":
            yield from values_of_all.placed(p, middle, table)


def _linked(p: Parse, i: Position, table: str) -> Found:
    """Like "(events) linked to an order": those that name one, be it there or not."""
    for start in p.seq_ends(i, phrases.LINKED_TO, "a|an|some|any"):
        for end, link in nouns.parent(p, start, table):
            yield p.note(i, end, f"{link.column} is there"), Present(of=Column(name=link.column))


def _adjective_behind(p: Parse, i: Position, table: str) -> Found:
    """Like "(orders) pending for banned users", "(invoices) open"; "shipped before" says when that was."""
    token = p.at(i)
    if token is not None and not token.low.endswith("ed") and not any(True for _ in events.event(p, i, table)):
        for end, where in rows.adjectives(p, i, table):
            after = p.at(end)
            if after is None or after.low in (".", "?", "!", ",", "for", "from", "of", "by", "with", "without", "than"):
                yield end, where


def _standing(p: Parse, i: Position, table: str) -> Found:
    """Like "(parcels) in transit", "(events) on sale", whose value begins so; "(bookings) made at the box office"."""
    for end, spoken in nouns.spans(p, i):
        for column, text in p.schema.values(table).get(spoken, ()) if spoken[0] in _STANDING else ():
            yield p.note(i, end, f"{column} is '{text}'"), among(Column(name=column), (text,))
    for start, so in ((i, True), *((end, False) for end in p.phrase(i, "not|no longer"))):
        for end, spoken in nouns.spans(p, start):
            for name in p.schema.tables[table].columns if spoken[0] in _STANDING and len(spoken) > 1 else ():
                truths = p.schema.truth_values(table, name) if name_words(name) == spoken else None
                if truths is not None:
                    yield p.note(i, end, f"{name} is {so}"), among(Column(name=name), (truths[0 if so else 1],))
    for middle in p.phrase(i, phrases.MAKE):
        for start in p.phrase(middle, "at|in|via|through|on|over|by|with") if p.tokens[i].low.endswith(_DONE) else ():
            yield from in_value(p, start, table)


def _with_or_without(p: Parse, i: Position, table: str) -> Found:
    for start in p.phrase(i, phrases.WITH):
        yield from possession.had(p, start, table)
    for start in p.phrase(i, "without|, without"):
        yield from possession.lacked(p, start, table)
    for start in p.phrase(i, "lacking|missing"):
        yield from lacking.lacking(p, start, table)
    for start in p.phrase(i, phrases.IN_A_VALUE):
        yield from in_value(p, start, table)
    for start in p.phrase(i, phrases.OF_A_PARENT):
        yield from of_parent(p, start, table)
    for start in p.phrase(i, phrases.REFERRING_TO):
        yield from of_unknown(p, start, table)
    yield from _of_a_value(p, i, table)


def _of_a_value(p: Parse, i: Position, table: str) -> Found:
    """Like "(scans) for tracking numbers that do not exist in parcels": of a value of which this is said."""
    for start in p.phrase(i, "for|of|on|from|to|at|under|about"):
        for middle, x in nouns.own_column(p, start, table):
            for after in p.phrase(middle, words.RELATIVE):
                for end, condition in clauses.value_phrase(p, after, table, x, "is"):
                    joined = both(Present(of=x), condition)
                    assert joined is not None
                    yield end, joined


def _compared_number(p: Parse, i: Position) -> Iterator[tuple[Position, tuple[Relation, Value]]]:
    for relation, said in comparisons.RELATIONS:
        for end, (found,) in p.seq(i, said, number):
            yield end, (relation, Value(value=found))


@rule
def of_amount(p: Parse, i: Position, table: str) -> Found:
    """Like "(payments) above 1000 EUR", "of more than 1000" where the table has an amount; "of 3 units or more"."""
    counts = p.schema.called(table, ("quantity",))
    if len(counts) == 1:
        for end, ((judged, value),) in p.seq(i, "of|with", _compared_number, "unit|piece|item"):
            yield p.note(i, end, f"of {counts[0]}"), Compare(relation=judged, left=Column(name=counts[0]), right=value)
    for start in p.phrase(i, "of|with|for"):
        yield from measuring_verbs.so_many(p, start, table)
    for start in p.phrase(i, "of|lasting|spanning|covering|running"):
        yield from time_between.limited(p, start, table)
    yield from _by_its_unit(p, i, table)
    amount = p.schema.worth(table) if not _behind_a_number(p, i, table) else None
    for end, condition in _amount_compared(p, i, table, Column(name=amount)) if amount is not None else ():
        if isinstance(condition, Compare) and isinstance(condition.right, Value):
            yield p.note(i, end, f"of {amount}"), condition


def _behind_a_number(p: Parse, i: Position, table: str) -> bool:
    """Like "above zero" behind "a tax": it is the tax that is above zero."""
    return any(
        int(end) == int(i) and p.schema.kind(table, name) in ("integer", "number")
        for start in range(max(0, int(i) - 3), int(i))
        for end, name in nouns.named_column(p, position(start), table)
    )


def _by_its_unit(p: Parse, i: Position, table: str) -> Found:
    """Like "(parcels) over 30 kg", "of more than 30 kg", where one column is measured in that unit."""
    for start in (i, *p.phrase(i, "of|with|at")):
        for relation, said in comparisons.RELATIONS[:4]:
            for begin in p.phrase(start, said):
                named = measures.in_their_unit(p, begin, table)
                if len({name for _, _, name in named}) == 1:
                    for end, value, name in named:
                        limit = Compare(relation=relation, left=Column(name=name), right=Value(value=value))
                        yield p.note(i, end, f"of {name}"), limit


def exceeds_in_unit(p: Parse, i: Position, table: str) -> Found:
    """Like "(donations must not) exceed 500 ml", where one column is measured in that unit."""
    for begin in p.phrase(i, "exceed|surpass|go over|go beyond"):
        named = measures.in_their_unit(p, begin, table)
        if len({name for _, _, name in named}) == 1:
            for end, value, name in named:
                yield (
                    p.note(i, end, f"of {name}"),
                    Compare(relation=">", left=Column(name=name), right=Value(value=value)),
                )


def _amount_compared(p: Parse, i: Position, table: str, amount: Column) -> Found:
    sides: tuple[tuple[str, Relation], ...] = (("over|above|exceeding|in excess of", ">"), ("under|below", "<"))
    for said, relation in sides:
        for start in p.phrase(i, said):
            yield from comparisons.compared(p, start, table, amount, relation)
    for start in p.phrase(i, "of"):
        yield from comparisons.comparison(p, start, table, amount)


@rule
def in_value(p: Parse, i: Position, table: str) -> Found:
    """Values that occur in one of the table's columns: "in EUR or USD", "of type refund"."""
    token = p.at(i)
    if token is None:
        return
    yield from value_lists.one_of_these(p, i, table)
    for column in p.schema.tables[table].columns:
        of = Column(name=column)
        known = set(p.schema.occurring(table, column))
        for start in (i, *p.phrase(i, "the|a|an")) if known else ():
            for end, listed in literals(p, start, table, of, False):
                if known.issuperset(listed):
                    yield end, among(of, listed)
                    behind = (*_named(p, end, table, column), *_named_without_ending(p, end, column, _KIND_ENDINGS))
                    yield from ((last, among(of, listed)) for last in behind)
        named = (end for start in (i, *p.phrase(i, "the")) for end in _named(p, start, table, column))
        for middle in (*named, *(_named_without_ending(p, i, column) if known else ())):
            yield from ((end, among(of, listed)) for end, listed in literals(p, middle, table, of, False))


def value_of_a_kind(p: Parse, i: Position, table: str) -> Found:
    """Like "permanent contract" for contract_type: a value and what it is one of."""
    for column in p.schema.tables[table].columns:
        known = set(p.schema.occurring(table, column)) if last_word(column) in _KIND_ENDINGS else set()
        for middle, listed in literals(p, i, table, Column(name=column), False) if known else ():
            for end in _named_without_ending(p, middle, column, _KIND_ENDINGS) if known.issuperset(listed) else ():
                yield end, among(Column(name=column), listed)


def _named_without_ending(
    p: Parse, i: Position, column: str, endings: tuple[str, ...] = KEY_ENDINGS
) -> Iterator[Position]:
    """Like "ward" before a value of ward_code, "contract" behind one of contract_type, whatever else is called so."""
    name = name_words(column)
    if len(name) > 1 and name[-1] in endings:
        for end, spoken in nouns.spans(p, i):
            if spoken == name[:-1]:
                yield p.note(i, end, f'the column "{column}"')


def _named(p: Parse, i: Position, table: str, column: str) -> Iterator[Position]:
    return (end for end, name in nouns.named_column(p, i, table) if name == column)


@rule
def of_parent(p: Parse, i: Position, table: str) -> Found:
    """What is said of the row referred to: "from banned users", "of users in Germany"."""
    for end, found in rows.rows(p, i):
        for link in p.schema.links_to(table, found.table):
            if found.where is not None:
                yield end, belongs(link, found.where)
        if found.where is not None and not p.schema.links_to(table, found.table) and found.table != table:
            for near in p.schema.links(table):
                for far in p.schema.links_to(near.parent, found.table):
                    yield p.note(i, end, f"by way of {near.parent}"), belongs(near, belongs(far, found.where))


def belongs(link: Link, where: Condition) -> Condition:
    """The row refers to one in which `where` is true."""
    return Exists(of=(Column(name=link.column),), table=link.parent, keys=(link.key,), where=for_where(where))


@rule
def of_unknown(p: Parse, i: Position, table: str) -> Found:
    """Like "From an unknown user": refers to a row that there is not."""
    for start in (i, *p.phrase(i, "a|an|any")):
        for middle in p.phrase(start, words.UNKNOWN):
            for end, link in nouns.parent(p, middle, table):
                yield p.note(i, end, f"not in {link.parent}"), dangling(link)
        for middle, link in nouns.parent(p, start, table):
            for after in p.phrase(middle, phrases.THAT_IS_NOT_IN):
                for end in nouns.this_table(p, after, link.parent):
                    yield p.note(middle, end, f"not in {link.parent}"), dangling(link)
            for end in p.phrase(middle, phrases.THAT_IS_NOT_THERE):
                listed = (last for on in p.phrase(end, "in|on|among") for last in nouns.this_table(p, on, link.parent))
                for last in (end, *listed, *p.phrase(end, phrases.ON_RECORD)):
                    yield p.note(middle, last, f"not in {link.parent}"), dangling(link)


def dangling(link: Link) -> Condition:
    """The row refers to one that there is not."""
    column = Column(name=link.column)
    known = Exists(of=(column,), table=link.parent, keys=(link.key,))
    joined = both(Present(of=column), negate(known))
    assert joined is not None
    return joined


def _behind_its_event(p: Parse, i: Position, table: str) -> bool:
    """Like "before they were shipped" behind "delivered": it says when that was."""
    if i > 0 and any(int(end) == int(i) for end, _ in events.event(p, position(int(i) - 1), table)):
        return True
    return any(
        int(end) == int(i) and p.schema.kind(table, name) == "datetime"
        for start in range(max(0, int(i) - 3), int(i))
        for end, name in nouns.named_column(p, position(start), table)
    )


@rule
def dated(p: Parse, i: Position, table: str) -> Found:
    """Like "From the last 30 days", "in the future", "of 2024": about the date of the row itself."""
    token = p.at(i)
    if _behind_its_event(p, i, table) and (token is None or token.low != "dated"):
        return
    begun = p.schema.first_date(table)
    for relation, said in comparisons.DATE_RELATIONS[:2] if begun is not None else ():
        for start in p.phrase(i, said):
            noted = p.note(i, start, f"{begun} {relation}")
            yield from comparisons.compared(p, noted, table, Column(name=str(begun)), relation)
    date = p.schema.principal_date(table) or (begun if any(True for _ in p.phrase(i, "dated")) else None)
    if date is None:
        return
    column = Column(name=date)
    for start in (i, *p.phrase(i, "dated")):
        yield from moments.placed_in_time(p, start, column)
        yield from moments.on_days_of_the_week(p, start, column)
    for said, relation in _TENSES:
        for end in p.phrase(i, said):
            yield (
                p.note(i, end, f"{date} {relation} the time of the run"),
                Compare(relation=relation, left=column, right=Now()),
            )
    for start in p.phrase(i, "dated"):
        yield from comparisons.comparison(p, start, table, column)
        for end in p.phrase(start, words.IN_FUTURE):
            yield (
                p.note(start, end, f"{date} after the time of the run"),
                Compare(relation=">", left=column, right=Now()),
            )

"""Verbs that say which rows are meant: "cancel" where a status can be cancelled, "return" for returned_on."""

from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse
from pandas_magic.planner.grammar.morphology import NOMINAL, last_word, name_words, word_forms
from pandas_magic.planner.grammar.tokens import Token


def tells_rows_apart(p: Parse, token: Token, table: str) -> bool:
    """A date, a truth or a value of the table is called by the verb; "ship" of shipments is only what they are.

    Neither does the verb of the first date: what is not issued yet is no invoice.
    """
    noun = last_word(table)
    dates = p.schema.dates(table)
    made = word_forms(noun) | {NOMINAL.get(noun, noun)} | p.schema.verbs(table)
    made |= event_verbs(dates[0]) if dates else frozenset()
    if token.forms & made:
        return False
    return any(token.forms & _verbs_of(p, table, column) for column in p.schema.tables[table].columns)


def _verbs_of(p: Parse, table: str, column: str) -> frozenset[str]:
    if p.schema.kind(table, column) == "datetime":
        return event_verbs(column)
    spoken = set(name_words(column)) if column in p.schema.truths(table) else set[str]()
    for value in p.schema.occurring(table, column):
        spoken.update(name_words(str(value)))
    return frozenset(spoken.union(*(word_forms(word) for word in spoken)))

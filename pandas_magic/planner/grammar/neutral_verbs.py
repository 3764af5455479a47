"""Verbs that nothing in the tables explains, read where they cannot change what is asked: "must bill an existing …"."""

from collections.abc import Iterator

from pandas_magic.planner.grammar.aliases import event_verbs
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.morphology import name_words, word_forms

# Verbs that could say which rows are meant, or that the relation is another one.
_TELLING = frozenset((
    "abandon", "abort", "accept", "allow", "amend", "appeal", "approve", "archive", "avoid", "ban", "block",
    "breach", "cancel", "change", "clear", "close", "complain", "complete", "confirm", "contest", "convert", "copy",
    "correct", "decline", "delay", "delete", "deny", "differ", "discontinue", "dispute", "double", "drop",
    "duplicate", "edit", "end", "escalate", "exceed", "exclude", "expire", "extend", "fail", "finish", "fix", "flag",
    "forbid", "forget", "freeze", "ignore", "interrupt", "invalidate", "lack", "lapse", "leave", "lock", "lose",
    "match", "mismatch", "miss", "modify", "need", "omit", "overlap", "overtake", "overwrite", "pass", "pause",
    "postpone", "precede", "prevent", "reactivate", "refund", "refuse", "reject", "release", "remove", "renew",
    "reopen", "repair", "repeat", "replace", "report", "reschedule", "resolve", "restart", "restore", "resume",
    "return", "reverse", "review", "revise", "revoke", "settle", "skip", "split", "stay", "stop", "succeed",
    "supersede", "survive", "suspend", "terminate", "transfer", "undo", "unlink", "update", "upgrade", "validate",
    "verify", "violate", "void", "waive", "withdraw", "follow", "equal", "outnumber", "outlive", "outweigh",
    "predate", "postdate", "contradict", "remain", "become", "be", "have", "exist",
))  # fmt: skip
_NO_VERBS = frozenset((
    "a", "an", "the", "this", "that", "these", "those", "its", "their", "his", "her", "our", "your", "some", "any",
    "each", "every", "all", "both", "no", "not", "never", "only", "just", "also", "always", "ever", "still",
    "already", "either", "neither", "nor", "and", "or", "but", "if", "when", "where", "whose", "who", "which",
    "than", "then", "there", "here", "more", "most", "less", "fewer", "least", "many", "much", "very", "so", "too",
    "as", "at", "by", "for", "from", "in", "into", "of", "off", "on", "onto", "out", "over", "per", "to", "under",
    "up", "with", "within", "without", "must", "may", "can", "could", "should", "shall", "might", "will", "would",
    "ought", "is", "are", "was", "were", "been", "being", "has", "had", "does", "did", "done", "it", "they", "he",
    "she", "we", "you", "one", "two", "three", "same", "other", "another", "such", "own",
))  # fmt: skip
# Participles that do not show the verb they come from.
_UNLIKE_THEIR_VERB = frozenset((
    "run", "set", "put", "cut", "hit", "read", "let", "led", "fed", "sat", "hung", "sung", "dealt", "felt", "sought",
    "struck", "lit",
))  # fmt: skip
_WITH = (
    "to|by|for|on|in|with|from|at|of|under|through|via|into|onto|against|out with|out to|out by|out for|off from|off to"
)


def does(p: Parse, i: Position, table: str) -> Iterator[Position]:
    """Where a verb ends that only ties a row to another one: "bill", "be flown by", "go out with"."""
    if _is_neutral(p, i, table):
        after = position(int(i) + 1, i.trace)
        yield from (after, *p.phrase(after, _WITH))
    yield from p.phrase(i, "be [a] part of|form part of|be in the name of|be on behalf of|be about|be on")
    for start in p.phrase(i, "be|have been|get"):
        token = p.at(start)
        if token is not None and _is_neutral(p, start, table) and _is_a_participle(token.low, token.forms):
            yield from p.phrase(position(int(start) + 1, start.trace), _WITH)


def _is_a_participle(low: str, forms: frozenset[str]) -> bool:
    return low in _UNLIKE_THEIR_VERB or (
        len(forms - {low}) > 0 and low.endswith(("ed", "n", "t", "d", "g", "m", "w", "e"))
    )


def _is_neutral(p: Parse, i: Position, table: str) -> bool:
    """The word is a verb that neither the language nor the tables give a meaning which could matter here."""
    token = p.at(i)
    if token is None or token.kind != "word" or not token.text.isalpha() or token.low in _NO_VERBS:
        return False
    return token.forms.isdisjoint(_TELLING) and token.forms.isdisjoint(_told(p, table))


def _told(p: Parse, table: str) -> frozenset[str]:
    """The words that say something of rows of the table: its values, its steps, what is true of them."""
    spoken = (*p.schema.values(table), *map(name_words, p.schema.truths(table)))
    steps = (event_verbs(column) for column in p.schema.dates(table) if column != p.schema.first_date(table))
    return frozenset[str]().union(*steps, *(word_forms(words[0]) for words in spoken if len(words) == 1))

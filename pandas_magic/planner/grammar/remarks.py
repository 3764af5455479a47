"""The same in other words before a colon, which is not checked.

It may not hide a part of the rule: it must not name anything that the rule behind the colon does not name again.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pandas_magic.constraints.algebra.conditions import All, Compare, Condition, Present
from pandas_magic.constraints.algebra.expressions import Arithmetic, Span, Value
from pandas_magic.planner.grammar import phrases
from pandas_magic.planner.grammar.chart import Parse, Position, position
from pandas_magic.planner.grammar.meaning import Claim
from pandas_magic.planner.grammar.morphology import NOMINAL, name_words
from pandas_magic.planner.grammar.tokens import Token

Found = Iterator[tuple[Position, Claim]]
Demands = Callable[[Parse, Position, str], Found]
_LONGEST_TITLE = 25  # tokens
# Words that say nothing of which rows or values are meant.
FUNCTION_WORDS = frozenset((
    "able", "a", "an", "the", "this", "that", "these", "those", "each", "every", "all", "any", "no", "not",
    "never", "nobody", "nothing", "we", "you", "it", "they", "he", "she", "its", "their", "his", "her", "our",
    "your", "one", "us", "them", "must", "may", "can", "could", "should", "shall", "will", "would", "might", "do",
    "does", "did", "has", "have", "had", "is", "are", "was", "were", "be", "been", "being", "need", "needs",
    "require", "requires", "want", "wants", "allow", "allows", "accept", "know", "make", "makes", "sense", "to",
    "of", "in", "on", "at", "by", "with", "for", "from", "into", "per", "as", "than", "more", "less", "fewer",
    "higher", "lower", "greater", "most", "least", "and", "or", "both", "always", "also", "just", "too", "already",
    "ever", "yet", "still", "so", "there", "here", "something", "anything", "who", "which", "whom", "whose",
    "what", "how", "much", "many", "cost", "costs", "thing", "things", "hold", "holds", "mean", "means",
    "identify", "identifies", "identified", "given", "kept", "stated", "said", "long", "longer", "older",
    "younger", "below", "above", "over", "under", "before", "after", "until", "since", "when", "where", "while",
    "exceed", "exceeds", "anyone", "anybody", "someone", "somebody", "everyone", "everybody", "people", "own",
))  # fmt: skip
# A verb can follow these, and says what the rule says again.
_BEFORE_VERBS = frozenset(
    ["must", "may", "can", "could", "should", "shall", "will", "do", "does", "nobody", "we", "you", "they"]
)
_BETWEEN = frozenset(["never", "not", "to", "have", "has", "need", "able", "ever", "just", "be"])
_NARROWING = frozenset(
    ["unless", "except", "only", "some", "most", "other", "otherwise", "but", "without", "if", "when"]
)
_MARKS = frozenset((",", "'s", "'", "-", "–"))


def introduced(p: Parse, i: Position, table: str, demands: Demands) -> Found:
    """Like "We never sell below cost: the price must be at least the cost", where only the second half is read."""
    furthest = p.furthest
    for place in range(int(i) + 2, min(len(p.tokens) - 2, int(i) + _LONGEST_TITLE)):
        for start in p.phrase(Position(place), phrases.THAT_IS):
            if any(int(end) == place for end, _ in demands(p, i, table)):
                continue
            for end, found in demands(p, start, table):
                no_more = _says_no_more(p, p.tokens[i:place], p.tokens[start:end], found.table)
                if no_more or _cannot_do_without(p, p.tokens[i:place], found):
                    noted = p.note(i, start, "the same in other words").trace
                    for last in (end, *p.phrase(end, ")")):
                        yield position(last, (noted, last.trace) if last.trace else noted), found
                    furthest = p.furthest
    p.furthest = furthest


def same(first: Claim, second: Claim) -> bool:
    """Both say the same, also where one has a length of time and the other two points in time."""
    return _with_length(first) == _with_length(second)


def _with_length(claim: Claim) -> Claim:
    must = claim.must
    if isinstance(must, Compare) and isinstance(must.right, Arithmetic) and isinstance(must.right.right, Span):
        later, length = must.right.left, must.right.right
        if must.right.sign == "+" and length.unit not in ("months", "years"):
            between = Arithmetic(sign="-", left=must.left, right=later)
            return replace(claim, must=Compare(relation=must.relation, left=between, right=length))
    return claim


def _says_no_more(p: Parse, title: Sequence[Token], rule: Sequence[Token], table: str) -> bool:
    """Every name, value, number and quality in the title comes up again in the rule."""
    again = {form for token in rule for form in (*token.forms, *name_words(token.text))} | set(name_words(table))
    again |= {NOMINAL[word] for word in again if word in NOMINAL}
    numbers = [token.value for token in rule if token.kind != "word"]
    return all(_comes_again(p, title, place, again, numbers) for place in range(len(title)))


def _cannot_do_without(p: Parse, title: Sequence[Token], found: Claim) -> bool:
    """Like "We can't reach anyone without contact data" before what must be there in every row."""
    said = [token.low for token in title]
    parts = found.must.conditions if isinstance(found.must, All) else (found.must,)
    there = isinstance(parts[0], Present) and all(_is_not_blank(part) for part in parts[1:])
    if found.where is not None or not there or said.count("without") != 1:
        return False
    before, behind = title[: said.index("without")], title[said.index("without") + 1 :]
    plain = all(token.low in FUNCTION_WORDS or _is_a_verb(before, place) for place, token in enumerate(before))
    denied = said[0] == "nobody" or (said[0] in ("we", "you") and not {"not", "never"}.isdisjoint(said))
    named = any(name_words(token.text) in p.schema.nouns or token.low in _NARROWING for token in behind)
    return plain and denied and 0 < len(behind) <= 4 and not named and all(token.kind == "word" for token in behind)


def _is_not_blank(condition: Condition) -> bool:
    return isinstance(condition, Compare) and condition.relation == "!=" and condition.right == Value(value="")


def _comes_again(p: Parse, title: Sequence[Token], place: int, again: set[str], numbers: Sequence[object]) -> bool:
    token = title[place]
    if token.kind != "word":
        return token.text in _MARKS if token.kind == "mark" else token.value in numbers
    forms = {*token.forms, *name_words(token.text)}
    forms |= {NOMINAL[word] for word in forms if word in NOMINAL}
    if token.low in _NARROWING:
        return False
    if forms & again or token.low in FUNCTION_WORDS:
        return True
    return not forms & p.schema.words() and _is_a_verb(title, place)


def _is_a_verb(title: Sequence[Token], place: int) -> bool:
    """Behind "we never", "nobody may", "must be able to": what follows is done, and narrows nothing down."""
    before = place - 1
    while before > 0 and title[before].low in _BETWEEN:
        before -= 1
    return before >= 0 and title[before].low in _BEFORE_VERBS

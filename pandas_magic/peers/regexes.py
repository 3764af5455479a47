"""Regular expressions and LIKE patterns of peers as our whole-text conditions, and ours as patterns to search with."""

import re
from typing import Literal

from pandas_magic.constraints import Compare, Condition, Expression, HasText, Matches, Parses, Value
from pandas_magic.constraints.algebra.patterns import PARSED, explicit, pattern_problem
from pandas_magic.peers.transfers import CannotRead, CannotSay

How = Literal["search", "prefix", "full"]
_ANYTHING = "(?s:.*)"


def search_pattern(condition: Matches | HasText | Parses) -> str:
    r"""A pattern that a search finds in exactly the texts for which the condition is true, anchored by \A and \Z.

    Raises: CannotSay for dates, whose calendar no pattern knows.
    """
    if isinstance(condition, HasText):
        found = _cased(condition.text) if condition.ignore_case else re.escape(condition.text)
        return {"start": rf"\A{found}", "end": rf"{found}\Z", "anywhere": found}[condition.where]
    if isinstance(condition, Parses) and condition.type == "date":
        raise CannotSay("whether a text is a date of the calendar is more than a pattern can say")
    pattern = condition.pattern if isinstance(condition, Matches) else PARSED[condition.type]
    return rf"\A(?:{explicit(pattern)})\Z"


def _cased(text: str) -> str:
    # Letters are spelt in both cases: the flag for it would also match letters whose lower case is another one.
    pieces = (f"[{letter.lower()}{letter.upper()}]" if _has_two_cases(letter) else re.escape(letter) for letter in text)
    if not text.isascii():
        raise CannotSay("ignoring the case of letters beyond ASCII is not the same everywhere")
    return "".join(pieces)


def _has_two_cases(letter: str) -> bool:
    return letter.isascii() and letter.isalpha()


def whole_text(of: Expression, pattern: str, how: How) -> Condition:
    """The condition that a peer's pattern states, by how it is applied: searched for, at the start, or as a whole.

    Raises: CannotRead for patterns outside RE2, or whose meaning with us is not certain.
    """
    escaped = [("\\A", "start", r"\\A((?:\\.|[\w @-])*)"), ("\\Z", "end", r"((?:\\.|[\w @-])*)\\Z")]
    for _, where, form in escaped:
        plain = re.fullmatch(form, pattern) if how == "search" else None
        if plain is not None and _literal(plain[1]) is not None:
            return HasText(of=of, where=where, text=str(_literal(plain[1])))
    plain_text = _literal(pattern) if how == "search" else None
    if plain_text:
        return HasText(of=of, where="anywhere", text=plain_text)
    whole = _whole(pattern, how)
    problem = pattern_problem(whole)
    if problem is not None:
        raise CannotRead(problem)
    return Matches(of=of, pattern=whole)


def _literal(pattern: str) -> str | None:
    """The text that the pattern stands for when nothing in it is special, else None."""
    text = re.sub(r"\\([^A-Za-z0-9])", r"\1", pattern)
    return text if re.escape(text) == pattern or (text == pattern and re.fullmatch(r"[\w @-]+", text)) else None


def _whole(pattern: str, how: How) -> str:
    if how == "full":
        return pattern
    starts = how == "prefix" or pattern.startswith(("^", "\\A"))
    ends = pattern.endswith(("\\Z", "\\z")) or (
        pattern.endswith("$") and not re.search(r"(?<!\\)(\\\\)*\\\$$", pattern)
    )
    body = re.sub(r"^(\^|\\A)", "", pattern)
    body = re.sub(r"(\$|\\[Zz])$", "", body) if ends else body
    if re.search(r"\\[AZz]", body) or _has_inner_anchor(body):
        raise CannotRead(f"/{pattern}/ has an anchor inside; a rule matches whole texts")
    if _is_wrapped(body):
        body = body[3:-1]
    elif (starts or ends) and _has_bare_bar(body):
        raise CannotRead(f"/{pattern}/ anchors only some of its alternatives; put them in parentheses")
    if starts and ends:
        return body
    inner = f"(?:{body})" if "|" in body else body
    return f"{'' if starts else _ANYTHING}{inner}{'' if ends else _ANYTHING}"


def _ends_in_dollar(pattern: str) -> bool:
    before = pattern.removesuffix("$")
    return before != pattern and (len(before) - len(before.rstrip("\\"))) % 2 == 0


def _has_inner_anchor(body: str) -> bool:
    bare = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]", "", body)
    return "^" in bare or "$" in bare


def _has_bare_bar(body: str) -> bool:
    depth, bare = 0, re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]", "x", body)
    for sign in bare:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            return True
    return False


def _is_wrapped(body: str) -> bool:
    """Whether one pair of parentheses "(?:…)" holds all of the pattern."""
    if not (body.startswith("(?:") and body.endswith(")") and not body.endswith("\\)")):
        return False
    depth, bare = 0, re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]", "x", body)
    for place, sign in enumerate(bare):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(bare) - 1:
            return False
    return True


def like_condition(of: Expression, pattern: str, escape: str = "") -> Condition:
    r"""The condition that SQL's LIKE states. Raises: CannotRead for a backslash that is not said to be the escape."""
    if "\\" in pattern and escape != "\\":
        raise CannotRead(f"LIKE {pattern!r}: databases differ on whether a backslash escapes; say ESCAPE")
    pieces = re.findall(rf"{re.escape(escape)}.|." if escape else ".", pattern, re.DOTALL)
    plain = [piece[-1] for piece in pieces]
    wild = [place for place, piece in enumerate(pieces) if piece in ("%", "_")]
    last = len(pieces) - 1
    if not wild:
        return Compare(relation="==", left=of, right=Value(value="".join(plain)))
    if wild == [last] and pieces[last] == "%":
        return HasText(of=of, where="start", text="".join(plain[:-1]))
    if wild == [0] and pieces[0] == "%":
        return HasText(of=of, where="end", text="".join(plain[1:]))
    if wild == [0, last] and last and pieces[0] == pieces[last] == "%":
        return HasText(of=of, where="anywhere", text="".join(plain[1:-1]))
    signs = {"%": _ANYTHING, "_": "(?s:.)"}
    return Matches(of=of, pattern="".join(signs.get(piece) or re.escape(piece[-1]) for piece in pieces))


def pattern_remark(pattern: str) -> str:
    """What a reader must know of a pattern of a peer, or "": where engines agree on all but odd texts."""
    remarks = []
    if _ends_in_dollar(pattern):
        remarks.append("a line break at the end of a text, which $ overlooks there, breaks the rule here")
    if re.search(r"\\[dw]", pattern):
        remarks.append(r"\d and \w are 0-9 and A-Z a-z 0-9 _ here, not every digit and letter of Unicode")
    return "; ".join(remarks)

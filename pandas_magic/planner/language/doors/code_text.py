"""Code as people paste it: without its comments, and in signs that SQL or Python know."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from pandas_magic.planner.language.doors.masked import without_quoted
from pandas_magic.planner.language.doors.missing_remarks import is_remark_on_missing

_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "=<": "<=", "&&": " and ", "||": " or ", "∈": " in ", "∉": " not in ",
          "∧": " and ", "∨": " or ", "¬": " not ", "−": "-", "·": "*", "×": "*", "÷": "/", "!~*": " NOT ~* ",
          "!~": " NOT ~ ", "=~": " ~ "}  # fmt: skip
_KNOWN: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"≠ *(?:null|none)\b", re.IGNORECASE), lambda _: " is not null"),
    *((re.compile(re.escape(sign)), lambda _, known=known: known) for sign, known in _SIGNS.items()),
    # Of a text in capitals "IS TRUE" is SQL's own word, which a missing value fails.
    (re.compile(r"\bis (not )?(?=(?:true|false)\b)"), lambda no: "!= " if no[1] else "== "),
)
_COMMENT = re.compile(r"--(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|(?:(?<=\s)|^)#(?P<hash>[^\n]*)", re.DOTALL)
_NO_ROWS = (
    r"(?:\bno rows?|\b(?:0|zero) (?:rows?|results?|records?)|\bnothing"
    r"|\b(?:an )?empty(?: (?:result|set|(?:data)?frame|table|list|output)){0,2}|\bnone"
    r"|=\s*0|\b0)"
)
_EMPTY = re.compile(
    rf"(?:(?:must|should|has to|shall|expected?|assert|->|=>|:|is|are|to)\s*)*"
    rf"(?:(?:be|return|returns|give|gives|yield|yields|come back|find|finds|produce|have|has)\s*)*{_NO_ROWS}\W*$"
    r"|\b(?:must|should|may) (?:not|never) (?:return|give|yield|find) any(?:thing| rows?)\W*$"
    r"|(?:(?:->|=>|:|–)\s*)?\bnothing (?:must|should|may|is to)(?: ever)? (?:come (?:out|back)|be (?:found|returned))"
    r"\W*$"
    r"|\b(?:any|every|each) (?:row|record|line|hit|result)s?\b[\w\s]* (?:is|are|means?)"
    r" (?!(?:\w+ )*(?:not|no|never)\b)[\w\s]*(?:errors?|violations?|bugs?|mistakes?|problems?|faults?|wrong)\W*$",
    re.IGNORECASE,
)
# What turns it: "should not be empty", "at least one row", "was empty", "must be > 0".
_DENIED = re.compile(
    r"\b(?:not|never|was|were|least|cannot|more|greater|above|exceeds?)\b(?! (?:return|give|yield|find) any)|n't\b"
    r"|(?<![-=])>|!=|≠",
    re.IGNORECASE,
)
_OFFENDERS = re.compile(
    r"(?:\w+ ){0,3}?(?:violations?|offend\w+|bad|errors?|orphans?|duplicates?|culprits?|invalid|wrong|delete|must not"
    rf"|fail\w*|expect\w*|{_NO_ROWS})\b[\w ]*",
    re.IGNORECASE,
)
# What a comment must not do is say of which rows a rule is.
_LIMITING = re.compile(
    r"\b(?:unless|except\w*|only|if|when|where|but|apart|ignor\w*|exclud\w*|omit\w*|skip\w*|without|not|never|allowed?|ok"
    r"|fine|left out|leav\w+ out|drop\w*|does not count|do not count)\b",
    re.IGNORECASE,
)
# What people say behind code that has to hold of every row.
_SAID_OF_ALL = re.compile(
    r"(?<=[\w)\]])\s+(?:(?:has to|needs to|must|should|shall) (?:be true|hold)"
    r"(?: for (?:every|each|all) (?:rows?|lines?|records?))?"
    r"|for (?:every|each|all) (?:rows?|lines?|records?))(?P<besides>(?:\s*(?:\([^()]*\)|;[^;()]*))*)\W*$",
    re.IGNORECASE,
)
_DECLARED = r"\s+(?=(?:foreign|primary)\s+key\s*\(|check\s*\(|unique\s*\()"
_PATTERN = re.compile(r"(?P<no>!~|=~|~)\s*/(?P<pattern>(?:[^/\\\n]|\\.)+)/(?P<flags>[a-z]*)")
_BARS = re.compile(r"\|(?=[^\s|])([^|]*[^\s|])\|(?=\s*(?:[<>=!≤≥≠]|$))")


@dataclass(frozen=True)
class CodeText:
    """Code, what is said besides it, and whether that is that a query is to find nothing."""

    code: str
    is_to_be_empty: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def limits(self) -> tuple[str, ...]:
        """The remarks that may change what is meant."""
        return tuple(
            one for one in self.remarks if _LIMITING.search(one) and (_DENIED.search(one) or not _EMPTY.search(one))
        )


def code_text(text: str) -> CodeText:
    """The code in the text, comments and a remark about an empty result apart."""
    remarks: list[str] = []

    def noted(found: re.Match[str]) -> str:
        remarks.append(next(said for said in found.groups() if said is not None).strip())
        return " "

    code = outside_quotes(_COMMENT, noted, text)
    of_all = _SAID_OF_ALL.search(code)
    besides = [one.strip() for one in re.split(r"[;()]", of_all["besides"]) if one.strip()] if of_all else []
    if of_all and all(map(is_remark_on_missing, besides)):
        code, remarks = code[: of_all.start()], [*remarks, *besides]
    code = code.strip().rstrip(";").strip()
    is_query = re.search(r"\bselect\b", code, re.IGNORECASE)
    before, colon, behind = code.partition(":")
    if is_query and colon and re.match(r"\s*\(?\s*select\b", behind, re.IGNORECASE):
        remarks.append(before)
        code = behind.strip()
    is_empty = any(map(_tells_of_none, remarks))
    said = _EMPTY.search(without_quoted(code)) if is_query else None
    if said and said.start() > 0 and _is_closed(code[: said.start()], said[0]):
        code, is_empty = code[: said.start()].rstrip().rstrip(";"), True
    return CodeText(_without_brackets(code), is_empty, tuple(remarks))


def _tells_of_none(remark: str) -> bool:
    """Whether a clause of the remark says that the query is to find nothing: "0 rows please, four eyes"."""
    clauses = [re.sub(r" please$", "", one) for one in re.split(r"\s*[,;.]\s*", remark)]
    are_sound = re.search(r"\b(?:others?|rest|valid|good|right|correct|sound)\b", remark, re.IGNORECASE)
    told = [one for one in clauses if _EMPTY.search(one) or (_OFFENDERS.fullmatch(one.strip()) and not are_sound)]
    return bool(told) and not any(_DENIED.search(one) for one in clauses if _EMPTY.search(one))


def without_table(text: str, table: str) -> str:
    """The text without the name of the table before a colon, before what is declared of it, or behind a CHECK."""
    own = re.escape(table)
    found = re.match(rf"\s*(?:{own}(?:\s*:\s|{_DECLARED})|(?:on|in|for)\s+{own}\s*[:,]\s)", text, re.IGNORECASE)
    behind = re.search(rf"(?<=\))\s+on\s+{own}\s*;?\s*$", text, re.IGNORECASE)  # CHECK (…) on orders
    return text[found.end() if found else 0 : behind.start() if behind else None].strip()


def _is_closed(code: str, said: str) -> bool:
    """Whether the query ends before what is said, so that "x = 0" at its end is no part of its WHERE."""
    in_words = re.search(
        r"\b(?:must|should|returns?|expect\w*|empty|rows?|results?|nothing|gives?)\b", said, re.IGNORECASE
    )
    if re.search(r"\b(?:not|never)\s*$", code, re.IGNORECASE):
        return False  # "should not be empty"
    return (
        bool(in_words) or bool(re.search(r"[;\n]\s*$", code)) or (code.lstrip()[:1], code.rstrip()[-1:]) == ("(", ")")
    )


def _without_brackets(code: str) -> str:
    inner = code[1:-1].strip() if code.startswith("(") and code.endswith(")") else ""
    return inner if re.match(r"select\b", inner, re.IGNORECASE) else code


def in_known_signs(text: str) -> dict[str, None]:
    """The code in the signs that SQL or Python know; several, where a sign may mean either."""
    plain = outside_quotes(_PATTERN, _as_text, text.strip().rstrip(".;").strip())
    for pattern, known in _KNOWN:
        plain = outside_quotes(pattern, known, plain)
    equal = outside_quotes(re.compile(r"(?<![<>=!:~])=(?![=~])"), lambda _: "==", plain)
    bars = outside_quotes(_BARS, lambda found: f"abs({found[1]})", plain)
    return dict.fromkeys((plain, equal, bars))


def _as_text(found: re.Match[str]) -> str:
    if found["flags"]:
        return found[0]
    pattern = found["pattern"].replace("\\/", "/").replace("'", "''")
    return f"{' NOT ~' if found['no'] == '!~' else '~'} '{pattern}'"


def outside_quotes(pattern: re.Pattern[str], new: Callable[[re.Match[str]], str], text: str) -> str:
    """The text with each fit of the pattern that begins outside quotes replaced."""
    pieces, end, masked = [], 0, without_quoted(text)
    for found in pattern.finditer(masked):
        whole = pattern.match(text, found.start())
        pieces += [text[end : found.start()], new(whole) if whole else found[0]]
        end = whole.end() if whole else found.end()
    return "".join((*pieces, text[end:]))

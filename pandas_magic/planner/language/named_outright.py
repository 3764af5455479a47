"""Names and values that stand behind what they are called: "the order total (TOT_VAL)" is TOT_VAL."""

import re
from collections.abc import Collection, Mapping, Sequence

from pandas_magic.catalog.table import Table
from pandas_magic.catalog.text.plurals import singular
from pandas_magic.planner.language.doors.descriptions import demands, is_of_another
from pandas_magic.planner.language.linking.functions import reckoning

_IN_BRACKETS = re.compile(r"\s+\((?:(?:in )?(?:the )?(?:column|field) )?`?(?P<inside>[^()]+?)`?\)")
_IN_COLUMN = re.compile(r"\s+in (?:the )?(?:column|field) `?(?P<inside>\w+)`?(?![\w.])")
# As no word of a sentence is written: "the total cost K_GES".
_BESIDE = re.compile(r"\s+(?:in )?(?P<inside>(?=\w*_|[A-Z]*[A-Z\d]\b)[A-Za-z]\w+)(?!\w|\.\w|\()")
_TOKEN = re.compile(r"[^\W_][\w'-]*|\S")
_CONDITION = re.compile(r"(?P<column>\w+)\s*(?:=|==|is|:)?\s*['\"]?(?P<value>[^'\"]+?)['\"]?")
# What a description cannot hold: what divides a sentence, compares, demands or leaves out.
_DIVIDES = re.compile(
    r"must|shall|should|ha[sd]|have|is|are|be|was|were|been|not?|never|without|and|n?or|than|after|before|from|to|until|since"
    r"|by|per|with|where|if|when|while|that|which|who|whose|equals?|exceeds?|plus|minus|times|less|more|most|least|each"
    r"|every|all|any|same|both|n?either|only|as|between|within|above|below|over|under|except|unless|but|besides|apart"
    r"|excluding|ignoring|others?"
)
_COUNTS = re.compile(
    r"sum|average|mean|median|minimum|maximum|min|max|count|number|total|amount|share|percentage|highest|lowest"
)
_JOINS, _JOINS_OF_ROWS, _NOTHING = re.compile(r"of|in|on|for|at"), re.compile(r"of|in|on|at"), re.compile(r"(?!)")
_BEGINS = re.compile(r"(?:the|an?|its|their|his|her)\b", re.IGNORECASE)


def named_outright(rule: str, tables: Mapping[str, Table], target: str | None) -> str | None:
    """The rule with names in place of the words before them, which call them so; None where there is no such name.

    "Items (sts = D)" are the rows with sts D, and a description behind a value is left out: "E (revoked)".
    """
    said, end = rule, len(rule)
    while (found := _last_bracket(said, end)) is not None:
        end = found.start()
        own = [tables[target]] if target is not None else [*tables.values()]
        put = _put(said[:end], found["inside"].strip(), own, joins=_NOTHING if found.re is _BESIDE else _JOINS)
        if put is not None:
            said = said[: put[0]] + put[1] + said[found.end() :]
            end = put[0]
    return said if said != rule else None


def _last_bracket(text: str, end: int) -> re.Match[str] | None:
    found = [
        match for form in (_IN_BRACKETS, _IN_COLUMN, _BESIDE) for match in form.finditer(text) if match.end() <= end
    ]
    return max(found, key=lambda match: match.start(), default=None)


def _put(before: str, inside: str, own: Sequence[Table], *, joins: re.Pattern[str]) -> tuple[int, str] | None:
    """From where on the words before a name are to be replaced, and by what; None where they stay."""
    if any(inside in table.columns for table in own):
        start = _described_from(before, _told(own) - {inside.casefold()}, joins=joins)
        return None if start is None or _names_rows(before[start:], own) else (start, inside)
    holding = [column for table in own for column, values in table.values.items() if inside in values]
    is_code = len(holding) == 1 and inside.isupper()  # "red cell units (RCC)"
    condition = _CONDITION.fullmatch(f"{holding[0]} = {inside}" if is_code else inside)
    if condition and any(condition["value"] in table.values.get(condition["column"], ()) for table in own):
        start = _described_from(before, _told(own), joins=_JOINS_OF_ROWS)
        is_one = re.search(r"\b(?:each|every|any)\s*$", before[:start], re.IGNORECASE)
        words = before[start:].split() if start is not None else []
        told = next((word for word in words if _calls_rows(word, own)), None)
        noun = told or ("row" if is_one else "rows")
        return None if start is None else (start, f"{noun} with {condition['column']} {condition['value']}")
    last = re.search(r"[\w-]+$", before)
    is_value = last is not None and any(last[0] in values for table in own for values in table.values.values())
    is_told = is_value and re.fullmatch(r"[a-z][a-z -]*", inside) and not demands(inside)
    return (len(before), "") if is_told else None


def _names_rows(description: str, tables: Sequence[Table]) -> bool:
    """Whether it is of rows, as "approved rentals" are, and not of what these have: "the date of a rental"."""
    words = description.split()
    is_plain = not any(_JOINS.fullmatch(word.lower()) for word in words)
    return is_plain and _calls_rows(words[-1], tables)


def _calls_rows(word: str, tables: Sequence[Table]) -> bool:
    return any(singular(table.name) == singular(word) for table in tables)


def _told(tables: Sequence[Table]) -> set[str]:
    """The columns and values of the tables: a description that names one says more, as "approved rentals" do."""
    values = (value for table in tables for known in table.values.values() for value in known)
    return {said.casefold() for table in tables for said in table.columns}.union(value.casefold() for value in values)


def _described_from(before: str, told: Collection[str], *, joins: re.Pattern[str]) -> int | None:
    """Where the description begins that ends here, over such joints: "the due date of a fee notice".

    None where there is none, or a name, a value, a count or a number stands in it.
    """
    start = divider = None
    for token in reversed(list(_TOKEN.finditer(before))):
        word = token[0].lower()
        is_joint = bool(joins.fullmatch(word))
        if not word[0].isalpha() or _DIVIDES.fullmatch(word) or (_JOINS.fullmatch(word) and not is_joint):
            divider = word
            break
        if start is not None and _BEGINS.fullmatch(word):  # also where a column holds 'A'
            start = token.start()
            continue
        counted = _COUNTS.fullmatch(word) and before[token.end() :].lstrip().lower().startswith("of ")
        if (
            counted
            or demands(word)
            or is_of_another(word)
            or word in told
            or word in reckoning()
            or (is_joint and start is None)
        ):
            return None
        start = token.start()
    if start is None or _BEGINS.match(before, start):
        return start
    may_turn = " " not in before[start:].strip()  # "hashed (email)" is no name of it
    is_row = divider is not None and (divider.isdigit() or _JOINS.fullmatch(divider))  # "on invoiced orders QTY"
    return None if may_turn or is_row else start

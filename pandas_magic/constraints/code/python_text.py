"""Pieces of Python text that know how tightly they bind, so that parentheses stand only where they are needed."""

import json
import keyword
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pandas_magic.errors import UsageMistake

LINE_WIDTH = 100

COMPARISON, EITHER, BOTH, SUM, PRODUCT, UNARY, ATOM = range(7)

# Names that the namespace of a check holds besides its tables, and those that our own code binds.
_TAKEN = frozenset({"pd", "np", "now", "utc_now", "violations", "scope", "broken", "found", "keys"})


@dataclass(frozen=True)
class Code:
    """An expression in Python: its text and how tightly its outermost operator binds.

    `parts` are the operands when that operator is `&` or `|`, so that masks can be joined flat and without repeats.
    `scalar` is true for one value for the whole table, false for a value per row; `sure` for one that is never missing.
    `holey` marks a mask of one of pandas' nullable dtypes, in which the truth itself may be missing.
    """

    text: str
    level: int = ATOM
    parts: tuple["Code", ...] = ()
    scalar: bool = False
    sure: bool = False
    holey: bool = False

    def within(self, level: int) -> str:
        """The text as an operand of an operator of this level: in parentheses when it binds less tightly."""
        return self.text if self.level >= level else f"({self.text})"


def is_short(code: Code) -> bool:
    """Whether the code is a name or a column, which may be repeated where a longer expression gets a name."""
    return re.fullmatch(r'\w+(\["([^"\\]|\\.)*"\])?', code.text) is not None


def both(masks: Iterable[Code]) -> Code:
    """Rows in which every mask is true."""
    return _joined(masks, BOTH, " & ")


def either(masks: Iterable[Code]) -> Code:
    """Rows in which some mask is true."""
    return _joined(masks, EITHER, " | ")


def negated(mask: Code) -> Code:
    """Rows in which the mask, which is never missing, is false."""
    return Code(f"~{mask.within(UNARY)}", UNARY, scalar=mask.scalar, holey=mask.holey)


def filled(mask: Code) -> Code:
    """The mask with False in place of missing truths."""
    return Code(f"{mask.within(ATOM)}.fillna(False)") if mask.holey else mask


def joined_by(sign: str, left: Code, right: Code, level: int) -> Code:
    """Two operands and the operator between them; the right one keeps its parentheses when it binds as tightly."""
    text = f"{left.within(level)} {sign} {right.within(level + 1)}"
    return Code(text, level, scalar=left.scalar and right.scalar, sure=left.sure and right.sure)


def _joined(masks: Iterable[Code], level: int, sign: str) -> Code:
    flat: list[Code] = []
    for mask in masks:
        flat.extend(mask.parts if mask.level == level else (mask,))
    different = tuple({part.text: part for part in flat}.values())
    if len(different) == 1:
        return different[0]
    # pandas refuses to combine missing truths of its own dtypes with those of Arrow.
    different = tuple(filled(part) for part in different)
    text = sign.join(part.within(level + 1) for part in different)
    return Code(text, level, different, scalar=all(part.scalar for part in different))


def literal(value: bool | int | float | str) -> str:
    """The value as Python source, texts in double quotes."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "np.inf" if value > 0 else "-np.inf"
    return repr(value)


def pattern_literal(pattern: str) -> str:
    """A regular expression as Python source: a raw text where that is possible."""
    ends_in_backslash = re.search(r"\\+$", pattern)
    raw = "\\" in pattern and '"' not in pattern and pattern.isprintable() and not ends_in_backslash
    return f'r"{pattern}"' if raw else _quoted(pattern)


def _quoted(text: str) -> str:
    # JSON's escapes are also Python's; characters outside the basic plane and lone surrogates are not written raw.
    return json.dumps(text, ensure_ascii=not text.isprintable())


def identifier(name: str) -> str:
    """The Python name under which a table's frame is bound: the table's own name wherever Python allows it.

    "Order items" is bound as `Order_items`, "2024" as `table_2024`, "class" as `class_`, "pd" as `pd_`.
    """
    # Python reads a name in this form: "ｏrders" as orders, so that two tables would be one.
    usable = re.sub(r"\W", "_", unicodedata.normalize("NFKC", re.sub(r"\W", "_", name)))
    if not usable or usable[0].isdigit():
        usable = f"table_{usable}"
    return f"{usable}_" if keyword.iskeyword(usable) or usable in _TAKEN else usable


def identifiers(names: Iterable[str]) -> dict[str, str]:
    """The `identifier` of each table.

    Raises: UsageMistake when two tables would be bound under one name.
    """
    found = {name: identifier(name) for name in names}
    owners: dict[str, str] = {}
    for name, bound in found.items():
        if bound in owners:
            raise UsageMistake(
                f'tables "{owners[bound]}" and "{name}" are both called {bound} in Python; rename one of them'
            )
        owners[bound] = name
    return found


def assignment(name: str, code: Code) -> str:
    """The statement that binds the name, on several lines when one is too long."""
    line = f"{name} = {code.text}"
    if len(line) <= LINE_WIDTH or not code.parts:
        return line
    return f"{name} = (\n{_one_part_per_line(code)}\n)"


def selection(name: str, frame: str, mask: Code) -> str:
    """The statement that binds the rows of the frame in which the mask is true."""
    line = f"{name} = {frame}[{mask.text}]"
    if len(line) <= LINE_WIDTH or not mask.parts:
        return line
    return f"{name} = {frame}[\n{_one_part_per_line(mask)}\n]"


def _one_part_per_line(code: Code) -> str:
    sign = "&" if code.level == BOTH else "|"
    first, *others = (part.within(code.level + 1) for part in code.parts)
    return "\n".join([f"    {first}", *(f"    {sign} {other}" for other in others)])


def listing(items: Iterable[str]) -> str:
    """The items as a Python list."""
    return f"[{', '.join(items)}]"


def wrapped_listing(items: Iterable[str]) -> str:
    """The items as a Python list over several lines."""
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) > LINE_WIDTH - 6:
            lines.append("")
        lines[-1] += f"{item}, "
    return "[\n" + "\n".join(f"    {line.rstrip()}" for line in lines) + "\n]"


def frame_of(columns: Mapping[str, str]) -> str:
    """A DataFrame of named columns."""
    return "pd.DataFrame({" + ", ".join(f"{literal(name)}: {text}" for name, text in columns.items()) + "})"

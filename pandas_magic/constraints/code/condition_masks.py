"""Conditions as pandas masks: the rows in which a condition is true, or those in which it is false.

Negation is pushed down to the leaves, so that no mask is ever true in a row in which a missing value leaves the
condition unknown.
"""

import re
from collections.abc import Sequence

from pandas_magic.constraints.algebra.conditions import (
    All,
    Any_,
    Compare,
    Condition,
    Exists,
    HasText,
    Matches,
    Not,
    OneOf,
    Parses,
    Present,
    Unique,
)
from pandas_magic.constraints.algebra.expressions import Column, Expression, Moment
from pandas_magic.constraints.algebra.patterns import PARSED, SPACES, explicit, with_open_spaces
from pandas_magic.constraints.algebra.shapes import WHOLE_SHARE, between_bounds, divided, is_computed, one_by_one
from pandas_magic.constraints.code.comparison_masks import compare_mask
from pandas_magic.constraints.code.other_rows import column_list, key_frame, match_keys
from pandas_magic.constraints.code.python_text import (
    ATOM,
    COMPARISON,
    PRODUCT,
    Code,
    both,
    either,
    is_short,
    joined_by,
    listing,
    literal,
    negated,
    pattern_literal,
    wrapped_listing,
)
from pandas_magic.constraints.code.writer import At, Writer
from pandas_magic.constraints.types.value_types import ValueType

# Longer lists are given a name and wrapped.
_LONGEST_LIST = 60
Leaf = OneOf | Matches | HasText | Parses
# From so many columns on, it pays to look first at one of them.
_MANY_COLUMNS = 3
# Kinds of columns whose values mostly differ from row to row.
_TELLING = ("integer", "text", "datetime")


def render_mask(writer: Writer, condition: Condition, at: At, truth: bool) -> Code:
    """The rows in which the condition is true (`truth`), or in which it is false."""
    match condition:
        case All() | Any_():
            return _joined(writer, condition, at, truth)
        case Not(condition=part):
            return render_mask(writer, part, at, not truth)
        case Present(of=of):
            code = writer.value(of, at)
            return _presence(code, truth)
        case Compare():
            return compare_mask(writer, condition, at, truth)
        case Unique():
            return _unique(writer, condition, at, truth)
        case Exists():
            return _exists(writer, condition, at, truth, guarded=True)
        case OneOf() if is_computed(condition.of):
            return writer.mask(one_by_one(condition), at, truth)
        case _:
            return _leaf(writer, condition, at, truth, guarded=True)


def _joined(writer: Writer, condition: All | Any_, at: At, truth: bool) -> Code:
    parts = condition.conditions
    if isinstance(condition, All) is truth:
        bounds = between_bounds(condition) if truth else None
        if bounds is not None:
            return _between(writer, bounds, at)
        return both(writer.mask(part, at, truth) for part in parts)
    if truth:
        return either(writer.mask(part, at, True) for part in parts)
    return either(_failures(writer, parts, at))


def _failures(writer: Writer, parts: Sequence[Condition], at: At) -> list[Code]:
    """The masks of the rows that fail one of the parts; "present and in the list" fails in one step, `~isin`."""
    demanded = [part.of for part in parts if isinstance(part, Present)]
    settled: list[Expression] = []
    masks: dict[int, Code] = {}
    for number, part in enumerate(parts):
        subject = _subject(part)
        if subject is not None and subject in demanded:
            settled.append(subject)
            masks[number] = _unguarded(writer, part, at)
        elif not isinstance(part, Present):
            masks[number] = writer.mask(part, at, False)
    for number, part in enumerate(parts):
        if isinstance(part, Present) and part.of not in settled:
            masks[number] = writer.mask(part, at, False)
    return [masks[number] for number in sorted(masks)]


def _short(writer: Writer, code: Code) -> Code:
    """The code under a name, unless it is as short as one."""
    return code if is_short(code) else writer.bind("compared", code)


def _subject(part: Condition) -> Expression | None:
    if isinstance(part, Exists):
        return part.of[0] if len(part.of) == 1 else None
    if isinstance(part, OneOf) and is_computed(part.of):
        return None
    return part.of if isinstance(part, (OneOf, Matches, HasText)) else None


def _unguarded(writer: Writer, part: Condition, at: At) -> Code:
    if isinstance(part, Exists):
        return _exists(writer, part, at, False, guarded=False)
    if isinstance(part, (OneOf, Matches, HasText)):
        return _leaf(writer, part, at, False, guarded=False)
    raise TypeError(f"a {type(part).__name__} has no form without a guard")


def _presence(code: Code, truth: bool) -> Code:
    call = "notna" if truth else "isna"
    return Code(f"pd.{call}({code.text})", scalar=True) if code.scalar else Code(f"{code.within(ATOM)}.{call}()")


def _between(writer: Writer, bounds: tuple[Expression, Expression, Expression], at: At) -> Code:
    of, low, high = bounds
    kind = writer.type_of(of, at)
    code = writer.value(of, at, writer.type_of(low, at))
    low_text, high_text = (writer.value(bound, at, kind).text for bound in (low, high))
    return Code(f"{code.within(ATOM)}.between({low_text}, {high_text})")


def _leaf(writer: Writer, leaf: Leaf, at: At, truth: bool, *, guarded: bool) -> Code:
    """A list, a pattern, a text or a type; not `guarded`, missing values count as failing it."""
    found = writer.type_of(leaf.of, at)
    if isinstance(leaf, Parses):
        return _parses(writer, leaf, at, truth)
    code = writer.value(leaf.of, at, _listed_type(leaf, found))
    if not truth and guarded:
        code = _short(writer, code)
    if isinstance(leaf, OneOf):
        test = Code(f"{code.within(ATOM)}.isin({_listed(writer, leaf, at, found)})")
        if truth:
            return test
        return both([_presence(code, True), negated(test)]) if guarded else negated(test)
    # In a column of texts, na=True lets a missing one pass; elsewhere it would let numbers pass as well.
    passing = not truth and guarded and found.kind == "text"
    test = Code(f"{_text_test(writer, leaf, code)}, na={passing})")
    if truth:
        return test
    return both([_presence(code, True), negated(test)]) if guarded and not passing else negated(test)


def _listed_type(leaf: Leaf, found: ValueType) -> ValueType | None:
    if not isinstance(leaf, OneOf) or found.kind != "mixed":
        return found if found.is_date32 else None
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in leaf.values)
    return ValueType("number") if numbers else None


def _listed(writer: Writer, leaf: OneOf, at: At, found: ValueType) -> str:
    items = [literal(value) for value in leaf.values]
    if found.kind == "datetime":
        moments = [Moment(iso=str(value)) for value in leaf.values]
        items = [writer.value(moment, at, found).text for moment in moments]
    text = _list_on_lines(items)
    return text if "\n" not in text else writer.bind("listed", Code(text)).text


def _list_on_lines(items: Sequence[str]) -> str:
    """The items as a Python list, over several lines where one would be too long."""
    one_line = listing(items)
    return one_line if len(one_line) <= _LONGEST_LIST else wrapped_listing(items)


def _text_test(writer: Writer, leaf: Matches | HasText, code: Code) -> str:
    of = code.within(ATOM)
    if isinstance(leaf, Matches):
        return f"{of}.str.fullmatch({_pattern(writer, leaf.pattern)}"
    of = f"{of}.str.lower()" if leaf.ignore_case else of
    if leaf.where == "anywhere":
        return f"{of}.str.contains({literal(leaf.text)}, regex=False"
    return f"{of}.str.{'startswith' if leaf.where == 'start' else 'endswith'}({literal(leaf.text)}"


def _pattern(writer: Writer, pattern: str) -> str:
    open_spaces = with_open_spaces(pattern)
    if open_spaces is None:
        return pattern_literal(explicit(pattern))
    # Where \s stands, pandas matches text by text in Python, which takes five times as long.
    space = writer.bind("space", Code(ascii(SPACES).replace("'", '"'), scalar=True))
    return f'{pattern_literal(open_spaces)}.replace(r"\\s", {space.text})'


def _parses(writer: Writer, leaf: Parses, at: At, truth: bool) -> Code:
    found = writer.type_of(leaf.of, at)
    if leaf.type == "integer" and is_computed(leaf.of):
        return _is_whole(writer, leaf.of, at, truth)
    code = _short(writer, writer.value(leaf.of, at))
    if leaf.type == "integer" and found.kind == "number":
        rest = Code(f"{_plain_number(code, found).within(PRODUCT)} % 1", PRODUCT)
        test = joined_by("==" if truth else "!=", rest, Code("0", scalar=True), COMPARISON)
        return test if truth else both([_presence(code, True), test])
    if found.kind != "text":
        # Of a column without any value map makes numbers, which are no texts.
        code = Code(f'{code.within(ATOM)}.map(str, na_action="ignore").astype("str")')
    readable = Code(f"{code.text}.str.fullmatch({pattern_literal(PARSED[leaf.type])}, na=False)")
    if leaf.type == "date":
        exists = Code(f'pd.to_datetime({code.text}, format="ISO8601", errors="coerce", utc=True).notna()')
        readable = both([Code(f"{code.text}.str.fullmatch({pattern_literal(PARSED['date'])}, na=False)"), exists])
    return readable if truth else both([_presence(code, True), negated(readable)])


def _plain_number(code: Code, found: ValueType) -> Code:
    """Fractions in NumPy's own, of which an infinite one is not whole; to nullable ones that is not known."""
    is_plain = found.is_numpy or found.is_decimal
    return code if is_plain else Code(f'{code.within(ATOM)}.astype("float64")')


def _is_whole(writer: Writer, of: Expression, at: At, truth: bool) -> Code:
    """Whether a computed number is whole: by the remainder of whole numbers, otherwise up to rounding."""
    relation = "==" if truth else "!="
    sides = divided(of)
    if sides and {writer.type_of(side, at).kind for side in sides} == {"integer"}:
        left, right = (writer.value(side, at) for side in sides)
        test = joined_by(relation, joined_by("%", left, right, PRODUCT), Code("0", scalar=True), COMPARISON)
        return test if truth else both([_presence(_short(writer, left), True), test])
    code = _short(writer, _plain_number(writer.value(of, at), writer.type_of(of, at)))
    off, slack = f"np.abs({code.text} - np.round({code.text}))", f"1e-9 + {WHOLE_SHARE:g} * np.abs({code.text})"
    near = Code(f"{off} <= {slack}", COMPARISON)
    return near if truth else both([_presence(code, True), negated(near)])


def _unique(writer: Writer, unique: Unique, at: At, truth: bool) -> Code:
    names = [part.name for part in unique.by if isinstance(part, Column)]
    subjects = [_short(writer, writer.value(part, at)) for part in unique.by]
    if len(unique.by) == 1:
        shared = Code(f"{subjects[0].text}.duplicated(keep=False)")
    elif len(names) == len(unique.by):
        shared = _alike(writer, names, at)
    else:
        keys_frame = writer.bind("keys", Code(key_frame(writer, unique.by, at)))
        shared = Code(f"{keys_frame.text}.duplicated(keep=False)")
    test = negated(shared) if truth else shared
    present = [] if unique.missing_equal else [_presence(code, True) for code in subjects]
    return both([*present, test])


def _alike(writer: Writer, names: Sequence[str], at: At) -> Code:
    """The rows that share the values of all these columns with another one.

    Many columns are compared only where a telling one repeats, which is rare: a million rows of twelve columns take
    0.05 s instead of 1.1 s.
    """
    if len(names) < _MANY_COLUMNS:
        return Code(f"{at.frame}.duplicated({column_list(names)}, keep=False)")
    plain = listing(map(literal, names))
    columns = writer.bind(
        "columns", Code(plain if len(plain) <= _LONGEST_LIST else wrapped_listing(map(literal, names)))
    )
    telling = next((name for name in names if at.table.kind(name) in _TELLING), names[0])
    among = f"{{name}}[{{name}}] = {at.frame}[{{name}}].duplicated({columns.text}, keep=False).to_numpy()"
    return writer.bind_in_steps("alike", Code(f"{at.column(telling).text}.duplicated(keep=False)"), among)


def _exists(writer: Writer, exists: Exists, at: At, truth: bool, *, guarded: bool) -> Code:
    """The rows whose values stand, or not, under the other table's keys; not `guarded`, missing ones do not."""
    there = writer.chosen(exists.where, writer.whole(exists.table))
    subjects = [_short(writer, writer.value(part, at)) for part in exists.of]
    if len(exists.of) == 1:
        known = there.column(exists.keys[0])
        # A missing value would be found among missing keys, and makes floats of whole numbers.
        rounds = re.match(r"U?Int|u?int\d+\[", there.table.columns.get(exists.keys[0], ""))
        listed = known.text if guarded and not truth and not rounds else f"{known.text}.dropna()"
        found = Code(f"{subjects[0].within(ATOM)}.isin({listed})")
    else:
        found = writer.bind("found_there", match_keys(writer, exists, at, there))
    if truth:
        return found
    present = [_presence(code, True) for code in subjects] if guarded else []
    return both([*present, negated(found)])

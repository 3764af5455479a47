"""Expressions as pandas: a column, a scalar, arithmetic, parts of dates and texts."""

import re

from pandas_magic.constraints.algebra.expressions import (
    Absolute,
    Arithmetic,
    Column,
    DatePart,
    Expression,
    Folded,
    HowMany,
    Moment,
    Now,
    ReadAs,
    Span,
    TextLength,
    Value,
)
from pandas_magic.constraints.algebra.patterns import READ_AS
from pandas_magic.constraints.code.other_rows import as_series, reach
from pandas_magic.constraints.code.python_text import (
    ATOM,
    PRODUCT,
    SUM,
    Code,
    is_short,
    joined_by,
    listing,
    literal,
    pattern_literal,
)
from pandas_magic.constraints.code.writer import At, Writer
from pandas_magic.constraints.types.value_types import ANY_ZONE, ValueType, has_offset

_PARTS = {
    "date": "dt.normalize()",
    "year": "dt.year",
    "quarter": "dt.quarter",
    "month": "dt.month",
    "week": "dt.isocalendar().week",
    "day": "dt.day",
    "hour": "dt.hour",
    "minute": "dt.minute",
}
_SCALAR_PARTS = {"date": "normalize()", "week": "isocalendar().week", "weekday": "isoweekday()"}
_NO_SECONDS = r'r"^(\d+:\d+)$", r"\1:00"'  # a length of time is never told without them
_LEVELS = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT}


def render_value(writer: Writer, expression: Expression, at: At, beside: ValueType | None) -> Code:
    """The expression's values in the rows at hand, fit to stand beside a value of the type `beside`.

    Bare dates take the time zone of the other side; columns of no one type are read as numbers or dates when they
    stand beside one, so that a text among them is an error and never a silent mismatch.
    """
    match expression:
        case Column(name=name):
            return _fit(at.column(name), writer.type_of(expression, at), beside)
        case Value(value=value):
            return Code(literal(value), scalar=True, sure=True)
        case Moment() | Now():
            return Code(_moment(expression, beside.zone if beside is not None else None), scalar=True, sure=True)
        case Span(amount=amount, unit=unit):
            number = repr(int(amount)) if float(amount).is_integer() else repr(amount)
            kind = "DateOffset" if unit in ("months", "years") else "Timedelta"
            return Code(f"pd.{kind}({unit}={number})", scalar=True, sure=True)
        case Arithmetic():
            return _arithmetic(writer, expression, at, beside)
        case Absolute() | TextLength() | Folded() | DatePart():
            return _derived(writer, expression, at, beside)
        case ReadAs():
            return _read_as(writer, expression, at)
        case HowMany(conditions=conditions):
            masks = [as_series(writer.mask(condition, at, True), at) for condition in conditions]
            return Code(f"pd.concat({listing(mask.text for mask in masks)}, axis=1).sum(axis=1)")
        case _:
            return reach(writer, expression, at)


def _fit(column: Code, found: ValueType, beside: ValueType | None) -> Code:
    if beside is None:
        return column
    if found.is_date32 or (found.kind == "mixed" and beside.kind in ("datetime", "duration")):
        return Code(f"pd.to_datetime({column.text})")
    if found.kind == "mixed" and beside.is_number:
        # By way of objects, since NaN among floats would stay a value there, of which every sum is missing.
        return Code(f'pd.to_numeric({column.text}.astype(object), dtype_backend="numpy_nullable")')
    # Categories compare by their own order, and not at all with other categories.
    return Code(f"{column.text}.astype(object)") if found.is_category else column


def _moment(moment: Moment | Now, zone: str | None) -> str:
    zoned = zone not in (None, "", ANY_ZONE)
    if isinstance(moment, Moment):
        in_zone = f", tz={literal(zone or '')}" if zoned and not has_offset(moment) else ""
        return f"pd.Timestamp({literal(moment.iso)}{in_zone})"
    run = "now" if zone is None or zone == ANY_ZONE else "utc_now"
    if zoned and zone != "UTC":
        run = f"utc_now.tz_convert({literal(zone or '')})"
    return f"{run}.normalize()" if moment.midnight else run


def _arithmetic(writer: Writer, expression: Arithmetic, at: At, beside: ValueType | None) -> Code:
    left_type, right_type = (writer.type_of(side, at) for side in (expression.left, expression.right))
    # A date of the rule takes its zone from the other operand, or from what the whole sum stands beside.
    outer = beside if beside is not None and beside.zone is not None else None
    left = _term(writer, expression.left, at, _zoned(right_type, outer))
    right = _term(writer, expression.right, at, _zoned(left_type, outer))
    return joined_by(expression.sign, left, right, _LEVELS[expression.sign])


def _zoned(operand: ValueType, outer: ValueType | None) -> ValueType:
    return outer if outer is not None and operand.kind == "duration" else operand


def _term(writer: Writer, operand: Expression, at: At, beside: ValueType) -> Code:
    code, found = writer.value(operand, at, beside), writer.type_of(operand, at)
    if found.dtype.startswith("timestamp"):
        return _of_pandas(code, found)  # Arrow's moments take no calendar months
    if found.is_narrow and not code.scalar:
        # Small whole numbers overflow, and unsigned ones wrap below zero, without a word.
        return Code(f"{code.within(ATOM)}.astype({literal(wide_dtype(found))})")
    return code


def _of_pandas(code: Code, found: ValueType) -> Code:
    """Moments of Arrow as those of pandas."""
    unit = re.match(r"timestamp\[(\w+)", found.dtype)
    zone = f", {found.zone}" if found.zone else ""
    return Code(f'{code.within(ATOM)}.astype("datetime64[{unit[1] if unit else "us"}{zone}]")')


def wide_dtype(found: ValueType) -> str:
    """The dtype in which numbers of a narrow column can be added up."""
    if "float" in found.dtype.lower():
        return "float64" if found.is_numpy else "Float64"
    return "int64" if found.is_numpy else "Int64"


def _read_as(writer: Writer, expression: ReadAs, at: At) -> Code:
    found, code = writer.type_of(expression.of, at), writer.value(expression.of, at)
    # Other dtypes of texts have conversions of their own; to the eye of "str" all cells are texts or missing.
    texts = code if found.dtype == "str" else Code(f'{code.within(ATOM)}.astype("str")')
    texts = texts if is_short(texts) else writer.bind("texts", texts)
    readable = f"{texts.text}.str.fullmatch({pattern_literal(READ_AS[expression.type])}, na=False)"
    if expression.type == "number":
        read = Code(f'{texts.text}.where({readable}).astype("float64")')
    elif expression.type == "time":
        readable = writer.bind("is_time", Code(readable)).text
        read = Code(f"pd.to_timedelta({texts.text}.where({readable}).str.replace({_NO_SECONDS}, regex=True))")
    else:
        # The text alone may still be no day of the calendar.
        read = Code(f'pd.to_datetime({texts.text}.where({readable}), format="ISO8601", errors="coerce")')
    stem = expression.of.name if isinstance(expression.of, Column) else "read"
    return writer.bind(f"{stem}_as_{expression.type}", read)


def _derived(
    writer: Writer, expression: Absolute | TextLength | Folded | DatePart, at: At, beside: ValueType | None
) -> Code:
    found = writer.type_of(expression.of, at)
    want = ValueType("datetime", zone=beside.zone if beside else None) if isinstance(expression, DatePart) else found
    code = writer.value(expression.of, at, want if not found.is_category else None)
    if found.dtype.startswith("timestamp") and isinstance(expression, DatePart) and expression.part in ("week", "time"):
        code = _of_pandas(code, found)  # Arrow's week of a missing moment is 0
    if isinstance(expression, DatePart) and expression.part == "time":
        return _time_of_day(writer, code, found)
    of = code.within(ATOM)
    match expression:
        case Absolute() if found.kind == "mixed" or (not found.is_numpy and found.kind in ("number", "boolean")):
            return Code(f'{of}.astype("float64").abs()')
        case Absolute():
            return Code(f"abs({code.text})", scalar=True) if code.scalar else Code(f"{of}.abs()")
        case TextLength():
            return Code(f"{of}.str.len()")
        case Folded(fold=fold):
            return Code(f"{of}.str.{'lower' if fold == 'case' else 'strip'}()")
        case DatePart(part=part) if code.scalar:
            return Code(f"{of}.{_SCALAR_PARTS.get(part, part)}", scalar=True)
        case DatePart(part="weekday"):
            return Code(f"{of}.dt.day_of_week + 1", SUM)
        case DatePart(part=part):
            return Code(f"{of}.{_PARTS[part]}")


def _time_of_day(writer: Writer, code: Code, found: ValueType) -> Code:
    """How long it is since midnight as the clocks show it, also on the days on which these change."""
    own = "" if code.scalar else ".dt"
    if found.zone is not None or found.kind == "mixed":
        code = Code(f"{code.within(ATOM)}{own}.tz_localize(None)", scalar=code.scalar, sure=code.sure)
    if not is_short(code):
        code = writer.bind("moment", code)
    return Code(f"{code.text} - {code.text}{own}.normalize()", SUM, scalar=code.scalar, sure=code.sure)

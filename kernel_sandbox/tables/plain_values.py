"""Plain values across the line: JSON, and points in time going in."""

import datetime
import json
import math
from typing import Any

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def value_to_json(value: object) -> dict[str, Any]:
    """A value as the confined process can rebuild it.

    Raises: TypeError when the value is neither JSON nor a datetime or date.
    """
    if isinstance(value, datetime.datetime | datetime.date):
        return {"time": value.isoformat()}
    try:
        return {"json": json.loads(json.dumps(value))}
    except (TypeError, ValueError) as error:
        raise TypeError(f"{type(value).__name__} is neither a JSON value nor a datetime ({error})") from error


def value_from_json(content: dict[str, Any]) -> object:
    """The value: times as `pandas.Timestamp`, everything else as it was."""
    if "time" in content:
        import pandas

        return pandas.Timestamp(content["time"])
    value: object = content["json"]
    return value


def record_bytes(value: object, *, most_bytes: int) -> bytes:
    """A variable as JSON. NumPy scalars count as numbers, a missing number as null.

    Raises: ValueError when it is not representable, or larger than `most_bytes`.
    """
    try:
        content = json.dumps(value, default=_plain, allow_nan=False).encode()
    except (TypeError, RecursionError) as error:
        raise ValueError(f"it is no JSON value: {error}") from error
    if len(content) > most_bytes:
        raise ValueError(f"it has {len(content):,} bytes as JSON, over the limit of {most_bytes:,}")
    return content


def record_from_bytes(content: bytes) -> Json:
    """The JSON value that a confined process sent.

    Raises: ValueError as `strict_json` does, and when a text in it could not be written as UTF-8.
    """
    value = strict_json(content)
    if b"\\ud" in content.lower():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ValueError("a text in it holds half a character") from error
    return value


def strict_json(content: bytes) -> Json:
    """The JSON value in these bytes.

    Raises: ValueError when it is anything but strict JSON, or nested too deep.
    """
    try:
        value: Json = json.loads(content, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("its JSON is nested too deep") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"its JSON is not UTF-8: {error}") from error
    return value


def _plain(value: object) -> object:
    item = getattr(value, "item", None)
    if not callable(item):
        raise TypeError(f"{type(value).__name__} has no JSON form")
    plain = item()
    return None if isinstance(plain, float) and math.isnan(plain) else plain


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"its JSON holds {text[:40]}, which is beyond all numbers")
    return number


def _refuse_constant(name: str) -> None:
    raise ValueError(f"its JSON holds {name}, which JSON does not know")

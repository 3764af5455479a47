"""What code bound to `result`, brought out of the confined kernel: a frame, or a JSON value."""

from typing import Any

import pandas as pd

from kernel_sandbox import FetchError, Sandbox
from pandas_magic.plans.plan_records import Ran

# `to_dict()` of an analysis has intervals and pairs of names as keys, and missing numbers as values.
_AS_JSON = """
def _as_json(value):
    if isinstance(value, dict):
        texts = {str(key): _as_json(each) for key, each in value.items()}
        if len(texts) < len(value):
            raise ValueError("several of its keys have one text")
        return texts
    if isinstance(value, (list, tuple)):
        return [_as_json(each) for each in value]
    return None if isinstance(value, float) and value != value else value
result = _as_json(result)
"""
# A frame with intervals, periods or numbers beside dates (`pd.cut`, `describe()`) cannot cross as it is.
_AS_TEXTS = """
def _with_texts(given):
    import pandas as pd
    def in_texts(values):
        values = values.astype("object").map(lambda value: None if pd.isna(value) is True else str(value))
        return values.astype("str")
    def crosses(dtype):
        return dtype.kind in "iufbmM" or isinstance(dtype, (pd.StringDtype, pd.DatetimeTZDtype))
    if not isinstance(given, (pd.DataFrame, pd.Series)):
        raise TypeError("it is no frame")
    frame = pd.DataFrame(given)
    told = [place for place, dtype in enumerate(frame.dtypes) if not crosses(dtype)]
    for place in told:
        frame.isetitem(place, in_texts(frame.iloc[:, place]))
    names = frame.index.names
    keys = [frame.index.get_level_values(place).to_series() for place in range(len(names))]
    keys = [pd.Index(key if crosses(key.dtype) else in_texts(key)) for key in keys]
    frame.index = keys[0].rename(names[0]) if len(keys) == 1 else pd.MultiIndex.from_arrays(keys, names=names)
    return frame, [str(frame.columns[place]) for place in told]
result, _told_as_texts = _with_texts(result)
"""


def fetched_result(sandbox: Sandbox) -> tuple[Ran, str]:
    """What was bound, as `frame` or `value`, with a note on columns that had to become texts; else why there is none.

    Raises: kernel_sandbox.SandboxError when the process ended meanwhile.
    """
    try:
        return Ran(_frame(sandbox)), ""
    except FetchError:
        if sandbox.execute(_AS_TEXTS).status != "ok":
            return _value(sandbox)
    columns = fetched_record(sandbox, "_told_as_texts") or ()
    try:
        notes = (f"told as texts: {', '.join(map(str, columns))}",) if columns else ()
        return Ran(_frame(sandbox), notes=notes), ""
    except FetchError as error:
        return Ran(), str(error)


def fetched_record(sandbox: Sandbox, name: str) -> Any:  # noqa: ANN401 - any JSON value
    """The JSON value bound to the name; None where there is none: most code binds none of what we look for."""
    try:
        return sandbox.fetch_record(name)
    except FetchError:
        return None


def _frame(sandbox: Sandbox) -> pd.DataFrame:
    frame = sandbox.fetch_frame("result")
    return frame.to_frame() if isinstance(frame, pd.Series) else frame


def _value(sandbox: Sandbox) -> tuple[Ran, str]:
    problem = ""
    for mend in (_AS_JSON, ""):
        try:
            value = sandbox.fetch_record("result")
            return Ran(value=value), "it is null" if value is None else ""
        except FetchError as error:
            problem = str(error)
            if not mend or sandbox.execute(mend).status != "ok":
                break
    return Ran(), problem

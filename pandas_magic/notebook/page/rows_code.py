"""The rows that a grid lists, as pandas code over their table: what was typed above it, to be taken along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from pandas_magic.constraints.code.python_text import literal
from pandas_magic.errors import UsageMistake
from pandas_magic.notebook.page.row_filters import Said
from pandas_magic.reporters.value_text import value_text

if TYPE_CHECKING:
    from pandas_magic.notebook.page.rows_view import Chosen


def code_of(frame: pd.DataFrame, name: str, chosen: Chosen) -> str:
    """An expression over the variable `name` that gives the rows of `frame` which are listed, in their order.

    Raises: UsageMistake where a part of the choice has no short code that means the same.
    """
    if chosen.words or chosen.within:
        raise UsageMistake("a search of all columns, or a click beside the grid, has no short code; filter columns")
    masks = [mask for place, text in chosen.filters for mask in _masks(frame, name, place, text)]
    told = " & ".join(f"({mask})" for mask in masks) if len(masks) > 1 else "".join(masks)
    return (f"{name}[{told}]" if masks else name) + _order(frame, chosen.sort)


def _masks(frame: pd.DataFrame, name: str, place: int, text: str) -> list[str]:
    if place < 0:
        raise UsageMistake("a filter of the row's label has no short code; filter columns")
    values, own = frame.iloc[:, place], _own_name(frame, place)
    column = f"{name}.iloc[:, {place}]" if own is None else f"{name}[{literal(own)}]"
    said, kind = Said.of(values, text), values.dtype
    if said.sign in ("isna", "notna"):
        return [f"{column}.{said.sign}()"]
    is_mixed = pd.api.types.is_object_dtype(kind) or isinstance(kind, pd.CategoricalDtype)
    if said.sign == "contains" and pd.api.types.is_string_dtype(kind) and not is_mixed:
        return [f"{column}.str.contains({literal(said.text)}, case=False, regex=False, na=False)"]
    if said.sign == "contains" or is_mixed:
        raise UsageMistake(f'"{said.text}" of "{value_text(values.name)}" ({kind}) has no short code')
    # What is missing is unequal to everything in pandas, and in no grid.
    known = [f"{column}.notna()"] if said.sign == "!=" else []
    return [*known, f"{column} {said.sign} {_literal(said.value(values))}"]


def _literal(value: Any) -> str:  # noqa: ANN401 - of a column's own type
    if not isinstance(value, pd.Timestamp | pd.Timedelta):
        return literal(value)
    return f"pd.{type(value).__name__}({literal(str(value))})"


def _own_name(frame: pd.DataFrame, place: int) -> str | None:
    """The text that names this column and no other one."""
    name = None if place < 0 else frame.columns[place]
    return name if isinstance(name, str) and list(frame.columns).count(name) == 1 else None


def _order(frame: pd.DataFrame, keys: tuple[tuple[int, bool], ...]) -> str:
    ascending = [not descending for _, descending in keys]
    if [place for place, _ in keys] == [-1]:
        return f'.sort_index(ascending={ascending[0]}, kind="stable")'
    columns = [literal(_sortable(frame, place)) for place, _ in keys]
    if len(keys) == 1:
        return f'.sort_values({columns[0]}, ascending={ascending[0]}, kind="stable")'
    return f".sort_values([{', '.join(columns)}], ascending={ascending})" if keys else ""


def _sortable(frame: pd.DataFrame, place: int) -> str:
    """The name of a column that pandas puts in the order of the grid."""
    name = _own_name(frame, place)
    if name is None:
        raise UsageMistake("an order by the row's label, or by a column without a name of its own, has no short code")
    kind = frame.dtypes.iloc[place]
    if pd.api.types.is_object_dtype(kind) or (isinstance(kind, pd.CategoricalDtype) and not kind.ordered):
        raise UsageMistake(f'the order of "{name}" ({kind}) has no short code')
    return name

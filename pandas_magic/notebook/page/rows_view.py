"""The rows behind a grid: the page asks for windows of them, sorted and filtered; the frame itself never moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.errors import UsageMistake
from pandas_magic.history.failing_rows import storable
from pandas_magic.notebook.page.column_facts import MOST_ROWS, facts_of
from pandas_magic.notebook.page.live_parts import Answer
from pandas_magic.notebook.page.row_corrections import Made, RowCorrections, overlaid
from pandas_magic.notebook.page.row_filters import Mask, containing_in_any, matching, texts_of
from pandas_magic.notebook.page.rows_code import code_of
from pandas_magic.notebook.page.shared_values import shared_values
from pandas_magic.reporters.preview import index_name, is_missing
from pandas_magic.reporters.rounded_numbers import exact_text, number_text
from pandas_magic.reporters.value_text import value_text

_FIRST_WINDOW = 40  # rows sent with the columns, so that the grid is there at once
_MOST_IN_WINDOW = 400  # rows; a page asks for less than 100
_MOST_COPIED = 10_000  # rows; a clipboard takes more, what people paste them into does not
_MOST_SENT_BYTES = 64 * 1024**2  # what Jupyter's socket carries without a pause that people notice
_MOST_SENT_ROWS = 1_000_000
_WIDEST, _NARROWEST = 40, 6  # characters of a column
_HEAD_ROWS, _FEW_KINDS = 100_000, 10_000  # rows by which it is seen whether a column has a few kinds of texts
LABEL = -1  # the place of the index among the columns

Say = Callable[[object], str]
Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Chosen:
    """Which rows are looked at, and in what order; filters by the place of their column."""

    filters: tuple[tuple[int, str], ...] = ()
    words: str = ""
    sort: tuple[tuple[int, bool], ...] = ()  # places of columns and whether downwards, the first decides; as they came
    within: str = ""  # what was clicked beside the grid, as `RowsView.select` reads it

    @classmethod
    def of(cls, asked: dict[str, Any]) -> Chosen:
        """The choice in a message of the page."""
        said = {int(place): str(text).strip() for place, text in (asked.get("filters") or {}).items()}
        filters = tuple(sorted((place, text) for place, text in said.items() if text))
        return cls(
            filters,
            str(asked.get("words") or ""),
            tuple((int(place), bool(descending)) for place, descending in asked.get("sort") or ()),
            str(asked.get("within") or ""),
        )


@dataclass
class RowsView:
    """Answers a grid. `first` are the columns that come first and are tinted; `name` is that of a file of the rows.

    `beside` says, when the grid opens, which other checks fail on the same rows; `select` finds the rows of what was
    clicked beside the grid; with `corrections` values can be corrected; `rounded` numbers come with the exact ones;
    `variable` is what the frame is called in code.
    """

    frame: pd.DataFrame
    first: Collection[str] = ()
    name: str = "rows"
    beside: Callable[[], Sequence[str]] = tuple
    select: Callable[[str], Mask] | None = None
    corrections: RowCorrections | None = None
    rounded: bool = False
    variable: str = "rows"
    _said: dict[tuple[int, Callable[[pd.Series], Say]], Say] = field(default_factory=dict, init=False)  # by column
    _last: tuple[Chosen, Positions | None] = field(default=(Chosen(), None), init=False)

    def answer(self, asked: dict[str, Any]) -> Answer:
        """What the page asked for: "open", "window", "facts", "copy", "code", "csv", "parquet", or of corrections.

        Raises: UsageMistake when a filter cannot be meant, the rows are too many to be sent, or a value is none of its
        column.
        """
        match asked.get("ask"):
            case "open":
                return self._opening(), ()
            case "window":
                return self._window(Chosen.of(asked), asked), ()
            case "copy":
                return self._copied(Chosen.of(asked), asked), ()
            case "code":
                return {"code": code_of(self.frame, self.variable, Chosen.of(asked))}, ()
            case "facts":
                return self._facts(Chosen.of(asked), asked), ()
            case "csv" | "parquet" as form:
                return self._file(Chosen.of(asked), form)
            case "value" | "correct" | "undo" | "try" | "tried" as what if self.corrections is not None:
                return self._corrected(what, self.corrections, asked), ()
            case other:
                raise UsageMistake(f'a grid has no answer to "{other}"')

    def _opening(self) -> dict[str, Any]:
        tinted = [place for place, name in enumerate(self.frame.columns) if name in self.first]
        places = [*tinted, *(place for place in range(self.frame.shape[1]) if place not in set(tinted))]
        head = self.frame.iloc[:_FIRST_WINDOW]
        return {
            "part": "rows",
            "found": len(self.frame),
            "beside": list(self.beside()),
            "shared": [] if self.select else self._shared(tinted),
            "columns": [_column(head, place, place in set(tinted)) for place in (LABEL, *places)],
            **(self.corrections.listed() if self.corrections is not None else {}),
        }

    def _shared(self, tinted: Sequence[int]) -> list[str]:
        """What the rows share; of a whole table, of which one selects, there is nothing to be said."""
        return list(shared_values(self.frame, [str(self.frame.columns[place]) for place in tinted]))

    def _window(self, chosen: Chosen, asked: dict[str, Any]) -> dict[str, Any]:
        positions = self._positions(chosen)
        start = max(0, int(asked.get("start", 0)))
        count = min(_MOST_IN_WINDOW, max(0, int(asked.get("count", 0))))
        shown = _part(positions, start, min(start + count, self._found(positions)))
        made = self.corrections.made() if self.corrections is not None else {}
        texts = [self._texts(int(place), shown, made) for place in asked["columns"]]
        return {"start": start, "found": self._found(positions), "rows": list(zip(*texts, strict=True))}

    def _texts(self, place: int, shown: Positions, made: Made) -> list[Any]:
        """A column's values as texts, None where one is missing; of a corrected one also what it was."""
        values = _some(self.frame, place, shown)
        exact = exact_text(values) if place == LABEL else self._say(place, exact_text)
        texts = [None if is_missing(value) else exact(value) for value in values]
        if place == LABEL:
            return texts
        if self.rounded:
            say = self._say(place, number_text)
            return [_rounded(say(value), text) for value, text in zip(values, texts, strict=True)]
        if not made:
            return texts
        name = str(self.frame.columns[place])
        return [overlaid(text, made.get((int(at), name))) for text, at in zip(texts, shown, strict=True)]

    def _say(self, place: int, form: Callable[[pd.Series], Say]) -> Say:
        """How numbers of the column are shown in this form, looked at once for all windows."""
        if (place, form) not in self._said:
            self._said[place, form] = form(self.frame.iloc[:, place])
        return self._said[place, form]

    def _corrected(self, what: str, corrections: RowCorrections, asked: dict[str, Any]) -> dict[str, Any]:
        """What the page asked for of the value in a row of its choice, or of all corrections."""
        if what == "undo":
            corrections.undo(int(asked["number"]), str(asked["said"]))
            return corrections.listed()
        if what == "try":
            corrections.begin_trial()
        if what in ("try", "tried"):
            return corrections.tried()
        positions, row, place = self._positions(Chosen.of(asked)), int(asked["row"]), int(asked["column"])
        at = np.arange(row, row + 1, dtype=np.int64) if positions is None else positions[row : row + 1]
        column = str(self.frame.columns[place])
        if what == "value":
            return {"value": corrections.for_typing(int(at[0]), column)}
        corrections.correct(int(at[0]), column, str(asked["text"]))
        return {"text": self._texts(place, at, corrections.made())[0], **corrections.listed()}

    def _facts(self, chosen: Chosen, asked: dict[str, Any]) -> dict[str, Any]:
        """What each column holds in the rows that are listed, or in the first of them."""
        positions = self._positions(chosen)
        found = self._found(positions)
        shown = _part(positions, 0, min(found, MOST_ROWS))
        facts = [[] if place == LABEL else facts_of(_some(self.frame, int(place), shown)) for place in asked["columns"]]
        return {"facts": facts, "of": len(shown) if len(shown) < found else None}

    def _copied(self, chosen: Chosen, asked: dict[str, Any]) -> dict[str, Any]:
        positions = self._positions(chosen)
        found = self._found(positions)
        if found > _MOST_COPIED:
            raise UsageMistake(f"{found:,} rows are more than the {_MOST_COPIED:,} that can be copied; filter them")
        shown = _part(positions, 0, found)
        places = [int(place) for place in asked["columns"]]
        columns = [_some(self.frame, place, shown).array for place in places]
        frame = pd.DataFrame(dict(enumerate(columns)), columns=range(len(columns)))
        frame.columns = pd.Index([_name(self.frame, place) for place in places])
        return {"text": frame.to_csv(sep="\t", index=False), "copied": found}

    def _file(self, chosen: Chosen, form: str) -> Answer:
        positions = self._positions(chosen)
        found = self._found(positions)
        content = BytesIO()
        if found <= _MOST_SENT_ROWS:
            rows = storable(self.frame if positions is None else self.frame.take(positions))
            rows.to_csv(content) if form == "csv" else rows.to_parquet(content)
        if found > _MOST_SENT_ROWS or content.tell() > _MOST_SENT_BYTES:
            raise UsageMistake(f"{found:,} rows are too many for the page; %checks rows ID --save FILE writes them")
        return {"file": f"{self.name}.{form}", "saved": found}, (content.getvalue(),)

    def _found(self, positions: Positions | None) -> int:
        return len(self.frame) if positions is None else len(positions)

    def _positions(self, chosen: Chosen) -> Positions | None:
        """The rows in their order, as positions in the frame; None: all, as they came."""
        last, positions = self._last
        if chosen != last:
            positions = self._filtered(chosen)
            for place, descending in reversed(chosen.sort):
                values = _values(self.frame, place)
                order = _order(values if positions is None else values.take(positions), descending)
                positions = order if positions is None else positions[order]
            self._last = chosen, positions
        return positions

    def _filtered(self, chosen: Chosen) -> Positions | None:
        masks = [matching(_values(self.frame, place), text) for place, text in chosen.filters]
        if chosen.words:
            columns = (_values(self.frame, place) for place in range(LABEL, self.frame.shape[1]))
            masks.append(containing_in_any(columns, chosen.words, rows=len(self.frame)))
        if chosen.within and self.select is not None:
            masks.append(self.select(chosen.within))
        return np.flatnonzero(np.logical_and.reduce(masks)).astype(np.int64) if masks else None


def _rounded(said: str, exact: str | None) -> Any:  # noqa: ANN401 - JSON for the page
    return exact if exact is None or said == exact else {"now": said, "exact": exact}


def _values(frame: pd.DataFrame, place: int) -> pd.Series:
    if place == LABEL:
        index = frame.index
        return pd.Series(index.to_flat_index() if index.nlevels > 1 else index, name=index_name(frame))
    return frame.iloc[:, place].reset_index(drop=True)


def _some(frame: pd.DataFrame, place: int, positions: Positions) -> pd.Series:
    # The whole index of ten million rows is not made for a window of it.
    return _values(frame.take(positions) if place == LABEL else frame.iloc[:, [place]].take(positions), min(place, 0))


def _order(values: pd.Series, descending: bool) -> Positions:
    """The positions in the order of the values, missing ones last, equal ones as they came."""
    order = "descending" if descending else "ascending"
    if isinstance(values.dtype, pd.CategoricalDtype) and values.dtype.ordered:
        codes = values.cat.codes
        values = codes.where(codes >= 0)
    try:
        found = pc.sort_indices(_as_places(pa.array(values, from_pandas=True)), sort_keys=[("", order)])
    except (pa.ArrowException, TypeError, OverflowError):
        found = pc.sort_indices(texts_of(values), sort_keys=[("", order)])
    return np.asarray(found.to_numpy(), dtype=np.int64)


def _as_places(values: Any) -> Any:  # noqa: ANN401 - Arrow carries no types
    """Texts of a few kinds as their places in the order, which are counted rather than compared; others as they are."""
    head = values.slice(0, _HEAD_ROWS)
    is_text = pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
    if not is_text or len(head) < _HEAD_ROWS or len(pc.unique(head)) > _FEW_KINDS:
        return values
    coded = pc.dictionary_encode(values)
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    return pc.rank(coded.dictionary, tiebreaker="dense").take(coded.indices)


def _part(positions: Positions | None, start: int, end: int) -> Positions:
    return np.arange(start, end, dtype=np.int64) if positions is None else positions[start:end]


def _name(frame: pd.DataFrame, place: int) -> str:
    return index_name(frame) if place == LABEL else value_text(frame.columns[place])


def _column(head: pd.DataFrame, place: int, tinted: bool) -> dict[str, Any]:
    values = _values(head, place)
    widest = max((len(value_text(value)) for value in values), default=0)
    name = _name(head, place)
    is_number = pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype)
    width = min(_WIDEST, max(_NARROWEST, len(name) + 2, widest))
    return {"place": place, "name": name, "number": bool(is_number), "tinted": tinted, "width": width}

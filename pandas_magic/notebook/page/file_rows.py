"""The rows behind a grid of a table without room: files, or a copy, are looked through piece by piece where they lie.

Nothing is kept of them but how many rows of each piece are listed and the piece last shown. The page asks again until
all pieces were looked through, so that no question takes longer than a person waits for a cell.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pandas_magic.catalog.arrow import frame_from_arrow
from pandas_magic.catalog.sources.converted_table import ConvertedTable
from pandas_magic.catalog.sources.dataset_table import DatasetTable
from pandas_magic.catalog.sources.file_pieces import first_rows, single_pieces
from pandas_magic.catalog.sources.unpacked_table import UnpackedTable
from pandas_magic.constraints.code.python_text import identifier
from pandas_magic.errors import UsageMistake
from pandas_magic.notebook.page.live_parts import Answer
from pandas_magic.notebook.page.row_filters import Mask, containing_in_any, matching
from pandas_magic.notebook.page.rows_view import Chosen, Positions, RowsView

_LOOK_SECONDS = 0.3  # for one question of the page; the notebook waits meanwhile
_MOST_HELD = 100_000  # rows that are read to be sorted, copied or taken along
HEAD_ROWS, _MOST_IN_WINDOW = 40, 400

Where = Callable[[pa.Schema, str], Any]  # what was clicked -> an expression over the columns


@dataclass
class _Looked:
    """How far the pieces of files of one identity were looked through for one choice of rows."""

    identity: str = ""
    chosen: Chosen = field(default_factory=Chosen)
    counts: list[int] = field(default_factory=list)  # of the listed rows of each piece so far


@dataclass
class FileRows:
    """Answers a grid as `RowsView` does, from files; `where` reads what was clicked beside it."""

    source: DatasetTable | ConvertedTable | UnpackedTable
    where: Where
    _looked: _Looked = field(default_factory=_Looked)
    _shown: tuple[Any, pd.DataFrame] | None = None  # the piece last shown, by identity, choice and place
    _view: tuple[Any, RowsView] | None = None  # of all rows listed, by identity and choice

    def answer(self, asked: dict[str, Any]) -> Answer:
        """What the page asked for, as `RowsView.answer`. Raises: UsageMistake, TableUnreadable."""
        with self.source.opened() as files:
            pieces = _Pieces(files.dataset, list(single_pieces(files.dataset)), files.identity)
            match asked.get("ask"):
                case "open":
                    found = sum(map(pieces.rows_of, range(len(pieces.parts))))
                    return opening_of(pieces.head(), self.source.name, found), ()
                case "code":
                    return _of_columns(pieces.head(), self.source.name).answer(asked)
                case "window" if not asked.get("sort"):
                    return self._window(pieces, Chosen.of(asked), asked), ()
                case _:
                    return self._held(pieces, asked)

    def _window(self, pieces: _Pieces, chosen: Chosen, asked: dict[str, Any]) -> dict[str, Any]:
        """The rows of a window, as far as they are found; `looked` says how much of the files that is."""
        start, count = max(0, int(asked.get("start", 0))), min(_MOST_IN_WINDOW, int(asked.get("count", 0)))
        counts = self._look(pieces, chosen)
        frames = list(self._frames(pieces, chosen, counts, range(start, start + count)))
        rows: Sequence[Any] = ()
        if frames:
            whole = {"ask": "window", "start": 0, "count": count, "columns": asked["columns"]}
            rows = RowsView(pd.concat(frames) if len(frames) > 1 else frames[0]).answer(whole)[0]["rows"]
        looked = len(counts) / len(pieces.parts) if pieces.parts else 1
        return {"start": start, "found": sum(counts), "rows": rows, "looked": looked}

    def _look(self, pieces: _Pieces, chosen: Chosen) -> list[int]:
        """How many rows of each piece are listed; of one further piece at least with each question."""
        if (self._looked.identity, self._looked.chosen) != (pieces.identity, chosen):
            self._looked = _Looked(pieces.identity, chosen)
        counts, until = self._looked.counts, time.monotonic() + _LOOK_SECONDS
        while len(counts) < len(pieces.parts):
            counts.append(pieces.count(len(counts), chosen, self.where))
            if time.monotonic() > until:
                break
        return counts

    def _frames(self, pieces: _Pieces, chosen: Chosen, counts: Sequence[int], wanted: range) -> Iterator[pd.DataFrame]:
        """The rows of the listing that are wanted, piece by piece, each labelled by its place in the files."""
        start = 0
        for number, count in enumerate(counts):
            here = range(max(wanted.start - start, 0), min(wanted.stop - start, count))
            if here:
                yield self._listed(pieces, chosen, number).iloc[here.start : here.stop]
            start += count

    def _listed(self, pieces: _Pieces, chosen: Chosen, number: int) -> pd.DataFrame:
        key = (pieces.identity, chosen, number)
        if self._shown is None or self._shown[0] != key:
            self._shown = None  # one piece at a time
            self._shown = key, pieces.frame(number, pieces.places(number, chosen, self.where))
        return self._shown[1]

    def _held(self, pieces: _Pieces, asked: dict[str, Any]) -> Answer:
        """What needs all rows that are listed: their order, or a copy of them."""
        chosen = replace(Chosen.of(asked), sort=())
        counts = self._look(pieces, chosen)
        found = sum(counts)
        if found > _MOST_HELD:
            raise UsageMistake(
                f"{found:,} rows of files this large stay in their order, and are not taken along; filter them to at "
                f"most {_MOST_HELD:,}"
            )
        if len(counts) < len(pieces.parts):
            if asked["ask"] == "window":
                return {"start": 0, "found": found, "rows": [], "looked": len(counts) / len(pieces.parts)}, ()
            raise UsageMistake("the files are still being looked through; wait until the rows are counted")
        if self._view is None or self._view[0] != (pieces.identity, chosen):
            frames = list(self._frames(pieces, chosen, counts, range(found)))
            frame = pd.concat(frames) if frames else frame_from_arrow(pieces.dataset.schema.empty_table())
            self._view = (pieces.identity, chosen), RowsView(frame, name=f"{self.source.name}_rows")
        return self._view[1].answer({**asked, "filters": {}, "words": "", "within": ""})


def opening_of(first: pd.DataFrame, name: str, found: int) -> dict[str, Any]:
    """What a grid of so many rows is opened with, by the first of them."""
    opened, _ = _of_columns(first, name).answer({"ask": "open"})
    return {**opened, "found": found, "about": True}


def _of_columns(first: pd.DataFrame, name: str) -> RowsView:
    """Of the first rows: what is said of columns alone."""
    return RowsView(first, select=lambda _: np.ones(0, bool), variable=identifier(name))


@dataclass(frozen=True)
class _Pieces:
    """The pieces of the files as they are now, and what of each is listed."""

    dataset: Any
    parts: Sequence[Any]
    identity: str

    def head(self) -> pd.DataFrame:
        """The first rows."""
        return frame_from_arrow(first_rows(self.dataset, HEAD_ROWS))

    def rows_of(self, number: int) -> int:
        """The rows of a piece, by what its file says of it."""
        groups = getattr(self.parts[number], "row_groups", None)
        return sum(group.num_rows for group in groups) if groups else int(self.parts[number].count_rows())

    def count(self, number: int, chosen: Chosen, where: Where) -> int:
        """How many rows of a piece are listed; those that its file rules out are not read."""
        places = self.places(number, chosen, where)
        return self.rows_of(number) if places is None else len(places)

    def places(self, number: int, chosen: Chosen, where: Where) -> Positions | None:
        """The places within a piece of the rows that are listed; None: all."""
        masks: list[Mask] = []
        schema, piece = self.dataset.schema, self.parts[number]
        if chosen.within:
            filtered = where(schema, chosen.within)
            if hasattr(piece, "subset") and not piece.subset(filtered, schema=schema).row_groups:
                return np.zeros(0, np.int64)
            kept = piece.to_table(schema=schema, columns={"kept": filtered})["kept"]
            masks.append(np.asarray(kept.fill_null(False).to_numpy(), bool))
        for place, text in chosen.filters:
            masks.append(matching(self._column(piece, place), text))
        if chosen.words:
            columns = (self._column(piece, place) for place in range(len(schema)))
            masks.append(containing_in_any(columns, chosen.words, rows=self.rows_of(number)))
        return np.flatnonzero(np.logical_and.reduce(masks)).astype(np.int64) if masks else None

    def _column(self, piece: Any, place: int) -> pd.Series:  # noqa: ANN401 - Arrow carries no types
        if place < 0:
            raise UsageMistake("rows of a file are not looked for by their place in it")
        name = self.dataset.schema.names[place]
        return frame_from_arrow(piece.to_table(schema=self.dataset.schema, columns=[name])).iloc[:, 0]

    def frame(self, number: int, places: Positions | None) -> pd.DataFrame:
        """The rows at these places of a piece, labelled by their places in the files."""
        start = sum(map(self.rows_of, range(number)))
        table = self.parts[number].to_table(schema=self.dataset.schema)
        frame = frame_from_arrow(table if places is None else table.take(pa.array(places)))
        labels = np.arange(len(frame), dtype=np.int64) if places is None else places
        return frame.set_axis(pd.Index(labels + start), axis=0)

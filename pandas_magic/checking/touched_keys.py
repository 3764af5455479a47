"""What a check finds in a table that grew, by looking at new rows and at the older ones that share a key with them.

For rules in which rows of their table meet by a key, as in "unique" and "per". A row whose key no new row has is judged
as it was. The others are looked at twice: as they were, for what is counted of them no more, and with the new rows. As
keys count texts, and numbers of which equal keys have the same one, so that a row too many may be looked at, and none
too few.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.plain_types import is_text
from pandas_magic.catalog.sources.file_pieces import FilePiece, OpenFiles
from pandas_magic.checking.key_spans import Span, may_meet, spanned, spans_of
from pandas_magic.checking.keyed_parts import Undivided, key_hashes, key_parts
from pandas_magic.checking.looked_at import LookedAt, Places, known_by, split, stretch_of
from pandas_magic.checking.looking import InFull, Look, Seen
from pandas_magic.checking.partitions import estimated_bytes

# Where more of the rows share a key with new ones, little is gained by leaving the others out.
_MOST_SHARE = 0.25
_NOTHING = Seen((), left_open=0, kept=0, has_gaps=False)


@dataclass(frozen=True)
class _Some:
    """Rows of one file, and where they stand in it."""

    places: Places
    rows: pa.Table


@dataclass(frozen=True)
class TouchedKeys:
    """Looks at a table's files, of which those looked at before are one stretch; rows meet where they share `keys`."""

    look: Look
    catalog: Catalog
    files: OpenFiles
    pieces: Sequence[FilePiece]
    keys: tuple[str, ...]
    most_rows: int  # that are looked at at once

    def looked_at(self, known: Sequence[LookedAt]) -> tuple[LookedAt, int, int]:
        """What is found in all files; how many of them are new, and how many rows of others share a key with theirs.

        Raises: InFull.
        """
        numbers = {file: number for number, file in enumerate(known_by(self.pieces))}
        old = known[0] if len(known) == 1 else None
        older = [numbers[file] for file in old.stretch.files if file in numbers] if old else []
        new = sorted({*numbers.values()} - {*older})
        if old is None or len(older) < len(old.stretch.files) or older != sorted(older):
            return self._all(), len(self.pieces), 0
        if sum(self.pieces[number].rows for number in new) > self.most_rows:
            return self._all(), len(self.pieces), 0
        return self._grown(old, older, new) if new else (old, 0, 0)

    def _all(self) -> LookedAt:
        """Every row looked at: at once, or key by key where that is too much."""
        target, total = self.look.compiled.target, sum(piece.rows for piece in self.pieces)
        numbers, seen, places = range(len(self.pieces)), list[Seen](), list[Places]()
        if total <= self.most_rows:
            seen.append(self.look.at(self.files.rows_of(numbers, self._columns), total))
            places.append(np.asarray(seen[0].positions, dtype=np.int64))
        else:
            whole = Undivided(target, self.catalog, {target: self._columns}, self.look.tables)
            need_bytes = estimated_bytes(self.look.tables[target], self._columns) or 0
            count = -(-total // self.most_rows)
            for part in key_parts(whole, {target: self.keys}, count, need_bytes=need_bytes):
                seen.append(self.look.at_frame(part.frames[target]))
                places.append(part.positions[np.asarray(seen[-1].positions, dtype=np.int64)])
        cheap = spanned(self.files.schema, self.keys)
        spans = [spans_of(self.files.rows_of([number], cheap)) if cheap else () for number in numbers]
        return LookedAt(stretch_of(known_by(self.pieces), seen, np.sort(np.concatenate(places)).tolist(), spans))

    def _grown(self, old: LookedAt, older: Sequence[int], new: Sequence[int]) -> tuple[LookedAt, int, int]:
        """What is found once some files came to those that were looked at."""
        cheap, was = spanned(self.files.schema, self.keys), old.stretch
        spans = dict(zip(older, was.spans, strict=True))
        known = dict(zip(older, was.places(), strict=True))
        added = {number: self._whole(number) for number in new}
        touched = self._touched(added, spans)
        before, found_before = self._seen(touched)
        now, found = self._seen({**added, **touched})
        for number, some in touched.items():
            here = np.isin(known[number], some.places)
            if not np.array_equal(known[number][here], found_before[number]):
                raise InFull("what it found in older files is not what it finds in them now")
            found[number] = np.union1d(known[number][~here], found[number])
        found = {**known, **found}
        spans |= {number: spans_of(some.rows.select(cheap)) for number, some in added.items()}
        starts = [0, *accumulate(piece.rows for piece in self.pieces)]
        positions = np.concatenate([found[at] + starts[at] for at in sorted(found)]).tolist()
        stretch = stretch_of(known_by(self.pieces), [was, now], positions, (spans[at] for at in sorted(spans)))
        stretch = stretch.model_copy(
            update={"left_open": stretch.left_open - before.left_open, "kept": stretch.kept - before.kept}
        )
        rows = self._rows(old, known, found, changed={*added, *touched})
        return LookedAt(stretch, rows), len(new), sum(len(some.places) for some in touched.values())

    @property
    def _columns(self) -> Sequence[str]:
        return self.look.compiled.plan.reads[self.look.compiled.target]

    def _whole(self, number: int) -> _Some:
        return _Some(np.arange(self.pieces[number].rows), self.files.rows_of([number], self._columns))

    def _touched(self, added: Mapping[int, _Some], spans: Mapping[int, Sequence[Span]]) -> dict[int, _Some]:
        """By file, the rows of older ones that share a key with a row of those added. Raises: InFull for too many."""
        rows = pa.concat_tables([some.rows for some in added.values()])
        theirs, touches = spans_of(rows.select(spanned(self.files.schema, self.keys))), self._touching(rows)
        count, most = 0, min(self.most_rows, int(_MOST_SHARE * sum(piece.rows for piece in self.pieces)))
        found = {}
        for number in (number for number, span in spans.items() if may_meet(span, theirs)):
            places = np.flatnonzero(touches(self.files.rows_of([number], self.keys)))
            count += len(places)
            if count > most:
                raise InFull(f"more than {most:,} of its rows share a key with new ones")
            if len(places):
                found[number] = _Some(places, self.files.rows_of([number], self._columns).take(pa.array(places)))
        return found

    def _touching(self, rows: pa.Table) -> Callable[[pa.Table], "np.ndarray[tuple[int], np.dtype[np.bool_]]"]:
        """What tells of other rows which may share a key with one of these: all that do, and perhaps some more.

        Texts are looked up as they are, which takes a tenth of the time that numbers for them take.
        """
        texts = [name for name in self.keys if is_text(rows.schema.field(name).type)]
        others = [name for name in self.keys if name not in texts]
        values = {name: rows[name].unique() for name in texts}
        hashes = pd.Index(np.unique(_hashes(rows, others)))

        def touches(older: pa.Table) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
            found = hashes.get_indexer(pd.Index(_hashes(older, others))) >= 0
            for name, theirs in values.items():
                found &= pc.is_in(older[name], value_set=theirs).to_numpy()
            return found

        return touches

    def _seen(self, some: Mapping[int, _Some]) -> tuple[Seen, dict[int, Places]]:
        """What is found in these rows, in the order of the table; and where, by file. Raises: InFull."""
        if not some:
            return _NOTHING, {}
        numbers = sorted(some)
        sizes = [len(some[number].places) for number in numbers]
        seen = self.look.at(pa.concat_tables([some[number].rows for number in numbers]), sum(sizes))
        found = zip(numbers, split(seen.positions, sizes), strict=True)
        return seen, {number: some[number].places[places] for number, places in found}

    def _rows(
        self, old: LookedAt, known: Mapping[int, Places], found: Mapping[int, Places], *, changed: set[int]
    ) -> pa.Table | None:
        """The failing rows, of which those in files that did not change are at hand; None where they are not."""
        if old.found is None:
            return None
        ends = [0, *accumulate(map(len, known.values()))]
        at_hand = {number: (ends[at], len(places)) for at, (number, places) in enumerate(known.items())}
        read = self.files.taken({number: found[number] for number in sorted(changed)})
        starts = dict(
            zip(sorted(changed), accumulate((len(found[at]) for at in sorted(changed)), initial=0), strict=False)
        )
        return pa.concat_tables(
            read.slice(starts[number], len(found[number])) if number in changed else old.found.slice(*at_hand[number])
            for number in sorted(found)
        )


def _hashes(rows: pa.Table, keys: Sequence[str]) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    try:
        return key_hashes(rows, keys)
    except (OverflowError, ValueError) as error:  # a moment that nanoseconds do not reach
        raise InFull("some of its keys have no number that equal ones share") from error

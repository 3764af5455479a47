"""What a reader of a report must know beside its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from pandas_magic.explore.details import Details, FileReading


def notes_of(details: Details, on: str) -> list[str]:
    """Findings, how the file was read, what was sampled or left out; `on` is what the attempt was made on."""
    notes = [*_of_file(details.reading), *(issue.text for issue in details.quality)]
    if details.target is not None and details.target.evidence:
        notes.append(f"task type: {'; '.join(details.target.evidence)}")
    if on != "everything":
        notes.append(
            f"explored after a failure on {on}; the whole table has {details.whole.rows:,} rows and "
            f"{details.whole.columns} columns"
        )
    elif details.is_estimated:
        notes.append(
            f"the statistics of columns are of all {details.whole.rows:,} rows, with bounds of what is estimated; "
            f"kinds, proposals, relations, patterns of gaps, pictures and other notes are of a sample of "
            f"{details.sampled.rows or 0:,} rows"
        )
    elif details.sampled.rows is not None:
        notes.append(f"a sample of {details.sampled.rows:,} of {details.whole.rows:,} rows")
    if details.associations.sampled_rows is not None and not details.is_estimated:
        notes.append(
            f"Spearman, Cramér's V and the correlation ratio between features, mutual information and the order of "
            f"suspected leaks are from a sample of {details.associations.sampled_rows:,} rows; everything else is from "
            f"all rows"
        )
    if details.explored_in_pairs < len(details.columns):
        notes.append(f"relations were explored among {details.explored_in_pairs} of {len(details.columns)} columns")
    return notes


def _of_file(reading: FileReading) -> Iterator[str]:
    if reading.encoding == "cp1252":
        yield "the file is not UTF-8 and was read as Windows-1252: look at its accented letters"
    if reading.read_bytes is not None:
        part = f"{reading.read_bytes:,} of {reading.bytes or 0:,} bytes"
        yield f"only the first {part} were read, since the file is large: nothing is known of the rest"
    if reading.ragged_lines:
        lines, were = ("line", "was") if reading.ragged_lines == 1 else ("lines", "were")
        yield f"{reading.ragged_lines:,} {lines} had another number of fields than the first and {were} left out"

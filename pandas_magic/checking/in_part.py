"""Which rows a run is about: some partitions of a table, or others in place of its own; what is said then."""

import re
from collections.abc import Iterable, Mapping

from pandas_magic.catalog import Catalog
from pandas_magic.catalog.sources.part_table import PartTable
from pandas_magic.checking.partitions import is_row_local
from pandas_magic.clock import Instant
from pandas_magic.errors import NoSuchName, TableUnreadable
from pandas_magic.history.run import Run
from pandas_magic.registry.compiled_check import CompiledCheck

# Of what is noted on a table; a title above the header is no row to anybody.
_PASSED_OVER = re.compile(r"\bmissing\b|\bthose of UTC\b|^(?!.*above the header).*\bleft out\b")


def why_not_in_part(catalog: Catalog, compiled: CompiledCheck) -> str:
    """Why the check cannot judge the part that the catalog is of, with the next step; "" where it can, or is all."""
    if not catalog.since:
        return ""
    whole, target = f"run it without --since: pandas-magic run {compiled.id}", compiled.target
    if not is_row_local(compiled.constraint) or set(compiled.plan.reads) != {target}:
        return f'its rule "{compiled.check.rule}" needs all rows of {", ".join(compiled.plan.reads)}; {whole}'
    try:
        source = catalog.source(target)
        if isinstance(source, PartTable):
            source.partitions()
            return ""
    except TableUnreadable as error:
        return str(error)
    except NoSuchName:
        return ""  # it is said of every run
    return f"{target} is no folder of Parquet files, which alone have partitions; {whole}"


def words_for(catalog: Catalog, table: str) -> str:
    """What a verdict calls the rows that it is about: "sales", "sales (other.csv)", "sales since 2026-01-31"."""
    given = catalog.given_place(table)
    named = f"{table} ({given.rpartition('/')[2]})" if given and catalog.stands_before(table) else table
    return f"{named} since {catalog.since}" if catalog.since else named


def said_of_frames(catalog: Catalog, tables: Iterable[str]) -> tuple[str, ...]:
    """Which of the tables are DataFrames, or were given, in place of files of their names."""
    found = {name: catalog.stands_before(name) for name in tables}
    return tuple(f"{name} is {what}" for name, what in found.items() if what)


def with_tables(run: Run, catalog: Catalog, reads: Iterable[str], *, now: str, is_named: bool) -> Run:
    """The run of a check that reads these tables, with what it looked at: a part, files and a moment that were named.

    It is a trial where a file stands before the workspace's own, or where `now` `is_named` for it as another day.
    """
    given = {name: place for name in reads if (place := catalog.given_place(name))}
    trial = [f"{name} is {what}" for name in given if (what := catalog.stands_before(name))]
    notes, moment = run.notes, Instant.at(now).local if now and is_named else None
    if moment is not None and moment.date() != Instant.current().local.date():
        trial.append(f"as of {moment:%Y-%m-%d %H:%M}")
        notes = (*notes, f"judged {trial[-1]}, and not as of today")
    facts = {"since": catalog.since, "given": given, "as_of": now, "trial": ", ".join(trial), "notes": notes}
    return run.model_copy(update=facts)


def said_of_reading(catalog: Catalog, reads: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """What no row shows of the files that are read: lines left out, words and rows in whose place nothing stands.

    Also days and hours that are not the written ones. Of columns, those that are read.

    Raises: NoSuchName, TableUnreadable.
    """
    found = []
    for name, columns in reads.items():
        of_read = tuple(f'column "{column}":' for column in columns)
        notes = [note for note in catalog.schema(name).notes if _PASSED_OVER.search(note)]
        found += [f"{name}, {note}" for note in notes if note.startswith(of_read) or not note.startswith('column "')]
    return tuple(found)


def said_of_part(catalog: Catalog, compiled: CompiledCheck) -> tuple[str, ...]:
    """Which part of its table the check looks at; nothing where it is all of it. Raises: TableUnreadable."""
    source = catalog.source(compiled.target) if catalog.since else None
    if not isinstance(source, PartTable):
        return ()
    part = source.partitions().in_words(compiled.target)
    return (f"judged {part}, and nothing of the others: this is no verdict on {compiled.target}",)

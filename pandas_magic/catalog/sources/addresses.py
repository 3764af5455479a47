"""Where tables come from besides files and frames: databases and object stores, by the scheme of an address.

A source is a function registered under its scheme in the entry-point group `pandas_magic.sources`; ours are registered
the same way. It gets a `Location` and gives the tables there by name.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Protocol

import pandas as pd
import pyarrow as pa
from pydantic import Field, ValidationError

from pandas_magic.catalog.cache.columnar import ColumnarCache
from pandas_magic.catalog.readers import ReadOptions
from pandas_magic.catalog.table import Table
from pandas_magic.errors import TableUnreadable, UsageMistake, nearest_name, quoted_list
from pandas_magic.record import Record

GROUP = "pandas_magic.sources"
_VARIABLE = re.compile(r"\$\{(\w+)\}")


class Source(Protocol):
    """One table, wherever it lives. The catalog calls it; positions count rows from 0."""

    name: str

    def identity(self) -> str:
        """What changes whenever the table does; "" when that cannot be told."""

    def schema(self) -> Table:
        """The table's schema, without reading more than is needed."""

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows on a RangeIndex, all columns or those named."""

    def rows(self, positions: Sequence[int]) -> pd.DataFrame:
        """Whole rows by position, with the index that their owner gave them."""

    def batches(self, columns: Sequence[str], *, rows: int = ...) -> Iterator[pa.Table]:
        """The rows in order, about so many at a time; at least one batch, which may be empty."""


class Location(Record):
    """Where a table is, or several are, and how they are to be read, as a section of `tables.toml` says it."""

    uri: str = ""  # "": options for the file of that name in the data folder
    table: str = ""  # one table of a database, its schema before a dot; "": every table
    query: str = ""  # a SELECT whose rows are the table
    endpoint: str = ""  # the server of an S3-compatible store
    region: str = ""
    anonymous: bool = False
    read: ReadOptions = Field(default_factory=ReadOptions)


DECLARED = "tables.toml"
# The section that the bucket named by S3_BUCKET_NAME stands for.
_BUCKET = "s3"
OpenSource = Callable[[str, Location, ColumnarCache | None], Mapping[str, Source]]


def open_source(name: str, location: Location, columns: ColumnarCache | None) -> Mapping[str, Source]:
    """The tables at a location, by name; `name` alone when there is one, else as the beginning of each.

    Raises: TableUnreadable when its scheme is unknown, or it cannot be reached.
    """
    scheme = scheme_of(location.uri)
    found = _registered()
    if scheme not in found:
        guess = nearest_name(scheme, found)
        meant = f'. Did you mean "{guess}"?' if guess else ""
        raise TableUnreadable(f'"{name}": no source reads {scheme}:// addresses; there are {quoted_list(found)}{meant}')
    try:
        source: OpenSource = found[scheme].load()
    except Exception as error:  # whatever a plug-in of others does wrong is said, and stops nothing else
        raise TableUnreadable(f'"{name}": the source for {scheme}:// cannot be loaded: {error}') from error
    return source(name, location, columns)


def scheme_of(uri: str) -> str:
    """The scheme of an address: "postgresql" for "postgresql+psycopg://host/db"."""
    return uri.partition("://")[0].partition("+")[0].lower()


def locations_in(path: Path, environ: Mapping[str, str] | None = None) -> dict[str, Location]:
    """The sections of a `tables.toml` by table name; none when there is no such file.

    `${NAME}` in an address stands for that environment variable, so that no password is written down.

    Raises: UsageMistake naming the file, the section and the entry.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise UsageMistake(f"{path} cannot be read: {error}") from error
    return {name: _location(path, name, section, environ or os.environ) for name, section in content.items()}


def location_in_environment(environ: Mapping[str, str] | None = None) -> Location | None:
    """The bucket that `S3_BUCKET_NAME` (and `S3_BASE_PATH` in it) names; None when it is not set."""
    environ = os.environ if environ is None else environ
    bucket = environ.get("S3_BUCKET_NAME", "").strip("/")
    if not bucket:
        return None
    base = environ.get("S3_BASE_PATH", "").strip("/")
    return Location(uri=f"s3://{bucket}/{base}/" if base else f"s3://{bucket}/")


def _location(path: Path, name: str, section: object, environ: Mapping[str, str]) -> Location:
    if not isinstance(section, dict):
        raise UsageMistake(f'{path}: "{name}" stands outside a section; write it below a line like [orders]')
    where = {key: value for key, value in section.items() if key in Location.model_fields and key != "read"}
    how = {key: value for key, value in section.items() if key not in where}
    if "uri" in where:
        where["uri"] = expanded(str(where["uri"]), f"{path}: [{name}]", environ)
    try:
        return Location.model_validate({**where, "read": how})
    except ValidationError as error:
        first = error.errors()[0]
        entry = str(first["loc"][-1])
        guess = nearest_name(entry, [*ReadOptions.model_fields, *Location.model_fields])
        meant = f'. Did you mean "{guess}"?' if guess and guess != entry else ""
        raise UsageMistake(f'{path}: [{name}] "{entry}": {first["msg"]}{meant}') from error


def expanded(uri: str, where: str, environ: Mapping[str, str] = os.environ) -> str:
    """The address with the environment's value for each `${NAME}`. Raises: UsageMistake naming what is not set."""
    for variable in _VARIABLE.findall(uri):
        if variable not in environ:
            raise UsageMistake(f"{where} needs the environment variable {variable}, which is not set")
    return _VARIABLE.sub(lambda match: environ[match[1]], uri)


def place_of(table: object) -> str:
    """The file, or the address without credentials, that stands for a table; "" for anything else, as a DataFrame.

    >>> place_of("postgresql://ann:secret@db/shop?sslpassword=secret")
    'postgresql://db/shop'
    """
    if isinstance(table, str) and "://" in table:
        scheme, _, rest = table.partition("://")
        return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"
    return str(Path(table).resolve()) if isinstance(table, (str, Path)) else ""


@cache
def _registered() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def declared_locations(folder: Path | None, declared: Path | None) -> dict[str, Location]:
    """The locations that `tables.toml` in the folder and the file `declared` say, and the environment's bucket."""
    files = [folder / DECLARED] if folder is not None else []
    if declared is not None and declared not in files:
        files.append(declared)
    found = {name: location for file in files for name, location in locations_in(file).items()}
    bucket = location_in_environment() if folder is not None else None
    return {_BUCKET: bucket, **found} if bucket is not None else found

"""Files at `http://` and `https://` addresses."""

import shutil
from collections.abc import Mapping
from functools import partial
from http.client import HTTPException, HTTPResponse
from pathlib import Path, PurePosixPath
from typing import cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

from pandas_magic.catalog.cache.columnar import ColumnarCache
from pandas_magic.catalog.formats import format_of, known_suffixes
from pandas_magic.catalog.sources.addresses import Location, Source
from pandas_magic.catalog.sources.fetched import FetchedTable
from pandas_magic.errors import TableUnreadable

_SECONDS = 30.0


def open_tables(name: str, location: Location, cache: ColumnarCache | None) -> Mapping[str, Source]:
    """The file at the address as the table `name`. Nothing is fetched here.

    Raises: TableUnreadable when the address does not end like a file of a kind that is read.
    """
    address = without_credentials(location.uri)
    if format_of(Path(PurePosixPath(urlsplit(location.uri).path).name)) is None:
        raise TableUnreadable(f"{address} does not end in a suffix that is read: {', '.join(known_suffixes())}")
    version, fetch = partial(_version, location.uri), partial(_fetch, location.uri)
    size, part = partial(_size, location.uri), location.table
    return {name: FetchedTable(name, address, version, fetch, cache, location.read, part=part, size=size)}


def without_credentials(uri: str) -> str:
    """The address without user, password, query and fragment, any of which may be secret."""
    parts = urlsplit(uri)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme, f"{host}{port}", parts.path, "", ""))


def _version(uri: str) -> str:
    with _open(uri, "HEAD") as answer:
        seen = [answer.headers.get(name, "") for name in ("ETag", "Last-Modified", "Content-Length")]
    return "-".join(seen)


def _size(uri: str) -> int | None:
    with _open(uri, "HEAD") as answer:
        promised = answer.headers.get("Content-Length", "")
    return int(promised) if promised.isdecimal() else None


def _fetch(uri: str, path: Path) -> None:
    with _open(uri, "GET") as answer, path.open("wb") as out:
        shutil.copyfileobj(answer, out)
        promised = answer.headers.get("Content-Length")
    if promised is not None and path.stat().st_size != int(promised):
        raise TableUnreadable(f"{without_credentials(uri)} broke off after {path.stat().st_size:,} of {promised} bytes")


def _open(uri: str, method: str) -> HTTPResponse:
    address = without_credentials(uri)
    try:
        return cast(HTTPResponse, urlopen(Request(uri, method=method), timeout=_SECONDS))
    except HTTPError as error:
        with error:
            raise TableUnreadable(f"{address} cannot be read: the server says {error.code} {error.reason}") from error
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        raise TableUnreadable(f"{address} cannot be read: {reason}") from error

"""Object stores: `s3://`, `gs://` and `az://` addresses of files and of folders, over Arrow's file systems."""

import os
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from pandas_magic.catalog.cache.columnar import ColumnarCache
from pandas_magic.catalog.formats import format_of, table_name
from pandas_magic.catalog.sources.addresses import Location, Source, scheme_of
from pandas_magic.catalog.sources.azure import azure_files
from pandas_magic.catalog.sources.fetched import FetchedTable
from pandas_magic.errors import TableUnreadable

_CONNECT_SECONDS = 5.0
_REQUEST_SECONDS = 30.0
# How long Google's client tries again; it does so for a server that is not there, too.
_RETRY_SECONDS = 10.0
_CHUNK_BYTES = 8 * 1024**2
# What stores call their refusals, and what that means to the person who gave the address.
_REASONS = {
    "NO_SUCH_BUCKET": "there is no such bucket",
    "NO_SUCH_KEY": "there is no such file",
    "ACCESS_DENIED": "the credentials do not allow it; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "INVALID_ACCESS_KEY_ID": "the key id is not known there; check AWS_ACCESS_KEY_ID",
    "SIGNATURE_DOES_NOT_MATCH": "the secret key is wrong; check AWS_SECRET_ACCESS_KEY",
    "AuthenticationFailed": "the key is not the account's; check AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY",
    "Could not connect to server": "nothing answers there; check the endpoint",
    "Could not resolve host": "its server is not known; check the endpoint",
    "curlCode: 7": "nothing answers there; check the endpoint",
    "curlCode: 6": "its server is not known; check the endpoint",
    "curlCode: 28": "it does not answer in time; check the endpoint",
}


def open_tables(name: str, location: Location, cache: ColumnarCache | None) -> Mapping[str, Source]:
    """The file at the address as the table `name`; or every file below it, as `name_file` or `name_group_file`.

    Credentials come from where the stores' own tools look for them (environment, profile, instance), never from the
    address. Nothing is fetched here.

    Raises: TableUnreadable when the store does not answer or refuses.
    """
    key = location.uri.partition("://")[2]
    store = ObjectStore(location, cache)
    if not key.endswith("/") and format_of(Path(key)) is not None:
        return {name: store.table(name, key)}
    found: dict[str, Source] = {}
    for path in store.listed(key.rstrip("/")):
        below = PurePosixPath(path).relative_to(key.rstrip("/"))
        group = below.parts[0] if len(below.parts) > 1 else ""
        step = f"{group}_" if group else ""
        full = f"{name}_{step}{table_name(Path(path))}"
        if full in found:
            raise TableUnreadable(f'table "{full}" could be {found[full].schema().origin} or {store.address(path)}')
        found[full] = store.table(full, path, group)
    return found


class ObjectStore:
    """The store of a location: its files by their keys, which begin with the bucket or container."""

    def __init__(self, location: Location, cache: ColumnarCache | None) -> None:
        self._location, self._cache = location, cache
        self._scheme = scheme_of(location.uri)
        self._files = _file_system(self._scheme, location)

    def address(self, key: str) -> str:
        """Where a file is, for people."""
        return f"{self._scheme}://{key}"

    def listed(self, key: str) -> list[str]:
        """The keys of the files below a folder that are of a kind that is read, sorted. Raises: TableUnreadable."""
        import pyarrow.fs

        try:
            infos = self._files.get_file_info(pyarrow.fs.FileSelector(key, recursive=True))
        except OSError as error:
            raise self._refused(key, error) from error
        return sorted(info.path for info in infos if info.is_file and format_of(Path(info.path)) is not None)

    def table(self, name: str, key: str, group: str = "") -> FetchedTable:
        """A file as a table."""
        version, fetch, size = partial(self.version, key), partial(self.fetch, key), partial(self.size, key)
        read, part = self._location.read, self._location.table
        return FetchedTable(
            name, self.address(key), version, fetch, self._cache, read, part=part, group=group, size=size
        )

    def size(self, key: str) -> int | None:
        """The bytes of a file; None when the store does not tell. Raises: TableUnreadable when it does not answer."""
        try:
            size: int | None = self._files.get_file_info(key).size
        except OSError as error:
            raise self._refused(key, error) from error
        return size

    def version(self, key: str) -> str:
        """What changes with a file: its ETag, or else size and time of change. Raises: TableUnreadable."""
        try:
            if self._scheme != "gs":  # there opening a file begins to fetch it, and tells no ETag
                with self._files.open_input_file(key) as file:
                    facts = file.metadata() or {}
                    if b"ETag" in facts or "ETag" in facts:
                        return str(facts.get("ETag") or facts.get(b"ETag"))
            info = self._files.get_file_info(key)
            if not info.is_file:
                raise FileNotFoundError(key)
        except OSError as error:
            raise self._refused(key, error) from error
        return f"{info.size}-{info.mtime_ns}"

    def fetch(self, key: str, path: Path) -> None:
        """Write a file to a path. Raises: TableUnreadable when it cannot be read, or breaks off."""
        try:
            promised = self._files.get_file_info(key).size
            with self._files.open_input_stream(key) as content, path.open("wb") as out:
                while chunk := content.read(_CHUNK_BYTES):
                    out.write(chunk)
        except OSError as error:
            raise self._refused(key, error) from error
        if path.stat().st_size != promised:
            raise TableUnreadable(
                f"{self.address(key)} broke off after {path.stat().st_size:,} of {promised or 0:,} bytes"
            )

    def _refused(self, key: str, error: OSError) -> TableUnreadable:
        if isinstance(error, FileNotFoundError):
            return TableUnreadable(f"{self.address(key)} is gone; put it back or choose another table")
        text = str(error)
        known = next((words for sign, words in _REASONS.items() if sign in text), "")
        return TableUnreadable(f"{self.address(key)} cannot be read: {known or text.splitlines()[0]}")


def _file_system(scheme: str, location: Location) -> Any:  # noqa: ANN401 - Arrow carries no types
    import pyarrow.fs

    if scheme == "s3":
        endpoint = location.endpoint or os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
        return pyarrow.fs.S3FileSystem(
            endpoint_override=endpoint or None,
            region=location.region or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1",
            anonymous=location.anonymous,
            connect_timeout=_CONNECT_SECONDS,
            request_timeout=_REQUEST_SECONDS,
            retry_strategy=pyarrow.fs.AwsStandardS3RetryStrategy(max_attempts=2),
        )
    if scheme == "gs":
        host, protocol = _host_of(location.endpoint)
        return pyarrow.fs.GcsFileSystem(
            anonymous=location.anonymous,
            endpoint_override=host or None,
            scheme=protocol,
            retry_time_limit=timedelta(seconds=_RETRY_SECONDS),
        )
    return azure_files(location.uri, *_host_of(location.endpoint))


def _host_of(endpoint: str) -> tuple[str, str]:
    """The host of an endpoint ("" for the store's own) and "http" or "https"."""
    protocol, _, host = endpoint.rpartition("://")
    return host.rstrip("/"), protocol or "https"

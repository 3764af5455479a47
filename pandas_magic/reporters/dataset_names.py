"""Tables under the names that OpenLineage gives their datasets, so that the lineage of several tools joins.

Source: OpenLineage, naming conventions (openlineage.io/docs/spec/naming). They have no name for SQLite and DuckDB,
whose files are datasets of the local file system here, nor for web pages, whose parts follow the general scheme.
"""

from pathlib import Path
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from pandas_magic.catalog.sources.addresses import scheme_of

OURS = "pandas_magic"  # the namespace of what lies nowhere that others know: a query, a frame of a notebook
_PORTS = {"postgresql": 5432, "mysql": 3306}
_SCHEMES = {"postgresql": "postgres", "mysql": "mysql"}
_DEFAULT_SCHEMA = "public"  # of PostgreSQL, where a table is named without one
_LOCAL = "localhost"


def dataset_name(table: str, origin: str) -> tuple[str, str]:
    """The namespace and the name of a table's dataset, from its file or its address without credentials.

    Of a database's table the address ends with a space and the table. What cannot be named so is `OURS` and the table.
    """
    address, _, part = origin.partition(" ")
    scheme = scheme_of(address) if "://" in address else ""
    if origin and not scheme:
        return "file", str(Path(origin).absolute())
    if scheme in ("s3", "gs"):
        bucket, _, key = origin.partition("://")[2].partition("/")
        return f"{scheme}://{bucket}", key
    parts = urlsplit(address)
    key = unquote(parts.path).removeprefix("/")
    if scheme in ("http", "https") and key:
        return f"{scheme}://{parts.netloc.rpartition('@')[2]}", key  # what follows "?" may be a secret
    if scheme == "sqlite" and key:
        return "file", str(Path(key).absolute())
    if scheme in _PORTS and key and part:
        return f"{_SCHEMES[scheme]}://{_server(parts, _PORTS[scheme])}", ".".join((key, *_within(scheme, part)))
    return OURS, table


def _server(parts: SplitResult, port: int) -> str:
    """The host and the port, which libpq also reads from the query; a socket in a folder is this machine's."""
    asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    host = parts.hostname or asked.get("host", _LOCAL)
    return f"{_LOCAL if host.startswith('/') else host}:{parts.port or asked.get('port', port)}"


def _within(scheme: str, part: str) -> tuple[str, ...]:
    return (_DEFAULT_SCHEMA, part) if scheme == "postgresql" and "." not in part else (part,)

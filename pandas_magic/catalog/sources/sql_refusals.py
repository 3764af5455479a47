"""Why a database cannot be reached at all, in words that show nothing of its address but the scheme."""

from pathlib import Path
from typing import TYPE_CHECKING

from pandas_magic.catalog.sources.addresses import scheme_of

if TYPE_CHECKING:
    from sqlalchemy import URL


def what_is_missing(uri: str, package: str) -> str:
    """What to install for an address."""
    scheme = scheme_of(uri)
    extra = {"sqlalchemy": "sql", "psycopg": "postgresql"}.get(package)
    if extra is None:
        other = f"{scheme}+DRIVER://"
        return (
            f"{scheme}:// needs the driver {package}, which is not installed; install it, or name yours as in {other}"
        )
    return f"a database needs a package that is missing ({package}): pip install 'pandas-magic[{extra}]'"


def what_is_wrong(uri: str, error: Exception) -> str:
    """What is wrong with an address that SQLAlchemy does not take; its own words may hold a part of the password."""
    if type(error).__name__ == "NoSuchModuleError":
        return f"SQLAlchemy knows no {uri.partition('://')[0]}:// addresses; check what stands before ://"
    return (
        f"the {scheme_of(uri)}:// address cannot be taken apart; in a password write @ / : as %40 %2F %3A, "
        "and check the port"
    )


def is_gone(url: "URL") -> bool:
    """Whether it names a file that is not there: connecting to it would make an empty one."""
    name = url.database or ""
    is_file = url.drivername.startswith("sqlite") and name not in ("", ":memory:") and not name.startswith("file:")
    return is_file and not Path(name).exists()

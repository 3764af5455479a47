"""Checks to and from Great Expectations, pandera, dbt and Soda; what cannot cross is listed, never dropped.

Each peer has a package with `write` (compiled checks → its file) and `read` (its file → checks whose rules are
canonical sentences); `exporting` and `importing` are what all of them do. `demands` takes rules apart as peers state
them, `query_text` and `sql_text` say conditions in their languages, `query_filters`, `sql_filters` and `regexes` read
theirs. `marks` carry id, owner, severity and tags.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pandas_magic.errors import UsageMistake

if TYPE_CHECKING:
    from pandas_magic.peers.transfers import Exported, Imported, NotExpressed, NotUnderstood, Remark
    from pandas_magic.registry.compiled_check import CompiledCheck

# What is written or read -> the package and its function; loaded on first use.
_WRITERS = {
    "great-expectations": ("great_expectations", "write"),
    "pandera": ("pandera", "write_python"),
    "pandera-yaml": ("pandera", "write_yaml"),
    "dbt": ("dbt", "write"),
    "soda": ("soda", "write"),
    "odcs": ("contracts", "write"),
}
_READERS = {
    **{name: (package, "read") for name, (package, _) in _WRITERS.items() if name != "pandera-yaml"},
    "frictionless": ("contracts", "read_table_schema"),
    "json-schema": ("contracts", "read_json_schema"),
}
WRITTEN, READ = tuple(_WRITERS), tuple(_READERS)

__all__ = [
    "READ",
    "WRITTEN",
    "Exported",
    "Imported",
    "NotExpressed",
    "NotUnderstood",
    "Remark",
    "export_checks",
    "import_checks",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the signature that Python gives this hook
    # Records are loaded on first use: what the peers are called is asked for by commands that need nothing else.
    if name in __all__:
        return getattr(import_module(f"{__name__}.transfers"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def export_checks(checks: "Sequence[CompiledCheck]", to: str, *, table: str = "") -> "Exported":
    """The checks (of one table, when it is named) as a file for the peer: one of `WRITTEN`.

    Raises: UsageMistake for another peer, and for several tables where its file is about one.
    """
    write: Callable[[Sequence[CompiledCheck]], Exported] = _function(_WRITERS, to)
    about = [check for check in checks if not table or (check.constraint and check.constraint.table == table)]
    return write(about)


def import_checks(text: str, source: str, *, table: str = "") -> "Imported":
    r"""The checks in a peer's file: one of `READ`. Nothing in the file is run.

    `table` names the table where the file does not, or the only one that is wanted where it has several.

    >>> found = import_checks("checks for orders:\n- missing_count(user_id) = 0\n- max(score) < 9.5 sigma", "soda")
    >>> [check.rule for check in found.checks], [other.what for other in found.not_understood]
    (['orders: user_id must be present'], ['orders: max(score) < 9.5 sigma'])

    Raises: UsageMistake for another peer, and for a text that is no file of that peer.
    """
    if not isinstance(text, str):
        raise UsageMistake(f"what is imported is of the type {type(text).__name__}; give the text of the file")
    read: Callable[..., Imported] = _function(_READERS, source)
    return read(text, table=table)


def _function(known: Mapping[str, tuple[str, str]], name: str) -> Any:  # noqa: ANN401 - a writer or a reader
    if name not in known:
        raise UsageMistake(f'"{name}" is no peer; there are {", ".join(known)}')
    package, function = known[name]
    return getattr(import_module(f"{__name__}.{package}"), function)

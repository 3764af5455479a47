"""Whether compiled checks still fit the tables of a catalog."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pandas_magic.errors import GlossaryUnreadable, NoSuchName, TableUnreadable
from pandas_magic.registry.staleness import staleness

if TYPE_CHECKING:
    from pandas_magic.catalog import Catalog, Table
    from pandas_magic.registry.compiled_check import CompiledCheck


def stale_reasons(catalog: Catalog, checks: Iterable[CompiledCheck]) -> dict[str, str]:
    """Why each check no longer fits, in one clause, "" when it does; by id. Each table is looked at once."""
    seen: dict[str, Table | str] = {}  # a text: why it cannot be read; "" when it is gone
    reasons = {}
    for compiled in checks:
        for name in compiled.schemas:
            if name not in seen:
                seen[name] = _look_at(catalog, name)
        found = {name: seen[name] for name in compiled.schemas}
        unreadable = next((why for why in found.values() if isinstance(why, str) and why), "")
        tables = {name: table for name, table in found.items() if not isinstance(table, str)}
        reasons[compiled.id] = unreadable or staleness(compiled, None, tables)
    return reasons


def _look_at(catalog: Catalog, name: str) -> Table | str:
    try:
        return catalog.schema(name)
    except NoSuchName:
        return ""  # staleness says that the table is gone
    except (TableUnreadable, GlossaryUnreadable) as error:
        return str(error)

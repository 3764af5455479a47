"""What a change of a table touches: the checks that have to be compiled again, and those that need not."""

from collections.abc import Mapping, Sequence

from pandas_magic.catalog.schema_changes import SchemaDiff
from pandas_magic.record import Record
from pandas_magic.registry.compiled_check import CompiledCheck


class Touched(Record):
    """A change of a table, and the ids of the checks on it: those that are stale by it, and those that are not."""

    change: SchemaDiff
    stale: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()

    def in_words(self) -> str:
        """One line: `orders: "note" was removed. Touches CHK-003; leaves CHK-001 alone`."""
        stale = f"Touches {', '.join(self.stale)}" if self.stale else "Touches no check"
        left = f"; leaves {', '.join(self.fresh)} alone" if self.fresh else ""
        return f"{self.change.in_words()}. {stale}{left}"


def touched(
    changes: Sequence[SchemaDiff], checks: Mapping[str, CompiledCheck], stale: Mapping[str, str]
) -> list[Touched]:
    """What each change touches, of checks by id; `stale` has the reason for each one that is stale.

    A check that reads a changed column is still fresh where the change does not matter, as when integers became floats.
    """
    found = []
    for change in changes:
        on_it = [check_id for check_id, compiled in checks.items() if change.table in compiled.schemas]
        hit = [
            check_id
            for check_id in on_it
            if stale.get(check_id) and set(change.broken) & set(checks[check_id].schemas[change.table])
        ]
        left = [check_id for check_id in on_it if check_id not in hit]
        found.append(Touched(change=change, stale=tuple(hit), fresh=tuple(left)))
    return found

"""What every exporter does: check after check is said in the peer's words, or listed with the reason why not."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from pandas_magic.constraints import Constraint
from pandas_magic.peers.marks import Mark, mark_of
from pandas_magic.peers.transfers import CannotSay, NotExpressed
from pandas_magic.registry.compiled_check import CompiledCheck

_Said = TypeVar("_Said")


def express(
    checks: Iterable[CompiledCheck], say: Callable[[Constraint, Mark], _Said]
) -> tuple[list[tuple[Constraint, Mark, _Said]], tuple[NotExpressed, ...]]:
    """What `say` makes of each check, and the checks for which it raised CannotSay."""
    told, missing = [], []
    for check in checks:
        try:
            rule = _rule_of(check)
            mark = mark_of(check)
            told.append((rule, mark, say(rule, mark)))
        except CannotSay as reason:
            missing.append(NotExpressed(check_id=check.id, reason=str(reason)))
    return told, tuple(missing)


def _rule_of(check: CompiledCheck) -> Constraint:
    """The rule whose violations give the check's verdict, and nothing else does."""
    if check.constraint is None:
        raise CannotSay("it has code but no typed rule")
    if not check.check.enabled:
        raise CannotSay("it is switched off")
    if check.check.bands is not None:
        raise CannotSay("it warns and fails from a number of failing rows on, which has no form there")
    if check.exceptions:
        raise CannotSay("rows are known exceptions to it, which have no form there")
    return check.constraint


def tables_of(checks: Iterable[CompiledCheck]) -> list[str]:
    """The tables that the checks are about."""
    return sorted({check.constraint.table for check in checks if check.constraint is not None})

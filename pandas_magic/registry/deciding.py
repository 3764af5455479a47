"""Writing down what people decide: a rest until a day, an exception, and taking either back."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from pandas_magic.catalog.table import Table
from pandas_magic.clock import timestamp
from pandas_magic.constraints.algebra.rules import RowRule
from pandas_magic.errors import NoSuchName, PandasMagicError, TableUnreadable, UsageMistake
from pandas_magic.registry import Registry
from pandas_magic.registry.approval import who
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.decisions import Bands, KnownException, Snooze
from pandas_magic.registry.row_keys import key_of, refuse_other_key

if TYPE_CHECKING:
    from pandas_magic.workspace import Workspace

_Decision = TypeVar("_Decision")


def decide_rest(workspace: Workspace, check_id: str, said: Namespace) -> str:
    """Do what `snooze` with these options says, and tell it in one line.

    Raises: NoSuchName; UsageMistake.
    """
    if said.end and said.until:
        raise UsageMistake("--end lets the check run again, and --until lets it rest; take one of them")
    if said.end:
        wake(workspace.registry, check_id)
        return f"{check_id} runs again"
    if not said.until:
        raise UsageMistake(f"{check_id} rests until a day: --until DAY --reason TEXT, or --end")
    by, today = said.by or who(workspace.base_dir), workspace.runner.instant().local.date()
    decided = snooze(workspace.registry, check_id, until=said.until, reason=said.reason or "", by=by, today=today)
    assert decided.snooze is not None
    return f"{check_id} is snoozed until {decided.snooze.until}: {decided.snooze.reason}"


def decide_exception(workspace: Workspace, check_id: str, said: Namespace) -> str:
    """Do what `except` with these options says, and tell it in one line.

    Raises: NoSuchName; UsageMistake.
    """
    key = said.key or ()
    if said.remove:
        remove_exception(workspace.registry, check_id, key)
        return f"{check_id} counts rows of {', '.join(key)} again"
    by, today = said.by or who(workspace.base_dir), workspace.runner.instant().local.date()
    reason, until = said.reason or "", said.until or ""
    registry, schema_of = workspace.registry, workspace.catalog.schema
    compiled = add_exception(
        registry, check_id, key=key, reason=reason, until=until, by=by, today=today, schema_of=schema_of
    )
    decided = compiled.exceptions[-1]
    ends = f" until {decided.until}" if decided.until else ""
    return f"{check_id} does not count rows of {decided.named()}{ends}: {decided.reason}"


def snooze(registry: Registry, check_id: str, *, until: str, reason: str, by: str, today: date) -> CompiledCheck:
    """Let the check rest until the day, on which it runs again.

    Raises: NoSuchName; UsageMistake for a missing reason or a day that is none or has come.
    """
    return _only(snooze_each(registry, [check_id], until=until, reason=reason, by=by, today=today))


def snooze_each(
    registry: Registry, check_ids: Sequence[str], *, until: str, reason: str, by: str, today: date
) -> dict[str, CompiledCheck | PandasMagicError]:
    """The same for many checks; the error of one stands in its place. Raises: UsageMistake."""
    said = _made(lambda: Snooze(until=_day(until, today), reason=reason, by=by, at=timestamp()))
    return registry.change_each(check_ids, lambda compiled: compiled.model_copy(update={"snooze": said}))


def wake(registry: Registry, check_id: str) -> CompiledCheck:
    """Let the check run again, and forget that it rested. Raises: NoSuchName."""
    return _only(wake_each(registry, [check_id]))


def wake_each(registry: Registry, check_ids: Sequence[str]) -> dict[str, CompiledCheck | PandasMagicError]:
    """The same for many checks; the error of one stands in its place."""
    return registry.change_each(check_ids, lambda compiled: compiled.model_copy(update={"snooze": None}))


def add_exception(
    registry: Registry,
    check_id: str,
    *,
    key: Sequence[str],
    reason: str,
    until: str,
    by: str,
    today: date,
    schema_of: Callable[[str], Table] | None = None,
) -> CompiledCheck:
    """Let rows with this key ("order_id=17") break the rule; one of the same key is replaced.

    Raises: NoSuchName; UsageMistake for a missing reason, a key that is none or that no row of the checked table can
    have, where `schema_of` gives its columns, or a day that is none or has come.
    """
    named = key_of(key)

    def with_it(compiled: CompiledCheck) -> CompiledCheck:
        table = _checked_table(compiled, schema_of)
        if table is not None:
            refuse_other_key(named, table)
        exception = KnownException(
            key=named,
            reason=reason,
            until=_day(until, today) if until else "",
            by=by,
            at=timestamp(),
            rule_digest=compiled.rule_digest,
        )
        others = tuple(known for known in compiled.exceptions if known.key != named)
        return compiled.model_copy(update={"exceptions": (*others, exception)})

    return _made(lambda: registry.change(check_id, with_it))


def _checked_table(compiled: CompiledCheck, schema_of: Callable[[str], Table] | None) -> Table | None:
    """The table whose rows break the rule; None where these are no rows of one, or it is not here."""
    if schema_of is None or not isinstance(compiled.constraint, RowRule | None):
        return None
    try:
        return schema_of(compiled.target)
    except (NoSuchName, TableUnreadable):
        return None


def remove_exception(registry: Registry, check_id: str, key: Sequence[str]) -> CompiledCheck:
    """Count rows with this key again. Raises: NoSuchName; UsageMistake when there is no such exception."""
    named = key_of(key)

    def without_it(compiled: CompiledCheck) -> CompiledCheck:
        left = tuple(known for known in compiled.exceptions if known.key != named)
        if len(left) == len(compiled.exceptions):
            there = "; ".join(known.named() for known in compiled.exceptions) or "none"
            raise UsageMistake(f"{check_id} has no exception for {', '.join(key)}; it has {there}")
        return compiled.model_copy(update={"exceptions": left})

    return registry.change(check_id, without_it)


def bands_of(warn: str | None, fail: str | None) -> Bands | None:
    """The bands that people write as "1" and "10", or as "1%"; None when they said neither.

    Raises: UsageMistake when they make no sense, alone or together.
    """
    return None if warn is None and fail is None else _made(lambda: Bands(warn=warn, fail=fail))


def _only(outcomes: dict[str, CompiledCheck | PandasMagicError]) -> CompiledCheck:
    (outcome,) = outcomes.values()
    if isinstance(outcome, PandasMagicError):
        raise outcome
    return outcome


def _day(text: str, today: date) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise UsageMistake(f'"{text}" is no day; write it as {today.isoformat()}') from error
    if day <= today:
        raise UsageMistake(f"{text} has come already; name a day after {today.isoformat()}")
    return day.isoformat()


def _made(make: Callable[[], _Decision]) -> _Decision:
    try:
        return make()
    except ValidationError as error:
        first = error.errors()[0]
        said = first["msg"].removeprefix("Value error, ")
        raise UsageMistake(f"{first['loc'][-1] if first['loc'] else 'this'}: {said}") from error

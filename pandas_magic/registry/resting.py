"""Checks that do not run for a while, and since when they do again."""

from datetime import date

from pandas_magic.registry.compiled_check import CompiledCheck


def why_resting(compiled: CompiledCheck, day: date) -> str:
    """Why the check does not run on that day, in one clause; "" when it does."""
    if not compiled.check.enabled:
        return "it is disabled"
    snooze = compiled.snooze
    if snooze is None or not snooze.counts_on(day):
        return ""
    by = f" by {snooze.by}" if snooze.by else ""
    return f"snoozed until {snooze.until}{by}: {snooze.reason}"


def said_of_rest(compiled: CompiledCheck, day: date) -> tuple[str, ...]:
    """The note for a run after a snooze has ended by itself, until somebody takes the snooze away."""
    snooze = compiled.snooze
    if snooze is None or snooze.counts_on(day):
        return ()
    return (
        f"its snooze ended on {snooze.until} ({snooze.reason}); forget it: pandas-magic snooze {compiled.id} --end",
    )

"""How two pieces of code differ, as people read it."""

from difflib import unified_diff

_WHOLE = 100  # lines around a change that are shown: a check is shorter, so all of it is


def difference(before: str, after: str, *, names: tuple[str, str]) -> str:
    """How two pieces of code differ, as a unified diff under their names; "" when they do not."""
    lines = unified_diff(before.splitlines(), after.splitlines(), *names, lineterm="", n=_WHOLE)
    return "\n".join(lines)

"""How bad it is when a check fails: four words, which commands offer before anything large is imported."""

from typing import Literal, get_args

Severity = Literal["low", "medium", "high", "critical"]
SEVERITIES: tuple[str, ...] = get_args(Severity)  # the mildest first

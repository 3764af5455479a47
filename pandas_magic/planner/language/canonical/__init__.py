"""Canonical words read back: what `constraints.describe` says becomes the same constraint again."""

from pandas_magic.planner.language.canonical.reader import read_canonical, read_condition, read_expression

__all__ = ["read_canonical", "read_condition", "read_expression"]

"""Prose read loosely: rules that a sentence may mean are built from what its words name, put in order, and asked."""

from pandas_magic.planner.language.loose.makeup import makeups
from pandas_magic.planner.language.loose.proposing import ProposedRule, propose, telling_parts, told, without_label

__all__ = ["ProposedRule", "makeups", "propose", "telling_parts", "told", "without_label"]

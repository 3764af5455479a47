"""The rule language: a sentence becomes a typed constraint, or a refusal that says why. Nothing is guessed."""

from pandas_magic.planner.language.compiler import MAX_CHARACTERS, Understood, compile_rule, restated_rule
from pandas_magic.planner.language.completing import completions, split_rules

__all__ = ["MAX_CHARACTERS", "Understood", "compile_rule", "completions", "restated_rule", "split_rules"]

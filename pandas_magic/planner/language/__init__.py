"""The rule language: a sentence becomes a typed constraint, or a refusal that says why. Nothing is guessed."""

from pandas_magic.planner.grammar import completions, language_page, split_rules
from pandas_magic.planner.language.compiler import MAX_CHARACTERS, Understood, compile_rule

__all__ = ["MAX_CHARACTERS", "Understood", "compile_rule", "completions", "language_page", "split_rules"]

"""The rule language: a sentence becomes a typed constraint, or a refusal that says why. Nothing is guessed."""

from pandas_magic.planner.grammar import Understood, compile_rule, completions, language_page, split_rules

__all__ = ["Understood", "compile_rule", "completions", "language_page", "split_rules"]

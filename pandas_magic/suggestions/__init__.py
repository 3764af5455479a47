"""Checks that are offered: from tables, from code that exists, from past runs."""

from pandas_magic.suggestions.asking import suggest
from pandas_magic.suggestions.suggestion import Suggestion, Suggestions, Withheld

__all__ = ["Suggestion", "Suggestions", "Withheld", "suggest"]

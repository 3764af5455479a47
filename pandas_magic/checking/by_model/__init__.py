"""Checks for rules that only a model understands: nothing of what it says is believed without a second opinion.

`restating` asks for the rule in the rule language, `code_writing` for code where that language ends; `trials` runs what
came back, `opinions` asks again in another way and compares. Both ways end in `compile_with_model`.
"""

from pandas_magic.checking.by_model.compiling import compile_refused, compile_with_model

__all__ = ["compile_refused", "compile_with_model"]

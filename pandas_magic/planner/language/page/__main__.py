"""`python -m pandas_magic.planner.language.page > docs/language.md`."""

from pandas_magic.planner.language.page import language_page

print(language_page(), end="")

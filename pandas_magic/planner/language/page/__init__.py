"""The page of the language, made from the data files of its grammar; every sentence on it is read meanwhile.

`page.md` is what the page says in its own words, `page.toml` the tables and the sentences of its examples.
"""

from pandas_magic.planner.language.page.writing import (
    EXAMPLE_TABLES,
    FORMS,
    SAMPLES,
    UNSAID,
    Form,
    Unsaid,
    language_page,
)

__all__ = ["EXAMPLE_TABLES", "FORMS", "SAMPLES", "UNSAID", "Form", "Unsaid", "language_page"]

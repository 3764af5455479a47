"""Doors: ways of writing rules that are no prose, each small, each knowing when it is not meant.

`statements` reads SQL, DDL and pandas (`sql_terms` and `python_terms` turn both into `terms`, `meaning` and `values`
into conditions), `dictionary` lines of a data dictionary by the patterns of facts.toml, `columns` which columns a
table must have; `expectations` and `restating` know what says the same in another form. A door never guesses a name; it
takes the whole text, or is not meant.
"""

from pandas_magic.planner.language.doors.reading import DoorAnswer, read_by_doors

__all__ = ["DoorAnswer", "read_by_doors"]

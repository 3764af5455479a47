"""The strict reader of prose: every reading of a sentence that the grammar in the data files allows.

`data/*.toml` holds the grammar: classes of phrases, and productions, each a pattern of words and slots (`patterns`), a
meaning (`templates`, with the functions of `expressions`, `conditions`, `shapes` and `claims`) and an example. `grammar`
lays them together, `chart` finds every reading, `mentions` reads what names data, `sameness` tells which readings are one.
"""

from pandas_magic.planner.language.strict.reading import StrictReading, read_strictly

__all__ = ["StrictReading", "read_strictly"]

"""The strict reader of prose: every reading of a sentence that the grammar in the data files allows.

`data/*.toml` holds the grammar: classes of phrases, and productions, each a pattern of words and slots (`patterns`)
with a meaning (`templates`): calls of the functions that `functions` gathers. `grammar` lays them together, `chart`
finds every reading, `mentions` and `talk` read what names data and what does not, `sameness` tells which readings are
one, `reading` chooses, `by_content` takes texts for the dates and numbers that they are, `completing` tells how a
sentence can go on.
"""

from pandas_magic.planner.language.strict.by_content import read_by_content
from pandas_magic.planner.language.strict.completing import words_behind
from pandas_magic.planner.language.strict.functions import the_grammar
from pandas_magic.planner.language.strict.reading import StrictReading, read_strictly, read_up_to, read_widely

__all__ = [
    "StrictReading",
    "read_by_content",
    "read_strictly",
    "read_up_to",
    "read_widely",
    "the_grammar",
    "words_behind",
]

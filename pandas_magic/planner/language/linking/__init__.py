"""What the words of a rule could mean on some tables: `link` gives a lattice of spans with meanings."""

from pandas_magic.planner.language.linking.linker import link
from pandas_magic.planner.language.linking.spans import (
    ColumnMeant,
    CueMeant,
    DateMeant,
    DefinedMeant,
    DurationMeant,
    FormatMeant,
    Linked,
    LinkedSpan,
    Meaning,
    NumberMeant,
    PatternMeant,
    TableMeant,
    TextMeant,
    TruthMeant,
    ValueMeant,
)

__all__ = [
    "ColumnMeant",
    "CueMeant",
    "DateMeant",
    "DefinedMeant",
    "DurationMeant",
    "FormatMeant",
    "Linked",
    "LinkedSpan",
    "Meaning",
    "NumberMeant",
    "PatternMeant",
    "TableMeant",
    "TextMeant",
    "TruthMeant",
    "ValueMeant",
    "link",
]

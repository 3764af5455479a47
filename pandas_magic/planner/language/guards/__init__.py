"""Guards: symbolic doubts about a reading, the same for every door, reader, proposal and model.

`cues.toml` says what a word obliges a rule to hold (`nodes_needed`); `joined` looks at both, either, not both and
respectively, `clauses` at where a condition ends and what is unique together, `exceptions` at only, unless and
except, `numbers` at limits and percent, `amounts` at what is said short, `units` at units of columns, `measures` at
keys, counts, years and extremes, `flags` at truths, `denials` at what is denied and what is not, `contents` at texts
that are numbers or dates, `moments` at days, ages and times of day, `places` at which table and event is meant,
`subjects` at columns that are named and passed over, `made_of` at what a column is made of, `functions` at what
functions make of one, `texts` at what is quoted, listed or spelt out, `variants` at values that are spelt in several
ways, `notation` at lists, limits and patterns in signs, `pointless` at what asks for nothing.
"""

from pandas_magic.planner.language.guards.contents import by_numbers
from pandas_magic.planner.language.guards.flags import more_than_none
from pandas_magic.planner.language.guards.functions import functions_left
from pandas_magic.planner.language.guards.joined import exactly_one
from pandas_magic.planner.language.guards.joins import joins_in_doubt
from pandas_magic.planner.language.guards.moments import by_days, by_names
from pandas_magic.planner.language.guards.notation import misread_signs
from pandas_magic.planner.language.guards.objecting import grave_objections, objections, unclear_words
from pandas_magic.planner.language.guards.places import untyped_elsewhere
from pandas_magic.planner.language.guards.pointless import all_repeated, pointless_parts
from pandas_magic.planner.language.guards.subjects import by_twins, called_alike
from pandas_magic.planner.language.guards.texts import as_held, as_spelt, never_blank, values_missed
from pandas_magic.planner.language.guards.variants import in_all_spellings

__all__ = [
    "all_repeated",
    "as_held",
    "as_spelt",
    "by_days",
    "by_names",
    "by_numbers",
    "by_twins",
    "called_alike",
    "exactly_one",
    "functions_left",
    "grave_objections",
    "in_all_spellings",
    "joins_in_doubt",
    "misread_signs",
    "more_than_none",
    "never_blank",
    "objections",
    "pointless_parts",
    "unclear_words",
    "untyped_elsewhere",
    "values_missed",
]

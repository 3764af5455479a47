"""How names and values are spelt in canonical words."""

import re

# A column of one of these names is written in backticks.
_RESERVED = (
    "a absolute after all among an and any as at average be before between boolean break by case "
    "characters columns contain contains count counting date datetime day days deviation different "
    "distinct does end ends equal equals every false for format from greater has have hold holds hour "
    "hours how if ignoring in integer is it least length less match matches maximum may mean median "
    "minimum minute minutes missing month months most must no none not now number of on one ones or order "
    "others outer over per present previous quantile quarter readable row rows second seconds share "
    "spaces stand standard start starts sum text than that the this today true unique unless value values "
    "was week weekday weeks when where which whole with within year years "
)
RESERVED = frozenset(_RESERVED.split())


def name_words(name: str) -> str:
    """A column's or table's name, in backticks when it could be mistaken for something else."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name.lower() not in RESERVED
    return name if plain else "`" + name.replace("`", "``") + "`"


def literal_words(value: bool | int | float | str) -> str:
    """A text in single quotes, a number as Python writes it, true or false."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)

"""Files of statistics packages: SPSS, Stata and SAS. Codes stay codes; their labels are not put in their place."""

import warnings
from pathlib import Path

import pandas as pd

from pandas_magic.catalog.readers import LoadedRows, ReadOptions


def read(path: Path, options: ReadOptions, part: str = "") -> LoadedRows:
    """The whole table, with a note on how many columns have labels for their codes."""
    suffix = path.suffix.lower()
    if suffix == ".sav":
        import pyreadstat

        frame, facts = pyreadstat.read_sav(str(path))
        return LoadedRows(frame, _notes(len(facts.variable_value_labels)))
    if suffix == ".dta":
        with pd.read_stata(path, iterator=True) as reader:
            labelled = len(reader.value_labels())
        return LoadedRows(pd.read_stata(path, convert_categoricals=False), _notes(labelled))
    if suffix == ".xpt":
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="xport file may be corrupted")
            return LoadedRows(pd.read_sas(path, format="xport", encoding=options.encoding or "utf-8"))
    return LoadedRows(pd.read_sas(path, format="sas7bdat", encoding=options.encoding or "infer"))


def _notes(labelled: int) -> tuple[str, ...]:
    return (f"{labelled} columns hold codes whose labels are not used",) if labelled else ()

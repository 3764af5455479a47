"""The one door: each function prints exactly one JSON document on standard output; progress goes to standard error.

The process keeps the columns between calls, so that a probe does not read the table again.
"""

from __future__ import annotations

import json
import math
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

import pandas as pd

from pandas_magic.explore.confined import missing, suggestions
from pandas_magic.explore.confined import quality_flags as findings
from pandas_magic.explore.confined.associations import Associations, associations, target_numbers
from pandas_magic.explore.confined.columns import MANY_CATEGORIES, Column
from pandas_magic.explore.confined.derivations import derivations
from pandas_magic.explore.confined.duplicates import duplicate_rows
from pandas_magic.explore.confined.file_frame import Unreadable, read_table
from pandas_magic.explore.confined.labels import with_unique_names
from pandas_magic.explore.confined.leakage import leaks
from pandas_magic.explore.confined.recognition import column_of, reread
from pandas_magic.explore.confined.target import Target, target_of
from pandas_magic.explore.confined.univariate import histogram, profile_of

Facts = dict[str, Any]

SCRIPT_VERSION = "1.0"
_SEED = 20_261_121


class Explorer:
    """One table under exploration: what was asked, its columns, and what was found so far."""

    def __init__(self) -> None:
        self.request: Facts = {}
        self.frame = pd.DataFrame()
        self.reading: Facts = {}
        self.columns: list[Column] = []
        self.target: Target | None = None
        self.found = Associations()
        self.suspects: list[Facts] = []
        self._dtypes: dict[str, str] = {}
        self.facts: Facts = {}  # as far as it got: what is given when a later part fails
        self.details: Facts = {}

    def open(self, request: Facts, table: pd.DataFrame | None) -> None:
        """Take the table, or read it from its file, with the columns and rows asked for."""
        self.request = request
        if table is None:
            _say("reading")
            table, self.reading = read_table(request["data_path"], request["name"], request.get("most_bytes"))
        frame = with_unique_names(table)
        # A person's own dtypes, where crossing into this process changed them.
        self._dtypes = dict(zip(frame.columns, request.get("dtypes") or map(str, table.dtypes), strict=True))
        target = request.get("target")
        if target is not None and target not in frame.columns:
            raise Unknown(target, [str(name) for name in frame.columns])
        whole_rows, whole_columns = request.get("whole_rows") or len(frame), frame.shape[1]
        frame = _fewer_columns(frame, request)
        most = request.get("sample_rows")
        if most and len(frame) > most:
            frame = frame.sample(most, random_state=_SEED).sort_index()
        self.frame = frame.reset_index(drop=True)
        self.details = {
            "reading": self.reading,
            "whole": {"rows": whole_rows, "columns": whole_columns},
            "sampled": {"rows": len(frame) if len(frame) < whole_rows else None},
        }

    def explore(self) -> Facts:
        """The report (without what the owner adds) and the details."""
        self._profile()
        self._analyse_target()
        _say("relations")
        deep = self._deep_columns()
        self.found = associations(deep, self.target)
        self._store_relations(deep)
        self.details["derivations"] = derivations(deep, self.found)
        _say("missing values")
        self.details["missing"] = missing.missingness(self.columns, self.target)
        _say("findings")
        self._find()
        return self.obtained()

    def obtained(self) -> Facts:
        """What was found so far."""
        return {"report": self.facts, "details": self.details}

    def _profile(self) -> None:
        self.facts["dataset"] = {
            "n_rows": len(self.frame),
            "n_cols": self.frame.shape[1],
            "columns": list(self.frame.columns),
        }
        self.facts["columns_profile"], self.details["columns"], self.details["quality"] = {}, {}, []
        self.columns = []
        for number, name in enumerate(self.frame.columns):
            if number % 10 == 0:
                _say(f"column {number + 1} of {self.frame.shape[1]}")
            column = column_of(name, self.frame[name])
            reading = self.request.get("readings", {}).get(name)
            if reading:
                column = reread(column, reading)
            self.columns.append(column)
            self.facts["columns_profile"][name] = profile_of(column) | {"dtype": self._dtypes[name]}
            self.details["columns"][name] = self._column_details(column)
            self.details["quality"] += findings.quality_of_column(column)
            column.forget_order()

    def _column_details(self, column: Column) -> Facts:
        facts: Facts = {"kind": column.kind, "evidence": column.evidence, "readings": list(column.readings)}
        facts["placeholders"] = column.placeholders
        measured = column.numbers is not None or column.times is not None
        facts["histogram"] = histogram(column) if measured and column.kind != "id-like" else None
        if (
            column.codes is not None
            and column.kind in ("categorical", "constant")
            and len(column.labels) <= 2 * MANY_CATEGORIES
        ):
            facts["categories"] = dict(zip(column.labels, column.counts.tolist(), strict=True))
        return facts

    def _analyse_target(self) -> None:
        name = self.request.get("target")
        self.facts["target"] = None
        if name is None:
            return
        self.target = target_of(self.column(name))
        self.facts["target"] = self.target.facts
        self.details["target"] = {
            "evidence": list(self.target.evidence),
            "doubt": self.target.doubt,
            "mapping": self.target.mapping,
        }

    def column(self, name: str) -> Column:
        """The column of that name.

        Raises: Unknown.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise Unknown(name, [column.name for column in self.columns])

    def _deep_columns(self) -> list[Column]:
        most = self.request["max_columns_to_explore"]
        target = self.request.get("target")
        deep = [column for column in self.columns if column.name == target]
        deep += [column for column in self.columns if column.name != target][: most - len(deep)]
        self.details["explored_in_pairs"] = len(deep)
        return deep

    def _store_relations(self, deep: list[Column]) -> None:
        to_target = self.found.to_target
        by_pearson = [entry for entry in to_target if entry["measure"] == "pearson"]
        self.facts["correlations"] = {
            "numeric_to_target": [{"feature": entry["feature"], "pearson": entry["value"]} for entry in by_pearson],
            "feature_feature_highcorr": findings.high_correlations(self.found),
        }
        self.details["associations"] = {
            "to_target": to_target,
            "pairs": self.found.pairs[:200],
            "sampled_rows": self.found.sampled_rows,
            "target_is_number": self.target is not None and target_numbers(self.target) is not None,
        }

    def _find(self) -> None:
        threshold = float(self.request["missing_threshold_pct"])
        self.suspects = leaks(self.columns, self.target, self.found, self.details["missing"]["to_target"])
        self.facts["flags"] = findings.flags_of(self.columns, self.suspects, threshold)
        leaky = set(self.facts["flags"]["possible_leakage"])
        for column in self.columns:
            steps = suggestions.steps_of(column, self.target, column.name in leaky, threshold)
            self.facts["columns_profile"][column.name]["suggested_action"] = "; ".join(steps)
            self.details["columns"][column.name]["steps"] = steps
        duplicates = duplicate_rows(self.columns)
        self.details["duplicate_rows"] = duplicates
        self.details["quality"] += findings.quality_of_table(len(self.frame), duplicates, self.target)
        self.details["leakage"] = self.suspects
        self.details["plan"] = suggestions.plan_of(self.columns, self.target)


class Unknown(ValueError):
    """A column that the table does not have; `known` are those it has."""

    def __init__(self, name: str, known: list[str]) -> None:
        self.name, self.known = name, known
        super().__init__(f'no column "{name}"')


def _fewer_columns(frame: pd.DataFrame, request: Facts) -> pd.DataFrame:
    most = request.get("only_columns")
    if not most or frame.shape[1] <= most:
        return frame
    target = request.get("target")
    others = [name for name in frame.columns if name != target]
    kept = set(others[: most - (target is not None)]) | ({target} if target is not None else set())
    return frame[[name for name in frame.columns if name in kept]]


_explorer = Explorer()


def explore(request: Facts, table: pd.DataFrame | None = None) -> None:
    """Print the report and the details of a table; of the file at `data_path` where no table is given."""
    global _explorer
    _explorer = Explorer()

    def work() -> Facts:
        began = time.monotonic()
        _explorer.open(request, table)
        result = _explorer.explore()
        return result | {"seconds": time.monotonic() - began, "script_version": SCRIPT_VERSION}

    answer(work)


def obtained() -> None:
    """Print what the last exploration found before it failed."""
    answer(_explorer.obtained)


def probe(name: str, options: Facts, other: pd.DataFrame | None = None) -> None:
    """Print the result of a probe of the table that was explored."""
    from pandas_magic.explore.confined import probes

    answer(lambda: probes.PROBES[name](_explorer, options, other))


def draw(options: Facts) -> None:
    """Print the pictures, as the numbers that they show."""
    from pandas_magic.explore.confined import pictures as plots

    answer(lambda: plots.draw(_explorer, options))


def answer(work: Callable[[], Facts]) -> None:
    """Print the work's result as one JSON document, or `{"meta": {"error": …}}`; then the process says it failed."""
    try:
        document = _as_json(work())
    except Exception as error:
        # The outermost edge of this process: whatever went wrong is the answer.
        facts: Facts = {"error": traceback.format_exc(limit=-12), "name": type(error).__name__, "text": str(error)}
        if isinstance(error, Unknown):
            facts["unknown"] = {"name": error.name, "known": error.known}
        if isinstance(error, Unreadable):
            facts["unreadable"] = True
        print(json.dumps({"meta": facts}))
        raise
    print(document)


def _as_json(found: Facts) -> str:
    try:
        # Nearly always all is plain but for NumPy's scalars; looking at each part first takes three times as long.
        return json.dumps(found, allow_nan=False, default=lambda each: each.item())
    except (ValueError, TypeError, AttributeError):
        return json.dumps(plain(found), allow_nan=False)


def plain(value: Any) -> Any:  # noqa: ANN401 - anything on its way to JSON
    """Plain JSON types: NumPy scalars as numbers, what is not finite as null."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    item = getattr(value, "item", None)
    return plain(item()) if callable(item) else value


def _say(stage: str) -> None:
    print(f"progress: {stage}", file=sys.stderr, flush=True)

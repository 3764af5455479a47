"""One table under exploration: its columns, its target, and what was found so far; kept for later probes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pandas as pd

from pandas_magic.explore.confined import missing, suggestions
from pandas_magic.explore.confined import quality_flags as findings
from pandas_magic.explore.confined.agreement import read_as_all_agree
from pandas_magic.explore.confined.associations import Associations, associations, target_numbers
from pandas_magic.explore.confined.derivations import derivations
from pandas_magic.explore.confined.duplicates import duplicate_rows
from pandas_magic.explore.confined.file_frame import read_table
from pandas_magic.explore.confined.leakage import leaks
from pandas_magic.explore.confined.recognition import column_of, reread
from pandas_magic.explore.confined.target import Target, target_of
from pandas_magic.explore.confined.typed_column import MANY_CATEGORIES, Kind, TypedColumn
from pandas_magic.explore.confined.unique_names import with_unique_names
from pandas_magic.explore.confined.univariate import histogram, percent, profile_of

Facts = dict[str, Any]

_SEED = 20_261_121


class Explorer:
    """One table under exploration: what was asked, its columns, and what was found so far."""

    def __init__(self, on_part: Callable[[Facts], None] = lambda _: None) -> None:
        self._on_part = on_part  # gets what the columns alone say, when a request wants parts
        self.request: Facts = {}
        self.frame = pd.DataFrame()
        self.reading: Facts = {}
        self.columns: list[TypedColumn] = []
        self.target: Target | None = None
        self.found = Associations()
        self.suspects: list[Facts] = []
        self._dtypes: dict[str, str] = {}
        self._sketches: Facts = {}  # of all rows of a file, by column, where `frame` is a sample of them
        self.facts: Facts = {}  # as far as it got: what is given when a later part fails
        self.details: Facts = {}

    def open(self, request: Facts, table: pd.DataFrame | None) -> None:
        """Take the table, or read it from its file, with the columns and rows asked for."""
        self.request = request
        if table is None:
            _say("reading")
            table = self._read(request)
        frame = with_unique_names(table)
        # A person's own dtypes, where crossing into this process changed them.
        self._dtypes = dict(zip(frame.columns, request.get("dtypes") or map(str, table.dtypes), strict=True))
        target = request.get("target")
        if target is not None and target not in frame.columns:
            raise Unknown(target, [str(name) for name in frame.columns])
        whole_rows, whole_columns = request.get("whole_rows") or len(frame), frame.shape[1]
        if self._sketches:
            whole_rows = next(iter(self._sketches.values())).rows
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

    def _read(self, request: Facts) -> pd.DataFrame:
        """The file, or an even sample of one too large, of which all rows are in the sketches of its columns."""
        if not request.get("by_sketches"):
            table, self.reading = read_table(request["data_path"], request["name"], request.get("most_bytes"))
            return table
        from pandas_magic.explore.confined.sketched_file import sketch_file

        table, self._sketches, self.reading = sketch_file(request["data_path"], request["name"])
        return table

    def explore(self) -> Facts:
        """The report (without what the owner adds) and the details."""
        self._profile()
        self._analyse_target()
        if self.request.get("in_parts"):
            self._on_part(self._first_look())
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
            elif self.reading.get("delimiter"):
                column = read_as_all_agree(column)
            self.columns.append(column)
            self.facts["columns_profile"][name] = profile_of(column) | {"dtype": self._dtypes[name]}
            self.details["columns"][name] = self._column_details(column)
            self.details["quality"] += findings.quality_of_column(column)
            if name in self._sketches:
                self._tell_of_all_rows(name, column)
            column.forget_order()
        if self._sketches:
            self.facts["dataset"]["n_rows"] = self.details["whole"]["rows"]

    def _tell_of_all_rows(self, name: str, column: TypedColumn) -> None:
        """Put what the sketch of a column says in place of what its sample says."""
        sketch, profile, details = (
            self._sketches[name],
            self.facts["columns_profile"][name],
            self.details["columns"][name],
        )
        kinds: dict[str, Kind] = {"number": "numeric", "time": "datetime"}
        fits = kinds.get(sketch.kind)
        few_seen = column.kind == "constant" and sketch.unique[0] > 1
        if few_seen or (column.kind == "id-like" and sketch.unique[2] < sketch.count / 2):
            column.kind = fits or "categorical"
            details |= {"kind": column.kind, "evidence": f"of all rows; in the sample {column.evidence}"}
        summary = {key: profile["summary"][key] for key in ("examples", "suggested_dtype")} | {"kind": column.kind}
        if (fits is None and column.numbers is None and column.times is None) or column.kind in (fits, "id-like"):
            profile["summary"] = summary | sketch.summary()
            details["histogram"] = sketch.histogram() if column.kind != "id-like" else None
            details["categories"], details["bounds"] = {}, sketch.bounds()
            details["placeholders"] = dict(sketch.placeholders)
        profile |= {"n_missing": sketch.missing, "pct_missing": percent(sketch.missing, sketch.rows)}
        profile["unique"] = sketch.unique[0]
        if sketch.misfits:
            text = f"{name}: {sketch.misfits:,} of its texts are no {sketch.kind}s, and count as missing"
            self.details["quality"].append({"kind": f"no {sketch.kind}s", "columns": [name], "text": text})

    def _column_details(self, column: TypedColumn) -> Facts:
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

    def column(self, name: str) -> TypedColumn:
        """The column of that name.

        Raises: Unknown.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise Unknown(name, [column.name for column in self.columns])

    def _deep_columns(self) -> list[TypedColumn]:
        most = self.request["max_columns_to_explore"]
        target = self.request.get("target")
        deep = [column for column in self.columns if column.name == target]
        deep += [column for column in self.columns if column.name != target][: most - len(deep)]
        self.details["explored_in_pairs"] = len(deep)
        return deep

    def _store_relations(self, deep: list[TypedColumn]) -> None:
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

    def _first_look(self) -> Facts:
        """What the columns alone say, in the form of the whole: no relation was looked at yet, nor any two columns."""
        self._propose()
        facts = self.facts | {"correlations": {"numeric_to_target": [], "feature_feature_highcorr": []}}
        return {"report": facts, "details": self.details}

    def _propose(self) -> None:
        """Flags and steps of each column, as far as is known what may leak."""
        threshold = float(self.request["missing_threshold_pct"])
        self.facts["flags"] = findings.flags_of(self.columns, self.suspects, threshold)
        leaky = set(self.facts["flags"]["possible_leakage"])
        for column in self.columns:
            steps = suggestions.steps_of(column, self.target, column.name in leaky, threshold)
            action = suggestions.action_of(column, self.target, column.name in leaky, threshold)
            self.facts["columns_profile"][column.name]["suggested_action"] = action
            self.details["columns"][column.name]["steps"] = steps

    def _find(self) -> None:
        self.suspects = leaks(self.columns, self.target, self.found, self.details["missing"]["to_target"])
        self._propose()
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


def _say(stage: str) -> None:
    print(f"progress: {stage}", file=sys.stderr, flush=True)

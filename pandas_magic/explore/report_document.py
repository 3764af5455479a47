"""The report as strict JSON: exactly these keys, percentages from 0 to 100, nothing that JSON does not know.

`report.schema.json` beside this file is its JSON Schema, for readers in other languages.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator

from pandas_magic.record import Record

Percent = Annotated[float, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=0)]
Correlation = Annotated[float, Field(ge=-1, le=1)]
Kind = Literal["numeric", "categorical", "datetime", "text", "id-like", "constant"]

Action = Literal[
    "none",
    "target",
    "drop",
    "confirm_no_leak",
    "confirm_type",
    "convert_type",
    "flag_missing",
    "leave_missing",
    "impute_mean",
    "impute_median",
    "impute_mode",
    "impute_category",
    "scale_optional",
    "transform_optional",
    "encode_binary",
    "encode_onehot",
    "encode_target",
    "derive_date_features",
    "vectorize_text",
]

_NUMERIC = ("min", "q1", "median", "q3", "max", "mean", "std")


class Dataset(Record):
    """The table's size and its columns, in order."""

    n_rows: Count
    n_cols: Count
    columns: tuple[str, ...]


class Summary(Record):
    """What a column's values are like, with more keys by kind: `min` … `std` for numbers, `top` for texts."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "if": {"properties": {"kind": {"const": "numeric"}}},
            "then": {"required": list(_NUMERIC)},
        },
    )
    __pydantic_extra__: dict[str, JsonValue]

    kind: Kind
    examples: tuple[JsonValue, ...]
    suggested_dtype: str

    @model_validator(mode="after")
    def _has_numbers(self) -> Self:
        lacking = [key for key in _NUMERIC if key not in (self.model_extra or {})]
        if self.kind == "numeric" and lacking:
            raise ValueError(f"the summary of a numeric column lacks {', '.join(lacking)}")
        return self


class ColumnProfile(Record):
    """One column. `unique` counts different values, without the missing ones."""

    dtype: str
    n_missing: Count
    pct_missing: Percent
    unique: Count
    summary: Summary
    suggested_action: Action  # the first thing to do; all steps are in the details


class ClassTarget(Record):
    """A target of classes; `imbalance_ratio` is the largest class over the smallest, None for fewer than two."""

    name: str
    task_type: Literal["classification", "multilabel"]
    n_classes: Count
    class_counts: dict[str, Count]
    imbalance_ratio: Annotated[float, Field(ge=1)] | None


class MeasureSummary(Record):
    """The numbers of a measured target."""

    mean: float
    std: float | None
    min: float
    median: float
    max: float


class MeasureTarget(Record):
    """A target of numbers; `iqr_outliers` counts values beyond Tukey's fences."""

    name: str
    task_type: Literal["regression"]
    summary: MeasureSummary
    skew: float | None
    iqr_outliers: Count


class TargetCorrelation(Record):
    """A numeric feature and the target; two classes count as 0 and 1."""

    feature: str
    pearson: Correlation


class PairCorrelation(Record):
    """Two numeric features with an absolute correlation above 0.9."""

    f1: str
    f2: str
    pearson: Correlation


class Correlations(Record):
    """The correlations that matter, the strongest first."""

    numeric_to_target: tuple[TargetCorrelation, ...]
    feature_feature_highcorr: tuple[PairCorrelation, ...]


class Flags(Record):
    """Names of columns that need a decision."""

    high_cardinality: tuple[str, ...]
    high_missing: tuple[str, ...]
    possible_leakage: tuple[str, ...]


class Visuals(Record):
    """Pictures, as paths below the folder of artifacts."""

    histograms: tuple[str, ...] = ()
    missing_heatmap: str | None = None  # None: nothing is missing, or nothing was drawn


class Meta(Record):
    """The run that made the report."""

    run_id: str
    script_version: str
    runtime_ms: Count
    errors: tuple[str, ...] = ()


class ReportDocument(Record):
    """The report of an exploration."""

    model_config = ConfigDict(title="Document")  # in the published schema

    dataset: Dataset
    columns_profile: dict[str, ColumnProfile]
    target: ClassTarget | MeasureTarget | None  # None: no target was named
    correlations: Correlations
    flags: Flags
    visuals: Visuals
    notes: str  # a line for each thing that a reader must know
    meta: Meta

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if list(self.columns_profile) != list(self.dataset.columns) or self.dataset.n_cols != len(self.dataset.columns):
            raise ValueError("dataset.columns and columns_profile do not name the same columns")
        for name, profile in self.columns_profile.items():
            if profile.n_missing + profile.unique > self.dataset.n_rows:
                raise ValueError(f'column "{name}" has more missing and different values than there are rows')
        return self

    def noted(self) -> tuple[str, ...]:
        """The notes, one by one."""
        return tuple(self.notes.splitlines())

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types with every key, also those that are null."""
        return self.model_dump(mode="json")


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a report."""
    schema = ReportDocument.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "EDA report"} | schema


def json_schema_text() -> str:
    """The published schema file's content."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"

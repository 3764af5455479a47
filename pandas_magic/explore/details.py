"""What was found beyond the report: evidence, relations, patterns, proposals. Checked as it leaves the sandbox."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from pandas_magic.explore.drawing.figure import Figure
from pandas_magic.explore.report_document import Correlation, Count, Kind, Percent
from pandas_magic.record import Record


class Whole(Record):
    """The table as it was found, before columns or rows were left out."""

    rows: Count
    columns: Count


class Sampled(Record):
    """How many rows the whole exploration looked at; None: all of them."""

    rows: Count | None


class FileReading(Record):
    """How a file was read; fields are None where they say nothing about its format."""

    bytes: Count | None = None
    encoding: str | None = None
    delimiter: str | None = None
    read_bytes: Count | None = None  # None: all of them
    ragged_lines: Count = 0  # lines of another length than the first, left out


class Histogram(Record):
    """Counts between edges; times as seconds since 1970."""

    edges: tuple[float, ...]
    counts: tuple[Count, ...]


class EstimateBounds(Record):
    """How far estimates of a column of many rows may be off, in 99 of 100 columns; equal numbers are exact."""

    rank_pct: Percent | None = None  # of quartiles: in percent of the ranks; None where there are none
    unique_low: Count
    unique_high: Count
    count_within: Count | None = None  # rows, of the counts of frequent values


class ColumnDetails(Record):
    """Why a column is of its kind, what else it could be, and what to do with it."""

    kind: Kind
    evidence: str
    readings: tuple[str, ...] = ()
    placeholders: dict[str, Count] = Field(default_factory=dict)
    histogram: Histogram | None = None
    categories: dict[str, Count] = Field(default_factory=dict)  # every one, where there are no more than a hundred
    steps: tuple[str, ...] = ()
    bounds: EstimateBounds | None = None  # None: all is exact

    @property
    def is_unique_estimated(self) -> bool:
        """Whether the number of different values is no exact one."""
        return self.bounds is not None and self.bounds.unique_low != self.bounds.unique_high


class TargetDetails(Record):
    """Why the task is what it is; `doubt` says what else it could be, "" when nothing."""

    evidence: tuple[str, ...]
    doubt: str
    mapping: dict[str, int] | None


class ToTarget(Record):
    """How strongly a feature goes with the target. Mutual information is in nats, on the sample."""

    feature: str
    measure: str
    value: Correlation
    mutual_information: float | None = None


class Pair(Record):
    """Two features that go together, with the measure that fits their kinds."""

    f1: str
    f2: str
    measure: str
    value: Correlation
    spearman: Correlation | None = None


class AssociationDetails(Record):
    """All relations of at least 0.3; `sampled_rows` is None when every row counted."""

    to_target: tuple[ToTarget, ...] = ()
    pairs: tuple[Pair, ...] = ()
    sampled_rows: Count | None = None
    target_is_number: bool = False


class Derivation(Record):
    """A column that says what others (`of`) say already, in all of the `rows` in which they are present."""

    kind: Literal["equal", "formula", "order", "determined"]
    column: str
    of: Annotated[tuple[str, ...], Field(min_length=1, max_length=2)]
    rows: Count
    sign: Literal["+", "*"] | None = None  # of a formula of two columns
    factor: float | None = None  # of a formula of one
    offset: float | None = None
    within: Annotated[float, Field(ge=0)] = 0.0  # the largest error of a formula


class Pattern(Record):
    """Rows in which exactly these columns are missing."""

    missing: tuple[str, ...]
    rows: Count
    pct: Percent


class GapsTogether(Record):
    """Two columns whose gaps come together (phi > 0) or exclude each other."""

    f1: str
    f2: str
    phi: Correlation


class GapAndTarget(Record):
    """Whether a gap says something about the target; the two shares are of the positive class."""

    column: str
    measure: str
    value: Correlation
    positive: str | None = None
    pct_positive_if_missing: Percent | None = None
    pct_positive_if_present: Percent | None = None


class Missing(Record):
    """Patterns of missing values. `matrix` shows evenly spaced rows, a sign per column: 1 is missing."""

    rows_with_gaps: Count = 0
    patterns: tuple[Pattern, ...] = ()
    together: tuple[GapsTogether, ...] = ()
    to_target: tuple[GapAndTarget, ...] = ()
    matrix: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


class Suspect(Record):
    """A column that may know the answer, and why."""

    feature: str
    reasons: tuple[str, ...]
    score: Correlation | None


class QualityIssue(Record):
    """One thing to know about the quality of the data."""

    kind: str
    columns: tuple[str, ...]
    text: str


class ModelPlan(Record):
    """How to get a first honest model; empty texts without a target."""

    cross_validation: str = ""
    metric: str = ""
    baseline: str = ""
    models: tuple[str, ...] = ()


class ProbeResult(Record):
    """What a probe computed: `summary` in a sentence, `verdict` in a word or two, `facts` in numbers."""

    probe: str
    subject: tuple[str, ...]  # the columns it is about
    verdict: str
    summary: str
    facts: dict[str, Any]
    charts: tuple[Figure, ...] = ()


class StepRepair(Record):
    """A function that raised and that a model wrote anew: `step` is the probe, or "everything"."""

    step: str
    function: str
    model: str
    problem: str  # the error that came first
    code: str

    def in_words(self) -> str:
        """One line for the notes."""
        return f"{self.step}: {self.function} raised {self.problem} and was repaired by {self.model}; its code is shown"


class Details(Record):
    """Everything beyond the report."""

    reading: FileReading = Field(default_factory=FileReading)
    whole: Whole
    sampled: Sampled
    columns: dict[str, ColumnDetails]
    target: TargetDetails | None = None
    explored_in_pairs: Count = 0
    associations: AssociationDetails = Field(default_factory=AssociationDetails)
    derivations: tuple[Derivation, ...] = ()
    missing: Missing = Field(default_factory=Missing)
    leakage: tuple[Suspect, ...] = ()
    quality: tuple[QualityIssue, ...] = ()
    duplicate_rows: Count = 0
    plan: ModelPlan = Field(default_factory=ModelPlan)
    probes: tuple[ProbeResult, ...] = ()
    repairs: tuple[StepRepair, ...] = ()

    @property
    def is_estimated(self) -> bool:
        """Whether columns were counted by sketches, of more rows than fit."""
        return any(column.bounds for column in self.columns.values())

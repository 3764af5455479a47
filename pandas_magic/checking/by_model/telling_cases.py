"""Made-up tables on which a reader of a rule can judge rows, and on which a careful one could not judge two ways."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import pandas as pd

from pandas_magic.catalog.table import Table
from pandas_magic.checking.by_model.trials import synthetic_frames
from pandas_magic.checking.prover import Case, cases, judge_of
from pandas_magic.clock import Instant
from pandas_magic.constraints import reads
from pandas_magic.constraints.algebra.expressions import Column, Folded, Lookup
from pandas_magic.constraints.algebra.folding import lower_case
from pandas_magic.constraints.algebra.rules import Constraint, RowRule
from pandas_magic.planner.language.guards.nodes_needed import equalled, every_node
from pandas_magic.planner.model.gates import content_words

Tables = Mapping[str, Table]
_JUDGED_CASES = 3
# Of a case that a reader goes through with care; the larger ones where nothing else breaks a rule about several rows.
_MOST_ROWS = (12, 24)
_MOST_COLUMNS = 24  # of a table; more only cost tokens
_OTHER_TEXT = "text f"


def telling_cases(constraint: RowRule, rule: str, tables: Tables, instant: Instant) -> list[Case]:
    """At most four cases of made-up rows, of which some break the rule and some keep it; none where it has no such.

    Every column of a table is there, so that a wrong one can be noticed; where that leaves no room for rows that break
    the rule, as of a key of several columns, those that it reads.
    """
    for columns in (_shown_columns(constraint, rule, tables), reads(constraint)):
        planted = list(_plain_cases(constraint, tables, columns, instant))
        for most in _MOST_ROWS:
            if chosen := _chosen([case for case in planted if 0 < case.rows <= most]):
                return chosen
    return []


def _chosen(some: list[Case]) -> list[Case]:
    broken = sorted((case for case in some if case.flagged), key=lambda case: (-len(case.told_apart), case.label))
    # Cases that tell no further slip apart hold the same rows again, which costs tokens and says nothing.
    chosen = broken[:1] + [case for case in broken[1:_JUDGED_CASES] if case.told_apart]
    if all(len(case.flagged) == case.rows for case in chosen):
        # A reader who takes every row for broken must not agree with a rule that breaks them all.
        chosen += [case for case in some if len(case.flagged) < case.rows][:1]
    return chosen if broken else []


def _plain_cases(
    constraint: RowRule, tables: Tables, columns: Mapping[str, Sequence[str]], instant: Instant
) -> Iterator[Case]:
    texts = _texts_by_column(constraint)
    try:
        made_up = synthetic_frames(columns, tables, texts)
        for case in cases(constraint, made_up, now=instant.local, utc_now=instant.utc):
            if case.unjudged:
                continue
            frames = _told_apart(case.frames, constraint, texts)
            flagged = judge_of(frames, instant.local, instant.utc)(constraint)
            yield replace(case, frames=frames, flagged=flagged)
    except (TypeError, ValueError, KeyError):
        return  # the rule makes no sense on plain rows; the proof will say so on real ones


def _told_apart(
    frames: Mapping[str, pd.DataFrame], constraint: RowRule, texts: Mapping[str, Sequence[str]]
) -> dict[str, pd.DataFrame]:
    """The tables without what the words of a rule leave open: a named text spelt otherwise, and rows that share a key.

    A proof plants both, since the typed rule says which are meant. Who reads "paid" may take "PAID " for it.
    """
    found = dict(frames)
    for node in every_node(constraint):
        if isinstance(node, Lookup) and node.join.table != constraint.table and node.join.table in found:
            there = found[node.join.table]
            found[node.join.table] = there.drop_duplicates(list(node.join.keys)).reset_index(drop=True)
    for name, frame in found.items():
        for column in frame.columns:
            named = texts.get(str(column), ())
            if named:
                plain = frame[column].map(lambda cell, named=named: _as_named(cell, named), na_action="ignore")
                found[name] = frame = frame.assign(**{str(column): plain.astype(frame[column].dtype)})
    return found


def _as_named(cell: Any, named: Sequence[str]) -> Any:  # noqa: ANN401 - any value of a table
    is_like = isinstance(cell, str) and any(lower_case(cell.strip()) == lower_case(text.strip()) for text in named)
    return _OTHER_TEXT if is_like and cell not in named else cell


def _shown_columns(constraint: RowRule, rule: str, tables: Tables) -> dict[str, tuple[str, ...]]:
    """Every column of a table; of a wide table those that the rule may mean."""
    said = content_words(rule)
    shown = {}
    for name, read in reads(constraint).items():
        columns = tables[name].columns

        def distance(column: str, read: Collection[str] = read, kinds: Mapping[str, str] = columns) -> tuple[bool, ...]:
            shares_a_word = bool(said & content_words(column.replace("_", " ")))
            return column not in read, not shares_a_word, kinds[column] not in {kinds[known] for known in read}

        nearest = set(sorted(columns, key=distance)[: max(_MOST_COLUMNS, len(read))])
        shown[name] = tuple(column for column in columns if column in nearest)
    return shown


def _texts_by_column(constraint: Constraint) -> dict[str, list[str]]:
    """The texts that the rule names for each column, of another table too, so that made-up rows meet its conditions."""
    found: dict[str, list[str]] = {}
    for of, value in chain.from_iterable(equalled(node) for node in every_node(constraint)):
        while isinstance(of, (Lookup, Folded)):
            of = of.of
        if isinstance(of, Column) and isinstance(value, str):
            found.setdefault(of.name, []).append(value)
    return found

"""Traps of strangers: what is read at once flags the rows that its writer computed; the rest is asked about."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from benchmarks.sentences.measure import restatements_of, understood
from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.constraints import describe, violating_rows
from pandas_magic.errors import PandasMagicError
from pandas_magic.planner.language import compile_rule

# Their writers see two honest readings. By the run's day, by the column that is called so in the table that is named,
# and by the letter there is one.
DOUBTFUL = frozenset(
    (
        "Courses that begin this month must be confirmed by now.",
        "Order and delivery must fall in the same month.",
        "The fee must be 62 or 75.",
        "The status must be A, W or S.",
        "The quantity must be positive.",
        "Instructors must have taught for five years.",
        "Cancelled flights must have departed on time.",
        "No pupil may have failed more than twice without having had a mock test.",
        "What was lent and what came back must match.",
        "Vehicles older than 20 years may run at 120 km/h at most.",
        "The leaving date must be in the future.",
        "Members who joined in the last year must have a phone number.",
        "The season must start before it ends.",
        "A vehicle is only driven by one courier.",
        # What is rejected has that status, and its writer looks at the code alone.
        "A sample is rejected with HEM only if its haemolysis index is 3 or more.",
        # The table that is named has a column of that very name.
        "status is required.",
        "start_ts must not be missing.",
        # By the letter nearly every row breaks them, which shows itself; their writers think of another rule.
        "qb_ml_min must be at least 1.5 times qd_ml_min.",
        "CHECK (status = 'ABORT' AND abort_reason IS NOT NULL)",
        "QOH must be less than MIN_QTY and greater than MAX_QTY.",
        "UOM NOT IN ('EA','PK','LEN')",
        "ust_s must be 0.19, 0.07 or 0.",
        "A donor's weight must be at least twice the height.",
        "FZ.DEP must be one of NORD, SUED, WEST.",
        "MA.NAME and VNAME: capital letters.",
        "Whg must be EUR.",
        "Net must never be more than gross.",
        "A customer has no more than three invoices.",
        "inst_dt must be later than rem_dt.",
        "bis_zeit must be earlier than von_zeit.",
        "Residents must be over 65.",
        "Every lot belongs to at most one melt.",
        "line_total must be within 5 % of copies times unit price.",
        "assert wiege.TARA_KG.max() < wiege.BRUTTO_KG.min()",
        # The same; half of the rows or more break them, which is asked about where rows are at hand.
        "GebDatum | date | required | format TT.MM.JJJJ",
        "Geschlecht must be m or f.",
        "members.joined_on | date | format DD.MM.YYYY | required",
        "MAR_ST <> 'G' AND RSN_CD IS NULL",
        "PRF_ERG may only be OK or NOK.",
        "AUS_STK > 0 AND AUS_GRD IS NULL",
        "belegungen[~(belegungen.form == 'G') | (belegungen.dauer_min >= 45)]  # these are the bad ones",
        "SELECT * FROM belegungen WHERE form = 'E' OR form = 'P' AND dauer_min > 60 -- violations",
        "SELECT * FROM cust WHERE NOT (pay_mth = 'DD' AND iban IS NULL) -- violations",
        # Every row with a price breaks it, which is asked about where rows are at hand.
        "The price must be between 0.80 and 1.30 euros a litre.",
    )
)
SETS = Path(__file__).parents[4] / "benchmarks" / "sentences"
WITH_TRAPS = sorted(path.stem for path in SETS.glob("*.json") if '"traps"' in path.read_text(encoding="utf-8"))
RESTATED = sorted(path.stem for path in (SETS / "restated").glob("*.json"))
NOW = datetime(2026, 11, 28)


def business(name: str) -> tuple[dict[str, pd.DataFrame], list[dict[str, Any]]]:
    """The tables, and the traps."""
    content = json.loads((SETS / f"{name}.json").read_text(encoding="utf-8"))
    frames = {table: pd.DataFrame(columns) for table, columns in content["tables"].items()}
    for table, dates in content["dates"].items():
        frames[table] = frames[table].astype(dict.fromkeys(dates, "datetime64[ns]"))
    return frames, content["traps"]


@pytest.mark.parametrize("name", WITH_TRAPS)
def test_no_trap_is_read_wrongly_at_once(name: str) -> None:
    frames, traps = business(name)
    tables = {table: describe_frame(table, frame) for table, frame in frames.items()}
    wrong = []
    for trap in traps:
        try:
            found = compile_rule(trap["text"], tables, target=trap["target"])
        except PandasMagicError:
            continue
        rows = violating_rows(found.constraint, frames, NOW, NOW.replace(tzinfo=UTC))
        if rows not in (trap["breaks"], *trap.get("or", ())) and trap["text"] not in DOUBTFUL:
            wrong.append((trap["text"], found.echo))
    assert wrong == []
    assert len(traps) >= 10


@pytest.mark.parametrize("name", RESTATED)
def test_no_trap_is_taken_as_a_large_model_restated_it_wrongly(name: str) -> None:
    frames, traps = business(name)
    tables = {table: describe_frame(table, frame) for table, frame in frames.items()}
    answers, wrong = restatements_of(name), []
    for trap in traps:
        try:
            found = understood(trap, tables, answers.get(trap["text"]))
        except PandasMagicError:
            continue
        rows = violating_rows(found, frames, NOW, NOW.replace(tzinfo=UTC))
        if rows not in (trap["breaks"], *trap.get("or", ())) and trap["text"] not in DOUBTFUL:
            wrong.append((trap["text"], describe(found)))
    assert wrong == []
    assert len(answers) >= 30

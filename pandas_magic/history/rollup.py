"""`checks_rollup.csv`: one row per check with what its runs say together. Made anew from the log at any time."""

import csv
import io
from pathlib import Path

from pandas_magic.history.check_history import CheckHistory
from pandas_magic.history.history import History
from pandas_magic.state import locked, write_whole

ROLLUP_NAME = "checks_rollup.csv"


def write_rollup(folder: Path, history: History) -> Path:
    """Write the rollup below `folder` and give its path. `history` is asked under the lock, so that the latest wins."""
    path = folder / ROLLUP_NAME
    with locked(path):
        text = io.StringIO()
        writer = csv.DictWriter(text, list(CheckHistory.model_fields), lineterminator="\n")
        writer.writeheader()
        writer.writerows(each.model_dump(mode="json") for each in history.summaries())
        write_whole(path, text.getvalue(), durable=False)
    return path

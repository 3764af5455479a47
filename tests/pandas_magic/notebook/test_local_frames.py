"""A function's own frame is never taken for the table of its name, nor that table for it."""

from typing import Any

import pandas as pd
import pytest

from pandas_magic.errors import CheckFailed, UsageMistake
from pandas_magic.history.run import Verdict

CALLS = [
    "get_ipython().run_line_magic('checks', 'run')",
    "get_ipython().run_line_magic('check', '--run CHK-002')",
    "get_ipython().run_cell_magic('check', '', 'events.user_id must not be null')",
    "get_ipython().run_cell_magic('sandbox', '--tables events', 'events')",
]


@pytest.mark.parametrize("call", CALLS)
def test_a_frame_of_the_function_is_not_passed_over_in_silence(notebook: Any, call: str) -> None:
    notebook.shell.user_ns["events"] = pd.DataFrame({"user_id": [1]})
    cell = f"import pandas as pd\ndef judged():\n    events = pd.DataFrame()\n    return {call}\njudged()"

    with pytest.raises(UsageMistake, match=r"^events in judged is not the table events that a magic reads.*global"):
        notebook.run(cell)
    assert not notebook.workspace.ran and not notebook.workspace.requests


def test_the_gate_knows_what_was_refused_and_caught(notebook: Any, make_result: Any) -> None:
    notebook.workspace.saved["CHK-002"] = make_result(Verdict.PASS)
    notebook.run("%checks run")
    notebook.run(
        "import pandas as pd\ndef judged(events):\n    try:\n        get_ipython().run_line_magic('checks', 'run')\n"
        "    except Exception:\n        pass\njudged(pd.DataFrame())"
    )

    with pytest.raises(CheckFailed, match="%checks run"):
        notebook.run("%checks gate")


@pytest.mark.parametrize(
    "body",
    [
        "    other = pd.DataFrame()",
        "    events = 'a text'",
        "    events = notebooks_own",
        "    global events\n    events = pd.DataFrame()",
    ],
)
def test_what_cannot_be_mistaken_is_let_by(notebook: Any, body: str) -> None:
    notebook.shell.user_ns["events"] = notebook.shell.user_ns["notebooks_own"] = pd.DataFrame({"user_id": [1]})

    assert notebook.run(f"import pandas as pd\ndef judged():\n{body}\n    return {CALLS[0]}\njudged()") is not None


def test_a_loop_above_all_functions_judges_the_notebooks_own(notebook: Any) -> None:
    notebook.run(f"import pandas as pd\nfor events in (pd.DataFrame(), pd.DataFrame()):\n    {CALLS[1]}")

    assert len(notebook.workspace.ran) == 2

"""What a cell came to is seen once, wherever in the cell it ran."""

from collections.abc import Callable
from typing import Any

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher

from pandas_magic.errors import CheckFailed
from pandas_magic.history.run import Verdict

Make = Callable[..., Any]
ASKED = "get_ipython().run_line_magic('checks', 'run')"


@pytest.fixture(autouse=True)
def _one_verdict(notebook: Any, make_result: Make, make_compiled: Make) -> None:
    notebook.workspace.saved["CHK-002"] = make_result(compiled=make_compiled("CHK-002", name="once"))


def _seen(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line[:15] for line in capsys.readouterr().out.split("\n") if "CHK-" in line and "once" in line]


@pytest.mark.parametrize(
    ("cell", "times"),
    [
        ("%checks run", 1),
        ("%check --run CHK-002", 1),
        ("%checks run\nx = 1", 1),
        ("result = %checks run", 1),
        ("result = %checks run\nresult", 1),
        ("result = %checks run\ndisplay(result)", 1),
        ("%checks run -o found\nx = 1", 1),
        (f"for _ in range(2):\n    {ASKED}", 2),
        (f"def judged():\n    {ASKED}\njudged()", 1),
        (f"def judged():\n    return {ASKED}\njudged()", 1),
        (f"try:\n    {ASKED}\nfinally:\n    pass", 1),
    ],
)
def test_a_verdict_is_seen_once_wherever_in_the_cell_it_ran(notebook: Any, capsys: Any, cell: str, times: int) -> None:
    notebook.run(cell)

    assert _seen(capsys) == ["✗ FAIL  CHK-002"] * times
    notebook.run("1 + 1")
    assert not _seen(capsys)


def test_a_verdict_is_seen_though_the_cell_breaks_below_it(notebook: Any, capsys: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        notebook.run("%checks run\n1 / 0")

    assert _seen(capsys) == ["✗ FAIL  CHK-002"]


def test_a_failure_that_is_raised_and_caught_is_seen(notebook: Any, capsys: Any) -> None:
    notebook.workspace.settings.on_fail = "raise"

    with pytest.raises(CheckFailed):
        notebook.run("%checks run")
    notebook.run(f"try:\n    {ASKED}\nexcept Exception:\n    pass")

    assert _seen(capsys) == ["✗ FAIL  CHK-002"] * 2


def test_verdicts_of_a_loop_are_one_output_with_the_worst_in_its_metadata(notebook: Any, make_result: Make) -> None:
    verdicts = iter([Verdict.FAIL, Verdict.PASS, Verdict.PASS, Verdict.PASS])
    notebook.workspace.run = lambda *_, **__: [make_result(next(verdicts))]
    publisher = CapturingDisplayPublisher()
    notebook.shell.display_pub = publisher

    notebook.run(f"for _ in range(4):\n    {ASKED}")

    (shown,) = publisher.outputs
    assert shown["data"]["text/plain"].startswith("4 checks: 3 PASS, 1 FAIL")
    assert shown["metadata"]["pandas_magic"]["verdict"] == "FAIL"


def test_what_is_not_the_cells_value_is_not_said_to_be_it(notebook: Any, capsys: Any) -> None:
    notebook.run("%checks run\nx = 1")

    assert "_.violations" not in capsys.readouterr().out


def test_unloading_in_the_same_cell_hides_no_verdict(notebook: Any, capsys: Any) -> None:
    notebook.run("from pandas_magic.notebook.magics import unload\n%checks run\nunload(get_ipython())")

    assert _seen(capsys) == ["✗ FAIL  CHK-002"]

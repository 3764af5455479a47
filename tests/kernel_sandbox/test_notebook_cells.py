"""What a plain kernel gives the user of a notebook, the confined one gives too."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kernel_sandbox.jupyter import ConfinedKernel, Messages, confined_kernel, told

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*TCP.*:UserWarning")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfinedKernel]:
    with confined_kernel(tmp_path_factory.mktemp("notebook")) as started:
        yield started


def shown(messages: Messages) -> list[tuple[str, dict[str, Any]]]:
    return [(message["msg_type"], message["content"]) for message in messages if "data" in message["content"]]


@pytest.mark.parametrize(
    ("code", "mimetype", "text"),
    [
        ("from IPython.display import Markdown; Markdown('# Title')", "text/markdown", "# Title"),
        ("from IPython.display import JSON; JSON({'a': [1]})", "application/json", "{'a': [1]}"),
        ("from IPython.display import HTML; HTML('<b>x</b>')", "text/html", "<b>x</b>"),
        ("%%html\n<i>x</i>", "text/html", "<i>x</i>"),
        (
            "%config InlineBackend.figure_formats = ['svg']\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]);",
            "image/svg+xml",
            '<path d="M',
        ),
        (
            "display({'application/vnd.plotly.v1+json': {'data': [{'y': [1]}], 'layout': {}}}, raw=True)",
            "application/vnd.plotly.v1+json",
            "'y': [1]",
        ),
    ],
)
def test_rich_displays_come_through(kernel: ConfinedKernel, code: str, mimetype: str, text: str) -> None:
    _, messages = kernel.run(code)

    assert text in str(shown(messages)[-1][1]["data"][mimetype])
    assert told(messages) == ""


# The figure in a notebook, and that it holds its data and no script.
FIGURES = {
    "plotly": (
        "import plotly.express as px\nfig = px.bar(x=['a', 'b'], y=[3, 4], title='Sales')\nfig",
        "application/vnd.plotly.v1+json",
        ("'type': 'bar'", "'Sales'"),
    ),
    "altair": (
        "import altair as alt, pandas as pd\nframe = pd.DataFrame({'x': ['a', 'b'], 'y': [3, 41]})\n"
        "alt.Chart(frame).mark_line().encode(x='x', y='y', tooltip=['y']).interactive()",
        "application/vnd.vegalite.v5+json",
        ("'type': 'line'", "'y': 41"),
    ),
}


@pytest.mark.feature("E06")
@pytest.mark.parametrize("library", FIGURES)
def test_a_figure_of_a_library_comes_as_its_data(kernel: ConfinedKernel, library: str) -> None:
    pytest.importorskip(library, reason=f"pip install {library}, of the test extra")
    code, mimetype, texts = FIGURES[library]

    _, messages = kernel.run(code)

    (bundle,) = [content["data"] for _, content in shown(messages)]
    assert set(bundle) == {mimetype, "text/plain"} - ({"text/plain"} if library == "plotly" else set())
    assert all(text in str(bundle[mimetype]) for text in texts)
    assert told(messages) == ""


def test_a_renderer_that_is_chosen_stays_in_force(kernel: ConfinedKernel) -> None:
    pytest.importorskip("altair", reason="pip install altair, of the test extra")
    chosen = "import altair as alt\nwith alt.renderers.enable('json'):\n    display(alt.Chart().mark_bar())"

    _, messages = kernel.run(chosen)

    assert "application/json" in shown(messages)[0][1]["data"]


def test_a_display_can_be_changed_and_output_cleared(kernel: ConfinedKernel) -> None:
    _, messages = kernel.run(
        "from IPython.display import clear_output\n"
        "h = display('a', display_id=True); h.update('b')\nclear_output(wait=True)"
    )

    (first, made), (second, changed) = shown(messages)
    assert (first, second) == ("display_data", "update_display_data")
    assert made["transient"] == changed["transient"] != {}
    assert [message["content"] for message in messages if message["msg_type"] == "clear_output"] == [{"wait": True}]


def test_output_keeps_its_order(kernel: ConfinedKernel) -> None:
    code = "import sys\nfor n in range(3): print(n); display(n); print(n, file=sys.stderr)"

    _, messages = kernel.run(code)

    kinds = [message["content"].get("name", message["msg_type"]) for message in messages][2:-1]
    assert kinds == ["stdout", "display_data", "stderr"] * 3


def test_values_and_inputs_are_remembered(kernel: ConfinedKernel) -> None:
    _, messages = kernel.run("20 + 1")
    count = shown(messages)[0][1]["execution_count"]

    _, messages = kernel.run(f"_ * 2, Out[{count}], In[{count}], _i{count}")

    assert shown(messages)[0][1]["data"]["text/plain"] == "(42, 21, '20 + 1', '20 + 1')"
    assert shown(messages)[0][1]["execution_count"] == count + 1


def test_tasks_of_a_cell_go_on_between_cells(kernel: ConfinedKernel) -> None:
    kernel.run("import asyncio\ndone = []\nasync def work():\n    await asyncio.sleep(0.1); done.append(1)")
    kernel.run("task = asyncio.create_task(work())")
    time.sleep(0.4)

    assert kernel.told("print(done, await asyncio.sleep(0, 'awaited'))") == "[1] awaited\n"


def test_cells_that_were_sent_before_an_error_are_aborted(kernel: ConfinedKernel) -> None:
    ids = [kernel.client.execute(code) for code in ("import time; time.sleep(0.3); 1/0", "x = 1", "y = 1")]

    statuses = {}
    while len(statuses) < len(ids):
        reply = kernel.client.get_shell_msg(timeout=20)
        statuses[reply["parent_header"]["msg_id"]] = reply["content"]["status"]

    assert [statuses[one] for one in ids] == ["error", "aborted", "aborted"]
    assert kernel.run("'x' in globals()")[0]["status"] == "ok"


def test_expressions_of_a_front_end_are_answered(kernel: ConfinedKernel) -> None:
    message_id = kernel.client.execute("a = 2", user_expressions={"twice": "a * 2", "wrong": "nothing"})

    while (reply := kernel.client.get_shell_msg(timeout=20))["parent_header"]["msg_id"] != message_id:
        pass
    found = reply["content"]["user_expressions"]
    assert (found["twice"]["data"]["text/plain"], found["wrong"]["status"]) == ("4", "error")


def test_a_question_that_takes_for_ever_can_be_interrupted(kernel: ConfinedKernel) -> None:
    kernel.run("import time\nclass Slow:\n    def __dir__(self):\n        while True: time.sleep(0.01)\nslow = Slow()")
    kernel.client.complete("slow.x")
    time.sleep(0.5)

    kernel.manager.interrupt_kernel()

    assert kernel.told("print('on')") == "on\n"


def test_a_progress_bar_moves(kernel: ConfinedKernel) -> None:
    _, messages = kernel.run("from tqdm.auto import tqdm\nfor _ in tqdm(range(3), mininterval=0): pass")

    assert "100%" in told(messages)
    assert "\r" in told(messages)


def test_a_traceback_is_coloured_and_whole(kernel: ConfinedKernel) -> None:
    reply, _ = kernel.run("import json\njson.loads('{')")

    assert reply["ename"] == "JSONDecodeError"
    assert "\x1b[" in reply["traceback"][0]
    assert any("json/decoder.py" in line for line in reply["traceback"])


def test_frames_look_as_wide_as_in_a_plain_kernel(kernel: ConfinedKernel) -> None:
    _, messages = kernel.run("import pandas as pd\npd.DataFrame([range(18)])")

    assert shown(messages)[0][1]["data"]["text/html"].count("<th></th>") == 1
    assert "..." not in shown(messages)[0][1]["data"]["text/html"]


def test_nothing_that_one_kernel_leaves_begins_with_the_next(tmp_path: Path) -> None:
    """A named work folder stays; the folders in which programs look for settings do not lie in it."""
    (tmp_path / "work").mkdir()
    (tmp_path / "notebook").mkdir()
    policy = {"work": str(tmp_path / "work")}
    with confined_kernel(tmp_path / "notebook", policy) as kernel:
        kernel.run(
            "import os, pathlib\n"
            "work = os.environ['KERNEL_SANDBOX_WORK']\n"
            "for place in (work, os.environ['HOME'], os.environ['IPYTHONDIR']):\n"
            "    for start in ('.ipython/profile_default/startup', 'profile_default/startup'):\n"
            "        pathlib.Path(place, start).mkdir(parents=True, exist_ok=True)\n"
            "        pathlib.Path(place, start, 'evil.py').write_text('evil = 1')\n"
            "    pathlib.Path(place, 'matplotlibrc').write_text('figure.figsize: 99, 99')\n"
        )
        kernel.manager.restart_kernel(now=True)
        kernel.client.wait_for_ready(timeout=60)

        answer = kernel.told(
            "import os, matplotlib\n"
            "private = [os.environ[n] for n in ('HOME', 'IPYTHONDIR', 'MPLCONFIGDIR', 'XDG_CACHE_HOME', 'TMPDIR')]\n"
            "print('evil' in globals(), matplotlib.rcParams['figure.figsize'][0] == 99,"
            " any(one.startswith(os.environ['KERNEL_SANDBOX_WORK']) for one in private),"
            " os.listdir(os.environ['HOME']))"
        )

    assert (tmp_path / "work" / "matplotlibrc").exists()
    assert answer == "False False False ['.matplotlib']\n"


def test_a_value_that_cannot_be_shown_says_why(kernel: ConfinedKernel) -> None:
    reply, messages = kernel.run("class Broken:\n    def __repr__(self): raise ValueError('no text')\nBroken()")

    assert reply["status"] == "ok"
    assert "ValueError: no text" in re.sub(r"\x1b\[[\d;]*m", "", told(messages))


def test_a_model_of_scikit_learn_is_shown_as_text(kernel: ConfinedKernel) -> None:
    _, messages = kernel.run("from sklearn.linear_model import Ridge\nRidge(alpha=2.0)")

    assert shown(messages)[-1][1]["data"] == {"text/plain": "Ridge(alpha=2.0)"}
    assert told(messages) == ""


def test_the_folder_can_be_changed_and_bookmarked(kernel: ConfinedKernel) -> None:
    reply, _ = kernel.run(
        "import os\nbefore = os.getcwd()\n%cd -q /\n%bookmark top\n%cd -q -\nassert os.getcwd() == before"
    )
    assert reply["status"] == "ok", reply

    reply, messages = kernel.run("%cd top\n%cd -q $before")

    assert (reply["status"], told(messages)) == ("ok", "(bookmark:top) -> /\n/\n")


@pytest.mark.parametrize("magic", ["store before", "connect_info", "qtconsole", "autosave 60"])
def test_a_magic_of_a_plain_kernel_that_cannot_be_is_refused_with_the_reason(
    kernel: ConfinedKernel, magic: str
) -> None:
    reply, _ = kernel.run(f"%{magic}")

    assert reply["ename"] == "PermissionError"
    assert f"%{magic.split()[0]} is refused: " in reply["evalue"]

"""Cells that own their kernel, against Jupyter: what they send past ipykernel arrives cleaned, or not at all."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.jsonutil import json_default
from jupyter_client.manager import KernelManager
from jupyter_client.session import Session

import kernel_sandbox
from kernel_sandbox.front.answer_fields import complete_reply, execute_reply, inspect_reply, is_complete_reply
from kernel_sandbox.front.bundles import clean_bundle, clean_stream, image_sizes
from kernel_sandbox.front.markup import clean_html, formula_problem
from kernel_sandbox.front.strict_json import Refused, parsed

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*TCP.*:UserWarning")
# What any code in the process can get hold of: the line to the front.
FORGE = """
import gc, json, struct
worker = next(one for one in gc.get_objects() if type(one).__name__ == 'Worker')
def forge(kind, content, request=None):
    content = content if isinstance(content, bytes) else json.dumps(content).encode()
    number = worker._origins.own() if request is None else request
    worker._line.sendall(struct.pack('!BII', kind, number, len(content)) + content)
def show(**bundle):
    forge(3, ['display_data', {name.replace('_', '/', 1): value for name, value in bundle.items()}, {}, None])
STDOUT, STDERR, DISPLAY, CLEAR, NOTE, ERROR, FAULT, DONE = range(1, 9)
"""


SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"></svg>'


class Client:
    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager, self.client = manager, client

    def run(self, code: str, seconds: float = 30) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        messages: list[dict[str, Any]] = []
        reply = self.client.execute_interactive(f"{FORGE}\n{code};", timeout=seconds, output_hook=messages.append)
        return reply["content"], messages

    def bundles(self, code: str) -> list[dict[str, str]]:
        return [message["content"]["data"] for message in self.run(code)[1] if message["msg_type"] == "display_data"]

    def told(self, code: str) -> str:
        _, messages = self.run(code)
        return "".join(message["content"]["text"] for message in messages if message["msg_type"] == "stream")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    path = tmp_path_factory.mktemp("jupyter")
    shutil.copytree(Path(kernel_sandbox.__file__).parent / "kernelspec", path / "kernels" / "confined-python")
    patch = pytest.MonkeyPatch()
    patch.setenv("JUPYTER_PATH", str(path))
    manager = KernelManager(kernel_name="confined-python")
    manager.start_kernel(cwd=str(tmp_path_factory.mktemp("notebook")))
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    yield Client(manager, client)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    manager.cleanup_resources()
    patch.undo()


@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("show(application_javascript='alert(1)')", []),
        (
            "show(text_html='<img src=x onerror=alert(1)><script>1</script><b onclick=1>t</b>')",
            [{"text/html": "<b>t</b>"}],
        ),
        ("show(text_latex=r'\\href{javascript:alert(1)}{x}', text_plain='x')", [{"text/plain": "x"}]),
        (
            "show(text_markdown='[x](javascript:1)')",
            [{"text/markdown": "[x] (javascript:1)", "text/plain": "[x](javascript:1)"}],
        ),
        ("show(image_png='PHN2Zz4=', text_plain='x')", [{"text/plain": "x"}]),
        ("show(**{'image_svg+xml': '<svg onload=alert(1)>'})", [{"image/svg+xml": SVG}]),
        ("show(**{'application_vnd.jupyter.widget-view+json': {'model_id': 'x'}})", []),
        ("forge(DISPLAY, ['display_data', [1], {}, None])", []),
    ],
)
def test_what_would_run_in_the_browser_is_left_out_and_said(
    kernel: Client, code: str, left: list[dict[str, str]]
) -> None:
    shown = kernel.bundles(code)

    assert shown == left
    if "markdown" not in code:
        assert "(confined kernel: " in kernel.told(code)


@pytest.mark.parametrize(
    ("code", "note"),
    [
        ("forge(DISPLAY, ['comm_open', {'comm_id': 'c'}, {}, None])", "a malformed display was dropped"),
        ("forge(77, b'x')", "a message of unknown kind 77 was dropped"),
        ("get_ipython().set_next_input('evil()', replace=True)", "the payload 'set_next_input' was dropped"),
        ("forge(DISPLAY, b'{')", "a message that is no JSON was dropped"),
        ("forge(ERROR, [1, 2])", "a malformed error was dropped"),
        ("forge(STDOUT, b'lie', 10**6)", "an answer to another request was dropped"),
        ("print('y' * 2_000_000)", "the output after the first 1,048,576 bytes was dropped"),
    ],
)
def test_what_is_not_passed_on_is_named_in_the_cell(kernel: Client, code: str, note: str) -> None:
    reply, messages = kernel.run(code)

    told = "".join(message["content"]["text"] for message in messages if message["msg_type"] == "stream")
    assert note in told
    assert "lie" not in told
    assert not [message for message in messages if message["msg_type"].startswith(("comm_", "debug_"))]
    assert reply["payload"] == []
    assert len(told) < 2**20 + 1000


def test_a_widget_is_refused_in_one_line(kernel: Client) -> None:
    bundle = {"text_plain": "s", "application_vnd.jupyter.widget-view+json": {}}

    _, messages = kernel.run(f"import ipywidgets; display(ipywidgets.IntSlider())\nshow(**{bundle})")

    told = "".join(message["content"]["text"] for message in messages if message["msg_type"] == "stream")
    assert told == "(confined kernel: widgets were not shown: nothing of a confined kernel runs in the browser)\n"


def test_a_forged_end_only_cuts_the_cell_short(kernel: Client) -> None:
    reply, messages = kernel.run("forge(DONE, {})\nforge(DISPLAY, ['display_data', {'text/plain': 'late'}, {}, None])")

    kinds = [message["content"].get("execution_state", message["msg_type"]) for message in messages]
    assert reply["status"] == "ok"
    assert kinds == ["busy", "execute_input", "idle"]


def test_the_account_of_the_code_is_what_was_sent(kernel: Client) -> None:
    _, messages = kernel.run("get_ipython().history_manager.input_hist_raw.append('innocent()')")
    history = kernel.client.history(hist_access_type="tail", n=1, reply=True, timeout=20)["content"]["history"]

    told = {message["content"]["code"] for message in messages if message["msg_type"] == "execute_input"}
    assert len(told) == 1
    assert "innocent()')" in told.pop()
    assert "innocent()')" in history[0][2]


def test_an_answer_of_many_megabytes_is_replaced_by_a_line(kernel: Client) -> None:
    reply, _ = kernel.run("worker._do_execute = lambda request, file: {'user_expressions': {'x': 'y' * 20_000_000}}")
    assert reply["status"] == "ok"

    reply, _ = kernel.run("1")

    assert reply["status"] == "error"
    assert len(str(reply)) < 1000
    kernel.manager.restart_kernel(now=True)
    kernel.client.wait_for_ready(timeout=60)


def test_a_completion_replaces_nothing_but_what_stands_before_the_cursor(kernel: Client) -> None:
    kernel.run(
        "evil = {'matches': ['rm()'], 'cursor_start': 0, 'cursor_end': 12, 'metadata': {}}\n"
        "from kernel_sandbox.confined.questions import QUESTIONS\n"
        "plain, QUESTIONS['complete'] = QUESTIONS['complete'], lambda shell, asked: evil"
    )

    content = kernel.client.complete("x = 1\npri y", cursor_pos=9, reply=True, timeout=20)["content"]

    assert (content["matches"], content["cursor_start"], content["cursor_end"]) == ([], 9, 9)
    kernel.run("QUESTIONS['complete'] = plain")


def test_a_question_to_the_user_is_refused(kernel: Client) -> None:
    for question in ("input('password?')", "import getpass; getpass.getpass()"):
        reply, _ = kernel.run(question)

        assert (reply["ename"], "nobody to ask" in reply["evalue"]) == ("EOFError", True)
    assert not kernel.client.stdin_channel.msg_ready()


def test_the_kernel_cannot_describe_itself_anew(kernel: Client) -> None:
    kernel.run("1")
    before = kernel.client.kernel_info(reply=True, timeout=20)["content"]

    kernel.run("worker._do_kernel_info = lambda *args: {'language_info': {'nbconvert_exporter': 'evil'}}")

    assert kernel.client.kernel_info(reply=True, timeout=20)["content"] == before
    assert before["language_info"]["name"] == "python"


def test_titles_and_screens_of_terminals_stay_as_they_are(kernel: Client) -> None:
    told = kernel.told(r"print('\x1b]0;title\x07\x1b[31mred\x1b[0m\x1b[2J\x1b[6n')")

    assert told == "\x1b[31mred\x1b[0m\n"


def test_a_data_frame_looks_as_in_a_plain_kernel(kernel: Client) -> None:
    _, messages = kernel.run("import pandas as pd; display(pd.DataFrame({'a': ['<b>', 1]}))")

    html = next(message["content"]["data"]["text/html"] for message in messages if "data" in message["content"])
    assert html.count("<td>") == 2
    assert '<table border="1" class="dataframe">' in html
    assert "&lt;b&gt;" in html


def test_a_client_that_reads_late_misses_no_message_and_no_end(kernel: Client) -> None:
    code = f"{FORGE}\nfor _ in range(4000): forge(STDOUT, b'x')"
    message_id = kernel.client.execute(code)
    kernel.client.get_shell_msg(timeout=60)
    time.sleep(0.5)

    told, state = "", ""
    while state != "idle":
        message = kernel.client.get_iopub_msg(timeout=20)
        if message["parent_header"].get("msg_id") == message_id:
            told += message["content"].get("text", "")
            state = message["content"].get("execution_state", "")

    assert told == "x" * 4000


def test_restart_gives_a_fresh_kernel_behind_the_same_endpoints(kernel: Client) -> None:
    kernel.run("before = 1")

    kernel.manager.restart_kernel(now=True)
    kernel.client.wait_for_ready(timeout=60)

    assert kernel.run("before")[0]["ename"] == "NameError"


def test_an_idle_kernel_uses_no_processor_time(kernel: Client) -> None:
    kernel.run("1")
    keeper = psutil.Process(kernel.manager.provisioner.pid)
    family = [keeper, *keeper.children()]
    before = [sum(process.cpu_times()[:2]) for process in family]

    time.sleep(2)

    used = [sum(process.cpu_times()[:2]) - then for process, then in zip(family, before, strict=True)]
    assert len(used) == 3
    # The keeper looks at the limits of the process now and then.
    assert max(used[1:]) <= 0.02
    assert used[0] <= 0.2


def test_a_message_over_all_bounds_ends_the_kernel_with_a_reason_in_the_cell(kernel: Client) -> None:
    message_id = kernel.client.execute(f"{FORGE}\nforge(DISPLAY, bytes(50_000_000))\nwhile True: pass")
    told, end = "", time.monotonic() + 30
    while "was ended" not in told and time.monotonic() < end:
        message = kernel.client.get_iopub_msg(timeout=30)
        if message["parent_header"].get("msg_id") == message_id:
            told += message["content"].get("text", "")

    assert "the kernel was ended: the code said more than it may: a message of 50,000,000 bytes" in told
    while kernel.manager.is_alive() and time.monotonic() < end:
        time.sleep(0.05)
    assert not kernel.manager.is_alive()
    kernel.manager.restart_kernel(now=True)
    kernel.client.wait_for_ready(timeout=60)
    assert kernel.run("1")[0]["status"] == "ok"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<b>x</b>", "<b>x</b>"),
        ("<b>x", "<b>x</b>"),
        ("</div></div>x", "x"),
        ("<a href='javascript:1'>x</a>", "x"),
        ("<td style='text-align: right; background: url(//x)'>1", '<td style="text-align: right">1</td>'),
        ("<p style='color:red;position:fixed'>x</p>", '<p style="color:red">x</p>'),
        ('<td colspan="2" rowspan="x" id="y">1</td>', '<td colspan="2">1</td>'),
        ("<svg><p>x</svg>y", "y"),
        ("&lt;script&gt;", "&lt;script&gt;"),
        ("<form><input autofocus onfocus=alert(1)>x</form>", "x"),
    ],
)
def test_html_is_made_anew_from_harmless_parts(before: str, after: str) -> None:
    assert clean_html(before)[0] == after


@pytest.mark.parametrize(
    "text",
    [
        "<scr<script>ipt>alert(1)</script>",
        "<!--><script>alert(1)</script>-->",
        "<b title='></b><script>alert(1)</script>'>x",
        "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "<![CDATA[<img src=x onerror=alert(1)>]]>",
        "<b/onclick=alert(1)/>x<table\x00onclick=alert(1)>",
    ],
)
def test_html_that_confuses_parsers_leaves_no_tag_outside_the_list(text: str) -> None:
    rebuilt, _ = clean_html(text)

    assert re.fullmatch(r"(?:[^<>]|</?(?:b|p|table)>)*", rebuilt)


@pytest.mark.parametrize("macro", ["href", "url", "style", "class", "cssId", "require", "def", "csname", "unicode"])
def test_a_formula_with_a_macro_outside_the_list_is_not_typeset(macro: str) -> None:
    assert formula_problem(rf"\{macro}{{x}}") == rf"it uses \{macro}"
    assert formula_problem(r"\frac{1}{\sqrt{x}}") is None


@pytest.mark.parametrize("text", ["a\u202eb", "a\u2066b", "a\u200bb", "a\U000e0041b"])
def test_characters_that_reorder_or_hide_text_are_shown_as_escapes(text: str) -> None:
    escape = f"\\u{ord(text[1]):04x}"

    assert clean_stream(text) == f"a{escape}b"
    assert clean_html(f"<b>a&#{ord(text[1])};b</b>")[0] == f"<b>a{escape}b</b>"


@pytest.mark.parametrize(
    "text", ["\x1b]8;;http://x\x07link\x1b]8;;\x07", "\x1b]52;c;eA==\x07link", "\x9dlink", "\x1bcl\x1b[6nink"]
)
def test_links_clipboards_and_questions_of_terminals_are_left_out(text: str) -> None:
    assert clean_stream(text) == "link"


@pytest.mark.parametrize("content", ['{"a": NaN}', "[1]", "[" * 100_000, '{"a": 1' + "0" * 5000 + "}", "\\"])
def test_content_that_is_no_json_object_is_refused(content: str) -> None:
    with pytest.raises(Refused, match="no JSON"):
        parsed(content.encode(), dict)


def test_requests_that_no_client_of_ours_would_send_hold_up_nothing(kernel: Client) -> None:
    """As a browser sends them: half a character in a cell; contents that are lists; the same message again."""
    channel, session = kernel.client.shell_channel, Session(key=kernel.client.session.key)
    session.pack = lambda part: json.dumps(part, default=json_default).encode()
    half = session.msg("execute_request", {"code": "'a\ud800'", "silent": False})
    listed = session.msg("execute_request") | {"content": b"[]"}
    for message in (half, half, listed, half):
        channel.socket.send_multipart(session.serialize(message))

    assert kernel.client.get_shell_msg(timeout=30)["parent_header"]["msg_id"] == half["header"]["msg_id"]
    assert kernel.run("1")[0]["status"] == "ok"


def test_every_reply_keeps_its_known_fields_and_nothing_else() -> None:
    notes: list[str] = []
    content = {"status": "error", "matches": ["ab", 1, "c\nd"], "cursor_start": 0, "cursor_end": 1, "evil": 1}

    assert complete_reply(content, "a", 1) == {
        **{"status": "ok", "matches": ["ab"], "cursor_start": 0, "cursor_end": 1},
        "metadata": {"_jupyter_types_experimental": []},
    }
    assert is_complete_reply({"status": "x", "indent": "evil", "y": 1}) == {"status": "unknown", "indent": ""}
    assert inspect_reply({"found": True, "data": {"text/html": "x"}}, notes.append)["data"] == {}
    assert json.dumps(execute_reply({"user_expressions": {"x": {"status": "ok", "data": 1}}}, notes.append))


@pytest.mark.parametrize(
    ("code", "start", "kept"),
    [
        ("df.col", 3, True),
        ("df['a b", 4, False),
        ("open('/tmp/x", 6, True),
        ("%mat", 0, True),
        ("x = pri", 4, True),
        ("x = pri", 0, False),
        ("a\npri", 0, False),
        ("pri", -1, False),
    ],
)
def test_a_completion_reaches_back_over_one_word(code: str, start: int, kept: bool) -> None:
    content = {"matches": ["m"], "cursor_start": start, "cursor_end": len(code)}

    assert complete_reply(content, code, len(code))["matches"] == (["m"] if kept else [])


def test_stray_values_in_a_bundle_are_left_out() -> None:
    notes: list[str] = []

    assert clean_bundle({"text/plain": ["x"], "a b": "x", "text/html": None}, notes.append) == {}
    assert len(notes) == 3
    assert image_sizes({"image/png": {"width": 10, "height": 1e300, "onload": 1}}) == {"image/png": {"width": 10}}
    assert clean_stream("a\x00\x9b31m\x1b[\x0031mb\ud800\t\r\n") == "a31mb?\t\r\n"

"""What is shown about a check, in every form."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pandas as pd
import pytest

from pandas_magic.checking.result import Result
from pandas_magic.history.run import Confined, Verdict
from pandas_magic.reporters.bundle import CHECK_MIMETYPE, bundle, worst
from pandas_magic.reporters.card import card_of

MakeResult = Callable[..., Result]
MIMETYPES = ("text/html", "text/markdown", "text/plain")
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> </td>|`a`|[x](javascript:alert(3)) \x1b[31m $x^2$"


class _Tags(HTMLParser):
    """The tags and the texts of a piece of HTML; `unclosed` is empty when every tag has its end."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.unclosed: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.unclosed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.unclosed.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def _shown(result: Result) -> dict[str, Any]:
    return bundle([result])[0]


@pytest.mark.feature("A04")
@pytest.mark.parametrize(
    ("verdict", "badge"),
    [(Verdict.PASS, "✓ PASS"), (Verdict.FAIL, "✗ FAIL"), (Verdict.ERROR, "! ERROR"), (Verdict.SKIPPED, "– SKIPPED")],
)
@pytest.mark.parametrize("mimetype", MIMETYPES)
def test_verdict_is_a_sign_and_a_word_in_every_form(
    make_result: MakeResult, verdict: Verdict, badge: str, mimetype: str
) -> None:
    assert badge in _shown(make_result(verdict))[mimetype]


@pytest.mark.parametrize("mimetype", MIMETYPES)
@pytest.mark.parametrize(
    "said",
    [
        "Unknown users in events",
        "2 of 1,000 rows of events break the rule",
        "Understood",
        "flags 4 of 4 planted violations, leaves 6 of 6 clean rows alone",
        "an event of a user that is not known",
        "keep those whose user_id is not in users.user_id",
        "3 rows, where a missing value leaves the rule open",
        "landlock, seccomp",
        "901",
        "All 2 failing rows",
        "edited: this code is not the compiled code",
    ],
)
def test_every_form_says_everything(make_result: MakeResult, mimetype: str, said: str) -> None:
    shown = _shown(make_result(not_judged=3, notes=("edited: this code is not the compiled code",)))[mimetype]

    text = _Tags(shown).text if mimetype == "text/html" else re.sub(r"\\(?=[_\W])", "", shown)
    assert said in text


@pytest.mark.parametrize("mimetype", MIMETYPES)
def test_code_is_shown_whole(make_result: MakeResult, mimetype: str) -> None:
    shown = _shown(make_result())[mimetype]

    text = _Tags(shown).text if mimetype == "text/html" else shown
    assert 'violations = events[~events["user_id"].isin(users["user_id"])]' in text


def test_hostile_values_stay_values_in_html(make_result: MakeResult) -> None:
    rows = pd.DataFrame({HOSTILE: [HOSTILE]}, index=[HOSTILE])

    html = _Tags(
        _shown(make_result(rows=rows, summary=HOSTILE, notes=(HOSTILE,), stdout=HOSTILE, code=HOSTILE))["text/html"]
    )

    allowed = {"div", "style", "p", "b", "span", "dl", "dt", "dd", "details", "summary", "ol", "li", "pre"}
    assert html.tags <= allowed | {"table", "thead", "tbody", "tr", "th", "td"}
    assert html.attributes <= {"class", "data-pm-part", "data-pm-check"}
    assert html.unclosed == []
    assert html.text.count("<script>") == 7


def test_how_we_know_is_folded_unless_something_is_amiss(make_result: MakeResult) -> None:
    def folded(**said: Any) -> str:
        return str(_shown(make_result(**said))["text/html"]).partition("How do we know?")[2].partition("</details>")[0]

    open_kernel = Confined(isolation="none", layers=(), policy_digest="0" * 16)
    assert "flags 4 of 4" in folded() and "landlock, seccomp" in folded()
    assert "isolation is turned off" not in folded(confined=open_kernel)
    assert "Confined by" in _shown(make_result(confined=open_kernel))["text/html"]


def test_only_a_cell_of_one_check_gives_it_back_by_the_underscore(make_result: MakeResult) -> None:
    assert "%checks rows CHK-002, or _.violations" in _shown(make_result())["text/plain"]
    assert "_.violations" not in bundle([make_result(), make_result()])[0]["text/plain"]


def test_hostile_values_stay_values_in_markdown(make_result: MakeResult) -> None:
    rows = pd.DataFrame({"a": [HOSTILE]})

    markdown = _shown(make_result(rows=rows, summary=HOSTILE, code="```\n<script>"))["text/markdown"]

    outside_code = re.sub(r"(?ms)^(`{3,})\w+\n.*?^\1$", "", markdown)
    assert set(re.findall(r"</?(\w+)", outside_code)) == {"details", "summary"}
    assert "````python\n```\n<script>\n````" in markdown
    row = next(line for line in markdown.split("\n") if line.startswith("| 0 |"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
    assert "](javascript" not in row


def test_hostile_values_move_no_cursor_in_a_terminal(make_result: MakeResult) -> None:
    rows = pd.DataFrame({"a": ["\x1b]0;title\x07\x9b31m\r"]})

    text = _shown(make_result(rows=rows, stdout="\x1b[2J", code="x = '\x1b'"))["text/plain"]

    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


@pytest.mark.parametrize("mimetype", [*MIMETYPES, CHECK_MIMETYPE])
def test_output_holds_still_between_runs(make_result: MakeResult, mimetype: str) -> None:
    one = make_result(run_id="20261121T080000-aaaaaa", seconds=0.25, artifact="artifacts/a/violations.parquet")
    other = make_result(
        run_id="20270101T235959-bbbbbb",
        seconds=9.5,
        artifact="artifacts/b/violations.parquet",
        started_at="2027-01-01T23:59:59Z",
    )

    assert _shown(one)[mimetype] == _shown(other)[mimetype]


def test_what_moves_is_in_the_outputs_metadata(make_result: MakeResult) -> None:
    _, metadata = bundle([make_result(artifact="artifacts/x/violations.parquet")])

    assert metadata["pandas_magic"]["verdict"] == "FAIL"
    assert metadata["pandas_magic"]["runs"][0]["artifact"] == "artifacts/x/violations.parquet"


def test_json_carries_the_verdict_and_the_proof(make_result: MakeResult) -> None:
    shown = json.loads(json.dumps(_shown(make_result())[CHECK_MIMETYPE]))

    assert shown["version"] == 1
    (check,) = shown["checks"]
    assert (check["check"], check["verdict"], check["violation_count"]) == ("CHK-002", "FAIL", 2)
    assert check["proof"]["flagged"] == 4


def test_error_names_its_reason_once(make_result: MakeResult) -> None:
    card = card_of(make_result(Verdict.ERROR, error="KeyError: 'x'", summary="ERROR: KeyError: 'x'"))

    assert card.headline == "KeyError: 'x'"
    assert "Error" not in dict(card.facts)


def test_unproved_check_says_so(make_result: MakeResult, make_compiled: Callable[..., Any]) -> None:
    unproved = make_compiled().model_copy(update={"proof": None})

    assert dict(card_of(make_result(compiled=unproved)).facts)["Proof"] == "none: saved unproved on request"


def test_recompiled_check_says_why(make_result: MakeResult) -> None:
    facts = dict(card_of(make_result(compiled_now=True, stale_reason="its rule changed")).facts)

    assert facts["Compiled again"] == "its rule changed"


def test_stale_check_says_why(make_result: MakeResult) -> None:
    facts = dict(card_of(make_result(Verdict.ERROR, stale_reason='column "user_id" of table "events" is gone')).facts)

    assert facts["Stale"] == 'column "user_id" of table "events" is gone'


def test_run_without_confinement_says_so(make_result: MakeResult) -> None:
    facts = dict(card_of(make_result(confined=None)).facts)

    assert facts["Confined by"] == "nothing: the code did not run in the sandbox"


def test_isolation_turned_off_says_so(make_result: MakeResult) -> None:
    confined = Confined(isolation="none", layers=(), policy_digest="0" * 16)

    facts = dict(card_of(make_result(confined=confined)).facts)

    assert facts["Confined by"] == "nothing: isolation is turned off"


def test_passing_check_shows_no_rows(make_result: MakeResult) -> None:
    card = card_of(make_result(Verdict.PASS))

    assert (card.failing, card.where) == (None, "")


def test_worst_verdict_speaks_for_several(make_result: MakeResult) -> None:
    verdicts = [Verdict.PASS, Verdict.FAIL, Verdict.SKIPPED]

    assert worst([make_result(verdict) for verdict in verdicts]) is Verdict.FAIL
    assert worst([make_result(Verdict.FAIL), make_result(Verdict.ERROR)]) is Verdict.ERROR
    assert worst([]) is Verdict.SKIPPED


def test_several_results_are_one_output(make_result: MakeResult, make_compiled: Callable[..., Any]) -> None:
    results = [make_result(compiled=make_compiled(check_id)) for check_id in ("CHK-001", "CHK-002")]

    data, _ = bundle(results)

    assert all(
        check_id in data[mimetype].replace("\\", "") for check_id in ("CHK-001", "CHK-002") for mimetype in MIMETYPES
    )
    assert len(data[CHECK_MIMETYPE]["checks"]) == 2


def test_many_results_begin_with_a_table_and_show_whole_what_did_not_pass(
    make_result: MakeResult, make_compiled: Callable[..., Any]
) -> None:
    verdicts = [Verdict.PASS, Verdict.FAIL, Verdict.PASS, Verdict.ERROR]
    results = [make_result(v, compiled=make_compiled(f"CHK-00{n}")) for n, v in enumerate(verdicts)]

    text = bundle(results)[0]["text/plain"]

    assert text.startswith("4 checks: 2 PASS, 1 FAIL, 1 ERROR\n")
    assert [line for line in text.split("\n") if line.startswith(("✗ FAIL", "! ERROR", "✓ PASS"))] == [
        "✗ FAIL  CHK-001 · Unknown users in events  (medium)",
        "! ERROR  CHK-003 · Unknown users in events  (medium)",
    ]


def test_a_hundred_failing_checks_say_how_many_are_shown(
    make_result: MakeResult, make_compiled: Callable[..., Any]
) -> None:
    results = [make_result(compiled=make_compiled(f"CHK-{n:03d}")) for n in range(100)]

    text = bundle(results)[0]["text/plain"]

    assert "Below, the first 10 of those that did not pass" in text
    assert text.count("\n✗ FAIL") == 10

"""The line that is seen while a check is being made."""

from collections.abc import Iterator

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.reporters import progress_line as module
from pandas_magic.reporters.progress_line import NoProgress, Progress, progress


@pytest.fixture
def page(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> Iterator[CapturingDisplayPublisher]:
    publisher = CapturingDisplayPublisher()
    monkeypatch.setattr(shell, "display_pub", publisher)
    yield publisher


def _shown(page: CapturingDisplayPublisher) -> list[tuple[str, bool]]:
    return [(output["data"]["text/plain"], bool(output.get("update"))) for output in page.outputs]


def test_quick_work_shows_nothing(page: CapturingDisplayPublisher) -> None:
    with progress(watched=True) as on_progress:
        on_progress("reading users")

    assert page.outputs == []


def test_long_work_shows_one_line_that_changes(
    page: CapturingDisplayPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.0)
    shown = Progress()

    shown("reading users")
    shown("proving")

    assert _shown(page) == [("reading users", False), ("proving", True)]
    assert len({output["transient"]["display_id"] for output in page.outputs}) == 1


def test_first_stage_is_shown_even_when_no_other_follows(
    page: CapturingDisplayPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.05)
    shown = Progress()

    shown("reading users")
    shown._timer.join()

    assert _shown(page) == [("reading users", False)]


def test_nothing_is_shown_after_the_end(page: CapturingDisplayPublisher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.0)
    shown = Progress()

    shown.close()
    shown("too late")

    assert page.outputs == []


def test_markup_in_a_stage_is_escaped(page: CapturingDisplayPublisher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUIET_SECONDS", 0.0)
    shown = Progress()

    shown("reading <b>.csv")

    assert page.outputs[0]["data"]["text/html"] == '<p class="pm-stage"><i>reading &lt;b&gt;.csv</i></p>'


def test_run_that_nobody_watches_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(watched=False) as on_progress:
        assert isinstance(on_progress, NoProgress)
        on_progress("reading users")

    assert capsys.readouterr() == ("", "")


def test_terminal_has_one_line_overwritten_in_place(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    with progress(watched=False) as on_progress:
        on_progress("reading users")

    assert capsys.readouterr().err == "\r\x1b[2Kreading users\r\x1b[2K"

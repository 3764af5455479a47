"""The magic `%eda` where no page looks on: a report.

It runs what docs/eda.md shows.
"""

import threading
from pathlib import Path

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from pandas_magic.errors import UsageMistake
from pandas_magic.notebook.eda_magics import EdaMagics
from pandas_magic.notebook.notebook_session import NotebookSession, open_here


@pytest.mark.feature("C02", "C31")
def test_the_magic_gives_the_report_where_no_page_looks_on(
    tmp_path: Path, shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t.csv").write_text("kind,size\n" + "".join(f"{'ab'[n % 2]},{n % 9}\n" for n in range(40)))
    monkeypatch.chdir(tmp_path)
    session = NotebookSession(shell, open_here)
    try:
        magics = EdaMagics(shell, session)
        report = magics.eda("t --target kind --plots 1 -o found")
        with pytest.raises(UsageMistake, match="needs a table"):
            magics.eda("--run")
    finally:
        session.close()
    assert report is not None and shell.user_ns["found"] is report
    bundle = report._repr_mimebundle_()
    assert bundle["application/vnd.pandas-magic.eda+json"]["target"]["name"] == "kind"
    assert "<script" not in bundle["text/html"] and "40 rows" in bundle["text/plain"]
    assert (tmp_path / ".pandas_magic" / "artifacts" / report.run_id / "report.html").exists()


def test_the_process_comes_up_with_a_large_frame_where_a_page_looks_on(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    begun = threading.Semaphore(0)
    monkeypatch.setattr("pandas_magic.explore.study.begin_sandbox", lambda policy: begun.release())
    session = NotebookSession(shell, open_here)
    magics = EdaMagics(shell, session)

    def is_begun() -> bool:
        magics.make_ready()
        return begun.acquire(timeout=0.2)

    shell.user_ns["rows"] = pd.DataFrame({"n": range(200_000)})
    assert not is_begun(), "nobody looks on"
    monkeypatch.setattr(shell, "get_parent", lambda: {"metadata": {"cellId": "c1"}}, raising=False)
    large = shell.user_ns.pop("rows")
    assert not is_begun(), "there is no table yet"
    shell.user_ns["rows"] = large.head(10)
    assert not is_begun(), "a small one is explored at once"
    shell.user_ns["rows"] = large
    magics.make_ready()
    assert begun.acquire(timeout=20)
    assert not is_begun(), "one is enough"
    session.close()

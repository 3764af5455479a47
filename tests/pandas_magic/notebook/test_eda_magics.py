"""The magic `%eda` where no page looks on: a report.

It runs what docs/eda.md shows.
"""

from pathlib import Path

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

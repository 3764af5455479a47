"""Takes the README's picture of a real run: `python -m tests.browser.picture docs/images/check.png`."""

import sys
import tempfile
from pathlib import Path

from pandas_magic.cli.demo_shop import write_tables
from tests.browser.lab import Browser, LabServer

_CELLS = [
    "%load_ext pandas_magic",
    '%%check CHK-002 --name "Unknown users in events" --tables events,users --severity medium\n'
    "Flag events rows whose user_id is missing from users.",
]


def take(path: Path) -> None:
    """Run one rule in JupyterLab and keep a picture of the rule, its verdict and its saved cell, itself run."""
    with tempfile.TemporaryDirectory() as folder, LabServer(Path(folder)) as server, Browser(width=1180) as browser:
        write_tables(Path(folder) / "data")
        page = browser.open(server, "checks.ipynb", _CELLS)
        page.run_all()
        page.wait_idle()
        page.wait_until(lambda: len(page.sources()) == len(_CELLS) + 1, "the saved cell")
        # Without the side bar the notebook has the width that people give it.
        page.page.keyboard.press("Control+b")
        page.page.wait_for_timeout(1000)
        page.photograph(path)


if __name__ == "__main__":
    take(Path(sys.argv[1]))

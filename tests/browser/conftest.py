"""One JupyterLab and one Chromium for all browser tests; skipped with a line that says what they need.

They end with the package: as long as Playwright lives, an event loop runs in the thread that drives it, and tests
elsewhere start their own.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.lab import CHROMIUM, Browser, LabServer

_NEEDS = "needs Chromium: apt-get install chromium"


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups in this hook too
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))
            # In CI nothing is skipped for want of a tool: there the fixture fails and says why.
            if not CHROMIUM and not os.environ.get("CI"):
                item.add_marker(pytest.mark.skip(reason=_NEEDS))


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    with LabServer(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, _NEEDS
    with Browser() as browser:
        yield browser

"""Checks in a real JupyterLab: what is inserted where, what is seen, what a person can do about it."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.lab import Browser, LabServer, NotebookPage

EXAMPLES = Path(__file__).parents[2] / "examples"
LOAD = "%load_ext pandas_magic"
RULE = "%%check CHK-001\nusers.email must not be null."
AFTER = "'after'"


@pytest.fixture
def folder(lab: LabServer, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder of its own below the server's, with a small table; its kernel ends with the test."""
    yield _folder_with_users(lab, request.node.name)
    lab.end_kernels()


def _folder_with_users(lab: LabServer, name: str) -> Path:
    folder = lab.root / re.sub(r"\W+", "-", name)
    folder.mkdir()
    (folder / "users.csv").write_text("user_id,email\n1,a@example.com\n2,\n3,c@example.com\n")
    return folder


def _open(browser: Browser, lab: LabServer, folder: Path, *cells: str) -> NotebookPage:
    return browser.open(lab, f"{folder.name}/checks.ipynb", [LOAD, *cells, AFTER])


def _first_lines(page: NotebookPage) -> list[str]:
    return [source.split("\n")[0] for source in page.sources()]


def _run_all(page: NotebookPage, *, cells: int) -> None:
    page.run_all()
    page.wait_idle()
    page.wait_until(lambda: len(page.sources()) == cells, f"{cells} cells")


def test_quickstart_run_all_inserts_every_saved_cell_in_its_place(lab: LabServer, browser: Browser) -> None:
    shutil.copytree(EXAMPLES / "data", lab.root / "quickstart" / "data")
    shutil.copy(EXAMPLES / "quickstart.ipynb", lab.root / "quickstart")
    page = browser.open(lab, "quickstart/quickstart.ipynb")
    before = len(page.sources())

    # CHK-101 is there already and is brought up to date; CHK-102 has three rules, CHK-103 one.
    _run_all(page, cells=before + 4)

    code = [line for line in _first_lines(page) if line.startswith("%%check")]
    assert [re.split(r" --(?!run)", line)[0] for line in code] == [
        "%%check CHK-101",
        "%%check CHK-102",
        "%%check --run CHK-102-1",
        "%%check --run CHK-102-2",
        "%%check --run CHK-102-3",
        "%%check CHK-103",
        "%%check --run CHK-103",
        "%%check CHK-104",
        "%%check --run CHK-101",
    ]
    shown = page.notebook.locator(".pm-badge").all_inner_texts()
    assert shown.count("✗ FAIL") >= 6
    saved = page.save()
    inserted = [cell for cell in saved.cells if cell.metadata.get("pandas_magic")]
    assert [cell.metadata["pandas_magic"]["check"] for cell in inserted][:4] == [
        "CHK-102-1",
        "CHK-102-2",
        "CHK-102-3",
        "CHK-103",
    ]
    assert all(cell.metadata["tags"] == ["pandas-magic"] for cell in inserted)
    page.close()
    lab.end_kernels()


# A notebook takes seconds to open, so that a test follows one as a person would.
def test_a_saved_cell_is_inserted_once_follows_its_rule_after_a_reload_and_stays_once_edited_by_hand(
    lab: LabServer, browser: Browser, folder: Path
) -> None:
    page = _open(browser, lab, folder, RULE)
    _run_all(page, cells=4)

    _run_all(page, cells=4)

    assert _first_lines(page) == [LOAD, "%%check CHK-001", "%%check --run CHK-001", AFTER]
    # What the saved cell shows as well is one line on the rule's own.
    page.cell(1).locator(".pm-more").wait_for()
    assert "✗ FAIL CHK-001" in page.output_text(1) and "Understood" not in page.output_text(1)
    page.cell(1).locator(".pm-more").click()
    assert "Understood" in page.output_text(1) and "Understood" in page.output_text(2)
    # JupyterLab sets all tables to the right with rules that are stronger than a class and a tag.
    assert _style(page, "td:not(.pm-number)", "textAlign") == "left"
    assert _style(page, "td.pm-number", "textAlign") == "right"
    assert "✗ FAIL" in page.output_text(2)

    page.write(1, "%%check CHK-001\nusers.user_id must be unique.")
    page.run_cell(1)
    page.wait_idle()

    page.wait_until(lambda: "user_id must be unique" in page.sources()[2], "the saved cell to be replaced")
    assert page.output_text(2) == ""
    assert len(page.sources()) == 4
    assert "its rule changed" in page.output_text(1)

    page.save()
    page.reload()
    page.wait_idle()

    assert len(page.sources()) == 4
    page.write(1, "%%check CHK-001\nusers.email must be unique.")
    page.run_cell(1)
    page.wait_idle()
    page.wait_until(lambda: "email must be unique" in page.sources()[2], "the cell to be replaced after a reload")
    assert len(page.sources()) == 4

    assert "--severity" in page.complete(3, "%%check --sev")
    assert "users" in "\n".join(page.complete(3, "%%check --tables use"))
    assert "CHK-001" in "\n".join(page.complete(3, "%%check --run C"))

    mine = page.sources()[2] + "\n# mine"
    page.write(2, mine)
    page.write(1, "%%check CHK-001\nusers.user_id must be unique.")
    page.run_cell(1)
    page.wait_idle()

    page.wait_until(lambda: len(page.sources()) == 5, "the new cell beside the edited one")
    assert "user_id must be unique" in page.sources()[2]
    assert page.sources()[3] == mine
    page.close()


# The button is pressed in test_plan.py, and what stops in one line is asked of a kernel in test_front_ends.py.
@pytest.mark.thorough
def test_stop_button_ends_confined_code_in_one_line_and_the_next_check_works(
    lab: LabServer, browser: Browser, folder: Path
) -> None:
    page = _open(browser, lab, folder, "%%sandbox\nwhile True: pass", RULE)
    page.run_cell(0)
    page.wait_idle()
    page.run_cell(1)
    page.wait_until(lambda: "running confined" in page.output_text(1), "the progress line")

    page.interrupt()
    page.wait_idle()

    assert page.output_text(1).startswith("Interrupted: stopped.")
    assert "\n" not in page.output_text(1)
    page.run_cell(2)
    page.wait_idle()
    page.wait_until(lambda: "✗ FAIL" in page.output_text(2), "the next check's verdict")
    page.close()


@pytest.mark.thorough
def test_verdict_and_text_stand_out_in_light_and_dark(
    lab: LabServer, browser: Browser, folder: Path, tmp_path: Path
) -> None:
    page = _open(browser, lab, folder, RULE, "%%check CHK-002\nusers.user_id must be unique.")
    _run_all(page, cells=6)
    for theme in ("Dark", "Light"):
        page.choose_theme(theme)
        page.photograph(tmp_path / f"{theme}.png")
        for part in (
            ".pm-badge.pm-fail",
            ".pm-badge.pm-pass",
            ".pm-headline",
            ".pm-about",
            "dt",
            "dd",
            "tbody th",
            "pre",
        ):
            assert _contrast(page, part) >= 3.0, (theme, part)
        for part in (".pm-headline", "dd", "td"):
            # WCAG 2.2, level AA, for text of this size.
            assert _contrast(page, part) >= 4.5, (theme, part)
    page.close()


def _style(page: NotebookPage, part: str, name: str) -> str:
    script = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"
    return str(page.page.evaluate(script, [f".pandas-magic {part}", name]))


def _contrast(page: NotebookPage, part: str) -> float:
    """The contrast of a part's text against what lies behind it, by WCAG's formula: 1 to 21."""
    found = page.page.evaluate(_CONTRAST, f".pandas-magic {part}")
    assert found is not None, f"{part} is not in the page"
    return float(found)


_CONTRAST = """
(selector) => {
  const part = document.querySelector(selector);
  if (!part) return null;
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  // A tint lets what is behind it through: the layers up to the first opaque one, from the back.
  const layers = [];
  for (let behind = part; behind; behind = behind.parentElement) {
    const layer = channels(getComputedStyle(behind).backgroundColor);
    layers.unshift(layer);
    if (layer.length < 4 || layer[3] === 1) break;
  }
  const over = (below, [r, g, b, alpha = 1]) => [r, g, b].map((v, i) => v * alpha + below[i] * (1 - alpha));
  const background = layers.reduce(over, [255, 255, 255]);
  const light = (rgb) => {
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = rgb.slice(0, 3).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = over(background, channels(getComputedStyle(part).color));
  const [one, other] = [light(seen), light(background)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
"""

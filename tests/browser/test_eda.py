"""The panel of %eda in a real JupyterLab, by clicks: explore, probe, make a check, reopen."""

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Locator

from tests.browser.lab import Browser, LabServer, NotebookPage


def _people(rows: int = 600) -> pd.DataFrame:
    random = np.random.default_rng(3)
    hours = random.integers(10, 60, rows)
    return pd.DataFrame(
        {
            "person_id": np.arange(rows) + 5000,
            "age": np.where(np.arange(rows) % 3 == 0, np.nan, random.integers(18, 80, rows)),
            "hours": hours,
            "wage": hours * 25,
            "work": np.where(np.arange(rows) % 20 == 0, "?", random.choice(["Private", "State", "Self"], rows)),
            "income": np.where(hours + random.normal(0, 8, rows) > 40, ">50K", "<=50K"),
        }
    )


def _press(page: NotebookPage, text: str) -> None:
    page.notebook.locator("button", has_text=text).first.click()


def _status(page: NotebookPage) -> Locator:
    return page.notebook.locator('[role="status"]').first  # the panel's own, above those of grids


def _explore(page: NotebookPage, target: str) -> None:
    page.wait_until(lambda: page.notebook.locator("select").count() >= 3, "the panel")
    page.notebook.locator("select").nth(1).select_option(label=target)
    _press(page, "Run Preprocessing")
    page.wait_until(lambda: "done in" in _status(page).inner_text(), "the report")


def _tab(page: NotebookPage, title: str) -> None:
    page.notebook.locator(".lm-TabBar-tabLabel, .p-TabBar-tabLabel").get_by_text(title, exact=True).first.click()


@pytest.mark.feature("C01", "C02", "C20", "C31", "C36", "C37", "C38")
def test_a_table_is_explored_probed_and_checked_by_clicks(lab: LabServer, browser: Browser) -> None:
    (lab.root / "eda").mkdir()
    _people().to_csv(lab.root / "eda" / "people.csv", index=False)
    page = browser.open(lab, "eda/eda.ipynb", ["%load_ext pandas_magic", "%eda people"])
    page.run_all()
    page.wait_idle()
    page.wait_until(lambda: "600 rows, 6 columns" in page.output_text(1), "the preview")
    _explore(page, "income")
    page.keep_picture("eda_overview")
    overview = page.output_text(1)
    assert '"people" has 600 rows and 6 columns' in overview and "person_id: it identifies rows" in overview
    assert page.notebook.locator("button", has_text="Proceed to Model Selection").is_disabled()
    _tab(page, "Columns")
    page.keep_picture("eda_columns")
    _tab(page, "Plots")
    page.wait_until(lambda: page.notebook.locator(".jp-OutputArea figure img:visible").count() >= 2, "two pictures")
    page.keep_picture("eda_plots")
    _press(page, "Drill missing")
    page.wait_until(lambda: _status(page).inner_text().startswith(("✓ worth it", "✓ simple fills")), "the probe")
    assert "drill_missing" in page.output_text(1)
    _make_a_check(page)
    _make_a_check_of(page, "Correlations", "formula", check="CHK-003", said="wage must equal `hours` * 25")
    _make_a_check_of(page, "Plots", "range", check="CHK-004", said="age must be")
    _drop_a_column(page)
    _stays_when_reopened(page)
    page.close()


@pytest.mark.feature("C01")
def test_a_file_is_uploaded_and_explored_by_clicks(lab: LabServer, browser: Browser) -> None:
    (lab.root / "upload").mkdir()
    file = lab.root.parent / "wages of 2024.csv"
    _people(60).to_csv(file, index=False)
    page = browser.open(lab, "upload/eda.ipynb", ["%load_ext pandas_magic", "%eda"])
    page.run_all()
    page.wait_idle()
    with page.page.expect_file_chooser() as chooser:
        _press(page, "Upload")
    chooser.value.set_files(file)
    page.wait_until(lambda: "is a table of this session" in _status(page).inner_text(), "the upload")
    assert ".pandas_magic/uploads/wages_of_2024.csv" in _status(page).inner_text()
    page.wait_until(lambda: "60 rows, 6 columns" in page.output_text(1), "the preview")
    _explore(page, "income")
    assert '"wages_of_2024" has 60 rows and 6 columns' in page.output_text(1)
    page.close()
    lab.end_kernels()


def _make_a_check(page: NotebookPage) -> None:
    _tab(page, "Columns")
    lines = page.notebook.locator(".lm-TabPanel-tabContents:visible, .widget-tab-contents:visible").first
    opener = lines.locator("button:visible", has_text="Make this a check").first
    opener.click()
    # By keys alone from here: the sentence has the focus, its button is the next stop.
    editor = page.notebook.locator(".pm-eda-editor textarea:visible")
    page.wait_until(lambda: editor.count() == 1 and editor.evaluate("it => it === document.activeElement"), "focus")
    assert "must be" in editor.input_value()
    page.page.keyboard.press("Control+a")
    page.page.keyboard.insert_text("people: person_id must be unique")
    page.keep_picture("eda_make_a_check")
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Enter")
    page.wait_until(lambda: "CHK-001: PASS" in _status(page).inner_text(), "the check")
    page.wait_until(lambda: any(source.startswith("%%check --run CHK-001") for source in page.sources()), "its cell")
    page.wait_until(lambda: "✓ CHK-001" in lines.inner_text(), "the finding to say that it is a check")
    _make_a_failing_check(page)


def _make_a_failing_check(page: NotebookPage) -> None:
    _tab(page, "Notes")
    finding = page.notebook.locator(".widget-hbox:visible", has_text="no placeholder").last
    finding.locator("button").click()
    page.notebook.locator("button:visible", has_text="Compile, prove and insert").click()
    page.wait_until(lambda: "CHK-002: FAIL" in _status(page).inner_text(), "the check that fails")
    page.keep_picture("eda_failing_check")


def _make_a_check_of(page: NotebookPage, tab: str, kind: str, *, check: str, said: str) -> None:
    _tab(page, tab)
    finding = page.notebook.locator(".widget-hbox:visible", has_text=f"· {kind} ·").first
    finding.locator("button", has_text="Make this a check").click()
    editor = page.notebook.locator(".pm-eda-editor textarea:visible")
    page.wait_until(lambda: editor.count() == 1 and said in editor.input_value(), "the sentence")
    page.keep_picture(f"eda_check_of_{tab.lower()}")
    page.notebook.locator("button:visible", has_text="Compile, prove and insert").click()
    page.wait_until(lambda: f"{check}: PASS" in _status(page).inner_text(), "the check")


def _drop_a_column(page: NotebookPage) -> None:
    page.notebook.locator("select[multiple]").select_option(index=0)
    _press(page, "Drop these columns…")
    page.wait_until(lambda: "without person_id?" in page.output_text(1), "the question")
    _press(page, "Yes")
    page.wait_until(lambda: "people_kept has the table without person_id" in _status(page).inner_text(), "the copy")


def _stays_when_reopened(page: NotebookPage) -> None:
    saved = page.save()
    shown = [
        output for output in saved.cells[1].outputs if "application/vnd.pandas-magic.eda+json" in output.get("data", {})
    ]
    assert len(shown) == 1
    assert shown[0].data["application/vnd.pandas-magic.eda+json"]["dataset"]["n_rows"] == 600
    assert "people" in shown[0].data["text/html"]


@pytest.mark.feature("C27")
@pytest.mark.parametrize("columns", [3, 300])
def test_narrow_and_wide_tables_look_right_in_the_dark(lab: LabServer, browser: Browser, columns: int) -> None:
    random = np.random.default_rng(5)
    frame = pd.DataFrame({f"measure_{n}": random.normal(size=60) for n in range(columns)})
    name = f"table_{columns}"
    (lab.root / name).mkdir()
    frame.to_csv(lab.root / name / f"{name}.csv", index=False)
    page = browser.open(lab, f"{name}/eda.ipynb", ["%load_ext pandas_magic", f"%eda {name} --plots 4"])
    page.choose_theme("Dark")
    page.page.set_viewport_size({"width": 700 if columns == 3 else 1280, "height": 900})
    page.run_all()
    page.wait_idle()
    page.wait_until(lambda: page.notebook.locator("select").count() >= 3, "the panel")
    _press(page, "Run Preprocessing")
    if columns > 200:
        page.wait_until(lambda: "has 300 columns" in page.output_text(1), "the question")
        _press(page, "Yes")
    page.wait_until(lambda: "done in" in _status(page).inner_text(), "the report")
    _tab(page, "Columns")
    page.keep_picture(f"eda_dark_{columns}")
    cells = page.notebook.locator("td.pm-long")
    assert cells.count() >= 2 * columns
    fits = "cells => cells.every(cell => cell.scrollWidth <= cell.clientWidth + 1)"
    assert cells.evaluate_all(fits), "a text lies over its neighbour"
    panel = page.notebook.locator(".widget-tab").first.bounding_box()
    output = page.cell(1).locator(".jp-OutputArea").bounding_box()
    assert panel is not None and output is not None
    assert panel["x"] + panel["width"] <= output["x"] + output["width"] + 1, "the panel is wider than its place"
    page.choose_theme("Light")
    page.close()
    lab.end_kernels()

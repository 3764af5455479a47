"""The panel of %eda in a real JupyterLab, by clicks: explore, probe, make a check, reopen."""

import re

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


def _rows(page: NotebookPage) -> Locator:
    """The grid of the explored table."""
    return page.notebook.locator('.pm-eda-panel [data-pm-part^="eda-rows"] .pm-grid')


def _explore(page: NotebookPage, target: str) -> None:
    page.notebook.locator("select").nth(1).select_option(label=target)
    _press(page, "Run Preprocessing")
    page.wait_until(lambda: f'Predicting "{target}"' in page.output_text(1), "what is known of the target")
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
    page.wait_until(lambda: "done in" in _status(page).inner_text(), "the report, without a click")
    page.wait_until(lambda: _rows(page).count() == 1, "its rows")
    assert "600 rows" in page.output_text(1)
    _explore(page, "income")
    page.keep_picture("eda_overview")
    overview = page.output_text(1)
    assert '"people" has 600 rows and 6 columns' in overview and "person_id: it identifies rows" in overview
    assert page.notebook.locator("button", has_text="Proceed to Model Selection").is_disabled()
    _tab(page, "Missing")
    _press(page, "Drill missing")
    page.wait_until(lambda: _status(page).inner_text().startswith(("✓ worth it", "✓ simple fills")), "the probe")
    beside = page.notebook.locator(".widget-vbox:visible", has=page.page.get_by_role("button", name="Drill missing"))
    assert "Filling the gaps: " in beside.last.inner_text(), "the answer stands beside the button that asked"
    page.keep_picture("eda_probe")
    _make_a_check(page)
    _make_a_check_of(page, "Correlations", "formula", check="CHK-003", said="wage must equal `hours` * 25")
    _make_a_check_of(page, "Plots", "range", check="CHK-004", said="age must be")
    _choose_rows_by_clicks(page)
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
    page.wait_until(lambda: "60 rows" in _rows(page).inner_text(), "its rows")
    _explore(page, "income")
    assert '"wages_of_2024" has 60 rows and 6 columns' in page.output_text(1)
    page.close()
    lab.end_kernels()


def _choose_rows_by_clicks(page: NotebookPage) -> None:
    """A gap, a value, a bar of a column, a bar of a picture and a cell of the correlations, each by its rows."""
    _tab(page, "Columns")
    age = page.notebook.locator('details.pm-column[data-pm-keep="age"]:visible')
    age.locator("summary").click()
    assert "Lower quartile" in age.inner_text()
    _choose(page, age.get_by_text("200 rows without a value"), "age is missing")
    assert set(_rows(page).locator("tbody tr:visible td:nth-of-type(2)").all_inner_texts()) == {"missing"}
    _choose(page, age.locator("svg.pm-shape [data-pm-where]").nth(3), "age is ")
    work = page.notebook.locator('details.pm-column[data-pm-keep="work"]:visible')
    work.locator("summary").click()
    work.get_by_text("Private", exact=True).focus()
    page.page.keyboard.press("Enter")
    _chosen(page, str(work.get_by_text("Private", exact=True).get_attribute("aria-label")))
    page.keep_picture("eda_columns")
    _tab(page, "Plots")
    shown = page.notebook.locator(".pm-eda-panel figure svg:visible")
    page.wait_until(lambda: shown.count() >= 2, "two pictures")
    page.keep_picture("eda_plots")
    _choose(page, shown.first.get_by_label("income is >50K"), "income is >50K")
    _choose(page, shown.get_by_label("hours and wage are both there").first, "hours and wage are both there (1.00)")
    _rows(page).locator(".pm-within").click()
    page.wait_until(lambda: _rows(page).locator(".pm-within").count() == 0, "all rows again")


def _choose(page: NotebookPage, part: Locator, said: str) -> None:
    label = str(part.get_attribute("aria-label"))
    assert label.startswith(said)
    part.click()
    _chosen(page, label)


def _chosen(page: NotebookPage, said: str) -> None:
    """The grid has as many rows as what was clicked says, where it says so."""
    chip, status = _rows(page).locator(".pm-within"), _rows(page).locator('[role="status"]')
    page.wait_until(lambda: chip.count() == 1 and f"Rows where {said}" in chip.inner_text(), f"the rows where {said}")
    told = re.search(r"\((\d+) rows\)", chip.inner_text())
    rows = f"{told[1]} of 600 rows" if told else "600 rows"
    page.wait_until(lambda: status.inner_text() == rows, f"{rows} where {said}")


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
    kept = page.notebook.locator(".pm-eda-saved")
    assert not kept.is_visible(), "the report is seen once while the panel lives"
    saved = page.save()
    shown = [
        output for output in saved.cells[1].outputs if "application/vnd.pandas-magic.eda+json" in output.get("data", {})
    ]
    assert len(shown) == 1
    assert shown[0].data["application/vnd.pandas-magic.eda+json"]["dataset"]["n_rows"] == 600
    assert "people" in shown[0].data["text/html"]
    page.reload()
    page.wait_until(lambda: _rows(page).count() == 1, "the panel, with its kernel")
    page.server.end_kernels()
    page.reload()
    page.wait_until(lambda: kept.is_visible(), "the saved report")
    assert "run this cell again to open it" in page.output_text(1) and "Lower quartile" in kept.inner_html()
    assert page.notebook.locator(".pm-eda-panel").count() == 0 and kept.locator('[role="button"]').count() == 0
    page.keep_picture("eda_reopened")


@pytest.mark.feature("C27")
@pytest.mark.parametrize("columns", [pytest.param(3, marks=pytest.mark.thorough), 210])
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
    if columns > 200:
        page.wait_until(lambda: f"has {columns} columns" in page.output_text(1), "the question")
        _press(page, "Yes")
    page.wait_until(lambda: "done in" in _status(page).inner_text(), "the report")
    _tab(page, "Columns")
    page.keep_picture(f"eda_dark_{columns}")
    cells = page.notebook.locator(".pm-column summary > *:visible")
    assert cells.count() >= 5 * columns
    page.notebook.locator(".pm-column:visible summary").first.click()
    page.keep_picture(f"eda_dark_{columns}_open")
    fits = "cells => cells.every(cell => cell.scrollWidth <= cell.clientWidth + 1)"
    assert cells.evaluate_all(fits), "a text lies over its neighbour"
    page.page.set_viewport_size({"width": 700, "height": 900})
    page.wait_until(lambda: bool(cells.evaluate_all(fits)), "the texts to fit into a narrow page")
    panel = page.notebook.locator(".widget-tab").first.bounding_box()
    output = page.cell(1).locator(".jp-OutputArea").bounding_box()
    assert panel is not None and output is not None
    assert panel["x"] + panel["width"] <= output["x"] + output["width"] + 1, "the panel is wider than its place"
    page.choose_theme("Light")
    page.close()
    lab.end_kernels()

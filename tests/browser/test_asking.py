"""Rules that are not understood at once, in a real JupyterLab: asked by a card, answered by a click."""

from tests.browser.lab import Browser, LabServer, NotebookPage

LOAD = "%load_ext pandas_magic"
SEVERAL = "%%check CHK-001 --severity high\nusers.status must be OPEN or PAID"
LISTED = "%%check CHK-002\n- users.user_id must be unique\n- users.age must be postive\n- users.email must be present"
AFTER = "'after'"
ASKING, LIST = 1, 2


def _open(lab: LabServer, browser: Browser, folder: str) -> NotebookPage:
    (lab.root / folder).mkdir()
    rows = "user_id,email,age,status\n1,a@example.com,5,paid\n2,<img src=x onerror=alert(1)>,7,open\n3,,-1,open\n"
    (lab.root / folder / "users.csv").write_text(rows)
    page = browser.open(lab, f"{folder}/rules.ipynb", [LOAD, SEVERAL, LISTED, AFTER])
    page.run_all()
    page.wait_idle()
    page.wait_until(lambda: page.cell(ASKING).locator("button.pm-choice").count() == 2, "the readings as buttons")
    return page


def test_a_question_is_answered_by_a_click_and_run_all_goes_on(lab: LabServer, browser: Browser) -> None:
    page = _open(lab, browser, "asking")
    card = page.output_text(ASKING)
    assert "? ASKED" in card and "3 rows of 3 would fail" in card and "fails" in card and "passes" in card
    first = page.notebook.get_by_role("group", name="? ASKED CHK-001").get_by_role("button").first
    assert "rows of 3 would fail, passes, row 0" in str(first.get_attribute("aria-description"))
    page.keep_picture("asking")
    # The rules beside the one that is asked about ran, and so did the cell below.
    assert "CHK-002-1" in page.output_text(LIST) and "CHK-002-3" in page.output_text(LIST)
    assert page.cell(LIST).locator("u").all_inner_texts() == ["postive"]
    assert "1 row of 3 would fail" in page.output_text(LIST), "a word mended is tried on the rows as a reading is"
    assert "'after'" in page.output_text(len(page.sources()) - 1)
    page.cell(ASKING).locator("button.pm-choice").first.click()

    page.wait_until(lambda: "✓ PASS" in page.output_text(ASKING), "the check of the reading that was taken")
    assert page.sources()[ASKING] == (
        "%%check CHK-001 --severity high --name 'users.status must be OPEN or PAID'\n"
        "users: status must be one of 'open', 'paid'"
    )
    listed = next(n for n, source in enumerate(page.sources()) if source.startswith("%%check CHK-002\n"))
    page.cell(listed).locator("button.pm-choice").first.click()
    page.wait_until(lambda: "CHK-002-2" in page.output_text(listed), "the mended rule to be checked")
    assert page.sources()[listed] == LISTED.replace("postive", "positive")
    page.keep_picture("asking_answered")
    page.close()
    lab.end_kernels()


def test_a_check_that_is_not_proved_is_a_card_and_so_is_an_edit_of_one(lab: LabServer, browser: Browser) -> None:
    frames = "import pandas as pd\ntexts = pd.DataFrame({'k': ['abc']})\nt = pd.DataFrame({'k': [1, 2]})"
    rules = [
        "%%check CHK-1 --tables texts\nk must match /.*/",
        "%%check CHK-2 --tables t\nk must be at most 5",
    ]
    page = browser.open(lab, "unproved.ipynb", [f"{LOAD}\n{frames}", *rules, AFTER])
    page.run_all()
    page.wait_idle()
    refused = page.notebook.get_by_role("group", name="! NOT PROVED CHK-1 k must match /.*/")
    assert "no row that breaks the rule could be made" in str(refused.inner_text())
    page.wait_until(lambda: len(page.sources()) == 5, "the check that is proved, as a cell")
    page.write(3, "%%check --run CHK-2 --accept\nviolations = t[t['k'] > 6]")
    page.run_cell(3)
    page.wait_until(lambda: "! NOT PROVED" in page.output_text(3), "the edit to be refused")
    assert "The check is as it was." in page.output_text(3) and "NotProved:" not in page.output_text(3)
    for theme in ("Dark", "Light"):
        page.choose_theme(theme)
        page.keep_picture(f"unproved-{theme}")
    page.close()
    lab.end_kernels()

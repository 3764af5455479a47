"""The list of checks that people edit is what runs: what it says and the registry does not is said, never skipped."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.cli.main import main

ORDERS = "order_id,amount\n1,5\n2,-3\n"
POSITIVE, PRESENT = "amount must be positive", "order_id must be present"
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs a command in a workspace with one table, and gives its exit code, output and complaints."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "orders.csv").write_text(ORDERS)

    def call(*words: str) -> tuple[int, str, str]:
        code = main([words[0], "-C", str(tmp_path), *words[1:]])
        return code, *capsys.readouterr()

    return call


def listed(folder: Path, *entries: dict[str, Any], name: str = "checks.json") -> Path:
    path = folder / "checks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(entries, indent=2))
    return path


def compiled(folder: Path, say: Say, *entries: dict[str, Any]) -> Path:
    path = listed(folder, *entries)
    assert say("compile")[0] == 0
    return path


def test_a_listed_rule_that_was_never_compiled_is_an_error(tmp_path: Path, say: Say) -> None:
    compiled(tmp_path, say, {"id": "A", "rule": PRESENT})
    listed(tmp_path, {"id": "A", "rule": PRESENT}, {"id": "B", "rule": "orders must sparkle"})
    assert say("compile")[0] == 3
    code, out, _ = say("run", "--allow-proposed")
    assert (code, "1 PASS, 1 ERROR" in out) == (3, True)
    assert "it is listed (checks.json, line 6) and was never compiled: pandas-magic compile B" in out
    assert "not compiled" in say("list")[1]
    assert "B  it is listed" in say("stale")[1]
    code, out, _ = say("verify")
    assert (code, "B: it is listed" in out) == (1, True)


def test_a_changed_sentence_is_stale_and_its_old_meaning_never_runs(tmp_path: Path, say: Say) -> None:
    compiled(tmp_path, say, {"id": "A", "rule": PRESENT})
    listed(tmp_path, {"id": "A", "rule": POSITIVE})
    code, out, _ = say("run", "--allow-proposed")
    assert code == 3
    assert "its rule changed in checks.json; compile it again: pandas-magic compile A" in out
    assert "A  its rule changed" in say("stale")[1]
    assert "A: its rule changed" in say("verify", "--tables", "--approved", "--prove")[1]
    assert say("approve", "A")[0] == 2
    assert say("compile")[0] == 0
    assert say("run", "--allow-proposed")[0] == 1


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"enabled": False}, 0, "SKIPPED"),
        ({"warn": 1, "fail": 5}, 0, "PASS, WARN"),
        ({"severity": "low"}, 0, "FAIL"),
        ({"name": "No debts"}, 1, "No debts"),
    ],
)
def test_what_stands_beside_the_rule_is_taken_over_without_compiling(
    tmp_path: Path, say: Say, change: dict[str, Any], code: int, said: str
) -> None:
    compiled(tmp_path, say, {"id": "A", "rule": POSITIVE, "severity": "high"})
    before = (tmp_path / "checks" / "registry" / "A.json").read_text()
    listed(tmp_path, {"id": "A", "rule": POSITIVE, "severity": "high", **change})
    done, out, _ = say("run", "--allow-proposed", "--fail-on", "medium")
    assert (done, said in out) == (code, True)
    assert (tmp_path / "checks" / "registry" / "A.json").read_text() == before
    assert say("compile")[0] == 0
    kept = json.loads((tmp_path / "checks" / "registry" / "A.json").read_text())
    bands = kept["check"].pop("bands", None)
    assert {**kept["check"], **(bands or {})}.items() >= {
        n: str(v) if n in ("warn", "fail") else v for n, v in change.items()
    }.items()


@pytest.mark.parametrize("part", ["code", "rule"])
def test_the_next_step_of_a_file_that_was_edited_by_hand_leads_to_an_end(tmp_path: Path, say: Say, part: str) -> None:
    compiled(tmp_path, say, {"id": "A", "rule": PRESENT}).unlink()
    say("approve", "A")
    path = tmp_path / "checks" / "registry" / "A.json"
    content = {**json.loads(path.read_text()), "from_list": False}
    edits = {"code": ["violations = orders.head(0)"], "check": {**content["check"], "rule": POSITIVE}}
    name = {"code": "code", "rule": "check"}[part]
    path.write_text(json.dumps({**content, name: edits[name]}))
    for words in (["run"], ["run", "--allow-proposed"], ["approve", "A"], ["verify"]):
        code, out, err = say(*words)
        told = " ".join((out + err).split())
        assert code != 0
        assert "pandas-magic approve A" not in told
        assert "pandas-magic compile A" in told
    assert say("compile", "A")[0] == 0
    assert say("approve", "A")[0] == 0
    assert say("run")[0] in (0, 1)
    assert say("verify")[0] == 0


def test_a_removed_check_is_said_and_not_run(tmp_path: Path, say: Say) -> None:
    compiled(tmp_path, say, {"id": "A", "rule": PRESENT}, {"id": "B", "rule": POSITIVE})
    listed(tmp_path, {"id": "A", "rule": PRESENT})
    code, out, err = say("run", "--allow-proposed")
    assert (code, "B" in out) == (0, False)
    assert "removed from the list of checks, not run: B (--keep-removed runs them)" in err
    assert say("run", "--allow-proposed", "--keep-removed")[0] == 1
    assert say("run", "B", "--allow-proposed")[0] == 3
    assert "removed" in say("list")[1]


def test_what_the_list_does_not_say_any_more_is_not_exported(tmp_path: Path, say: Say) -> None:
    entries = [{"check_id": "A", "calculation_hint": POSITIVE}, {"check_id": "B", "calculation_hint": PRESENT}]
    entries += [{"check_id": "C", "calculation_hint": "order_id must be unique"}]
    listed(tmp_path, *entries)
    assert say("compile")[0] == 0
    assert say("run", "--allow-proposed")[0] == 1
    listed(
        tmp_path, {**entries[0], "calculation_hint": "amount must be at least 100"}, {**entries[1], "enabled": False}
    )
    code, _, told = say("export", "--to", "soda", "--strict")
    assert code == 2
    assert "A: its rule changed" in told and "B: it is switched off" in told and "C: it was removed" in told
    listed(tmp_path, {**entries[0], "calculation_hint": "amount must be at least 100"}, entries[1])
    code, out, told = say("export", "--to", "soda", "--strict")
    assert code == 1 and "missing_count(order_id)" in out and "amount" not in out and "A: its rule changed" in told
    code, out, _ = say("export", "--workflows")
    assert code == 0 and "A is left out: its rule changed" in out
    assert list(json.loads((tmp_path / "cached_mem" / "workflows.json").read_text())) == ["B::"]
    assert say("share", "-o", str(tmp_path / "page.html"))[0] == 0
    assert "its rule changed in checks.json" in (tmp_path / "page.html").read_text()


def test_a_list_that_vanished_is_an_error_of_every_check_from_it(tmp_path: Path, say: Say) -> None:
    compiled(tmp_path, say, {"id": "A", "rule": PRESENT}).unlink()
    code, out, _ = say("run", "--allow-proposed")
    assert (code, "which is gone; bring the list back" in out) == (3, True)
    assert say("run", "--allow-proposed", "--keep-removed")[0] == 0


def test_a_disabled_rule_that_was_never_compiled_is_skipped(tmp_path: Path, say: Say) -> None:
    listed(tmp_path, {"id": "A", "rule": "orders must sparkle", "enabled": False})
    code, out, _ = say("run")
    assert (code, "SKIPPED" in out) == (0, True)


@pytest.mark.parametrize("command", ["compile", "run", "list", "stale", "verify", "approve"])
@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([{"id": "A", "rule": PRESENT}, {"id": "A", "rule": POSITIVE}], "line 6: A stands in line 2 already"),
        ([{"id": "A", "rule": PRESENT, "severty": "high"}], 'line 5: "severty" is no part of a check. Did you mean'),
        ([{"check_id": "A", "calculation_hint": PRESENT, "onwer": 1}], '"onwer" is no part of a check. Did you mean'),
        ([{"id": "", "rule": PRESENT}], '"id" is empty'),
        ([{"id": "A", "rule": " "}], '"rule" is empty'),
        ([{"id": "A"}], 'line 2: A: "rule" does not fit: Field required'),
    ],
)  # fmt: skip
def test_a_list_that_cannot_be_meant_is_refused_with_the_line(
    tmp_path: Path, say: Say, command: str, entries: list[dict[str, Any]], said: str
) -> None:
    listed(tmp_path, *entries)
    code, _, err = say(command)
    assert (code, said in err) == (3, True), err


FORMS = {
    "checks.yaml": f"# ours\n- id: A\n  rule: {PRESENT}\n  tags: [night]\n- id: B\n  rule: {POSITIVE}\n",
    "checks.yml": f"checks:\n  - id: A\n    rule: {PRESENT}\n    tags: night\n  - {{id: B, rule: {POSITIVE}}}\n",
    "checks.toml": f'[[checks]]\nid = "A"\nrule = "{PRESENT}"\ntags = ["night"]\n\n'
    f'[[checks]]\nid = "B"\nrule = "{POSITIVE}"\n',
    "checks.json": json.dumps([{"id": "A", "rule": PRESENT, "tags": "night"}, {"id": "B", "rule": POSITIVE}], indent=2),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_list_is_json_yaml_or_toml_and_grows_by_add(tmp_path: Path, say: Say, name: str) -> None:
    path = tmp_path / "checks" / name
    path.parent.mkdir()
    path.write_text(FORMS[name])
    assert say("compile")[0] == 0
    assert say("run", "--allow-proposed", "--tags", "night")[0] == 0
    code, out, _ = say("add", "amount must be at most 9", "--id", "C-3", "--severity", "low", "--tags", "night,new")
    assert (code, f"{path}" in out) == (0, True)
    assert path.read_text().startswith(FORMS[name][:20])
    assert say("compile")[0] == 0
    assert "2 PASS" in say("run", "--allow-proposed", "--tags", "night")[1]
    assert say("add", "amount must be at most 9", "--id", "C-3")[0] == 2


def test_add_begins_a_list_and_numbers_its_rules(tmp_path: Path, say: Say) -> None:
    assert "CHK-001  written into" in say("add", PRESENT)[1]
    assert "CHK-002  written into" in say("add", POSITIVE, "--target", "orders")[1]
    assert say("add", POSITIVE, "--target", "orders")[0] == 2
    assert json.loads((tmp_path / "checks" / "checks.json").read_text()) == [
        {"id": "CHK-001", "rule": PRESENT},
        {"id": "CHK-002", "rule": POSITIVE, "target": "orders"},
    ]
    assert say("compile")[0] == 0


def test_two_lists_side_by_side_are_refused(tmp_path: Path, say: Say) -> None:
    listed(tmp_path, {"id": "A", "rule": PRESENT})
    (tmp_path / "checks" / "checks.yaml").write_text("[]")
    code, _, err = say("run")
    assert (code, "has checks.json and checks.yaml; one of them must be the list" in err) == (3, True)

"""A run that looks at new files only finds what a run in full does, and one since a partition what that finds there."""

import dataclasses
import os
import random
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pandas_magic.catalog.sources import file_pieces
from pandas_magic.checking import only_new, touched_keys
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.keyed_parts import key_hashes
from pandas_magic.cli.main import main
from pandas_magic.history.run import Run, Verdict
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.workspace import Workspace

# Rules in which rows of the table do not meet, on columns with and without missing values, some of which look into
# another table; those behind them look at all rows.
NEW_ONLY = {
    "PRESENT": "sales: note must be present",
    "RANGE": "sales: amount must be between 0 and 90",
    "WHERE": "sales where amount > 1000: status must be 'paid'",
    "PAID": "sales where status is 'paid': amount must be at most 80",
    "PAIR": "sales: due_on must be >= sold_on",
    "SHOP": "sales: shop_id must be present and shop_id must be among shops.shop_id",
    "OPENED": "sales: sold_on must be >= shops.opened_on",
    "OPEN": "sales where the is_open of shops by shop_id is true: amount must be greater than 0",
}
LOOK_ELSEWHERE = ("SHOP", "OPENED", "OPEN")
# Rules in which rows meet by a key: of whole numbers, fractions with two zeros, texts, several columns.
BY_KEY = {
    "UNIQUE": "sales: id must be unique",
    "BOTH": "sales: (shop_id, tax) must be unique",
    "SCOPED": "sales where status is 'paid': id must be unique",
    "ZEROS": "sales: weight must be unique",
    "TEXTS": "sales: code must be unique",
    "COUNT": "sales: the number of rows per id must be at most 3",
    "MEANS": "sales: the mean of amount per shop_id must be at most 45",
    "BEFORE": "sales: amount must be >= the previous amount per id",
    "OPEN_ONE": "sales where the is_open of shops by shop_id is true: code must be unique",
}
IN_FULL = {
    "SUMS": "sales: the sum of tax per id must be at most 20",
    "MEAN": "the average amount of sales must be between 0 and 60",
    "RECKONED": "sales: amount + tax must be at most 120",
    "FUTURE": "sales: sold_on must be no later than now",
}
FEW_STEPS, STEPS, FILES = 5, 12, 4
OLD = 1_000_000_000  # seconds since 1970: a time of change that is long ago


def write_day(folder: Path, number: int, chance: random.Random, *, gaps: bool = True) -> None:
    """One file of the table, with some rows that break each rule, and gaps in the columns of any."""
    r, rows = np.random.default_rng(chance.randrange(10**6)), chance.choice([0, 1, 7, 20])
    sold_on = pd.Timestamp("2026-01-01") + pd.to_timedelta(r.integers(0, 90, rows), unit="D")
    frame = pd.DataFrame({"id": r.integers(0, 50, rows), "amount": r.normal(45, 30, rows).round(2)})
    frame["tax"], frame["status"] = r.integers(0, 9, rows), pd.Series(r.choice(["paid", "open"], rows), dtype="str")
    frame["note"] = pd.Series(r.choice(["a", "b"], rows), dtype="str")
    frame["sold_on"], frame["due_on"] = sold_on, sold_on + pd.to_timedelta(r.integers(-3, 40, rows), unit="D")
    frame["shop_id"], frame["weight"] = r.integers(0, 6, rows), r.choice([-0.0, 0.0, *np.arange(1, 60) / 8], rows)
    frame["code"] = pd.Series([f"c{number}" for number in r.integers(0, 90, rows)], dtype="str")
    if gaps:
        for name in ("amount", "status", "note", "due_on", "shop_id", "weight", "code"):
            frame[name] = frame[name].mask(r.random(rows) < 0.2)
    days, texts = (
        dict.fromkeys(("sold_on", "due_on"), pa.timestamp("us")),
        dict.fromkeys(("status", "note", "code"), pa.string()),
    )
    numbers = dict.fromkeys(("id", "tax", "shop_id"), pa.int64()) | dict.fromkeys(("amount", "weight"), pa.float64())
    kinds = {**numbers, **texts, **days}
    schema = pa.schema([(name, kinds[name]) for name in frame])
    path = folder / f"day={number:03}" / "rows.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pandas(frame, schema, preserve_index=False), path)
    os.utime(path, (OLD, OLD + chance.randrange(10**6)))


def write_ids(sales: Path, number: int, ids: Iterable[int]) -> None:
    """A file of rows that have these ids, and are alike otherwise."""
    path = sales / f"day={number:03}" / "rows.parquet"
    moment = pd.Timestamp("2026-01-01")
    alike = {"amount": 1.0, "tax": 1, "status": "paid", "note": "a", "sold_on": moment, "due_on": moment}
    alike |= {"shop_id": 1, "weight": 0.5, "code": "c"}
    schema = pq.read_schema(next(sales.rglob("*.parquet")))
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist([{"id": each, **alike} for each in ids], schema=schema), path)


def write_shops(folder: Path, chance: random.Random, *, gaps: bool = True) -> None:
    """The other table, with shops that have one row, several or none, and gaps in it where it has any."""
    r, rows = np.random.default_rng(chance.randrange(10**6)), chance.choice([0, 4, 9])
    opened_on = pd.Timestamp("2026-01-01") + pd.to_timedelta(r.integers(0, 90, rows), unit="D")
    frame = pd.DataFrame({"shop_id": r.integers(0, 6, rows), "is_open": r.random(rows) < 0.7, "opened_on": opened_on})
    if gaps:
        for name in ("shop_id", "opened_on"):
            frame[name] = frame[name].mask(r.random(rows) < 0.2)
    schema = pa.schema([("shop_id", pa.int64()), ("is_open", pa.bool_()), ("opened_on", pa.timestamp("us"))])
    pq.write_table(pa.Table.from_pandas(frame, schema, preserve_index=False), folder / "shops.parquet")


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written a moment ago count as settled."""
    monkeypatch.setattr(file_pieces, "_SETTLED_SECONDS", 0.0)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, bench: Bench) -> Path:
    folder, chance = tmp_path_factory.mktemp("growing"), random.Random(0)
    (folder / "pyproject.toml").write_text('[tool.pandas_magic]\nnow = "2026-03-01"\n')
    for number in range(FILES):
        write_day(folder / "data" / "sales", number, chance)
    write_shops(folder / "data", random.Random(3))
    opened = dataclasses.replace(Workspace.open(folder), bench=bench)
    for check_id, rule in {**NEW_ONLY, **BY_KEY, **IN_FULL}.items():
        opened.check(CheckRequest(rule, id=check_id))
    return folder


@pytest.fixture
def folder(compiled: Path, tmp_path: Path) -> Path:
    return shutil.copytree(compiled, tmp_path, dirs_exist_ok=True)


def ran(folder: Path, bench: Bench, *, only_new: bool, ids: Sequence[str] = ()) -> dict[str, Run]:
    opened = dataclasses.replace(Workspace.open(folder, settings={"only_new": only_new}), bench=bench)
    opened.bench.forget()
    return {result.run.check_id: result.run for result in opened.run(ids)}


def told(run: Run) -> tuple[object, ...]:
    """All that a run found and says of it, but for which part of the table was looked at."""
    notes = tuple(note for note in run.notes if not note.startswith("looked at"))
    rows = run.violations
    assert rows is not None
    return run.summary, run.violation_count, run.rows, run.not_judged, run.positions, notes, run.rows_digest, run.key


def parts(runs: dict[str, Run], of: Iterable[str] = NEW_ONLY) -> set[str]:
    """What the runs of row-wise rules, or of others, say was looked at."""
    return {note for check_id in of for note in runs[check_id].notes if note.startswith("looked at")}


def change(sales: Path, chance: random.Random) -> None:
    """Something that happens to the files of a table."""
    days = sorted(sales.iterdir())
    day = chance.choice(days)
    number = int(day.name.removeprefix("day="))
    what = chance.choice(["append", "append", "edit", "remove", "swap", "between", "nothing", "shops"])
    if what == "shops":
        write_shops(sales.parent, chance, gaps=chance.random() < 0.5)
    elif what == "append":
        write_day(sales, int(days[-1].name.removeprefix("day=")) + 2, chance, gaps=chance.random() < 0.5)
    elif what == "edit":
        write_day(sales, number, chance)
    elif what == "remove" and len(days) > 2:
        shutil.rmtree(day)
    elif what == "between":
        write_day(sales, chance.randrange(number + 2), chance)
    elif what == "swap":
        other = chance.choice(days)
        day.rename(sales / "_moved")
        if other != day:
            other.rename(day)
        (sales / "_moved").rename(other)


@pytest.mark.parametrize(
    ("seed", "steps"),
    [(1, FEW_STEPS), *(pytest.param(seed, STEPS, marks=pytest.mark.thorough) for seed in (1, 2, 3, 4))],
)
def test_whatever_happens_to_the_files_a_run_of_new_ones_tells_what_a_run_in_full_does(
    folder: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch, seed: int, steps: int
) -> None:
    monkeypatch.setattr(touched_keys, "_MOST_SHARE", 1.0)
    if seed == 4:  # tables that are not looked at at once
        monkeypatch.setattr(only_new, "_most_rows", lambda *_: 30)
    chance, seen = random.Random(seed), set[str]()
    sharing = set[str]()
    for _ in range(steps):
        new, full = ran(folder, bench, only_new=True), ran(folder, bench, only_new=False)
        assert {name: told(run) for name, run in new.items()} == {name: told(run) for name, run in full.items()}
        assert not any(parts(full))
        seen |= parts(new)
        sharing |= {name for name, run in new.items() if "share a key with theirs" in " ".join(run.notes)}
        change(folder / "data" / "sales", chance)
    assert len({note.split()[2] for note in seen}) > 2
    assert seed == 4 or sharing == set(BY_KEY)


def test_one_new_file_of_many_is_looked_at_alone_and_the_run_says_so(folder: Path, bench: Bench) -> None:
    first = ran(folder, bench, only_new=True)
    write_day(folder / "data" / "sales", FILES, random.Random(5))
    again = ran(folder, bench, only_new=True)
    assert parts(first) == {"looked at 4 of the 4 files of sales; what it finds in the others is known"}
    assert parts(again) == {"looked at 1 of the 5 files of sales; what it finds in the others is known"}
    for check_id in IN_FULL:
        assert [note for note in again[check_id].notes if note.startswith("looked at all rows of sales: its rule")]


def test_older_files_are_read_where_their_keys_may_be_those_of_new_rows(
    folder: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    sales, read = folder / "data" / "sales", list[list[int]]()

    def hashed(rows: pa.Table, keys: Sequence[str]) -> np.ndarray:
        read.append(rows["id"].to_pylist())
        return key_hashes(rows, keys)

    monkeypatch.setattr(touched_keys, "key_hashes", hashed)
    for number, ids in enumerate([[1, 2, 2], [10, 11], [20, 25], [30, 30]]):
        write_ids(sales, number, ids)
    ran(folder, bench, only_new=True, ids=["UNIQUE"])
    came = [([40, 50], [], 0), ([24, 26], [[20, 25]], 0), ([25, 10], [[10, 11], [20, 25], [24, 26]], 2)]
    for number, (ids, older, rows) in enumerate(came, FILES):
        write_ids(sales, number, ids)
        read.clear()
        again = ran(folder, bench, only_new=True, ids=["UNIQUE"])["UNIQUE"]
        assert [each for each in read if each != ids] == older
        sharing = f" and at {rows} rows of others that share a key with theirs" if rows else ""
        assert f"looked at 1 of the {number + 1} files of sales{sharing}; what it finds in" in " ".join(again.notes)
        assert told(again) == told(ran(folder, bench, only_new=False, ids=["UNIQUE"])["UNIQUE"])
    assert again.violation_count == 8


def test_what_is_known_of_keys_stays_while_a_file_that_came_just_now_is_looked_at_again(
    folder: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ran(folder, bench, only_new=True, ids=["UNIQUE"])
    assert "looked at 4 of the 4 files" in " ".join(first["UNIQUE"].notes)
    for seconds, new in [(3600.0, 1), (3600.0, 1), (0.0, 1), (0.0, 0)]:
        monkeypatch.setattr(file_pieces, "_SETTLED_SECONDS", seconds)
        write_ids(folder / "data" / "sales", FILES, [100, 101, 101])
        os.utime(folder / "data" / "sales" / f"day={FILES:03}" / "rows.parquet", (OLD, OLD))
        if not new:
            ran(folder, bench, only_new=True, ids=["UNIQUE"])
        again = ran(folder, bench, only_new=True, ids=["UNIQUE"])["UNIQUE"]
        assert f"looked at {new} of the 5 files" in " ".join(again.notes)
        assert told(again) == told(ran(folder, bench, only_new=False, ids=["UNIQUE"])["UNIQUE"])


def test_where_many_rows_share_a_key_with_new_ones_all_are_looked_at(folder: Path, bench: Bench) -> None:
    sales = folder / "data" / "sales"
    for number in range(FILES):
        write_ids(sales, number, range(10))
    ran(folder, bench, only_new=True, ids=["UNIQUE"])
    write_ids(sales, FILES, [3, 4, 5])
    again = ran(folder, bench, only_new=True, ids=["UNIQUE"])["UNIQUE"]
    assert "looked at all rows of sales: more than 10 of its rows share a key with new ones" in again.notes
    assert told(again) == told(ran(folder, bench, only_new=False, ids=["UNIQUE"])["UNIQUE"])


def test_another_table_that_changed_has_all_files_looked_at_by_the_rules_that_look_into_it(
    folder: Path, bench: Bench
) -> None:
    pd.read_parquet(folder / "data" / "shops.parquet").to_csv(folder / "data" / "shops.csv", index=False)
    (folder / "data" / "shops.parquet").unlink()
    ran(folder, bench, only_new=True)
    for written, others in [("", "0"), ("7,True,2027-01-01\n", "4")]:
        with (folder / "data" / "shops.csv").open("a") as file:
            file.write(written)
        again = ran(folder, bench, only_new=True)
        looked_at = {name: " ".join(again[name].notes).split("looked at ")[1].split()[0] for name in NEW_ONLY}
        assert looked_at == dict.fromkeys(NEW_ONLY, "0") | dict.fromkeys(LOOK_ELSEWHERE, others)


def damage(kept: Path) -> None:
    kept.write_text(
        kept.read_text(encoding="utf-8").replace('"positions": [', '"positions": [0, ', 1), encoding="utf-8"
    )


def cut(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-9])


@pytest.mark.parametrize("spoil", [damage, cut])
def test_what_was_kept_and_is_not_as_it_was_written_is_not_believed(
    folder: Path, bench: Bench, spoil: Callable[[Path], None]
) -> None:
    first = ran(folder, bench, only_new=True)
    kept = sorted((folder / ".pandas_magic").rglob("looked_at/*.json"))
    assert len(kept) == len(NEW_ONLY | BY_KEY)
    for path in kept:
        spoil(path)
    again = ran(folder, bench, only_new=True)
    assert {name: run.violation_count for name, run in again.items()} == {
        name: run.violation_count for name, run in first.items()
    }
    assert {note.split()[2] for note in parts(again, NEW_ONLY | BY_KEY)} == {"4"}


def test_a_file_of_the_same_size_and_time_is_known_by_its_footer(folder: Path, bench: Bench) -> None:
    path = folder / "data" / "sales" / "day=001" / "rows.parquet"
    table = pq.read_table(path, partitioning=None)
    for amount in (50.0, -5.0):
        alike = table.set_column(1, "amount", pa.array([amount] * len(table), pa.float64()))
        with path.open("r+b") as file:
            pq.write_table(alike, file, use_dictionary=False, compression="none")
            file.truncate()
        os.utime(path, (OLD, OLD))
        new, full = ran(folder, bench, only_new=True), ran(folder, bench, only_new=False)
        assert told(new["RANGE"]) == told(full["RANGE"])
    assert "looked at 4 of the 4" in " ".join(new["RANGE"].notes)


def test_a_file_whose_time_of_change_is_not_past_is_looked_at_again(folder: Path, bench: Bench) -> None:
    path = folder / "data" / "sales" / "day=000" / "rows.parquet"
    os.utime(path, (OLD, time.time() + 3600))
    ran(folder, bench, only_new=True)
    assert {note.split()[2] for note in parts(ran(folder, bench, only_new=True))} == {"4"}


def test_a_file_that_came_a_moment_ago_with_an_old_time_is_looked_at_again(
    folder: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seconds, looked_at in [(3600.0, "4"), (0.0, "4"), (0.0, "0")]:
        monkeypatch.setattr(file_pieces, "_SETTLED_SECONDS", seconds)
        seen = {note.split()[2] for note in parts(ran(folder, bench, only_new=True))}
        assert seen - {"all"} == {looked_at}
        assert ("all" in seen) is (seconds > 0)  # rules that look into another table, which came just now too


def test_another_rule_or_another_type_begins_anew(folder: Path, bench: Bench) -> None:
    ran(folder, bench, only_new=True)
    opened = dataclasses.replace(Workspace.open(folder), bench=bench)
    opened.check(CheckRequest("sales: amount must be between 0 and 10", id="RANGE"))
    again = ran(folder, bench, only_new=True)
    assert "looked at 4 of the 4" in " ".join(again["RANGE"].notes)
    assert "looked at 0 of the 4" in " ".join(again["PRESENT"].notes)
    assert again["RANGE"].verdict is Verdict.FAIL


def test_whole_numbers_that_pandas_would_round_are_told_of_as_a_run_in_full_does(folder: Path, bench: Bench) -> None:
    opened = dataclasses.replace(Workspace.open(folder), bench=bench)
    opened.check(CheckRequest("sales: id must be at least amount", id="ROUNDED"))
    ran(folder, bench, only_new=True)
    path = folder / "data" / "sales" / "day=002" / "rows.parquet"
    wide = pa.table({"id": pa.array([2**53 + 1, 1]), "amount": [2.0**53, 0.5]})
    pq.write_table(wide, path)
    os.utime(path, (OLD, OLD))
    for _ in range(2):
        new, full = ran(folder, bench, only_new=True)["ROUNDED"], ran(folder, bench, only_new=False)["ROUNDED"]
        assert (new.verdict, new.summary) == (full.verdict, full.summary)
        assert new.verdict is Verdict.ERROR


def ran_since(folder: Path, bench: Bench, since: str) -> tuple[Workspace, dict[str, Run]]:
    opened = dataclasses.replace(Workspace.open(folder), bench=bench)
    return opened, {one.run.check_id: one.run for one in opened.run_batch(opened.chosen(), since=since).results}


@pytest.mark.parametrize("gaps", [True, False])
def test_a_run_since_a_partition_finds_what_a_run_of_all_finds_there(folder: Path, bench: Bench, gaps: bool) -> None:
    sales, alone = folder / "data" / "sales", [*(NEW_ONLY.keys() - LOOK_ELSEWHERE), "RECKONED", "FUTURE"]
    write_day(sales, FILES, random.Random(4), gaps=gaps)  # a part without gaps has other dtypes by itself
    full = ran(folder, bench, only_new=False)
    sizes = [pq.read_metadata(path).num_rows for path in sorted(sales.rglob("*.parquet"))]
    for first in (0, 2, FILES):
        workspace, found = ran_since(folder, bench, f"day={first}")
        before = sum(sizes[:first])
        for check_id in alone:
            run, whole = found[check_id], full[check_id]
            assert run.positions is not None
            assert whole.positions is not None
            there = [place for place in whole.positions if place >= before]
            assert [place + before for place in run.positions] == there
            assert run.violations is not None
            assert whole.violations is not None
            pd.testing.assert_frame_equal(
                run.violations.reset_index(drop=True),
                whole.violations.loc[there].reset_index(drop=True),
                check_dtype=len(there) > 0,
            )
            assert run.verdict is (Verdict.FAIL if there else Verdict.PASS)
            assert (run.rows, run.since) == (sum(sizes[first:]), f"day={first}")
            assert f"sales since day={first}" in run.summary
            assert f"judged {FILES + 1 - first} of the {FILES + 1} partitions of sales" in " ".join(run.notes)
            assert run.changes is None
        assert {found[check_id].verdict for check_id in ("UNIQUE", "MEAN")} == {Verdict.ERROR}
        assert found["UNIQUE"].error == (
            'its rule "sales: id must be unique" needs all rows of sales; '
            "run it without --since: pandas-magic run UNIQUE"
        )
        # What stands in the history of each check is what was said of the whole table.
        assert {name: run.run_id for name, run in workspace.journal.last_runs().items()} == {
            name: run.run_id for name, run in full.items()
        }


def test_files_named_by_date_are_known_one_by_one_and_chosen_by_their_dates(
    folder: Path, bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    sales, named = folder / "data" / "sales", folder / "data" / "sales.parquet"
    named.mkdir()
    for number, path in enumerate(sorted(sales.rglob("*.parquet"))):
        path.rename(named / f"sales_2026-01-{number + 1:02}.parquet")
    shutil.rmtree(sales)
    opened = dataclasses.replace(Workspace.open(folder), bench=bench)
    for check_id in ("PRESENT", "RANGE", "UNIQUE"):
        opened.check(CheckRequest({**NEW_ONLY, **BY_KEY}[check_id], id=check_id))
    ran(folder, bench, only_new=True)
    shutil.copy(named / "sales_2026-01-03.parquet", named / "sales_2026-01-09.parquet")
    assert "looked at 1 of the 5 files" in " ".join(ran(folder, bench, only_new=True)["PRESENT"].notes)

    def run(*words: str) -> tuple[int, str]:
        code = main(["run", "-C", str(folder), "--allow-proposed", *words])
        return code, "".join(capsys.readouterr())

    before = Workspace.open(folder).journal.last_runs()["PRESENT"]
    junit, table = folder / "part.xml", folder / "part.md"
    reports = ("--report", f"junit={junit}", "--report", f"markdown={table}")
    code, said = run("PRESENT", "RANGE", "--since", "2026-01-04", *reports)
    assert (code, "PART" in said, "rows of sales since 2026-01-04" in said) == (1, True, True)
    counts = "2 FAIL of a part only"
    assert (counts in said, f"**pandas_magic: {counts}**" in table.read_text()) == (True, True)
    assert junit.read_text().count("this is no verdict on sales") == 2
    assert table.read_text().count(", PART") == 2
    assert Workspace.open(folder).journal.last_runs()["PRESENT"] == before
    for words, code, expected in [
        (
            ("PRESENT", "--since", "2027"),
            3,
            'no partition of sales is at or after "2027"; the last is sales_2026-01-09',
        ),
        (("UNIQUE", "--since", "2026"), 3, "run it without --since: pandas-magic run UNIQUE"),
        (("--since", "2026", "--quarantine", "q"), 2, "--since cannot go with --quarantine"),
        (("--since", "2026", "--report", "otel"), 2, "--since cannot go with --report otel"),
        (("PRESENT", "--since", "2026", "--data-from", before.run_id), 2, "--since cannot go with --code-from"),
        (("night.ipynb", "--since", "2026"), 2, "--since cannot go with notebooks"),
    ]:
        assert run(*words)[0] == code
        assert expected in run(*words)[1]

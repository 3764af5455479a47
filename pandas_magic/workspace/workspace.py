"""The workspace: a folder of tables and checks. It calls the parts in order, and decides nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack

import pandas as pd

from kernel_sandbox import Execution
from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.given import workspace_folder
from pandas_magic.catalog.schema_changes import changes_since
from pandas_magic.catalog.snapshot import Snapshot
from pandas_magic.checking.batch import Batch, Onlooker, run_batch
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.finder import Progress
from pandas_magic.checking.in_part import with_tables
from pandas_magic.checking.result import Entry, Result
from pandas_magic.checking.runner import Runner
from pandas_magic.checking.time_travel import travel
from pandas_magic.clock import session_id, timestamp
from pandas_magic.constraints import identifier
from pandas_magic.errors import PandasMagicError
from pandas_magic.history.journal import Journal
from pandas_magic.history.past import SessionStart
from pandas_magic.history.pruning import Keeping
from pandas_magic.history.run import Run
from pandas_magic.registry import Registry, Touched
from pandas_magic.registry.check import Check
from pandas_magic.registry.check_request import CheckRequest
from pandas_magic.registry.checks_list import read_list
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.list_edits import add_request, update_list
from pandas_magic.registry.roster import Listed, Roster
from pandas_magic.registry.touched import touched
from pandas_magic.settings import Settings
from pandas_magic.workspace.freshness import stale_reasons
from pandas_magic.workspace.running import Asked, in_batch, read_by, run_listed, station_of

# What compiles is loaded on first use: a run of saved checks needs none of it.
if TYPE_CHECKING:
    from pandas_magic.checking.compilation import Compilation
    from pandas_magic.planner.model.model import Model

_CHECKS, _JOURNAL = Path("checks"), Path(".pandas_magic")


@dataclass
class Workspace:
    """The tables, checks and history below one folder, and a confined kernel to run in."""

    base_dir: Path
    settings: Settings
    catalog: Catalog
    registry: Registry
    journal: Journal
    bench: Bench
    session: str = field(default_factory=session_id)  # the notebook or the scheduled run that its runs belong to
    names_now: bool = False  # whether the setting `now` was given for what runs in it, and is not the folder's
    runner: Runner = field(init=False)

    def __post_init__(self) -> None:
        self.runner = Runner(self.catalog, self.settings, self.bench)

    @classmethod
    def open(
        cls,
        base_dir: Path | str | None = None,
        *,
        namespace: Mapping[str, object] | None = None,
        tables: Mapping[str, pd.DataFrame | str | Path] | None = None,
        settings: Mapping[str, Any] | None = None,
        bench: Bench | None = None,
    ) -> Self:
        """The workspace in `base_dir` (the current folder when None). Nothing is written before a check is.

        `namespace` is where a notebook's DataFrames are looked up; `tables` adds frames or files by name. `bench` is
        one that was begun under the same settings.
        """
        base = workspace_folder(base_dir)
        loaded = Settings.load(base, given=settings)
        folder = base / loaded.data_dir if loaded.data_dir else base / "data"
        catalog = Catalog(
            folder if loaded.data_dir or folder.is_dir() else base,
            given=tables,
            namespace=namespace,
            cache=base / _JOURNAL / "staged",
            declared=base / "tables.toml",
            state=base / _JOURNAL,
            most_file_bytes=loaded.max_file_bytes,
        )
        registry = Registry(base / _CHECKS / "registry", lock_folder=base / _JOURNAL)
        journal, named = Journal(base / _JOURNAL), bool(settings and settings.get("now"))
        return cls(base, loaded, catalog, registry, journal, bench or Bench(loaded), names_now=named)

    def check(self, request: CheckRequest, *, on_progress: Progress = lambda _: None) -> Result:
        """Compile the rule if it is new, changed or stale, then run it and keep what came of it.

        Raises: RuleNotUnderstood, NotProved, NoSuchName, TableUnreadable, StateUnreadable, SandboxUnavailable. Then
        nothing is saved and the registry is as it was.
        """
        from pandas_magic.workspace.compiling import check_request

        return check_request(self, request, on_progress)

    def compile(
        self, ids: Sequence[str] = (), *, on_progress: Progress = lambda _: None
    ) -> dict[str, Compilation | PandasMagicError]:
        """Compile the checks named; without names all that should run and are not compiled, or not fresh.

        One that cannot be compiled does not stop the others: its error stands in its place.
        """
        from pandas_magic.workspace.compiling import compile_listed

        return compile_listed(self, ids, on_progress)

    def accept(self, check_id: str, code: str, *, line: int = 1) -> CompiledCheck:
        """Make an edited cell's code the registry's, once it is proved to find what the rule says.

        `line` is where the code begins in its cell. Raises: NotProved when it does not.
        """
        from pandas_magic.workspace.compiling import accept_code

        return accept_code(self, check_id, code, line=line)

    def run_saved(self, check_id: str, **how: Unpack[Asked]) -> Result:
        """Run a saved check, with the code of its cell where that is given. Never plans.

        A check that is stale, listed but not compiled, or removed from the list gives a run with the verdict ERROR that
        says so and what to do; so does, with `approved_only`, one whose code nobody approved, and code that is not the
        registry's unless `allow_edited`.
        """
        return run_listed(self, self.roster()[check_id], **how)

    def run(
        self,
        ids: Sequence[str] = (),
        tags: Sequence[str] = (),
        *,
        approved_only: bool = False,
        on_progress: Progress = lambda _: None,
    ) -> list[Result]:
        """Run saved checks: those named, those with any of the tags, or all. Each is kept as soon as it is done."""
        watch = Onlooker(lambda listed: on_progress(f"{listed.id}: {listed.rule}"))
        batch = self.run_batch(self.chosen(ids, tags), approved_only=approved_only, watch=watch)
        if batch.interrupted:
            raise KeyboardInterrupt
        return list(batch.results)

    def run_batch(
        self,
        checks: Sequence[Listed],
        *,
        jobs: int = 1,
        max_seconds: float | None = None,
        approved_only: bool = False,
        keep_removed: bool = False,
        since: str = "",
        watch: Onlooker | None = None,
    ) -> Batch:
        """Run saved checks, `jobs` at a time, as `checking.batch.run_batch` says; all on the tables as they are now.

        Code that is the compiler's own shares a confined kernel and the tables in it; other code has one for itself.
        Of the partitions only those at or after `since` are judged; checks that cannot judge a part are ERROR.
        """
        reads = read_by(checks)
        asked: Asked = {"approved_only": approved_only, "keep_removed": keep_removed}
        part = self.catalog.part_since(since)
        still = replace(self, catalog=Snapshot(part, reads=reads, kept_bytes=self.settings.memory_bytes))
        jobs = min(jobs, len(checks))
        # All benches are there before the first check begins: one made during a stop would not be stopped.
        benches = [Bench(self.settings) for _ in range(jobs)] if jobs > 1 else [self.bench]
        stations = [station_of(replace(still, bench=bench), asked) for bench in benches]
        with in_batch(still, benches, checks, asked, may_run_ahead=max_seconds is None):
            return run_batch(checks, stations, max_seconds=max_seconds, watch=watch)

    def begin_session(self, kind: str, ids: Sequence[str]) -> None:
        """Note in the journal what is about to run, so that what a crash keeps from running is known."""
        self.journal.begin_session(SessionStart(self.session, timestamp(), kind, tuple(ids)))

    def travel(self, check_id: str, *, code_from: str = "", data_from: str = "") -> Result:
        """As `checking.time_travel.travel`: what the check says with code or tables of another day; in no journal."""
        return travel(check_id, self.runner, self.journal, self.registry, code_from=code_from, data_from=data_from)

    def sandbox(
        self, code: str, tables: Sequence[str], output: str | None = None
    ) -> tuple[Execution, pd.DataFrame | None]:
        """Run any code, confined, on whole tables; and the frame that it bound to `output`.

        Raises: kernel_sandbox.FetchError when `output` is no frame.
        """
        kernel = self.bench.fresh_sandbox()
        for name in tables:
            kernel.stage(identifier(name), self.catalog.frame(name))
        execution = kernel.execute(code)
        fetched = kernel.fetch_frame(output) if output and execution.status == "ok" else None
        return execution, fetched

    @property
    def checks_folder(self) -> Path:
        """Where the list that people edit lies, and the registry below it."""
        return self.base_dir / _CHECKS

    def roster(self) -> Roster:
        """What should run: the list that people edit and the registry as one, by id, as the files are now.

        Raises: StateUnreadable when the list is damaged.
        """
        return Roster(read_list(self.checks_folder), self.registry.load())

    def chosen(self, ids: Sequence[str] = (), tags: Sequence[str] = ()) -> list[Listed]:
        """The checks named, of these those with any of the tags; without names all that should run.

        Raises: NoSuchName.
        """
        roster = self.roster()
        named = [roster[check_id] for check_id in ids] if ids else [one for one in roster.values() if not one.removed]
        return [one for one in named if not tags or (one.check and set(tags) & set(one.check.tags))]

    def entries(self, *, with_runs: bool = True) -> list[Entry]:
        """Every check of the list and of the registry, with its last run here and why it cannot run as it is."""
        last, roster = self.journal.last_runs() if with_runs else {}, self.roster()
        stale = self.stale_reasons(listed.compiled for listed in roster.values() if listed.compiled)
        return [
            Entry(listed, last.get(check_id), listed.problem or stale.get(check_id, ""))
            for check_id, listed in roster.items()
        ]

    def changes(self, entries: Sequence[Entry]) -> list[Touched]:
        """What changed in the tables since their checks were compiled, and which of these checks that touches."""
        checks = {entry.id: entry.compiled for entry in entries if entry.compiled}
        stale = {entry.id: entry.stale for entry in entries}
        return touched(changes_since(self.journal.folder, self.catalog.schemas()), checks, stale)

    def tables(self) -> list[Table]:
        """The schemas of all tables that can be read."""
        return list(self.catalog.schemas().values())

    def check_ids(self) -> list[str]:
        """The ids of all checks, compiled or only listed."""
        return list(self.roster())

    def table_names(self) -> list[str]:
        """The names of all tables, readable or not."""
        return self.catalog.names()

    @cached_property
    def model(self) -> Model | None:
        """The model that may be asked, or None when none is named for us (`PANDAS_MAGIC_MODEL`)."""
        from pandas_magic.planner.model.model import Model
        from pandas_magic.planner.model.model_settings import ModelConfiguration

        configuration = ModelConfiguration.load(self.base_dir)
        return None if configuration is None else Model(configuration, self.base_dir / _JOURNAL)

    def stale_reason(self, compiled: CompiledCheck | None) -> str:
        """Why the check no longer fits the tables as they are now, in one clause; "" when it does."""
        return "" if compiled is None else stale_reasons(self.catalog, [compiled])[compiled.id]

    def stale_reasons(self, checks: Iterable[CompiledCheck]) -> dict[str, str]:
        """The same for many checks, by id; each table is looked at once."""
        return stale_reasons(self.catalog, checks)

    def unproved_reason(self, compiled: CompiledCheck) -> str:
        """What is wrong with the check when its rule is understood and its code proved anew; "" when nothing is."""
        from pandas_magic.checking.compiler import why_unproved

        try:
            return why_unproved(compiled, self.catalog.schemas(compiled.check.tables), self.runner)
        except PandasMagicError as error:
            return f"it could not be proved again: {error}"

    def update_list(self, check: Check) -> None:
        """Bring the check's entry in the list up to date, where it has one. Raises: UsageMistake, StateUnreadable."""
        listed = read_list(self.checks_folder)
        if check.id in listed.checks:
            update_list(listed, check)

    def add(self, request: CheckRequest) -> Check:
        """Write a rule at the end of the list that people edit, under the next free id where none is given.

        Raises: UsageMistake when the rule is empty, stands there already or its id is taken; StateUnreadable.
        """
        return add_request(self.checks_folder, self.registry, request)

    def keep(self, run: Run, reads: Iterable[str] = ()) -> Run:
        """Put a run on these tables into the journal as one of this session, and give it with what changed since."""
        kept = with_tables(run, self.catalog, reads, now=self.settings.now, is_named=self.names_now)
        return self.journal.keep(kept.model_copy(update={"session": self.session}))

    def close(self) -> None:
        """End the confined kernel, bring the rollup up to date and delete failing rows that are too old."""
        self.bench.close()
        self.journal.tidy(Keeping(self.settings.keep_runs, self.settings.keep_days))

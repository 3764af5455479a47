"""The workspace: a folder of tables and checks. It calls the parts in order, and decides nothing itself."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import pandas as pd

from kernel_sandbox import Execution
from pandas_magic.catalog import Catalog, Table
from pandas_magic.catalog.schema_changes import changes_since, keep_schemas
from pandas_magic.catalog.shared import SharedCatalog
from pandas_magic.checking.batch import Batch, Place, Watch, run_batch
from pandas_magic.checking.bench import Bench
from pandas_magic.checking.column_reads import read_by_edited
from pandas_magic.checking.compilation import Compilation, proof_of, refuse_forbidden
from pandas_magic.checking.compiler import compile_check, why_unproved
from pandas_magic.checking.result import Entry, Result
from pandas_magic.checking.runner import Progress, Runner, errored_run
from pandas_magic.checking.time_travel import travel
from pandas_magic.clock import session_id, timestamp
from pandas_magic.constraints import describe, identifier
from pandas_magic.errors import NoSuchName, NotProved, PandasMagicError, TableUnreadable, UsageMistake
from pandas_magic.history.journal import Journal
from pandas_magic.history.past import SessionStart
from pandas_magic.history.pruning import Keeping
from pandas_magic.history.remembering import remember_run
from pandas_magic.history.run import Run
from pandas_magic.planner import AUTO, first_planner
from pandas_magic.planner.model.model import Model
from pandas_magic.planner.model.model_settings import ModelConfiguration
from pandas_magic.record import digest
from pandas_magic.registry import Registry, Touched, staleness, touched
from pandas_magic.registry.approval import carried_over, standing, why_not_run
from pandas_magic.registry.check import Check
from pandas_magic.registry.check_request import CheckRequest, check_meant
from pandas_magic.registry.checks_list import read_checks
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.resting import why_resting
from pandas_magic.settings import Settings

_REGISTRY = Path("checks") / "registry"
_CHECKS = Path("checks") / "checks.json"
_JOURNAL = Path(".pandas_magic")
_DECLARED = Path("tables.toml")
_EDITED = "edited: this code is not the compiled code, and its proof is not known"


def _silent(_: str) -> None:
    pass


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
    ) -> Self:
        """The workspace in `base_dir` (the current folder when None). Nothing is written before a check is.

        `namespace` is where a notebook's DataFrames are looked up; `tables` adds frames or files by name.
        """
        base = Path(base_dir or ".").resolve()
        if not base.is_dir():
            raise UsageMistake(f"{base} is no folder; name the folder that holds the tables and the checks")
        loaded = Settings.load(base, given=settings)
        folder = base / loaded.data_dir if loaded.data_dir else base / "data"
        catalog = Catalog(
            folder if loaded.data_dir or folder.is_dir() else base,
            given=tables,
            namespace=namespace,
            cache=base / _JOURNAL / "staged",
            declared=base / _DECLARED,
        )
        registry = Registry(base / _REGISTRY, lock_folder=base / _JOURNAL)
        return cls(base, loaded, catalog, registry, Journal(base / _JOURNAL), Bench(loaded))

    def check(self, request: CheckRequest, *, on_progress: Progress = _silent) -> Result:
        """Compile the rule if it is new, changed or stale, then run it and keep what came of it.

        Raises: RuleNotUnderstood, NotProved, NoSuchName, TableUnreadable, StateUnreadable, SandboxUnavailable. Then
        nothing is saved and the registry is as it was.
        """
        known = self.registry.load()
        check = check_meant(request, known, self.registry)
        compiled = known.get(check.id)
        schemas = self.catalog.schemas(check.tables)
        reason = staleness(compiled, check, schemas) if compiled else "it is new"
        if compiled and not reason:
            return self._run_fresh(compiled, check, on_progress)
        numbered_here = request.id is None and compiled is None
        made = self._compile(check, schemas, request.unproved_allowed, on_progress, numbered_here=numbered_here)
        run = self._run_and_keep(made.compiled, on_progress)
        return Result(
            run,
            made.compiled,
            echo=made.echo,
            compiled_now=True,
            explanation=made.explanation,
            stale_reason=reason if compiled else "",
        )

    def compile(
        self, ids: Sequence[str] = (), *, on_progress: Progress = _silent
    ) -> dict[str, Compilation | PandasMagicError]:
        """Compile the checks named; without names those of `checks.json` and of the registry that are not fresh.

        One that cannot be compiled does not stop the others: its error stands in its place.
        """
        known = self.registry.load()
        listed = {check.id: check for check in read_checks(self.base_dir / _CHECKS)}
        every = list(dict.fromkeys((*known, *listed)))
        self._refuse_unknown(ids, every)
        done: dict[str, Compilation | PandasMagicError] = {}
        for check_id in ids or every:
            check = listed.get(check_id) or known[check_id].check
            if not ids and not self._reason_to_compile(check, known.get(check_id)):
                continue
            on_progress(f"{check_id}: {check.rule}")
            try:
                done[check_id] = self._compile(check, self.catalog.schemas(check.tables), False, _silent)
            except PandasMagicError as error:
                done[check_id] = error
        return done

    def run_saved(
        self, check_id: str, *, code: str | None = None, approved_only: bool = False, on_progress: Progress = _silent
    ) -> Result:
        """Run a saved check, with the code of its cell where that is given. Never plans.

        A stale check gives a run with the verdict ERROR that says what changed and how to compile it again; so does,
        with `approved_only`, one whose code nobody approved.
        """
        compiled = self.registry.get(check_id)
        source = compiled.code if code is None else code.strip("\n")
        rests = bool(why_resting(compiled, self.runner.instant().local.date()))
        stale = "" if rests else self.stale_reason(compiled)
        refusal = f"it is stale: {stale}. Compile it again: pandas-magic compile {check_id}" if stale else ""
        if approved_only and not rests:
            refusal = refusal or why_not_run(compiled)
        if refusal:
            run = self._remembered(errored_run(compiled, refusal), compiled)
            return Result(run, compiled, echo=_echo(compiled), stale_reason=stale)
        if digest(source) == compiled.code_digest:
            return Result(self._run_and_keep(compiled, on_progress), compiled, echo=_echo(compiled))
        refuse_forbidden(source)
        run = self._run_and_keep(
            compiled, on_progress, code=source, reads=read_by_edited(source, compiled, self.catalog), notes=(_EDITED,)
        )
        return Result(run, compiled, echo=_echo(compiled))

    def accept(self, check_id: str, code: str) -> CompiledCheck:
        """Make an edited cell's code the registry's, once it is proved to find what the rule says.

        Raises: NotProved when it does not.
        """
        compiled = self.registry.get(check_id)
        source = code.strip("\n")
        refuse_forbidden(source)
        if compiled.constraint is None:
            raise UsageMistake(f"{check_id} has no typed rule to prove code against; compile it from its sentence")
        proof = proof_of(source, compiled.constraint, compiled.plan, self.runner, schemas=compiled.schemas)
        if not proof.holds:
            raise NotProved(check_id, proof.problems or (proof.in_words(),))
        accepted = compiled.model_copy(update={"code": source, "code_digest": digest(source), "proof": proof})
        self.registry.save(accepted)
        return accepted

    def run(
        self,
        ids: Sequence[str] = (),
        tags: Sequence[str] = (),
        *,
        approved_only: bool = False,
        on_progress: Progress = _silent,
    ) -> list[Result]:
        """Run saved checks: those named, those with any of the tags, or all. Each is kept as soon as it is done."""
        watch = Watch(lambda compiled: on_progress(f"{compiled.id}: {compiled.check.name or compiled.check.rule}"))
        batch = self.run_batch(self.chosen(ids, tags), approved_only=approved_only, watch=watch)
        if batch.interrupted:
            raise KeyboardInterrupt
        return list(batch.results)

    def run_batch(
        self,
        checks: Sequence[CompiledCheck],
        *,
        jobs: int = 1,
        max_seconds: float | None = None,
        approved_only: bool = False,
        watch: Watch | None = None,
    ) -> Batch:
        """Run saved checks, `jobs` at a time, each in a fresh confined kernel, as `checking.batch.run_batch` says."""
        jobs = min(jobs, len(checks))
        places = [self._place(approved_only)]
        if jobs > 1:
            shared = replace(self, catalog=SharedCatalog(self.catalog))
            # All benches are there before the first check begins: one made during a stop would not be stopped.
            places = [replace(shared, bench=Bench(self.settings))._place(approved_only) for _ in range(jobs)]
        return run_batch(checks, places, max_seconds=max_seconds, watch=watch)

    def begin_session(self, kind: str, ids: Sequence[str]) -> None:
        """Note in the journal what is about to run, so that what a crash keeps from running is known."""
        self.journal.begin_session(SessionStart(self.session, timestamp(), kind, tuple(ids)))

    def travel(self, check_id: str, *, code_from: str = "", data_from: str = "") -> Result:
        """What the check says with the code of another day, on the tables of another day; in no journal.

        Raises: as `checking.time_travel.travel`.
        """
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

    def entries(self) -> list[Entry]:
        """Every check of the registry, with its last run here and whether it is stale."""
        last = self.journal.last_runs()
        return [
            Entry(compiled, last.get(check_id), self.stale_reason(compiled))
            for check_id, compiled in self.registry.load().items()
        ]

    def changes(self, entries: Sequence[Entry]) -> list[Touched]:
        """What changed in the tables since their checks were compiled, and which of these checks that touches."""
        checks = {entry.compiled.id: entry.compiled for entry in entries}
        stale = {entry.compiled.id: entry.stale for entry in entries}
        return touched(changes_since(self.journal.folder, self.catalog.schemas()), checks, stale)

    def tables(self) -> list[Table]:
        """The schemas of all tables that can be read."""
        return list(self.catalog.schemas().values())

    def chosen(self, ids: Sequence[str] = (), tags: Sequence[str] = ()) -> list[CompiledCheck]:
        """The checks named, of these those with any of the tags; all when nothing is named. Raises: NoSuchName."""
        checks = self.registry.load()
        self._refuse_unknown(ids, checks)
        named = (checks[check_id] for check_id in checks if not ids or check_id in ids)
        return [compiled for compiled in named if not tags or set(tags) & set(compiled.check.tags)]

    def check_ids(self) -> list[str]:
        """The ids in the registry."""
        return list(self.registry.load())

    def table_names(self) -> list[str]:
        """The names of all tables, readable or not."""
        return self.catalog.names()

    @cached_property
    def model(self) -> Model | None:
        """The model that may be asked, or None when none is named for us (`PANDAS_MAGIC_MODEL`)."""
        configuration = ModelConfiguration.load(self.base_dir)
        return None if configuration is None else Model(configuration, self.base_dir / _JOURNAL)

    def stale_reason(self, compiled: CompiledCheck) -> str:
        """Why the check no longer fits the tables as they are now, in one clause; "" when it does."""
        tables = {}
        for name in compiled.schemas:
            try:
                tables[name] = self.catalog.schema(name)
            except NoSuchName:
                continue  # staleness says that the table is gone
            except TableUnreadable as error:
                return str(error)
        return staleness(compiled, None, tables)

    def unproved_reason(self, compiled: CompiledCheck) -> str:
        """What is wrong with the check when its rule is understood and its code proved anew; "" when nothing is."""
        try:
            return why_unproved(compiled, self.catalog.schemas(compiled.check.tables), self.runner)
        except PandasMagicError as error:
            return f"it could not be proved again: {error}"

    def keep(self, run: Run) -> Run:
        """Put a run into the journal as one of this session, and give it back with what changed since the last."""
        return self.journal.keep(run.model_copy(update={"session": self.session}))

    def close(self) -> None:
        """End the confined kernel, bring the rollup up to date and delete failing rows that are too old."""
        self.bench.close()
        self.journal.tidy(Keeping(self.settings.keep_runs, self.settings.keep_days))

    def _run_fresh(self, compiled: CompiledCheck, check: Check, on_progress: Progress) -> Result:
        if check != compiled.check:
            compiled = compiled.model_copy(update={"check": check})
            self.registry.save(compiled)
        return Result(self._run_and_keep(compiled, on_progress), compiled, echo=_echo(compiled))

    def _compile(
        self,
        check: Check,
        schemas: Mapping[str, Table],
        unproved_allowed: bool,
        on_progress: Progress,
        *,
        numbered_here: bool = False,
    ) -> Compilation:
        made = compile_check(
            check,
            schemas,
            self.runner,
            planner=first_planner(self.settings.planner),
            model=lambda: self.model if self.settings.planner == AUTO else None,
            unproved_allowed=unproved_allowed,
            on_progress=on_progress,
        )
        keep_schemas(self.journal.folder, schemas)
        if numbered_here:
            return replace(made, compiled=self.registry.add(made.compiled))
        before = self.registry.load().get(check.id)
        made = replace(made, compiled=carried_over(made.compiled, before))
        self.registry.save(made.compiled)
        return made

    def _run_and_keep(
        self,
        compiled: CompiledCheck,
        on_progress: Progress,
        *,
        code: str | None = None,
        reads: Mapping[str, Sequence[str]] | None = None,
        notes: Sequence[str] = (),
    ) -> Run:
        unproved = () if compiled.proof else ("unproved: it was never seen to fail where it must",)
        run = self.runner.run(compiled, code=code, reads=reads, notes=(*unproved, *notes), on_progress=on_progress)
        edited = code is not None and code != compiled.code
        return self._remembered(
            run.model_copy(update={"review": "proposed" if edited else standing(compiled)}), compiled
        )

    def _remembered(self, run: Run, compiled: CompiledCheck) -> Run:
        folder, keep_tables = self.journal.folder, self.settings.keep_tables
        return self.keep(remember_run(run, compiled, self.catalog, folder, keep_tables=keep_tables))

    def _place(self, approved_only: bool) -> Place:
        def run(compiled: CompiledCheck, seconds: float | None) -> Result:
            at = self
            if seconds is not None and seconds < self.settings.wall_seconds:
                at = replace(self, settings=self.settings.model_copy(update={"wall_seconds": seconds}))
            return at.run_saved(compiled.id, approved_only=approved_only)

        return Place(run, self.keep, self.bench.stop)

    def _reason_to_compile(self, check: Check, compiled: CompiledCheck | None) -> str:
        if compiled is None:
            return "it is new"
        return "its rule changed" if check.rule_digest() != compiled.rule_digest else self.stale_reason(compiled)

    def _refuse_unknown(self, ids: Sequence[str], known: Collection[str]) -> None:
        for check_id in ids:
            if check_id not in known:
                raise NoSuchName("check", check_id, known, within="the registry")


def _echo(compiled: CompiledCheck) -> str:
    return describe(compiled.constraint) if compiled.constraint is not None else compiled.plan.goal

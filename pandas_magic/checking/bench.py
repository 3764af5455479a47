"""The bench: the confined kernel that checks run in, one after another.

Code that somebody wrote or edited gets a kernel in which nothing has run. Checks whose code is the compiler's own share
one, and the tables in it, until such code comes between.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kernel_sandbox import Limits, Policy, Sandbox, SandboxError
from pandas_magic.checking.executors import CONFINED, executor_for
from pandas_magic.checking.forerun import Forerun
from pandas_magic.checking.kept_sandboxes import begin_sandbox
from pandas_magic.errors import PandasMagicError
from pandas_magic.settings import Settings

# All that is not needed to start the kernel: it comes up while the rest is imported.
if TYPE_CHECKING:
    import pandas as pd

    from pandas_magic.checking.ahead import Ahead, FoundAhead
    from pandas_magic.checking.engines.answer import EngineAnswer
    from pandas_magic.checking.own_code import OwnFound
    from pandas_magic.history.run import Confined
    from pandas_magic.registry.compiled_check import CompiledCheck


class RunStopped(PandasMagicError):
    """A run that somebody stopped: it gives no verdict and stands in no journal."""

    code = "PM204"


class Bench:
    """One confined kernel for many pieces of code: started on first use, fresh for each that is not our own.

    `ahead` and `ahead_in_engine` have the checks of a batch and `expected` the columns that they read of each table,
    `staged` what the kernel of our own code holds of the tables as they are now: table -> column -> dtype. Of the
    checks `in_turn` the next one may run in the `forerun` while one is judged.

    Raises: NoSuchName or UsageMistake when the executor of the settings is not there or does not load.
    """

    def __init__(self, settings: Settings, *, read: tuple[str, ...] = (), spill_bytes: int = 0) -> None:
        self._settings, self._read, self._executor = settings, read, executor_for(settings.executor)
        self._spill_bytes = spill_bytes
        self._beside: dict[int, Bench] = {}
        self.proofs: dict[str, str] = {}  # what was asked to be proved at it -> why it is not; "": it is
        self.expected: Mapping[str, Collection[str]] = {}
        self.ahead: Ahead[FoundAhead] | None = None
        self.ahead_in_engine: Ahead[EngineAnswer] | None = None
        self.staged: dict[str, dict[str, str]] = {}
        self.in_turn: Sequence[CompiledCheck] = ()
        self.forerun: Forerun[OwnFound] = Forerun()
        self._confined: Confined | None = None  # the kernel, as it was when something was begun in it
        self._held: object = None  # whose tables are in the kernel of our own code
        self.is_coming_up = False  # no request was answered by its kernel yet
        self._is_own = False  # only code of our own has run in the kernel
        self._versions: dict[str, str] = {}  # of each table that was ever staged or asked for, its identity
        self._handed_bytes = 0  # of tables that were staged in it, replaced ones among them
        self._sandbox: Sandbox | None = None
        self._policy_digest = ""
        self._ours: Bench | None = None
        self._used = False
        self._stopped = False
        self._work: TemporaryDirectory[str] | None = None  # the folder of the code, where one is named for such folders

    def begin(self) -> None:
        """Have a kernel on its way for whichever bench with these settings needs one first.

        Raises: SandboxError where there can be none.
        """
        # What another package brings may not be for waiting, and a folder of its own would be one for nothing.
        if self._settings.executor == CONFINED and not self._settings.work_dir:
            begin_sandbox(self._policy(), warm=True)

    def sandbox(self) -> Sandbox:
        """The kernel as it is, with what earlier code left there. Raises: kernel_sandbox.SandboxUnavailable."""
        self.forerun.settle()
        self.refuse_when_stopped()
        if self._sandbox is None:
            policy = self._policy()
            self._sandbox, self._policy_digest = self._executor(policy), policy.digest()
            self.is_coming_up = True
            if self._stopped:  # while it was made, when there was nothing to close yet
                self.close()
                self.refuse_when_stopped()
        return self._sandbox

    def fresh_sandbox(self) -> Sandbox:
        """A kernel in which nothing has run."""
        if self._used and self._work is not None:
            self.close()  # a kernel that is renewed keeps a folder that was named for it
        sandbox = self.sandbox()
        if self._used:
            sandbox.renew()
        self._used = True
        self.forget()
        return sandbox

    def own_sandbox(self, tables: object) -> Sandbox:
        """A kernel in which only code of our own has run; `staged` names those of these tables that it holds.

        `tables` is the catalog that they are of: one of another has nothing staged.
        """
        if self.forerun.has_failed():
            self.forget()
        if self._held is not tables:
            self.stage_anew()
        if not self._is_own:
            self.fresh_sandbox()
        self._is_own, self._held = True, tables
        return self.sandbox()

    def hand_over(self, name: str, table: pd.DataFrame) -> None:
        """Stage a table for code of our own, as all that is known of it from now on."""
        from pandas_magic.constraints import identifier

        self.hand_over_once(identifier(name), table)
        self.staged[name] = {str(column): str(dtype) for column, dtype in table.dtypes.items()}

    def hand_over_once(self, name: str, table: pd.DataFrame) -> None:
        """Stage a table for the next code of our own, which deletes it."""
        # Code of our own may be handed the whole file in which columns lie: it reads none but those of its rule.
        lending = {"lend": True} if self._settings.executor == CONFINED else {}
        self.forerun.drop()
        self._handed_bytes += self.sandbox().stage(name, table, **lending).file_bytes

    def take_versions(self, identities: Mapping[str, str]) -> None:
        """From now on the tables have these identities, read before their rows; what was staged of others is gone.

        A table without an identity ("") may have changed in place.
        """
        for name, identity in identities.items():
            if not identity or self._versions.get(name) != identity:
                self.staged.pop(name, None)
        self._versions |= identities
        if not identities.keys() <= self.staged.keys():
            self.make_room()

    def stage_anew(self) -> None:
        """From now on no table counts as staged."""
        self._held, self.staged = None, {}
        self.make_room()

    def make_room(self) -> None:
        """Forget what is staged when that was more than the kernel's memory: what is used no more stays there."""
        if self._handed_bytes > self._settings.memory_bytes:
            self.forget()

    def forget(self) -> None:
        """The next code of our own gets a kernel in which nothing has run."""
        self.forerun.drop()
        self._held, self.staged = None, {}
        self._is_own, self._handed_bytes = False, 0

    def beside(self, read: tuple[str, ...], *, spill_bytes: int = 0) -> Bench:
        """A bench with a kernel of its own, which may read these files too, and write so many bytes into its folder.

        0 are as many as ours may. There is one for each number of bytes; it ends and stops with this bench.
        """
        other = self._beside.get(spill_bytes)
        if other is None or other._read != read:
            if other is not None:
                other.close()
            self._beside[spill_bytes] = other = Bench(self._settings, read=read, spill_bytes=spill_bytes)
        if self._stopped:
            other.stop()
        return other

    def confined(self) -> Confined:
        """How the kernel is confined, as seen from outside it."""
        from pandas_magic.history.run import Confined

        if self._confined is not None and self.forerun.is_begun:
            return self._confined  # nobody waits for what runs in it
        seen = self.sandbox().confinement
        foreign = "" if self._settings.executor == CONFINED else self._settings.executor
        layers, digest = tuple(seen.layers), self._policy_digest
        return Confined(isolation=seen.isolation, layers=layers, policy_digest=digest, executor=foreign)

    def begin_next(self, program: str, run: Callable[[], OwnFound | None]) -> None:
        """Let the kernel run the program of the next check from now on; what asks for the kernel waits for its end."""

        def timed() -> OwnFound | None:
            began = time.monotonic()
            found = run()
            return found and replace(found, ran_ahead=(began, time.monotonic()))

        self._confined = self.confined()
        self.forerun.begin(program, timed)

    def ours(self) -> Bench:
        """A bench whose kernel is our own, whatever executor is set: for what must not rest on another's word."""
        if self._settings.executor == CONFINED:
            return self
        if self._ours is None:
            self._ours = Bench(self._settings.model_copy(update={"executor": CONFINED}))
        return self._ours

    def end_forerun(self) -> None:
        """Stop what runs before its turn: nobody will take it."""
        if self.forerun.is_begun and self._sandbox is not None:
            self._sandbox.interrupt()
        self.forerun.drop()

    def stop(self) -> None:
        """End the kernel for good, from any thread: what runs on it raises `RunStopped`, as does every later use."""
        self._stopped = True
        self.close()
        for other in (self._ours, *self._beside.values()):
            if other is not None:
                other.stop()

    def refuse_when_stopped(self) -> None:
        """Raises: RunStopped after `stop`."""
        if self._stopped:
            raise RunStopped("it was stopped before its end, so there is no verdict; run it again")

    def close(self) -> None:
        """End the kernel. The next use starts another."""
        for other in (self._ours, *self._beside.values()):
            if other is not None:
                other.close()
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox, self._used = None, False
            self.forget()  # once what runs in it has noticed
        if self._work is not None:
            self._work.cleanup()
            self._work = None

    def _policy(self) -> Policy:
        said = self._settings
        most_seconds = max(said.wall_seconds, said.request_wall_seconds)
        # On every processor that it may use, code computes for as long as it may run.
        cpu_seconds = max(Limits().cpu_seconds, most_seconds * Limits().compute_threads)
        limits = Limits(wall_seconds=said.wall_seconds, cpu_seconds=cpu_seconds, memory_bytes=said.memory_bytes)
        if self._spill_bytes:
            limits = replace(limits, work_bytes=self._spill_bytes, file_bytes=self._spill_bytes)
        if said.work_dir:
            Path(said.work_dir).mkdir(parents=True, exist_ok=True)
            self._work = TemporaryDirectory(prefix="run-", dir=said.work_dir)
        work = self._work.name if self._work else None
        return Policy(read=self._read, limits=limits, isolation=said.isolation, work=work)


@contextmanager
def expecting(
    reads: Mapping[str, Collection[str]],
    benches: Sequence[Bench],
    checks: Sequence[CompiledCheck],
    in_turn: Sequence[CompiledCheck] = (),
) -> Iterator[None]:
    """While a batch runs at the benches: its checks, and what they read, so that each table is staged once for all.

    Those `in_turn`, in their order, may run before their turn.
    """
    from pandas_magic.checking.ahead import Ahead, FoundAhead
    from pandas_magic.checking.engines.answer import EngineAnswer
    from pandas_magic.constraints.algebra.rules import RowRule

    ahead = Ahead[FoundAhead]([each for each in checks if isinstance(each.constraint, RowRule)])
    ahead_in_engine = Ahead[EngineAnswer]([each for each in checks if each.constraint is not None])
    for bench in benches:
        bench.expected, bench.ahead, bench.ahead_in_engine = reads, ahead, ahead_in_engine
        bench.in_turn = in_turn
        # Its kernel comes up while tables are described and read; what is wrong is told when a check needs it.
        with suppress(PandasMagicError, SandboxError):
            bench.sandbox()
    try:
        yield
    finally:
        for bench in benches:
            bench.expected, bench.ahead, bench.ahead_in_engine, bench.in_turn = {}, None, None, ()
            bench.end_forerun()
            bench.stage_anew()

"""The explorer taken into the sandbox, and its answers brought back.

The confined process may not read this package (where it is installed is nobody's business there), so the text of
`confined` is handed over and imported from memory. Standard output is one JSON document, standard error the progress.
"""

from __future__ import annotations

import json
import marshal
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

import pandas as pd

from kernel_sandbox import Execution, Limits, Policy, Sandbox
from pandas_magic.checking.kept_sandboxes import give_back, take_sandbox
from pandas_magic.errors import UsageMistake
from pandas_magic.explore.exploration_request import Constraints
from pandas_magic.explore.explorer_answer import ExplorerAnswer, Json, Problem

Progress = Callable[[str], None]

_PACKAGES = ("pandas_magic", "pandas_magic.explore")
_CONFINED = "pandas_magic.explore.confined"
_OUTPUT_BYTES = 64 * 1024**2  # a report of thousands of classes is no endless loop
_ERROR_CHARACTERS = 4000
_STOP_SECONDS = 0.1  # between two attempts to stop

# Serves the modules by name from their texts. It stands first, since the real package cannot be read from inside.
# They come compiled: the same interpreter runs on both sides, and compiling takes longer than exploring a small table.
_IMPORTER = """
import base64, importlib.abc, importlib.machinery, linecache, marshal, sys
class _Delivered(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, texts): self.texts = texts
    def find_spec(self, name, path=None, target=None):
        if name in self.texts:
            package = any(other.startswith(name + ".") for other in self.texts)
            return importlib.machinery.ModuleSpec(name, self, origin=name, is_package=package)
    def create_module(self, spec): return None
    def exec_module(self, module):
        (text, code), name = self.texts[module.__name__], f"<{module.__name__}>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(marshal.loads(base64.b64decode(code)) if code else compile(text, name, "exec"), module.__dict__)
sys.meta_path.insert(0, _Delivered(_texts))
from pandas_magic.explore.confined import entry as _entry
"""


def confined_sources() -> dict[str, str]:
    """The text of every module that runs in the sandbox, by its name."""
    folder = files(_CONFINED)
    texts = dict.fromkeys(_PACKAGES, "")
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.name.endswith(".py"):
            stem = file.name.removesuffix(".py")
            name = _CONFINED if stem == "__init__" else f"{_CONFINED}.{stem}"
            texts[name] = file.read_text(encoding="utf-8")
    return texts


def compiled(sources: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Each module's text and its code, by its name; kept, so that the next exploration has it at once."""
    return {name: (text, _compiled(name, text)) for name, text in sources.items()}


@cache
def _compiled(name: str, text: str) -> str:
    """The module's code as text; "" for a text that does not compile, which is told where it is imported."""
    try:
        code = compile(text, f"<{name}>", "exec")
    except (SyntaxError, ValueError):
        return ""
    return b64encode(marshal.dumps(code)).decode()


def policy_of(constraints: Constraints, *, file: Path | None = None, isolation: str = "auto") -> Policy:
    """How the explorer's process is confined: it reads the file that it explores, and nothing else."""
    limits = Limits(
        wall_seconds=constraints.timeout_seconds,
        cpu_seconds=max(1.0, constraints.cpu * constraints.timeout_seconds),
        memory_bytes=constraints.memory_mb * 1024**2,
        output_bytes=_OUTPUT_BYTES,
        compute_threads=constraints.cpu,
    )
    read = () if file is None else (str(file),)
    return Policy(read=read, limits=limits, isolation="none" if isolation == "none" else "auto")


class ConfinedExplorer:
    """One confined process with the explorer in it; it keeps its table between calls and is made anew after a death."""

    def __init__(
        self,
        constraints: Constraints,
        *,
        file: Path | None = None,
        frame: pd.DataFrame | None = None,
        sources: Mapping[str, str] | None = None,
        isolation: str = "auto",
    ) -> None:
        self._frame = frame
        self._sources = dict(sources or confined_sources())
        self._held: Sandbox | None = take_sandbox(policy_of(constraints, file=file, isolation=isolation), warm=False)
        self._settled = False
        self._stopping = threading.Event()
        self._asking = threading.Event()

    def explore(
        self,
        request: Json,
        *,
        on_progress: Progress,
        wall_seconds: float,
        on_part: Callable[[Json], None] = lambda _: None,
    ) -> ExplorerAnswer:
        """The report and the details of the table, in a fresh process when one had been used.

        `on_part` gets what is known before all is.
        """
        if self._settled:
            self._sandbox.renew()
        self._settled = True
        self._sandbox.stage_value("_texts", compiled(self._sources))
        self._sandbox.stage_value("_request", request)
        table = "None"
        if self._frame is not None:
            # Only the text that we hand over runs there, and it is about the whole table.
            self._sandbox.stage("_table", self._frame, lend=True)
            table = "_table"
        code = f"{_IMPORTER}\n_entry.explore(_request, {table})"
        return self._ask(code, on_progress=on_progress, wall_seconds=wall_seconds, on_part=on_part)

    def obtained(self) -> Json:
        """What the last exploration found before it failed; empty when its process is gone."""
        answer = self._ask("_entry.obtained()", on_progress=_silent, wall_seconds=10)
        return answer.document if answer.problem is None else {}

    def draw(self, options: Json, *, wall_seconds: float) -> ExplorerAnswer:
        """The pictures of what was explored, as numbers."""
        self._sandbox.stage_value("_options", options)
        return self._ask("_entry.draw(_options)", on_progress=_silent, wall_seconds=wall_seconds)

    def probe(self, name: str, options: Json, *, other: pd.DataFrame | None, wall_seconds: float) -> ExplorerAnswer:
        """The result of a probe on the table that was explored; `other` is a second table to compare with."""
        self._sandbox.stage_value("_options", options)
        second = "None"
        if other is not None:
            self._sandbox.stage("_other", other)
            second = "_other"
        code = f"_entry.probe({name!r}, _options, {second})"
        return self._ask(code, on_progress=_silent, wall_seconds=wall_seconds)

    def confinement(self) -> Json:
        """How the process is confined, as seen from outside."""
        seen = self._sandbox.confinement
        return {"isolation": seen.isolation, "layers": list(seen.layers)}

    def interrupt(self) -> None:
        """Stop what is running or about to run, from another thread."""
        self._stopping.set()
        threading.Thread(target=self._keep_interrupting, daemon=True).start()

    def _keep_interrupting(self) -> None:
        # The code may not have begun when Stop is pressed: the process takes a second to start.
        while self._asking.is_set() and (sandbox := self._held) is not None:
            sandbox.interrupt()
            time.sleep(_STOP_SECONDS)

    def resume(self) -> None:
        """Forget an earlier interrupt: what is asked from now on runs."""
        self._stopping.clear()

    def close(self) -> None:
        """End the process."""
        sandbox, self._held = self._held, None
        if sandbox is not None:
            sandbox.interrupt()
            give_back(sandbox)

    @property
    def _sandbox(self) -> Sandbox:
        # What was given back may be another exploration's by now.
        if self._held is None:
            raise UsageMistake("this exploration is closed; run it again")
        return self._held

    def _ask(
        self,
        code: str,
        *,
        on_progress: Progress,
        wall_seconds: float,
        on_part: Callable[[Json], None] = lambda _: None,
    ) -> ExplorerAnswer:
        hear = _Heard(on_progress, on_part)
        if self._stopping.is_set():
            return ExplorerAnswer({}, Problem("interrupted", "it was stopped"))
        self._asking.set()
        try:
            execution = self._sandbox.execute(code, wall_seconds=wall_seconds, on_output=hear)
        finally:
            self._asking.clear()
        try:
            document = json.loads(execution.stdout, parse_constant=_refuse)
            if not isinstance(document, dict):
                raise ValueError(f"it is a {type(document).__name__}, not an object")
        except (ValueError, RecursionError) as error:
            return ExplorerAnswer({}, _unparsed(execution, str(error)), execution.seconds)
        return ExplorerAnswer(document, _told(execution, document), execution.seconds)


class _Heard:
    """Lines of standard error as they come, in pieces of any length: progress, and parts of the answer."""

    def __init__(self, on_progress: Progress, on_part: Callable[[Json], None]) -> None:
        self._on_progress, self._on_part = on_progress, on_part
        self._begun: list[str] = []

    def __call__(self, stream: str, text: str) -> None:
        if stream != "stderr":
            return
        *lines, rest = text.split("\n")
        for line in lines:
            self._take("".join([*self._begun, line]))
            self._begun.clear()
        self._begun.append(rest)

    def _take(self, line: str) -> None:
        if line.startswith("progress: "):
            self._on_progress(line.removeprefix("progress: "))
        if line.startswith("part: "):
            try:
                part = json.loads(line.removeprefix("part: "), parse_constant=_refuse)
            except (ValueError, RecursionError):
                return  # the whole will be judged
            if isinstance(part, dict):
                self._on_part(part)


def _told(execution: Execution, document: Json) -> Problem | None:
    if execution.status == "ok":
        return None
    meta = document.get("meta")
    facts = meta if isinstance(meta, dict) else {}
    kind = execution.status
    if kind == "error" and "unknown" in facts:
        return Problem("unknown", str(facts.get("text")), facts=facts["unknown"])
    if kind == "error" and facts.get("unreadable"):
        return Problem("unreadable", str(facts.get("text")))
    return Problem(kind, _reason(execution), str(facts.get("error", ""))[-_ERROR_CHARACTERS:])


def _unparsed(execution: Execution, why: str) -> Problem:
    trace = (execution.traceback or execution.stderr)[-_ERROR_CHARACTERS:]
    if execution.status == "ok":
        return Problem("parse_error", f"its answer is no JSON document: {why}", trace)
    return Problem(execution.status, _reason(execution), trace)


def _reason(execution: Execution) -> str:
    if execution.status != "error":
        return execution.reason
    text = execution.error_text.strip().splitlines()
    return f"{execution.error_name}: {text[0] if text else 'no message'}"


def _refuse(name: str) -> None:
    raise ValueError(f"it holds {name}, which JSON does not know")


def _silent(_: str) -> None:
    pass

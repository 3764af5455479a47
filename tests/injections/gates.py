"""What stops an attempt, and how it is switched off to see that nothing else did."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pandas_magic.checking.by_model import code_writing, opinions, restating
from pandas_magic.explore import advice
from pandas_magic.planner.language import compiler
from pandas_magic.planner.model import disclosure, gates, model, prompts, rule_prompts, shown_tables, table_summaries
from pandas_magic.planner.model.answer_text import json_object
from pandas_magic.plans import answer_output, answers, cells, pipeline, plan_prompts, result_charts
from pandas_magic.registry import approval
from pandas_magic.registry.proof import Proof
from pandas_magic.reporters import html, markdown, value_text
from pandas_magic.workspace import running

Off = Callable[[pytest.MonkeyPatch], None]
_PROMPTS = (disclosure, prompts, rule_prompts, shown_tables, plan_prompts, advice)


def _put(patch: pytest.MonkeyPatch, name: str, value: Any, *modules: Any) -> None:
    found = [module for module in modules if hasattr(module, name)]
    assert found, f"nothing is called {name} any more"
    for module in found:
        patch.setattr(module, name, value)


def _as_it_stands(content: Any) -> str:
    """A block of data as one would write it without a thought of who wrote the data."""
    import json

    text = json.dumps(content, ensure_ascii=False, default=str).replace("\\n", "\n").replace('\\"', '"')
    return f"<data>\n{text}\n</data>"


def _known_fields(text: str) -> dict[str, Any]:
    found = json_object(text)
    return {name: value for name, value in found.items() if name in ("sentence", "words", "can_be_said")}


def _believed(written: Any) -> Any:
    holds = Proof(planted=1, flagged=1, clean=1, left_alone=1, cases=("none was tried",))
    return replace(written, proof=holds)


def _unproved(patch: pytest.MonkeyPatch) -> None:
    real = restating.write_and_prove
    patch.setattr(restating, "write_and_prove", lambda *said, **how: _believed(real(*said, **how)))


def _breakable(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compiler, "pointless_parts", lambda _: ())
    patch.setattr(restating, "misfits", lambda *_: ())


def _same(text: Any, *_: Any, **__: Any) -> Any:
    return text


def _tells_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("PANDAS_MAGIC_DISCLOSURE", "samples")


CONFINEMENT = "confinement"  # the kernel's locks: without them the code gets a kernel that has none

# Each gate by its name: SECURITY.md and docs/models.md call them so.
GATES: dict[str, Off] = {
    "data block": lambda patch: _put(patch, "data_block", _as_it_stands, *_PROMPTS),
    "disclosure": _tells_everything,
    "remarks without values": lambda patch: _put(patch, "told_problem", _same, pipeline, restating),
    "form of the answer": lambda patch: _put(patch, "json_object", _known_fields, model),
    "words accounted for": lambda patch: _put(patch, "_unaccounted", lambda *_: (), gates),
    "columns accounted for": lambda patch: _put(patch, "_columns_unsaid", lambda *_: (), gates),
    "one of several amounts": lambda patch: _put(patch, "_one_of_several", lambda *_: (), gates),
    "foreign numbers": lambda patch: _put(patch, "_foreign_numbers", lambda *_: (), gates),
    "foreign tolerance": lambda patch: _put(patch, "_foreign_tolerance", lambda *_: (), gates),
    "foreign values": lambda patch: _put(patch, "_foreign_values", lambda *_: (), gates),
    "rules that nothing breaks": _breakable,
    "guards": lambda patch: _put(patch, "objections", lambda *_: (), restating),
    "named table": lambda patch: _put(patch, "_another_table", lambda *_: (), restating),
    "reader of rows": lambda patch: _put(patch, "judged_otherwise", lambda *_: "", restating),
    "second code": lambda patch: _put(patch, "_other_opinion", lambda *_: "", restating),
    "proof": _unproved,
    "examples": lambda patch: _put(patch, "_misfit", lambda *_: "", code_writing),
    "opposite author": lambda patch: _put(patch, "_disagreement", lambda *_: "", code_writing),
    "validator": lambda patch: _put(
        patch, "refuse_forbidden", lambda *_, **__: None, restating, code_writing, pipeline
    ),
    "names and columns": lambda patch: _put(patch, "code_problems", lambda *_: (), opinions),
    "numbers of the answer": lambda patch: _put(
        patch, "strike_unfounded", lambda text, _: (text, ()), answers, result_charts
    ),
    "escaped HTML": lambda patch: _put(patch, "escape", _same, answer_output, html),
    "escaped Markdown": lambda patch: _put(patch, "escaped", _same, answer_output, markdown),
    "clean text": lambda patch: _put(patch, "_escaped", _same, value_text),
    "one line": lambda patch: _put(patch, "_one_line", _same, cells),
    "founded paragraph": lambda patch: _put(patch, "is_founded", lambda *_: True, table_summaries),
    "approval": lambda patch: _put(patch, "why_not_run", lambda *_: "", running, approval),
}

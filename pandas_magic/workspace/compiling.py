"""Rules compiled in a workspace, and kept in its registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pandas_magic.catalog import Table
from pandas_magic.catalog.schema_changes import keep_schemas
from pandas_magic.catalog.sources.memory import describing_once
from pandas_magic.checking.compilation import Compilation, not_proved, proof_of, refuse_forbidden
from pandas_magic.checking.compiler import compile_check
from pandas_magic.checking.finder import Progress
from pandas_magic.checking.result import Result
from pandas_magic.errors import PandasMagicError, UsageMistake, unforeseen
from pandas_magic.planner import AUTO, first_planner
from pandas_magic.record import digest
from pandas_magic.registry.approval import carried_over
from pandas_magic.registry.check import Check
from pandas_magic.registry.check_request import CheckRequest, check_meant
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.roster import Listed, Roster
from pandas_magic.registry.staleness import staleness
from pandas_magic.workspace.running import echo_of, run_and_keep

if TYPE_CHECKING:
    from pandas_magic.workspace.workspace import Workspace


@describing_once()
def check_request(workspace: Workspace, request: CheckRequest, on_progress: Progress) -> Result:
    """Compile the rule if it is new, changed or stale, then run it and keep what came of it."""
    roster = workspace.roster()
    check = check_meant(request, roster, workspace.registry)
    compiled = roster[check.id].compiled if check.id in roster else None
    schemas = workspace.catalog.schemas(check.tables)
    reason = staleness(compiled, check, schemas) if compiled else "it is new"
    if compiled and not reason:
        compiled = _with_check(workspace, compiled, check)
        return Result(run_and_keep(workspace, compiled, on_progress), compiled, echo=echo_of(compiled))
    numbered_here = request.id is None and check.id not in roster
    made = compiled_check(workspace, check, schemas, unproved_allowed=request.unproved_allowed, on_progress=on_progress)
    workspace.update_list(check)
    made = saved(workspace, made, numbered_here=numbered_here)
    run = run_and_keep(workspace, made.compiled, on_progress)
    return Result(
        run,
        made.compiled,
        echo=made.echo,
        compiled_now=True,
        explanation=made.explanation,
        stale_reason=reason if compiled else "",
    )


@describing_once()
def compile_listed(
    workspace: Workspace, ids: Sequence[str], on_progress: Progress
) -> dict[str, Compilation | PandasMagicError]:
    """Compile the checks named; without names all that should run and are not compiled, or not fresh."""
    roster = workspace.roster()
    wanted = [roster[check_id] for check_id in ids] or [one for one in roster.values() if not one.removed]
    done: dict[str, Compilation | PandasMagicError] = {}
    for listed in wanted:
        if listed.check is None or listed.damaged:
            done[listed.id] = PandasMagicError(listed.problem)
            continue
        if not ids and listed.compiled and not (listed.problem or workspace.stale_reason(listed.compiled)):
            _take_over(workspace, listed, roster)
            continue
        on_progress(f"{listed.id}: {listed.rule}")
        try:
            schemas = workspace.catalog.schemas(listed.check.tables)
            made = compiled_check(workspace, listed.check, schemas, on_progress=lambda _: None)
            done[listed.id] = saved(workspace, made, from_list=roster.is_listed(listed.id))
        except PandasMagicError as error:
            done[listed.id] = error
        except Exception as error:  # one rule that the compiler stumbles over must not cost all the others
            done[listed.id] = PandasMagicError(unforeseen(error))
    return done


def choose_reading(workspace: Workspace, check_id: str, sentence: str) -> None:
    """Make the sentence, which a person chose for what the check's rule means, its rule in the list.

    What the person had written becomes the check's name, where it has none. Raises: UsageMistake when the entry is
    damaged; StateUnreadable.
    """
    check = workspace.roster()[check_id].check
    if check is None:
        raise UsageMistake(f"{check_id} is damaged; mend its entry in the list first")
    workspace.update_list(check.model_copy(update={"rule": sentence, "name": check.name or check.rule}))


@describing_once()
def accept_code(workspace: Workspace, check_id: str, code: str, *, line: int = 1) -> CompiledCheck:
    """Make an edited cell's code the registry's, once it is proved to find what the rule says."""
    accepted = with_code(workspace, workspace.registry.get(check_id), code, line=line)
    workspace.registry.save(accepted)
    return accepted


def with_code(workspace: Workspace, compiled: CompiledCheck, code: str, *, line: int = 1) -> CompiledCheck:
    """The check with other code, which is proved to find what the rule says; nothing is saved. `line`: as `proof_of`.

    Raises: NotProved when it does not; CodeRefused; UsageMistake when no typed rule is there to prove it against.
    """
    source = code.strip("\n")
    refuse_forbidden(source, workspace.settings)
    if compiled.constraint is None:
        raise UsageMistake(f"{compiled.id} has no typed rule to prove code against; compile it from its sentence")
    how: Any = {"schemas": compiled.schemas, "line": line}
    proof = proof_of(source, compiled.constraint, compiled.plan, workspace.runner, **how)
    if not proof.holds:
        raise not_proved(compiled.id, proof, compiled.constraint)
    return compiled.model_copy(update={"code": source, "code_digest": digest(source), "proof": proof})


def compiled_check(
    workspace: Workspace,
    check: Check,
    schemas: Mapping[str, Table],
    *,
    unproved_allowed: bool = False,
    on_progress: Progress,
) -> Compilation:
    """The rule compiled under the workspace's settings; nothing is saved."""
    settings, before = workspace.settings, workspace.registry.load().get(check.id)
    made = compile_check(
        check,
        schemas,
        workspace.runner,
        planner=first_planner(settings.planner),
        model=lambda: workspace.model if settings.planner == AUTO else None,
        unproved_allowed=unproved_allowed,
        accepted=before.constraint if before is not None else None,
        on_progress=on_progress,
    )
    keep_schemas(workspace.journal.folder, schemas)
    return made


def saved(
    workspace: Workspace, made: Compilation, *, numbered_here: bool = False, from_list: bool = False
) -> Compilation:
    """The compilation in the registry, with what people had decided about the check before."""
    if numbered_here:
        return replace(made, compiled=workspace.registry.add(made.compiled))
    before = workspace.registry.load().get(made.compiled.id)
    compiled = carried_over(made.compiled, before)
    from_list = from_list or bool(before and before.from_list)
    made = replace(made, compiled=compiled.model_copy(update={"from_list": from_list}))
    workspace.registry.save(made.compiled)
    return made


def _take_over(workspace: Workspace, listed: Listed, roster: Roster) -> None:
    """Keep what the list says of a check beside its rule, and that the list names it."""
    assert listed.compiled is not None
    named = listed.compiled.from_list or roster.is_listed(listed.id)
    fresh = listed.compiled.model_copy(update={"from_list": named})
    if fresh != roster.as_kept(listed.id):
        workspace.registry.save(fresh)


def _with_check(workspace: Workspace, compiled: CompiledCheck, check: Check) -> CompiledCheck:
    if check == compiled.check:
        return compiled
    workspace.update_list(check)
    compiled = compiled.model_copy(update={"check": check})
    workspace.registry.save(compiled)
    return compiled

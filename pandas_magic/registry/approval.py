"""Approval: which code a person has seen and agreed to. Scheduled runs execute nothing else."""

import subprocess
from collections.abc import Sequence
from getpass import getuser
from pathlib import Path
from typing import Literal

from pandas_magic.clock import timestamp, to_the_day
from pandas_magic.errors import NotProved, PandasMagicError, UsageMistake
from pandas_magic.record import digest
from pandas_magic.registry import Registry
from pandas_magic.registry.agreement import disagreements
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.decisions import Approval

Standing = Literal["approved", "proposed"]


def reviewed_digest(compiled: CompiledCheck) -> str:
    """Changes with all that an approval speaks of: the rule, the code, the typed rule, what is read, the schemas.

    It is made from the content, never from digests that stand beside it, which an editor can write too.
    """
    content = compiled.to_dict()
    return digest(
        {
            "rule": compiled.check.rule_digest(),
            "code": compiled.code,
            "constraint": content.get("constraint"),
            "reads": content["plan"]["reads"],
            "schemas": content["schemas"],
        }
    )


def standing(compiled: CompiledCheck) -> Standing:
    """Whether the check's code, as it is now, was approved."""
    approval = compiled.approval
    return "approved" if approval is not None and approval.reviewed == reviewed_digest(compiled) else "proposed"


def is_unread(compiled: CompiledCheck) -> bool:
    """Whether a model wrote its code, no typed rule says what that does, and nobody approved it as it is."""
    by_model = compiled.constraint is None and compiled.planner.startswith("model ")
    return by_model and standing(compiled) != "approved"


def why_not_run(compiled: CompiledCheck) -> str:
    """Why a scheduled run must not execute the check, and how to change that; "" when it may."""
    if standing(compiled) == "approved":
        return ""
    earlier = compiled.approval
    changed = f", since it changed after {earlier.by} approved it on {to_the_day(earlier.at)}" if earlier else ""
    if problems := disagreements(compiled):
        return f"its code is proposed and not approved{changed}: {'; '.join(problems)}"
    return (
        f"its code is proposed and not approved{changed}. Read it, then: pandas-magic approve {compiled.id} "
        "(or run with --allow-proposed)"
    )


def approve(registry: Registry, check_id: str, by: str) -> CompiledCheck:
    """Note in the check's file that `by` approves its rule, code and schemas as they are now.

    Raises: NoSuchName; StateUnreadable; NotProved when rule, code and proof in the file do not belong together.
    """
    outcome = approve_each(registry, [check_id], by)[check_id]
    if isinstance(outcome, PandasMagicError):
        raise outcome
    return outcome


def approve_each(registry: Registry, check_ids: Sequence[str], by: str) -> dict[str, CompiledCheck | PandasMagicError]:
    """Note in the checks' files that `by` approves their rules, code and schemas as they are now.

    A check that cannot be approved has the error that `approve` raises in its place; the others are approved.
    """

    def approved(compiled: CompiledCheck) -> CompiledCheck:
        problems = disagreements(compiled)
        if problems:
            raise NotProved(compiled.id, problems)
        if standing(compiled) == "approved":
            return compiled
        approval = Approval(by=by, at=timestamp(), reviewed=reviewed_digest(compiled))
        return compiled.model_copy(update={"approval": approval})

    return registry.change_each(check_ids, approved)


def carried_over(compiled: CompiledCheck, before: CompiledCheck | None) -> CompiledCheck:
    """A check just compiled, with what people had decided about it: an approval only of exactly this code."""
    if before is None:
        return compiled
    kept = compiled.model_copy(
        update={"approval": before.approval, "snooze": before.snooze, "exceptions": before.exceptions}
    )
    return kept if standing(kept) == "approved" else kept.model_copy(update={"approval": None})


def who(folder: Path) -> str:
    """The person at this machine: git's address in `folder`, else the name of the login.

    Raises: UsageMistake when neither is known.
    """
    try:
        asked = subprocess.run(
            ["git", "config", "user.email"], cwd=folder, capture_output=True, text=True, check=False, timeout=10
        )
        if address := asked.stdout.strip():
            return address
    except (OSError, subprocess.TimeoutExpired):
        pass  # no git here: the login will do
    try:
        return getuser()
    except (OSError, KeyError) as error:
        raise UsageMistake("nobody is known here by name; say who: --by NAME") from error

"""Ready-made records and stand-ins for tests."""

from pandas_magic.constraints import Column, Exists, RowRule
from pandas_magic.constraints.plans import Plan
from pandas_magic.record import digest
from pandas_magic.registry.check import Check
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.proof import Proof

CODE = 'violations = events[~events["user_id"].isin(users["user_id"])]'


def unknown_users(
    check_id: str = "CHK-002", *, rule: str = "user_id must exist in users", **fields: object
) -> CompiledCheck:
    """A compiled check: events whose user is unknown. `fields` replace those of the record."""
    check = Check(id=check_id, rule=rule, name="Unknown users", tables=("events", "users"), tags=("join",))
    content: dict[str, object] = {
        "check": check,
        "plan": Plan(
            goal="events: user_id must be among users.user_id",
            steps=("find the events whose user_id is not in users",),
            reads={"events": ("user_id",), "users": ("user_id",)},
            violation_means="an event of an unknown user",
        ),
        "constraint": RowRule(
            table="events", must=Exists(of=(Column(name="user_id"),), table="users", keys=("user_id",))
        ),
        "code": CODE,
        "proof": Proof(planted=4, flagged=4, clean=6, left_alone=6, cases=("an orphan",)),
        "planner": "rules",
        "compiled_at": "2026-11-21T08:00:00Z",
        "schemas": {"events": {"user_id": "int64"}, "users": {"user_id": "int64"}},
        "rule_digest": check.rule_digest(),
        "code_digest": digest(CODE),
    }
    return CompiledCheck.model_validate({**content, **fields})

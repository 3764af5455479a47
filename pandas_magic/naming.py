"""Which check a person means who writes a rule in a cell, and what it is now."""

from pandas_magic.checks import Check
from pandas_magic.errors import UsageMistake
from pandas_magic.registry import Checks, Registry
from pandas_magic.results import CheckRequest

_DRAWN = ("name", "severity", "owner", "tags", "enabled", "target", "bands")  # kept as they were unless they are said


def check_meant(request: CheckRequest, known: Checks, registry: Registry) -> Check:
    """The check under the id given, else under that of the same rule, else under a new one.

    Raises: UsageMistake when the rule is empty.
    """
    if not request.rule.strip():
        raise UsageMistake("the rule is empty; write it as a sentence below the first line")
    drawn = {name: value for name in _DRAWN if (value := getattr(request, name)) is not None}
    check_id = request.id or _id_of_rule(request, known) or registry.next_id()
    before = known[check_id].check.model_dump() if check_id in known else {}
    return Check.model_validate(
        {**before, **drawn, "id": check_id, "rule": request.rule.strip(), "tables": request.tables}
    )


def _id_of_rule(request: CheckRequest, known: Checks) -> str | None:
    wanted = Check(id="", rule=request.rule, tables=request.tables, target=request.target or "").rule_digest()
    there = known.with_rule(wanted)
    return there.id if there else None

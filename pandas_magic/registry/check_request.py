"""What a person asks for who writes a rule in a cell, and which check that means."""

from dataclasses import dataclass

from pandas_magic.errors import UsageMistake
from pandas_magic.registry.check import Check
from pandas_magic.registry.checks_folder import Registry
from pandas_magic.registry.decisions import Bands
from pandas_magic.registry.roster import Roster
from pandas_magic.registry.severities import Severity

_DRAWN = ("name", "severity", "owner", "tags", "enabled", "target", "bands")  # kept as they were unless they are said


@dataclass(frozen=True)
class CheckRequest:
    """What a person asks for: a rule, and whatever they say about it. None: as it was before, or the default."""

    rule: str
    id: str | None = None
    name: str | None = None
    tables: tuple[str, ...] = ()
    target: str | None = None
    severity: Severity | None = None
    owner: str | None = None
    tags: tuple[str, ...] | None = None
    enabled: bool | None = None
    bands: Bands | None = None
    unproved_allowed: bool = False


def check_meant(request: CheckRequest, roster: Roster, registry: Registry) -> Check:
    """The check under the id given, else under that of the same rule, else under a new one.

    Raises: UsageMistake when the rule is empty.
    """
    if not request.rule.strip():
        raise UsageMistake("the rule is empty; write it as a sentence below the first line")
    drawn = {name: value for name in _DRAWN if (value := getattr(request, name)) is not None}
    check_id = request.id or _id_of_rule(request, roster) or registry.next_id(roster)
    known = roster[check_id].check if check_id in roster else None
    before = known.model_dump() if known else {}
    return Check.model_validate(
        {**before, **drawn, "id": check_id, "rule": request.rule.strip(), "tables": request.tables}
    )


def _id_of_rule(request: CheckRequest, roster: Roster) -> str | None:
    there = roster.with_rule(Check(id="", rule=request.rule, tables=request.tables, target=request.target or ""))
    return there.id if there else None

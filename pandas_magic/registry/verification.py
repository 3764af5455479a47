"""Whether registry, proofs, approvals and tables agree: what is said before a commit and in CI."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pandas_magic.registry import Checks
from pandas_magic.registry.agreement import disagreements
from pandas_magic.registry.approval import standing
from pandas_magic.registry.compiled_check import CompiledCheck
from pandas_magic.registry.roster import Roster


@dataclass(frozen=True)
class Finding:
    """Something that does not agree: where, what, and what to do about it."""

    place: str  # a check's id, or a notebook and its cell
    problem: str

    def in_words(self) -> str:
        """One line."""
        return f"{self.place}: {self.problem}"


Look = Callable[[CompiledCheck], str]


def findings(checks: Checks, *, approved: bool = False, looks: tuple[Look, ...] = ()) -> Iterator[Finding]:
    """What disagrees in each check's own file, by id. `approved` asks for an approval of every check.

    `looks` are further questions, each answered with a problem or "": about its tables, or its proof made anew.
    """
    for check_id in checks.ids:
        if check_id in checks.damaged:
            yield Finding(check_id, checks.damaged[check_id])
            continue
        compiled = checks[check_id]
        problems = disagreements(compiled)
        # Further questions about parts that do not belong together would only repeat that.
        further = () if problems else tuple(problem for look in looks if (problem := look(compiled)))
        # Nor can they be approved.
        approval = () if problems else _of_approval(compiled, approved)
        for problem in (*problems, *approval, *further):
            yield Finding(check_id, problem)


def list_findings(roster: Roster) -> Iterator[Finding]:
    """Where the list that people edit and the registry say different things."""
    for listed in roster.values():
        # A damaged file is found where the registry is looked at.
        if listed.problem and (listed.compiled or roster.is_uncompiled(listed.id)):
            yield Finding(listed.id, listed.problem)


def _of_approval(compiled: CompiledCheck, approved: bool) -> Iterator[str]:
    if standing(compiled) == "approved":
        return
    if compiled.approval is not None:
        yield (
            f"the approval by {compiled.approval.by} is not of this code; read what changed, then: "
            f"pandas-magic approve {compiled.id}"
        )
    elif approved:
        yield f"nobody approved it; read its code, then: pandas-magic approve {compiled.id}"

"""What should run: the list that people edit and the registry as one truth, for every command alike."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pandas_magic.errors import NoSuchName, StateUnreadable
from pandas_magic.registry.check import Check
from pandas_magic.registry.checks_folder import Checks
from pandas_magic.registry.checks_list import ChecksList
from pandas_magic.registry.compiled_check import CompiledCheck


@dataclass(frozen=True)
class Listed:
    """One check as the list and the registry have it together."""

    id: str
    check: Check | None  # as the list says it, else as it was compiled; None: its file is damaged
    compiled: CompiledCheck | None  # with `check` in its place; None: never compiled, or its file is damaged
    problem: str = ""  # why it cannot run as it is and what to do, in one clause; "": it can
    damaged: bool = False  # its file cannot be read, which the problem says
    removed: bool = False  # it was compiled from the list, which does not name it any more
    unlisted: bool = False  # so, or the whole list is gone

    @property
    def rule(self) -> str:
        """The person's sentence; "" when nothing says it."""
        return self.check.rule if self.check else ""

    @property
    def why_outdated(self) -> str:
        """Why what is compiled is not what the list says; "" where it is, and where the list is gone."""
        return "" if self.unlisted and not self.removed else self.problem


class Roster(Mapping[str, Listed]):
    """Every check by its id: those of the list in its order, then those that only the registry has."""

    def __init__(self, listed: ChecksList, checks: Checks) -> None:
        self._list, self._checks = listed, checks
        self._ids = dict.fromkeys((*listed.checks, *checks.ids))
        self._found: dict[str, Listed] = {}

    def __getitem__(self, check_id: str) -> Listed:
        if check_id not in self._found:
            if check_id not in self._ids:
                raise NoSuchName("check", check_id, self._ids, within="the list of checks and the registry")
            self._found[check_id] = self._listed(check_id)
        return self._found[check_id]

    def __contains__(self, check_id: object) -> bool:
        return check_id in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def path(self) -> Path:
        """Where the list that people edit is, or would be."""
        return self._list.path

    def is_listed(self, check_id: str) -> bool:
        """Whether the list that people edit names the check."""
        return check_id in self._list.checks

    def as_kept(self, check_id: str) -> CompiledCheck:
        """The compiled check as its file has it. Raises: KeyError when there is none; StateUnreadable."""
        return self._checks[check_id]

    def is_uncompiled(self, check_id: str) -> bool:
        """Whether the registry has no file of the check."""
        return check_id not in self._checks.ids

    def with_rule(self, check: Check) -> Listed | None:
        """The first check with the rule of this one, or None."""
        wanted = check.rule_digest()
        for check_id, listed in self._list.checks.items():
            if listed.rule_digest() == wanted:
                return self[check_id]
        known = self._checks.with_rule(wanted)
        return self[known.id] if known else None

    def _listed(self, check_id: str) -> Listed:
        wanted = self._list.checks.get(check_id)
        compiled, damage = self._compiled(check_id)
        if compiled is None:
            where = f"{self._list.path.name}, line {self._list.lines.get(check_id, 0)}"
            never = f"it is listed ({where}) and was never compiled: pandas-magic compile {check_id}"
            return Listed(check_id, wanted, None, damage or never, damaged=bool(damage))
        if wanted is None:
            return self._unlisted(compiled)
        if wanted.rule_digest() != compiled.check.rule_digest():
            problem = f"its rule changed in {self._list.path.name}; compile it again: pandas-magic compile {check_id}"
            return Listed(check_id, wanted, compiled, problem)
        # Its name, owner, severity and the like are what the list says now; nothing is compiled for that.
        return Listed(check_id, wanted, compiled.model_copy(update={"check": wanted}))

    def _unlisted(self, compiled: CompiledCheck) -> Listed:
        if not compiled.from_list:
            return Listed(compiled.id, compiled.check, compiled)
        if self._list.exists:
            gone = (
                f"it was removed from {self._list.path.name}; delete it too: pandas-magic delete {compiled.id}, or run "
                "it all the same: pandas-magic run --keep-removed"
            )
            return Listed(compiled.id, compiled.check, compiled, gone, removed=True, unlisted=True)
        where = self._list.path
        gone = f"it was compiled from {where}, which is gone; bring the list back, or: pandas-magic run --keep-removed"
        return Listed(compiled.id, compiled.check, compiled, gone, unlisted=True)

    def _compiled(self, check_id: str) -> tuple[CompiledCheck | None, str]:
        if check_id not in self._checks.ids:
            return None, ""
        try:
            return self._checks[check_id], ""
        except StateUnreadable as error:
            return None, str(error)

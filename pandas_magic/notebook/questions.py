"""Rules that were not checked, because a person has to say what is meant: shown as cards, answered by a click."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from IPython.display import display

from pandas_magic.errors import NotProved, PandasMagicError, RuleNotUnderstood, UsageMistake
from pandas_magic.notebook.page.bridge import cell_id, cell_source, request_of
from pandas_magic.notebook.page.live_parts import Answer, LiveParts
from pandas_magic.record import digest
from pandas_magic.reporters.question import choices, question_bundle, question_lines, unproved_bundle

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from pandas_magic.registry.check_request import CheckRequest

_HOW = "Take one: %check --take N"
_UNFINISHED = "it was begun and did not come to its end"


class RulesNotChecked(PandasMagicError):
    """Rules of a cell with several that could not be checked; the others were. `errors` has them by their number."""

    code = "PM103"

    def __init__(self, rules: Sequence[str], errors: Mapping[int, Exception]) -> None:
        self.errors = dict(errors)
        lines = [f'rule {n} of {len(rules)}, "{rules[n - 1]}": {error}' for n, error in errors.items()]
        super().__init__("\n".join(lines))


@dataclass(eq=False)
class Matter:
    """A rule, or the words of a run, that a cell asked to have judged, and why it is not judged yet."""

    about: CheckRequest | str
    cell: str  # its id; "" where the front end names none
    turn: object  # names the one time that the cell ran
    why: str = _UNFINISHED

    def in_words(self) -> str:
        """What was asked, and why it is open."""
        return f'"{self.about if isinstance(self.about, str) else self.about.rule}": {self.why}'

    def is_settled_by(self, later: Matter) -> bool:
        """Whether the same was asked again since. Another turn of the same cell's loop may have been on other rows."""
        if later.cell != self.cell or later.turn == self.turn:
            return False
        ids = [None if isinstance(one, str) else one.id for one in (self.about, later.about)]
        return later.about == self.about or (ids[0] is not None and ids[0] == ids[1])


@dataclass(frozen=True)
class CellQuestion:
    """The page's side of a question: the cell that asked, its text, and its text for each choice."""

    cell: str
    before: str
    after: tuple[str, ...]

    def answer(self, asked: dict[str, Any]) -> Answer:
        """All that a click needs, at once: it works while the kernel is busy."""
        return {"part": "question", "cell": self.cell, "before": self.before, "after": list(self.after)}, ()


class Questions:
    """What was asked in one notebook and is not answered yet."""

    def __init__(self, shell: InteractiveShell, parts: LiveParts) -> None:
        self._shell, self._parts = shell, parts
        self._last: tuple[CheckRequest, RuleNotUnderstood] | None = None
        self._open: list[Matter] = []

    def forget(self, *_: object) -> None:
        """Forget, when a cell begins, what it asked when it ran before. Where cells have no ids, nobody can say."""
        cell, turn = cell_id(self._shell), self.turn
        self._open = [one for one in self._open if not cell or one.cell != cell or one.turn == turn]

    def begin(self, about: CheckRequest | str) -> Matter:
        """From now on this is open, until it is settled: whatever ends it sooner, the gate knows."""
        self._open.append(Matter(about, cell_id(self._shell), self.turn))
        return self._open[-1]

    @property
    def turn(self) -> object:
        """Names the one time that the running cell runs."""
        # A cell may run others, as %%capture does, which are the same request of the front end.
        return request_of(self._shell).get("header", {}).get("msg_id") or self._shell.execution_count

    def settle(self, matter: Matter) -> None:
        """It was judged, and so is what asked the same before."""
        self._open = [one for one in self._open if one is not matter and not one.is_settled_by(matter)]

    def unanswered(self) -> list[str]:
        """What this notebook asked and nobody has judged since, each with the reason."""
        return [one.in_words() for one in self._open]

    def show(self, request: CheckRequest, error: Exception, *, as_card: bool) -> bool:
        """Show what a person has to decide. Whether that says everything, so that nothing need be raised."""
        if isinstance(error, RuleNotUnderstood) and choices(error):
            self._last = (request, error)
        if not as_card:
            lines = question_lines(error, how=_HOW) if isinstance(error, RuleNotUnderstood) else []
            print(*lines, sep="\n", end="\n" * bool(lines))
            return False
        if isinstance(error, NotProved):
            self.show_unproved(error, request.rule)
            return True
        if not isinstance(error, RuleNotUnderstood):
            return False
        offered = self._offered(request, error)
        data, metadata = question_bundle(error, check_id=request.id or "", how=_HOW, part=offered)
        display(data, metadata=metadata, raw=True)
        return True

    def show_unproved(self, error: NotProved, rule: str, *, is_edit: bool = False) -> None:
        """Show a check that is not saved as a card; with `is_edit` code that does not take the place of a check's."""
        data, metadata = unproved_bundle(error, rule, is_edit=is_edit)
        display(data, metadata=metadata, raw=True)

    def taken(self, number: int, said: str = "") -> CheckRequest:
        """The request for the choice of that number, of the rule last refused. What was written becomes its name.

        Raises: UsageMistake when no rule was refused with readings, there is none of that number, or the cell has
        `said` another rule.
        """
        if self._last is None:
            raise UsageMistake("no rule was asked about; run %%check with a rule first")
        request, refusal = self._last
        if said.split() not in ([], request.rule.split()):
            raise UsageMistake(f'it was asked about "{request.rule.strip()}", not this; run the cell without --take')
        offered = choices(refusal)
        if not 1 <= number <= len(offered):
            raise UsageMistake(f"there is no reading {number}; choose from 1 to {len(offered)}")
        self._open = [one for one in self._open if isinstance(one.about, str) or one.about.rule != request.rule]
        return replace(request, rule=offered[number - 1].sentence, name=request.name or request.rule.strip())

    def _offered(self, request: CheckRequest, refusal: RuleNotUnderstood) -> str:
        """The key by which the page makes buttons of the choices; "" where a click could not rewrite the cell."""
        cell, source = cell_id(self._shell), cell_source(self._shell)
        after = rewritten(source, request, [one.sentence for one in choices(refusal)])
        if not after:
            return ""
        key = digest([cell, source, request.rule])
        self._parts.put(key, CellQuestion(cell, source, after))
        return key


def rewritten(source: str, request: CheckRequest, sentences: Iterable[str]) -> tuple[str, ...]:
    """The `%%check` cell with the rule of `request` in the words of each sentence; empty when it is not found in it.

    The words of a cell's only rule become its name, where it has none; one of several keeps its place in the list.
    """
    first, _, body = source.partition("\n")
    if not first.lstrip().startswith("%%check"):
        return ()
    if " ".join(body.split()) == request.rule:
        name = "" if request.name or not _can_be_named(request.rule) else f" --name {shlex.quote(request.rule)}"
        return tuple(f"{first.rstrip()}{name}\n{sentence}" for sentence in sentences)
    found = _lines_of(body.split("\n"), request.rule)
    if found is None:
        return ()
    start, end = found
    lines = body.split("\n")
    mark = lines[start][: len(lines[start]) - len(lines[start].lstrip())] + lines[start].split()[0]
    return tuple("\n".join([first, *lines[:start], f"{mark} {one}", *lines[end:]]) for one in sentences)


def _lines_of(lines: list[str], rule: str) -> tuple[int, int] | None:
    """The first line of a list's rule and the line behind its last one."""
    for start, line in enumerate(lines):
        for end in range(start + 1, len(lines) + 1):
            words = " ".join(lines[start:end]).split()
            if " ".join(words[1:]) == rule and words[0] in line:
                return start, end
            if len(" ".join(words)) > len(rule) + len(words[0] if words else ""):
                break
    return None


def _can_be_named(rule: str) -> bool:
    # IPython puts variables in the place of names behind $ and in braces.
    return rule.isprintable() and not set(rule) & set("${}")

"""What can go wrong, as one tree. Every message names the thing, the value and the next step.

Each class has a `code`, which stands at the end of the line that people see and leads to its part of docs/errors.md.

PandasMagicError
├── UsageMistake          a magic, option or argument that cannot be meant
├── NoSuchName            a table, column or check that does not exist; carries the nearest names
├── RuleNotUnderstood     the rule compiler does not wholly understand the sentence
├── GlossaryUnreadable    glossary.toml cannot be read, or defines something that cannot be meant
├── TableUnreadable       a source that cannot be read, or not without doubt
├── NotProved             a check that was not seen to fail where it must, or that flags clean rows
├── CodeRefused           code that holds what the sandbox would stop anyway
├── StateUnreadable       a file of ours (registry, journal) that is damaged or of a later version
├── ModelError            the model planner cannot go on
│   ├── ModelUnavailable  no model is configured, or its endpoint cannot be reached or refuses the request
│   ├── AnswerUnusable    the model answered with nothing that can be used: a refusal, half an answer, no JSON
│   ├── BudgetSpent       the next request could cost more than the person allowed
│   └── NotRecorded       only recorded answers may be used, and there is none for this request
└── CheckFailed           raised on request when a check fails (`on_fail=raise`)
"""

import os
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING

from kernel_sandbox import SandboxError

if TYPE_CHECKING:
    from pandas_magic.constraints import Constraint

_MOST_READINGS = 3
# Readings that are by so many nats less likely than the best are no help beside it.
_MOST_SURPRISE = 5.0


class PandasMagicError(Exception):
    """The base of all errors of this package. Shown as one line in a notebook."""

    code: str = "PM001"

    def _render_traceback_(self) -> list[str]:
        # IPython shows this instead of a traceback; nbclient still sees the name and the text.
        return [error_line(self)]


class UsageMistake(PandasMagicError):
    """A magic, an option or an argument that cannot be meant."""

    code = "PM002"


class NoSuchName(PandasMagicError):
    """A table, column or check that does not exist.

    `kind` is what was looked for ("table"), `name` the name given, `known` the names there are, `nearest` the best
    guess or None.
    """

    code = "PM003"

    def __init__(self, kind: str, name: str, known: Iterable[str], *, within: str = "the workspace") -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        self.nearest = nearest_name(name, self.known)
        there = quoted_list(self.known) if self.known else f"no {kind}s"
        guess = f'. Did you mean "{self.nearest}"?' if self.nearest else ""
        super().__init__(f'no {kind} "{name}"; {within} has {there}{guess}')


@dataclass(frozen=True)
class Reading:
    """One rule that a sentence may mean. Asked again, `sentence` is understood at once and means `constraint`.

    `count` of `rows_seen` rows (with `is_part` the first of more) break it, `breaks` is one of them and `keeps` one
    that does not, by column; None where none is known. `leaves_out` are the person's words that it has nothing for,
    `surprise` how surprising it would be that it is meant, in nats: by the words, and by the rows where they are known.
    """

    sentence: str  # in canonical words
    constraint: "Constraint | None" = None  # None: nobody kept it, and the sentence says it
    count: int | None = None
    breaks: Mapping[str, object] | None = None
    keeps: Mapping[str, object] | None = None
    rows_seen: int | None = None
    is_part: bool = False
    leaves_out: tuple[str, ...] = ()
    surprise: float = 0.0

    def __str__(self) -> str:
        return self.sentence


class RuleNotUnderstood(PandasMagicError):
    """The rule compiler does not wholly understand the sentence, and does not guess.

    `unknown` are the words or phrases it could not explain, `readings` at most three rules that may be meant,
    `suggestions` whole rules that would be understood. With `is_ambiguous` the first readings are different meanings
    that the words strictly have. The others are proposed, the least surprising first; they take longer to find than a
    refusal, so they are looked for when somebody reads them; `advice` helps where there are none.
    """

    code = "PM101"

    def __init__(
        self,
        rule: str,
        reason: str,
        *,
        unknown: Sequence[str] = (),
        suggest: Callable[[], Sequence[str]] = tuple,
        readings: Sequence[Reading | str] = (),
        propose: Callable[[], Sequence[Reading]] = tuple,
        advice: str = "",
    ) -> None:
        self.rule, self.reason, self.advice, self._suggest, self._propose = rule, reason, advice, suggest, propose
        self.unknown, self.is_ambiguous = tuple(unknown), bool(readings)
        self.look: Callable[[Reading], Reading] = lambda reading: reading
        self._strict = tuple(Reading(one) if isinstance(one, str) else one for one in readings)
        super().__init__(reason)

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """What may be meant: what the words strictly mean, then what is proposed."""
        proposed = self._propose() if len(self._strict) < _MOST_READINGS else ()
        others = sorted(map(self.look, proposed), key=lambda reading: reading.surprise)
        likely = [one for one in others if one.surprise <= others[0].surprise + _MOST_SURPRISE]
        return (*map(self.look, self._strict[:_MOST_READINGS]), *likely)[:_MOST_READINGS]

    @cached_property
    def suggestions(self) -> tuple[str, ...]:
        """Whole rules that would be understood; those of the readings where there is nothing nearer."""
        return tuple(self._suggest()) or (() if self.is_ambiguous else tuple(map(_quoted, self.readings)))

    @cached_property
    def mended(self) -> tuple[Reading, ...]:
        """The rule itself with a word mended: no forms of other rules, which stand in quotes among the suggestions."""
        return tuple(self.look(Reading(one)) for one in self.suggestions if not one.startswith('"'))

    @property
    def unexplained(self) -> tuple[tuple[int, int], ...]:
        """Where the words that are not explained stand in the rule: (first character, behind the last)."""
        places = ((word, self.rule.find(word)) for word in self.unknown)
        return tuple((at, at + len(word)) for word, at in places if at >= 0)

    def looked_at(self, look: Callable[[Reading], Reading]) -> None:
        """Have each reading completed by `look`, which knows the rows, when somebody asks for them."""
        self.look = look

    def __str__(self) -> str:
        nearest = f"Nearest: {'; '.join(self.suggestions)}. Paste what is meant as the rule."
        return f"{self.reason} {nearest if self.suggestions else self.advice}".rstrip()


def _quoted(reading: Reading) -> str:
    return f'"{reading}"' + (f" (leaves out: {', '.join(reading.leaves_out)})" if reading.leaves_out else "")


class GlossaryUnreadable(PandasMagicError):
    """glossary.toml cannot be read, or one of its terms cannot be meant."""

    code = "PM107"


class TableUnreadable(PandasMagicError):
    """A source of a table that cannot be read."""

    code = "PM301"


class NotProved(PandasMagicError):
    """A check that missed a planted violation or flagged a clean row.

    `problems` lists what was seen, `understood` is the rule in canonical words, `row` the first row that was judged
    otherwise, with its values; each is empty where it is not known.
    """

    code = "PM201"

    def __init__(self, check: str, problems: Sequence[str], *, understood: str = "", row: str = "") -> None:
        self.check, self.problems, self.understood, self.row = check, tuple(problems), understood, row
        rule = f'. The rule was understood as "{understood}"' if understood else ""
        where = f". It stumbles over {row}" if row else ""
        super().__init__(f"{check} is not saved, since its proof failed: {'; '.join(self.problems)}{rule}{where}")


@dataclass(frozen=True)
class Refusal:
    """One thing in code, of the kind that `code` says; `message` has the way out, `name` what it is about.

    `line` counts from 1, `column` from 0.
    """

    line: int
    column: int
    message: str
    name: str
    code: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class CodeRefused(PandasMagicError):
    """Code that holds what the sandbox would stop anyway. `refusal` is the first such place, and its code is shown."""

    code = "PM202"

    def __init__(self, refusal: Refusal) -> None:
        self.refusal, self.code = refusal, refusal.code
        super().__init__(f"line {refusal.line}, column {refusal.column + 1}: {refusal.message}")

    def below(self, lines: int) -> "CodeRefused":
        """The same of code that stands so many lines below the top of what a person sees."""
        return CodeRefused(replace(self.refusal, line=self.refusal.line + lines))


class StateUnreadable(PandasMagicError):
    """A file of ours that is damaged or was written by a later version."""

    code = "PM401"


class ModelError(PandasMagicError):
    """The model planner cannot go on. Never carries a key or what was sent."""

    code = "PM501"


class ModelUnavailable(ModelError):
    """No model is configured, or its endpoint cannot be reached or refuses the request."""

    code = "PM502"


class AnswerUnusable(ModelError):
    """The model answered with nothing that can be used: a refusal, half an answer, text in place of JSON."""

    code = "PM503"


class BudgetSpent(ModelError):
    """The next request could cost more tokens, money or time than the person allowed."""

    code = "PM504"


class NotRecorded(ModelError):
    """Only recorded answers may be used (`PANDAS_MAGIC_REPLAY=only`), and there is none for this request."""

    code = "PM505"


class CheckFailed(PandasMagicError):
    """A check failed and `on_fail` is "raise"."""

    code = "PM203"


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, or None when none is close.

    >>> nearest_name("Evnets", ["events", "users"])
    'events'
    """
    by_folded = {known_name.casefold(): known_name for known_name in known}
    matches = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None


def quoted_list(names: Iterable[str], *, at_most: int = 12) -> str:
    """The names in double quotes, with a count in place of those beyond `at_most`."""
    every = list(names)
    shown = ", ".join(f'"{name}"' for name in every[:at_most])
    return shown if len(every) <= at_most else f"{shown} and {len(every) - at_most} more"


def error_line(error: BaseException) -> str:
    """The error as people see it: its class, its sentence, and its code when it is one of ours."""
    code = f" ({error.code})" if isinstance(error, PandasMagicError | SandboxError) else ""
    return f"{type(error).__name__}: {error}{code}"


def unforeseen(error: BaseException) -> str:
    """One line on an error that nobody foresaw: what it is and where it arose; or its traceback, on request."""
    if os.environ.get("PANDAS_MAGIC_DEBUG"):
        return "".join(traceback.format_exception(error)).rstrip()
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if _below_its_package(frame.filename)]
    where = f" in {_below_its_package(ours[-1].filename)}, line {ours[-1].lineno}" if ours else ""
    said = " ".join(str(error).split())[:300] or "no message"
    return f"{type(error).__name__}{where}: {said}; PANDAS_MAGIC_DEBUG=1 shows the traceback"


def _below_its_package(path: str) -> str:
    """The path from our package's folder on; "" when the file is none of ours."""
    return next((path[path.rindex(one) + 1 :] for one in ("/pandas_magic/", "/kernel_sandbox/") if one in path), "")

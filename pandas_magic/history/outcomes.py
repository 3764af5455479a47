"""What came of a run in a word: the same in cards, lists and the history."""

from typing import Protocol


class RunOutcome(Protocol):
    """A run, what history remembers of one, or a card that shows one."""

    @property
    def verdict(self) -> str:
        """What was given."""

    @property
    def edited(self) -> bool:
        """Whether other code than the check's ran."""

    @property
    def warned(self) -> bool:
        """Whether it passed though rows break the rule."""

    @property
    def nothing_judged(self) -> bool:
        """Whether it passed without a row that was judged."""

    @property
    def is_of_part(self) -> bool:
        """Whether it was given on some partitions of the table alone."""

    @property
    def trial(self) -> str:
        """What was looked at in place of the check's own table or of today; "": nothing."""


def outcome_in_words(run: RunOutcome) -> str:
    """The verdict with what makes it less than one: "PASS", "PASS, WARN", "PASS, nothing judged", "FAIL, TRIAL"."""
    is_trial = bool(run.trial) and run.verdict in ("PASS", "FAIL")
    less = (
        ", WARN" * run.warned, ", PART" * run.is_of_part, ", TRIAL" * is_trial, ", nothing judged" * run.nothing_judged
    )  # fmt: skip
    return f"{run.verdict}{''.join(less)}"

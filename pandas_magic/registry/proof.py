"""The proof of a check: what its code did on planted violations."""

from pandas_magic.record import Record


class Proof(Record, defer_build=False):
    """What was seen when the code ran on planted violations and on clean rows."""

    planted: int  # rows that had to be flagged
    flagged: int  # of those, rows that were
    clean: int  # rows that had to be left alone
    left_alone: int  # of those, rows that were
    cases: tuple[str, ...]  # what was planted, in words
    problems: tuple[str, ...] = ()  # empty: proved
    mutants: int = 0  # rules that differ from this one in one small thing
    mutants_killed: int = 0  # of those, rules that the planted rows tell apart from it
    survivors: tuple[str, ...] = ()  # the others, in words
    real: int | None = None  # of the planted, rows that stand in the real tables; None: all were made
    stumbled_over: str | None = None  # the first row judged otherwise, with its values; never shown to a model
    engines: tuple[str, ...] = ()  # engines with their versions that found the same in these cases
    of_code: str = ""  # the digest of the code that was proved; "": an earlier release did not note it

    @property
    def holds(self) -> bool:
        """Something was planted, all of it was flagged, and no clean row was."""
        return self.planted > 0 and not self.problems

    def in_words(self) -> str:
        """One line for people."""
        if not self.planted:
            return "not proved: nothing could be planted"
        return (
            f"flags {self.flagged} of {self.planted} {self._what_was_flagged()}, "
            f"leaves {self.left_alone} of {self.clean} clean rows alone"
        )

    def _what_was_flagged(self) -> str:
        if self.real is None:
            return "planted violations"
        none_made = self.real == self.planted
        return "violations in the real tables (none could be planted)" if none_made else "violations, planted and real"

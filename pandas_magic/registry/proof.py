"""The proof of a check: what its code did on planted violations."""

from pandas_magic.record import Record


class Proof(Record):
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
            f"flags {self.flagged} of {self.planted} planted violations, "
            f"leaves {self.left_alone} of {self.clean} clean rows alone"
        )

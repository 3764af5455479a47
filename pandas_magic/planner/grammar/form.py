"""What the page of the language shows of one thing that a rule can say."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """One thing that a rule can say: its title, the table that it is about, and sentences that all mean the same.

    `note` is what the sentences alone do not tell, as markdown; "" where they tell all.
    """

    title: str
    table: str
    sentences: tuple[str, ...]
    note: str = ""

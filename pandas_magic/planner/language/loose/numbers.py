"""The numbers that a rule names: any, and those that may count rows."""

from pandas_magic.planner.language.linking.aliases import unit_words
from pandas_magic.planner.language.linking.words import singular
from pandas_magic.planner.language.loose.scene import Mention, Scene


def counts_of(scene: Scene) -> list[tuple[int, int]]:
    """The whole numbers that may count rows, with their places: no percentage, no length of time, no 180 kilos."""
    found = []
    for mention in scene.mentions:
        behind = scene.mentions[mention.place + 1 : mention.place + 2]
        words = {singular(word) for one in behind for word in one.words if not one.duration} - {"a"}
        is_measured = not unit_words().isdisjoint(words)
        if isinstance(mention.number, int) and not (mention.percent or mention.duration or is_measured):
            found.append((mention.place, mention.number))
    return found


def numbers_of(scene: Scene) -> list[tuple[Mention, int | float]]:
    """The numbers that the rule names; a percentage as it is and as a share."""
    found: list[tuple[Mention, int | float]] = []
    for mention in scene.mentions:
        if mention.number is not None:
            found.append((mention, mention.number))
            if mention.percent:
                found.append((mention, mention.number / 100))
    return found

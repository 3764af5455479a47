"""From a linked sentence to its strict readings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pandas_magic.constraints import Expression, check_types, contradictions
from pandas_magic.constraints.algebra.rules import Constraint
from pandas_magic.planner.language.linking import ColumnMeant, DefinedMeant, Linked, TableMeant, TruthMeant, ValueMeant
from pandas_magic.planner.language.linking.spans import EVENT, NEAR
from pandas_magic.planner.language.linking.tokens import RuleToken
from pandas_magic.planner.language.strict.chart import Chart, Mentions, Parsed, SpokenWords, TooManyReadings
from pandas_magic.planner.language.strict.functions import the_grammar, the_openings
from pandas_magic.planner.language.strict.grammar import Production
from pandas_magic.planner.language.strict.sameness import sense
from pandas_magic.planner.language.strict.scene import About, Kin, KinColumn, Of, SpokenRule
from pandas_magic.planner.language.strict.talk import SpokenParts

_DENYING = frozenset(("not", "no", "never", "nor", "neither"))
_MARKS_AT_THE_END = frozenset(".!?;")


@dataclass(frozen=True)
class StrictReading:
    """One meaning of a whole sentence: the rule, how each stretch was understood, and what was set aside."""

    constraint: Constraint
    explanation: tuple[tuple[str, str], ...]
    set_aside: tuple[tuple[int, int], ...]  # first token, token behind the last
    lines: tuple[Production, ...] = ()  # of the grammar, by which it was read


def read_strictly(linked: Linked) -> tuple[StrictReading, ...]:
    """Every meaning of the sentence; several when it leaves open what is meant, none when a word is not understood."""
    best = _by_cost(SpokenRule(linked))
    least = min((cost for cost, _ in best), default=0.0)
    return tuple(reading for cost, reading in best if cost == least)


def read_widely(linked: Linked) -> tuple[StrictReading, ...]:
    """What the sentence says where its words only hint at columns, the least far-fetched first: to ask with."""
    return tuple(reading for _, reading in _by_cost(SpokenRule(linked, NEAR)))


def _by_cost(scene: SpokenRule) -> list[tuple[float, StrictReading]]:
    best = _of_tables(scene, frozenset())
    neutral = _neutral_words(scene.linked) if not best else frozenset()
    return sorted(_of_tables(scene, neutral) if neutral else best, key=lambda one: one[0])


def _of_tables(scene: SpokenRule, skipped: frozenset[int]) -> list[tuple[float, StrictReading]]:
    """The readings about the target; where there are none, about each other table that the sentence names."""
    best: list[tuple[float, StrictReading]] = []
    for table in tables_of(scene.linked):
        found = _readings(scene, table, skipped)
        best += found
        if found and table == scene.linked.target:
            break
    return best


def _neutral_words(linked: Linked) -> frozenset[int]:
    """Where words stand that say nothing of their own: "always", unless it is denied."""
    neutral = the_grammar().classes["neutral"]
    words = [token.text.lower() for token in linked.tokens]
    return frozenset(
        place
        for place, word in enumerate(words)
        if word in neutral and (place == 0 or words[place - 1] not in _DENYING)
    )


def charts_of(linked: Linked, tables: Iterable[str]) -> Iterator[Chart]:
    """The chart of the sentence about each of the tables, read through."""
    scene = SpokenRule(linked)
    for table in tables:
        chart = chart_of(scene)
        try:
            chart.read("rule", 0, About(table, None, scene))
        except TooManyReadings:
            continue
        yield chart


def read_up_to(linked: Linked) -> int:
    """The token behind the last one that any part of the sentence reaches, on the likeliest table."""
    return max((chart.furthest for chart in charts_of(linked, tables_of(linked))), default=0)


def chart_of(scene: SpokenRule) -> Chart:
    """A chart for the sentence, nothing read yet."""
    spotted, words, mentions = _spoken(scene)
    chart = Chart(the_grammar(), words, mentions)
    spotted.chart = chart
    chart.refer = _referred
    return chart


@lru_cache(maxsize=1)  # the charts of a sentence are made one behind the other
def _spoken(scene: SpokenRule) -> tuple[SpokenParts, SpokenWords, dict[str, Mentions]]:
    spotted = SpokenParts(scene)
    forms = tuple(_forms(token) for token in scene.linked.tokens[: _end(scene.linked)])
    can_begin = tuple(the_openings().of(some, spotted.told_at(at)) for at, some in enumerate(forms))
    return spotted, SpokenWords(forms, can_begin), spotted.by_category()


def _forms(token: RuleToken) -> frozenset[str]:
    return frozenset((*token.forms, token.low, f"={token.low}"))


def _end(linked: Linked) -> int:
    end = len(linked.tokens)
    while end and linked.tokens[end - 1].text in _MARKS_AT_THE_END:
        end -= 1
    return end


def tables_of(linked: Linked) -> tuple[str, ...]:
    """The target first, then the tables that the sentence names."""
    named = {
        meaning.table
        for start in range(len(linked.tokens))
        for span in linked.at(start)
        for meaning in span.meanings
        if isinstance(meaning, (DefinedMeant, TableMeant, TruthMeant, ValueMeant))
        or (isinstance(meaning, ColumnMeant) and meaning.tier <= EVENT)
    }
    first = (linked.target,) if linked.target is not None else ()
    return first + tuple(table for table in linked.tables if table in named and table != linked.target)


def _readings(scene: SpokenRule, table: str, skipped: frozenset[int]) -> list[tuple[float, StrictReading]]:
    chart = chart_of(scene)
    chart.skipped = skipped
    try:
        whole = [found for found in chart.read("rule", 0, About(table, None, scene)) if found.end == len(chart.forms)]
    except TooManyReadings:
        return []
    best: dict[str, tuple[float, StrictReading]] = {}
    for found in sorted(whole, key=lambda one: one.cost):
        if not check_types(found.meaning, scene.tables) and not contradictions(found.meaning):
            best.setdefault(sense(found.meaning), (found.cost, _reading(scene, found)))
    return list(best.values())


def _reading(scene: SpokenRule, found: Parsed) -> StrictReading:
    tokens, text = scene.linked.tokens, scene.linked.text
    lines = tuple(dict.fromkeys(note for note in found.notes if isinstance(note, Production) and note.category))
    notes = [note for note in found.notes if not isinstance(note, Production) and note[1] > note[0]]
    explanation = tuple((text[tokens[start].start : tokens[end - 1].end], how) for start, end, how in notes)
    return StrictReading(
        found.meaning, explanation, tuple((start, end) for start, end, how in notes if how == "aside"), lines
    )


def _referred(about: About, meaning: object) -> About | None:
    """What a part is read about that is said of the meaning of another part."""
    if isinstance(meaning, Of):
        return about._replace(subject=meaning.of)
    if isinstance(meaning, (Kin, KinColumn)):
        return About(meaning.join.table, None, about.scene)
    if isinstance(meaning, tuple):
        return about._replace(subject=meaning[0])
    if isinstance(meaning, str):
        return About(meaning, None, about.scene) if meaning in about.tables else None
    return about._replace(subject=meaning) if isinstance(meaning, Expression.__origin__) else about  # type: ignore[attr-defined]

"""What the frozen sentences were understood to say, in engines: how much of it is expressible, and the same rows."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from pydantic import TypeAdapter

from pandas_magic.clock import Instant
from pandas_magic.constraints import ColumnsRule, Constraint, describe
from tests.pandas_magic.checking.engines.at_hand import (
    DuckDbAtHand,
    EngineAtHand,
    PostgresAtHand,
    SparkAtHand,
    SqliteAtHand,
)
from tests.pandas_magic.checking.engines.comparing import compared
from tests.pandas_magic.planner.language.frozen import sentences
from tests.pandas_magic.planner.language.frozen.made_rows import NOW
from tests.pandas_magic.spark_session import IN_SPARK

RULE: TypeAdapter[Constraint] = TypeAdapter(Constraint)
AT = Instant(NOW.to_pydatetime(), NOW.tz_localize("UTC").to_pydatetime())
SOME = "strangers_2"


@cache
def rules_of(source: str) -> dict[tuple[str, str], Constraint]:
    """The different rules of one set whose tables have rows, by their world and canonical sentence."""
    found = {}
    for sentence in sentences.sentences(source):
        known = sentence.echo is None or (sentence.world, sentence.echo) in found
        if known or not sentences.rows_of(sentence.world, 1):
            continue
        rule = RULE.validate_python(sentences.meant(sentence))
        if not isinstance(rule, ColumnsRule):
            found[sentence.world, str(sentence.echo)] = rule
    return found


def every_rule() -> Iterator[tuple[str, Constraint]]:
    seen = set()
    for source in sentences.sources():
        for (world, echo), rule in rules_of(source).items():
            if (world, echo) not in seen:
                seen.add((world, echo))
                yield world, rule


def answers(engine: EngineAtHand, rules: Iterator[tuple[str, Constraint]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for world, rule in rules:
        seen = compared(rule, sentences.tables_of(world), sentences.rows_of(world, 1), AT, engine)
        assert seen.agrees, f"{world}: {describe(rule)}: meant {seen.meant}, found {seen.found}"
        counts[seen.why_not or "same"] += 1
    return counts


def test_rules_of_strangers_mean_the_same_in_duckdb() -> None:
    counts = answers(DuckDbAtHand(), ((world, rule) for (world, _), rule in list(rules_of(SOME).items())[:40]))
    assert counts == {"same": counts.total()}
    assert counts.total() == 40


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "least"),
    [("duckdb", 1.0), ("postgres", 0.97), ("sqlite", 0.5), pytest.param("spark", 0.97, marks=IN_SPARK)],
)
def test_all_rules_mean_the_same(name: str, least: float, request: pytest.FixtureRequest) -> None:
    made: dict[str, Any] = {"duckdb": DuckDbAtHand, "sqlite": SqliteAtHand}
    beside: dict[str, Any] = {"postgres": PostgresAtHand, "spark": SparkAtHand}
    engine = made[name]() if name in made else beside[name](request.getfixturevalue(name))
    counts = answers(engine, every_rule())
    print(name, counts.most_common(12))
    assert counts["same"] >= least * counts.total()
    assert counts.total() > 1000

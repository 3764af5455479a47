"""SQL finds the rows that a rule means, and leaves as many open: random rules, and one of each kind."""

from collections import Counter

import pytest

from pandas_magic.clock import Instant
from pandas_magic.constraints import ColumnsRule, check_types, describe
from tests.pandas_magic.checking.engines.at_hand import (
    DuckDbAtHand,
    EngineAtHand,
    PostgresAtHand,
    SparkAtHand,
    SqliteAtHand,
)
from tests.pandas_magic.checking.engines.comparing import compared
from tests.pandas_magic.constraints import random_rules, shop
from tests.pandas_magic.constraints.gallery import GALLERY, SHOP
from tests.pandas_magic.constraints.random_rules import DTYPES, ODD_POOLS, RandomRules
from tests.pandas_magic.spark_session import IN_SPARK

ENGINES = ("duckdb", "sqlite", "postgres", pytest.param("spark", marks=IN_SPARK))
SOME = 60
# So many that an engine answers at least 20,000 of them (DuckDB) or 5,000.
MANY = {"DuckDB": 21_000, "PostgreSQL": 5_600, "SQLite": 12_000, "Spark": 5_700}
NAMES = tuple(DTYPES)
NOW = Instant(random_rules.NOW.to_pydatetime(), random_rules.UTC_NOW.to_pydatetime())
AT_THE_SHOP = Instant(shop.NOW.to_pydatetime(), shop.UTC_NOW.to_pydatetime())
# Share of the gallery's kinds that gets no answer: SQLite has no patterns, dates or quantiles of that meaning.
WITHOUT = {"duckdb": 0, "postgres": 0.02, "sqlite": 0.45, "spark": 0.02}


class OddRules(RandomRules):
    pools = ODD_POOLS


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> EngineAtHand:
    if request.param == "postgres":
        return PostgresAtHand(request.getfixturevalue("postgres"))
    if request.param == "spark":
        return SparkAtHand(request.getfixturevalue("spark"))
    return DuckDbAtHand() if request.param == "duckdb" else SqliteAtHand()


def outcomes(engine: EngineAtHand, seeds: range) -> Counter[str]:
    """How often the engine agreed, gave no answer, or disagreed, which is said with the rule."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        dtypes = DTYPES[NAMES[seed % len(NAMES)]]
        chance = OddRules(seed, dtypes)
        rule, frames = chance.rule(), chance.frames()
        # The catalog describes objects that are texts as such.
        tables = random_rules.tables({**dtypes, "text": "str"} if dtypes["text"] == "object" else dtypes)
        if check_types(rule, tables):
            continue
        seen = compared(rule, tables, frames, NOW, engine)
        assert seen.agrees, f"{seed}: {describe(rule)}: meant {seen.meant}, found {seen.found}"
        counts[seen.why_not or "same"] += 1
    return counts


@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_random_rules_mean_the_same(engine: EngineAtHand) -> None:
    counts = outcomes(engine, range(SOME))
    assert counts["same"] > SOME / 3


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_many_random_rules_mean_the_same(engine: EngineAtHand) -> None:
    counts = outcomes(engine, range(10_000, 10_000 + MANY[engine.dialect.name]))
    print(engine.dialect.name, counts.most_common(12))
    assert counts["same"] >= (20_000 if engine.dialect.name == "DuckDB" else 5_000), counts


@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_every_kind_means_the_same(engine: EngineAtHand, request: pytest.FixtureRequest) -> None:
    why_not = {}
    rules = {name: rule for name, rule in GALLERY.items() if not isinstance(rule, ColumnsRule)}
    for name, rule in rules.items():
        seen = compared(rule, SHOP, shop.shop(0), AT_THE_SHOP, engine)
        assert seen.agrees, f"{name}: meant {seen.meant}, found {seen.found}"
        why_not |= {name: seen.why_not} if seen.why_not else {}
    most = WITHOUT[request.node.callspec.params["engine"]]
    assert len(why_not) <= most * len(rules), why_not

"""The rules of the benchmarks are read at once, so that a change of the language cannot stop a measurement unseen."""

from benchmarks import batch, many_checks
from pandas_magic.catalog.arrow import describe_frame
from pandas_magic.planner.language import compile_rule


def test_every_rule_of_a_benchmark_is_read_at_once() -> None:
    tables = {name: describe_frame(name, frame) for name, frame in batch.make_tables(1_000).items()}
    assert [compile_rule(rule, tables, target=target).constraint.table for target, rule, _ in batch.RULES] == [
        target for target, _, _ in batch.RULES
    ]
    small = {"table_00": describe_frame("table_00", many_checks.make_table(0))}
    assert {compile_rule(rule, small).constraint.table for rule in many_checks.RULES} == {"table_00"}

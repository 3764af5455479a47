"""The request: the JSON of the contract, and what of it a person may say."""

import pytest
from pydantic import ValidationError

from pandas_magic.errors import UsageMistake
from pandas_magic.explore.exploration_request import ExplorationRequest


@pytest.mark.feature("C03")
def test_the_request_is_the_json_of_the_contract() -> None:
    content = {
        "action": "explore",
        "inputs": {"data_path": "x.csv", "target": "y", "max_columns_to_explore": 100, "plot_limit": 10,
                   "missing_threshold_pct": 30},
        "constraints": {"cpu": 1, "memory_mb": 2048, "timeout_seconds": 120},
    }  # fmt: skip
    assert ExplorationRequest.from_dict(content).to_dict() == content
    assert ExplorationRequest.from_dict({"inputs": {"data_path": "x.csv", "target": "y"}}).to_dict() == content


@pytest.mark.parametrize("name", ["target", "data_path"])
def test_a_table_or_a_target_said_twice_is_refused(name: str) -> None:
    with pytest.raises(UsageMistake, match=f"inputs holds {name}"):
        ExplorationRequest.of("x.csv", None, {name: "y"})


@pytest.mark.parametrize("constraints", [{"cpus": 2}, {"cpu": 0}, {"memory_mb": -1}, {"timeout_seconds": 0}])
def test_an_unknown_limit_and_one_of_nothing_are_refused_by_name(constraints: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(constraints))):
        ExplorationRequest.of("x.csv", None, {}, constraints)

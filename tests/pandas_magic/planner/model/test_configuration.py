from pathlib import Path
from typing import Any

import pytest

from pandas_magic.errors import BudgetSpent, UsageMistake
from pandas_magic.planner.model.budget import Budget
from pandas_magic.planner.model.model_settings import ModelConfiguration, ModelLimits

KEY = "sk-mine-000111222333"


def load(tmp_path: Path, environ: dict[str, str], env_file: str = "") -> ModelConfiguration:
    if env_file:
        (tmp_path / ".env").write_text(env_file)
    found = ModelConfiguration.load(tmp_path, environ=environ)
    assert found is not None
    return found


@pytest.mark.feature("E12")
def test_a_env_file_is_read_and_overrides_nothing(tmp_path: Path) -> None:
    text = '# ours\nexport PANDAS_MAGIC_MODEL="small"\nOPENAI_API_KEY=from-file # a note\nPANDAS_MAGIC_SEED=3\n'
    found = load(tmp_path, {"PANDAS_MAGIC_MODEL": "large"}, text)
    assert (found.model, found.key, found.seed) == ("large", "from-file", 3)


def test_an_address_from_a_folder_does_not_get_a_persons_own_key(tmp_path: Path) -> None:
    environ = {"PANDAS_MAGIC_MODEL": "m", "OPENAI_API_KEY": KEY, "GOOGLE_API_KEY": KEY}
    found = load(tmp_path, environ, "OPENAI_BASE_URL=https://collector.example/v1\n")
    assert found.host == "collector.example"
    assert found.key != KEY


def test_no_model_is_used_unless_one_is_named(tmp_path: Path) -> None:
    assert ModelConfiguration.load(tmp_path, environ={"OPENAI_API_KEY": KEY}) is None


@pytest.mark.feature("D02")
@pytest.mark.feature("E11")
@pytest.mark.parametrize(
    ("environ", "host", "key"),
    [
        ({"OPENAI_API_KEY": KEY}, "api.openai.com", KEY),
        ({"GOOGLE_API_KEY": KEY}, "generativelanguage.googleapis.com", KEY),
        ({"OPENROUTER_API_KEY": KEY}, "openrouter.ai", KEY),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}, "127.0.0.1:11434", "no-key"),
        (
            {"OPENAI_BASE_URL": "https://me.openai.azure.com/openai/v1/", "OPENAI_API_KEY": KEY},
            "me.openai.azure.com",
            KEY,
        ),
        ({"OPENAI_BASE_URL": "https://elsewhere.example/v1", "GOOGLE_API_KEY": KEY}, "elsewhere.example", "no-key"),
    ],
)
def test_a_key_goes_to_its_own_host(tmp_path: Path, environ: dict[str, str], host: str, key: str) -> None:
    found = load(tmp_path, {"CODE_EXEC_MODEL_NAME": "m", **environ})
    assert (found.host, found.key) == (host, key)


@pytest.mark.feature("B10", "B11")
def test_names_of_the_earlier_systems_are_read(tmp_path: Path) -> None:
    environ = {
        "CODE_EXEC_MODEL_NAME": "m",
        "CODE_EXEC_TEMPERATURE": "0.3",
        "CODE_EXEC_MAX_TOKENS": "900",
        "GOOGLE_API_KEY": KEY,
    }
    found = load(tmp_path, environ)
    assert (found.model, found.key, found.host) == ("m", KEY, "generativelanguage.googleapis.com")
    assert (found.temperature, found.answer_tokens) == (0.3, 900)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PANDAS_MAGIC_SEED", "x", 'PANDAS_MAGIC_SEED is "x"; it must be a whole number'),
        ("PANDAS_MAGIC_DISCLOSURE", "all", "it can be schema, stats, samples"),
        ("PANDAS_MAGIC_REPLAY", "yes", "it can be auto, only, off"),
        ("PANDAS_MAGIC_USD_PER_MILLION", "1", "write two prices"),
        ("PANDAS_MAGIC_REQUEST_TOKENS", "-1", "must not be below 0"),
        ("OPENAI_BASE_URL", "localhost:80", "write it as http"),
    ],
)
def test_a_value_that_cannot_be_meant_is_named(tmp_path: Path, name: str, value: str, words: str) -> None:
    with pytest.raises(UsageMistake, match=words.replace("(", r"\(")):
        ModelConfiguration.load(tmp_path, environ={"PANDAS_MAGIC_MODEL": "m", name: value})


def budget(*, usd_per_million: tuple[float, float] | None = None, **limits: Any) -> Budget:
    return Budget(ModelConfiguration(model="m", usd_per_million=usd_per_million, limits=ModelLimits(**limits)))


def test_an_answer_gets_no_more_room_than_the_budget_has() -> None:
    spent = budget(request_tokens=1000)
    assert spent.room_for(300).answer_tokens == 700
    spent.add(600, None, 1.0)
    with pytest.raises(BudgetSpent, match="has 400 left"):
        spent.room_for(390)
    spent.begin_request()
    assert spent.room_for(300).answer_tokens == 700


def test_money_is_held_before_it_is_spent() -> None:
    with pytest.raises(BudgetSpent, match="needs prices"):
        budget(request_usd=0.01).room_for(10)
    with pytest.raises(BudgetSpent, match=r"may cost 0\.0400"):
        budget(request_usd=0.01, usd_per_million=(0.0, 10.0)).room_for(10)
    assert budget(request_usd=0.05, usd_per_million=(0.0, 10.0)).room_for(10).answer_tokens == 4000


def test_a_session_is_bounded_beyond_its_requests() -> None:
    spent = budget(session_tokens=1000, request_tokens=None)
    spent.add(990, None, 1.0)
    spent.begin_request()
    with pytest.raises(BudgetSpent, match="session's budget"):
        spent.room_for(5)

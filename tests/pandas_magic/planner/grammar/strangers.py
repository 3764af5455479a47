"""The frozen sentences of `strangers_*.json` with their tables."""

import json
from pathlib import Path
from typing import Any

from tests.pandas_magic.planner.language.frozen.made_rows import NOW, STRAY, described, frames, intended

__all__ = ["HERE", "NOW", "SEEDS", "STRAY", "described", "domains", "frames", "intended", "sentences_of", "set_numbers"]

HERE = Path(__file__).parent
SEEDS = (1, 2, 3)


def domains() -> dict[str, dict[str, Any]]:
    """Each domain's tables and sentences, by name and set: {"tables": {name: {"rows", "columns"}}, "rules": [...]}."""
    return {
        f"{domain} {number}": content for number in set_numbers() for domain, content in sentences_of(number).items()
    }


def set_numbers() -> list[str]:
    """The numbers of the frozen sets: "1", "2" …"""
    return sorted((path.stem.removeprefix("strangers_") for path in HERE.glob("strangers_*.json")), key=int)


def sentences_of(number: str) -> dict[str, dict[str, Any]]:
    """One set's domains."""
    found: dict[str, dict[str, Any]] = json.loads((HERE / f"strangers_{number}.json").read_text(encoding="utf-8"))
    return found

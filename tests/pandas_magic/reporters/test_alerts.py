"""Owners are told of changed verdicts: once, to their own address, and not less than once."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pandas_magic.checking.result import Result
from pandas_magic.errors import StateUnreadable
from pandas_magic.history.run import Verdict
from pandas_magic.reporters.alerts import Addresses, send_alerts
from pandas_magic.reporters.webhook import NotPosted
from tests.pandas_magic.reporters.conftest import SECRET, Chat

Night = Callable[..., list[str]]


@pytest.fixture
def night(chat: Chat, tmp_path: Path, make_result: Callable[..., Result], make_compiled: Callable[..., Any]) -> Night:
    """A run of checks, said as `CHK-001="FAIL anna"`; gives the lines that arrived, after the name of their path."""

    def run(addresses: Addresses | None = None, pauses: list[float] | None = None, **verdicts: str) -> list[str]:
        results = []
        for number, said in verdicts.items():
            verdict, _, owner = said.partition(" ")
            compiled = make_compiled(f"CHK-{number}", owner=owner, name="Users")
            results.append(make_result(Verdict(verdict), compiled=compiled, error="secret@value.com"))
        waited = pauses if pauses is not None else []
        before = len(chat.told)
        try:
            send_alerts(
                results,
                addresses or Addresses({"anna": f"{chat.address}/anna"}, chat.address),
                title="shop",
                folder=tmp_path / ".pandas_magic",
                pause=waited.append,
            )
        finally:
            arrived = chat.told[before:]
        return [f"{told['path'].removeprefix(f'/{SECRET}')} {line}" for told in arrived for line in lines_of(told)]

    return run


def lines_of(told: dict[str, Any]) -> Sequence[str]:
    return [block["text"]["text"] for block in told["content"]["blocks"][1:]]


def test_a_verdict_is_told_when_it_changes_and_to_its_owner_alone(night: Night, chat: Chat) -> None:
    assert night(n1="PASS anna", n2="PASS ben") == []  # nothing was broken before, as far as anybody knows
    (red, other) = night(n1="FAIL anna", n2="FAIL ben")
    assert red.startswith("/anna ✗ FAIL CHK-n1 Users: 2 failing rows [medium · anna] (2026-11-21T08:00:00Z)")
    assert other.startswith(" ✗ FAIL CHK-n2 ")  # without an address of their own: that for all
    assert night(n1="FAIL anna", n2="SKIPPED ben") == []
    assert night(n1="SKIPPED anna", n2="FAIL ben") == []
    (broken,) = night(n1="ERROR anna")
    assert "! ERROR CHK-n1 Users: could not be judged" in broken
    (green,) = night(n1="PASS anna")
    assert green.startswith("/anna ✓ PASS CHK-n1 Users: 0 failing rows")
    assert night(n1="PASS anna", n2="FAIL ben") == []
    assert "secret@value.com" not in json.dumps(chat.told)


def test_what_a_dead_receiver_did_not_get_the_next_run_sends(night: Night, chat: Chat, tmp_path: Path) -> None:
    chat.answer, pauses = 503, []
    with pytest.raises(
        NotPosted, match=r'owner "anna": the webhook at 127\.0\.0\.1 was not told: it answered 503 .1 alert'
    ):
        night(n1="FAIL anna", pauses=pauses)
    assert (len(chat.told), pauses) == (3, [1.0, 4.0])
    assert SECRET not in (tmp_path / ".pandas_magic" / "alerts.json").read_text()
    # It turned green before anybody heard that it was red: both are told, in their order.
    chat.answer = 200
    assert [line.split()[2] for line in night(n1="PASS anna")] == ["FAIL", "PASS"]
    assert night(n1="PASS anna") == []


def test_a_refusal_is_not_tried_again_at_once_and_stops_no_other_owner(night: Night, chat: Chat) -> None:
    addresses = Addresses({"anna": "http://127.0.0.1:9/x", "ben": f"{chat.address}/ben", "cleo": "${CLEOS_HOOK}"})
    with pytest.raises(NotPosted) as told:
        night(addresses, n1="FAIL anna", n2="FAIL ben", n3="FAIL cleo", n4="FAIL bem", n5="FAIL")
    said = str(told.value)
    assert 'owner "anna": the webhook at 127.0.0.1 was not told: ' in said
    assert 'setting "alerts": the address of "cleo" needs the environment variable CLEOS_HOOK' in said
    assert 'no address for owner "bem"' in said
    assert 'it has one for "ben"' in said
    assert "no address for checks without an owner" in said
    assert "4 alerts kept for the next run" in said
    assert len(chat.told) == 1
    chat.answer, pauses = 404, []
    with pytest.raises(NotPosted, match="answered 404"):
        night(addresses, pauses, n2="PASS ben")
    assert len(chat.told) == 2
    chat.answer = 200
    everyone = Addresses({}, chat.address)
    assert sorted(line.split()[2] for line in night(everyone)) == ["CHK-n1", "CHK-n2", "CHK-n3", "CHK-n4", "CHK-n5"]


def test_many_changes_are_told_whole_in_several_messages(night: Night, chat: Chat) -> None:
    assert len(night(**{f"n{number}": "FAIL" for number in range(45)})) == 45
    assert [len(lines_of(told)) for told in chat.told] == [20, 20, 5]


def test_a_memory_that_cannot_be_read_is_said_and_nothing_is_sent(night: Night, chat: Chat, tmp_path: Path) -> None:
    night(n1="FAIL")
    (tmp_path / ".pandas_magic" / "alerts.json").write_text("{")
    with pytest.raises(StateUnreadable, match=r"alerts\.json cannot be read; move it away"):
        night(n1="PASS")
    assert len(chat.told) == 1

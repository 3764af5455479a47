import pytest

from kernel_sandbox import Limits, Policy


def test_a_policy_survives_its_json() -> None:
    policy = Policy(read=("/srv/data",), work="/tmp/out", limits=Limits(wall_seconds=3), isolation="none")

    assert Policy.from_json(policy.to_json()) == policy


def test_the_digest_changes_with_any_limit() -> None:
    assert Policy().digest() != Policy(limits=Limits(wall_seconds=61)).digest()


def test_relative_paths_are_fixed_when_the_policy_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/usr")

    assert Policy(read=("share",)).read == ("/usr/share",)


@pytest.mark.parametrize("value", [0, -1, "2", True, float("nan")])
def test_a_limit_that_is_no_positive_number_is_refused_by_name(value: object) -> None:
    with pytest.raises(ValueError, match="memory_bytes"):
        Limits(memory_bytes=value)


def test_an_unknown_field_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r'no field "reed"; it has isolation, limits, outer, read, work, writes'):
        Policy.from_dict({"reed": []})


def test_an_unknown_limit_is_named() -> None:
    with pytest.raises(ValueError, match="wall"):
        Policy.from_dict({"limits": {"wall": 3}})


def test_isolation_has_two_words_only() -> None:
    with pytest.raises(ValueError, match=r'"auto" or "none"'):
        Policy(isolation="off")


def test_the_outer_layer_has_three_words_and_needs_locks_within() -> None:
    with pytest.raises(ValueError, match=r'"off", "auto" or "bwrap"'):
        Policy(outer="docker")
    with pytest.raises(ValueError, match="stands around the locks"):
        Policy(outer="bwrap", isolation="none")


def test_one_path_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(ValueError, match='"read" of a policy is a list'):
        Policy.from_dict({"read": "/srv"})

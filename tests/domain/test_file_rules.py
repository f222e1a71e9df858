"""The rules of a stage as the tournament file writes them."""

import json
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.file import FileError, rules_from_dict, rules_to_dict
from tournaments.domain.rows import (
    Bye,
    Edition,
    Mark,
    PlaceRule,
    Points,
    Scale,
    Scoring,
    SeatedBy,
    StageRules,
    SwitchRule,
)

DEFAULTS = StageRules(scale=Scale(bye=Points(0)), turns=2)


def test_rules_like_the_defaults_need_no_word() -> None:
    assert rules_to_dict(DEFAULTS, DEFAULTS) == {}
    assert rules_from_dict({}, DEFAULTS) == DEFAULTS


def test_a_bye_worth_half_a_point_can_be_written_in_three_ways() -> None:
    for half in (0.5, "0.5", "1/2"):
        rules = rules_from_dict({"scale": {"bye": half}}, DEFAULTS)
        assert rules.scale == replace(DEFAULTS.scale, bye=Fraction(1, 2))


def test_a_decimal_is_what_is_written_and_not_the_nearest_float() -> None:
    assert rules_from_dict({"scale": {"win": 0.1}}, DEFAULTS).scale.win == Fraction(1, 10)


def test_what_differs_is_written_with_exact_fractions() -> None:
    rules = replace(DEFAULTS, scale=replace(DEFAULTS.scale, half=Fraction(1, 3)), rounds=7)
    assert rules_to_dict(rules, DEFAULTS) == {"rounds": 7, "scale": {"half": "1/3"}}


@pytest.mark.parametrize(
    ("document", "code", "path"),
    [
        ({"tunrs": 1}, "unknown_field", "/tunrs"),
        ({"turns": "2"}, "wrong_type", "/turns"),
        ({"turns": True}, "wrong_type", "/turns"),
        ({"turns": 0}, "out_of_range", "/turns"),
        ({"turns": 2.0}, "wrong_type", "/turns"),
        ({"scoring": "chess"}, "unknown_choice", "/scoring"),
        ({"scoring": ["match"]}, "unknown_choice", "/scoring"),
        ({"movement": "waltz"}, "unknown_choice", "/movement"),
        ({"edition": 2024}, "unknown_choice", "/edition"),
        ({"third_place": 1}, "wrong_type", "/third_place"),
        ({"scale": {"bye": "1/0"}}, "wrong_type", "/scale/bye"),
        ({"scale": {"bye": "half"}}, "wrong_type", "/scale/bye"),
        ({"scale": {"bye": "٣"}}, "wrong_type", "/scale/bye"),
        ({"scale": {"bye_mark": {"goals": 1}}}, "unknown_field", "/scale/bye_mark/goals"),
        ({"scale": 2}, "wrong_type", "/scale"),
        ({"table_points": [2, None]}, "wrong_type", "/table_points/1"),
        ({"table_points": [1] * 101}, "wrong_length", "/table_points"),
        ({"order": ["direct_encounter", 3]}, "unknown_choice", "/order/1"),
        ({"order": ["luck"]}, "unknown_choice", "/order/0"),
        ({"a/b~": 1}, "unknown_field", "/a~1b~0"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    document: dict[str, Any], code: str, path: str
) -> None:
    with pytest.raises(FileError) as refused:
        rules_from_dict(document, DEFAULTS)
    assert (refused.value.code, refused.value.path) == (code, path)


def test_a_place_may_be_below_another() -> None:
    with pytest.raises(FileError) as refused:
        rules_from_dict({"turns": 0}, DEFAULTS, "/stages/0/rules")
    assert refused.value.path == "/stages/0/rules/turns"


POINTS = st.fractions(min_value=-100, max_value=100, max_denominator=1000)
MARKS = st.builds(Mark, st.integers(-99, 99), st.integers(-999, 999))
SCALES = st.builds(
    Scale,
    *(POINTS,) * 8,
    bye_mark=MARKS,
    forfeit_win_mark=MARKS,
    forfeit_loss_mark=MARKS,
)
RULES = st.builds(
    StageRules,
    rounds=st.none() | st.integers(1, 99),
    turns=st.integers(1, 4),
    groups=st.integers(1, 8),
    take=st.integers(0, 8),
    take_from=st.integers(0, 8),
    source=st.none() | st.integers(1, 9),
    third_place=st.booleans(),
    reset_final=st.booleans(),
    lives=st.integers(1, 5),
    scoring=st.sampled_from(Scoring),
    scale=SCALES,
    table_points=st.lists(POINTS, max_size=4).map(tuple),
    points_by_size=st.lists(st.lists(POINTS, min_size=3, max_size=5).map(tuple)).map(tuple),
    table_size=st.integers(3, 5),
    other_size=st.integers(3, 5),
    seated_by=st.sampled_from(SeatedBy),
    typed_only=st.booleans(),
    victory_margin=st.integers(1, 200),
    movement=st.sampled_from(["", "mitchell", "howell"]),
    dealt_by=st.sampled_from(["", "baza", "table"]),
    deals=st.none() | st.integers(1, 40),
    order=st.none() | st.just(("direct_encounter", "hand_difference")),
    edition=st.sampled_from(Edition),
    lots=st.booleans(),
    late=st.sampled_from(Bye),
    places=st.sampled_from(PlaceRule),
    switch=st.sampled_from(SwitchRule),
    points_cap=st.none() | st.integers(1, 500),
    drop_rounds=st.integers(0, 9),
    match_bonus=POINTS,
)


@given(RULES, RULES)
def test_rules_survive_the_file_over_any_defaults(rules: StageRules, defaults: StageRules) -> None:
    document = json.loads(json.dumps(rules_to_dict(rules, defaults)))
    assert rules_from_dict(document, defaults) == rules


def test_the_rule_of_places_is_written_out_only_where_it_differs_from_earlier_files() -> None:
    assert rules_from_dict({}, StageRules()).places is PlaceRule.LISTED
    assert "places" not in rules_to_dict(StageRules(), None)
    assert rules_to_dict(StageRules(places=PlaceRule.PLAYED), None)["places"] == "played"


def test_the_rule_of_the_switch_is_written_out_only_where_it_differs_from_earlier_files() -> None:
    assert rules_from_dict({}, StageRules()).switch is SwitchRule.FULL
    assert "switch" not in rules_to_dict(StageRules(), None)
    assert rules_to_dict(StageRules(switch=SwitchRule.PLAYED), None)["switch"] == "played"


def test_every_field_of_the_rules_can_be_read() -> None:
    for field in fields(StageRules):
        with pytest.raises(FileError) as refused:
            rules_from_dict({field.name: {"nonsense": 1}}, StageRules())
        assert refused.value.path.startswith(f"/{field.name}")


def test_the_scoring_of_its_own_is_written_out_only_where_there_is_one() -> None:
    whole = rules_to_dict(StageRules(), None)
    assert {"points_cap", "drop_rounds", "match_bonus"}.isdisjoint(whole)
    assert {"forfeit_win_mark", "forfeit_loss_mark"}.isdisjoint(whole["scale"])
    scale = Scale(forfeit_win_mark=Mark(0, 30))
    capped = rules_to_dict(StageRules(points_cap=110, scale=scale), None)
    assert capped["points_cap"] == 110
    assert capped["scale"]["forfeit_win_mark"] == {"hands": 0, "points": 30}

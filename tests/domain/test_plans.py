"""Plans that clubs know by name become stages."""

import pytest

from tournaments.domain.file import rules_from_dict
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.plan_drawing import stages_in_time
from tournaments.domain.plans import PLANS, StageSize, outline, rounds_in_time, stage_name
from tournaments.domain.profiles import PROFILES


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_left_as_it_is_can_be_played(name: str) -> None:
    stages = PLANS[name].stages({})
    for planned in stages:
        kind = FORMATS[planned["format"]]
        rules_from_dict(planned["rules"], kind.rules)
        assert set(planned["rules"]) <= {*kind.settings, "take", "take_from", "source"}
    assert [stage_size.format for stage_size in outline(stages, 12)] == [
        stage["format"] for stage in stages
    ]


@pytest.mark.parametrize("name", PLANS)
def test_every_profile_of_a_plan_fits_its_first_stage(name: str) -> None:
    plan = PLANS[name]
    for code in plan.profiles:
        first = plan.stages({}, code)[0]
        kind = FORMATS[first["format"]]
        assert rules_from_dict(first["rules"], kind.rules).order == PROFILES[code].order


def test_a_swiss_without_a_number_has_rounds_for_one_winner() -> None:
    assert outline(PLANS["suizo"].stages({}), 24) == (StageSize("swiss", 24, 5),)
    assert outline(PLANS["suizo"].stages({"rounds": 7}), 24) == (StageSize("swiss", 24, 7),)


def test_a_liguilla_with_further_rounds_counts_on_in_the_order_of_the_table() -> None:
    league, further = PLANS["liguilla"].stages({"further_rounds": 2}, "mus_league")
    assert outline((league, further), 8) == (StageSize("liguilla", 8, 7), StageSize("swiss", 8, 2))
    assert (further["rules"]["paired_by"], further["rules"]["carry"]) == ("table", True)
    assert further["rules"]["order"] == league["rules"]["order"]


def test_board_b_of_three_ceros_begins_once_so_many_are_still_in() -> None:
    (alone,) = PLANS["tres_ceros"].stages({})
    assert alone == {"format": "lives", "rules": {"lives": 3}}
    _, board_b = PLANS["tres_ceros"].stages({"board_b_at": 6})
    assert board_b["rules"] == {"source": 1, "take_from": 6, "take_out": True}


def test_the_best_of_each_group_fill_the_board() -> None:
    stages = PLANS["grupos_final"].stages({"groups": 4, "take_of_each": 2})
    assert outline(stages, 24) == (StageSize("groups", 24, 5), StageSize("knockout", 8, 3))


def test_more_cannot_go_on_than_there_are() -> None:
    stages = PLANS["suizo_final"].stages({"take": 8})
    with pytest.raises(CannotDraw) as refused:
        outline(stages, 6)
    assert (refused.value.code, refused.value.facts) == ("too_few", {"least": 8})


def test_a_group_needs_two() -> None:
    stages = PLANS["grupos_final"].stages({"groups": 5, "take_of_each": 1})
    with pytest.raises(CannotDraw) as refused:
        outline(stages, 9)
    assert refused.value.facts == {"least": 10}


def test_victory_points_know_how_many_deals_a_match_has() -> None:
    first = PLANS["suizo"].stages({}, "bridge_swiss", deals=4)[0]
    assert first["rules"]["deals"] == 4
    assert "deals" not in PLANS["suizo"].stages({}, "tute_swiss", deals=4)[0]["rules"]


def test_a_plan_takes_no_profile_of_another() -> None:
    with pytest.raises(LookupError):
        PLANS["liguilla"].stages({}, "tute_swiss")


def test_in_duplicate_the_program_deals_unless_the_tables_do() -> None:
    (usual,), (by_hand,) = (
        PLANS["duplicado"].stages(settings) for settings in ({}, {"tables_deal": True})
    )
    assert "dealt_by" not in usual["rules"]
    assert by_hand["rules"]["dealt_by"] == "table"


def test_a_knockout_for_all_places_has_a_board_for_each_half_that_a_round_leaves_behind() -> None:
    def boards(places: int) -> list[tuple[str, object, object, object]]:
        return [
            (stage["name"], *(stage["rules"].get(name) for name in ("source", "take_from", "take")))
            for stage in PLANS["todos_los_puestos"].stages({"places": places})[1:]
        ]

    assert boards(5) == []
    assert boards(8) == [("places 5 8", 1, 4, None)]
    assert boards(11) == [("places 5 8", 1, 4, 4), ("places 9 11", 1, 8, None)]
    assert boards(16) == [
        ("places 5 8", 1, 4, 4),
        ("places 9 16", 1, 8, None),
        ("places 13 16", 3, 4, None),
    ]
    assert stage_name("es", "places 5 8") == "Puestos 5 a 8"


@pytest.mark.parametrize(("places", "sittings"), [(5, 3), (8, 3), (11, 4), (16, 4), (32, 5)])
def test_matches_for_all_places_last_as_long_as_the_knockout(places: int, sittings: int) -> None:
    stages = PLANS["todos_los_puestos"].stages({"places": places})
    sizes = outline(stages, places)
    assert rounds_in_time(stages, [size.rounds or 0 for size in sizes]) == sittings
    assert stages_in_time(sizes) == sizes[:1]


@pytest.mark.parametrize(("entrants", "beaten", "sittings"), [(8, 4, 3), (11, 3, 4), (16, 8, 4)])
def test_board_b_takes_those_beaten_in_the_first_round_while_board_a_goes_on(
    entrants: int, beaten: int, sittings: int
) -> None:
    stages = PLANS["eliminatoria_tablero_b"].stages({"entrants": entrants})
    board_a, board_b = sizes = outline(stages, entrants)
    assert (board_a.entrants, board_b.entrants) == (entrants, beaten)
    assert rounds_in_time(stages, [size.rounds or 0 for size in sizes]) == sittings
    assert stages_in_time(sizes) == (board_a,)

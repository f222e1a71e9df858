"""Every step can be undone until a later round has been played."""

import json

import pytest

from tests.clubs import (
    SYSTEM,
    a_bot_liguilla,
    a_swiss,
    play_out,
    stranger,
    the_match,
    the_round,
)
from tests.director.test_seeding import proof_holds
from tests.support.day import a_day, entry, spare
from tests.support.refusals import refusal
from tournaments.arena.services.arena import pause_round
from tournaments.arena.services.dispatch import play_round as play_bots
from tournaments.core.errors import Reason
from tournaments.director.queries.tournaments import effects, refused_points, restore_points
from tournaments.director.services.absences import readmit, withdraw
from tournaments.director.services.draws import draw, draw_again, draw_next, set_seeding
from tournaments.director.services.restoring import go_back
from tournaments.director.services.rounds import discard_round, start_clock, unpair
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import Match, RestorePoint, Result, Round, Tournament
from tournaments.results.services.leases import claim_match, live_leases
from tournaments.results.services.matches import correct_result, postpone

pytestmark = pytest.mark.django_db


def before(tournament: Tournament, verb: str) -> RestorePoint:
    return tournament.restore_points.filter(verb=verb).latest("pk")


def seats(tournament: Tournament) -> list[tuple[int, int, int, int | None]]:
    matches = Match.objects.filter(round__stage__tournament=tournament)
    rows = matches.order_by("round__number", "table")
    return list(rows.values_list("round__number", "table", "home_id", "away_id"))


def test_a_round_can_be_taken_back_before_anything_was_played() -> None:
    tournament = a_swiss(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    point = before(tournament, "round.published")
    assert effects(tournament, point).withdrawn == (1,)
    go_back(SYSTEM, point)
    assert the_round(tournament, 1).state == "draft"


def test_the_whole_draw_can_be_taken_back() -> None:
    tournament = a_swiss(6)
    go_back(SYSTEM, before(tournament, "tournament.drawn"))
    tournament.refresh_from_db()
    assert tournament.state == "draft"
    assert not Round.objects.filter(stage__tournament=tournament).exists()
    assert tournament.stages.get().entrants == []


def test_a_stage_that_began_too_soon_is_taken_back() -> None:
    tournament = a_swiss(6, rounds=1, then=[{"format": "knockout", "rules": {"take": 4}}])
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    draw_next(SYSTEM, tournament, after=1)
    go_back(SYSTEM, before(tournament, "round.drawn"))
    assert tournament.stages.get(number=2).begun_at is None
    assert list(Round.objects.filter(stage__tournament=tournament)) == [the_round(tournament, 1)]


def test_a_round_with_results_is_not_taken_back() -> None:
    tournament = a_swiss(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    match = the_match(tournament, 1, 1)
    correct_result(SYSTEM, match, Score(3, 0, 300, 100), reason="the table's word")
    point = before(tournament, "round.published")
    assert effects(tournament, point).live == (match.label,)
    assert effects(tournament, point).tables == ((match.round.number, match.table),)
    with refusal(Reason.UNDO_LIVE) as raised:
        go_back(SYSTEM, point)
    assert match.label in raised.value.message
    assert the_round(tournament, 1).state == "published"
    assert Result.objects.count() == 1


def test_taking_back_the_second_round_leaves_the_results_of_the_first() -> None:
    tournament = a_swiss(6)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    draw_next(SYSTEM, tournament, after=1)
    publish_round(SYSTEM, the_round(tournament, 2))
    go_back(SYSTEM, before(tournament, "round.drawn"))
    assert Result.objects.counting().count() == 3
    assert Round.objects.filter(stage__tournament=tournament).count() == 1
    second_round = draw_next(SYSTEM, tournament, after=1)
    assert (second_round.number, second_round.matches.count()) == (2, 3)


def test_a_draft_thrown_away_comes_back_as_it_was() -> None:
    tournament = a_swiss(6)
    as_drawn = seats(tournament)
    discard_round(SYSTEM, the_round(tournament, 1))
    point = before(tournament, "draft.thrown_away")
    assert effects(tournament, point).restored == (1,)
    go_back(SYSTEM, point)
    assert seats(tournament) == as_drawn


def test_going_back_can_itself_be_taken_back() -> None:
    tournament = a_swiss(6)
    unpair(SYSTEM, the_match(tournament, 1, 1))
    arranged = seats(tournament)
    go_back(SYSTEM, before(tournament, "draft.parted"))
    assert seats(tournament) != arranged
    go_back(SYSTEM, before(tournament, "tournament.restored"))
    assert seats(tournament) == arranged


def test_every_point_shows_before_what_it_was_kept() -> None:
    tournament = a_swiss(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    verbs = [(point.verb, point.round) for point in restore_points(tournament)]
    assert verbs == [("round.published", 1), ("tournament.drawn", None)]


def test_the_points_that_are_refused_are_those_that_going_back_refuses() -> None:
    tournament = a_swiss(7)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    draw_next(SYSTEM, tournament, after=1)
    publish_round(SYSTEM, the_round(tournament, 2))
    go_back(SYSTEM, before(tournament, "round.published"))
    publish_round(SYSTEM, the_round(tournament, 2))
    points = list(tournament.restore_points.all())
    live = {point.pk for point in points if effects(tournament, point).live}
    assert refused_points(tournament) == live
    assert {point.verb for point in points if point.pk in live} == {
        "tournament.drawn",
        "round.published",
    }
    assert len(live) == 2


def test_a_stranger_takes_nothing_back() -> None:
    tournament = a_swiss(6)
    point = before(tournament, "tournament.drawn")
    with refusal(Reason.FORBIDDEN):
        go_back(stranger(), point)


def test_a_draw_that_was_made_again_does_not_come_back() -> None:
    tournament = a_swiss(6)
    draw_again(SYSTEM, tournament.stages.get(), reason="The Ruiz pair was missing.")
    point = before(tournament, "stage.drawn_again")
    with refusal(Reason.UNDO_REDRAWN):
        go_back(SYSTEM, point)
    assert refused_points(tournament) == {point.pk}
    go_back(SYSTEM, before(tournament, "tournament.drawn"))
    tournament.refresh_from_db()
    draw(SYSTEM, tournament)
    with refusal(Reason.UNDO_REDRAWN):
        go_back(SYSTEM, before(tournament, "tournament.restored"))
    publish_round(SYSTEM, the_round(tournament, 1))
    assert proof_holds(tournament)


def test_a_step_taken_back_leaves_the_play_of_the_other_rounds_as_it_is() -> None:
    tournament = a_bot_liguilla(published=2)
    first = start_clock(SYSTEM, play_bots(SYSTEM, the_round(tournament, 1)), 45)
    postponed, played, *_ = Match.objects.filter(round=first).order_by("table")
    postpone(SYSTEM, postponed, None, reason="a power cut")
    lease = claim_match(played.pk)
    assert lease is not None
    go_back(SYSTEM, before(tournament, "round.published"))
    assert the_round(tournament, 2).state == "draft"
    round_ = the_round(tournament, 1)
    assert round_.play_requested_at == first.play_requested_at
    assert (round_.minutes, round_.clock_started_at) == (45, first.clock_started_at)
    assert Match.objects.get(pk=postponed.pk).state == "postponed"
    assert live_leases(lease) == {played.pk}


def test_a_round_that_is_open_again_keeps_its_pause() -> None:
    tournament = a_bot_liguilla(published=2)
    pause_round(SYSTEM, play_bots(SYSTEM, the_round(tournament, 1)))
    go_back(SYSTEM, before(tournament, "round.published"))
    assert the_round(tournament, 1).paused_at is not None


def test_a_substitute_named_since_still_plays_after_a_step_is_taken_back() -> None:
    tournament = a_day(4)
    publish_round(SYSTEM, the_round(tournament, 1))
    own = entry(tournament, 1)
    assert own.pair is not None
    comes = spare(tournament)
    substitute(SYSTEM, own, leaves=own.pair.first, comes=comes, from_round=1)
    go_back(SYSTEM, before(tournament, "round.published"))
    assert comes.name in str(list(the_round(tournament, 1).matches.values_list("lineup")))


def test_an_entry_that_came_back_since_stays_in_the_stage() -> None:
    tournament = a_day(6, drawn=False)
    withdraw(SYSTEM, entry(tournament, 6))
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    readmit(SYSTEM, entry(tournament, 6))
    go_back(SYSTEM, before(tournament, "round.published"))
    assert sorted(tournament.stages.get().entrants) == [1, 2, 3, 4, 5, 6]


def test_the_seeding_chosen_since_for_a_stage_to_come_stays() -> None:
    tournament = a_swiss(6, rounds=1, then=[{"format": "knockout", "rules": {"take": 4}}])
    publish_round(SYSTEM, the_round(tournament, 1))
    set_seeding(SYSTEM, tournament.stages.get(number=2), "lot", 2)
    go_back(SYSTEM, before(tournament, "round.published"))
    rules = tournament.stages.get(number=2).rules
    assert (rules.seeding, rules.seeded) == ("lot", 2)


def test_a_point_of_a_newer_release_is_restored_without_its_new_columns() -> None:
    tournament = a_swiss(6)
    point = before(tournament, "tournament.drawn")
    rows = json.loads(point.snapshot["rows"])
    for row in rows:
        row["fields"]["colour_of_the_table"] = "green"
    point.snapshot["rows"] = json.dumps(rows)
    point.save(update_fields=["snapshot"])
    go_back(SYSTEM, point)
    assert not Round.objects.filter(stage__tournament=tournament).exists()


def test_a_rule_of_a_newer_release_is_left_out() -> None:
    """It may have stored the rule before an upgrade was taken back."""
    tournament = a_swiss(6)
    stage = tournament.stages.get()
    stage.settings |= {"colour_of_the_table": "green", "rounds": 3}
    stage.save()
    assert stage.rules.rounds == 3
    drawn = the_round(tournament, 1).stage
    assert drawn.rules == stage.rules
    assert drawn.settings["colour_of_the_table"] == "green"

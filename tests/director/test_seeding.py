"""A stage is drawn by lot from a seed that was bound before; drawing it again is never silent."""

from typing import Any

import pytest

import engine
from tests.clubs import SYSTEM, arbiter, new_tournament, play_out, the_round
from tests.support.day import a_day, late_pair, play_round, the_people
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.draws import draw, draw_again, draw_next, set_seeding
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.restoring import go_back
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.file import rows_from_bytes, rows_to_bytes
from tournaments.domain.rows import ByeRule, Seeding
from tournaments.domain.stages import begin_stage
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.exports import export_document
from tournaments.exchange.queries.proofs import proof_of
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import AuditEvent, Stage, Tournament

pytestmark = pytest.mark.django_db


@reuse_rows()
def entered(count: int = 8, seeding: str = "auto", **fields: Any) -> Tournament:
    """A knock-out of `count` pairs that has not been drawn."""
    club, pairs = the_people(count + 1)
    stages = fields.pop("stages", [{"format": "knockout"}])
    tournament = create_tournament(
        SYSTEM,
        club,
        "Copa",
        new_tournament(options={"to": 3}, stages=stages, seeding=seeding, **fields),
    )
    enter_newcomers(SYSTEM, tournament, pairs[:count])
    return tournament


def stage_of(tournament: Tournament, number: int = 1) -> Stage:
    return tournament.stages.select_related("tournament__club").get(number=number)


def proof_holds(tournament: Tournament) -> bool:
    return all_hold(verify(proof_of(Tournament.objects.get(pk=tournament.pk))))


def test_the_seed_is_bound_before_the_draw_and_shown_by_it() -> None:
    tournament = entered()
    before = stage_of(tournament)
    assert (before.seed, rows_of(tournament).stages[0].seed) == ("", "")
    next_commitment = before.next_commitment
    draw(SYSTEM, tournament)
    (first_draw,) = stage_of(tournament).draws
    assert first_draw["commitment"] == next_commitment
    assert next_commitment == engine.commitment("copa/1/draw/1", bytes.fromhex(first_draw["seed"]))
    assert stage_of(tournament).seed == first_draw["seed"]


def test_where_nobody_has_a_rating_the_order_is_drawn_by_lot() -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    stage = stage_of(tournament)
    assert stage.rules.seeding is Seeding.LOT
    assert sorted(stage.entrants) == [1, 2, 3, 4, 5, 6, 7, 8]
    facts = AuditEvent.objects.get(verb="tournament.drawn").facts
    assert (facts["draw"], facts["seeding"]) == (1, "lot")
    assert facts["draw_commitment"] == stage.draws[0]["commitment"]


def test_where_most_have_a_rating_it_decides() -> None:
    tournament = entered(4)
    for entry in tournament.entries.all():
        entry.rating = 100.0 * entry.number
        entry.save()
    draw(SYSTEM, tournament)
    stage = stage_of(tournament)
    assert (stage.rules.seeding, stage.entrants) == (Seeding.RATING, [4, 3, 2, 1])


def test_a_tournament_that_says_nothing_keeps_the_order_of_entry() -> None:
    tournament = entered(seeding="")
    draw(SYSTEM, tournament)
    assert stage_of(tournament).entrants == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "seeding" not in stage_of(tournament).settings


def test_a_new_swiss_stage_gives_its_byes_to_the_lowest_and_one_begun_before_does_not() -> None:
    stage = stage_of(entered(3, stages=[{"format": "swiss"}]))
    assert stage.settings["byes"] == "lowest"
    stage.settings.pop("byes")
    assert stage.rules.byes is ByeRule.GAPS


def test_anybody_draws_the_order_again_from_the_seed() -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    rows = rows_of(tournament)
    read = rows_from_bytes(rows_to_bytes(rows))
    assert list(begin_stage(read, 1)) == stage_of(tournament).entrants


def test_the_proof_of_a_draw_by_lot_holds_with_a_latecomer_and_one_who_left() -> None:
    tournament = entered(stages=[{"format": "swiss", "rules": {"rounds": 3}}])
    draw(SYSTEM, tournament)
    late = enter_late(SYSTEM, tournament, late_pair(tournament))
    assert stage_of(tournament).entrants[-1] == late.number
    play_round(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    play_round(tournament, 2)
    assert rows_of(tournament).stages[0].drawn == 8
    findings = verify(proof_of(tournament))
    assert all_hold(findings)
    assert [f.facts for f in findings if f.code == "seeded"] == [{"count": 8, "late": 1}]


def test_drawing_again_takes_the_next_seed_and_everybody_reads_why() -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    first = stage_of(tournament)
    next_commitment = first.next_commitment
    draw_again(SYSTEM, first, reason="  The Ruiz pair was missing.  ")
    first_draw, two = stage_of(tournament).draws
    assert (first_draw["number"], two["number"]) == (1, 2)
    assert (two["commitment"], two["reason"]) == (next_commitment, "The Ruiz pair was missing.")
    assert stage_of(tournament).seed == two["seed"] != first_draw["seed"]
    facts = AuditEvent.objects.get(verb="stage.drawn_again").facts
    assert (facts["draw"], facts["reason"]) == (2, "The Ruiz pair was missing.")
    assert facts["seed_before"] == first_draw["seed"]
    play_round(tournament, 1)
    assert proof_holds(tournament)


def test_drawing_again_needs_a_reason_and_an_organiser_and_nothing_published() -> None:
    tournament = entered()
    with refusal(Reason.NOT_RUNNING):
        draw_again(SYSTEM, stage_of(tournament), reason="why not")
    draw(SYSTEM, tournament)
    with refusal(Reason.REASON_MISSING):
        draw_again(SYSTEM, stage_of(tournament), reason="  ")
    for unseen in ("a\x00b", "\u200b", "\u3164"):
        with refusal(Reason.BAD_REASON):
            draw_again(SYSTEM, stage_of(tournament), reason=unseen)
    with refusal(Reason.FORBIDDEN):
        draw_again(arbiter(tournament.club), stage_of(tournament), reason="mine")
    publish_round(SYSTEM, the_round(tournament, 1))
    with refusal(Reason.STAGE_PUBLISHED):
        draw_again(SYSTEM, stage_of(tournament), reason="why not")


def test_a_stage_that_is_to_come_cannot_be_drawn_again() -> None:
    final = {"format": "knockout", "rules": {"take": 2}}
    tournament = entered(4, stages=[{"format": "liguilla"}, final])
    draw(SYSTEM, tournament)
    with refusal(Reason.STAGE_NOT_DRAWN):
        draw_again(SYSTEM, stage_of(tournament, 2), reason="too soon")


def test_going_back_before_the_draw_forgets_no_draw_and_takes_another_seed() -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    stage = stage_of(tournament)
    go_back(SYSTEM, tournament.restore_points.get(verb="tournament.drawn"))
    back = stage_of(tournament)
    assert (back.begun_at, back.seed, back.entrants) == (None, "", [])
    assert back.draws == stage.draws
    assert back.next_commitment == stage.next_commitment
    tournament.refresh_from_db()
    draw(SYSTEM, tournament, reason="Two pairs more")
    first_draw, two = stage_of(tournament).draws
    assert (two["number"], two["reason"]) == (2, "Two pairs more")
    assert first_draw["seed"] != two["seed"]


def test_balls_drawn_by_hand_give_the_order() -> None:
    tournament = entered(4)
    for wrong in ([1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 5]):
        with refusal(Reason.BAD_ORDER):
            draw(SYSTEM, tournament, order=wrong)
    draw(SYSTEM, tournament, order=[3, 1, 4, 2])
    stage = stage_of(tournament)
    assert (stage.rules.seeding, stage.entrants) == (Seeding.MANUAL, [3, 1, 4, 2])
    draw_again(SYSTEM, stage, reason="A ball fell", order=[4, 3, 2, 1])
    assert stage_of(tournament).entrants == [4, 3, 2, 1]
    draw_again(SYSTEM, stage_of(tournament), reason="By machine then")
    assert stage_of(tournament).rules.seeding is Seeding.LOT
    play_round(tournament, 1)
    assert proof_holds(tournament)


def test_a_stage_by_hand_waits_for_its_order() -> None:
    tournament = entered(4)
    set_seeding(SYSTEM, stage_of(tournament), "manual")
    with refusal(Reason.CANNOT_DRAW):
        draw(SYSTEM, tournament)


def test_a_final_drawn_by_hand_is_proved() -> None:
    final = {"format": "knockout"}
    tournament = entered(8, stages=[{"format": "groups", "rules": {"groups": 2}}, final])
    draw(SYSTEM, tournament)
    for number in (1, 2, 3):
        play_round(tournament, number)
    in_order = draw_next(SYSTEM, tournament, after=3).stage.entrants
    assert stage_of(tournament, 2).rules.seeding is Seeding.RATING
    draw_again(SYSTEM, stage_of(tournament, 2), reason="urn", order=in_order[::-1])
    play_round(tournament, 4)
    assert proof_holds(tournament)


def test_the_seeding_is_chosen_until_the_draw() -> None:
    tournament = entered(4)
    stage = set_seeding(SYSTEM, stage_of(tournament), "lot", 2)
    assert (stage.rules.seeding, stage.rules.seeded) == (Seeding.LOT, 2)
    assert AuditEvent.objects.get(verb="stage.seeding_set").facts["seeding"] == "lot"
    with refusal(Reason.BAD_STAGE):
        set_seeding(SYSTEM, stage, "favourites")
    with refusal(Reason.FORBIDDEN):
        set_seeding(arbiter(tournament.club), stage, "order")
    draw(SYSTEM, tournament)
    assert stage_of(tournament).entrants[:2] != []
    with refusal(Reason.STAGE_BEGUN):
        set_seeding(SYSTEM, stage_of(tournament), "order")


def test_a_draw_goes_with_the_tournament_to_another_club_without_the_next_seed() -> None:
    tournament = entered()
    draw(SYSTEM, tournament)
    secret = stage_of(tournament).next_seed
    document = rows_text(tournament)
    assert secret not in document
    draws = stage_of(tournament).draws
    Tournament.objects.filter(pk=tournament.pk).update(slug="elsewhere")
    copy = import_tournament(SYSTEM, tournament.club, document)
    assert stage_of(copy).draws == draws


def rows_text(tournament: Tournament) -> str:
    from tournaments.domain.file.writing import text_of

    return text_of(export_document(tournament))


def test_a_day_of_before_is_drawn_as_before() -> None:
    tournament = a_day(6)
    assert stage_of(tournament).entrants == [1, 2, 3, 4, 5, 6]
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    assert proof_holds(tournament)

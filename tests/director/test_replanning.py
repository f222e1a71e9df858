"""Rounds drawn ahead and published are planned again: who left is out, who came late plays."""

from pathlib import Path

import pytest
from django.test import Client

from tests.clubs import SYSTEM, a_swiss, organiser, stranger, the_round, user
from tests.director.test_single_substitutes import an_individual, names_with, put_in
from tests.support.caller import Caller
from tests.support.day import entry
from tests.support.draft_scenes import played_out
from tests.support.duplicates import a_duplicate, play_deals
from tests.support.refusals import refusal
from tournaments.accounts.services.invitations import issue_token
from tournaments.cli.main import main
from tournaments.core.errors import Reason
from tournaments.director.queries.replanning import replan_offer
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.services.absences import withdraw
from tournaments.director.services.entries import enter_late
from tournaments.director.services.replanning import replan
from tournaments.director.services.restoring import go_back
from tournaments.director.services.rounds import start_clock
from tournaments.director.services.tournaments import publish_round
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import ApiToken, Match, Pair, Player, Round, Tournament

pytestmark = pytest.mark.django_db


def publish_all(tournament: Tournament) -> None:
    for round_ in Round.objects.filter(stage__tournament=tournament).order_by("number"):
        publish_round(SYSTEM, the_round(tournament, round_.number))


def seated(tournament: Tournament, number: int) -> list[set[int]]:
    """Return the numbers of the entries at each table of a round."""
    matches = Match.objects.with_names().filter(round=the_round(tournament, number))
    return [{one.number for side in match.sides for one in side} for match in matches]


def seatings(tournament: Tournament) -> dict[int, list[set[int]]]:
    numbers = Round.objects.filter(stage__tournament=tournament).values_list("number", flat=True)
    return {number: seated(tournament, number) for number in numbers}


def is_proved(tournament: Tournament, folder: Path) -> bool:
    path = folder / "proof.json"
    path.write_bytes(proof_file(tournament))
    return main(["verify-tournament", str(path)]) == 0


def offer_to(tournament: Tournament):  # type: ignore[no-untyped-def]
    return replan_offer(tournament_head(tournament.slug, SYSTEM))


def test_an_individual_of_eighteen_with_a_latecomer_a_leaver_and_a_substitute(
    tmp_path: Path,
) -> None:
    tournament = an_individual(18, rounds=6)
    publish_all(tournament)
    for number in (1, 2):
        played_out(the_round(tournament, number))
    before = seatings(tournament)
    assert offer_to(tournament) is None
    withdraw(SYSTEM, entry(tournament, 5), "Se ha ido a casa")
    free = Player.objects.filter(club=tournament.club, entries__isnull=True).order_by("code")
    late = enter_late(SYSTEM, tournament, free[0])
    offer = offer_to(tournament)
    assert (offer.first, offer.last) == (3, 6)
    assert (offer.leavers, offer.latecomers) == ((entry(tournament, 5).name,), (late.name,))
    substitution = put_in(tournament, 7, 3)

    assert replan(SYSTEM, the_round(tournament, 3)) == [3, 4, 5, 6]

    after = seatings(tournament)
    assert {n: before[n] for n in (1, 2)} == {n: after[n] for n in (1, 2)}
    for number in (3, 4, 5, 6):
        sitting = set().union(*after[number])
        assert 5 not in sitting
        assert late.number in sitting
        assert len(sitting) == 18, "each has a place or a bye"
        if any(7 in table and len(table) == 4 for table in after[number]):
            assert substitution.comes.name in names_with(tournament, 7, number)
    assert set(Round.objects.values_list("state", flat=True)) == {"closed", "published"}
    assert offer_to(tournament) is None
    for number in (3, 4, 5, 6):
        played_out(the_round(tournament, number))
    assert is_proved(tournament, tmp_path)


def test_a_duplicate_gives_the_late_pair_the_seat_of_the_one_that_left(tmp_path: Path) -> None:
    tournament = a_duplicate(6, late=1, movement="howell")
    play_deals(tournament, 1)
    for number in range(2, 6):
        publish_round(SYSTEM, the_round(tournament, number))
    withdraw(SYSTEM, entry(tournament, 2))
    entered = tournament.entries.values("pair")
    pair = Pair.objects.filter(club=tournament.club).exclude(pk__in=entered).order_by("code")[0]
    late = enter_late(SYSTEM, tournament, pair)
    replan(SYSTEM, the_round(tournament, 2))
    for number in range(2, 6):
        sitting = set().union(*seated(tournament, number))
        assert 2 not in sitting
        assert late.number in sitting
    for number in range(2, 6):
        play_deals(tournament, number)
    assert is_proved(tournament, tmp_path)


def test_undo_brings_the_old_plan_back() -> None:
    tournament = an_individual(8, rounds=4)
    publish_all(tournament)
    before = seatings(tournament)
    withdraw(SYSTEM, entry(tournament, 5))
    replan(SYSTEM, the_round(tournament, 1))
    assert seatings(tournament) != before
    point = tournament.restore_points.get(verb="rounds.replanned")
    go_back(SYSTEM, point)
    assert seatings(tournament) == before


def test_what_was_played_or_follows_from_results_is_not_planned_again() -> None:
    tournament = an_individual(8, rounds=4)
    publish_all(tournament)
    played_out(the_round(tournament, 1))
    with refusal(Reason.ROUND_NOT_OPEN):
        replan(SYSTEM, the_round(tournament, 1))
    start_clock(SYSTEM, the_round(tournament, 2), 30)
    with refusal(Reason.ROUND_BEGUN):
        replan(SYSTEM, the_round(tournament, 2))
    with refusal(Reason.FORBIDDEN):
        replan(stranger(), the_round(tournament, 3))
    assert replan(SYSTEM, the_round(tournament, 3)) == [3, 4]
    swiss = a_swiss(4)
    publish_round(SYSTEM, the_round(swiss, 1))
    with refusal(Reason.NOT_PLANNED_AHEAD):
        replan(SYSTEM, the_round(swiss, 1))


def test_nothing_is_published_where_too_few_are_left_to_plan_again() -> None:
    tournament = an_individual(8, rounds=4)
    publish_all(tournament)
    before = seatings(tournament)
    for number in range(3, 9):
        withdraw(SYSTEM, entry(tournament, number))
    with refusal(Reason.DRAFT_OUTDATED):
        replan(SYSTEM, the_round(tournament, 2))
    assert seatings(tournament) == before
    assert set(Round.objects.values_list("state", flat=True)) == {"published"}
    assert not tournament.restore_points.filter(verb="rounds.replanned").exists()


def test_the_entry_says_what_can_be_done_and_one_press_does_it() -> None:
    tournament = an_individual(8, rounds=4)
    publish_all(tournament)
    played_out(the_round(tournament, 1))
    organiser(tournament.club)
    client = Client(headers={"accept-language": "es"})
    client.force_login(user("olga"))
    path = f"/t/{tournament.slug}/entries/5/"
    assert "Planificar de nuevo las rondas" not in client.get(path).content.decode()
    answer = client.post(f"{path}withdraw/", {"reason": "Enferma"}, follow=True).content.decode()
    assert "Planificar de nuevo las rondas 2 a 4" in answer
    for page in ("entries/", "rounds/"):
        text = client.get(f"/t/{tournament.slug}/{page}").content.decode()
        assert "No está, pero sigue en las rondas publicadas 2 a 4" in text
    asked = client.get(f"/t/{tournament.slug}/rounds/3/replan/").content.decode()
    assert "Planificar de nuevo desde la ronda 3" in asked
    client.post(f"/t/{tournament.slug}/rounds/2/replan/")
    assert all(5 not in table for n in (2, 3, 4) for table in seated(tournament, n))


def test_over_the_api() -> None:
    tournament = an_individual(8, rounds=4)
    publish_all(tournament)
    withdraw(SYSTEM, entry(tournament, 5))
    organiser(tournament.club)
    scopes = [ApiToken.Scope.MANAGE, ApiToken.Scope.READ]
    _row, text = issue_token(SYSTEM, tournament.club, user("olga"), name="o", scopes=scopes)
    path = f"tournaments/{tournament.slug}/rounds/2/replan/"
    answer = Caller(text).submit(path, "{}", "plan-1")
    assert answer.status_code == 201, answer.content
    assert 5 in set().union(*seated(tournament, 1))
    assert all(5 not in table for n in (2, 3, 4) for table in seated(tournament, n))

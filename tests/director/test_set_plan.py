"""The plan of a draft is changed until its first draw; what hangs on the draft stays."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.utils import timezone

from tests.clubs import SYSTEM
from tests.signup.test_signing_up import a_posted, ask, pairs
from tests.signup.test_signup_pages import desk, text_of
from tests.support.day import the_people
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.days import NewDay, add_day
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers, remove_entry
from tournaments.director.services.plan import set_plan
from tournaments.director.services.restoring import go_back
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament
from tournaments.exchange.queries.contradictions import check_unsigned
from tournaments.models import AuditEvent, CashEntry, SignUpRequest, Tournament
from tournaments.signup.services.money import pay
from tournaments.signup.services.requests import set_sign_up
from tournaments.standings.services.prizes import NewPrize, set_prizes

pytestmark = pytest.mark.django_db

BOARDS: list[dict[str, Any]] = [
    {"format": "groups", "rules": {"groups": 2}, "name": "Grupos", "round_minutes": 40},
    {"format": "knockout", "rules": {"take": 2}, "name": "Final"},
]
SWISS = NewTournament(stages=[{"format": "swiss", "rules": {"rounds": 3}, "name": "Grupos"}])

SURNAMES: Final = (
    "Albiac Borao Clavero Domeque Embid Ferrer Gracia Huesa Iriarte Juste Laborda Martón Nasarre "
    "Orduna Palacín Quílez Royo Solanas Tello Usón Villacampa Ximénez Yagüe Zapater Aznar Buil Oto"
)
"""Of 27 pairs, no two of which are nearly one."""


def a_draft(count: int = 8) -> Tournament:
    club, people = the_people(count)
    tournament = create_tournament(SYSTEM, club, "Torneo de feria", NewTournament(stages=BOARDS))
    enter_newcomers(SYSTEM, tournament, people)
    return tournament


def test_what_has_no_place_is_named_and_goes_only_when_told() -> None:
    tournament = a_draft()
    prizes = (NewPrize(1, 1, stage=1, text="Jamón"), NewPrize(1, 1, stage=2, text="Copa"))
    set_prizes(SYSTEM, tournament, prizes)
    for week in range(5):
        add_day(SYSTEM, tournament, NewDay(starts_at=timezone.now() + timedelta(weeks=week + 1)))
    with refusal(Reason.PLAN_LEAVES_OUT):
        set_plan(SYSTEM, tournament, SWISS)
    assert tournament.stages.count() == 2
    set_plan(SYSTEM, tournament, SWISS, leave_out=True)
    stage = tournament.stages.get()
    assert (stage.format, stage.round_minutes) == ("swiss", 40)
    assert [line.text for line in tournament.prize_lines.all()] == ["Jamón"]
    assert tournament.days.count() == 3
    event = AuditEvent.objects.get(verb="tournament.plan_set")
    assert len(event.facts["before"]["stages"]) == 2
    assert check_unsigned(tournament) == ()
    assert (event.facts["prizes_gone"], len(event.facts["days_gone"])) == ([2], 2)
    draw(SYSTEM, tournament)


def test_prizes_of_a_stage_move_where_they_are_sent() -> None:
    tournament = a_draft()
    set_prizes(SYSTEM, tournament, (NewPrize(1, 1, stage=2, text="Copa"),))
    set_plan(SYSTEM, tournament, SWISS, prize_stages={2: 1})
    assert tournament.prize_lines.get().stage == 1
    assert check_unsigned(tournament) == ()
    with refusal(Reason.UNKNOWN_CHOICE):
        set_plan(SYSTEM, tournament, SWISS, prize_stages={1: 7})


def test_going_back_to_before_keeps_the_plan_of_now() -> None:
    tournament = a_draft()
    remove_entry(SYSTEM, tournament.entries.get(number=8))
    point = tournament.restore_points.latest("pk")
    set_plan(SYSTEM, tournament, SWISS)
    draw(SYSTEM, tournament)
    go_back(SYSTEM, point)
    stage = tournament.stages.get()
    assert (stage.format, stage.entrants, stage.begun_at) == ("swiss", [], None)
    assert len(stage.draws) == 1
    with refusal(Reason.ROUNDS_DRAWN):
        set_plan(SYSTEM, tournament, SWISS)
    draw(SYSTEM, tournament)


def test_pairs_do_not_become_players_while_they_are_entered_or_on_the_list() -> None:
    single = NewTournament(
        game=GameSettings(ruleset="parejas", options={"to": 3}), stages=[{"format": "individual"}]
    )
    with refusal(Reason.WRONG_UNIT):
        set_plan(SYSTEM, a_draft(4), single)
    tournament = a_posted()
    pairs(tournament, 2)
    with refusal(Reason.REQUESTS_DO_NOT_FIT):
        set_plan(SYSTEM, tournament, single)


def test_from_twenty_places_to_groups_of_twenty_four_nothing_is_typed_again() -> None:
    tournament = a_posted(places=20, fee_cents=1000)
    set_prizes(SYSTEM, tournament, (NewPrize(1, 1, text="Jamón"),))
    for name in SURNAMES.split():
        ask(tournament, f"Ana {name}", f"Luis {name}")
    first = SignUpRequest.objects.get(ticket=1)
    pay(SYSTEM, first, 1000)
    rows = SignUpRequest.objects.order_by("ticket")
    before = list(rows.values_list("ticket", "code", "due_cents"))
    client, at = desk(tournament), f"/t/{tournament.slug}/"
    set_sign_up(SYSTEM, tournament, {"places": 24})
    page = text_of(client, f"{at}plan/")
    assert "24 would enter now." in page
    assert f"{at}plan/?plan=" in page
    fields = {"plan": "grupos_final", "ruleset": "parejas", "length": "to", "hands": "4"}
    fields |= {"cotos": "1", "groups": "6", "take_of_each": "2", "seeding": "auto"}
    assert client.post(f"{at}plan/", fields).status_code == 302
    tournament.refresh_from_db()
    assert tournament.options == {"to": 4}
    formats = list(tournament.stages.order_by("number").values_list("format", flat=True))
    assert formats == ["groups", "knockout"]
    assert list(rows.values_list("ticket", "code", "due_cents")) == before
    shown = [str(number) for number in range(1, 25)]
    client.post(f"{at}sign-ups/enter/", {"shown": shown, "ticket": shown})
    assert tournament.entries.count() == 24
    remove_entry(SYSTEM, tournament.entries.get(request__ticket=5))
    client.post(f"{at}sign-ups/enter/", {"shown": ["25"], "ticket": ["25"]})
    assert tournament.entries.filter(request__ticket=25).exists()
    assert client.post(f"{at}draw/").status_code == 302
    tournament.refresh_from_db()
    assert tournament.state == "running"
    assert tournament.prize_lines.get().text == "Jamón"
    assert CashEntry.objects.get().cents == 1000
    assert tournament.entries.get(request=first).code == first.code
    assert client.get(f"{at}plan/").status_code == 409


def test_the_page_lists_what_goes_before_it_goes() -> None:
    tournament = a_draft()
    set_prizes(SYSTEM, tournament, (NewPrize(1, 1, stage=2, text="Copa"),))
    client, at = desk(tournament), f"/t/{tournament.slug}/plan/"
    assert "Set this plan" in text_of(client, f"{at}?plan=suizo&rounds=3")
    fields = {"plan": "suizo", "ruleset": "parejas", "length": "to", "hands": "4", "rounds": "3"}
    page = client.post(at, fields).content.decode()
    assert "prizes of Final" in page
    assert 'name="shown" value="p2"' in page
    assert tournament.stages.count() == 2
    assert client.post(at, {**fields, "shown": "p2"}).status_code == 302
    assert (tournament.stages.get().format, tournament.prize_lines.count()) == ("swiss", 0)

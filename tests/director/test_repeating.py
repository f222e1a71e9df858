"""A tournament is played again: its settings, and on request its entries."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, a_club, arbiter, house_bots, organiser, user
from tests.support.caller import Caller, problem
from tests.support.day import the_people
from tests.support.refusals import refusal
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import Reason
from tournaments.director.queries.repeating import next_day, next_name, repeat_proposal
from tournaments.director.services.absences import expel, withdraw
from tournaments.director.services.days import NewDay, add_day
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import describe_entry, enter_newcomers
from tournaments.director.services.repeating import repeat_tournament
from tournaments.director.services.settings import GameSettings, NewTournament, Terms
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.rows import Seeding
from tournaments.exchange.queries.contradictions import check_unsigned
from tournaments.models import SignUp, Tournament
from tournaments.profiles.services.erasing import erase_player
from tournaments.signup.services.requests import set_sign_up
from tournaments.standings.services.prizes import NewPrize, set_prizes

pytestmark = pytest.mark.django_db

STAGES = [
    {"format": "groups", "rules": {"groups": 2}, "name": "Grupos"},
    {"format": "knockout", "rules": {"take": 2, "third_place": True}},
]
TERMS = Terms(confirm_minutes=25, round_minutes=40, bye_quota=0, visibility="private")
BEGAN = datetime(2026, 3, 6, 18, 30, tzinfo=UTC)  # a Friday, half past seven in Madrid


@pytest.fixture
def social() -> Tournament:
    """A tournament of two stages: six pairs, of which one withdrew and one was expelled."""
    club, pairs = the_people(6)
    new = NewTournament(
        game=GameSettings(options={"to": 4}, cotos=2),
        stages=STAGES,
        terms=TERMS,
        announcement={
            "begins_at": BEGAN,
            "place": "Casino",
            "prizes": "Un jamón",
            "rules_text": "A ciegas.",
        },
    )
    tournament = create_tournament(SYSTEM, club, "Social 7", new)
    entries = enter_newcomers(SYSTEM, tournament, pairs)
    describe_entry(SYSTEM, entries[0], rating=1500.0, origin="Huesca", apart=["familia"])
    draw(SYSTEM, tournament)
    withdraw(SYSTEM, entries[3])
    expel(SYSTEM, entries[4], reason="Miró cartas ajenas.")
    tournament.refresh_from_db()
    return tournament


def test_an_order_drawn_by_hand_is_not_asked_for_again() -> None:
    club, pairs = the_people(4)
    tournament = create_tournament(SYSTEM, club, "Liga 1", NewTournament())
    enter_newcomers(SYSTEM, tournament, pairs)
    draw(SYSTEM, tournament, order=[4, 2, 3, 1])
    new = repeat_tournament(SYSTEM, tournament, "Liga 2", entries=[1, 2, 3, 4])
    assert new.stages.get().rules.seeding is Seeding.AUTO
    assert draw(SYSTEM, new).state == "running"


def test_settings_rules_and_terms_are_those_of_the_one_before(social: Tournament) -> None:
    new = repeat_tournament(SYSTEM, social, "Social 8", begins_at=BEGAN, place="Bar")
    assert (new.state, new.name, new.place, new.begins_at) == ("draft", "Social 8", "Bar", BEGAN)
    same = ("club", "ruleset", "options", "cotos", "unit", "visibility", "minutes_to_object")
    for name in (*same, "round_minutes", "bye_quota", "no_show_minutes", "confirmation"):
        assert getattr(new, name) == getattr(social, name), name
    assert (new.prizes, new.rules_text, new.entries.count()) == ("Un jamón", "A ciegas.", 0)
    stages, before = (list(row.stages.order_by("number")) for row in (new, social))
    assert [(stage.format, stage.name, stage.rules) for stage in stages] == [
        (stage.format, stage.name, stage.rules) for stage in before
    ]
    assert not any(stage.begun_at or stage.entrants or stage.draws for stage in stages)
    enter_newcomers(SYSTEM, new, list(new.club.pairs.order_by("code")))
    draw(SYSTEM, new)


def test_sign_up_fee_prizes_and_the_pattern_of_days_come_again(social: Tournament) -> None:
    settings = {"opens_at": BEGAN, "closes_at": None, "places": 20, "fee_cents": 1000}
    set_sign_up(SYSTEM, social, settings)
    set_prizes(SYSTEM, social, (NewPrize(1, 1, stage=2, cents=5000),), meant_for=20)
    for weeks in (0, 2):
        add_day(SYSTEM, social, NewDay(starts_at=BEGAN + timedelta(weeks=weeks)))
    social.refresh_from_db()
    begins_at = datetime(2026, 4, 3, 17, 30, tzinfo=UTC)  # in Madrid summer time by then
    new = repeat_tournament(SYSTEM, social, "Social 8", begins_at=begins_at)
    signup = SignUp.objects.get(tournament=new)
    assert (signup.opens_at, signup.opens_when_posted) == (None, True)
    assert (signup.places, signup.fee_cents, signup.last_ticket) == (20, 1000, 0)
    line = new.prize_lines.get()
    assert (line.stage, line.cents, new.prizes_meant_for) == (2, 5000, 20)
    days = [day.starts_at for day in new.days.order_by("number")]
    assert days == [begins_at, begins_at + timedelta(weeks=2)]
    assert social.prize_lines.count() == 1
    assert check_unsigned(new) == ()


def test_entries_come_again_unless_they_left(social: Tournament) -> None:
    proposal = repeat_proposal(social)
    assert proposal.staying == (1, 2, 3, 6)
    assert {entry.number: entry.left for entry in proposal.entries if entry.left} == {
        4: "withdrawn",
        5: "expelled",
    }
    new = repeat_tournament(SYSTEM, social, "Social 8", entries=proposal.staying)
    before = social.entries.filter(number__in=proposal.staying).order_by("number")
    pairs = [entry.pair_id for entry in new.entries.order_by("number")]
    assert pairs == [entry.pair_id for entry in before]
    first, old = (row.entries.get(number=1) for row in (new, social))
    assert (first.rating, first.origin, first.apart) == (1500.0, "Huesca", ["familia"])
    assert first.code != old.code
    ticked = repeat_tournament(SYSTEM, social, "Social 9", entries=(4, 5))
    assert ticked.entries.count() == 2


def test_who_was_erased_does_not_come_again(social: Tournament) -> None:
    pair = social.entries.get(number=4).pair
    assert pair is not None
    erase_player(SYSTEM, pair.first)
    assert 4 not in [entry.number for entry in repeat_proposal(social).entries]
    with refusal(Reason.UNKNOWN_CHOICE):
        repeat_tournament(SYSTEM, social, "Social 8", entries=(4,))


def test_bots_come_again() -> None:
    tournament = create_tournament(SYSTEM, a_club(), "Bots")
    enter_newcomers(SYSTEM, tournament, house_bots() * 2)
    new = repeat_tournament(SYSTEM, tournament, "Bots 2", entries=(1, 2, 3, 4))
    names = [entry.name for entry in new.entries.order_by("number")]
    assert names == [entry.name for entry in tournament.entries.order_by("number")]


def test_the_next_name_is_one_that_no_tournament_has() -> None:
    assert next_name("Social 7", {"Social 7", "Social 8"}) == "Social 9"
    assert next_name("Liga 2026, noche 3", ()) == "Liga 2026, noche 4"
    assert next_name("Torneo 2026", {"Torneo 2026"}) == "Torneo 2026 (2)"
    assert next_name("Torneo 2026 (2)", ()) == "Torneo 2026 (3)"


def test_the_next_day_is_the_same_weekday_and_hour_in_local_time() -> None:
    soon = datetime(2026, 3, 7, 9, tzinfo=UTC)
    assert next_day(BEGAN, soon) == datetime(2026, 3, 13, 18, 30, tzinfo=UTC)
    summer = datetime(2026, 4, 2, tzinfo=UTC)  # the clocks went forward on 29 March
    assert next_day(BEGAN, summer) == datetime(2026, 4, 3, 17, 30, tzinfo=UTC)
    ahead = datetime(2026, 1, 1, tzinfo=UTC)
    assert next_day(BEGAN, ahead) == datetime(2026, 3, 13, 18, 30, tzinfo=UTC)


def test_organisers_repeat_it_from_its_page_and_from_the_club(social: Tournament) -> None:
    with refusal(Reason.FORBIDDEN):
        repeat_tournament(arbiter(social.club), social, "Social 8")
    boss = organiser(social.club).user
    assert boss is not None
    client = Client(headers={"accept-language": "en"})
    client.force_login(boss)
    path = reverse("repeat-tournament", args=[social.slug])
    for name, slug in (("tournament", social.slug), ("club", social.club.slug)):
        assert path in client.get(reverse(name, args=[slug])).text
    assert path not in Client().get(reverse("club", args=[social.club.slug])).text
    html = client.get(path).text
    assert 'value="Social 8"' in html
    assert html.count(" checked>") == 4
    fields = {"name": "Social 8", "begins_at": "2026-03-13T19:30", "place": "Casino"}
    answer = client.post(path, {**fields, "entries": ["1", "2", "4"]})
    new = Tournament.objects.get(name="Social 8")
    assert answer.headers["Location"] == reverse("entries", args=[new.slug])
    assert new.begins_at == datetime(2026, 3, 13, 18, 30, tzinfo=UTC)
    assert new.entries.count() == 3
    assert client.post(path, {**fields, "name": ""}).status_code == 422


def test_a_program_repeats_it(social: Tournament) -> None:
    organiser(social.club)
    _, token = issue_token(
        SYSTEM, social.club, user("olga"), name="x", scopes=["tournaments:manage", "games:read"]
    )
    caller, path = Caller(token), f"tournaments/{social.slug}/repeat/"
    answer = caller.submit(path, json.dumps({"entries": "present", "begins_at": None}))
    assert answer.status_code == 201
    new = Tournament.objects.get(slug=json.loads(answer.content)["slug"])
    assert (new.name, new.begins_at, new.place) == ("Social 8", None, "Casino")
    assert new.entries.count() == 4
    problem(caller.submit(path, '{"entries": "most"}', key="two"), 422, "unknown_choice")
    assert caller.submit(path, '{"name": "Otro", "entries": "all"}', key="three").status_code == 201
    assert Tournament.objects.get(name="Otro").entries.count() == 6

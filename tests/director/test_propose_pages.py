"""The wizard: what is asked, what is proposed, and the form that a proposal leads to."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.clubs import SYSTEM, csv, the_round
from tests.support import scenes
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Club, Tournament

pytestmark = pytest.mark.django_db

ASKED = {
    "entrants": "24",
    "who": "sides",
    "ruleset": "parejas",
    "hours": "4",
    "day": "2026-12-12",
    "starts": "17:00",
    "aim": "play_on",
}


@pytest.fixture
def organiser() -> Client:
    _club, users = scenes.open_club()
    client = Client(headers={"Accept-Language": "es"})
    client.force_login(users["organiser"])
    return client


PATH = "/clubs/pena-la-sota/tournaments/propose/"


def test_nothing_is_proposed_before_anybody_asks(organiser: Client) -> None:
    assert "proposals" not in organiser.get(PATH).context


def test_a_proposal_says_when_it_is_over_and_on_what_assumption(organiser: Client) -> None:
    page = organiser.get(PATH, ASKED).content.decode()
    assert "Juegan 24: suizo, 5 rondas." in page
    assert "6 minutos por mano" in page
    assert "20:10" in page, "17:00, five rounds of thirty minutes, four pauses of ten"


def test_a_proposal_fills_in_the_form_that_makes_the_tournament(organiser: Client) -> None:
    response = organiser.get(PATH, ASKED)
    url = response.context["proposals"][0]["url"]
    form = organiser.get(url).context["form"]
    expected_values = {
        name: form[name].value() for name in ("rounds", "ruleset", "hands", "expected", "begins_at")
    }
    assert expected_values == {
        "rounds": "5",
        "ruleset": "parejas",
        "hands": "3",
        "expected": "24",
        "begins_at": "2026-12-12T17:00",
    }
    form_values = {
        field.name: field.value() for field in form if field.value() not in (None, False)
    }
    second_response = organiser.post(
        reverse("new-tournament", args=["pena-la-sota"]),
        {**form_values, "plan": "suizo", "name": "Copa de otoño"},
    )
    assert second_response.status_code == 302
    tournament = Tournament.objects.get()
    assert [stage.format for stage in tournament.stages.all()] == ["swiss"]
    assert tournament.begins_at is not None
    assert f"{timezone.localtime(tournament.begins_at):%d.%m.%Y %H:%M}" == "12.12.2026 17:00"


def test_the_rules_of_people_round_a_table_are_proposed(organiser: Client) -> None:
    assert organiser.get(PATH).context["form"]["ruleset"].value() == "parejas"
    new = organiser.get(reverse("new-tournament", args=["pena-la-sota"]), {"plan": "suizo"})
    assert new.context["form"]["ruleset"].value() == "parejas"


def test_without_a_day_it_is_played_today(organiser: Client) -> None:
    asked = {name: value for name, value in ASKED.items() if name != "day"}
    (proposal, *_) = organiser.get(PATH, asked).context["proposals"]
    assert f"begins_at={timezone.localdate():%Y-%m-%d}T17%3A00" in proposal["url"]


def test_the_clock_of_the_first_round_begins_with_the_minutes_of_the_proposal(
    organiser: Client,
) -> None:
    club = Club.objects.get(slug="pena-la-sota")
    proposal = organiser.get(PATH, ASKED).context["proposals"][0]
    form = organiser.get(proposal["url"]).context["form"]
    form_values = {
        field.name: field.value() for field in form if field.value() not in (None, False)
    }
    organiser.post(
        reverse("new-tournament", args=[club.slug]),
        {**form_values, "plan": "suizo", "name": "Copa"},
    )
    tournament = Tournament.objects.get()
    import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    page = organiser.get(reverse("round", args=[tournament.slug, 1]))
    assert proposal["one"].minutes_a_round == 30
    assert page.context["clock"].minutes == 30


def test_more_hours_with_a_decimal_comma_are_understood(organiser: Client) -> None:
    response = organiser.get(PATH, {**ASKED, "hours": "4,5"})
    assert response.context["wish"].minutes == 270


def test_one_player_alone_is_informed_beside_the_number(organiser: Client) -> None:
    response = organiser.get(PATH, {**ASKED, "entrants": "3", "who": "single"})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == ["entrants"]


def test_what_cannot_be_done_in_the_time_says_so(organiser: Client) -> None:
    page = organiser.get(PATH, {**ASKED, "entrants": "150", "hours": "1"}).content.decode()
    assert "No cabe en el tiempo que hay" in page
    assert "Dura más" in page


def test_formats_that_are_not_proposed_say_why_and_lead_to_the_form(organiser: Client) -> None:
    page = organiser.get(PATH, ASKED).content.decode()
    for plan in ("tres_ceros", "duplicado", "escalera"):
        assert f"?plan={plan}" in page
        form = organiser.get(reverse("new-tournament", args=["pena-la-sota"]), {"plan": plan})
        assert f'name="plan" value="{plan}"' in form.content.decode()
    assert "cuando la velada no tiene hora de acabar" in page


def test_a_duplicate_is_proposed_with_its_movement_and_leads_to_its_form(
    organiser: Client,
) -> None:
    answer = organiser.get(PATH, {**ASKED, "entrants": "12", "aim": "same_deals"})
    howell, mitchell = answer.context["proposals"]
    assert "cada pareja se enfrenta a todas las demás" in howell["why"]
    assert "2 repartos" in answer.content.decode()
    assert (howell["name"], mitchell["name"]) == ("Duplicado (Howell)", "Duplicado (Mitchell)")
    form = organiser.get(howell["url"]).context["form"]
    assert (form["movement"].value(), form["boards"].value()) == ("howell", "2")
    assert "movement=mitchell" in mitchell["url"]

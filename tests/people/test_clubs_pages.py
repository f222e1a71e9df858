"""The forms of a club: a name almost that of another is pointed at; the settings."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support import scenes
from tests.support.caller import Caller
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.models import AuditEvent, Club, Tournament
from tournaments.people.services.clubs import describe_club, set_people_in_search

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(scenes.user_named("staff", is_staff=True))
    return client


@pytest.mark.parametrize("name", ["PEÑA LA SOTA", "Peña  La-Sota", "Peña La Sota.", "Pena la sota"])
def test_a_club_named_almost_like_another_is_pointed_at_once(
    scene: scenes.Scene, staff: Client, name: str
) -> None:
    assert scene.club.name == "Peña La Sota"
    form = {"name": name, "city": "Huesca", "form_key": "the same"}
    page = staff.post(reverse("new-club"), form)
    assert page.status_code == 409
    shown = page.content.decode()
    assert "There is a club with nearly the same name: Peña La Sota (Zaragoza)." in shown
    assert '<input type="checkbox" name="may_be_alike"' in shown
    assert Club.objects.count() == 1
    assert staff.post(reverse("new-club"), {**form, "may_be_alike": "on"}).status_code == 302
    assert Club.objects.count() == 2


def test_another_name_asks_nothing(scene: scenes.Scene, staff: Client) -> None:
    assert b'<input type="hidden" name="may_be_alike"' in staff.get(reverse("new-club")).content
    for name in ("Peña La Sota II", "♠♥", "♣♦"):
        assert staff.post(reverse("new-club"), {"name": name}).status_code == 302
    assert Club.objects.exclude(pk=scene.club.pk).count() == 3


def test_a_name_put_right_is_asked_about_unless_it_is_the_clubs_own(
    scene: scenes.Scene, staff: Client
) -> None:
    staff.post(reverse("new-club"), {"name": "Casino", "city": "Huesca"})
    path = reverse("rename-club", args=[scene.club.slug])
    organiser = Client()
    organiser.force_login(scene.users["organiser"])
    assert organiser.post(path, {"name": "casino."}).status_code == 409
    assert organiser.post(path, {"name": "Peña la Sota"}).status_code == 302
    scene.club.refresh_from_db()
    assert scene.club.name == "Peña la Sota"


def test_an_organiser_lets_search_engines_list_people_and_takes_it_back(
    scene: scenes.Scene,
) -> None:
    path, club = reverse("club-settings", args=[scene.club.slug]), scene.club
    organiser = Client(headers={"accept-language": "en"})
    organiser.force_login(scene.users["organiser"])
    assert path in organiser.get(reverse("club", args=[club.slug])).text
    assert "people who were erased stay out" in organiser.get(path).text
    page = organiser.post(path, {"people_in_search": "on"}, follow=True)
    assert "The settings are saved." in page.text
    assert re.search(r'name="people_in_search"[^>]* checked', organiser.get(path).text)
    assert Club.objects.get(pk=club.pk).people_in_search
    organiser.post(path, {"people_in_search": "on"})
    organiser.post(path, {"form_key": "without the tick"})
    assert not Club.objects.get(pk=club.pk).people_in_search
    events = AuditEvent.objects.filter(verb="club.people_in_search_set").order_by("pk")
    assert [event.facts["people_in_search"] for event in events] == [True, False]


def test_search_engines_are_the_organisers_matter(scene: scenes.Scene) -> None:
    arbiter = Actor.for_user(scene.users["arbiter"])
    with refusal(Reason.FORBIDDEN):
        set_people_in_search(arbiter, scene.club, people_in_search=True)


SAYS = {
    "colour": "#B47C10",
    "news": "El viernes no hay partida.",
    "address": "Calle Mayor, Huesca",
    "contact": "974 000 000",
    "opening_hours": "Viernes, de siete a diez",
    "house_terms": "No se fuma.\nSe juega a tres manos.",
}


def test_a_club_says_of_itself_where_when_and_by_which_rules(scene: scenes.Scene) -> None:
    club, organiser = scene.club, Client(headers={"accept-language": "en"})
    organiser.force_login(scene.users["organiser"])
    organiser.post(reverse("club-settings", args=[club.slug]), SAYS)
    organiser.post(reverse("club-settings", args=[club.slug]), {**SAYS, "form_key": "again"})
    page = Client().get(reverse("club", args=[club.slug])).text
    for text in ("El viernes no hay partida.", "Calle Mayor, Huesca", "974 000 000", "No se fuma."):
        assert text in page
    assert f'href="/clubs/{club.slug}/colour.css?v=b47c10"' in page
    assert "--club: #b47c10" in Client().get(f"/clubs/{club.slug}/colour.css").text
    wrong = organiser.post(reverse("club-settings", args=[club.slug]), {"colour": "#ffffff"})
    assert (wrong.status_code, "neither too light" in wrong.text) == (422, True)
    events = AuditEvent.objects.filter(verb="club.described")
    assert [event.facts for event in events] == [{"changed": sorted(SAYS)}]
    form = organiser.get(reverse("new-tournament", args=[club.slug]), {"plan": "liguilla"})
    assert "Se juega a tres manos." in form.text


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("news", "una línea\ny otra", Reason.BAD_OPTIONS),
        ("address", "x" * 201, Reason.BAD_OPTIONS),
        ("contact", "\u202e974", Reason.BAD_REASON),
        ("colour", "#ffd700", Reason.BAD_COLOUR),
        ("colour", "#000080", Reason.BAD_COLOUR),
        ("colour", "red;}", Reason.BAD_COLOUR),
    ],
)
def test_what_a_club_says_is_short_and_plain(
    scene: scenes.Scene, name: str, text: str, reason: Reason
) -> None:
    with refusal(reason):
        describe_club(scene.organiser, scene.club, {name: text})


def test_a_program_says_it_too_and_new_tournaments_follow_the_house_terms(
    scene: scenes.Scene, organiser: Caller
) -> None:
    path = f"clubs/{scene.club.slug}/"
    headers = {"If-Match": organiser.get(path).headers["ETag"]}
    body = json.dumps({"house_terms": "No se fuma."}).encode()
    assert organiser.call("PATCH", path, body, headers, "application/json").status_code == 200
    assert organiser.read(path)["profile"]["house_terms"] == "No se fuma."
    new = json.dumps({"name": "Copa", "format": "liguilla"})
    assert organiser.submit(f"{path}tournaments/", new).status_code == 201
    assert Tournament.objects.get(name="Copa").rules_text == "No se fuma."

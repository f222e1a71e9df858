"""An outdated draft on its page, in the control room and over the API: two ways out."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, organiser, user
from tests.support.caller import Caller, problem
from tests.support.draft_scenes import change_by_hand, result_of, scene, the_draft
from tournaments.accounts.services.invitations import issue_token
from tournaments.models import ApiToken, AuditEvent, Match, Tournament
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss(db: None) -> Tournament:
    """A Swiss whose second round is a draft, one result behind it corrected."""
    tournament = scene("swiss")
    organiser(tournament.club)
    return tournament


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(user("olga"))
    return client


@pytest.fixture
def program(swiss: Tournament) -> Caller:
    scopes = ApiToken.Scope.values
    _, token = issue_token(SYSTEM, swiss.club, user("olga"), name="mesa", scopes=scopes)
    return Caller(token)


def correct_behind(tournament: Tournament) -> None:
    played = Match.objects.with_names().filter(round__stage__tournament=tournament)
    match = played.filter(round__number=1).order_by("table")[0]
    winner = match.results.live().get().winner
    correct_result(SYSTEM, match, **result_of(match, int(winner == "home")), reason="swapped")


def page(desk: Client, name: str, *args: object) -> str:
    response = desk.get(reverse(name, args=args))
    assert response.status_code == 200
    return response.content.decode()


def test_a_draft_that_was_drawn_again_by_itself_says_so(desk: Client, swiss: Tournament) -> None:
    correct_behind(swiss)
    text = page(desk, "draft", swiss.slug, 2)
    assert "Este borrador se ha sorteado de nuevo por sí solo." in text
    assert "Ha cambiado un resultado del que depende." in text
    assert "Publicar como está" not in text
    events = AuditEvent.objects.filter(tournament=swiss, verb="draft.drawn_again")
    assert events.get().facts == {"round": 2, "cause": "result", "rounds": [2]}


def test_an_outdated_draft_is_published_as_it_is_from_its_page(
    desk: Client, swiss: Tournament
) -> None:
    change_by_hand(swiss)
    correct_behind(swiss)
    publish = reverse("publish-round", args=[swiss.slug, 2])
    assert "está desfasado" in page(desk, "control", swiss.slug)
    text = page(desk, "draft", swiss.slug, 2)
    assert "Este borrador está desfasado." in text
    assert "Sorteado ahora" in text
    refused = desk.post(publish, {})
    assert refused.status_code == 409
    assert "está desfasada" in refused.content.decode()
    form = re.search(r'name="as_is" value="(\w+)"', text)
    assert form is not None
    assert desk.post(publish, {"as_is": form[1]}).status_code == 302
    event = AuditEvent.objects.get(tournament=swiss, verb="round.published", facts__round=2)
    assert event.facts["as_is"] == "result"


def test_a_draft_whose_entry_may_not_play_is_not_published_as_it_is(
    desk: Client, swiss: Tournament
) -> None:
    change_by_hand(swiss)
    number = the_draft(swiss).matches.get(table=1).home.number
    desk.post(reverse("entry-act", args=[swiss.slug, number, "withdraw"]), {})
    text = page(desk, "draft", swiss.slug, 2)
    assert "No se puede publicar como está" in text
    assert "as_is" not in text
    publish = reverse("publish-round", args=[swiss.slug, 2])
    assert desk.post(publish, {"as_is": "1"}).status_code == 409
    assert desk.post(reverse("arrange", args=[swiss.slug, 2, "draw-again"])).status_code == 302
    assert desk.post(publish, {}).status_code == 302


def test_a_program_is_told_of_an_outdated_draft_and_has_both_ways(
    swiss: Tournament, program: Caller
) -> None:
    path = f"tournaments/{swiss.slug}/rounds/2/"
    assert program.read(path)["differences"] is None
    change_by_hand(swiss)
    correct_behind(swiss)
    told = program.read(path)
    assert told["round"]["outdated"]
    assert told["differences"]["now"]
    assert told["differences"]["draft"]
    problem(program.submit(f"{path}publish/", "{}", "1"), 409, "draft_outdated")
    body = json.dumps({"as_is": True})
    assert program.submit(f"{path}publish/", body, "2").status_code == 201
    told = program.read(path)
    assert (told["round"]["state"], told["round"]["outdated"]) == ("published", False)


def test_a_program_draws_an_outdated_draft_again(swiss: Tournament, program: Caller) -> None:
    path = f"tournaments/{swiss.slug}/rounds/2/"
    change_by_hand(swiss)
    correct_behind(swiss)
    assert program.submit(f"{path}again/", "{}", "1").status_code == 201
    assert not program.read(path)["round"]["outdated"]
    assert program.submit(f"{path}publish/", "{}", "2").status_code == 201

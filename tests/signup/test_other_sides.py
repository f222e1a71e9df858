"""A ruleset with other sides is asked about while there are requests that do not fit."""

from typing import Any

import pytest
from django.core.cache import cache

from tests.clubs import SYSTEM, program
from tests.signup.test_signing_up import a_posted, ask, own, pairs
from tests.signup.test_signup_pages import desk
from tests.support.refusals import refusal
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import Reason
from tournaments.core.permissions import Scope
from tournaments.director.services.tournaments import change_tournament
from tournaments.models import SignUp, Tournament
from tournaments.signup.queries.places import request_rows
from tournaments.signup.services.closing import close_sign_up, entering_plan
from tournaments.signup.services.requests import join, leave

pytestmark = pytest.mark.django_db

FOR_PLAYERS = "habanero"
SETTINGS = {"confirm_minutes": 30, "bye_quota": 2, "no_show_minutes": 5}


def with_requests() -> Tournament:
    """Ticket 1 is a pair, 2 a single, 3 and 4 joined singles, 5 a pair that left."""
    tournament = a_posted(singles=True)
    pairs(tournament, 1)
    ask(tournament, "Eva Ruiz")
    third, fourth = ask(tournament, "Pepe Gil"), ask(tournament, "Rosa Vega")
    join(SYSTEM, third, fourth)
    (left,) = pairs(tournament, 1, first=5)
    leave(own(left), left)
    return tournament


def test_the_settings_ask_with_the_tickets_that_no_longer_fit_and_keep_them_on_the_list() -> None:
    cache.clear()
    tournament = with_requests()
    client, path = desk(tournament), f"/t/{tournament.slug}/settings/"
    form: dict[str, Any] = {"name": "Copa", "ruleset": FOR_PLAYERS, **SETTINGS}
    assert "despite_requests" not in client.get(path).content.decode()

    asked = client.post(path, form)
    assert asked.status_code == 409
    page = asked.content.decode()
    assert "Here players would enter." in page
    assert "Tickets that no longer fit: 1 Ana Albiac – Luis Albiac, 3 Pepe Gil – Rosa Vega." in page
    assert 'type="checkbox" name="despite_requests"' in page
    tournament.refresh_from_db()
    assert (tournament.ruleset, tournament.unit) == ("parejas-online", "pair")

    assert client.post(path, {**form, "despite_requests": "on"}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.ruleset, tournament.unit) == (FOR_PLAYERS, "player")
    signup = SignUp.objects.get(tournament=tournament)
    assert [row.ticket for row in request_rows(signup) if row.is_live] == [1, 2, 3]
    assert [one.request.ticket for one in entering_plan(signup).blocked] == [1, 3]
    assert client.get(f"/t/{tournament.slug}/sign-ups/enter/").status_code == 200
    assert [entry.name for entry in close_sign_up(SYSTEM, tournament)] == ["Eva Ruiz"]


def test_singles_do_not_fit_where_pairs_will_enter() -> None:
    tournament = a_posted()
    change_tournament(SYSTEM, tournament, {"ruleset": FOR_PLAYERS})
    tournament.refresh_from_db()
    ask(tournament, "Eva Ruiz")
    with refusal(Reason.REQUESTS_DO_NOT_FIT) as refused:
        change_tournament(SYSTEM, tournament, {"ruleset": "cuatro"})
    assert refused.value.params["text"] == "1 Eva Ruiz"
    change_tournament(SYSTEM, tournament, {"ruleset": "cuatro", "despite_requests": True})
    (row,) = request_rows(SignUp.objects.get(tournament=tournament))
    assert row.is_single


def test_a_ruleset_with_the_same_sides_is_not_asked_about() -> None:
    tournament = with_requests()
    assert change_tournament(SYSTEM, tournament, {"ruleset": "cuatro"}).unit == "pair"


def test_the_api_refuses_with_a_code_until_it_is_told_to_go_on() -> None:
    cache.clear()
    tournament = with_requests()
    actor = program(tournament.club)
    assert actor.user is not None
    scopes = (Scope.READ, Scope.MANAGE)
    _token, key = issue_token(SYSTEM, tournament.club, actor.user, name="lista", scopes=scopes)
    client, path = desk(tournament), f"/api/v1/tournaments/{tournament.slug}/"

    def send(**body: Any) -> Any:
        headers = {"authorization": f"Bearer {key}", "if-match": "*"}
        return client.patch(path, body, content_type="application/json", headers=headers)

    refused = send(ruleset=FOR_PLAYERS)
    assert (refused.status_code, refused.json()["code"]) == (409, "requests_do_not_fit")
    assert "1 Ana Albiac – Luis Albiac" in refused.json()["detail"]
    changed = send(ruleset=FOR_PLAYERS, despite_requests=True)
    assert (changed.status_code, changed.json()["ruleset"]) == (200, FOR_PLAYERS)

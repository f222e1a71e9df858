"""What a table made of a deal is secret until the other tables have played it, at every address."""

from __future__ import annotations

import re
from http import HTTPStatus
from itertools import product
from typing import TYPE_CHECKING, Final

import pytest
from django.core.cache import cache
from django.test import Client

from tests.clubs import SYSTEM, a_club, house_bots, organiser, user
from tests.support.routes import api_addresses, page_patterns
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.models import Match, Result, Tournament
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.http.response import HttpResponseBase

pytestmark = pytest.mark.django_db

PLANTED = "4040719"
"""Points that no table makes: wherever they are read, a row of a deal was given out."""

READ: Final = frozenset({HTTPStatus.OK, HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT})
"""Answers of an address that may be another one with a query."""


def a_duplicate(*, rounds: int = 2) -> Tournament:
    """Return a duplicate of six pairs and three deals a table, its first round played."""
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Duplicada",
        NewTournament(
            GameSettings(options={"deals": 3}),
            stages=[{"format": "duplicate", "rules": {"deals": 3, "rounds": rounds}}],
        ),
        slug="duplicada",
    )
    enter_newcomers(SYSTEM, tournament, house_bots() * 3)
    draw(SYSTEM, tournament)
    tournament.refresh_from_db()
    play(tournament, 1)
    return tournament


def play(tournament: Tournament, number: int) -> None:
    """Publish a round, report each table, close the round, and plant points in its deals."""
    round_ = tournament.stages.get().rounds.get(number=number)
    publish_round(SYSTEM, round_)
    for match in Match.objects.with_names().filter(round=round_, away__isnull=False):
        hands = [{"home": 90, "away": 40, "board": board} for board in match.boards]
        report_result(SYSTEM, match, hand_scores=hands)
    close_round(SYSTEM, round_)
    for result in Result.objects.filter(match__round=round_):
        hands = [{**hand, "home": int(PLANTED)} for hand in result.hand_scores]
        Result.objects.filter(pk=result.pk).update(hand_scores=hands)
    cache.clear()


def addresses(tournament: Tournament) -> Iterator[str]:
    """Yield every address of pages and API, its parts filled from the tournament."""
    match = Match.objects.filter(round__stage__tournament=tournament).earliest("pk")
    numbers = sorted({1, match.pk, tournament.entries.earliest("pk").pk})
    routes = [f"/{pattern.pattern}" for pattern in page_patterns]
    for route in (*routes, *(f"/api/v1/{address}" for address in api_addresses)):
        is_of_club = "/clubs/" in route or "/c/" in route
        slug = tournament.club.slug if is_of_club else tournament.slug
        text = re.sub(r"<(?!int:)[^>]+>", slug, route)
        places = text.count("<int:")
        for chosen in product(numbers, repeat=places):
            address = text
            for number in chosen:
                address = re.sub(r"<int:[^>]+>", str(number), address, count=1)
            yield address


def showing(client: Client, tournament: Tournament, paths: Iterable[str] = ()) -> list[str]:
    """Return the addresses that answer with the planted points.

    A round or a stage is asked for where there is a page: what answers 404 without a query, sends
    elsewhere or asks to sign in reads none.
    """
    found = []
    for path in paths or addresses(tournament):
        response = client.get(path)
        queries = ("?round=1", "?stage=1") if response.status_code in READ else ()
        answers = {path: response, **{path + query: client.get(path + query) for query in queries}}
        found += [at for at, answer in answers.items() if PLANTED.encode() in content_of(answer)]
    return found


def content_of(response: HttpResponseBase) -> bytes:
    """Return the body; that of a stream of events, which does not end, is its feed's."""
    if response.headers.get("Content-Type", "").startswith("text/event-stream"):
        return b""
    return response.getvalue()


@pytest.mark.slow
def test_no_address_shows_the_points_of_a_deal_that_others_have_to_play() -> None:
    tournament = a_duplicate()
    match = Match.objects.filter(round__stage__tournament=tournament, table=1).earliest("pk")
    anonymous, outsider, of_the_club = Client(raise_request_exception=False), Client(), Client()
    outsider.force_login(user("nobody-of-it"))
    account = organiser(tournament.club).user
    assert account is not None
    of_the_club.force_login(account)
    assert showing(anonymous, tournament) == []
    assert showing(outsider, tournament) == []
    everything = {
        f"/api/v1/matches/{match.pk}/",
        f"/matches/{match.pk}/",
        "/t/duplicada/file/",
        "/t/duplicada/proof/",
        "/api/v1/tournaments/duplicada/file/",
    }
    pages = {path for path in everything if not path.startswith("/api/")}  # which has no sessions
    assert pages <= set(showing(of_the_club, tournament, pages))
    play(tournament, 2)
    assert everything <= set(showing(anonymous, tournament, everything))


def test_a_proof_waits_until_its_deals_are_played_and_the_file_leaves_their_points_out() -> None:
    tournament = a_duplicate()
    stranger = Client()
    for path in ("/t/duplicada/proof/", "/t/duplicada/proof/?round=1"):
        assert stranger.get(path).status_code == 409
    answer = stranger.get("/api/v1/tournaments/duplicada/proof/")
    assert (answer.status_code, answer.json()["code"]) == (409, Reason.DEALS_SECRET.code)
    assert b"/proof/" not in stranger.get("/t/duplicada/files/").content
    table = stranger.get("/t/duplicada/file/").json()["stages"][0]["rounds"][0]["tables"][0]
    assert table["points"] == [270, 120]
    assert "board_points" not in table
    play(tournament, 2)
    assert stranger.get("/t/duplicada/proof/").status_code == 200
    assert b"/proof/" in stranger.get("/t/duplicada/files/").content


def test_between_two_rounds_the_deals_of_the_next_stay_secret() -> None:
    tournament = a_duplicate()
    stage = tournament.stages.get()
    stage.rounds.get(number=2).delete()  # as after a draft was discarded
    assert not tournament.stages.get().deals_are_open
    finish(SYSTEM, tournament, early=True)
    tournament.refresh_from_db()
    assert tournament.stages.get().deals_are_open

"""Every address of the API, and what each kind of caller gets there.

The rows are held against the URLconf: an address without a row fails.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.api.caller import Caller
from tests.api.conftest import Issue
from tests.api.test_tokens import stranger
from tests.web.scenes import Scene, record_between, records_of, spoiled
from tournaments.api.urls import urlpatterns
from tournaments.services.seasons import create_season

WHO = ("anonymous", "stranger", "player", "arbiter", "organiser")
PUBLIC = (200, 200, 200, 200, 200)
CLUB_ONLY = (404, 404, 404, 200, 200)


@dataclass(frozen=True)
class Row:
    """What the five callers get: anonymous, another club's, player, arbiter, organiser."""

    path: str
    answers: tuple[int, ...]
    method: str = "GET"


ROWS: dict[str, tuple[Row, ...]] = {
    "clubs": (Row("clubs/", PUBLIC),),
    "club": (Row("clubs/{club}/", PUBLIC),),
    "ratings": (Row("clubs/{club}/ratings/", PUBLIC),),
    "seasons": (Row("clubs/{club}/seasons/", PUBLIC),),
    "season": (Row("clubs/{club}/seasons/{season}/", PUBLIC),),
    "player-rating": (Row("players/{player}/rating/", PUBLIC),),
    "bot-rating": (Row("bots/azar/rating/", PUBLIC),),
    "tournaments": (Row("tournaments/", PUBLIC),),
    "tournament": (Row("tournaments/{slug}/", PUBLIC),),
    "entries": (Row("tournaments/{slug}/entries/", PUBLIC),),
    "standings": (Row("tournaments/{slug}/standings/", PUBLIC),),
    "stages": (Row("tournaments/{slug}/stages/", PUBLIC),),
    "sums": (Row("tournaments/{slug}/standings/1/", PUBLIC),),
    "crosstable": (Row("tournaments/{slug}/crosstable/", PUBLIC),),
    "rounds": (Row("tournaments/{slug}/rounds/", PUBLIC),),
    "round": (
        Row("tournaments/{slug}/rounds/1/", PUBLIC),
        Row("tournaments/{slug}/rounds/2/", CLUB_ONLY),  # a draft
    ),
    "file": (Row("tournaments/{slug}/file/", PUBLIC),),
    "proof": (Row("tournaments/{slug}/proof/", PUBLIC),),
    "fide-report": (Row("tournaments/{slug}/trf/", PUBLIC),),
    "history": (Row("tournaments/{slug}/history/", CLUB_ONLY),),
    "match": (Row("matches/{played}/", PUBLIC), Row("matches/{hidden}/", CLUB_ONLY)),
    "hand": (Row("matches/{played}/hands/1/", PUBLIC),),
    "record": (
        Row("records/{accepted}/", PUBLIC),
        Row("records/{refused}/", (404, 404, 404, 200, 200)),
        Row("records/{players}/", (404, 404, 200, 200, 200)),
    ),
    "submit": (
        Row("matches/{played}/records/", (401, 403, 200, 200, 200), "POST"),
        Row("matches/{waiting}/records/", (401, 403, 403, 201, 200), "POST"),
        Row("matches/{hidden}/records/", (401, 404, 404, 409, 409), "POST"),
    ),
    "report": (
        Row("matches/{played}/report/", (401, 403, 422, 422, 422), "POST"),
        Row("matches/{hidden}/report/", (401, 404, 404, 422, 422), "POST"),
    ),
    "confirm": (
        Row("matches/{played}/confirm/", (401, 403, 200, 200, 200), "POST"),
        Row("matches/{waiting}/confirm/", (401, 403, 403, 409, 409), "POST"),
    ),
    "dispute": (
        Row("matches/{played}/dispute/", (401, 403, 201, 409, 409), "POST"),
        Row("matches/{waiting}/dispute/", (401, 403, 403, 409, 409), "POST"),
    ),
    "submit-anywhere": (Row("tournaments/{slug}/records/", (401, 403, 200, 200, 200), "POST"),),
    "problems": (Row("problems/", PUBLIC),),
    "openapi": (Row("openapi.json", PUBLIC),),
    "docs": (Row("docs/", PUBLIC),),
    "nothing": (Row("nada/", (404, 404, 404, 404, 404)), Row("", (404, 404, 404, 404, 404))),
}


def test_every_address_has_a_row() -> None:
    routes = {pattern.name for pattern in urlpatterns}
    assert len(routes) == len(urlpatterns)
    assert routes == set(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_everybody_gets_what_is_his(name: str, scene: Scene, issue: Issue) -> None:
    callers = {
        "anonymous": Caller(),
        "stranger": stranger(scene),
        **{who: issue(who) for who in WHO[2:]},
    }
    places = addresses(scene, callers)
    for row in ROWS[name]:
        path = row.path.format(**places)
        got = []
        for who in WHO:
            if row.method == "GET":
                answer = callers[who].get(path)
            else:
                answer = callers[who].submit(path, body_for(scene, row.path), key=path)
            got.append(answer.status_code)
        assert tuple(got) == row.answers, f"{row.method} {path}: {dict(zip(WHO, got, strict=True))}"


BODIES = {
    "report/": '{"home_hands": 2, "away_hands": 1}',  # not to its end
    "confirm/": '{"version": 1}',
    "dispute/": '{"reason": "Faltó una baza."}',
}


def body_for(scene: Scene, path: str) -> str:
    for last, body in BODIES.items():
        if path.endswith(last):
            return body
    tables = {"{waiting}": scene.matches()[1], "{hidden}": scene.matches(2)[0]}
    match = next((found for sign, found in tables.items() if sign in path), scene.matches()[0])
    return record_between(match, records_of("records"))


def addresses(scene: Scene, callers: dict[str, Caller]) -> dict[str, object]:
    played, waiting = scene.matches()
    good = record_between(waiting, records_of("records"))
    refused = scene.submit(waiting, spoiled(good).text).record
    accepted = played.records.accepted().get()
    his = scene.submit(played, spoiled(accepted.text).text).record
    assert refused
    assert his
    return {
        "club": scene.club.slug,
        "season": create_season(scene.organiser, scene.club, name="Temporada").slug,
        "player": scene.club.players.order_by("pk")[0].pk,
        "slug": scene.tournament.slug,
        "played": played.pk,
        "waiting": waiting.pk,
        "hidden": scene.matches(2)[0].pk,
        "accepted": accepted.pk,
        "refused": refused.pk,
        "players": his.pk,
    }

"""Who may come in where: every address of the pages, asked by everybody, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse

from tests.web import scenes
from tournaments.services.matches import open_dispute, rule_on_dispute
from tournaments.services.seasons import create_season
from tournaments.web.urls import urlpatterns

pytestmark = pytest.mark.django_db

ROLES = ("", "outsider", "player", "arbiter", "organiser")
SIGN_IN, OK, NO, ONLY_POST = 302, 200, 403, 405

EVERYBODY = (OK,) * 5
MEMBERS = (SIGN_IN, NO, NO, OK, OK)
ORGANISERS = (SIGN_IN, NO, NO, NO, OK)
CONCERNED = (SIGN_IN, NO, OK, OK, OK)
NOBODY_READS = (ONLY_POST,) * 5
ORGANISERS_OF_DRAFTS = (404, 404, 404, NO, OK)

#: What a GET answers to nobody known, an outsider, a player of it, the arbiter, the organiser.
MATRIX: dict[str, tuple[int, ...]] = {
    "home": EVERYBODY,
    "login": (OK, 302, 302, 302, 302),
    "logout": NOBODY_READS,
    "new-club": (SIGN_IN, NO, NO, NO, NO),
    "club": EVERYBODY,
    "files": EVERYBODY,
    "enter-list": ORGANISERS,
    "new-season": ORGANISERS,
    "seasons": EVERYBODY,
    "season": EVERYBODY,
    "season-add": NOBODY_READS,
    "season-remove": NOBODY_READS,
    "close-season": ORGANISERS,
    "tournament-file": EVERYBODY,
    "proof": EVERYBODY,
    "fide-report": EVERYBODY,
    "export": ORGANISERS,
    "bring-tournament": ORGANISERS,
    "ratings": EVERYBODY,
    "player-rating": EVERYBODY,
    "bot-rating": EVERYBODY,
    "new-tournament": ORGANISERS,
    "tournament": EVERYBODY,
    "sums": EVERYBODY,
    "crosstable": EVERYBODY,
    "boards": (404,) * 5,
    "what-if": MEMBERS,
    "history": MEMBERS,
    "entries": EVERYBODY,
    "import-entries": NOBODY_READS,
    "add-pairs": NOBODY_READS,
    "add-players": NOBODY_READS,
    "add-bots": NOBODY_READS,
    "add-late": NOBODY_READS,
    "entry": MEMBERS,
    "entry-act": NOBODY_READS,
    "check-in": MEMBERS,
    "close-check-in": ORGANISERS,
    "open-check-in": NOBODY_READS,
    "arrive": NOBODY_READS,
    "come": EVERYBODY,
    "come-act": NOBODY_READS,
    "draw-lots": NOBODY_READS,
    "clock": NOBODY_READS,
    "draw": ORGANISERS,
    "finish": ORGANISERS,
    "submit-any": MEMBERS,
    "rounds": EVERYBODY,
    "draw-next": NOBODY_READS,
    "undo-points": ORGANISERS,
    "undo": ORGANISERS,
    "draft": ORGANISERS_OF_DRAFTS,
    "throw-away": ORGANISERS_OF_DRAFTS,
    "arrange": NOBODY_READS,
    "round": EVERYBODY,
    "round-board": EVERYBODY,
    "publish-round": ORGANISERS,
    "play-round": NOBODY_READS,
    "close-round": ORGANISERS,
    "own-table": EVERYBODY,
    "desk": MEMBERS,
    "desk-board": MEMBERS,
    "desk-enter": NOBODY_READS,
    "desk-confirm": MEMBERS,
    "match": EVERYBODY,
    "hand": EVERYBODY,
    "submit-record": CONCERNED,
    "correct-result": MEMBERS,
    "open-dispute": CONCERNED,
    "rule-dispute": MEMBERS,
    "report": CONCERNED,
    "report-hands": CONCERNED,
    "confirm-result": NOBODY_READS,
    "take-up": NOBODY_READS,
    "forfeit": MEMBERS,
    "decide": (SIGN_IN, NO, NO, NO, NO),
    "postpone": MEMBERS,
    "resume": NOBODY_READS,
    "record": EVERYBODY,
    "download-record": EVERYBODY,
}
#: What a POST without a word in it answers; the pages that only read refuse it as a method.
POSTED: dict[str, tuple[int, ...]] = {
    "enter-list": ORGANISERS,
    "season-add": (SIGN_IN, NO, NO, NO, 422),
    "season-remove": (SIGN_IN, NO, NO, NO, 404),
    "close-season": (SIGN_IN, NO, NO, NO, 302),
    "import-entries": (SIGN_IN, NO, NO, NO, 409),
    "add-pairs": (SIGN_IN, NO, NO, NO, 409),
    "add-players": (SIGN_IN, NO, NO, NO, 409),
    "add-bots": (SIGN_IN, NO, NO, NO, 409),
    "add-late": (SIGN_IN, NO, NO, NO, 422),
    "entry-act": (SIGN_IN, NO, NO, 302, 302),
    "close-check-in": (SIGN_IN, NO, NO, NO, 302),
    "open-check-in": (SIGN_IN, NO, NO, NO, 302),
    "arrive": (SIGN_IN, NO, NO, 302, 302),
    "come-act": (422,) * 5,
    "draw-lots": (SIGN_IN, NO, NO, NO, 302),
    "clock": (SIGN_IN, NO, NO, 302, 302),
    "draw": (SIGN_IN, NO, NO, NO, 409),
    "finish": (SIGN_IN, NO, NO, NO, 409),
    "publish-round": (SIGN_IN, NO, NO, NO, 409),
    "play-round": (SIGN_IN, NO, NO, NO, 409),
    "draw-next": (422,) * 5,
    "arrange": (404, 404, 404, NO, 302),
    "throw-away": (404, 404, 404, NO, 302),
    "close-round": (SIGN_IN, NO, NO, NO, 409),
    "desk-enter": (SIGN_IN, NO, NO, 422, 422),
    "desk-confirm": (SIGN_IN, NO, NO, 302, 302),
    "confirm-result": (SIGN_IN, NO, 302, 302, 302),
    "take-up": (SIGN_IN, NO, NO, NO, NO),
    "resume": (SIGN_IN, NO, NO, 409, 409),
}
TO_BE_PLAYED = {"report", "report-hands", "postpone"}
DONE = {"entry-act": "check-in", "come-act": "code", "clock": "start"}
OF_SEASONS = {"season", "season-add", "season-remove", "close-season"}
OF_CLUBS = {"club", "ratings", "new-tournament", "bring-tournament", "new-season", "seasons"}
NAMES = [str(pattern.name) for pattern in urlpatterns if isinstance(pattern, URLPattern)]


@pytest.fixture
def scene() -> scenes.Scene:
    return scenes.running()


def address_of(name: str, scene: scenes.Scene) -> str:
    """Write the address of a page in the scene: its tournament, first round, first match."""
    match = scene.matches()[0]
    values: dict[str, Any] = {
        "slug": scene.club.slug if name in OF_CLUBS | OF_SEASONS else scene.tournament.slug,
        "number": 1,
        "pk": match.pk,
    }
    if name in {"record", "download-record"}:
        values["pk"] = match.records.get().pk
    if name in OF_SEASONS:
        values["season"] = create_season(scene.organiser, scene.club, name="Temporada").slug
    if name == "player-rating":
        values["pk"] = scene.club.players.order_by("pk")[0].pk
    if name in {"draft", "throw-away", "arrange"}:
        values |= {"number": len(scene.rounds), "verb": "again"}
    if name in DONE:
        values["verb"] = DONE[name]
    if name == "undo":
        values["pk"] = scene.tournament.restore_points.latest("pk").pk
    if name == "bot-rating":
        values["slug"] = "azar"
    pattern = next(p for p in urlpatterns if isinstance(p, URLPattern) and p.name == name)
    return reverse(name, kwargs={key: values[key] for key in pattern.pattern.converters})


def void(scene: scenes.Scene) -> None:
    """Let the first match be played again."""
    dispute = open_dispute(scene.organiser, scene.matches()[0], "Faltó una baza.")
    rule_on_dispute(scene.organiser, dispute, "void", reason="Se repite.")


def visitor(scene: scenes.Scene, role: str) -> Client:
    client = Client()
    if role:
        client.force_login(scene.users[role])
    return client


def test_every_address_has_its_row_in_the_matrix() -> None:
    assert set(NAMES) == set(MATRIX)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_answers_each_role_as_the_matrix_says(
    name: str, language: str, scene: scenes.Scene
) -> None:
    if name == "rule-dispute":
        open_dispute(scene.organiser, scene.matches()[0], "Faltó una baza.")
    if name in TO_BE_PLAYED:
        void(scene)
    path = address_of(name, scene)
    answers = [visitor(scene, role).get(path, headers=told(language)) for role in ROLES]
    assert tuple(answer.status_code for answer in answers) == MATRIX[name]
    for answer in answers:
        if answer.status_code in {OK, NO} and "html" in answer["Content-Type"]:
            page = answer.content.decode()
            assert f'<html lang="{language}">' in page or name.endswith("-board")


@pytest.mark.parametrize("name", POSTED)
def test_a_post_answers_each_role_as_the_matrix_says(name: str, scene: scenes.Scene) -> None:
    path = address_of(name, scene)
    answers = [visitor(scene, role).post(path) for role in ROLES]
    assert tuple(answer.status_code for answer in answers) == POSTED[name]


@pytest.mark.parametrize("name", [n for n in NAMES if MATRIX[n] == EVERYBODY])
def test_a_page_that_is_only_read_takes_no_post(name: str, scene: scenes.Scene) -> None:
    assert visitor(scene, "organiser").post(address_of(name, scene)).status_code == ONLY_POST


def told(language: str) -> dict[str, str]:
    return {"Accept-Language": language}


@pytest.fixture(autouse=True)
def language_put_back() -> Iterator[None]:
    """Leave the next test the language it starts with."""
    yield
    from django.utils import translation

    translation.deactivate_all()

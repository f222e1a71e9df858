"""The pictures of the guides, taken from the pages themselves: `./baza guide`.

No test of its own accord: it is run by name, when a page that is shown has changed. A club of eight
pairs lives through the first round of a liguilla; every picture is a page of it, in both languages.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from tests.clubs import link_player
from tests.support import scenes
from tournaments import settings as project
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.services import entries, tournaments
from tournaments.director.services.absences import check_in
from tournaments.director.services.draws import draw
from tournaments.domain.scores import Score
from tournaments.models import Entry, Match
from tournaments.results.services.matches import dispute_result
from tournaments.results.services.reports import confirm_result, report_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE: Final = {"width": 960, "height": 600}
TALL: Final = {"width": 360, "height": 640}
MAX_BYTES: Final = 30_000
QUALITIES: Final = (0.85, 0.7, 0.5, 0.3)
FOLDER: Final = Path(project.__file__).parent / "static" / "help"
LANGUAGES: Final = {"es": "es-ES", "en": "en-GB"}
WISH: Final = "entrants=8&who=sides&ruleset=parejas&hours=5&starts=17:00&aim=play_on"
SHRINK: Final = """async ([picture, quality]) => {
  const drawn = new Image();
  drawn.src = "data:image/png;base64," + picture;
  await drawn.decode();
  const canvas = document.createElement("canvas");
  canvas.width = drawn.width;
  canvas.height = drawn.height;
  canvas.getContext("2d").drawImage(drawn, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""
"""The browser itself writes WebP."""


class Camera:
    """A browser, in one language, that takes pictures."""

    def __init__(self, browser: Browser, address: str, language: str, screen: Any) -> None:
        self.context = browser.new_context(
            locale=LANGUAGES[language],
            viewport=screen,
            reduced_motion="reduce",
            service_workers="block",
        )
        self.address, self.language = address, language
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(60_000)

    def sign_in(self, **options: Any) -> None:
        """Take over a signed-in session, or one with the code of an entry."""
        session = SessionStore()
        session.update(options)
        session.save()
        name, key = settings.SESSION_COOKIE_NAME, str(session.session_key)
        self.context.add_cookies([{"name": name, "value": key, "url": self.address}])

    def shoot(self, name: str, path: str, *, at: str = "") -> None:
        """Take a picture of what a screen shows of a page, from ``at`` on."""
        self.page.goto(self.address + path)
        self.page.evaluate("document.fonts.ready")
        if at:
            self.page.locator(at).first.evaluate("found => found.scrollIntoView()")
        picture = base64.b64encode(self.page.screenshot()).decode()
        empty = self.context.new_page()
        tries = (
            base64.b64decode(empty.evaluate(SHRINK, [picture, quality])) for quality in QUALITIES
        )
        small = next(image for image in tries if len(image) <= MAX_BYTES)
        empty.close()
        folder = FOLDER / self.language
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.webp").write_bytes(small)


@pytest.fixture
def camera(browser: Browser, live_server: LiveServer) -> Iterator[Callable[..., Camera]]:
    """Give a function that hands out cameras."""
    cameras: list[Camera] = []

    def make(language: str, screen: Any) -> Camera:
        cameras.append(Camera(browser, live_server.url, language, screen))
        return cameras[-1]

    yield make
    for open_camera in cameras:
        open_camera.context.close()


def session_of(user: Any) -> dict[str, Any]:
    """What a session stores for a signed-in user."""
    return {
        "_auth_user_id": str(user.pk),
        "_auth_user_backend": "django.contrib.auth.backends.ModelBackend",
        "_auth_user_hash": user.get_session_auth_hash(),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guides_show_the_pages_as_they_are(
    language: str, camera: Callable[..., Camera]
) -> None:
    club, users = scenes.open_club()
    organiser = Actor.for_user(users["organiser"])
    tournament = tournaments.create_tournament(organiser, club, "Liguilla de otoño")
    entries.import_entries(organiser, tournament, scenes.PLAYERS, scenes.PAIRS)
    link_player(organiser, club.players.get(code="J01"), users["player"])
    scene = scenes.Scene(club, tournament, users)
    home = f"/t/{tournament.slug}/"
    desk, phone = camera(language, WIDE), camera(language, TALL)
    desk.sign_in(**session_of(users["organiser"]))
    desk.shoot("propose", f"/clubs/{club.slug}/tournaments/propose/?{WISH}", at="h1")
    desk.shoot("entries", f"{home}entries/", at="h1")
    came = list(tournament.entries.with_players().select_related("tournament__club"))
    for entry in came[:5]:
        check_in(organiser, entry)
    desk.shoot("check-in", f"{home}check-in/", at="h1")
    scene.tournament = draw(organiser, tournament)
    desk.shoot("draft", f"{home}rounds/1/draft/", at="h1")
    tournaments.publish_round(organiser, scene.rounds[0])
    desk.shoot("round", f"{home}rounds/1/", at="h1")
    matches = scene.matches()
    play_a_round(scene, matches)
    desk.shoot("desk", f"{home}control/", at=".control")
    desk.shoot("standings", home, at="h1")
    desk.shoot("print", f"{home}print/", at="h1")
    at_a_table(phone, home, matches[2])
    dispute_result(organiser, matches[0], "Las diez de últimas de la mano 2 eran nuestras.")
    desk.shoot("dispute", f"{home}control/", at="h1")


def play_a_round(scene: scenes.Scene, matches: list[Match]) -> None:
    """Tables 1 and 2 are played and confirmed, table 3 waits to be."""
    for match, hands in zip(matches[:3], ((3, 1), (2, 3), (3, 0)), strict=True):
        points = (65 * hands[0] + 60 * hands[1], 65 * hands[1] + 60 * hands[0])
        report_result(Actor.for_entry(match.home), match, score=Score.of(hands, points))
    for match in matches[:2]:
        match.refresh_from_db()
        confirm_result(scene.organiser, match)


def at_a_table(phone: Camera, home: str, match: Match) -> None:
    """What either side of a match sees on its phone."""
    assert match.away
    away = Entry.objects.get(pk=match.away.pk)
    phone.shoot("come", f"{home}come/", at="h1")
    phone.sign_in(**{ENTRY_CODES: {away.tournament.slug: away.code}})
    phone.shoot("confirm", f"{home}table/", at="h1")
    other = Match.objects.filter(round=match.round_id, state="pending")[0]
    waiting = Entry.objects.get(pk=other.home_id)
    phone.page.goto("about:blank")  # an open table would go on to the form for the code by itself
    phone.context.clear_cookies()
    phone.sign_in(**{ENTRY_CODES: {waiting.tournament.slug: waiting.code}})
    phone.shoot("table", f"{home}table/", at="h1")
    phone.shoot("report", f"/matches/{other.pk}/report/", at="h1")

"""All pictures of README and documents: `./baza guide --all`, before a release.

No test of its own accord: it is run by name. The club is that of `tests.e2e.test_every_page`; every
picture is what a screen shows of a page, in Spanish and light or in English and dark. Those of
`docs/clubs/from-poster-to-prize.md` have a club of their own, README has the demo club. When all
are drawn, the digest of the style sheets is noted beside them (`tools/pictures.py`).
"""

from __future__ import annotations

import base64
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

import engine
from tests.analysing import analyse_all, analyse_hand
from tests.e2e.guide import SHRINK, TALL, WIDE, Camera
from tests.e2e.guide import session_of as session_of_user
from tests.e2e.test_every_page import (  # noqa: F401 - `scene` is a fixture
    BY_CODE,
    ORGANISER,
    Addresses,
    Look,
    scene,
    session_of,
)
from tests.support import rich, scenes
from tools.pictures import note_digest
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.services.draws import draw
from tournaments.director.services.posting import post_tournament
from tournaments.director.services.settings import NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.scores import Score
from tournaments.management import demo_year
from tournaments.management.commands import demo
from tournaments.models import Match, Round, Tournament
from tournaments.results.services.reports import report_result
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.money import pay
from tournaments.signup.services.requests import Application, leave, set_sign_up, sign_up
from tournaments.standings.services.prizes import NewPrize, set_prizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLDER: Final = Path(__file__).parents[2] / "docs" / "images" / "pages"
QUALITY: Final = 0.6
MAX_BYTES: Final = 6_000_000
"""All pictures together."""
SCREENS: Final[dict[str, Any]] = {
    "phone": {"width": 360, "height": 740},
    "desktop": {"width": 1280, "height": 860},
}
WISH: Final = "?entrants=12&who=sides&ruleset=parejas&hours=4&starts=17:00&aim=play_on"
SHOWN: Final[dict[str, tuple[str, Look]]] = {
    "home": ("home", Look()),
    "club": ("club", Look(ORGANISER)),
    "propose": ("propose", Look(ORGANISER, query=WISH)),
    "new-tournament": ("new-tournament", Look(ORGANISER, query="?plan=suizo")),
    "standings": ("tournament", Look()),
    "standings-of-bots": ("tournament", Look("", rich.BOTS)),
    "sums": ("sums", Look()),
    "crosstable": ("crosstable", Look()),
    "rounds-table": ("crosstable", Look("", rich.SWISS)),
    "bracket": ("crosstable", Look("", rich.CUP)),
    "guide-cards": ("crosstable", Look("", rich.DUPLICATE)),
    "rounds": ("rounds", Look(ORGANISER)),
    "round": ("round", Look(ORGANISER, number=3)),
    "entries": ("entries", Look(ORGANISER, rich.DOOR)),
    "entry": ("entry", Look("arbiter")),
    "check-in": ("check-in", Look(ORGANISER, rich.DOOR)),
    "draft": ("draft", Look(ORGANISER, rich.SWISS, 2)),
    "desk": ("desk", Look("arbiter")),
    "dispute": ("rule-dispute", Look("arbiter", match="disputed")),
    "correction": ("correct-result", Look("arbiter", match="decided")),
    "match": ("match", Look()),
    "hand": ("hand", Look()),
    "own-table": ("own-table", Look(BY_CODE)),
    "report": ("report", Look(BY_CODE, match="own")),
    "recorder": ("recorder", Look(BY_CODE, match="own")),
    "player": ("player", Look()),
    "head-to-head": ("head-to-head", Look()),
    "ratings": ("ratings", Look()),
    "statistics": ("statistics", Look()),
    "luck": ("luck", Look()),
    "comparison": ("comparison", Look("", rich.BOTS)),
    "bots": ("bots", Look()),
    "season": ("season", Look()),
    "screens": ("screens", Look()),
    "projector": ("screen", Look()),
    "share-card": ("share-card", Look()),
    "paste": ("enter-list", Look(ORGANISER, rich.DOOR)),
    "print": ("print", Look(ORGANISER)),
    "undo": ("restore-points", Look(ORGANISER, rich.SWISS)),
    "files": ("files", Look(ORGANISER)),
    "rules": ("rules", Look()),
    "try-position": ("try-position", Look()),
    "help": ("help-organisers", Look()),
}
"""The pages by the name of their picture: the route, and as whom it is seen."""


@pytest.fixture(scope="module", autouse=True)
def noted_digest(request: pytest.FixtureRequest) -> Iterator[None]:
    """Note the digest of the style sheets once all pictures are drawn."""
    yield
    if not request.session.testsfailed:
        note_digest()


@pytest.mark.parametrize(("language", "scheme"), [("es", "light"), ("en", "dark")])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_main_pages_are_shown_as_they_are(
    scene: rich.RichClub,  # noqa: F811
    live_server: LiveServer,
    browser: Browser,
    screen: str,
    language: str,
    scheme: Any,
) -> None:
    addresses, pages = Addresses(scene), {}
    folder = FOLDER / language
    folder.mkdir(parents=True, exist_ok=True)
    for name, (route, look) in SHOWN.items():
        if look.who not in pages:
            context = browser.new_context(
                viewport=SCREENS[screen],
                locale=language,
                color_scheme=scheme,
                reduced_motion="reduce",
                service_workers="block",
            )
            if look.who:
                cookie = settings.SESSION_COOKIE_NAME, session_of(look.who, scene), live_server.url
                names = ("name", "value", "url")
                context.add_cookies([dict(zip(names, cookie, strict=True))])  # type: ignore[list-item]
            pages[look.who] = context.new_page()
        page = pages[look.who]
        page.goto(live_server.url + addresses.of(route, look))
        page.evaluate("document.fonts.ready")
        (folder / f"{name}-{screen}.webp").write_bytes(small(page))
    for page in pages.values():
        page.context.close()
    assert sum(picture.stat().st_size for picture in FOLDER.rglob("*.webp")) <= MAX_BYTES


def small(page: Page) -> bytes:
    """Return what the screen shows, as WebP."""
    picture = base64.b64encode(page.screenshot()).decode()
    empty = page.context.new_page()
    webp = base64.b64decode(empty.evaluate(SHRINK, [picture, QUALITY]))
    empty.close()
    return webp


# --- From poster to prize -------------------------------------------------------------------------

WALK: Final = FOLDER.parent / "from-poster-to-prize"
PAIRS: Final = (
    ("Ana Gil", "Luis Sanz"),
    ("Eva Ruiz", "Pepe Cano"),
    ("Rosa Vela", "Julio Mir"),
    ("Marta Sol", "Iván Prat"),
    ("Nuria Bel", "Óscar Lis"),
)


class Walk:
    """A posted tournament with four places, for which five pairs have signed up."""

    def __init__(self, browser: Browser, address: str) -> None:
        club, users = scenes.open_club()
        self.organiser = Actor.for_user(users["organiser"])
        begins_at = timezone.localtime().replace(hour=17, minute=0) + timedelta(days=9)
        announced = {
            "begins_at": begins_at,
            "place": "Casino de Zaragoza",
            "rules_text": "En la cuota entra la merienda. Quien llegue tarde pierde la partida.",
        }
        new = NewTournament(announcement=announced)
        self.tournament = create_tournament(self.organiser, club, "Torneo de feria", new)
        opened = {"opens_at": timezone.now() - timedelta(days=1), "places": 4, "fee_cents": 2000}
        set_sign_up(self.organiser, self.tournament, opened)
        prizes = (NewPrize(1, 1, cents=4800), NewPrize(2, 2, text="Jamón", per="person"))
        set_prizes(self.organiser, self.tournament, prizes)
        post_tournament(self.organiser, self.tournament)
        self.requests = [
            sign_up(Actor.anonymous(), self.tournament, Application(names, contact="600 100 200"))
            for names in PAIRS
        ]
        self.desk = Camera(browser, address, "en", WIDE)
        self.desk.sign_in(**session_of_user(users["organiser"]))
        self.phone = Camera(browser, address, "en", TALL)
        codes = {self.tournament.slug: self.requests[-1].code}
        self.phone.sign_in(**{ENTRY_CODES: codes})

    def shoot(self, camera: Camera, name: str, path: str) -> None:
        """Take a picture of a page of the tournament."""
        camera.page.goto(f"{camera.address}/t/{self.tournament.slug}/{path}")
        camera.page.evaluate("document.fonts.ready")
        (WALK / f"{name}.webp").write_bytes(small(camera.page))

    def play(self) -> None:
        """Play all rounds; of two the one that entered first wins."""
        self.tournament = draw(self.organiser, Tournament.objects.get())
        for round_ in Round.objects.order_by("number"):
            publish_round(self.organiser, round_)
            for match in Match.objects.filter(round=round_).select_related("home", "away"):
                hands = (3, 1) if match.away and match.home.number < match.away.number else (1, 3)
                report_result(self.organiser, match, score=Score.of(hands, (0, 0)))
            close_round(self.organiser, Round.objects.get(pk=round_.pk))


def test_the_way_from_poster_to_prize_is_shown(browser: Browser, live_server: LiveServer) -> None:
    WALK.mkdir(parents=True, exist_ok=True)
    walk = Walk(browser, live_server.url)
    walk.shoot(walk.phone, "poster", "poster/")
    walk.shoot(walk.phone, "waiting", "sign-up/mine/")
    leave(Actor(codes=((walk.tournament.slug, walk.requests[1].code),)), walk.requests[1])
    walk.shoot(walk.phone, "in", "sign-up/mine/")
    walk.shoot(walk.desk, "list", "sign-ups/")
    pay(walk.organiser, walk.requests[0])
    walk.shoot(walk.desk, "money", "money/")
    walk.shoot(walk.desk, "enter", "sign-ups/enter/")
    close_sign_up(walk.organiser, walk.tournament)
    walk.play()
    finish(walk.organiser, Tournament.objects.get())
    walk.shoot(walk.desk, "ceremony", "prizes/ceremony/")
    walk.shoot(walk.desk, "podium", "screen/?show=podium")
    walk.shoot(walk.desk, "card", "card.png")
    for camera in (walk.desk, walk.phone):
        camera.context.close()


# --- The demo club --------------------------------------------------------------------------------

DEMO: Final = FOLDER.parent / "demo"


def test_readme_shows_the_demo_club(
    browser: Browser,
    live_server: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand)
    settings.VAR = tmp_path
    call_command("demo", no_bots=True, stdout=StringIO())
    analyse_all()
    DEMO.mkdir(parents=True, exist_ok=True)
    match = Match.objects.filter(round__stage__tournament__slug=demo.LIGUILLA).order_by("pk")[0]
    for name, path in (
        ("front", "/"),
        ("standings", f"/t/{demo.LIGUILLA}/"),
        ("bracket", f"/t/{demo_year.CUP}/crosstable/"),
        ("hand", f"/matches/{match.pk}/hands/1/#t=12"),
    ):
        camera = Camera(browser, live_server.url, "es", SCREENS["desktop"])
        camera.page.goto(live_server.url + path)
        camera.page.evaluate("document.fonts.ready")
        (DEMO / f"{name}.webp").write_bytes(small(camera.page))
        camera.context.close()

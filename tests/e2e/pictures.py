"""Pictures of the main pages for the documentation: `./baza guide --all`.

No test of its own accord: it is run by name. The club is that of `tests.e2e.test_every_page`; every
picture is what a screen shows of a page, in Spanish and light or in English and dark.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.conf import settings

from tests.e2e.guide import SHRINK
from tests.e2e.test_every_page import (  # noqa: F401 - `scene` is a fixture
    BY_CODE,
    ORGANISER,
    Addresses,
    Look,
    scene,
    session_of,
)
from tests.support import rich

if TYPE_CHECKING:
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
    "print": ("print", Look(ORGANISER)),
    "undo": ("restore-points", Look(ORGANISER, rich.SWISS)),
    "files": ("files", Look(ORGANISER)),
    "rules": ("rules", Look()),
    "try-position": ("try-position", Look()),
    "help": ("help-organisers", Look()),
}
"""The pages by the name of their picture: the route, and as whom it is seen."""


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

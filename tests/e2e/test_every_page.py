"""Every page that can be opened, looked over on a phone and on a desktop.

Pages come from the routes themselves, and who may see them from the matrix of
`tests.web.test_doors`: a new route is walked as soon as it is there. Where the usual values do not
lead to a page, or more than one look is worth while, the route has its looks in `LOOKS`.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

import engine
from tests.analysing import analyse_hand
from tests.e2e.conftest import DESK, barriers
from tests.quick import long
from tests.support import rich
from tests.support.routes import page_patterns
from tests.support.scenes import Scene
from tests.web.test_doors import MATRIX, NOBODY_READS, OK, ROLES, of_accounts, of_webhooks
from tournaments.core.views import ENTRY_CODES
from tournaments.models import Entry, HandAnalysis, Match, Tournament, VersionComparison

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import (
        Browser,
        BrowserContext,
        ConsoleMessage,
        Page,
        Request,
        Response,
    )
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BY_CODE: Final = "by code"
"""A visitor with the code of an entry, without an account."""
PHONE: Final[Any] = {"width": 360, "height": 800}
ROUTES: Final = {p.name: p for p in page_patterns}
EVERY_RULE: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_THE_SCREEN: Final = ["color-contrast", "target-size", "scrollable-region-focusable"]
"""What can be otherwise on another screen and in other colours; the rest is the same page."""
TARGET: Final = 44
"""Pixels that a finger needs, at least in height."""
CLOSE: Final = 24
"""Pixels of what is pressed with a mouse in the rows of a table (WCAG 2.2, 2.5.8)."""


@dataclass(frozen=True)
class Look:
    """A look at a route: as whom, and where the usual values do not do, with which."""

    who: str = ""
    slug: str = ""
    number: int = 1
    match: str = "played"
    query: str = ""
    part: str = ""
    verb: str = ""


ORGANISER: Final = "organiser"
LOOKS: Final[dict[str, tuple[Look, ...]]] = {
    "home": (Look(), Look(ORGANISER)),
    "end-news": (Look(),),
    "search": (Look(query="?q=mar"),),
    "find": (Look(query="?who=mar"),),
    "login": (Look(),),
    "new-club": (Look("staff"),),
    "club": (Look(), Look(ORGANISER)),
    "new-tournament": (Look(ORGANISER), Look(ORGANISER, query="?plan=suizo")),
    "tournament": tuple(
        Look(role, slug)
        for role, slug in (
            ("", rich.LIGUILLA),
            (ORGANISER, rich.LIGUILLA),
            (ORGANISER, rich.DOOR),
            ("", rich.CUP),
            ("", rich.DUPLICATE),
            ("", rich.BOTS),
        )
    ),
    "tournament-settings": (Look(ORGANISER), Look(ORGANISER, rich.DOOR)),
    "discard": (Look(ORGANISER), Look(ORGANISER, rich.DOOR)),
    "crosstable": tuple(
        Look("", slug) for slug in (rich.LIGUILLA, rich.SWISS, rich.CUP, rich.DUPLICATE)
    ),
    "rounds": (Look(), Look(ORGANISER), Look(ORGANISER, rich.SWISS)),
    "round": tuple(
        Look(role, slug, number)
        for role, slug, number in (
            ("", rich.LIGUILLA, 1),
            (ORGANISER, rich.LIGUILLA, 3),
            ("", rich.BOTS, 1),
            (ORGANISER, rich.BOTS, 1),
        )
    ),
    "entries": (Look(), Look(ORGANISER), Look(ORGANISER, rich.DOOR), Look(ORGANISER, rich.SWISS)),
    "entry": (Look("arbiter"), Look(ORGANISER, rich.SWISS)),
    "check-in": (Look(ORGANISER, rich.DOOR),),
    "close-check-in": (Look(ORGANISER, rich.DOOR),),
    "come": (Look(slug=rich.DOOR),),  # with a code it leads on to the table
    "own-table": (Look(), Look(BY_CODE)),
    "draw": (Look(ORGANISER, rich.DOOR),),
    "set-plan": (Look(ORGANISER, rich.DOOR),),
    "draws": (Look(), Look(ORGANISER, rich.DOOR)),
    "draw-stage": (Look(ORGANISER, rich.DOOR),),
    "publish-round": (Look(ORGANISER, number=4),),
    "draft": (Look(ORGANISER, rich.SWISS, 2),),
    "discard-round": (Look(ORGANISER, rich.SWISS, 2),),
    "restore-points": (Look(ORGANISER, rich.SWISS),),
    "go-back": (Look(ORGANISER, rich.SWISS),),
    "boards": (Look("", rich.DUPLICATE), Look(ORGANISER, rich.DUPLICATE)),
    "round-deals": (Look("", rich.SINGLE),),
    "round-progress": (Look("", rich.BOTS),),
    "comparison": (Look("", rich.BOTS),),
    "bot-comparison": (Look(ORGANISER, rich.COMPARED),),
    "comparison-records": (Look(ORGANISER, rich.COMPARED),),
    "change-comparison": (Look(ORGANISER, rich.COMPARED, verb="keep"),),
    "bot-compare": (Look(ORGANISER, rich.COMPARED),),
    "arena-csv": (Look("", rich.BOTS, part="bots"),),
    "arena-pair": (Look("", rich.BOTS),),
    "arena": (Look(), Look("staff")),
    "schedule": (Look(ORGANISER, rich.BOTS),),
    "what-if": (Look(ORGANISER), Look(ORGANISER, query="?match={match}&home_hands=0&away_hands=3")),
    "match": tuple(
        Look(role, match=match)
        for role, match in (
            ("", "played"),
            ("player", "own"),
            (BY_CODE, "own"),
            (ORGANISER, "reported"),
            ("arbiter", "disputed"),
            ("", "decided"),
            ("", "put off"),
        )
    ),
    "report": (Look("player", match="own"), Look(BY_CODE, match="own")),
    "report-hands": (Look("player", match="own"),),
    "recorder": (Look("player", match="own"), Look(BY_CODE, match="own")),
    "submit-record": (Look("player", match="own"),),
    "postpone": (Look("arbiter", match="own"),),
    "forfeit": (Look("arbiter", match="own"),),
    "rule-dispute": (Look("arbiter", match="disputed"),),
    "correct-result": (Look("arbiter", match="decided"),),
    "own-deals": (Look("", rich.DUPLICATE),),
    "print-guides": (Look("", rich.DUPLICATE),),
    "print-slips": (Look(ORGANISER, rich.DUPLICATE),),
    "print-deals": (Look(ORGANISER, rich.DUPLICATE),),
    "print-seats": (Look(ORGANISER, rich.DUPLICATE),),
    "print-personal": (Look(ORGANISER, rich.DUPLICATE),),
    "print-diplomas": (Look(ORGANISER),),
    "print-round": (Look(number=3), Look(ORGANISER, number=3)),
    "try-again": (Look(),),
    "connect-bot": (Look(ORGANISER, rich.REMOTE),),
    "bot-rating": (Look("", "azar"),),
    "bot-results": (Look("", "azar"),),
}
MAIN: Final[dict[str, Look]] = {
    "home": Look(),
    "login": Look(),
    "club": Look(),
    "new-tournament": Look(ORGANISER, query="?plan=suizo"),
    "tournament": Look(),
    "crosstable": Look("", rich.CUP),
    "rounds": Look(ORGANISER),
    "round": Look(number=3),
    "entries": Look(ORGANISER, rich.DOOR),
    "entry": Look("arbiter"),
    "check-in": Look(ORGANISER, rich.DOOR),
    "control": Look(ORGANISER),
    "draft": Look(ORGANISER, rich.SWISS, 2),
    "match": Look(),
    "hand": Look(),
    "own-table": Look(BY_CODE),
    "report": Look(BY_CODE, match="own"),
    "recorder": Look(BY_CODE, match="own"),
    "rule-dispute": Look("arbiter", match="disputed"),
    "correct-result": Look("arbiter", match="decided"),
    "player": Look(),
    "ratings": Look(),
    "statistics": Look(),
    "season": Look(),
    "bots": Look(),
    "screens": Look(),
    "rules": Look(),
    "help-organisers": Look(),
}
"""Pages that most people see: in each language, in light colours, on the narrowest screen.

Dark colours, which are the same in each language, are those of the walk over every page.
"""
NARROW: Final[Any] = {"width": 320, "height": 640}
MAX_BYTES: Final = 120_000
"""What a first view of a main page may weigh, compressed (docs/contributors/pages-quality.md)."""
PACKED: Final = (".woff2", ".webp")
"""Files that are compressed already."""
PARTS: Final = {name for name in ROUTES if name and name.endswith(("-board", "-progress"))} | {
    "control-table",
    "last-trick",
}
"""What a page asks for again and again: a piece of it, without a frame."""
NOT_TO_BE_SEEN: Final = {
    "decide",
    "second-step",
    "first-account",
    "sign-up",
    "sign-up-link",
    "sign-up-ticket",
    "sign-up-data",
    "own-request",
    "close-sign-up",
    "end-news",
    "address-code",
    "club-picture",
    "push",
    "push-worker",
    "favicon",
    "oembed",
    "change-day",
    "print-week",
    "propose-day",
}
"""Pages that need a level match, no account, an address, a day or a list that takes names.

Each has tests of its own; those of the sign-up are walked by `test_competition`.
"""
READ: Final = sorted(
    str(name)
    for name in ROUTES
    if MATRIX.get(str(name)) != NOBODY_READS and name not in NOT_TO_BE_SEEN
)


def looks_at(name: str) -> tuple[Look, ...]:
    """Return the looks at a route: without any of its own, as who sees it with the least rights."""
    if name in LOOKS:
        return LOOKS[name]
    answers = MATRIX.get(name, ())
    assert answers, f"{name}: a route without a row in the matrix of tests/web/test_doors.py"
    assert OK in answers or 204 in answers, f"{name}: say in LOOKS how it is seen"
    return (Look(ROLES[answers.index(OK if OK in answers else 204)]),)


@dataclass(frozen=True)
class Addresses:
    """Where the routes lead in the rich club."""

    scene: rich.RichClub

    def of(self, name: str, look: Look) -> str:
        """Write the address of a route for a look at it."""
        pattern = ROUTES[name].pattern
        text = str(pattern)
        match = self.scene.matches[look.match]
        values: dict[str, Any] = {
            "slug": look.slug or self.slug(text),
            "number": look.number,
            "pk": self.pk(text, look),
            "season": rich.SEASON,
            "part": look.part,
            "what": look.part or "all",
            "verb": look.verb,
            "one": 1,
            "other": 2,
            "secret": "secret",
            "payer": "entry",
            "table": "standings",
            "kind": "csv",
            "ruleset": "cuatro",
            "token": "token",
        }
        if "card" in pattern.converters:
            values["card"] = self.card(match)
        values |= of_accounts(name, self.scene.club, self.scene.users)
        values |= of_webhooks(name, Scene(self.scene.club, match.tournament, self.scene.users))
        path = reverse(name, kwargs={key: values[key] for key in pattern.converters})
        return path + look.query.format(match=match.pk)

    def card(self, match: Match) -> int:
        """Return the first card of a match's first hand that can be tried again."""
        row = HandAnalysis.objects.get(hands__hand__record__match=match, hands__hand__number=1)
        return next(play.token for play in row.hand_analysis.plays if play.figures)

    def slug(self, pattern: str) -> str:
        """Return the usual slug at this place."""
        first = pattern.split("/", maxsplit=1)[0]
        return {"clubs": self.scene.club.slug, "bots": rich.PROGRAM}.get(first, rich.LIGUILLA)

    def pk(self, pattern: str, look: Look) -> int:
        """Return the key of the row that a route is about."""
        first = pattern.split("/", maxsplit=1)[0]
        club, match = self.scene.club, self.scene.matches[look.match]
        if first == "players":
            return club.players.get(code="J01").pk
        if first == "pairs":
            return club.pairs.order_by("code")[0].pk
        if first == "records":
            return match.records.get().pk
        if first == "bots":
            return VersionComparison.objects.get().pk
        if pattern.startswith("t/<slug:slug>/restore-points/"):
            return Tournament.objects.get(slug=look.slug).restore_points.latest("pk").pk
        return match.pk


class Reader:
    """A reader in a language at a screen; collects the errors of the browser."""

    def __init__(
        self, context: BrowserContext, address: str, language: str, rules: list[str]
    ) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(10_000)
        self.address, self.language = address, language
        self.rules = rules
        self.complaints: list[str] = []
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", self.receive)
        self.fetched: list[Request] = []
        self.page.on("requestfinished", lambda one: self.fetched.append(one))  # noqa: PLW0108 - Playwright wraps no builtin

    def hear(self, message: ConsoleMessage) -> None:
        """Note what the console says; a breach of the content policy is said there too."""
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def receive(self, response: Response) -> None:
        """Note a file that the page asked for in vain."""
        if response.status >= 400:
            self.complaints.append(f"{response.status} {response.url}")

    def weight(self) -> int:
        """Return the bytes of the page and its files, compressed as they are sent."""
        answers = [response for request in list(self.fetched) if (response := request.response())]
        return sum(
            len(answer.body() if answer.url.endswith(PACKED) else gzip.compress(answer.body()))
            for answer in answers
            if answer.ok
        )

    def look_over(self, path: str) -> None:
        """Open a page and say all that is wrong with it."""
        self.complaints.clear()
        answer = self.page.goto(self.address + path)
        assert answer is not None
        assert answer.status == 200
        wrong = [*self.frame(), *self.width(), *barriers(self.page, self.rules)]
        wrong += [*self.small(), *self.focus(), *self.complaints]
        assert not wrong, path + "\n" + "\n".join(wrong)

    def frame(self) -> Iterator[str]:
        """Find a page without its heading, its title or its language."""
        report = self.page.evaluate(
            """[document.documentElement.lang, document.title.replace("Baza", "").trim(),
                [...document.querySelectorAll("h1")].filter(h => h.innerText.trim()).length]"""
        )
        if report[0] != self.language:
            yield f"in {report[0]!r}, not in {self.language!r}"
        if len(report[1]) < 4:
            yield f"titled {report[1]!r}"
        if report[2] != 1:
            yield f"{report[2]} main headings"

    def width(self) -> Iterator[str]:
        """Find a page that has to be pushed sideways."""
        wide, screen = self.page.evaluate(
            "[document.documentElement.scrollWidth, window.innerWidth]"
        )
        if wide > screen:
            yield f"{wide} pixels wide on a screen of {screen}"

    def small(self) -> Iterator[str]:
        """Find what is to be pressed and is smaller than a finger."""
        yield from self.page.evaluate(
            """([finger, close]) => [...document.querySelectorAll(
                "main button, main .button, main summary, main select, main textarea,"
                + " main input:not([type=hidden], [type=checkbox], [type=radio], [type=range])")]
                .filter(one => one.checkVisibility() && !one.closest("p, td .mark"))
                .map(one => [one, one.getBoundingClientRect()])
                .filter(([one, box]) => box.height > 0 && box.height < (
                    innerWidth >= 960 && one.closest("td, .control") ? close : finger) - 0.5)
                .map(([one, box]) => `${Math.round(box.height)} pixels high: `
                    + one.outerHTML.slice(0, 90))""",
            [TARGET, CLOSE],
        )

    def focus(self) -> Iterator[str]:
        """Find that the first press of Tab is not seen."""
        self.page.keyboard.press("Tab")
        focus_report = self.page.evaluate(
            """() => { const at = document.activeElement, style = getComputedStyle(at);
                const box = at.getBoundingClientRect();
                if (!document.querySelector("a[href], button, input, select, summary")) return true;
                return at !== document.body && box.bottom > 0 && box.width > 0
                    && (style.outlineStyle !== "none" && style.outlineWidth !== "0px"
                        || style.boxShadow !== "none"); }"""
        )
        if not focus_report:
            yield "after the first Tab nothing is seen to have the focus"


def session_of(role: str, scene: rich.RichClub) -> str:
    """Return the session of a signed-in user, or of the holder of an entry's code."""
    if role == BY_CODE:
        session = SessionStore()
        home = scene.matches["own"].home
        session[ENTRY_CODES] = {rich.LIGUILLA: Entry.objects.get(pk=home.pk).code}
        session.save()
        return str(session.session_key)
    client = Client()
    client.force_login(scene.users[role])
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@pytest.fixture
def scene(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> rich.RichClub:
    """The club where everything has happened."""
    cache.clear()
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand, raising=False)
    return rich.rich_club()


@pytest.mark.parametrize(
    ("screen", "language", "scheme", "rules"),
    [(PHONE, "es", "dark", EVERY_RULE), *long([(DESK, "en", "light", OF_THE_SCREEN)])],
    ids=["phone", "desktop"],
)
def test_every_page_is_right(
    scene: rich.RichClub,
    live_server: LiveServer,
    browser: Browser,
    subtests: pytest.Subtests,
    screen: Any,
    language: str,
    scheme: Any,
    rules: list[str],
) -> None:
    readers: dict[str, Reader] = {}
    addresses = Addresses(scene)

    def reader(role: str) -> Reader:
        if role not in readers:
            context = browser.new_context(
                viewport=screen, locale=language, color_scheme=scheme, reduced_motion="reduce"
            )
            if role:
                cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session_of(role, scene)}
                context.add_cookies([{**cookie, "url": live_server.url}])  # type: ignore[typeddict-item]
            readers[role] = Reader(context, live_server.url, language, rules)
        return readers[role]

    for name in READ:
        looks: tuple[Look, ...] = ()
        with subtests.test(name):
            looks = looks_at(name)
        for number, look in enumerate(looks, 1):
            with subtests.test(f"{name} {number}, {look.who or 'nobody'}"):
                path = addresses.of(name, look)
                if is_page(name, path, session_of(look.who, scene) if look.who else ""):
                    reader(look.who).look_over(path)
    for open_reader in readers.values():
        open_reader.page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("language", [*long(["es", "en"]), "de"])
def test_main_pages_are_right_in_every_language_on_a_narrow_screen(
    scene: rich.RichClub,
    live_server: LiveServer,
    browser: Browser,
    subtests: pytest.Subtests,
    language: str,
) -> None:
    addresses = Addresses(scene)
    weights: dict[str, int] = {}
    for name, look in MAIN.items():
        context = browser.new_context(viewport=NARROW, locale=language, reduced_motion="reduce")
        if look.who:
            cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session_of(look.who, scene)}
            context.add_cookies([{**cookie, "url": live_server.url}])  # type: ignore[typeddict-item]
        with subtests.test(name):
            reader = Reader(context, live_server.url, language, OF_THE_SCREEN)
            reader.look_over(addresses.of(name, look))
            weights[name] = reader.weight()
        context.close()
    print(sorted(weights.items(), key=lambda one: -one[1]))
    heavy = {n: size for n, size in weights.items() if size > MAX_BYTES}
    assert not heavy


def is_page(name: str, path: str, session: str) -> bool:
    """Return whether this is a page, not a file or a part; it must be there in any case."""
    client = Client()
    if session:
        client.cookies[settings.SESSION_COOKIE_NAME] = session
    response = client.get(path)
    assert response.status_code in ({200, 204} if name in PARTS else {200}), f"{path}: {response}"
    if "html" not in response.headers.get("Content-Type", ""):
        return False
    framed = b"<html" in b"".join(response)
    assert framed != (name in PARTS), f"{path}: a page without a frame, or a part with one"
    return framed

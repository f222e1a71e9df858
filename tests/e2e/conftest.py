"""A visitor at a real browser, who notices what a page does wrong in use."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import ConsoleMessage, Page, expect

from tests.quick import long

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_django.live_server_helper import LiveServer

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
SCREENS = {"phone": PHONE, "desk": DESK}


def screens(first: str, second: str) -> pytest.MarkDecorator:
    """Have a test visit on a screen, and on the second one with --long.

    Forms and links lead the same way on each. What can be otherwise on another screen, such as
    width, targets and contrast, `test_every_page` looks at on every page.
    """
    names = [first, second]
    return pytest.mark.parametrize("screen", [SCREENS[first], *long([SCREENS[second]])], ids=names)


LIVE = 30_000
"""Milliseconds in which a page that follows has looked, and again if it was being written."""

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa")

# Without `resultTypes` axe describes every element that is right, and with `preload` it reads the
# style sheets again, for a rule that is not asked for: together half of the seconds of a look.
FIND_BARRIERS = """async (rules) => {
    const options = { runOnly: rules, resultTypes: ["violations"], preload: false };
    const { violations } = await axe.run(options);
    return violations.flatMap(({ id, nodes }) => nodes.map(
        ({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}"""


def barriers(page: Page, rules: Sequence[str] = RULES) -> list[str]:
    """Return what some cannot read or reach, by rules or tags of axe."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(FIND_BARRIERS, rules)
    return found


@pytest.fixture(scope="session", autouse=True)
def surroundings_of_a_browser() -> None:
    """Let tests read rows while playwright's loop runs in their thread; it stays so to the end."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=LIVE)


class Visitor:
    """A visitor at a browser. Every page that is opened is checked."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        self.seen: list[str] = []
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def hear(self, message: ConsoleMessage) -> None:
        """Note what the console complains of, except that an answer was a refusal on purpose."""
        if message.type in {"error", "warning"} and "the server responded with" not in message.text:
            self.complaints.append(f"{self.page.url}: {message.text}")

    def go(self, path: str) -> None:
        """Open an address of the service."""
        self.page.goto(self.address + path)
        self.look()

    def press(self, name: str, *, role: Any = "button") -> None:
        """Press what is called so and wait for the page that it leads to.

        What is seldom used is in a menu, which is opened first.
        """
        element = self.page.get_by_role(role, name=name, exact=True)
        if not element.count():
            self.page.locator("details.menu:not([open]) > summary").first.click()
        with self.page.expect_navigation():
            element.first.click()
        self.look()

    def follow(self, name: str) -> None:
        """Follow a link."""
        self.press(name, role="link")

    def sign_in(self, name: str) -> None:
        """Sign in without the form, which `test_accounts` fills in."""
        client = Client()
        client.force_login(User.objects.get(username=name))
        cookie = settings.SESSION_COOKIE_NAME
        self.page.context.add_cookies(
            [{"name": cookie, "value": client.cookies[cookie].value, "url": self.address}]
        )

    def look(self, *, is_cut: bool = False) -> None:
        """Look the page over: nothing wider than the screen, nothing that some cannot read.

        Without a network (``is_cut``) the browser complains of every request.
        """
        page = self.page
        page.wait_for_load_state("domcontentloaded")
        self.seen.append(page.url)
        width = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert width[0] <= width[1], f"{page.url} is wider than the screen: {width}"
        problems = barriers(page)
        assert not problems, f"{page.url}\n" + "\n".join(problems)
        assert is_cut or not self.complaints, self.complaints


class Counting(Visitor):
    """A visitor whose presses are counted, a tick as one."""

    presses = 0

    def press(self, name: str, *, role: str = "button") -> None:
        self.presses += 1
        super().press(name, role=role)

    def tick(self, name: str) -> None:
        self.presses += 1
        self.page.get_by_label(name, exact=True).check()


@pytest.fixture
def visitor(page: Page, live_server: LiveServer) -> Callable[..., Visitor]:
    """Give a function that seats a visitor at a screen."""

    def seat(screen: dict[str, int] = PHONE, *, scheme: Any = "light") -> Visitor:
        page.set_default_timeout(10_000)
        page.set_viewport_size(screen)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        return Visitor(page, live_server.url)

    return seat


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Speak Spanish, unless a test says otherwise."""
    return {**browser_context_args, "locale": "es-ES"}

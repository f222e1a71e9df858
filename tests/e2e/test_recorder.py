"""A hand written down card by card: on a phone through a cut network, at a desk by the keyboard."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.support import scenes
from tournaments.core.templatetags.ui import card_name
from tournaments.director.services import tournaments
from tournaments.director.services.draws import draw
from tournaments.domain.hand_entry import Moment, Table, Written, after, first_moment
from tournaments.models import Match, Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    """Table 1 of a round whose matches are one hand long; its organiser writes down."""
    scene = scenes.draft()
    scene.tournament.options = {"deals": 1}
    scene.tournament.save()
    scene.tournament = draw(scene.organiser, scene.tournament)
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    return scene.matches()[0]


def spoken_at(hand: dict[str, Any]) -> int:
    """Where in a hand somebody first declares; 0 where nobody does."""
    return next((n for n, token in enumerate(hand["play"].split()) if ":" in token), 0)


def hand_of(least: int = 8) -> dict[str, Any]:
    """A hand of the club night with its first declaration after so many cards."""
    hands = [hand for text in scenes.records_of("records") for hand in json.loads(text)["hands"]]
    return next(h for h in hands if spoken_at(h) >= least and "tute" not in h["play"])


def seat_names(match: Match) -> dict[str, str]:
    home, away = match.names_at(0), match.names_at(1)
    return dict(zip("ABCD", (home[0], away[0], home[1], away[1]), strict=True))


def tap(page: Page, card: str) -> None:
    """Choose a card as a thumb does: its suit, when another is open, and the card."""
    suit = page.locator(f"[data-id=suit-{card[-1]}]")
    if suit.is_visible() and suit.get_attribute("aria-pressed") != "true":
        suit.click()
    page.locator(f"[data-id=card-{card}]").click()


def begin(page: Page, match: Match, hand: dict[str, Any]) -> None:
    page.get_by_role("button", name=seat_names(match)[hand["dealer"]], exact=True).click()
    tap(page, hand["trump"])


def checked(page: Page) -> None:
    expect(page.locator("[data-net]")).to_have_text("Guardado en este aparato y comprobado.")


def put(page: Page, token: str) -> None:
    if ":" in token:
        page.locator(f"[data-id='{token}']").click()
    else:
        tap(page, token)


def test_a_hand_is_written_on_a_phone_through_a_cut_network_and_sent_once(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    hand = hand_of()
    tokens = hand["play"].split()
    who = visitor(PHONE)
    page = who.page
    who.sign_in("organiser")
    who.go(f"/matches/{match.pk}/")
    who.follow("Apuntar las manos")
    begin(page, match, hand)
    for token in tokens[:6]:
        put(page, token)
    checked(page)
    who.look()

    # The network goes; writing goes on, to a declaration if there is one
    said = spoken_at(hand)
    page.context.set_offline(True)
    for token in tokens[6:said]:
        put(page, token)
    expect(page.locator("[data-net]")).to_contain_text("Sin red")
    expect(page.locator("[data-net]")).to_contain_text(f"Por comprobar: {said - 6}")
    page.get_by_text("Alguien ha cantado o dicho algo").click()
    put(page, tokens[said])
    for token in tokens[said + 1 : -4]:
        put(page, token)
    page.context.set_offline(False)
    checked(page)
    who.complaints.clear()

    # A reload finds everything
    page.reload()
    checked(page)
    for token in tokens[-4:]:
        put(page, token)
    expect(page.get_by_text("La partida ha terminado")).to_be_visible()
    who.look()

    # The first answer is lost on the way
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        answer = route.fetch()
        lost.append(answer.status)
        route.abort()

    page.route("**/record/send/", lose)
    page.get_by_role("button", name="Enviar el acta").click()
    expect(page.get_by_text("Enviada.", exact=True)).to_be_visible()
    who.complaints.clear()
    who.look()
    assert lost == [201]
    record = Record.objects.get(match=match)
    assert record.state == Record.State.ACCEPTED
    written = json.loads(record.text)["hands"][0]
    assert written["play"] == hand["play"]
    assert {s: set(c.split()) for s, c in written["deal"].items()} == {
        s: set(c.split()) for s, c in hand["deal"].items()
    }
    assert Match.objects.get(pk=match.pk).state == "accepted"


def test_a_slow_answer_leaves_the_suit_open_that_was_chosen_meanwhile(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    hand = hand_of()
    who = visitor(PHONE)
    page = who.page
    who.sign_in("organiser")
    who.go(f"/matches/{match.pk}/record/")
    begin(page, match, hand)
    checked(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/record/next/", hold)
    led = hand["play"].split()[0]
    with page.expect_request("**/record/next/"):
        put(page, led)
    expect(page.locator(f"[data-id=suit-{led[-1]}]")).to_have_attribute("aria-pressed", "true")
    other = page.locator(f"[data-id=suit-{next(suit for suit in 'oceb' if suit != led[-1])}]")
    other.click()
    held[0].continue_()
    checked(page)
    expect(other).to_have_attribute("aria-pressed", "true")


HEAR = """() => {
    window.heard = [];
    const form = document.querySelector("[data-recorder]");
    for (const voice of form.querySelectorAll("[role=status], [aria-live]")) {
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) {
                window.heard.push(...[...addedNodes].map((node) => node.textContent));
            }
        }).observe(voice, { childList: true });
    }
}"""


def test_a_listener_hears_each_card_and_of_the_network_only_when_it_goes_or_comes(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    hand = hand_of()
    who = visitor(PHONE)
    page = who.page
    who.sign_in("organiser")
    who.go(f"/matches/{match.pk}/record/")
    begin(page, match, hand)
    checked(page)
    page.evaluate(HEAR)
    cards = hand["play"].split()
    net = page.locator("[data-net]")
    for card in cards[:2]:
        put(page, card)
        checked(page)
    page.context.set_offline(True)
    for waiting, card in enumerate(cards[2:4], start=1):
        put(page, card)
        expect(net).to_contain_text(f"Por comprobar: {waiting}")
    page.context.set_offline(False)
    checked(page)
    who.complaints.clear()
    first, second, third, gone, fourth, back = page.evaluate("window.heard")
    names = {card_name(card) for card in cards[:4]}
    assert {said.split(": ")[1] for said in (first, second, third, fourth)} == names
    assert gone.startswith("Sin red")
    assert back == "Guardado en este aparato y comprobado."


def misread(hand: dict[str, Any]) -> tuple[int, str, int]:
    """Return a place, a card that breaks a duty there, and when its player is next to play.

    Between the two everything fits as well with the wrong card as with the right one.
    """
    tokens = hand["play"].split()
    table = Table("parejas-online", {"deals": 1}, ("A", "B", "C", "D"))
    moments = [first_moment(table, Written(hand["dealer"], hand["trump"], hand["deal"]))]
    for token in tokens:
        moments.append(after(moments[-1], token))
    for n, (token, now) in enumerate(zip(tokens, moments, strict=False)):
        for card in () if ":" in token else sorted(now.possible(now.state.turn) - now.cards()):
            later = replayed(table, hand, [*tokens[:n], card], tokens[n + 1 :], now.state.turn)
            if later is not None and token in later.barred[now.state.turn]:
                return n, card, later.state.tokens
    raise AssertionError("every card of this hand may be played")


def replayed(
    table: Table, hand: dict[str, Any], wrong: list[str], rest: list[str], seat: int
) -> Moment | None:
    """Return the moment at which a seat plays again, its next cards known; none if they misfit."""
    now = first_moment(table, Written(hand["dealer"], hand["trump"]))
    for token in wrong:
        now = after(now, token)
    for token in rest:
        if now.state.turn == seat and len(now.state.table) < len(now.state.players):
            return now
        if ":" in token or token not in now.cards():
            return None
        now = after(now, token)
    return None


def test_a_wrong_card_is_found_when_the_right_one_falls_and_put_right_by_the_keyboard(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    hand = hand_of()
    tokens = hand["play"].split()
    place, wrong, later = misread(hand)
    who = visitor(DESK, scheme="dark")
    page = who.page
    who.sign_in("organiser")
    who.go(f"/matches/{match.pk}/record/")
    page.get_by_role("button", name=seat_names(match)[hand["dealer"]], exact=True).click()
    keys = page.keyboard
    keys.type(hand["trump"].lower())
    for token in [*tokens[:place], wrong, *tokens[place + 1 : later]]:
        type_token(page, token)
    checked(page)
    keys.type(tokens[place].lower())
    expect(page.get_by_text("no puede jugar ahora")).to_be_visible()
    who.look()
    page.get_by_role("button", name="Volver a la baza").focus()
    keys.press("Enter")
    expect(page.get_by_text("elige lo que se jugó de verdad")).to_be_visible()
    keys.type(tokens[place].lower())
    expect(page.get_by_text("elige lo que se jugó de verdad")).to_have_count(0)
    for token in tokens[later:]:
        type_token(page, token)
    keys.press("Backspace")
    keys.type(tokens[-1].lower())
    expect(page.get_by_text("La partida ha terminado")).to_be_visible()
    page.get_by_role("button", name="Enviar el acta").focus()
    keys.press("Enter")
    expect(page.get_by_text("Enviada.", exact=True)).to_be_visible()
    who.look()
    written = json.loads(Record.objects.get(match=match).text)["hands"][0]
    assert written["play"] == hand["play"]


def type_token(page: Page, token: str) -> None:
    """Type a card; a declaration is a button, to be reached when it is due."""
    if ":" in token:
        due = page.locator(f"[data-id='{token}']")
        expect(due).to_be_visible()
        due.focus()
        page.keyboard.press("Enter")
    else:
        page.keyboard.type(token.lower())


def test_a_reload_without_a_network_opens_the_page_and_its_draft(
    visitor: Callable[..., Visitor], match: Match, live_server: LiveServer
) -> None:
    hand = hand_of()
    tokens = hand["play"].split()
    who = visitor(PHONE)
    page, context = who.page, who.page.context
    who.sign_in("organiser")
    who.go(f"/matches/{match.pk}/record/")
    begin(page, match, hand)
    for token in tokens[:4]:
        put(page, token)
    checked(page)
    page.wait_for_function("navigator.serviceWorker.controller !== null")

    context.set_offline(True)
    page.reload()
    expect(page.locator("[data-net]")).to_contain_text("Sin red")
    assert page.evaluate("fetch('/').then(() => 'there', () => 'gone')") == "gone"
    expect(page.locator("[data-id=undo]")).to_be_visible()
    drawn = page.locator("[data-card]").first
    assert drawn.evaluate("card => card.getBoundingClientRect().height") > 40
    for token in tokens[4:6]:
        put(page, token)
    page.reload()
    expect(page.locator("[data-net]")).to_contain_text("Sin red")
    kept = page.evaluate(KEPT)
    assert sum(not path.startswith("/static/") for path in kept) == 1
    assert f"/matches/{match.pk}/record/" in kept

    # Another page is not kept
    with pytest.raises(PlaywrightError, match="ERR_INTERNET_DISCONNECTED"):
        page.goto(f"{live_server.url}/matches/{match.pk}/")

    # With the network all goes on, and nothing stays behind when the record is sent
    context.set_offline(False)
    who.complaints.clear()
    who.go(f"/matches/{match.pk}/record/")
    for token in tokens[6:]:
        put(page, token)
    page.get_by_role("button", name="Enviar el acta").click()
    expect(page.get_by_text("Enviada.", exact=True)).to_be_visible()
    page.wait_for_function("caches.keys().then(names => names.length === 0)")
    page.wait_for_function(
        "navigator.serviceWorker.getRegistrations().then(all => all.length === 0)"
    )


KEPT = """async () => {
    const paths = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const one of await cache.keys()) paths.push(new URL(one.url).pathname);
    }
    return paths;
}"""

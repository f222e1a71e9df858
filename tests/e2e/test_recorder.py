"""A hand written down card by card: on a phone without a network, at a desk by the keyboard."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Route, expect

import engine
from tests.clubs import SYSTEM, organiser
from tests.director.test_single_players import event
from tests.e2e.conftest import DESK, PHONE, Visitor, screens
from tests.quick import long
from tests.support import scenes
from tests.support.coto_matches import best_of_three, submit_coto
from tests.support.coto_matches import played as coto_of
from tests.support.event_tables import table_1
from tournaments.core.templatetags import card_name
from tournaments.director.services import tournaments
from tournaments.director.services.draws import draw
from tournaments.domain.scores import Score
from tournaments.models import Match, Record
from tournaments.results.queries.matches import seating_orders
from tournaments.results.services.matches import correct_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MAX_TAPS = 50  # for a hand of forty cards, from its dealer to its last card
TOUCH = 44  # pixels

PAIRS = ("parejas", "parejas-online", "cuatro")
GAMES: dict[str, dict[str, Any]] = {
    "parejas": {"to": 1},
    "parejas-online": {"deals": 2},
    "cuatro": {"to": 1},
    "arrastrado": {"deals": 1, "stakes": "plate"},
    "habanero": {"to": 1},
    "mano-a-mano": {"to": 1},
}


def match_of(ruleset: str) -> Match:
    """The first match of a tournament under a ruleset, to be written down."""
    if ruleset not in PAIRS:
        format_, entered = ("threes", 3) if ruleset == "arrastrado" else ("liguilla", 2)
        options = dict(GAMES[ruleset])
        tournament = event(ruleset, format_, entered, **options)
        return Match.objects.with_names().get(round__stage__tournament=tournament, table=1)
    scene = scenes.draft()
    scene.tournament.ruleset, scene.tournament.options = ruleset, GAMES[ruleset]
    scene.tournament.save()
    scene.tournament = draw(scene.organiser, scene.tournament)
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    return scene.matches()[0]


def played(match: Match) -> dict[str, Any]:
    """A record of that match by bots who choose by lot: they declare and exchange as they may."""
    tournament, seats = match.tournament, seating_orders(match)[0]
    rules = engine.RULESETS[tournament.ruleset]
    letters = "ABCD"[: len(seats)]
    bots: dict[str, engine.Bot] = {seat: engine.Chance(seat.encode()) for seat in letters}
    return engine.play_match(rules, bots, b"seed", "cut", list(seats), dict(tournament.options))


class Recorder:
    """Presses what a person presses at the recorder, and counts it."""

    def __init__(self, page: Page, match: Match, record: dict[str, Any]) -> None:
        self.page = page
        self.place = f"baza-record-{match.pk}"
        self.record = record
        self.rules = engine.parse_record({**record, "hands": []}).ruleset
        self.taps = 0

    def press(self, name: str) -> None:
        self.page.locator(f"[data-id='{name}']").click()
        self.taps += 1

    def put(self, token: str) -> None:
        if ":" in token:
            self.say(token)
        else:
            self.press(f"card-{token}")

    def say(self, token: str) -> None:
        """Press a declaration; where many could be made they are unfolded first."""
        if not self.page.locator(f"[data-id='{token}']").is_visible():
            self.press("calls")
        self.press(token)

    def stored_tokens(self) -> list[str]:
        """The tokens of the hand so far, as they are kept on the device."""
        tokens: list[str] = self.page.evaluate(
            "place => JSON.parse(localStorage[place]).hands.at(-1).tokens", self.place
        )
        return tokens

    def offered(self) -> set[str]:
        return set(self.page.evaluate(OFFERED))

    def enter(self, hand: dict[str, Any], number: int) -> None:
        """Write a hand down, and see that nothing illegal is offered before any of its cards."""
        if number == 0 or self.page.locator("[data-id^=dealer-]").count():
            self.press(f"dealer-{hand['dealer']}")
        self.press(f"card-{hand['trump']}")
        if self.rules.stock_size:
            self.deal(hand)
            self.taps = 0  # forty cards are still to be played
        tokens = hand["play"].split()
        for n, token in enumerate(tokens):
            if n < len(self.stored_tokens()):
                assert self.stored_tokens()[n] == token  # it had to come
                continue
            if ":" not in token:
                self.look_at_offers(hand, tokens[:n], token)
            self.put(token)
        assert self.stored_tokens() == tokens
        assert self.taps <= MAX_TAPS

    def deal(self, hand: dict[str, Any]) -> None:
        for seat in self.rules.seats[1:]:
            self.press(f"slot-{seat}")
            for card in hand["deal"][seat].split():
                self.press(f"card-{card}")
        self.press("slot-stock")
        for card in hand["stock"].split()[:-1]:
            self.press(f"card-{card}")

    def look_at_offers(self, hand: dict[str, Any], before: list[str], token: str) -> None:
        offers = self.offered()
        assert token in offers
        if self.rules.stock_size:  # every card is known
            assert offers == set(legal_after(self.rules, hand, before)), before
            return
        laid = [card for card in before if ":" not in card]
        seats = seats_of(self.rules, hand, [*laid, token])
        own_cards = [card for card, seat in zip(laid, seats, strict=False) if seat == seats[-1]]
        for card in offers:
            assert is_possible(self.rules, hand, laid, card, seats[-1], own_cards), (laid, card)


OFFERED = """() => [...document.querySelectorAll(".picker__card")]
    .filter((card) => !card.disabled && card.getAttribute("aria-disabled") !== "true")
    .map((card) => card.dataset.id.slice("card-".length))"""


def first_of(rules: engine.Ruleset, hand: dict[str, Any], **hands: str) -> engine.State:
    """The state before the first card, of which some hands are known; nothing is staked."""
    dealer = rules.seats.index(hand["dealer"])
    state = engine.position_from_dict(
        {
            "ruleset": rules.name,
            "trump": hand["trump"][-1],
            "dealer": hand["dealer"],
            "turn": rules.seats[rules.after(dealer)],
            "hands": hands,
        }
    )
    return state._replace(tricks_left=rules.trick_count)


def seats_of(rules: engine.Ruleset, hand: dict[str, Any], cards: list[str]) -> list[str]:
    state, seats = first_of(rules, hand), []
    for card in cards:
        seats.append(rules.seats[state.turn])
        state = state.apply(card)
    return seats


def is_possible(
    rules: engine.Ruleset,
    hand: dict[str, Any],
    laid: list[str],
    card: str,
    seat: str,
    own: list[str],
) -> bool:
    """Whether a seat may play a card, and played by the rules so far if it had that card."""
    if card in laid:
        return False
    state = first_of(rules, hand, **{seat: " ".join([*own, card])})
    try:
        for each in [*laid, card]:
            state = state.apply(each)
    except engine.IllegalAction:
        return False
    return True


def legal_after(rules: engine.Ruleset, hand: dict[str, Any], before: list[str]) -> list[str]:
    """The legal cards after some tokens of a hand whose deal is known."""
    document = {**hand, "play": " ".join(before)}
    record = {"format": "baza/1", "ruleset": rules.name, "seats": list(rules.seats), "hands": []}
    probe = engine.audit({**record, "hands": [{**document, "points": None, "winner": None}]})
    return list(probe.faults[0].legal)


def come(
    visitor: Callable[..., Visitor], match: Match, screen: dict[str, int], **more: Any
) -> Visitor:
    """An organiser of the match's club at its recorder."""
    actor: Visitor = visitor(screen, **more)
    user = organiser(match.tournament.club).user
    assert user is not None
    actor.sign_in(user.username)
    actor.go(f"/matches/{match.pk}/record/")
    return actor


# The pages' policy forbids the eval with which `wait_for_function` asks a second time
CONTROLLED = """() => new Promise((done) => {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller) done();
    else serviceWorker.addEventListener("controllerchange", () => done());
})"""


def wait_for_copy(page: Page) -> None:
    page.evaluate(CONTROLLED)


@pytest.mark.slow
@pytest.mark.parametrize(
    "ruleset",
    # Three players without a stock and two with one; the tests below write parejas down
    ["arrastrado", "mano-a-mano", *long(["parejas", "parejas-online", "cuatro", "habanero"])],
)
def test_a_whole_match_is_written_without_a_network_and_sent_once_when_it_is_back(
    visitor: Callable[..., Visitor], ruleset: str, caplog: pytest.LogCaptureFixture
) -> None:
    match = match_of(ruleset)
    record = played(match)
    user = come(visitor, match, PHONE)
    page = user.page
    wait_for_copy(page)
    page.context.set_offline(True)
    recorder = Recorder(page, match, record)
    for number, hand in enumerate(record["hands"]):
        recorder.taps = 0
        recorder.enter(hand, number)
        if number < len(record["hands"]) - 1:
            recorder.press("next")
    expect(page.get_by_text("La partida ha terminado")).to_be_visible()
    page.get_by_role("button", name="Enviar el acta").click()
    expect(page.locator("[data-net]")).to_contain_text("Sin red")
    assert not Record.objects.filter(match=match).exists()

    # The network is back, but the first answer is lost on the way
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/record/send/", lose)
    page.context.set_offline(False)
    expect(page.get_by_text("Enviada.", exact=True)).to_be_visible()
    user.complaints.clear()
    user.look()
    assert lost == [201]
    stored_record = Record.objects.get(match=match)
    assert stored_record.state == Record.State.ACCEPTED
    assert stored_record.verdict["valid"]
    hands = json.loads(stored_record.text)["hands"]
    assert [hand["play"] for hand in hands] == [hand["play"] for hand in record["hands"]]
    assert "recorder.difference" not in caplog.text


@pytest.fixture
def match() -> Match:
    """A match one hand long."""
    scene = scenes.draft()
    scene.tournament.options = {"deals": 1}
    scene.tournament.save()
    scene.tournament = draw(scene.organiser, scene.tournament)
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    return scene.matches()[0]


def test_every_card_is_at_hand_on_a_small_phone(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    hand = played(match)["hands"][0]
    user = come(visitor, match, PHONE)
    recorder = Recorder(user.page, match, played(match))
    recorder.press(f"dealer-{hand['dealer']}")
    recorder.press(f"card-{hand['trump']}")
    tokens = hand["play"].split()
    for token in tokens[:2]:
        recorder.press(f"card-{token}")
    user.look()
    user.page.locator("[data-recorder]").evaluate("form => form.scrollIntoView()")
    boxes = user.page.evaluate(BOXES)
    assert len(boxes) == len(engine.CARD_NAMES) + 1
    assert all(box["width"] >= TOUCH and box["height"] >= TOUCH for box in boxes)
    assert all(box["top"] >= 0 and box["bottom"] <= PHONE["height"] for box in boxes)


BOXES = """() => [...document.querySelectorAll(".picker__card, [data-id=undo]")]
    .map((card) => card.getBoundingClientRect().toJSON())"""

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
    record = played(match)
    hand = record["hands"][0]
    user = come(visitor, match, PHONE)
    page, recorder = user.page, Recorder(user.page, match, record)
    recorder.press(f"dealer-{hand['dealer']}")
    recorder.press(f"card-{hand['trump']}")
    page.evaluate(HEAR)
    cards = hand["play"].split()[:4]
    for card in cards[:2]:
        recorder.press(f"card-{card}")
    page.context.set_offline(True)
    expect(page.locator("[data-net]")).to_contain_text("Sin red")
    for card in cards[2:]:
        recorder.press(f"card-{card}")
    page.context.set_offline(False)
    expect(page.locator("[data-net]")).to_have_text("Guardado en este dispositivo.")
    first, second, offline, third, fourth, back = page.evaluate("window.heard")
    names = [card_name(card) for card in cards]
    assert [text.split(": ")[1] for text in (first, second, third, fourth)] == names
    assert offline.startswith("Sin red")
    assert back == "Guardado en este dispositivo."


def test_a_wrong_card_is_found_when_the_right_one_falls_and_put_right_by_the_keyboard(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    user = come(visitor, match, DESK, scheme="dark")
    page = user.page
    keys = page.keyboard
    page.locator("[data-id=dealer-D]").focus()
    keys.press("Enter")
    keys.type("7o")
    for card in ("1c", "4e", "2c", "5c", "1e"):  # B had the three of copas, not the four of espadas
        keys.type(card)
    keys.type("3c")
    expect(page.get_by_text("no puede jugar ahora")).to_be_visible()
    notice = page.locator(".recorder .notice")
    expect(notice).to_contain_text("En la baza 1 Begoña Úbeda jugó otra carta. Begoña Úbeda jugó")
    expect(notice).to_contain_text("(regla R4.2)")
    user.look()
    page.get_by_role("button", name="Volver a la baza").focus()
    keys.press("Enter")
    expect(page.get_by_text("elige lo que se jugó de verdad")).to_be_visible()
    keys.type("3c")
    expect(page.get_by_text("elige lo que se jugó de verdad")).to_have_count(0)
    recorder = Recorder(page, match, played(match))
    assert recorder.stored_tokens() == ["1c", "3c", "2c", "5c", "1e"]
    keys.press("Backspace")
    assert recorder.stored_tokens() == ["1c", "3c", "2c", "5c"]
    user.look()


def test_a_card_is_refused_with_words_where_all_cards_of_its_player_are_known(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    user = come(visitor, match, PHONE)
    recorder = Recorder(user.page, match, played(match))
    laid = "4c 2c 6c Re 1e 5c 6o 2b 7e Sc 5o 2o 5b Rb Co 1o 1b 3o 7c 6e Ro So 4o Cc"
    hand = {"dealer": "C", "trump": "Se", "deal": {}, "stock": "", "rest": {}}
    draft = {"key": "k", "order": 0, "hands": [{**hand, "tokens": laid.split()}], "sent": None}
    keep = "([place, draft]) => { localStorage[place] = draft }"
    user.page.evaluate(keep, [recorder.place, json.dumps(draft)])
    user.page.reload()
    assert recorder.offered() == {"3e", "Ce", "Se", "5e", "4e", "2e"}  # the others have no trumps
    user.page.locator("[data-id=card-7b]").click(force=True)
    expect(user.page.locator(".notice--warn")).to_contain_text("que nadie más puede tener")
    user.look()


def test_taking_back_a_card_takes_back_what_had_to_follow_it(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    record = played(match)
    user = come(visitor, match, PHONE)
    recorder = Recorder(user.page, match, record)
    recorder.enter(record["hands"][0], 0)
    tokens = record["hands"][0]["play"].split()
    recorder.press("undo")
    before = recorder.stored_tokens()
    assert len(before) < len(tokens) - 1  # the last card of a hand has no choice
    recorder.press(f"card-{tokens[len(before)]}")
    assert recorder.stored_tokens()[: len(before) + 1] == tokens[: len(before) + 1]


def begin_hand(recorder: Recorder, dealer: str, trump: str, tokens: list[str]) -> None:
    """Write down the begin of a hand, until it is stored on the device."""
    recorder.press(f"dealer-{dealer}")
    recorder.press(f"card-{trump}")
    for token in tokens:
        recorder.put(token)
    wait_for_copy(recorder.page)


def test_a_reload_without_a_network_opens_the_page_and_its_draft(
    visitor: Callable[..., Visitor], match: Match, live_server: LiveServer
) -> None:
    record = played(match)
    hand = record["hands"][0]
    tokens = hand["play"].split()
    user = come(visitor, match, PHONE)
    page, context = user.page, user.page.context
    recorder = Recorder(page, match, record)
    begin_hand(recorder, hand["dealer"], hand["trump"], tokens[:4])

    context.set_offline(True)
    page.reload()
    expect(page.locator("[data-net]")).to_contain_text("Sin red")
    assert page.evaluate("fetch('/').then(() => 'there', () => 'gone')") == "gone"
    expect(page.locator("[data-id=undo]")).to_be_visible()
    card = page.locator("[data-card]").first
    assert card.evaluate("card => card.getBoundingClientRect().height") > 40
    for token in tokens[4:6]:
        recorder.put(token)
    page.reload()
    expect(page.locator("[data-net]")).to_contain_text("Sin red")
    stored_draft = page.evaluate(KEPT)
    assert sum(not path.startswith("/static/") for path in stored_draft) == 1
    assert f"/matches/{match.pk}/record/" in stored_draft

    # Another page is not kept
    with pytest.raises(PlaywrightError, match="ERR_INTERNET_DISCONNECTED"):
        page.goto(f"{live_server.url}/matches/{match.pk}/")

    # With the network all goes on, and nothing stays behind when the record is sent
    context.set_offline(False)
    user.complaints.clear()
    user.go(f"/matches/{match.pk}/record/")
    for n, token in enumerate(tokens):
        if n >= len(recorder.stored_tokens()):
            recorder.put(token)
    page.get_by_role("button", name="Enviar el acta").click()
    expect(page.get_by_text("Enviada.", exact=True)).to_be_visible()
    page.wait_for_function("caches.keys().then(names => names.length === 0)")
    page.wait_for_function(
        "navigator.serviceWorker.getRegistrations().then(all => all.length === 0)"
    )


@screens("phone", "desk")
def test_a_draft_of_a_match_that_takes_no_record_any_more_is_shown_copied_and_thrown_away(
    visitor: Callable[..., Visitor], match: Match, screen: dict[str, int]
) -> None:
    record = played(match)
    hand = record["hands"][0]
    tokens = hand["play"].split()
    user = come(visitor, match, screen)
    page = user.page
    recorder = Recorder(page, match, record)
    begin_hand(recorder, hand["dealer"], hand["trump"], tokens[:4])
    boss = organiser(match.tournament.club)
    correct_result(boss, match, Score(1, 0, 0, 0), reason="Consta en el acta de papel.")

    page.reload()
    expect(page.get_by_text("El resultado de esta partida lo dio el árbitro")).to_be_visible()
    expect(page.get_by_text("Lo que anotaste sigue en este dispositivo")).to_be_visible()
    text = page.get_by_label("El borrador").input_value()
    assert " ".join(recorder.stored_tokens()) in text.splitlines()
    assert f"triunfo {hand['trump']}" in text
    assert all(name in text for name in record["seats"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copiarlo").click()
    expect(page.get_by_text("Copiado.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text
    user.complaints.clear()  # the browser's own line about the answer 409
    user.look()

    discard = page.get_by_role("button", name="Descartar el borrador")
    discard.click()
    expect(page.get_by_text("Pulsa otra vez para hacerlo")).to_be_visible()
    assert recorder.stored_tokens()
    discard.click()
    expect(page.get_by_text("El borrador ya no está.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Ver la partida")).to_be_visible()
    expect(page.get_by_text("Lo que anotaste")).to_be_hidden()


KEPT = """async () => {
    const paths = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const one of await cache.keys()) paths.push(new URL(one.url).pathname);
    }
    return paths;
}"""


def test_two_phones_write_the_same_coto_down_by_its_number(
    visitor: Callable[..., Visitor],
) -> None:
    match = table_1(best_of_three())
    home, away = match.names
    record = coto_of((home[0], away[0], home[1], away[1]), "AC")
    user = come(visitor, match, PHONE)
    page = user.page
    submit_coto(SYSTEM, match, "away")  # the other phone is quicker
    expect(page.locator("[data-id=coto-1]")).to_be_checked()
    Recorder(page, match, record).enter(record["hands"][0], 0)
    expect(page.get_by_text("El coto 1 ha terminado")).to_be_visible()
    user.look()
    page.locator("[data-id=send]").click()
    expect(page.locator(".notice--warn")).to_contain_text("decide el árbitro")
    page.locator("[data-id=again]").click()
    expect(page.locator("[data-id=coto-2]")).to_be_checked()
    rows = Record.objects.order_by("pk").values_list("coto", "state")
    assert list(rows) == [(1, "accepted"), (1, "contested")]

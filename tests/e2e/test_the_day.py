"""A Swiss of thirty pairs from check-in to podium, in browsers on a slow network that is cut once.

The organiser works in the control room, four pairs have their phones, a projector shows the hall.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.e2e.test_desk_network import MINUTE, network
from tests.e2e.test_phone import COUNTED, choose, press, presses
from tests.served import WebServer
from tests.support import scenes
from tournaments.core.limits import BoundedArgon2PasswordHasher
from tournaments.core.permissions import Actor
from tournaments.director.services import tournaments
from tournaments.director.services.absences import check_in
from tournaments.director.services.entries import import_entries
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.domain.scores import Score
from tournaments.models import Entry, Match, Result
from tournaments.results.services.reports import report_result
from tournaments.standings.queries.standings import standings_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ROUNDS = 5
CUT = 120  # seconds without a network
CUT_IN = 2  # the round
TABLES = 15
LATENCY = 800  # milliseconds
PROJECTOR = {"width": 1920, "height": 1080}
SCORES = ((3, 1), (0, 3), (3, 2), (2, 3), (3, 0), (1, 3))
KEYS_BY_NUMBER = len("12 31\n")  # the sheets come in any order
KEYS_IN_ORDER = len("\n31\n")  # the table that is offered is taken
NOTED = """
addEventListener("DOMContentLoaded", () => {
  window.noted = [];
  const told = document.querySelector("[data-told]");
  const note = () => window.noted.push([Date.now() / 1000, told.textContent]);
  if (told) new MutationObserver(note).observe(told, { childList: true });
});
"""
"""What a phone says, and when."""


@pytest.fixture
def server(child_environment: dict[str, str], tmp_path: Path) -> Iterator[WebServer]:
    environment = child_environment | {"BAZA_DEBUG": "1"}  # static files need not be collected
    with WebServer(environment, tmp_path / "granian.log") as service:
        yield service


@dataclass(eq=False)
class Device:
    """A page in a browser of its own, and its network."""

    who: Visitor
    set_network: Callable[..., None]

    @property
    def page(self) -> Page:
        return self.who.page


@dataclass(eq=False)
class Phone(Device):
    """A phone in the hands of an entry; ``pressed`` are the presses that were looked at."""

    entry: Entry
    pressed: int = 0

    def count(self) -> int:
        """Return the presses since the last count."""
        before, self.pressed = self.pressed, presses(self.page)
        return self.pressed - before


class Hall:
    """The evening: its tournament, its devices, and what is measured."""

    def __init__(self, server: WebServer, new_context: Callable[..., BrowserContext]) -> None:
        self.served, self.new_context = server, new_context
        club, users = scenes.open_club()
        # The service that is served knows no password of tests, which are hashed in haste
        hasher = BoundedArgon2PasswordHasher()
        users["organiser"].password = hasher.encode(scenes.PASSWORD, hasher.salt())
        users["organiser"].save()
        boss = Actor.for_user(users["organiser"])
        tournament = tournaments.create_tournament(
            boss,
            club,
            "Suizo de otoño",
            NewTournament(
                GameSettings(options={"to": 3}),
                stages=[{"format": "swiss", "rules": {"rounds": ROUNDS}}],
            ),
        )
        numbers = range(1, 4 * TABLES + 1)
        players = "id,nombre\n" + "".join(f"J{n:03},Jugador {n}\n" for n in numbers)
        pairs = "pareja,nombre,jugador1,jugador2\n" + "".join(
            f"P{n:03},Pareja {n},J{2 * n - 1:03},J{2 * n:03}\n" for n in numbers[: 2 * TABLES]
        )
        import_entries(boss, tournament, players, pairs, as_written=True)
        self.scene = scenes.Scene(club, tournament, users)
        self.slug = tournament.slug
        self.desk = self.device(DESK)
        self.projector = self.device(PROJECTOR)
        self.phones: list[Phone] = []
        self.keys: list[int] = []
        self.waited: list[float] = []  # seconds from a publication until a phone shows its table

    def device(self, screen: dict[str, int]) -> Device:
        context = self.new_context(viewport=screen, reduced_motion="reduce")
        for script in (COUNTED, NOTED):
            context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(MINUTE)
        device = Device(Visitor(page, self.served.url), network(page))
        device.set_network(LATENCY)
        return device

    @property
    def devices(self) -> list[Device]:
        return [self.desk, self.projector, *self.phones]

    def entries(self) -> list[Entry]:
        return list(self.scene.tournament.entries.with_players().order_by("number"))

    def match_of(self, entry: Entry, number: int) -> Match:
        return next(m for m in self.scene.matches(number) if entry in (m.home, m.away))


def score_at(number: int, table: int) -> tuple[int, int]:
    """Return the score with which a table ends its round."""
    return SCORES[(table + number) % len(SCORES)]


# --- Check-in -------------------------------------------------------------------------------------


def come_with_phones(hall: Hall, entries: list[Entry]) -> None:
    """Give the code of each entry on a phone, and say that its people are here, all at a time."""
    for entry in entries:
        device = hall.device(PHONE)
        hall.phones.append(Phone(device.who, device.set_network, entry))
        address = f"{hall.served.url}/t/{hall.slug}/table/"
        device.page.goto(address, wait_until="commit")
    for phone in hall.phones:
        phone.page.get_by_label("Código").fill(phone.entry.code.lower())
        phone.page.get_by_role("button", name="Seguir").click()
    for phone in hall.phones:
        expect(phone.page.locator("[data-alerts]")).to_be_visible()  # its script runs
        press(phone.page, "Estamos aquí")
    for phone in hall.phones:
        expect(phone.page.locator(".queue__line--saved")).to_contain_text("Estamos aquí")
        expect(phone.page.get_by_text("ha venido")).to_be_visible()


def check_in_the_others(hall: Hall, entries: list[Entry]) -> None:
    """Check the last six in at the table by the entrance, the others by their codes."""
    for entry in entries[:-6]:
        check_in(Actor.for_entry(entry), entry)
    page = hall.desk.page
    page.goto(f"{hall.served.url}/t/{hall.slug}/check-in/")
    for entry in entries[-6:]:  # one after the other, without waiting for the network
        page.locator(f"#tap-{entry.number}").click()
    expect(page.get_by_text("Faltan 0")).to_be_visible()


def begin(hall: Hall) -> None:
    """Close the check-in and draw, then publish the first round in the control room."""
    desk = hall.desk.who
    desk.follow("Cerrar las llegadas")
    desk.press("Cerrar las llegadas")
    desk.go(f"/t/{hall.slug}/control/")
    desk.follow("Sortear las rondas")
    with desk.page.expect_navigation():
        desk.page.get_by_role("button", name="Sortear", exact=True).click()
    desk.go(f"/t/{hall.slug}/control/")
    assert steps_to(hall, 1) == 1


# --- A round --------------------------------------------------------------------------------------


def steps_to(hall: Hall, number: int) -> int:
    """Press the button of the next step until a round is published; return how often."""
    page, count = hall.desk.page, 0
    while not hall.scene.rounds[number - 1 :] or hall.scene.rounds[number - 1].state == "draft":
        with page.expect_navigation():
            page.locator("#step-button").click()
        assert page.url.endswith("/control/")
        count += 1
    expect(page.locator("h1")).to_have_text(f"Ronda {number}")
    expect(page.locator("[data-find]")).to_be_visible()  # its script runs
    return count


def assert_all_are_notified(hall: Hall, number: int) -> None:
    """Look at every phone for its table, and at the projector for the round."""
    published = hall.scene.rounds[number - 1].published_at
    assert published is not None
    for phone in hall.phones:
        table = hall.match_of(phone.entry, number).table
        text = f"Ronda {number}, mesa {table}:"
        expect(phone.page.locator("[data-told]")).to_contain_text(text, timeout=MINUTE)
        expect(phone.page.locator(".own__table strong")).to_have_text(str(table))
        notes = phone.page.evaluate("window.noted")
        moment = next(at for at, note_text in notes if text in note_text)
        hall.waited.append(moment - published.timestamp())
    expect(hall.projector.page.locator("h1")).to_contain_text(f"Ronda {number}", timeout=MINUTE)


def type_result(hall: Hall, number: int, table: int, *, in_order: bool = False) -> None:
    """Type the result of a table without looking, and count the keys."""
    home, away = score_at(number, table)
    keys = f"\n{home}{away}\n" if in_order else f"{table} {home}{away}\n"
    hall.desk.page.keyboard.type(keys, delay=20)
    hall.keys.append(len(keys))


def with_phones(hall: Hall, number: int) -> tuple[list[Phone], list[Phone]]:
    """Return the phones that report in a round, and those whose opponents do.

    Of two phones at one table the first reports. The others have opponents without a phone here:
    half of those report from another one, by the service.
    """
    reporting: list[Phone] = []
    confirming: list[Phone] = []
    at: set[int] = set()
    for phone, is_first in zip(hall.phones, (True, True, False, False), strict=True):
        match = hall.match_of(phone.entry, number)
        others = {entry for entry in (match.home, match.away) if entry != phone.entry}
        meets = others & {hall_phone.entry for hall_phone in hall.phones}
        reports = match.pk not in at if meets else is_first
        at.add(match.pk)
        (reporting if reports else confirming).append(phone)
        if not reports and not meets:
            score = Score(*score_at(number, match.table), 0, 0)
            report_result(Actor.for_entry(others.pop()), match, score=score)  # type: ignore[arg-type]
    return reporting, confirming


def report(hall: Hall, phone: Phone, number: int) -> None:
    """Report the result of one's own table on a phone."""
    home, away = score_at(number, hall.match_of(phone.entry, number).table)
    phone.count()
    side, fewer = ("home", home) if home < away else ("away", away)
    choose(phone.page, side, fewer)
    if fewer == 2 or phone.page.locator("[name$=_hands]:checked").count() < 2:
        choose(phone.page, "away" if side == "home" else "home", 3)
    press(phone.page, "Comunicar el resultado")
    assert phone.count() <= 3


def confirm(phone: Phone) -> None:
    """Confirm what the opponents have reported."""
    phone.count()
    press(phone.page, "Confirmar el resultado")
    assert phone.count() == 1


def counting(hall: Hall, number: int) -> dict[int, tuple[int, int]]:
    """Return what counts at every table of a round."""
    results = Result.objects.counting().filter(match__round=hall.scene.rounds[number - 1])
    rows = results.values_list("match__table", "home_hands", "away_hands")
    return {table: (home, away) for table, home, away in rows}


def everything_is_saved(hall: Hall, number: int) -> None:
    """Wait until nothing waits on any device; every result has to be right then."""
    desk = hall.desk.page
    expect(desk.locator(".desk__sent--pending")).to_have_count(0, timeout=2 * MINUTE)
    assert desk.locator(".desk__sent--refused").all_inner_texts() == []
    for phone in hall.phones:
        expect(phone.page.locator(".queue__line--pending")).to_have_count(0, timeout=2 * MINUTE)
        assert phone.page.locator(".queue__line--refused").all_inner_texts() == []
    complete = f"La ronda {number} está completa."
    expect(desk.locator("#step")).to_contain_text(complete, timeout=MINUTE)
    tables = range(1, TABLES + 1)
    assert counting(hall, number) == {table: score_at(number, table) for table in tables}


def play(hall: Hall, number: int) -> None:
    """Report and confirm on the phones, and type what is missing: as offered, or by number."""
    reporting, confirming = with_phones(hall, number)
    for phone in reporting:
        report(hall, phone, number)
        expect(phone.page.locator(".queue__line--pending")).to_have_count(0)
    for phone in confirming:
        confirm(phone)
        expect(phone.page.locator(".queue__line--pending")).to_have_count(0)
    field = hall.desk.page.locator("[name=table]")
    expect(field).to_be_focused()
    missing = [table for table in range(1, TABLES + 1) if table not in counting(hall, number)]
    assert len(missing) == TABLES - len(confirming)
    if number == 1:
        while label := field.get_attribute("placeholder"):
            type_result(hall, number, int(label), in_order=True)
            missing = [table for table in missing if table != int(label)]
    for table in missing:
        type_result(hall, number, table)


def play_through_a_cut(hall: Hall, number: int) -> None:
    """Type the whole round at the desk, and press on phones, while nothing has a network."""
    reporting, confirming = with_phones(hall, number)
    polls = [
        phone for phone in confirming if hall.match_of(phone.entry, number).state == "reported"
    ]
    for phone in polls:
        button = phone.page.get_by_role("button", name="Confirmar el resultado")
        expect(button).to_be_visible(timeout=MINUTE)
    expect(hall.desk.page.locator("[name=table]")).to_be_focused()
    for device in hall.devices:
        device.set_network(offline=True)
    began = time.monotonic()
    for table in range(1, TABLES + 1):
        type_result(hall, number, table)
    print(f"{TABLES} results typed blind in {time.monotonic() - began:.1f} s")
    assert time.monotonic() - began < 60
    for phone in reporting:
        report(hall, phone, number)
    for phone in polls:
        confirm(phone)
    for phone in (*reporting, *polls):
        expect(phone.page.get_by_text("Sin conexión. Se guarda en este teléfono")).to_be_visible()
    expect(hall.desk.page.locator(".desk__sent--pending")).to_have_count(TABLES)
    expect(hall.projector.page.locator("[data-lost]")).to_be_visible(timeout=MINUTE)
    hall.desk.page.wait_for_timeout(max(0, 1000 * (CUT - time.monotonic() + began)))
    assert counting(hall, number) == {}
    for device in hall.devices:
        device.set_network(LATENCY)
    back = time.monotonic()
    expect(hall.desk.page.locator(".desk__sent--pending")).to_have_count(0, timeout=2 * MINUTE)
    for device in hall.devices:
        device.who.complaints.clear()  # of requests without a network
    print(f"all saved {time.monotonic() - back:.1f} s after a cut of {CUT} s")


# --- The day --------------------------------------------------------------------------------------


def finish(hall: Hall) -> None:
    """Finish the tournament; the projector shows who has won."""
    desk = hall.desk.who
    with desk.page.expect_navigation():
        desk.page.locator("#step-button").click()
    desk.follow("Terminar el torneo")
    desk.press("Terminar el torneo")
    board = standings_page(hall.slug, hall.scene.organiser)
    best = [row.shown_name for row in board.groups[0].rows[:3]]
    podium = hall.projector.page.locator(".screen__podium .screen__winner")
    expect(podium).to_have_text(best, timeout=MINUTE)
    for phone in hall.phones:
        element = phone.page.locator("[data-told]")
        expect(element).to_contain_text("El torneo ha terminado.", timeout=MINUTE)
    hall.phones[0].who.look()


@pytest.mark.long
def test_a_swiss_of_thirty_pairs_from_check_in_to_podium_on_a_bad_network(
    server: WebServer, new_context: Callable[..., BrowserContext]
) -> None:
    hall = Hall(server, new_context)
    began = time.monotonic()
    hall.desk.who.sign_in("organiser")
    entries = hall.entries()
    come_with_phones(hall, entries[:4])
    check_in_the_others(hall, entries[4:])
    begin(hall)
    hall.projector.page.goto(f"{server.url}/t/{hall.slug}/screen/?seconds=5")
    for number in range(1, ROUNDS + 1):
        if number > 1:
            assert steps_to(hall, number) <= 3
        assert_all_are_notified(hall, number)
        (play_through_a_cut if number == CUT_IN else play)(hall, number)
        everything_is_saved(hall, number)
    finish(hall)
    for number in range(1, ROUNDS + 1):
        tables = range(1, TABLES + 1)
        assert counting(hall, number) == {table: score_at(number, table) for table in tables}
    assert max(hall.keys) <= KEYS_BY_NUMBER
    assert hall.keys.count(KEYS_IN_ORDER) >= TABLES - 4
    assert [device.who.complaints for device in hall.devices if device.who.complaints] == []
    print(
        f"a phone told its table after {median(hall.waited):.1f} s, at worst {max(hall.waited):.1f}"
    )
    print(f"the day took {time.monotonic() - began:.0f} s")

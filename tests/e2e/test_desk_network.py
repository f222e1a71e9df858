"""Results typed blind at the desk on a bad network: all arrive, each at its own table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.quick import long
from tests.support import scenes
from tournaments.core.permissions import Actor
from tournaments.director.services import tournaments
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import Membership, Result
from tournaments.results.services.matches import correct_result

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCORES = ((3, 1), (0, 3), (3, 2), (2, 3), (3, 0), (1, 3))
TABLES = 30
ONE_ROUND = {"format": "swiss", "rules": {"rounds": 1}}
MINUTE = 60_000  # milliseconds


def hall(tables: int = TABLES) -> scenes.Scene:
    """A round of `tables` tables, published, nothing played."""
    club, users = scenes.open_club()
    organiser = Actor.for_user(users["organiser"])
    tournament = tournaments.create_tournament(
        organiser,
        club,
        "Suizo de otoño",
        NewTournament(GameSettings(options={"to": 3}), stages=[ONE_ROUND]),
    )
    numbers = range(1, 4 * tables + 1)
    players = "id,nombre\n" + "".join(f"J{n:03},Jugador {n}\n" for n in numbers)
    pairs = "pareja,nombre,jugador1,jugador2\n" + "".join(
        f"P{n:03},Pareja {n},J{2 * n - 1:03},J{2 * n:03}\n" for n in numbers[: 2 * tables]
    )
    import_entries(organiser, tournament, players, pairs, as_written=True)
    scene = scenes.Scene(club, draw(organiser, tournament), users)
    publish_round(scene.organiser, scene.rounds[0])
    return scene


def score_at(table: int) -> tuple[int, int]:
    return SCORES[table % len(SCORES)]


def scores_by_table(scene: scenes.Scene) -> dict[int, tuple[int, int]]:
    """Return what counts at every table."""
    results = Result.objects.counting().filter(match__round=scene.rounds[0])
    rows = results.values_list("match__table", "home_hands", "away_hands")
    return {table: (home, away) for table, home, away in rows}


def right(tables: int = TABLES) -> dict[int, tuple[int, int]]:
    return {table: score_at(table) for table in range(1, tables + 1)}


def at_the_desk(
    visitor: Callable[..., Visitor], scene: scenes.Scene, screen: dict[str, int] = DESK
) -> Visitor:
    user = visitor(screen)
    user.page.set_default_timeout(MINUTE)
    user.sign_in("arbiter")
    user.go(f"/t/{scene.tournament.slug}/desk/")
    return user


def network(page: Page) -> Callable[..., None]:
    """Give a function that sets how the page's network is."""
    session: CDPSession = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def be(latency: int = 0, *, offline: bool = False) -> None:
        bytes_a_second = {"downloadThroughput": -1, "uploadThroughput": -1}
        conditions = {"offline": offline, "latency": latency, **bytes_a_second}
        session.send("Network.emulateNetworkConditions", conditions)

    return be


def type_blind(page: Page, table: int, delay: int = 10) -> None:
    """Type a line without looking: its table, Enter, its hands, Enter."""
    home, away = score_at(table)
    for keys in (str(table), f"{home}-{away}"):
        page.keyboard.type(keys, delay=delay)
        page.keyboard.press("Enter", delay=delay)


def all_saved(page: Page, tables: int = TABLES) -> None:
    expect(page.locator(".desk__sent--pending")).to_have_count(0, timeout=2 * MINUTE)
    assert page.locator(".desk__sent--refused").all_inner_texts() == []
    expect(page.get_by_text("La ronda 1 está completa.")).to_be_visible()


@pytest.mark.parametrize("latency", [20, 2000, *long([100, 400, 800])])
def test_results_typed_blind_all_arrive_at_their_tables_however_slow_the_network_is(
    visitor: Callable[..., Visitor], latency: int
) -> None:
    scene = hall(12)
    user = at_the_desk(visitor, scene)
    network(user.page)(latency)
    for table in range(1, 13):
        type_blind(user.page, table)
    all_saved(user.page, 12)
    assert scores_by_table(scene) == right(12)
    assert not user.complaints


def test_results_typed_blind_through_a_cut_and_a_reload_all_arrive(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall()
    user = at_the_desk(visitor, scene)
    page, be = user.page, network(user.page)
    be(400)
    for table in range(1, 9):
        type_blind(page, table)
    be(offline=True)
    for table in range(9, 23):
        type_blind(page, table)
    expect(page.get_by_text("Sin conexión. Lo que se teclea se guarda")).to_be_visible()
    assert page.locator(".desk__sent--pending").count() >= 14
    user.look(is_cut=True)
    user.complaints.clear()
    be(400)
    page.reload()  # before they are sent
    expect(page.locator("[data-line] [name=table]")).to_be_focused()
    for table in range(23, TABLES + 1):
        type_blind(page, table)
    all_saved(page)
    assert scores_by_table(scene) == right()
    expect(page.locator("[data-net]")).to_be_hidden()


def test_a_line_that_the_service_cannot_read_is_refused_and_not_sent_again(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(2)
    page = at_the_desk(visitor, scene).page
    texts: list[str] = []

    def refuse(route: Route) -> None:
        texts.append(route.request.url)
        route.fulfill(status=400, content_type="text/html", body="<p>400</p>")

    page.route("**/desk/enter/", refuse)
    type_blind(page, 1)
    line = page.locator(".desk__sent--refused")
    expect(line).to_contain_text("La petición no se puede leer.")
    page.unroute("**/desk/enter/")
    type_blind(page, 2)
    expect(page.locator(".desk__sent--saved")).to_have_count(1)
    expect(line).to_have_count(1)
    assert len(texts) == 1
    assert scores_by_table(scene) == {2: score_at(2)}


def type_for_a_minute(page: Page) -> None:
    """Type a line every two seconds, as quick fingers do."""
    for table in range(1, TABLES + 1):
        type_blind(page, table, delay=100)
        page.wait_for_timeout(1200)


@pytest.mark.long
@pytest.mark.parametrize("latency", [20, 100, 400, 800, 2000])
def test_thirty_results_typed_blind_in_a_minute_arrive_with_any_latency(
    visitor: Callable[..., Visitor], latency: int
) -> None:
    scene = hall()
    user = at_the_desk(visitor, scene)
    network(user.page)(latency)
    type_for_a_minute(user.page)
    all_saved(user.page)
    assert scores_by_table(scene) == right()


@pytest.mark.long
def test_thirty_results_typed_blind_through_a_cut_of_a_minute_arrive(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall()
    user = at_the_desk(visitor, scene)
    be = network(user.page)
    be(offline=True)
    type_for_a_minute(user.page)
    assert scores_by_table(scene) == {}
    be(400)
    all_saved(user.page)
    assert scores_by_table(scene) == right()


def test_a_line_that_is_refused_waits_in_the_list_while_typing_goes_on(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(4)
    user = at_the_desk(visitor, scene)
    page = user.page
    network(page)(400)
    type_blind(page, 1)
    for keys in ("2", "Enter", "7", "Enter", "9", "Enter", *"3-1", "Enter"):  # two slips
        page.keyboard.press(keys)
    for table in (3, 4):
        type_blind(page, table)
    refused = page.locator(".desk__sent--refused")
    expect(refused).to_have_count(2)
    expect(refused.first).to_contain_text("No hay partida en la mesa 9.")
    expect(refused.last).to_contain_text("Escribe las manos de cada bando")
    expect(page.locator(".desk__sent--saved")).to_have_count(3)
    assert scores_by_table(scene) == {table: score_at(table) for table in (1, 3, 4)}
    user.look()

    # Put right by the keyboard: the arrow brings back the last, Escape throws away what is typed
    page.keyboard.press("ArrowUp")
    expect(page.locator("[name=table]")).to_have_value("9")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[name=hands]")).to_be_focused()
    page.keyboard.type("0-3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("La ronda 1 está completa.")).to_be_visible()
    assert scores_by_table(scene)[2] == (0, 3)


def test_of_two_lines_for_a_table_that_were_not_sent_the_later_one_is_meant(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(2)
    user = at_the_desk(visitor, scene)
    page, be = user.page, network(user.page)
    be(offline=True)
    for hands in ("3-1", "13"):
        page.keyboard.type("1")
        page.keyboard.press("Enter")
        page.keyboard.type(hands)
        page.keyboard.press("Enter")
    be()
    expect(page.locator(".desk__sent--saved")).to_contain_text("1 · 1-3")
    expect(page.locator(".desk__sent")).to_have_count(1)
    assert scores_by_table(scene) == {1: (1, 3)}


def test_a_copy_of_a_line_that_comes_late_changes_nothing(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(2)
    user = at_the_desk(visitor, scene)
    page = user.page
    requests = []
    page.on("request", lambda one: requests.append(one) if "/desk/enter/" in one.url else None)
    type_blind(page, 1)
    expect(page.locator(".desk__sent--saved")).to_have_count(1)
    match = scene.matches()[0]
    correct_result(scene.organiser, match, Score(1, 3, 0, 0), reason="El acta dice 1-3.")
    late = page.request.fetch(
        requests[0].url,
        method="POST",
        headers=requests[0].all_headers(),
        data=requests[0].post_data,
    )
    assert late.status == 200
    assert scores_by_table(scene)[1] == (1, 3)


def test_who_is_signed_out_keeps_the_lines_and_sends_them_afterwards(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(2)
    user = at_the_desk(visitor, scene, PHONE)
    page = user.page
    cookies = page.context.cookies()
    page.context.clear_cookies(name="sessionid")
    type_blind(page, 1)
    expect(page.get_by_text("Ahora no tienes acceso a la mesa de resultados")).to_be_visible()
    user.look()
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    expect(page.locator(".desk__sent--saved")).to_have_count(1)
    assert scores_by_table(scene) == {1: score_at(1)}


def test_a_line_of_another_person_at_the_same_browser_is_not_sent_in_their_name(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(2)
    user = at_the_desk(visitor, scene)
    page = user.page
    seat = Membership.objects.get(user=scene.users["arbiter"])
    seat.delete()
    type_blind(page, 1)
    expect(page.get_by_text("Ahora no tienes acceso a la mesa de resultados")).to_be_visible()
    page.context.clear_cookies()
    user.sign_in("organiser")
    user.go(f"/t/{scene.tournament.slug}/desk/")
    type_blind(page, 2)
    expect(page.locator(".desk__sent--saved")).to_have_count(1)
    assert scores_by_table(scene) == {2: score_at(2)}

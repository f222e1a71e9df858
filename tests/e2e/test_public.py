"""The public at a phone, a laptop and a projector: what follows by itself, people, pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.clubs import SYSTEM, play_the_club_night, submitted, the_liguilla, the_match, the_round
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.quick import long
from tests.support import scenes
from tests.support.day import a_day
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.ratings.services import refresh_ratings
from tournaments.results.services.matches import correct_result

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_standings_change_without_the_page_being_loaded_again(
    visitor: Callable[..., Visitor],
) -> None:
    tournament = the_liguilla()
    reader = visitor()
    reader.go(f"/t/{tournament.slug}/")
    reader.page.evaluate("window.stayed = true")
    expect(reader.page.locator("#live")).to_contain_text("0 de 28 partidas jugadas")
    assert submitted(tournament, 0).outcome == "accepted"
    expect(reader.page.locator("#live")).to_contain_text("1 de 28 partidas jugadas")
    cards = reader.page.locator(".last-trick__cards > li")  # a part that the page fetches
    expect(cards).to_have_count(4)
    reader.page.evaluate("document.querySelector('.last-trick').dataset.stayed = ''")
    score = Score(3, 1, 300, 200)
    correct_result(SYSTEM, the_match(tournament, 1, 2), score, reason="seen")
    expect(reader.page.locator("#live")).to_contain_text("2 de 28 partidas jugadas")
    expect(reader.page.locator(".last-trick[data-stayed]")).to_be_visible()  # not fetched again
    assert reader.page.evaluate("window.stayed")
    reader.look()


def test_names_of_one_long_word_are_broken_on_a_phone(visitor: Callable[..., Visitor]) -> None:
    tournament = the_liguilla(published=1)
    word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte"
    club = tournament.club
    for row in (*club.players.all(), *club.pairs.all(), *tournament.entries.all()):
        row.name = f"{word}{row.pk}"
        row.save(update_fields=["name"])
    match = the_match(tournament, 1, 1)
    correct_result(SYSTEM, match, Score(3, 1, 300, 200), reason="acta")
    reader = visitor()
    slug = tournament.slug
    for path in (
        "",
        "crosstable/",
        "rounds/",
        "rounds/1/",
        "entries/",
        "standings/1/",
        "print/",
        "screen/",
    ):
        reader.go(f"/t/{slug}/{path}")
    for path in (f"/matches/{match.pk}/", f"/players/{club.players.all()[0].pk}/"):
        reader.go(path)


def test_a_projector_turns_its_pages_holds_them_and_shows_what_comes(
    visitor: Callable[..., Visitor],
) -> None:
    tournament = the_liguilla(published=1)
    room = visitor(DESK)
    room.go(f"/t/{tournament.slug}/screen/?show=tables&show=names&seconds=300&scheme=dark")
    page = room.page
    expect(page.locator(".screen__line")).to_have_count(4)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".screen__name")).to_have_count(8)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".screen__line")).to_have_count(4)
    page.keyboard.press("Space")
    expect(page.locator("[data-held]")).to_be_visible()
    assert submitted(tournament, 0).outcome == "accepted"
    expect(page.locator(".screen__side--won")).to_have_count(1)
    room.look()
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height <= DESK["height"]


@pytest.mark.parametrize("screen", [{"width": 1280, "height": 800}, PHONE], ids=["desk", "phone"])
def test_a_recorded_hand_is_in_sight_whole(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    tournament = the_liguilla()
    assert submitted(tournament, 0).outcome == "accepted"
    reader = visitor(screen)
    match = the_match(tournament, 1, 1)
    reader.go(f"/matches/{match.pk}/hands/1/")
    page = reader.page
    expect(page.locator("[data-controls]")).to_be_visible()
    page.evaluate("document.fonts.ready")
    buttons, board = (
        page.locator(f"[data-{name}]").bounding_box() for name in ("controls", "board")
    )
    says = page.locator("[data-says]").bounding_box()
    assert buttons is not None
    assert board is not None
    assert says is not None
    assert page.evaluate("window.scrollY") == 0
    assert buttons["y"] + buttons["height"] <= screen["height"]
    below = says["y"] if says["x"] < board["x"] + board["width"] else buttons["y"]
    assert board["y"] + board["height"] <= below + 1


BROKEN = """() => [...document.querySelectorAll(".part")].filter(
  (part) => part.getClientRects().length > 1
    || part.offsetHeight > 1.5 * parseFloat(getComputedStyle(part).lineHeight)
).map((part) => part.textContent)"""


def test_sixty_players_fit_on_a_projector_and_no_name_is_broken(
    visitor: Callable[..., Visitor],
) -> None:
    tournament = a_day(entered=30, late=0)
    for entry in tournament.entries.select_related("pair__first", "pair__second"):
        pair = entry.pair
        assert pair is not None
        first, second = f"María {pair.pk} Fernández-Rubio", f"José Ignacio {pair.pk} Gracia"
        type(pair.first).objects.filter(pk=pair.first_id).update(name=first)
        type(pair.first).objects.filter(pk=pair.second_id).update(name=second)
        type(pair).objects.filter(pk=pair.pk).update(name=f"{first} – {second}")
        type(entry).objects.filter(pk=entry.pk).update(name=f"{first} – {second}")
    publish_round(SYSTEM, the_round(tournament, 1))
    room = visitor({"width": 1920, "height": 1080})
    room.go(f"/t/{tournament.slug}/screen/?show=tables&show=names&seconds=300")
    page = room.page
    slides = int(page.locator("[data-slide]").get_attribute("data-count") or 0)
    assert slides == 4
    for number in range(slides):
        page.evaluate("document.fonts.ready")
        assert page.evaluate("document.documentElement.scrollHeight") <= 1080
        assert page.evaluate(BROKEN) == []
        assert page.locator(".part").count() >= 28
        before = page.locator("[data-slide]").get_attribute("data-this")
        page.keyboard.press("ArrowRight")
        if number < slides - 1:
            expect(page.locator("[data-slide]")).not_to_have_attribute("data-this", before or "")


@pytest.mark.parametrize(
    ("screen", "scheme"), [(PHONE, "light"), *long([(DESK, "dark")])], ids=["phone", "desk"]
)
def test_the_public_looks_at_people_meetings_and_pictures(
    visitor: Callable[..., Visitor], screen: dict[str, int], scheme: str
) -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    refresh_ratings(tournament.pk)
    pair = tournament.entries.get(number=1).pair
    assert pair is not None
    reader = visitor(screen, scheme=scheme)
    reader.go(f"/pairs/{pair.pk}/")
    reader.follow(pair.first.name)
    expect(reader.page.get_by_role("img", name="Nivel de")).to_be_visible()
    reader.look()
    reader.follow("Rivales")
    reader.page.get_by_role("link", name="Cada enfrentamiento").first.click()
    expect(reader.page.get_by_role("heading", name="Cara a cara")).to_be_visible()
    reader.look()
    reader.go(f"/clubs/{tournament.club.slug}/statistics/")
    reader.go(f"/t/{tournament.slug}/screens/")
    reader.go(f"/t/{tournament.slug}/screen/?show=standings")
    reader.go(f"/embed/t/{tournament.slug}/standings/")
    match = tournament.stages.get().rounds.get(number=1).matches.order_by("table")[0]
    reader.go(f"/embed/matches/{match.pk}/hands/1/")


def test_a_score_beside_names_from_right_to_left_is_not_turned_round(
    visitor: Callable[..., Visitor],
) -> None:
    scene = scenes.running()
    for entry in scene.tournament.entries.all():
        entry.name = f"الفريق {entry.number}"
        entry.save(update_fields=["name"])
    correct_result(scene.organiser, scene.matches()[1], Score(3, 0, 300, 0), reason="acta")
    reader = visitor()
    reader.sign_in("organiser")
    reader.go(f"/t/{scene.tournament.slug}/history/")
    places = reader.page.evaluate(
        """() => {
            const score = document.querySelector(".event > div > .number").lastChild;
            const range = new Range();
            return [...score.data].map((_, place) => {
                range.setStart(score, place);
                range.setEnd(score, place + 1);
                return range.getBoundingClientRect().left;
            });
        }"""
    )
    assert len(places) == len("3–0")
    assert places == sorted(places)


def test_a_number_of_the_history_is_not_broken_on_a_phone(visitor: Callable[..., Visitor]) -> None:
    scene = scenes.running()
    reader = visitor()
    reader.sign_in("organiser")
    reader.go(f"/t/{scene.tournament.slug}/history/")
    lines = reader.page.evaluate(
        """() => [...document.querySelectorAll(".event__number")].map((number) => {
            number.textContent = "100000";  // as of a club of years
            const range = new Range();
            range.selectNodeContents(number);
            return range.getClientRects().length;
        })"""
    )
    assert set(lines) == {1}


def test_a_reader_who_chose_dark_colours_finds_them_on_the_next_page(
    visitor: Callable[..., Visitor],
) -> None:
    reader = visitor(PHONE, scheme="light")
    reader.go("/help/")
    body = reader.page.locator("body")
    expect(body).to_have_css("background-color", "rgb(246, 239, 224)")
    reader.page.get_by_label("Colores").select_option("dark")
    expect(body).to_have_css("background-color", "rgb(23, 19, 14)")
    reader.go("/")
    expect(body).to_have_css("background-color", "rgb(23, 19, 14)")
    reader.look()
    reader.go("/help/")
    reader.look()
    reader.page.get_by_label("Colores").select_option("")
    expect(body).to_have_css("background-color", "rgb(246, 239, 224)")

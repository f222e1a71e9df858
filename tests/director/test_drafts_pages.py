"""The organiser arranges a draft on its page, and goes back on another."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, a_swiss, organiser, play_out, the_liguilla, the_round, user
from tournaments.director.services.draws import draw_next
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Match, Round, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss(db: None) -> Tournament:
    """Seven entries, one round played, the second a draft."""
    tournament = a_swiss(7)
    organiser(tournament.club)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    draw_next(SYSTEM, tournament, after=1)
    return tournament


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(user("olga"))
    return client


def address(tournament: Tournament, verb: str) -> str:
    return reverse("arrange", args=[tournament.slug, 2, verb])


def draft_page(desk: Client, tournament: Tournament) -> str:
    response = desk.get(reverse("draft", args=[tournament.slug, 2]))
    assert response.status_code == 200
    return response.content.decode()


def test_a_draft_shows_why_its_tables_meet(desk: Client, swiss: Tournament) -> None:
    page = draft_page(desk, swiss)
    assert page.count('class="draft__why"') == 4
    assert "¿Por qué?" in page
    assert "Lo que incumple esta ronda" not in page


@pytest.mark.parametrize("name", ["round", "draft"])
def test_the_notice_of_an_earlier_draft_leads_to_it(desk: Client, name: str) -> None:
    tournament = the_liguilla(published=1)
    organiser(tournament.club)
    page = desk.get(reverse(name, args=[tournament.slug, 4])).content.decode()
    first = reverse("round", args=[tournament.slug, 2])
    notice = f'<p><a href="{first}">La ronda 2 todavía es un borrador: publícala antes.</a></p>'
    assert notice in page
    page = desk.get(reverse(name, args=[tournament.slug, 2])).content.decode()
    assert "todavía es un borrador" not in page


def test_two_change_places_by_their_names(desk: Client, swiss: Tournament) -> None:
    match, other = Match.objects.filter(round__number=2, away__isnull=False).order_by("table")[:2]
    form = {"one": str(match.home.number), "other": str(other.home.number)}
    response = desk.post(address(swiss, "swap"), form)
    assert response.status_code == 302
    assert Match.objects.get(round__number=2, table=match.table).home == other.home


def test_a_rematch_is_warned_of_and_may_be_published(desk: Client, swiss: Tournament) -> None:
    first = Match.objects.filter(round__number=1, away__isnull=False).order_by("table")[0]
    sits = Match.objects.filter(round__number=2, away__isnull=False)
    at = sits.filter(home=first.home).first() or sits.get(away=first.home)
    facing = at.away if at.home == first.home else at.home
    assert facing is not None
    assert first.away is not None
    desk.post(address(swiss, "swap"), {"one": facing.number, "other": first.away.number})
    page = draft_page(desk, swiss)
    assert "Lo que incumple esta ronda" in page
    assert reverse("publish-round", args=[swiss.slug, 2]) in page


def test_a_table_taken_apart_forbids_to_publish(desk: Client, swiss: Tournament) -> None:
    desk.post(address(swiss, "unpair"), {"table": "1"})
    page = draft_page(desk, swiss)
    assert "imposible" in page
    assert "Sin mesa" in page
    assert reverse("publish-round", args=[swiss.slug, 2]) not in page
    response = desk.post(reverse("publish-round", args=[swiss.slug, 2]))
    assert response.status_code == 409
    assert the_round(swiss, 2).state == Round.State.DRAFT
    desk.post(address(swiss, "fill"))
    assert "imposible" not in draft_page(desk, swiss)


def test_pinned_tables_are_marked(desk: Client, swiss: Tournament) -> None:
    desk.post(address(swiss, "pin"), {"table": "2"})
    assert Match.objects.get(round__number=2, pinned=True).table == 2
    desk.post(address(swiss, "draw-again"))
    assert Match.objects.get(round__number=2, pinned=True).table == 2
    desk.post(address(swiss, "unpin"), {"table": "2"})
    assert not Match.objects.filter(pinned=True).exists()


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("swap", {"one": "1"}),
        ("swap", {"one": "1", "other": "99"}),
        ("swap", {"one": "9" * 400, "other": "²"}),
        ("pin", {"table": "77"}),
        ("pair", {"one": "1", "other": "2"}),
    ],
)
def test_what_cannot_be_done_is_said_on_the_page(
    desk: Client, swiss: Tournament, verb: str, fields: dict[str, str]
) -> None:
    before = list(Match.objects.order_by("pk").values())
    response = desk.post(address(swiss, verb), fields, follow=True)
    assert response.status_code == 200
    assert re.search(r"No existe la opción|ya tiene mesa", response.content.decode())
    assert list(Match.objects.order_by("pk").values()) == before


def test_an_unknown_button_is_not_found(desk: Client, swiss: Tournament) -> None:
    assert desk.post(address(swiss, "burn")).status_code == 404


def test_the_next_round_is_drawn_by_a_click(desk: Client) -> None:
    tournament = a_swiss(6)
    organiser(tournament.club)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    rounds = reverse("rounds", args=[tournament.slug])
    assert "Sortear la ronda 2" in desk.get(rounds).content.decode()
    response = desk.post(reverse("draw-next", args=[tournament.slug]), {"after": "1"})
    assert response["Location"] == reverse("draft", args=[tournament.slug, 2])
    second_response = desk.post(reverse("draw-next", args=[tournament.slug]), {"after": "1"})
    assert second_response["Location"] == response["Location"]
    assert "Sortear la ronda" not in desk.get(rounds).content.decode()


@pytest.mark.parametrize("after", ["", "x", "1000", "999999"])
def test_after_a_round_that_no_tournament_has_nothing_is_drawn(desk: Client, after: str) -> None:
    tournament = a_swiss(6)
    organiser(tournament.club)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    response = desk.post(reverse("draw-next", args=[tournament.slug]), {"after": after})
    assert response.status_code == 422
    assert not Round.objects.filter(number=2).exists()


def test_while_results_are_missing_the_click_says_so(desk: Client) -> None:
    tournament = a_swiss(6)
    organiser(tournament.club)
    publish_round(SYSTEM, the_round(tournament, 1))
    form = {"after": "1"}
    response = desk.post(reverse("draw-next", args=[tournament.slug]), form, follow=True)
    assert "Partidas sin resultado definitivo: 3" in response.content.decode()


def test_a_draft_is_thrown_away_and_taken_back(desk: Client, swiss: Tournament) -> None:
    response = desk.post(reverse("discard-round", args=[swiss.slug, 2]))
    assert response.status_code == 302
    assert not Round.objects.filter(number=2).exists()
    page = desk.get(reverse("restore-points", args=[swiss.slug])).content.decode()
    point = swiss.restore_points.latest("pk")
    address = reverse("go-back", args=[swiss.slug, point.pk])
    assert address in page
    assert "Estas rondas vuelven: 2." in desk.get(address).content.decode()
    desk.post(address)
    assert Round.objects.filter(number=2).exists()


def test_where_one_goes_back_to_is_said_in_spanish(desk: Client, swiss: Tournament) -> None:
    point = swiss.restore_points.get(verb="round.drawn")
    page = desk.get(reverse("restore-points", args=[swiss.slug])).content.decode()
    html = desk.get(reverse("go-back", args=[swiss.slug, point.pk])).content.decode()
    head = re.search("<h1>(.*?)</h1>", html, re.DOTALL)
    link = re.search(rf'href="[^"]*/{point.pk}/go-back/">(.*?)</a>', page, re.DOTALL)
    assert head is not None
    assert link is not None
    assert read_aloud(head[1]) == "Volver a como estaba antes de esto: el sorteo de la ronda 2"
    assert read_aloud(link[1]) == "Volver al momento anterior a: el sorteo de la ronda 2"


def read_aloud(markup: str) -> str:
    return " ".join(re.sub("<[^>]*>", "", markup).split())


def test_going_back_over_results_is_not_offered(desk: Client, swiss: Tournament) -> None:
    point = swiss.restore_points.filter(verb="round.published").earliest("pk")
    address = reverse("go-back", args=[swiss.slug, point.pk])
    html = desk.get(reverse("restore-points", args=[swiss.slug])).content.decode()
    assert address not in html
    assert "No se ofrecen 2 puntos" in html
    page = desk.get(address).content.decode()
    assert "No se puede volver" in page
    assert '<button class="button button--primary"' not in page
    assert desk.post(address).status_code == 409

"""Matches of several cotos on their pages."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, arbiter, organiser, the_match, user
from tests.director.test_creation_pages import created
from tests.director.test_creation_pages import organiser as organiser_of_a_club  # noqa: F401 - a fixture
from tests.support.coto_matches import best_of_three, submit_coto
from tests.support.event_tables import away, counting, home, now
from tournaments.models import Match, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(db: None) -> Match:
    """Round 1, table 1: two cotos win it."""
    return the_match(best_of_three(), 1, 1)


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(user(name))
    return client


def test_a_match_in_play_shows_its_cotos(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    slug = match.tournament.slug
    page = Client().get(reverse("match", args=[match.pk])).content.decode()
    assert "En juego: 1–0 en cotos." in page
    assert "Coto 1" in page
    assert "1–0" in Client().get(reverse("round", args=[slug, 1])).content.decode()
    submit_coto(SYSTEM, match, "home", 2)
    page = Client().get(reverse("match", args=[match.pk])).content.decode()
    assert "En juego" not in page
    assert "Coto 2" in page


def test_the_control_room_shows_the_cotos_so_far(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    arbiter(match.tournament.club)
    client = signed_in("alberto")
    slug = match.tournament.slug
    tables = client.get(reverse("control", args=[slug])).content.decode()
    assert tables.count('<td class="number total">1–0</td>') == 1
    assert ">Cotos</th>" in tables
    table = client.get(reverse("control-table", args=[slug, match.pk])).content.decode()
    assert '<strong class="number">1–0</strong>' in table


def test_the_control_room_asks_for_cotos(match: Match) -> None:
    arbiter(match.tournament.club)
    client = signed_in("alberto")
    slug = match.tournament.slug
    room = client.get(reverse("control", args=[slug]))
    assert room.context["form"]["hands"].label == "Cotos"
    assert "Mesa, espacio, cotos, Intro" in room.content.decode()
    table = client.get(reverse("control-table", args=[slug, match.pk])).content.decode()
    assert "Anotar los tantos de cada coto" in table
    assert "de cada mano" not in table


def test_an_arbiter_sees_which_coto_a_record_is_of(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    submit_coto(SYSTEM, match, "away")
    other = submit_coto(away(match), match, "home", 3, tag=2).record
    assert other is not None
    arbiter(match.tournament.club)
    client = signed_in("alberto")
    records = client.get(reverse("match", args=[match.pk])).content.decode().partition("Actas")[2]
    assert (records.count("Coto 1"), records.count("Coto 2")) == (1, 2)
    assert "Coto 2" in client.get(reverse("record", args=[other.pk])).content.decode()


def test_an_arbiter_rules_on_a_match_that_has_no_result_yet(match: Match) -> None:
    submit_coto(home(match), match, "home")
    submit_coto(away(match), match, "away", tag=1)
    arbiter(match.tournament.club)
    client = signed_in("alberto")
    assert client.get(reverse("match", args=[match.pk])).status_code == 200
    path = reverse("rule-dispute", args=[match.pk])
    page = client.get(path)
    assert page.status_code == 200
    form = {"dispute": match.disputes.get().pk, "ruling": "accept", "reason": "Así fue."}
    response = client.post(
        path, {**form, "seen": client.post(path, form).context["preview"].version}
    )
    assert response.status_code == 302, response.context["form"].errors
    assert (now(match).state, match.disputes.get().state) == ("pending", "amended")


@pytest.mark.parametrize(
    ("cotos", "other", "expected", "state", "hands"),
    [
        (
            ["home", "home"],
            ("away", 2),
            "queda anulado, y la partida sigue con 1–1",
            "pending",
            None,
        ),
        (["home"], ("away", 1), "la partida sigue con 0–1 en cotos", "pending", None),
        (["home", "away", "home"], ("home", 2), "dejan de contar", "accepted", (2, 0)),
    ],
)
def test_what_the_record_of_a_coto_changes_is_shown_before_it_counts(
    match: Match,
    cotos: list[str],
    other: tuple[str, int],
    expected: str,
    state: str,
    hands: tuple[int, int] | None,
) -> None:
    for number, winner in enumerate(cotos, 1):
        submit_coto(SYSTEM, match, winner, number)
    submit_coto(away(match), match, other[0], 7, tag=other[1])
    arbiter(match.tournament.club)
    client, path = signed_in("alberto"), reverse("rule-dispute", args=[match.pk])
    assert "Cotos de Las Cuarenta" in client.get(path).content.decode()
    form = {"dispute": match.disputes.get().pk, "ruling": "accept", "reason": "Así fue."}
    response = client.post(path, form)
    assert expected in response.content.decode()
    assert now(match).state == "disputed"
    client.post(path, {**form, "seen": response.context["preview"].version})
    assert now(match).state == state
    result = counting(match)
    assert (result and (result.home_hands, result.away_hands)) == hands


def test_a_side_reports_cotos_and_who_won_each(match: Match) -> None:
    organiser(match.tournament.club)
    client = signed_in("olga")
    path = reverse("report-hands", args=[match.pk])
    lines = client.get(path).content.decode()
    assert "h3_home" in lines
    assert "h4_home" not in lines, "three cotos at most"
    form = {"lines": "3", "h1_home": "110", "h1_away": "20", "h2_home": "100", "h2_away": "30"}
    missing = client.post(path, form)
    assert "Di quién ganó el coto 1." in missing.content.decode()
    response = client.post(path, {**form, "h1_winner": "home", "h2_winner": "home"})
    assert response.status_code == 302
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands) == (2, 0)


def test_standings_head_their_columns_with_cotos(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    submit_coto(SYSTEM, match, "home", 2)
    page = Client().get(reverse("tournament", args=[match.tournament.slug])).content.decode()
    assert "Diferencia de cotos" in page
    assert "Diferencia de manos" not in page
    sums = Client().get(reverse("sums", args=[match.tournament.slug, match.home.number]))
    assert "Diferencia de cotos" in sums.content.decode()


def test_a_tournament_of_cotos_is_created_on_its_page(
    organiser_of_a_club: Client,  # noqa: F811
) -> None:
    created(organiser_of_a_club, cotos="2")
    assert Tournament.objects.get().cotos == 2
    refused = created(organiser_of_a_club, cotos="2", length="deals")
    assert refused.status_code == 422
    assert "cotos" in refused.content.decode()
    assert Tournament.objects.count() == 1

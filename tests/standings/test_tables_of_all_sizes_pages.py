"""Reports at tables of two and three single players, of two pairs made for one round, of cotos."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import arbiter, the_liguilla, the_match
from tests.director.test_single_players import event
from tournaments.core.views import ENTRY_CODES
from tournaments.models import Entry, Match, Tournament

pytestmark = pytest.mark.django_db


def phone(entry: Entry | None) -> Client:
    """A phone on which the code of an entry was given."""
    assert entry is not None
    client = Client(headers={"Accept-Language": "es"})
    session = client.session
    session[ENTRY_CODES] = {entry.tournament.slug: entry.code}
    session.save()
    return client


def at(name: str, match: Match) -> str:
    return reverse(name, args=[match.pk])


def now(match: Match) -> Match:
    return Match.objects.with_names().get(pk=match.pk)


def confirm(entry: Entry | None, match: Match) -> int:
    return phone(entry).post(at("confirm-result", match), {"version": "1"}).status_code


def test_three_at_a_table_report_and_either_of_the_others_confirms() -> None:
    tournament = event("arrastrado", "threes", 3, to=2)
    match = the_match(tournament, 1, 1)
    assert match.third is not None
    page = phone(match.home).get(at("report", match)).content.decode()
    assert 'name="third_hands"' in page
    form = {"home_hands": "2", "away_hands": "1", "third_hands": "0"}
    assert phone(match.home).post(at("report", match), form).status_code == 302
    html = phone(match.third).get(at("match", match)).content.decode()
    assert "2–1–0" in html
    assert match.third.name in html
    assert confirm(match.third, match) == 302
    assert now(match).state == "accepted"


def test_two_pairs_made_for_one_round_are_called_by_all_four_names() -> None:
    tournament = event("parejas-online", "individual", 4, to=3)
    match = the_match(tournament, 1, 1)
    assert match.home_partner is not None
    pair = f"{match.home.name} / {match.home_partner.name}"
    assert pair in phone(match.home).get(at("report", match)).content.decode()
    form = {"home_hands": "3", "away_hands": "2"}
    phone(match.home_partner).post(at("report", match), form)
    assert confirm(match.home, match) == 403
    assert confirm(match.away_partner, match) == 302
    table = reverse("own-table", args=[tournament.slug])
    page = phone(match.away_partner).get(table).content.decode()
    assert pair in page
    assert "3–2" in page


def test_a_match_of_cotos_asks_for_cotos() -> None:
    tournament = the_liguilla(published=1)
    Tournament.objects.filter(pk=tournament.pk).update(cotos=2)
    match = the_match(tournament, 1, 1)
    page = phone(match.home).get(at("report", match)).content.decode()
    assert f"Cotos de {match.home.name}" in page
    form = {"home_hands": "2", "away_hands": "1"}
    assert phone(match.home).post(at("report", match), form).status_code == 302
    assert now(match).state == "reported"
    sheet = phone(match.home).get(at("report-hands", match)).content.decode()
    assert 'name="h3_home"' in sheet
    assert 'name="h4_home"' not in sheet
    typed = {"lines": "3", "h1_home": "300", "h1_away": "150", "h2_home": "320", "h2_away": "100"}
    response = phone(match.home).post(at("report-hands", match), typed)
    assert response.status_code == 422
    assert 'aria-describedby="id_h1_winner_error"' in response.content.decode()
    typed |= {"h1_winner": "home", "h2_winner": "home"}
    assert phone(match.home).post(at("report-hands", match), typed).status_code == 302
    assert match.results.get(live=True).home_hands == 2


def test_the_desk_notes_tables_of_three() -> None:
    tournament = event("arrastrado", "threes", 3, to=2)
    judge = arbiter(tournament.club)
    client = Client(headers={"Accept-Language": "es"})
    assert judge.user is not None
    client.force_login(judge.user)
    form = {"round": "1", "table": "1", "hands": "2-1-0", "points": "200-100-30"}
    page = client.post(reverse("desk-enter", args=[tournament.slug]), form).content.decode()
    assert "Mesa 1: 2–1–0 vale." in page
    assert now(the_match(tournament, 1, 1)).state == "accepted"

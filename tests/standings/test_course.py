"""How the lines of the standings came to their places: places won, last results, columns shown."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.clubs import NOBODY, SYSTEM, the_liguilla, the_round
from tests.support.day import a_day, next_round, play_round
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain.standing_rows import StandingRow, Value
from tournaments.models import Tournament
from tournaments.results.services.matches import forfeit
from tournaments.standings.queries.standings import standings_page
from tournaments.standings.templatetags.standings import (
    decided_text,
    last_results,
    place_change,
)

pytestmark = pytest.mark.django_db


def after(rounds: int) -> Tournament:
    tournament = a_day(rounds=4)
    for number in range(1, rounds + 1):
        play_round(tournament, number)
        if number < rounds:
            next_round(tournament, number)
    return tournament


def test_before_the_second_round_there_are_no_places_to_have_climbed() -> None:
    rows = standings_page(after(1).slug, NOBODY).rows
    assert {row.climbed for row in rows} == {None}


def test_the_places_climbed_lead_back_to_the_table_before_the_last_round() -> None:
    tournament = after(1)
    before = {row.number: row.rank for row in standings_page(tournament.slug, NOBODY).rows}
    next_round(tournament, 1)
    play_round(tournament, 2)
    rows = standings_page(tournament.slug, NOBODY).rows
    assert {row.number: row.rank + (row.climbed or 0) for row in rows} == before
    assert any(row.climbed for row in rows)


def test_the_last_results_are_those_of_the_rounds_in_order() -> None:
    tournament = a_day(rounds=4)
    first = publish_round(SYSTEM, the_round(tournament, 1))
    match = first.matches.with_names().get(table=1)
    assert match.away is not None
    forfeit(SYSTEM, match, ["home"], reason="did not come")
    play_first = {match.home.number: "lost", match.away.number: "won"}
    for other in first.matches.with_names().exclude(pk=match.pk).filter(away__isnull=False):
        forfeit(SYSTEM, other, ["away"], reason="did not come")
    close_round(SYSTEM, first)
    next_round(tournament, 1)
    play_round(tournament, 2)
    rows = {row.number: row for row in standings_page(tournament.slug, NOBODY).rows}
    for number, outcome in play_first.items():
        assert rows[number].outcomes[0] == outcome
    assert {len(row.outcomes) for row in rows.values()} == {2}


def test_in_a_knock_out_nobody_climbs() -> None:
    tournament = a_day(4, format="knockout")
    play_round(tournament, 1)
    next_round(tournament, 1)
    play_round(tournament, 2)
    assert {row.climbed for row in standings_page(tournament.slug, NOBODY).rows} == {None}


def test_columns_without_anything_in_them_are_left_out(client: Client) -> None:
    tournament = the_liguilla(published=1)
    address = reverse("tournament", args=[tournament.slug])
    page = client.get(address).content.decode()
    assert "Partidas ganadas" not in page
    assert 'class="leader' not in page
    forfeit(
        SYSTEM,
        the_round(tournament, 1).matches.with_names().get(table=1),
        ["away"],
        reason="did not come",
    )
    page = client.get(address).content.decode()
    assert "Partidas ganadas" in page
    assert "Partidas empatadas" not in page
    assert page.count('class="leader') == 1


def line(**more: object) -> StandingRow:
    rows = standings_page(after(1).slug, NOBODY).rows
    return rows[1]._replace(**more)  # type: ignore[arg-type]


def test_a_tie_break_is_a_short_word_with_its_number() -> None:
    row = line(decided_by="buchholz", values=(Value("buchholz", 26),))
    with translation.override("es"):
        assert decided_text(row) == "BH 26"
        assert decided_text(row._replace(decided_by="match_points")) == "Puntos"
        assert decided_text(row._replace(decided_by="shared")) == "empatados"


def test_a_change_of_place_is_said_in_words_too() -> None:
    row = line()
    with translation.override("es"):
        assert "sube 2 puestos" in place_change(row._replace(climbed=2))
        assert "baja 1 puesto" in place_change(row._replace(climbed=-1))
        assert not place_change(row._replace(climbed=0))
        assert not place_change(row._replace(climbed=None))


def test_the_last_results_are_dots_and_letters() -> None:
    with translation.override("es"):
        html = last_results(line(outcomes=("won", "lost")))
    assert '<i class="won"></i><i class="lost"></i>' in html
    assert ">G P<" in html

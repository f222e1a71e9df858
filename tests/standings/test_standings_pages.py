"""The pages of standings: tables that open, brackets, reasons, effects."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from tests.clubs import NOBODY, SYSTEM, a_swiss, play_out, the_match, the_round, user
from tests.standings.test_standings_queries import groups_and_final
from tests.support import scenes
from tests.support.day import a_day, entry, next_round, play_round
from tests.support.scene_rows import reuse_rows
from tournaments.director.services.absences import penalise
from tournaments.director.services.rounds import pair, unpair
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Membership, Tournament
from tournaments.people.services.clubs import add_member
from tournaments.results.services.matches import dispute_result
from tournaments.standings.queries.crosstables import Cell
from tournaments.standings.queries.standings import entry_sums, standings_page
from tournaments.standings.queries.texts import amount
from tournaments.standings.templatetags.lines import meeting_cells
from tournaments.standings.templatetags.standings import amount_of, order_reason

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss() -> Tournament:
    return two_rounds_played()


@reuse_rows()
def two_rounds_played() -> Tournament:
    """Seven pairs after two rounds."""
    tournament = a_day(entered=7, late=0)
    for number in (1, 2):
        play_round(tournament, number)
        next_round(tournament, number)
    return tournament


def page(client: Client, name: str, *args: object, **fields: str) -> str:
    response = client.get(reverse(name, args=args), fields)
    assert response.status_code == 200
    return response.content.decode()


def member_of(tournament: Tournament) -> Client:
    client = Client()
    add_member(SYSTEM, tournament.club, user("alba"), Membership.Role.ARBITER)
    client.force_login(user("alba"))
    return client


def test_every_number_of_the_table_leads_to_its_sum(swiss: Tournament, client: Client) -> None:
    table = page(client, "tournament", swiss.slug)
    address = reverse("tournament", args=[swiss.slug])
    for link in set(re.findall(r'href="(standings/\d+/[^"]*)"', table)):
        path, _, anchor = link.partition("#")
        response = client.get(address + path)
        assert response.status_code == 200
        assert not anchor or f'id="{anchor}"' in response.content.decode()
    shown = standings_page(swiss.slug, NOBODY)
    row = next(row for row in shown.rows if row.number == 1)
    values = [value for value in row.values if value.code not in shown.empty_columns]
    numbers = [value for value in values if value.number is not None]
    assert len(re.findall(r'href="standings/1/[^"]*"', table)) == 3 + len(numbers)


def test_an_addend_leads_to_the_match_and_to_the_opponent(
    swiss: Tournament, client: Client
) -> None:
    match = the_match(swiss, 1, 1)
    assert match.away is not None
    sums = page(client, "sums", swiss.slug, match.home.number)
    assert reverse("match", args=[match.pk]) in sums
    assert reverse("sums", args=[swiss.slug, match.away.number]) in sums
    assert "descartado: el peor rival (14.1)" in sums
    assert "<del>" in sums


def test_one_table_has_what_each_round_adds_to_each_number(
    swiss: Tournament, client: Client
) -> None:
    penalise(SYSTEM, entry(swiss, 1), round_number=1, match_points=1, reason="late")
    sums = entry_sums(swiss.slug, 1, NOBODY)
    table = page(client, "sums", swiss.slug, 1).partition("</table>")[0]
    codes = re.findall(r'<th scope="col" class="number" id="(\w+)">', table)
    assert codes == [row.code for row in sums.sums]
    body, _, foot = table.partition("<tbody>")[2].partition("<tfoot>")
    rounds = body.split("<tr>")[1:]
    assert [line.round for line in sums.rounds] == list(range(1, len(rounds) + 1))
    points = [re.findall(r'<td class="number">(.*?)</td>', line)[2] for line in rounds]
    first, second, penalty = [amount(term.amount) for term in sums.sums[0].terms]
    assert points == [f"{first} {penalty}", second]
    assert '<del title="descartado: el peor rival (14.1)">' in body
    assert f'<td class="number">{amount(sums.row.match_points)}</td>' in foot


def test_the_sums_say_why_a_line_stands_below_the_one_above(
    swiss: Tournament, client: Client
) -> None:
    rows = standings_page(swiss.slug, NOBODY).rows
    first = page(client, "sums", swiss.slug, rows[0].number)
    assert f"{rows[0].name} va en cabeza" in first
    below = page(client, "sums", swiss.slug, rows[-1].number)
    assert f"{rows[-1].name} va tras {rows[-2].name}" in below


def test_why_here_has_a_sentence_for_every_way_to_stand_below(swiss: Tournament) -> None:
    rows = standings_page(swiss.slug, NOBODY).rows
    for code in (
        "exit_round",
        "group_place",
        "left_unplayed",
        "lots",
        "shared",
        "match_points",
        "buchholz_cut1",
    ):
        text = order_reason(rows[1]._replace(decided_by=code), rows[0])
        assert rows[0].name in text
        assert "{" not in text
    first = rows[1].values[0].code
    fewer = (rows[1].values[0]._replace(number=-1), *rows[1].values[1:])
    below = rows[1]._replace(decided_by=first, match_points=-1, values=fewer)
    text = order_reason(below, rows[0])
    assert "va tras" in text
    assert "igualados" not in text


def test_groups_have_a_table_each_and_a_tab_for_every_stage(client: Client) -> None:
    tournament = groups_and_final()
    table = page(client, "tournament", tournament.slug, stage="1")
    assert table.count('<table class="table standings">') == 2
    assert "Grupo 1" in table
    assert '?stage=2"' in table
    assert "Esta fase no ha empezado" in page(client, "tournament", tournament.slug, stage="2")


@pytest.mark.parametrize("stage", ["3", "0", "x", "99999999", "²"])
def test_a_stage_that_does_not_exist_is_not_found(
    swiss: Tournament, client: Client, stage: str
) -> None:
    for name in ("tournament", "crosstable"):
        path = reverse(name, args=[swiss.slug])
        assert client.get(path, {"stage": stage}).status_code == 404


def test_a_knock_out_is_drawn_as_a_bracket_whose_matches_open(client: Client) -> None:
    tournament = groups_and_final()
    next_round(tournament, 3)
    publish_round(SYSTEM, the_round(tournament, 4))
    bracket = page(client, "crosstable", tournament.slug)
    assert "Semifinales" in bracket
    assert "Ganador de 1" in bracket
    assert reverse("match", args=[the_match(tournament, 4, 1).pk]) in bracket


def test_a_swiss_is_shown_round_by_round(swiss: Tournament, client: Client) -> None:
    table = page(client, "crosstable", swiss.slug)
    assert "Ronda a ronda" in table
    assert reverse("match", args=[the_match(swiss, 2, 1).pk]) in table


def test_every_table_says_why_its_sides_meet(client: Client) -> None:
    tournament = a_swiss(7)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    next_round(tournament, 1)
    publish_round(SYSTEM, the_round(tournament, 2))
    board = page(client, "round", tournament.slug, 2)
    assert board.count('<details class="table-line__menu"') == 4
    assert board.count("¿Por qué este descanso?</span>") == 1
    assert "¿Por qué este cruce?" in page(client, "match", the_match(tournament, 2, 1).pk)


def test_a_table_made_by_hand_says_so(client: Client) -> None:
    tournament = a_day(entered=4, late=0)
    first = the_match(tournament, 1, 1)
    assert first.away is not None
    home_number, other = first.home.number, first.away.number
    unpair(SYSTEM, first)
    pair(SYSTEM, the_round(tournament, 1), entry(tournament, home_number), entry(tournament, other))
    publish_round(SYSTEM, the_round(tournament, 1))
    assert "La organización puso esta mesa a mano." in page(client, "round", tournament.slug, 1)


def test_a_correction_is_made_only_after_its_effect_was_shown(swiss: Tournament) -> None:
    client, match = member_of(swiss), the_match(swiss, 2, 1)
    path = reverse("correct-result", args=[match.pk])
    fields: dict[str, object] = {"home_hands": 0, "away_hands": 3, "home_points": 5}
    fields |= {"away_points": 300, "reason": "Acta del revés."}
    response = client.post(path, fields)
    assert "Aún no se ha corregido nada" in response.content.decode()
    assert match.results.count() == 1
    pattern_match = re.search(r'name="seen" value="(\w+)"', response.content.decode())
    assert pattern_match
    changed = client.post(path, {**fields, "away_points": 299, "seen": pattern_match[1]})
    assert changed.status_code == 200
    assert match.results.count() == 1
    assert client.post(path, {**fields, "seen": pattern_match[1]}).status_code == 302
    assert match.results.get(live=True).away_hands == 3


def test_what_if_shows_who_moves_and_changes_nothing(swiss: Tournament) -> None:
    client, match = member_of(swiss), the_match(swiss, 2, 1)
    fields = {"match": str(match.pk), "home_hands": "0", "away_hands": "3"}
    text = page(client, "what-if", swiss.slug, **fields)
    assert "Hay cambios de puesto" in text
    assert "▼" in text
    assert match.results.count() == 1
    path = reverse("what-if", args=[swiss.slug])
    assert client.get(path, {**fields, "home_hands": "x"}).status_code == 422
    assert client.get(path, {**fields, "match": "987654"}).status_code == 422
    other = scenes.running().matches()[0]
    assert client.get(path, {**fields, "match": str(other.pk)}).status_code == 422
    empty = page(client, "what-if", swiss.slug)
    assert f'value="{match.pk}"' in empty
    assert "tercero" not in empty, "two sit at a table"
    assert path in page(client, "tournament", swiss.slug)
    assert path not in Client().get(reverse("tournament", args=[swiss.slug])).content.decode()


def test_the_table_is_written_once_for_each_language(swiss: Tournament, client: Client) -> None:
    spanish = page(client, "tournament", swiss.slug)
    client.cookies["django_language"] = "en"
    english = page(client, "tournament", swiss.slug)
    assert "Buchholz sin el peor rival" in spanish
    assert "Buchholz without the lowest opponent" in english


def test_nothing_in_these_pages_would_be_stopped_by_the_policy(
    swiss: Tournament, client: Client
) -> None:
    for name, args in (("tournament", []), ("crosstable", []), ("sums", [1])):
        text = page(client, name, swiss.slug, *args)
        assert " style=" not in text
        assert "<script>" not in text


def test_numbers_are_written_as_the_language_does() -> None:
    with override("es"):
        amounts = (amount(2.5), amount(-3), amount(None), amount(0.333333))
    assert amounts == ("2,5", "−3", "", "0,3333")
    assert amount_of(3, "hand_difference") == "+3"
    assert amount_of(3, "buchholz") == "3"


def test_a_score_that_is_under_dispute_is_marked_in_the_crosstable(
    swiss: Tournament, client: Client
) -> None:
    assert "cell__disputed" not in page(client, "crosstable", swiss.slug)
    dispute_result(SYSTEM, the_match(swiss, 2, 1), "Mal.")
    table = page(client, "crosstable", swiss.slug)
    assert table.count("cell__disputed") == 2, "once on the row of each side"
    assert "Con interrogación: en reclamación" in table
    assert "3–1<b" in meeting_cells([(Cell(10, "won", 3, 1, 300, 10),)], 2, {10})

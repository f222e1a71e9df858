"""A Mitchell whose halves were hardly compared says that its table is two lists."""

import csv
import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.clubs import NOBODY, SYSTEM, a_club, house_bots
from tests.support.caller import Caller
from tournaments.cli.main import main
from tournaments.director.queries.tournaments import open_fetched_tournament
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.messages import message
from tournaments.domain.rows import SwitchRule
from tournaments.exchange.queries.exports import tournament_file
from tournaments.exchange.queries.proofs import proof_file
from tournaments.live.queries.broadcast import broadcast
from tournaments.models import Match, Tournament
from tournaments.printing.queries.share_cards import share_card
from tournaments.printing.queries.stages import diplomas_paper, standings_paper
from tournaments.results.services.reports import report_result
from tournaments.results.views.own_table import standing_of
from tournaments.sheets.rows import Diplomas, Standings
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db

SENTENCE = message("es", "place.two_lists")


def a_mitchell(**rules: Any) -> Tournament:
    """Return a drawn Mitchell of eight pairs, two of its three rounds."""
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Duplicada",
        NewTournament(
            GameSettings(options={"deals": 2}),
            stages=[
                {"format": "duplicate", "rules": {"movement": "mitchell", "rounds": 2, **rules}}
            ],
        ),
        slug="duplicada",
    )
    enter_newcomers(SYSTEM, tournament, house_bots() * 4)
    draw(SYSTEM, tournament)
    return tournament


def play(
    tournament: Tournament,
    number: int,
    points: Callable[[int], tuple[int, int]] = lambda table: (50 + 5 * table, 30),
) -> None:
    round_ = tournament.stages.get().rounds.get(number=number)
    publish_round(SYSTEM, round_)
    for match in Match.objects.with_names().filter(round=round_):
        home, away = points(match.table)
        hands = [{"home": home, "away": away, "board": n} for n in match.boards]
        report_result(SYSTEM, match, hand_scores=hands)
    close_round(SYSTEM, round_)
    cache.clear()


def remark_on_paper() -> str:
    (sheet,) = standings_paper("duplicada", SYSTEM, None, "es").sheets
    assert isinstance(sheet, Standings)
    return sheet.remark


def lists() -> list[list[int]]:
    page = Caller().read("tournaments/duplicada/standings/")
    return [[entry["number"] for entry in part] for part in page["lists"]]


def test_the_table_is_two_lists_until_the_sides_have_changed_over() -> None:
    tournament = a_mitchell()
    assert tournament.stages.get().rules.switch is SwitchRule.PLAYED
    play(tournament, 1)
    page = Client().get("/t/duplicada/").content.decode()
    assert SENTENCE in page
    assert [sorted(part) for part in lists()] == [[1, 3, 5, 7], [2, 4, 6, 8]]
    order = [row["number"] for row in Caller().read("tournaments/duplicada/standings/")["rows"]]
    assert all(part == sorted(part, key=order.index) for part in lists())
    assert remark_on_paper() == SENTENCE
    play(tournament, 2)
    assert SENTENCE not in Client().get("/t/duplicada/").content.decode()
    assert lists() == []
    assert remark_on_paper() == ""
    for content in (tournament_file("duplicada", NOBODY), proof_file(tournament)):
        assert json.loads(content)["stages"][0]["rules"]["switch"] == "played"


def test_the_command_says_it_of_a_file_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tournament = a_mitchell()
    play(tournament, 1)
    path = tmp_path / "duplicada.json"
    path.write_bytes(tournament_file("duplicada", SYSTEM))
    assert main(["standings", str(path), "--lang", "es"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == SENTENCE
    play(tournament, 2)
    path.write_bytes(tournament_file("duplicada", SYSTEM))
    assert main(["standings", str(path), "--lang", "es"]) == 0
    assert SENTENCE not in capsys.readouterr().out
    assert main(["standings", str(path), "--lang", "es", "--after", "1"]) == 0
    assert SENTENCE in capsys.readouterr().out


def test_without_an_arrow_switch_each_line_has_a_table_of_its_own() -> None:
    tournament = a_mitchell(switch="never")
    play(tournament, 1)
    play(tournament, 2)
    still, moving = lists()
    assert [sorted(part) for part in (still, moving)] == [[1, 3, 5, 7], [2, 4, 6, 8]]
    client = Client(headers={"accept-language": "es"})
    page = client.get("/t/duplicada/").content.decode()
    assert SENTENCE not in page
    first, second = page.split('id="line-1"')[1].split('id="line-2"')
    for part, numbers in ((first, still), (second, moving)):
        places = re.findall(r'<td class="place">(\d+)', part)
        assert places[0] == "1"
        assert len(places) == 4
        assert [
            int(n) for n in re.findall(r'<th scope="row">\s*<a href="[^"]*standings/(\d+)/', part)
        ] == numbers
    (sheet,) = standings_paper("duplicada", SYSTEM, None, "es").sheets
    assert isinstance(sheet, Standings)
    assert [[row.number for row in part.rows] for part in sheet.groups] == [still, moving]
    assert (sheet.by_line, sheet.remark) == (True, "")
    table = client.get("/t/duplicada/tables/standings.csv").content.decode("utf-8-sig")
    lines = [row["Línea"] for row in csv.DictReader(StringIO(table))]
    assert lines == ["A-C"] * 4 + ["B-D"] * 4
    screen = client.get("/t/duplicada/screen/?show=standings").content.decode()
    assert "Línea A-C" in screen
    for content in (tournament_file("duplicada", NOBODY), proof_file(tournament)):
        assert json.loads(content)["stages"][0]["rules"]["switch"] == "never"


def test_papers_card_broadcast_and_own_page_have_the_places_of_the_lines() -> None:
    tournament = a_mitchell(switch="never")
    play(tournament, 1)
    play(tournament, 2)
    parts = standings_page("duplicada", SYSTEM).parts
    firsts = [part.rows[0] for part in parts]
    (diplomas,) = diplomas_paper("duplicada", SYSTEM, None, (1,), "es").sheets
    assert isinstance(diplomas, Diplomas)
    on_first = [row.shown_name for part in parts for row in part.rows if row.rank == 1]
    assert [winner.name for winner in diplomas.winners] == on_first
    assert [row.place for row in share_card("duplicada").rows] == ["1", "1"]
    assert broadcast("duplicada", SYSTEM).leaders == tuple(firsts)
    tournament.refresh_from_db()
    access = open_fetched_tournament(tournament, SYSTEM)
    for row in (row for part in parts for row in part.rows):
        assert standing_of(access, tournament.entries.get(number=row.number)) == row


def test_a_place_shared_with_the_other_line_alone_is_not_shared_in_the_line() -> None:
    tournament = a_mitchell(switch="never")
    play(tournament, 1, lambda table: (60 + 2 * table, 70 - 2 * table))  # -6, -2, 2 and 6
    page = standings_page("duplicada", SYSTEM)
    assert [row.rank for row in page.rows] == [1, 1, 3, 3, 5, 5, 7, 7]
    for part in page.parts:
        assert [row.rank for row in part.rows] == [1, 2, 3, 4]
        assert not any(row.shared or row.decided_by == "shared" for row in part.rows)


def test_a_howell_of_two_rounds_gives_its_parts_as_lists_from_the_draw_on() -> None:
    tournament = a_mitchell(movement="howell")
    sentence = message("es", "place.unlinked_lists")
    assert [len(part) for part in lists()] == [4, 2, 1, 1]
    play(tournament, 1)
    play(tournament, 2)
    assert sentence in Client().get("/t/duplicada/").content.decode()
    assert sum(map(len, lists())) == 8
    assert remark_on_paper() == sentence

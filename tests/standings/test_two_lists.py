"""A Mitchell whose halves were hardly compared says that its table is two lists."""

import csv
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.clubs import NOBODY, SYSTEM, a_club, house_bots
from tests.support.caller import Caller
from tournaments.cli.main import main
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.messages import message
from tournaments.domain.rows import SwitchRule
from tournaments.exchange.queries.exports import tournament_file
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import Match, Tournament
from tournaments.printing.queries import standings_paper
from tournaments.results.services.reports import report_result
from tournaments.sheets.rows import Standings

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


def play(tournament: Tournament, number: int) -> None:
    round_ = tournament.stages.get().rounds.get(number=number)
    publish_round(SYSTEM, round_)
    for match in Match.objects.with_names().filter(round=round_):
        hands = [{"home": 50 + 5 * match.table, "away": 30, "board": n} for n in match.boards]
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

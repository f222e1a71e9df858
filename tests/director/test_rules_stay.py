"""How results count is settled with the plan: no page and no address changes it afterwards."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.clubs import SYSTEM, a_club, house_bots, new_tournament
from tests.conftest import Issue
from tests.support import scenes
from tests.support.caller import problem
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.scores import Score
from tournaments.models import Match
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db

RULES: dict[str, Any] = {
    "points_cap": 110,
    "drop_rounds": 1,
    "match_bonus": 2,
    "scoring": "hands",
    "level_cut": "points",
    "scale": {"forfeit_win_mark": {"points": 30}, "forfeit_loss_mark": {"points": 10}},
    "order": ["best_round"],
}
"""Every rule that says how results count, each with a value that it has not."""


@pytest.mark.parametrize("name", RULES)
def test_a_program_cannot_change_a_rule_of_a_stage(
    issue: Issue, scene: scenes.Scene, name: str
) -> None:
    before, caller = scene.tournament.stages.get().settings, issue("organiser")
    for stage in ({name: RULES[name]}, {"rules": {name: RULES[name]}}):
        body = json.dumps({"stages": [{"number": 1, **stage}]}).encode()
        path = f"tournaments/{scene.tournament.slug}/"
        answer = caller.call("PATCH", path, body, {"If-Match": "*"}, "application/json")
        problem(answer, 400, "bad_parameter")
    assert scene.tournament.stages.get().settings == before


def test_the_page_of_the_settings_has_none_of_them(scene: scenes.Scene) -> None:
    before, client = scene.tournament.stages.get().settings, Client()
    client.force_login(scene.users["organiser"])
    path = f"/t/{scene.tournament.slug}/settings/"
    flat = {name: value for name, value in RULES.items() if not isinstance(value, dict | list)}
    assert not set(flat) & set(client.get(path).context["form"].fields)
    assert client.post(path, {"name": "Otra", **flat}).status_code == 302
    assert scene.tournament.stages.get().settings == before


def test_of_five_rounds_the_worst_is_dropped_and_the_best_one_decides_a_tie() -> None:
    rules = {"drop_rounds": 1, "order": ["best_round", "point_difference"]}
    stages = [{"format": "liguilla", "rules": rules}]
    tournament = create_tournament(
        SYSTEM, a_club(), "Liga", new_tournament(options={"to": 3}, stages=stages)
    )
    kinds = house_bots()
    enter_newcomers(SYSTEM, tournament, [kinds[n % 2] for n in range(6)])
    draw(SYSTEM, tournament)
    rounds = tournament.stages.get().rounds.order_by("number")
    assert len(rounds) == 5
    sheet: dict[int, list[tuple[int, int]]] = {number: [] for number in range(1, 7)}
    for round_ in rounds:
        publish_round(SYSTEM, round_)
        for match in Match.objects.with_names().filter(round=round_):
            home, away = (side[0].number for side in match.sides)
            # Each loses to the next one only, and 1 to none but 2: the first three are level.
            home_wins = away == home - 1 or (home < away and away != home + 1)
            points = 200 + 10 * home + round_.number, 100 + 10 * away
            score = Score.of((3, 1) if home_wins else (1, 3), points)
            correct_result(SYSTEM, match, score=score, reason="Acta.")
            sheet[home].append((2 if home_wins else 0, points[0]))
            sheet[away].append((0 if home_wins else 2, points[1]))
    expected = {
        number: (sum(sorted(won for won, _points in rows)[1:]), max(p for _won, p in rows))
        for number, rows in sheet.items()
    }
    page = Client().get(f"/t/{tournament.slug}/").context["page"]
    assert [row.number for row in page.rows] == sorted(
        expected, key=lambda number: expected[number], reverse=True
    )
    assert [row.match_points for row in page.rows] == sorted(
        (points for points, _best in expected.values()), reverse=True
    )
    assert page.rows[1].match_points == page.rows[0].match_points

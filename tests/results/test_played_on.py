"""A bracket corrected after the next match was played: asked before, placed by play, finished."""

import json
from typing import Any

import pytest
from django.test import Client

from tests.clubs import NOBODY, SYSTEM, organiser, the_round, user
from tests.support.caller import Caller
from tests.support.day import a_day
from tests.support.refusals import refusal
from tools.verify_export import Report, check_proof
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.draws import draw_next
from tournaments.director.services.tournaments import close_round, finish, publish_round
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.next_stages import stages_to_draw
from tournaments.domain.scores import Score
from tournaments.domain.verification import all_hold, verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import ApiToken, Match, Stage, Tournament
from tournaments.results.services.matches import correct_result
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


def play(tournament: Tournament, number: int) -> None:
    """Play a round: the lower number wins."""
    round_ = publish_round(SYSTEM, the_round(tournament, number))
    for match in round_.matches.with_names().filter(away__isnull=False):
        assert match.away is not None
        is_home = match.home.number < match.away.number
        score = Score(3, 0, 300, 100) if is_home else Score(0, 3, 100, 300)
        correct_result(SYSTEM, match, score, reason="as it was")
    close_round(SYSTEM, round_)


@pytest.fixture
def cup() -> Tournament:
    """A knock-out of four that is played out: 1 beat 2 in the final."""
    tournament = a_day(entered=4, late=0, format="knockout")
    play(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    play(tournament, 2)
    return tournament


def the_semifinal(tournament: Tournament) -> Match:
    """The semi-final that 2 won."""
    matches = the_round(tournament, 1).matches.with_names()
    return next(m for m in matches if m.away and 2 in {m.home.number, m.away.number})


def other_way(match: Match) -> Score:
    won = match.home.number == 2
    return Score(1, 3, 200, 300) if won else Score(3, 1, 300, 200)


def as_before(tournament: Tournament) -> None:
    """Make it a tournament of an earlier release, which states no rule."""
    stage = Stage.objects.get(tournament=tournament)
    stage.settings.pop("places")
    stage.save()


def places(tournament: Tournament) -> list[tuple[int, int]]:
    tournament.refresh_from_db()
    return [(row.rank, row.number) for row in standings_page(tournament.slug, NOBODY).rows]


def staff(tournament: Tournament) -> Client:
    organiser(tournament.club)
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("olga"))
    return client


def test_the_pair_that_played_the_final_stays_second_and_the_tournament_ends(
    cup: Tournament,
) -> None:
    match = the_semifinal(cup)
    correct_result(SYSTEM, match, other_way(match), reason="typed the wrong way round")
    third = {3, 4}
    assert places(cup)[:2] == [(1, 1), (2, 2)]
    assert {number for rank, number in places(cup) if rank == 3} == third
    finish(SYSTEM, cup)
    podium = standings_page(cup.slug, NOBODY).podium
    assert [row.rank for row in podium] == [1, 2, 3]
    file = proof_file(cup)
    assert all_hold(verify(bundle_from_bytes(file)))
    report = Report()
    check_proof(report, json.loads(file), set())
    assert not report.faults


def test_a_tournament_of_before_has_two_firsts_and_cannot_be_finished(cup: Tournament) -> None:
    as_before(cup)
    match = the_semifinal(cup)
    correct_result(SYSTEM, match, other_way(match), reason="typed the wrong way round")
    assert [rank for rank, _ in places(cup)].count(1) == 2
    with refusal(Reason.BRACKET_CONTRADICTS) as refused:
        finish(SYSTEM, cup)
    assert (refused.value.params["round"], refused.value.params["table"]) == (1, match.table)
    correct_result(SYSTEM, match, Score(*reversed_score(match)), reason="it was right")
    finish(SYSTEM, cup)


def reversed_score(match: Match) -> tuple[int, int, int, int]:
    return (3, 1, 300, 200) if match.home.number == 2 else (1, 3, 200, 300)


def test_the_page_asks_once_and_says_who_played_on(cup: Tournament) -> None:
    match, client = the_semifinal(cup), staff(cup)
    path = f"/matches/{match.pk}/correct/"
    score = other_way(match)
    fields: dict[str, Any] = {
        "home_hands": score.home_hands,
        "away_hands": score.away_hands,
        "home_points": score.home_points,
        "away_points": score.away_points,
        "reason": "typed the wrong way round",
    }
    asked = client.post(path, fields).content.decode()
    assert "played the next match (round 2, table 1)" in asked
    assert "stays in the bracket" in asked
    seen = asked.partition('name="seen" value="')[2].partition('"')[0]
    assert client.post(path, {**fields, "seen": seen}).status_code == 302
    assert places(cup)[:2] == [(1, 1), (2, 2)]


def test_the_page_of_a_tournament_of_before_says_that_it_cannot_be_finished(
    cup: Tournament,
) -> None:
    as_before(cup)
    match, client = the_semifinal(cup), staff(cup)
    score = other_way(match)
    what_if = client.get(
        f"/t/{cup.slug}/what-if/",
        {"match": match.pk, "home_hands": score.home_hands, "away_hands": score.away_hands},
    ).content.decode()
    assert "it cannot be finished like this" in what_if


def test_the_api_says_it_in_the_answer_and_alone_with_dry_run(cup: Tournament) -> None:
    match = the_semifinal(cup)
    organiser(cup.club)
    scopes = list(ApiToken.Scope.values)
    token = issue_token(SYSTEM, cup.club, user("olga"), name="desk", scopes=scopes)
    caller = Caller(token[1])
    score = other_way(match)
    body = json.dumps(
        {"home_hands": score.home_hands, "away_hands": score.away_hands, "reason": "turned"}
    )
    path = f"matches/{match.pk}/correct/"
    asked = caller.submit(f"{path}?dry_run=1", body, key=None)
    assert asked.status_code == 200
    winner = next(entry.number for (entry,) in match.sides if entry.number != 2)
    said = {"winner": winner, "plays": 2, "next_round": 2, "next_table": 1, "stays": True}
    assert json.loads(asked.content)["played_on"] == [said]
    assert {row["number"]: row["after"] for row in json.loads(asked.content)["standings"]} == {
        1: 1,
        2: 2,
        3: 3,
        4: 3,
    }
    assert match.results.count() == 1
    for _ in range(2):  # the second is the answer that was stored under the key
        answer = caller.submit(path, body, key="once")
        assert answer.status_code == 201
        assert json.loads(answer.content)["played_on"] == [said]
    assert match.results.count() == 2


@pytest.mark.parametrize("format_", ["double", "repesca"])
def test_finalists_stay_whichever_result_behind_them_is_turned(format_: str) -> None:
    tournament = a_day(entered=6, late=0, format=format_)
    for number in range(1, 20):
        play(tournament, number)
        if not stages_to_draw(rows_of(tournament)):
            break
        draw_next(SYSTEM, tournament, after=number)
    before, rounds = places(tournament), rows_of(tournament).stages[0].rounds
    matches = Match.objects.with_names().filter(
        round__stage__tournament=tournament, away__isnull=False
    )
    for match in matches.select_related("round__stage"):
        later = {
            number
            for round_ in rounds
            if round_.number > match.round.number
            for table in round_.tables
            for number in table.entrants
        }
        if match.away is None or later.isdisjoint({match.home.number, match.away.number}):
            continue
        result = match.results.get(live=True)
        turned = Score(result.away_hands, result.home_hands, 100, 100)
        correct_result(SYSTEM, match, turned, reason="turned")
    assert places(tournament) == before
    finish(SYSTEM, tournament)
    assert all_hold(verify(bundle_from_bytes(proof_file(tournament))))

"""Places at a table are typed: reported, confirmed, contested, corrected, and in the table."""

import csv
from typing import Any

import pytest
from django.test import Client

from tests.clubs import SYSTEM, organiser
from tests.director.test_single_players import account, record
from tests.director.test_tables import begin, enter, tables
from tests.support.event_tables import counting
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.queries.snapshot import rows_of
from tournaments.domain.ranking import ranking
from tournaments.domain.scores import Score
from tournaments.exchange.queries.tables import table_file
from tournaments.models import Match
from tournaments.printing.queries.share_cards import match_card
from tournaments.profiles.queries.meetings import head_to_head
from tournaments.ratings.queries.history import rated_history
from tournaments.results.api import score_of
from tournaments.results.queries.matches import match_page, recorder_page
from tournaments.results.queries.own_table import day_row
from tournaments.results.serializers import Report
from tournaments.results.services.matches import correct_result
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db


def a_match(people: int = 4, **rules: Any) -> Match:
    round_ = begin(enter(tables("cuatro", typed_only=True, **rules), people))
    return round_.matches.order_by("pk")[0]


def places(*of_sides: int, **points: int) -> Score:
    score = score_of({"places": list(of_sides), **points})
    assert score is not None
    return score


def test_places_go_from_a_phone_to_the_standings_and_are_corrected() -> None:
    match = a_match()
    report = report_result(account(match, match.names_at(0)[0]), match, score=places(2, 1, 2, 4))
    assert (report.result.winner, report.result.places) == ("away", (2, 1, 2, 4))
    confirm_result(account(match, match.names_at(1)[0]), match)
    (rated,) = rated_history("cuatro")
    assert (len(rated.sides), rated.marks) == (4, (-2, -1, -2, -4))
    correct_result(SYSTEM, match, places(1, 1, 3, 4), reason="misread")
    result = counting(match)
    assert result is not None
    assert (result.winner, result.places, result.home_hands) == ("tie", [1, 1, 3, 4], 0)
    rows = rows_of(match.tournament)
    points = {line.entrant: line.match_points for line in ranking(rows, rows.stages[0])}
    numbers = [side[0].number for side in match.sides]
    assert [points[number] for number in numbers] == [3.5, 3.5, 2, 1]
    sheet = table_file(match.tournament.slug, "results", "csv", SYSTEM, "en").decode()
    assert list(csv.reader(sheet.splitlines()))[1][3::4] == ["1", "1", "3", "4"]
    assert [row.points for row in match_card(match.pk).rows] == ["1", "1", "3", "4"]
    desk = browser(organiser(match.tournament.club))
    trail = desk.get(f"/matches/{match.pk}/history/").content.decode()
    assert "2–1–2–4" in trail
    entries = [side[0] for side in match.sides]
    page = match_page(match.pk, SYSTEM)
    assert [day_row(page.match, entry).outcome for entry in entries] == [
        "level",
        "level",
        "lost",
        "lost",
    ]
    third, fourth = (f"player-{side[0].player_id}" for side in match.sides[2:])
    meetings = head_to_head(match.tournament.club.slug, third, fourth)
    assert (meetings.tally.matches, meetings.tally.lost) == (1, 1)


def test_another_order_contests_a_result_and_the_same_confirms_it() -> None:
    match = a_match(5, table_size=5)
    report_result(account(match, match.names_at(0)[0]), match, score=places(1, 2, 3, 4, 5))
    other = account(match, match.names_at(4)[0])
    assert report_result(other, match, score=places(1, 2, 3, 5, 4)).outcome == "contested"
    assert browser(SYSTEM).get(f"/t/{match.tournament.slug}/crosstable/").status_code == 200


@pytest.mark.parametrize(
    "score",
    [
        Score.of((1, 0, 0, 0), (0, 0, 0, 0)),
        Score.of((0, 0, 0, 0), (0, 0, 0, 0)),
        score_of({"places": [1, 2, 3]}),
        score_of({"places": [1, 2, 2, 3]}),
    ],
)
def test_what_cannot_be_typed_at_a_table_of_four_is_refused(score: Score) -> None:
    with refusal(Reason.IMPOSSIBLE_SCORE):
        report_result(SYSTEM, a_match(), score=score)


def test_a_record_is_refused_where_results_are_typed() -> None:
    match = a_match()
    seats = [names[0] for names in match.names]
    body = record(match.tournament, seats, *[{"AC": 90, "BD": 40}] * 3)
    answer = submit_record(SYSTEM, match, body)
    assert (answer.outcome, answer.code) == ("refused", "typed_only")
    with refusal(Reason.TYPED_ONLY):
        recorder_page(match.pk, SYSTEM)


def test_a_body_of_the_api_states_places() -> None:
    body = Report(data={"places": [1, 2, 2, 4], "fourth_points": 10})
    assert body.is_valid()
    assert score_of(body.validated_data) == places(1, 2, 2, 4, fourth_points=10)
    assert not Report(data={"places": [1, 2, 3, 4, 5, 6]}).is_valid()
    assert not Report(data={"places": [1]}).is_valid()


def test_points_alone_can_be_typed_and_hands_cannot() -> None:
    match = a_match()
    hand = {"home": 10, "away": 20, "third": 30, "fourth": 40}
    with refusal(Reason.TYPED_ONLY):
        report_result(SYSTEM, match, hand_scores=[hand])
    report_result(SYSTEM, match, score=Score.of((0, 0, 0, 0), (90, 40, 10, 0)))
    result = counting(match)
    assert result is not None
    assert (result.winner, result.fourth_points, result.places) == ("home", 0, [1, 2, 3, 4])


def browser(actor: Actor) -> Client:
    client = Client(headers={"accept-language": "en"})
    if actor.user is not None:
        client.force_login(actor.user)
    return client


def test_the_places_of_four_are_typed_on_a_phone_and_at_the_desk() -> None:
    match = a_match()
    first, second = (browser(account(match, match.names_at(side)[0])) for side in (0, 1))
    at, own = f"/matches/{match.pk}", f"/t/{match.tournament.slug}/table/"
    page = first.get(own).content.decode()
    assert 'name="fourth_place" value="4"' in page
    assert f"{at}/record/" not in page
    assert first.get(f"{at}/record/").status_code == 409
    fields = dict(zip(("home", "away", "third", "fourth"), (2, 1, 2, 3), strict=True))
    form: dict[str, Any] = {f"{side}_place": place for side, place in fields.items()}
    refused = first.post(f"{at}/report/", form)
    assert refused.context["form"].errors.keys() == {"home_place"}
    first.post(f"{at}/report/", {**form, "fourth_place": 4})
    assert "reported 2–1–2–4" in second.get(own).content.decode()
    desk = browser(organiser(match.tournament.club))
    line = {"round": "1", "table": "1", "hands": "2124"}
    answer = desk.post(f"/t/{match.tournament.slug}/desk/enter/", line).content.decode()
    assert "2–1–2–4, as was reported; it counts." in answer
    assert 'name="home_place" value="2"' in desk.get(f"{at}/correct/").content.decode()
    form = {**form, "fourth_place": 3, "third_place": 4, "reason": "Mal."}
    effect = desk.post(f"{at}/correct/", form).context["effect"]
    desk.post(f"{at}/correct/", {**form, "seen": effect.version})
    result = counting(match)
    assert result is not None
    assert result.places == [2, 1, 4, 3]
    assert (
        "2–1–4–3" in browser(Actor()).get(f"/t/{match.tournament.slug}/rounds/1/").content.decode()
    )
    other = f"/t/{match.tournament.slug}/what-if/?match={match.pk}&places=3124"
    assert "With 3–1–2–4" in desk.get(other).content.decode()
    assert desk.get(other.replace("3124", "213")).context["form"].errors.keys() == {"places"}


def test_the_points_of_the_dealer_who_sits_out_stay_empty() -> None:
    tournament = enter(tables("arrastrado", rounds=3, other_size=4), 4)
    match = begin(tournament).matches.get()
    desk = browser(organiser(tournament.club))
    hands = [("", 60, 50, 20), (60, "", 50, 20), (60, 20, "", 50), (20, 60, 50, "")]
    sides = ("home", "away", "third", "fourth")
    form = {
        f"h{number}_{side}": points
        for number, hand in enumerate(hands, 1)
        for side, points in zip(sides, hand, strict=True)
    }
    path = f"/matches/{match.pk}/report/hands/"
    wrong = desk.post(path, {**form, "h1_away": ""})
    assert "h1_home" in wrong.context["form"].errors
    twice = desk.post(path, {**form, "h4_home": "", "h4_fourth": 20})
    assert "hand 4" in str(twice.context["form"].errors)
    assert desk.post(path, form).status_code == 302
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands, result.fourth_points) == (2, 2, 90)

"""How results count is asked with the plan, said beforehand and by the table, and proved."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Q
from django.test import Client

from tests.clubs import SYSTEM
from tests.conftest import Issue
from tests.support import scenes
from tournaments.cli import main
from tournaments.core.permissions import Actor
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.absences import penalise
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import import_entries
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain.rows import LevelCut
from tournaments.domain.scores import Score
from tournaments.domain.season import final_places
from tournaments.models import Match, Round, Tournament
from tournaments.results.services.matches import correct_result, forfeit
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db

PATH = "/clubs/pena-la-sota/tournaments/new/"
FORM = {
    "name": "Copa",
    "ruleset": "parejas-online",
    "length": "to",
    "hands": "3",
    "confirm_minutes": "10",
    "bye_quota": "1",
    "no_show_minutes": "15",
    "plan": "liguilla",
}
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def organiser() -> Client:
    """The organiser of a club, signed in."""
    _club, users = scenes.open_club()
    client = Client()
    client.force_login(users["organiser"])
    return client


def begun(organiser: Client, **fields: str) -> Tournament:
    """A tournament of four pairs in its first round, created by the form."""
    assert organiser.post(PATH, {**FORM, **fields}).status_code == 302
    tournament = Tournament.objects.get()
    import_entries(SYSTEM, tournament, scenes.EIGHT_PLAYERS, scenes.FOUR_PAIRS)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, tournament.stages.get(number=1).rounds.get(number=1))
    return tournament


def standings(tournament: Tournament) -> tuple[str, dict[int, tuple[Any, int, int]]]:
    """The page of the standings and, by number, match points and points for and against."""
    page = Client().get(f"/t/{tournament.slug}/", headers=ENGLISH)
    rows = page.context["page"].rows
    return page.content.decode(), {
        row.number: (row.match_points, row.points_for, row.points_against) for row in rows
    }


def assert_proof_holds(tournament: Tournament, folder: Path) -> None:
    proof = folder / "proof.json"
    proof.write_bytes(Client().get(f"/t/{tournament.slug}/proof/").content)
    assert main(["verify-tournament", str(proof)]) == 0


def test_a_capped_result_and_a_walk_over_count_as_agreed(organiser: Client, tmp_path: Path) -> None:
    tournament = begun(organiser, points_cap="110", walkover_for="30", walkover_against="10")
    first, second = Match.objects.with_names().filter(round__number=1).order_by("table")
    correct_result(SYSTEM, first, score=Score.of((3, 1), (150, 70)), reason="Acta.")
    forfeit(SYSTEM, second, ["away"], reason="No vinieron.")
    text, places = standings(tournament)
    sides = [side[0].number for match in (first, second) for side in match.sides]
    counted = [(2, 110, 70), (0, 70, 110), (2, 30, 10), (0, 10, 30)]
    assert places == dict(zip(sides, counted, strict=True))
    assert "Of the points of a result at most 110 count." in text
    assert "A walk-over counts 30–10 in points." in text
    assert_proof_holds(tournament, tmp_path)


def test_the_worst_round_is_dropped_on_the_page_and_in_the_proof(
    organiser: Client, tmp_path: Path
) -> None:
    tournament = begun(organiser, drop_rounds="1")
    for number in (1, 2, 3):
        round_ = tournament.stages.get().rounds.get(number=number)
        if number > 1:
            publish_round(SYSTEM, round_)
        for match in Match.objects.with_names().filter(round=round_):
            numbers = [side[0].number for side in match.sides]
            hands = (3, 1) if numbers == sorted(numbers) else (1, 3)
            correct_result(SYSTEM, match, score=Score.of(hands, (0, 0)), reason="Acta.")
    text, places = standings(tournament)
    assert [places[number][0] for number in (1, 2, 3, 4)] == [4, 4, 2, 0]
    assert "Worst rounds of each that do not count: 1." in text
    sums = Client().get(f"/t/{tournament.slug}/standings/2/", headers=ENGLISH)
    assert "does not count: one of the worst rounds" in sums.content.decode()
    assert_proof_holds(tournament, tmp_path)


def test_a_round_by_the_table_pairs_neighbours_without_regard_to_penalties(
    organiser: Client, tmp_path: Path
) -> None:
    tournament = begun(organiser, plan="suizo", rounds="3", by_table="on")
    for match in Match.objects.with_names().order_by("table"):
        correct_result(SYSTEM, match, score=Score.of((3, match.table - 1), (0, 0)), reason="Acta.")
    text, places = standings(tournament)
    assert "the first meets the second, the third the fourth" in text
    order = list(places)
    close_round(SYSTEM, tournament.stages.get().rounds.get())
    best = tournament.entries.get(number=order[0])
    penalise(SYSTEM, best, round_number=1, match_points=2, reason="Tarde.")
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1))
    drawn = Match.objects.with_names().filter(round__number=2).order_by("table")
    assert [{side[0].number for side in match.sides} for match in drawn] == [
        set(order[:2]),
        set(order[2:]),
    ]
    first = Match.objects.with_names().get(round__number=1, table=2)
    correct_result(SYSTEM, first, score=Score.of((0, 3), (0, 0)), reason="Error.")
    assert_proof_holds(tournament, tmp_path)


def play(tournament: Tournament, number: int) -> None:
    """Publish a round, let the lower entry number win each match, and close it."""
    round_ = Round.objects.get(stage__tournament=tournament, number=number)
    if round_.state == Round.State.DRAFT:
        publish_round(SYSTEM, round_)
    for match in Match.objects.with_names().filter(round=round_):
        numbers = [side[0].number for side in match.sides]
        hands = (3, 1) if numbers == sorted(numbers) else (1, 3)
        correct_result(SYSTEM, match, score=Score.of(hands, (0, 0)), reason="Acta.")
    close_round(SYSTEM, Round.objects.get(pk=round_.pk))


def test_after_a_liguilla_rounds_follow_its_table_and_its_results_count_on(
    organiser: Client, tmp_path: Path
) -> None:
    tournament = begun(organiser, further_rounds="1")
    for number in (1, 2, 3):
        play(tournament, number)
    draw_next(SYSTEM, tournament, after=3)
    play(tournament, 4)
    drawn = Match.objects.with_names().filter(round__number=4).order_by("table")
    assert [{side[0].number for side in match.sides} for match in drawn] == [{1, 2}, {3, 4}]
    text, places = standings(tournament)
    assert [places[number][0] for number in (1, 2, 3, 4)] == [8, 4, 4, 0]
    assert "The results of the stage before count on." in text
    of_second = Q(home__number=2) | Q(away__number=2)
    for path in ("standings/2/", "crosstable/"):
        page = Client().get(f"/t/{tournament.slug}/{path}", headers=ENGLISH).content.decode()
        for match in Match.objects.filter(of_second, round__number__in=(1, 4)):
            assert f"/matches/{match.pk}/" in page
    assert [place.points for place in final_places(rows_of(tournament))] == [8, 4, 4, 0]
    assert_proof_holds(tournament, tmp_path)


def test_a_program_drops_rounds_too_and_learns_why_it_cannot(
    issue: Issue, scene: scenes.Scene
) -> None:
    caller, path = issue("organiser"), f"clubs/{scene.club.slug}/tournaments/"
    stage = {"format": "swiss", "rules": {"rounds": 5, "drop_rounds": 1, "points_cap": 110}}
    refused = caller.submit(path, json.dumps({"name": "Copa", "stages": [stage]}), "one")
    assert refused.status_code == 422
    assert json.loads(refused.content)["pointer"] == "/stages/0/rules/drop_rounds"
    stage["rules"] |= {"order": ["best_round", "mini_points_for"]}  # type: ignore[operator]
    made = caller.submit(path, json.dumps({"name": "Copa", "stages": [stage]}), "two")
    assert made.status_code == 201, made.content
    rules = Tournament.objects.get(slug=json.loads(made.content)["slug"]).stages.get().rules
    assert (rules.drop_rounds, rules.points_cap) == (1, 110)


def test_hands_are_points_with_a_bonus_for_the_match(organiser: Client, tmp_path: Path) -> None:
    tournament = begun(organiser, match_bonus="2")
    first, second = Match.objects.with_names().filter(round__number=1).order_by("table")
    correct_result(SYSTEM, first, score=Score.of((1, 3), (0, 0)), reason="Acta.")
    forfeit(SYSTEM, second, ["away"], reason="No vinieron.")
    text, places = standings(tournament)
    sides = [side[0].number for match in (first, second) for side in match.sides]
    assert [places[number][0] for number in sides] == [1, 5, 5, 0]
    assert "Each hand won is a point; the winner gets 2 more." in text
    assert_proof_holds(tournament, tmp_path)


def test_the_outline_of_the_plan_says_how_results_count(organiser: Client) -> None:
    form = {**FORM, "points_cap": "110", "expected": "8", "look": "1"}
    sentences = {
        "es": "De los tantos de un resultado cuentan 110 como mucho.",
        "en": "Of the points of a result at most 110 count.",
        "de": "Von den Punkten eines Ergebnisses zählen höchstens 110.",
    }
    for language, sentence in sentences.items():
        page = organiser.post(PATH, form, headers={"accept-language": language})
        assert sentence in page.content.decode()
    assert not Tournament.objects.exists()


def test_the_outline_of_the_plan_says_how_long_a_round_lasts(organiser: Client) -> None:
    form = {**FORM, "round_minutes": "60", "warn_minutes": "10", "expected": "8", "look": "1"}
    sentences = {
        "es": ("Una ronda dura 1 hora.", "El reloj avisa 10 minutos antes del final de la ronda."),
        "en": ("A round lasts 1 hour.", "The clock warns 10 minutes before the end of the round."),
        "de": (
            "Eine Runde dauert 1 Stunde.",
            "Die Uhr warnt 10 Minuten vor dem Ende der Runde.",
        ),
    }
    for language, (length, warning) in sentences.items():
        page = organiser.post(PATH, form, headers={"accept-language": language}).content.decode()
        assert length in page
        assert warning in page


def test_what_a_level_cut_match_is_worth_holds_for_all_stages_of_the_plan(
    organiser: Client,
) -> None:
    form = {**FORM, "plan": "suizo_final", "rounds": "3", "take": "4", "level_cut": "points"}
    sentences = {
        "es": "Igualados al acabar el tiempo gana quien tiene más tantos.",
        "en": "Level when time is up, more points win.",
        "de": "Steht es bei Zeitablauf gleich, gewinnen mehr Punkte.",
    }
    for language, sentence in sentences.items():
        page = organiser.post(
            PATH, {**form, "expected": "8", "look": "1"}, headers={"accept-language": language}
        )
        assert page.content.decode().count(sentence) == 1
    assert organiser.post(PATH, form).status_code == 302
    stages = Tournament.objects.get().stages.order_by("number")
    assert [stage.rules.level_cut for stage in stages] == [LevelCut.POINTS] * 2


def test_a_level_cut_match_is_won_by_points_in_table_and_proof(
    organiser: Client, tmp_path: Path
) -> None:
    tournament = begun(organiser, level_cut="points")
    first = Match.objects.with_names().filter(round__number=1).order_by("table")[0]
    for side in (first.home, first.away):
        assert side is not None
        score = Score.of((2, 2), (250, 240))
        report_result(Actor.for_entry(side), first, score=score, cut=True)
    _text, places = standings(tournament)
    numbers = [side[0].number for side in first.sides]
    assert [places[number] for number in numbers] == [(2, 250, 240), (0, 240, 250)]
    assert_proof_holds(tournament, tmp_path)


def test_drops_are_refused_beside_their_field_with_criteria_of_opponents(
    organiser: Client,
) -> None:
    form = {**FORM, "plan": "suizo", "rounds": "5", "drop_rounds": "1"}
    page = organiser.post(PATH, form, headers=ENGLISH)
    assert (page.status_code, list(page.context["form"].errors)) == (422, ["drop_rounds"])
    assert organiser.post(PATH, {**form, "profile": "best_round"}).status_code == 302


def test_a_cap_is_refused_beside_its_field_where_points_are_the_score(organiser: Client) -> None:
    form = {**FORM, "plan": "suizo", "profile": "bridge_swiss", "points_cap": "110"}
    page = organiser.post(PATH, form, headers=ENGLISH)
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["points_cap"]
    assert "would change who won" in page.content.decode()

"""A season adds up the best results of the club's tournaments."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.clubs import NOBODY, SYSTEM, a_club, a_draft, arbiter, house_bots, the_match, the_round
from tests.support.caller import Caller
from tests.support.day import the_people
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    discard_tournament,
    finish,
    publish_round,
)
from tournaments.domain.scores import Score
from tournaments.domain.season import FinalPlace, final_places
from tournaments.models import Club, Pair, Season, Tournament
from tournaments.people.services.clubs import import_pairs
from tournaments.profiles.queries.players import pair_page
from tournaments.results.services.matches import correct_result
from tournaments.standings.queries.prizes import season_prizes
from tournaments.standings.queries.seasons import rules_effect, season_page, seasons_page
from tournaments.standings.queries.standings import standings_page
from tournaments.standings.services.prizes import NewPrize, set_prizes, set_season_prizes
from tournaments.standings.services.seasons import (
    RulesOfSeason,
    add_tournament,
    checked_rules,
    close_season,
    create_season,
    remove_tournament,
    set_season_rules,
)

pytestmark = pytest.mark.django_db


def a_played_liguilla(
    club: Club, name: str, order: list[int], is_finished: bool = True, bots: int = 0
) -> Tournament:
    """A liguilla of the club's pairs that ends in this order of their codes."""
    tournament = create_tournament(
        SYSTEM, club, name, NewTournament(GameSettings(options={"to": 3}))
    )
    pairs = {pair.code: pair for pair in Pair.objects.filter(club=club)}
    enter_newcomers(SYSTEM, tournament, [pairs[f"P{n:02}"] for n in sorted(order)])
    if bots:
        enter_newcomers(SYSTEM, tournament, house_bots()[:1] * bots)
    draw(SYSTEM, tournament)
    for round_ in sorted(r.number for r in rows_of(tournament).stages[0].rounds):
        publish_round(SYSTEM, the_round(tournament, round_))
        for match in the_round(tournament, round_).matches.with_names():
            if match.away is None:
                continue
            places = [
                order.index(int(e.pair.code[1:])) if e.pair else -1
                for e in (match.home, match.away)
            ]
            score = Score(3, 0, 300, 100) if places[0] < places[1] else Score(0, 3, 100, 300)
            correct_result(SYSTEM, match, score, reason="as it was")
        if is_finished:
            close_round(SYSTEM, the_round(tournament, round_))
    if is_finished:
        finish(SYSTEM, tournament)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def club(db: None) -> Club:
    cache.clear()
    return the_people(4)[0]


def table(season: Season) -> list[tuple[int, str, float]]:
    page = season_page(season.club.slug, season.slug, NOBODY)
    return [(line.rank, line.name, line.total) for line in page.lines]


def test_a_season_adds_up_what_the_places_are_worth(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada 2026")
    add_tournament(SYSTEM, season, a_played_liguilla(club, "Enero", [1, 2, 3, 4]))
    add_tournament(SYSTEM, season, a_played_liguilla(club, "Febrero", [2, 1, 3]))
    assert table(season) == [
        (1, "Pareja 2", 34.0),  # as many points as pair 1, as many wins, and won the last one
        (2, "Pareja 1", 34.0),
        (3, "Pareja 3", 28.0),
        (4, "Pareja 4", 13.0),
    ]
    page = season_page(club.slug, season.slug, NOBODY)
    assert [line.decided_by for line in page.lines[:2]] == ["", "last_event"]


def test_only_the_best_results_count_and_each_is_shown(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada", best=2)
    for name, order in (("Uno", [1, 2, 3]), ("Dos", [2, 3, 1]), ("Tres", [1, 3, 2])):
        add_tournament(SYSTEM, season, a_played_liguilla(club, name, order))
    page = season_page(club.slug, season.slug, NOBODY)
    first = page.lines[0]
    assert (first.name, first.total) == ("Pareja 1", 36.0)
    assert [(result.rank, result.worth, result.counts) for result in first.taken] == [
        (1, 18.0, True),
        (3, 14.0, False),
        (1, 18.0, True),
    ]


def test_a_tournament_can_count_twice(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada")
    add_tournament(SYSTEM, season, a_played_liguilla(club, "Uno", [1, 2, 3]), weight="2")
    assert table(season) == [(1, "Pareja 1", 36.0), (2, "Pareja 2", 32.0), (3, "Pareja 3", 28.0)]


def test_by_person_each_takes_the_whole_worth_with_any_partner(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Personas", by="person")
    add_tournament(SYSTEM, season, a_played_liguilla(club, "Uno", [1, 2, 3]))
    import_pairs(SYSTEM, club, "pareja,nombre,jugador1,jugador2\nP09,Mixta,J01,J05\n")
    add_tournament(SYSTEM, season, a_played_liguilla(club, "Dos", [9, 2, 4]))
    assert table(season)[:4] == [
        (1, "Jugador 1", 36.0),
        (2, "Jugador 5", 32.0),
        (3, "Jugador 3", 32.0),
        (3, "Jugador 4", 32.0),
    ]


def test_bots_take_no_places(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Con bots")
    tournament = a_played_liguilla(club, "Uno", [1, 2, 3], bots=1)
    assert final_places(rows_of(tournament))[0].who == 4  # the bot won everything
    add_tournament(SYSTEM, season, tournament)
    assert table(season)[0] == (1, "Pareja 1", 18.0)


def test_a_tournament_that_is_still_played_does_not_count_yet(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada")
    add_tournament(SYSTEM, season, a_played_liguilla(club, "Uno", [1, 2, 3], is_finished=False))
    page = season_page(club.slug, season.slug, NOBODY)
    assert page.lines == ()
    assert [tournament.counts for tournament in page.tournaments] == [False]


def test_a_draft_in_a_season_is_seen_by_the_club_alone(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada")
    draft = create_tournament(SYSTEM, club, "Copa", NewTournament(GameSettings(options={"to": 3})))
    add_tournament(SYSTEM, season, draft)
    assert season_page(club.slug, season.slug, NOBODY).tournaments == ()
    assert len(season_page(club.slug, season.slug, SYSTEM).tournaments) == 1
    assert [card.tournaments for card in seasons_page(club.slug, NOBODY).seasons] == [0]


def test_a_correction_after_the_end_moves_the_season_too(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada")
    tournament = a_played_liguilla(club, "Uno", [1, 2, 3])
    add_tournament(SYSTEM, season, tournament)
    assert table(season)[0][1] == "Pareja 1"
    Tournament.objects.filter(pk=tournament.pk).update(state="running")
    for number in (1, 2, 3):
        for match in the_round(tournament, number).matches.with_names():
            if match.away and 1 in {match.home.number, match.away.number}:
                lost = Score(0, 3, 0, 300) if match.home.number == 1 else Score(3, 0, 300, 0)
                correct_result(SYSTEM, the_match(tournament, number, match.table), lost, reason="x")
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    assert table(season)[0][1] == "Pareja 2"


def test_a_warm_season_costs_five_queries(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada")
    add_tournament(SYSTEM, season, a_played_liguilla(club, "Uno", [1, 2, 3]))
    season_page(club.slug, season.slug, NOBODY)
    with CaptureQueriesContext(connection) as queries:
        season_page(club.slug, season.slug, NOBODY)
    assert len(queries) <= 5


def test_a_draft_that_was_just_discarded_is_not_added(club: Club) -> None:
    season = create_season(SYSTEM, club, name="2026")
    draft = a_draft(club, "Copa")
    discard_tournament(SYSTEM, Tournament.objects.get(pk=draft.pk))
    with refusal(Reason.NOT_FOUND):
        add_tournament(SYSTEM, season, draft)
    assert not season.events.exists()


def test_only_organisers_run_seasons(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada")
    tournament = create_tournament(
        SYSTEM, club, "Copa", NewTournament(GameSettings(options={"to": 3}))
    )
    ref = arbiter(club)
    with refusal(Reason.FORBIDDEN):
        create_season(ref, club, name="Otra")
    with refusal(Reason.FORBIDDEN):
        add_tournament(ref, season, tournament)
    with refusal(Reason.SIGN_IN):
        close_season(NOBODY, season)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"best": 0}, Reason.BAD_BEST),
        ({"scale": "stars"}, Reason.UNKNOWN_CHOICE),
        ({"by": "club"}, Reason.UNKNOWN_CHOICE),
        ({"ruleset": "mus"}, Reason.UNKNOWN_RULESET),
        ({"name": " "}, Reason.BAD_NAME),
        ({"slug": "temporada"}, Reason.SLUG_TAKEN),
    ],
)
def test_a_season_that_cannot_be_is_refused(
    club: Club, wrong: dict[str, object], reason: Reason
) -> None:
    create_season(SYSTEM, club, name="Temporada")
    fields = {"name": "Temporada", **wrong}
    with refusal(reason):
        create_season(SYSTEM, club, **fields)  # type: ignore[arg-type]


def test_two_clubs_may_have_seasons_of_one_name(club: Club) -> None:
    other = a_club("Peña La Sota")
    slugs = [
        create_season(SYSTEM, season_club, name="2026").slug for season_club in (club, other, club)
    ]
    assert slugs == ["2026", "2026", "2026-2"]


def test_what_does_not_belong_into_a_season_is_refused(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada", ruleset="parejas-online")
    tournament = create_tournament(
        SYSTEM, club, "Copa", NewTournament(GameSettings(options={"to": 3}))
    )
    with refusal(Reason.NOT_IN_SEASON):
        remove_tournament(SYSTEM, season, tournament)
    for weight in ("0", "11", "NaN", "", "twice"):
        with refusal(Reason.BAD_WEIGHT):
            add_tournament(SYSTEM, season, tournament, weight=weight)
    add_tournament(SYSTEM, season, tournament, weight=Decimal("1.5"))
    with refusal(Reason.ALREADY_IN_SEASON):
        add_tournament(SYSTEM, season, tournament)
    other = create_tournament(
        SYSTEM, a_club("Otro"), "Otra", NewTournament(GameSettings(options={"to": 3}))
    )
    with refusal(Reason.OTHER_CLUB):
        add_tournament(SYSTEM, season, other)
    solo = create_tournament(
        SYSTEM,
        club,
        "Solos",
        NewTournament(GameSettings(ruleset="arrastrado"), stages=[{"format": "threes"}]),
    )
    with refusal(Reason.OTHER_RULES):
        add_tournament(SYSTEM, season, solo)
    remove_tournament(SYSTEM, season, tournament)
    close_season(SYSTEM, season)
    for act in (close_season, lambda a, s: add_tournament(a, s, tournament)):
        with refusal(Reason.SEASON_CLOSED):
            act(SYSTEM, season)
    verbs = list(club.events.filter(verb__startswith="season").values_list("verb", flat=True))
    assert verbs == [
        "season.created",
        "season.tournament_added",
        "season.tournament_removed",
        "season.closed",
    ]


def test_who_came_further_stands_first_in_the_whole_tournament(club: Club) -> None:
    stages: list[dict[str, Any]] = [
        {"format": "liguilla"},
        {"format": "knockout", "rules": {"take": 2}},
    ]
    tournament = create_tournament(
        SYSTEM, club, "Copa", NewTournament(GameSettings(options={"to": 3}), stages=stages)
    )
    enter_newcomers(SYSTEM, tournament, list(Pair.objects.filter(club=club).order_by("code")))
    draw(SYSTEM, tournament)
    for number in (1, 2, 3):
        _play_by_number(tournament, number)
    draw_next(SYSTEM, tournament, after=3)
    _play_by_number(tournament, 4, lower_wins=False)
    places = final_places(rows_of(tournament))
    assert places == (
        FinalPlace(2, 1, Fraction(6)),
        FinalPlace(1, 2, Fraction(6)),
        FinalPlace(3, 3, Fraction(2)),
        FinalPlace(4, 4, Fraction(0)),
    )


def test_the_champion_keeps_the_first_place_when_places_five_to_eight_are_played_for() -> None:
    club = the_people(8)[0]
    stages: list[dict[str, Any]] = [
        {"format": "knockout"},
        {"format": "knockout", "rules": {"take": 4, "take_from": 4}},
    ]
    tournament = create_tournament(
        SYSTEM, club, "Copa", NewTournament(GameSettings(options={"to": 3}), stages=stages)
    )
    enter_newcomers(SYSTEM, tournament, list(Pair.objects.filter(club=club).order_by("code")))
    draw(SYSTEM, tournament)
    for number in (1, 2, 3, 4, 5):
        if number > 1:
            draw_next(SYSTEM, tournament, after=number - 1)
        _play_by_number(tournament, number)
    assert {line.number for line in standings_page(tournament.slug, NOBODY).rows} == {5, 6, 7, 8}
    finish(SYSTEM, tournament)
    season = create_season(SYSTEM, club, name="Temporada")
    add_tournament(SYSTEM, season, tournament)
    assert table(season)[:5] == [
        *((1, "Pareja 1", 18.0), (2, "Pareja 2", 16.0)),
        *((3, "Pareja 3", 13.5), (3, "Pareja 4", 13.5), (5, "Pareja 5", 12.0)),
    ]
    champion = Pair.objects.get(club=club, code="P01")
    assert [row.rank for row in pair_page(champion.pk, NOBODY).history.events] == [1]
    podium = standings_page(tournament.slug, NOBODY).rows[:2]
    assert [row.number for row in podium] == [1, 2]


def _play_by_number(tournament: Tournament, number: int, lower_wins: bool = True) -> None:
    round_ = publish_round(SYSTEM, the_round(tournament, number))
    for match in round_.matches.with_names().filter(away__isnull=False):
        assert match.away is not None
        home = (match.home.number < match.away.number) == lower_wins
        score = Score(3, 0, 300, 100) if home else Score(0, 3, 100, 300)
        correct_result(SYSTEM, match, score, reason="as it was")
    close_round(SYSTEM, round_)


def test_an_open_season_changes_its_rules_and_says_what_changes(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada", own_scale=[30, 10])
    season = set_season_rules(SYSTEM, season, own_scale=[10, 9, 8], best=1)
    for name, order in (("Uno", [1, 2, 3]), ("Dos", [2, 3]), ("Tres", [2, 3, 1])):
        add_tournament(SYSTEM, season, a_played_liguilla(club, name, order))
    assert [line[1:] for line in table(season)] == [
        ("Pareja 2", 10.0),  # won two
        ("Pareja 1", 10.0),
        ("Pareja 3", 9.0),
    ]
    mean: RulesOfSeason = {"own_scale": [10, 9, 8], "mean_of": 3, "criteria": ["countback"]}
    effect = rules_effect(season, checked_rules(**mean))
    assert [(line.name, line.missing, before.rank) for line, before in effect.lines] == [
        ("Pareja 2", 0, 1),
        ("Pareja 3", 0, 3),
        ("Pareja 1", 1, 2),
    ]
    with refusal(Reason.REASON_MISSING):
        set_season_rules(SYSTEM, season, **mean)
    assert table(season)[1][1] == "Pareja 1"  # the preview wrote nothing
    season = set_season_rules(SYSTEM, season, reason="Lo votó la asamblea.", **mean)
    assert [line[1] for line in table(season)] == ["Pareja 2", "Pareja 3", "Pareja 1"]
    close_season(SYSTEM, season)
    with refusal(Reason.SEASON_CLOSED):
        set_season_rules(SYSTEM, season, reason="Otra vez.")


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ({"own_scale": [5, 6]}, Reason.BAD_SCALE),
        ({"own_scale": [-1]}, Reason.BAD_SCALE),
        ({"own_scale": [1] * 101}, Reason.BAD_SCALE),
        ({"mean_of": 0}, Reason.BAD_BEST),
        ({"criteria": ["luck"]}, Reason.UNKNOWN_CHOICE),
    ],
)
def test_rules_that_cannot_be_are_refused(
    club: Club, rules: dict[str, Any], reason: Reason
) -> None:
    season = create_season(SYSTEM, club, name="Temporada")
    with refusal(reason):
        set_season_rules(SYSTEM, season, **rules)


def test_who_came_so_many_times_gets_a_prize_without_a_place(club: Club) -> None:
    season = create_season(SYSTEM, club, name="Temporada")
    for name, order in (("Uno", [1, 2, 3]), ("Dos", [2, 3]), ("Tres", [3, 1, 4])):
        add_tournament(SYSTEM, season, a_played_liguilla(club, name, order))
    for line in (NewPrize(1, 1, times=2, text="Vino"), NewPrize(0, 0, times=2, cents=500)):
        with refusal(Reason.BAD_PRIZE):
            set_season_prizes(SYSTEM, season, [line])
    tournament = season.events.get(order=1).tournament
    with refusal(Reason.BAD_PRIZE):
        set_prizes(SYSTEM, tournament, [NewPrize(0, 0, times=2, text="Vino")])
    set_season_prizes(SYSTEM, season, [NewPrize(0, 0, times=2, text="Vino")])
    came = season_prizes(season, season_page(club.slug, season.slug, NOBODY).lines).recipients
    assert sorted(one.name for one in came) == ["Pareja 1", "Pareja 2", "Pareja 3"]
    assert {(one.place, one.times, one.goods) for one in came} == {(0, 2, ("Vino",))}
    body = Caller().read(f"clubs/{club.slug}/seasons/{season.slug}/prizes/")
    assert body["lines"][0]["times"] == 2
    texts = {"en": "Everybody who came 2 times", "es": "Para quienes vinieron 2 veces"}
    for language, text in {**texts, "de": "Alle, die 2 Mal kamen"}.items():
        answer = Client(headers={"accept-language": language}).get(
            f"/clubs/{club.slug}/seasons/{season.slug}/"
        )
        assert text in answer.content.decode()

"""A club that types its results has ratings: of all that was reported from its tables."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.clubs import SYSTEM, play_the_club_night, submitted, the_liguilla, the_match, the_round
from tests.quick import slow
from tests.support.day import a_day
from tests.support.rating_night import decide, table_of
from tournaments.core.errors import Refusal
from tournaments.core.find import find_match
from tournaments.director.services.restoring import go_back
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import close_round, publish_round, set_visibility
from tournaments.domain.scores import Score
from tournaments.models import Match, Rating, RatingChange, RatingLedger, Result, Tournament
from tournaments.profiles.services.erasing import erase_player
from tournaments.ratings.queries import history
from tournaments.ratings.queries.history import rated_history, stale_rulesets
from tournaments.ratings.queries.pages import match_ratings
from tournaments.ratings.services import rebuild_ratings, refresh_ratings, wake_ratings
from tournaments.results.services.matches import (
    correct_result,
    dispute_result,
    forfeit,
    postpone,
    rule_on_dispute,
)
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

RULESET = "parejas-online"
ENGLISH = {"accept-language": "en"}
PRIVATE, PUBLIC = Tournament.Visibility.PRIVATE, Tournament.Visibility.PUBLIC


def typed(tournament: Tournament, round_: int, *, points: bool = False) -> None:
    """The desk types the results of a round: home wins 3–1, with points or hands alone."""
    for match in Match.objects.with_names().filter(
        round__stage__tournament=tournament, round__number=round_, away__isnull=False
    ):
        score = Score(3, 1, 400, 300) if points else Score(3, 1, 0, 0)
        report_result(SYSTEM, match, score=score)


# --- What counts ---------------------------------------------------------------------------------


def test_results_that_were_typed_rate_as_the_records_of_the_same_matches_do() -> None:
    by_records, by_hand = the_liguilla(), the_liguilla()
    Tournament.objects.filter(pk=by_hand.pk).update(ruleset="parejas")
    play_the_club_night(by_records)
    for result in Result.objects.counting().filter(match__round__stage__tournament=by_records):
        match = the_match(by_hand, result.match.round.number, result.match.table)
        report_result(SYSTEM, match, score=Score(result.home_hands, result.away_hands, 0, 0))
    refresh_ratings(by_records.pk)
    refresh_ratings(by_hand.pk)
    assert len(table_of("parejas")) == 16
    assert table_of("parejas") == table_of()


def test_ties_count_half_and_margins_nothing() -> None:
    tournament = the_liguilla()
    Tournament.objects.filter(pk=tournament.pk).update(options={"deals": 4})
    report_result(SYSTEM, the_match(tournament, 1, 1), score=Score(2, 2, 0, 0))
    report_result(SYSTEM, the_match(tournament, 1, 2), score=Score(4, 0, 0, 0))
    report_result(SYSTEM, the_match(tournament, 1, 3), score=Score(3, 1, 0, 0))
    refresh_ratings(tournament.pk)
    shown = [
        {
            Rating.objects.get(player=player).estimate.shown
            for player in (match.home.pair.first, match.home.pair.second)
        }
        for match in (the_match(tournament, 1, table) for table in (1, 2, 3))
        if match.home.pair
    ]
    assert shown == [{1000}, {1079}, {1079}]


@pytest.mark.parametrize("kind", ["ruling", "forfeit", "bye", "waiting", "stranger"])
def test_nothing_else_counts(kind: str) -> None:
    """Neither what the arbiter gives, nor a bye, an unconfirmed report, or a guest's match."""
    tournament = a_day(entered=5)
    publish_round(SYSTEM, the_round(tournament, 1))
    match = the_match(tournament, 1, 1)
    if kind == "ruling":
        correct_result(SYSTEM, match, Score(3, 1, 0, 0), reason="Video.")
    elif kind == "forfeit":
        forfeit(SYSTEM, match, ["away"], reason="No ha venido.")
    elif kind == "waiting":
        result = report_result(SYSTEM, match, score=Score(3, 1, 0, 0)).result
        Result.objects.filter(pk=result.pk).update(counts_from=None)
    elif kind == "stranger":
        match.lineup = {"home": {"names": ["Ana", "Visita"], "players": [1, None]}}
        match.save(update_fields=["lineup"])
        report_result(SYSTEM, match, score=Score(3, 1, 0, 0))
    assert rated_history(RULESET) == []


def test_a_table_whose_points_are_missing_rates_nobody_where_points_decide() -> None:
    tournament = the_liguilla()
    stage = tournament.stages.get()
    stage.settings = {**stage.settings, "scoring": "points", "places": "listed"}
    stage.save(update_fields=["settings"])
    report_result(SYSTEM, the_match(tournament, 1, 1), score=Score(3, 1, 0, 0))
    report_result(SYSTEM, the_match(tournament, 1, 2), score=Score(3, 1, 210, 260))
    assert [row.marks for row in rated_history(RULESET)] == [(210, 260)]


def test_a_correction_takes_the_typed_match_out_and_a_record_puts_it_back() -> None:
    tournament = the_liguilla()
    typed(tournament, 1)
    refresh_ratings(tournament.pk)
    assert RatingLedger.objects.get().matches == 4
    correct_result(SYSTEM, the_match(tournament, 1, 1), Score(1, 3, 0, 0), reason="Al revés.")
    refresh_ratings(tournament.pk)
    assert RatingLedger.objects.get().matches == 3
    decide(the_match(tournament, 1, 1), 1, 3)
    refresh_ratings(tournament.pk)
    assert RatingLedger.objects.get().matches == 4


# --- How many rest on checked cards --------------------------------------------------------------


def test_pages_and_api_say_how_many_matches_rest_on_checked_cards() -> None:
    tournament = the_liguilla()
    assert submitted(tournament, 0).outcome == "accepted"
    decide(the_match(tournament, 1, 2), 3, 0, audited=False)
    typed(tournament, 2)
    refresh_ratings(tournament.pk)
    pair = the_match(tournament, 1, 1).home.pair
    other = the_match(tournament, 1, 2).home.pair
    assert pair is not None
    assert other is not None
    client = Client(headers=ENGLISH)
    slug = tournament.club.slug
    rows = client.get(f"/api/v1/clubs/{slug}/ratings/").json()["ratings"]
    by_player = {row["player"]: (row["matches"], row["checked"]) for row in rows}
    assert by_player[pair.first_id] == (2, 1)
    assert by_player[other.first_id] == (2, 0)
    page = client.get(f"/players/{pair.first_id}/rating/").content.decode()
    assert "2 matches, every card checked in 1" in page
    assert (
        "matches of which every card was checked"
        in client.get(f"/clubs/{slug}/ratings/").content.decode()
    )


def test_a_private_tournament_promises_no_ratings() -> None:
    tournament = the_liguilla()
    match = the_match(tournament, 1, 1)
    assert match_ratings(find_match(match.pk, SYSTEM)) is not None
    set_visibility(SYSTEM, tournament, PRIVATE)
    assert match_ratings(find_match(match.pk, SYSTEM)) is None


# --- After an upgrade ----------------------------------------------------------------------------


def test_ratings_of_the_rule_before_are_computed_again_by_the_next_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tournament = the_liguilla()
    assert submitted(tournament, 0).outcome == "accepted"
    typed(tournament, 2)
    with monkeypatch.context() as before:
        before.setattr(history, "HISTORY_RULE", 0)
        before.setattr(history, "RATED_DEPTHS", (Result.Depth.RECORD,))
        refresh_ratings(tournament.pk)
        assert RatingLedger.objects.get().matches == 1
        assert stale_rulesets() == ()
    assert stale_rulesets() == (RULESET,)
    assert wake_ratings() == 1
    again = refresh_ratings(tournament.pk)
    assert again
    assert (again.kept, again.added) == (0, 5)
    assert stale_rulesets() == ()


# --- Incremental equals rebuilt ------------------------------------------------------------------


def _erase(rng: random.Random, tournament: Tournament) -> None:
    erase_player(SYSTEM, rng.choice(list(tournament.club.players.order_by("pk"))))


def _substitute(match: Match) -> None:
    assert match.home.pair is not None
    number, leaves = match.round.number, match.home.pair.first
    substitute(SYSTEM, match.home, leaves=leaves, comes="Suplente", from_round=number)


def _void(match: Match) -> None:
    dispute = dispute_result(SYSTEM, match, "Cartas marcadas.")
    rule_on_dispute(SYSTEM, dispute, "void", reason="A repetir.")


def _hide_or_show(tournament: Tournament) -> None:
    set_visibility(SYSTEM, tournament, PUBLIC if tournament.visibility == PRIVATE else PRIVATE)


def _something_happens(rng: random.Random, tournament: Tournament) -> None:
    """One act of a club evening; it is refused where it is not open."""
    match = the_match(tournament, rng.randint(1, 4), rng.randint(1, 4))
    home = rng.randint(0, 3)
    score = Score(home, 3 if home < 3 else rng.randint(0, 2), 0, 0)
    acts: dict[str, Callable[[], object]] = {
        "report": lambda: report_result(SYSTEM, match, score=score),
        "correct": lambda: correct_result(SYSTEM, match, score, reason="Mal apuntado."),
        "forfeit": lambda: forfeit(SYSTEM, match, ["away"], reason="No ha venido."),
        "void": lambda: _void(match),
        "postpone": lambda: postpone(SYSTEM, match, None),
        "close": lambda: close_round(SYSTEM, match.round),
        "undo": lambda: go_back(SYSTEM, tournament.restore_points.latest("pk")),
        "substitute": lambda: _substitute(match),
        "erase": lambda: _erase(rng, tournament),
        "hide": lambda: _hide_or_show(tournament),
    }
    acts[rng.choice((*("report",) * 10, *acts))]()


@pytest.mark.parametrize("seed", [0, *slow(range(1, 4))])
def test_the_ratings_of_a_club_evening_are_those_of_a_rebuild(seed: int) -> None:
    tournament = the_liguilla(published=4)
    rng = random.Random(seed)
    rated = set()
    for _ in range(15):
        for _ in range(rng.randint(1, 5)):
            tournament.refresh_from_db()
            with suppress(Refusal):
                _something_happens(rng, tournament)
        refresh_ratings(tournament.pk)
        rated.add(RatingLedger.objects.get().matches)
    incremental = (table_of(), _changes())
    rebuild_ratings(RULESET)
    assert incremental == (table_of(), _changes())
    assert len(rated) > 2


def _changes() -> list[tuple[object, ...]]:
    fields = ("rated__number", "rated__match", "rated__result", "rated__at", "number", "mu")
    return sorted(RatingChange.objects.values_list(*fields, "mu_before", "variance"))

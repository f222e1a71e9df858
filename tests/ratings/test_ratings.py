"""Ratings follow what counts, whenever and however it came to count."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from tests.clubs import (
    SYSTEM,
    a_bot_liguilla,
    a_draft,
    house_bots,
    submitted,
    the_liguilla,
    the_match,
)
from tests.quick import slow
from tests.support.rating_night import decide, decide_all, decide_table, table_of, withdraw
from tournaments.core.jobs import Job
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.restoring import go_back
from tournaments.director.services.tournaments import discard_tournament
from tournaments.domain.ratings import MatchToRate, Ratings
from tournaments.models import (
    Match,
    RatedMatch,
    Rating,
    RatingChange,
    RatingLedger,
    Result,
    Round,
    Tournament,
)
from tournaments.ratings import services as ratings_services
from tournaments.ratings.queries.history import RatedRow, rated_history, stale_rulesets
from tournaments.ratings.services import (
    RefreshSummary,
    rebuild_ratings,
    refresh_ratings,
    wake_ratings,
)
from tournaments.results.services.matches import dispute_result, rule_on_dispute

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db

RULESET = "parejas-online"


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """Eight pairs, seven rounds, all published, nothing played."""
    return the_liguilla()


def refreshed(tournament: Tournament) -> tuple[int, int, int] | None:
    """Matches kept, taken back and added."""
    report = refresh_ratings(tournament.pk)
    return None if report is None else (report.kept, report.taken_back, report.added)


def rebuilt() -> list[tuple[str, str, str, int]]:
    rebuild_ratings(RULESET)
    return table_of()


# --- What counts ---------------------------------------------------------------------------------


def test_a_match_moves_the_ratings_of_its_four_players(liguilla: Tournament) -> None:
    assert submitted(liguilla, 0).outcome == "accepted"
    assert refreshed(liguilla) == (0, 0, 1)
    match = the_match(liguilla, 1, 1)
    assert match.away is not None
    pairs = (match.home.pair, match.away.pair)
    players = {str(player) for pair in pairs if pair for player in (pair.first, pair.second)}
    assert {name for name, *_ in table_of()} == players
    assert {row.matches for row in Rating.objects.all()} == {1}
    result = match.results.get()
    won, lost = (match.home, match.away) if result.winner == "home" else (match.away, match.home)
    assert won.pair is not None
    assert lost.pair is not None
    assert Rating.objects.get(player=won.pair.first).estimate.shown > 1000
    assert Rating.objects.get(player=lost.pair.second).estimate.shown < 1000


@pytest.mark.parametrize(
    ("depth", "counts"),
    [("record", 1), ("hands", 1), ("score", 1), ("ruling", 0), ("forfeit", 0)],
)
def test_what_was_reported_from_the_table_counts(
    liguilla: Tournament, depth: str, counts: int
) -> None:
    decide(the_match(liguilla, 1, 1), 3, 1, depth=depth)
    assert refreshed(liguilla) == (0, 0, counts)
    assert Rating.objects.count() == 4 * counts


def test_a_bot_that_meets_itself_is_not_rated() -> None:
    tournament = a_bot_liguilla(entries=4, published=3)
    for match in Match.objects.filter(round__stage__tournament=tournament).with_names():
        decide(match, 1, 0)
    rows = rated_history(tournament.ruleset)
    assert 0 < len(rows) < Match.objects.filter(round__stage__tournament=tournament).count()
    assert all(set(row.sides[0]) != set(row.sides[1]) for row in rows)
    refresh_ratings(tournament.pk)
    assert {name for name, *_ in table_of()} == {"Azar", "Sencillo"}


def test_a_bot_holds_both_seats_of_its_side_and_learns_once() -> None:
    tournament = a_bot_liguilla(entries=2)
    decide_table(tournament, 1, 1, 1, 0)
    refresh_ratings(tournament.pk)
    expected = Ratings(2)
    expected.add(MatchToRate(((0, 0), (1, 1)), (1, 0)))
    assert sorted(row.mu for row in Rating.objects.all()) == sorted(expected.mu)
    assert {row.matches for row in Rating.objects.all()} == {1}


def test_a_substitute_is_rated_for_the_match_that_they_played(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    stranger = liguilla.club.players.create(code="Z9", name="Zoe", folded="zoe")
    assert match.home.pair is not None
    stays = match.home.pair.first
    match.lineup = {"home": {"names": [stays.name, "Zoe"], "players": [stays.pk, stranger.pk]}}
    match.save(update_fields=["lineup"])
    decide(match, 3, 0)
    refresh_ratings(liguilla.pk)
    names = {name for name, *_ in table_of()}
    assert {"Zoe", stays.name} <= names
    assert match.home.pair.second.name not in names


def test_a_match_with_an_unknown_person_is_not_rated(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    match.lineup = {"away": {"names": ["Ana", "?"], "players": [1, None]}}
    match.save(update_fields=["lineup"])
    decide(match, 3, 0)
    assert refreshed(liguilla) == (0, 0, 0)


def test_points_decide_where_the_stage_was_scored_by_points(liguilla: Tournament) -> None:
    stage = liguilla.stages.get()
    stage.settings = {**stage.settings, "scoring": "points"}
    stage.save(update_fields=["settings"])
    decide_table(liguilla, 1, 1, 3, 2)
    (row,) = rated_history(RULESET)
    assert row.marks == (210, 120)


def test_each_ruleset_has_ratings_of_its_own(liguilla: Tournament) -> None:
    decide_table(liguilla, 1, 1, 3, 1)
    refresh_ratings(liguilla.pk)
    assert rebuild_ratings("parejas").added == 0
    assert [ledger.matches for ledger in RatingLedger.objects.order_by("ruleset")] == [0, 1]


# --- In their order ------------------------------------------------------------------------------


def test_ratings_are_those_of_the_matches_round_by_round_and_table_by_table(
    liguilla: Tournament,
) -> None:
    decide_all(liguilla)
    rows = rated_history(RULESET)
    places = [
        (match.round.number, match.table)
        for row in rows
        for match in Match.objects.filter(pk=row.match_pk).select_related("round")
    ]
    assert places == sorted(places)
    assert len(places) == 28
    refresh_ratings(liguilla.pk)
    people = sorted({key for row in rows for side in row.sides for key in side})
    expected = Ratings(len(people))
    for row in rows:
        sides = tuple(tuple(people.index(key) for key in side) for side in row.sides)
        expected.add(MatchToRate(sides, row.marks))
    for rating in Rating.objects.all():
        person = people.index(f"p{rating.player_id}")
        assert rating.mu.hex() == expected.mu[person].hex()
        assert rating.variance.hex() == expected.variance[person].hex()


def test_a_result_that_follows_costs_one_match(liguilla: Tournament) -> None:
    decide_table(liguilla, 1, 1, 3, 1)
    assert refreshed(liguilla) == (0, 0, 1)
    decide_table(liguilla, 1, 2, 0, 3)
    assert refreshed(liguilla) == (1, 0, 1)
    assert table_of() == rebuilt()


def test_a_result_that_comes_late_stands_where_it_belongs(liguilla: Tournament) -> None:
    decide_all(liguilla, rounds=2)
    late = the_match(liguilla, 1, 3)
    withdraw(late, Match.State.POSTPONED)
    assert refreshed(liguilla) == (0, 0, 7)
    decide(late, 2, 3)
    assert refreshed(liguilla) == (2, 5, 6)
    assert table_of() == rebuilt()


def test_a_correction_takes_back_no_more_than_what_follows_it(liguilla: Tournament) -> None:
    decide_all(liguilla, rounds=3)
    refresh_ratings(liguilla.pk)
    decide_table(liguilla, 2, 2, 0, 3)
    assert refreshed(liguilla) == (5, 7, 7)
    assert table_of() == rebuilt()


def test_nothing_is_done_when_nothing_has_changed(liguilla: Tournament) -> None:
    decide_all(liguilla, rounds=1)
    assert refreshed(liguilla) == (0, 0, 4)
    assert refreshed(liguilla) is None
    assert stale_rulesets() == ()


def test_a_dispute_takes_the_match_out_until_it_is_ruled_on(liguilla: Tournament) -> None:
    decide_all(liguilla, rounds=1)
    refresh_ratings(liguilla.pk)
    before = table_of()
    match = the_match(liguilla, 1, 2)
    withdraw(match, Match.State.DISPUTED)
    assert refreshed(liguilla) == (1, 3, 2)
    assert table_of() != before
    decide(match, *_hands(match))
    assert refreshed(liguilla) == (1, 2, 3)
    assert table_of() == before


def _hands(match: Match) -> tuple[int, int]:
    result = match.results.order_by("-version")[0]
    return result.home_hands, result.away_hands


def test_a_result_voided_leaves_the_ratings(liguilla: Tournament) -> None:
    assert submitted(liguilla, 0).outcome == "accepted"
    refresh_ratings(liguilla.pk)
    dispute = dispute_result(SYSTEM, the_match(liguilla, 1, 1), "Cartas marcadas.")
    rule_on_dispute(SYSTEM, dispute, "void", reason="A repetir.")
    refresh_ratings(liguilla.pk)
    assert table_of() == []


def test_a_match_deleted_leaves_the_ratings_with_all_that_followed_from_it(
    liguilla: Tournament,
) -> None:
    decide_all(liguilla, rounds=2)
    refresh_ratings(liguilla.pk)
    match = the_match(liguilla, 1, 2)
    Result.objects.filter(match=match).update(record=None, depth=Result.Depth.SCORE)
    match.delete()
    Tournament.objects.filter(pk=liguilla.pk).update(version=liguilla.version + 100)
    assert refreshed(liguilla) == (1, 7, 6)
    assert table_of() == rebuilt()


def test_the_last_match_deleted_leaves_the_ratings_too(liguilla: Tournament) -> None:
    decide_all(liguilla, rounds=1)
    refresh_ratings(liguilla.pk)
    match = the_match(liguilla, 1, 4)
    Result.objects.filter(match=match).update(record=None, depth=Result.Depth.SCORE)
    match.delete()
    Tournament.objects.filter(pk=liguilla.pk).update(version=liguilla.version + 100)
    assert refreshed(liguilla) == (3, 1, 0)
    assert {row.matches for row in Rating.objects.all()} == {1}
    assert table_of() == rebuilt()


# --- Whichever way, the same to the last bit (fault 28) ------------------------------------------


def _record_something(rng: random.Random, tournament: Tournament) -> None:
    match = the_match(tournament, rng.randint(1, 7), rng.randint(1, 4))
    act = rng.choice(("decide", "decide", "decide", "typed", "ruling", "withdraw", "lineup"))
    if act == "decide":
        decide(match, rng.randint(0, 3), rng.randint(0, 3))
    elif act in {"typed", "ruling"}:
        depth = "ruling" if act == "ruling" else rng.choice(("score", "hands"))
        decide(match, rng.randint(0, 3), rng.randint(0, 3), depth=depth)
    elif act == "withdraw":
        withdraw(match, rng.choice((Match.State.DISPUTED, Match.State.POSTPONED)))
    else:
        four = list(tournament.club.players.order_by("pk").values_list("pk", flat=True)[:4])
        match.lineup = {"home": {"names": [], "players": rng.sample(four, 2)}}
        match.save(update_fields=["lineup"])
        decide(match, 3, 1)


@pytest.mark.parametrize("seed", [0, *slow(range(1, 4))])
def test_whatever_happens_in_whatever_order_the_ratings_are_those_of_a_rebuild(
    liguilla: Tournament, seed: int
) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        for _ in range(rng.randint(1, 4)):
            _record_something(rng, liguilla)
        refresh_ratings(liguilla.pk)
    incremental = (table_of(), _changes())
    rebuild_ratings(RULESET)
    assert incremental == (table_of(), _changes())
    assert RatingLedger.objects.get().matches == len(rated_history(RULESET))


def _changes() -> list[tuple[Any, ...]]:
    fields = ("rated__number", "rated__match", "rated__result", "number", "mu_before", "mu")
    return sorted(RatingChange.objects.values_list(*fields, "variance_before", "variance"))


class Killed(Exception):  # noqa: N818 - what happens, not an error
    """Raised in place of a power cut."""


def _plug(at: int) -> Callable[[], None]:
    """Pull the plug at a certain statement of a refresh; answers how to put it back."""
    from django.db import connection

    calls = 0

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal calls
        if sql.startswith(("SAVEPOINT", "ROLLBACK", "RELEASE")):
            return execute(sql, params, many, context)
        calls += 1
        if calls > at:
            raise Killed
        return execute(sql, params, many, context)

    connection.execute_wrappers.append(count)
    return lambda: connection.execute_wrappers.remove(count)


def test_a_refresh_killed_at_any_statement_leaves_the_old_ratings_or_the_new(
    liguilla: Tournament,
) -> None:
    """Fault 28: killed half-way, then done again, it is what an undisturbed run gives."""
    decide_all(liguilla, rounds=2)
    refresh_ratings(liguilla.pk)
    old = table_of()
    decide_table(liguilla, 1, 2, 0, 3)
    decide_table(liguilla, 3, 1, 0, 3)
    killed, statement = 0, 0
    while True:
        unplug = _plug(statement)
        try:
            with transaction.atomic():
                refresh_ratings(liguilla.pk)
        except Killed:
            killed += 1
            statement += 1
        else:
            break
        finally:
            unplug()
        assert table_of() == old
    assert killed > 10
    new = table_of()
    assert new != old
    assert new == rebuilt()


def test_of_two_who_refresh_at_once_the_slower_begins_again(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide_all(liguilla, rounds=1)
    turns: list[RefreshSummary] = []

    def history_while_another_is_quicker(ruleset: str) -> list[RatedRow]:
        rated_rows = rated_history(ruleset)
        monkeypatch.setattr(ratings_services, "rated_history", rated_history)
        decide_table(liguilla, 2, 1, 3, 0)
        turns.append(rebuild_ratings(ruleset))
        return rated_rows

    monkeypatch.setattr(ratings_services, "rated_history", history_while_another_is_quicker)
    assert refreshed(liguilla) == (5, 0, 0)
    assert turns == [RefreshSummary(RULESET, kept=0, taken_back=0, added=5)]
    assert table_of() == rebuilt()


# --- Asked for, and done -----------------------------------------------------------------------


def test_results_that_come_in_together_are_one_message(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    texts: list[tuple[str, tuple[int, ...]]] = []
    monkeypatch.setattr(
        "tournaments.core.jobs._send", lambda job, arguments, _: texts.append((str(job), arguments))
    )
    with django_capture_on_commit_callbacks(execute=True):
        for index in range(3):
            submitted(liguilla, index)
    assert texts == []
    with django_capture_on_commit_callbacks(execute=True):
        assert wake_ratings() == 1
    assert texts == [("tournaments.ratings.tasks.rate", (liguilla.pk,))]


def test_ratings_that_are_behind_are_found_without_a_message(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[tuple[Any, ...]] = []
    monkeypatch.setattr(ratings_services, "post", lambda *what: posted.append(what))
    decide_table(liguilla, 1, 1, 3, 1)
    assert wake_ratings() == 1
    assert posted == [(Job.RATE, liguilla.pk)]
    refresh_ratings(liguilla.pk)
    assert wake_ratings() == 0


def test_new_results_are_seen_although_a_draft_was_discarded_meanwhile(
    liguilla: Tournament,
) -> None:
    draft = a_draft(liguilla.club, "Copa")
    enter_newcomers(SYSTEM, draft, house_bots())
    draw(SYSTEM, draft)
    go_back(SYSTEM, draft.restore_points.get(verb="tournament.drawn"))
    draft.refresh_from_db()
    refresh_ratings(liguilla.pk)
    discard_tournament(SYSTEM, draft)
    version = liguilla.version + draft.version
    for table in range(1, draft.version + 1):
        decide_table(liguilla, 1, table, 3, 1)
    liguilla.refresh_from_db()
    assert liguilla.version == version  # the sum is what it was
    assert stale_rulesets() == (RULESET,)


def test_a_tournament_that_is_gone_asks_for_nothing() -> None:
    assert refresh_ratings(10**6) is None


def test_the_command_rebuilds_every_ruleset_or_one(
    liguilla: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    decide_all(liguilla, rounds=1)
    call_command("rebuild_ratings")
    assert capsys.readouterr().out == "parejas-online: 4 matches rated\n"
    Rating.objects.update(mu=0.0)
    call_command("rebuild_ratings", ruleset="parejas-online")
    assert Rating.objects.filter(mu=0.0).count() == 0
    assert RatedMatch.objects.count() == 4
    with pytest.raises(CommandError):
        call_command("rebuild_ratings", ruleset="mus")


def test_rounds_published_later_come_later_whatever_their_tournament() -> None:
    early = the_liguilla()
    round_ = Round.objects.get(stage__tournament=early, number=1)
    assert round_.published_at is not None
    decide_table(early, 1, 1, 3, 1)
    decide_table(early, 2, 1, 3, 1)
    Round.objects.filter(pk=round_.pk).update(published_at=round_.published_at + timedelta(days=9))
    numbers = [
        Match.objects.select_related("round").get(pk=row.match_pk).round.number
        for row in rated_history(RULESET)
    ]
    assert numbers == [2, 1]


def test_what_was_done_is_reported() -> None:
    assert rebuild_ratings("cuatro") == RefreshSummary("cuatro", kept=0, taken_back=0, added=0)

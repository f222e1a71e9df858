"""Matches of quick bots, played several together: nothing comes out otherwise than one by one."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import engine
from tests.arena.test_schedules import a_ladder, scheduled
from tests.clubs import SYSTEM, the_round
from tests.drills.rounds import a_round_of, outcome_of, take_back
from tests.results.test_concurrency import assert_the_history_has_no_gap, at_once
from tests.support.bot_tables import a_bot_round, house_bot
from tournaments.arena.services import playing, table
from tournaments.arena.services.arena import run_due
from tournaments.arena.services.dispatch import batches, play_round
from tournaments.arena.services.playing import (
    PlayOutcome,
    play_claimed,
    play_leased,
    play_match,
    play_matches,
)
from tournaments.core.jobs import Job
from tournaments.director.services.restoring import go_back
from tournaments.domain.scores import Score
from tournaments.models import (
    Attempt,
    AuditEvent,
    BotForfeit,
    Entry,
    Hand,
    Match,
    Record,
    Result,
    Round,
    Tournament,
)
from tournaments.results.queries.records import replays
from tournaments.results.services import leases
from tournaments.results.services import results as results_services
from tournaments.results.services.leases import Lease, claim_batch, extend_leases, set_draining
from tournaments.results.services.matches import correct_result
from tournaments.results.services.turns import mark_lost_attempts
from tournaments.results.services.write import write_decisions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.results.services.decide import Decision
    from tournaments.results.services.submission import SubmissionOutcome

pytestmark = pytest.mark.django_db

EARLY = {"model": "points", "low": -5, "high": 5}
PAIRS = ("random", "simple")

ROUNDS: dict[str, dict[str, Any]] = {
    "plain": {"options": {"deals": 3}},
    "to a number": {"options": {"to": 2}},
    "deal sets": {"deal_sets": 3, "options": {"deals": 2}},
    "deal sets that end early": {"deal_sets": 40, "stop": EARLY, "options": {"deals": 4}},
    "cotos": {"cotos": 2, "options": {"to": 1}},
    "a race": {"ruleset": "habanero", "options": {"to": 1}, "deal_sets": 2},
    "three at a table": {"ruleset": "arrastrado", "options": {"deals": 3}, "deal_sets": 2},
}


@pytest.fixture(autouse=True)
def still_here() -> Iterator[None]:
    """No test leaves the word behind that the workers are about to go."""
    yield
    set_draining(leaving=False)


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """What is left for other messages."""
    messages: list[tuple[int, ...]] = []
    monkeypatch.setattr(playing, "post", lambda _job, *keys: messages.append(keys))
    return messages


def a_round(matches: int = 3, **more: Any) -> Round:
    """A requested round of `matches` matches of two."""
    bots = [house_bot(PAIRS[n % 2], n) for n in range(2 * matches)]
    return a_bot_round(*bots, **more)


def keys_of(round_: Round) -> list[int]:
    return list(round_.matches.order_by("pk").values_list("pk", flat=True))


def outcomes(round_: Round) -> list[list[str]]:
    return [
        list(match.bot_attempts.order_by("pk").values_list("outcome", flat=True))
        for match in round_.matches.order_by("pk")
    ]


def rows_of(round_: Round) -> dict[str, Any]:
    """All values in the rows of a round's matches, but for keys, moments and tokens."""
    of_round = {"match__round": round_}
    records = Record.objects.filter(**of_round).order_by("match", "coto")
    hands = Hand.objects.filter(record__match__round=round_)
    results = Result.objects.filter(**of_round).order_by("match", "version")
    return {
        "records": list(
            records.values_list(
                *("match", "coto", "said_by", "state", "source", "text", "sha256", "digest"),
                *("home_side", "verdict", "code", "params", "submitted_by", "submitter"),
            )
        ),
        "hands": list(
            hands.order_by("record__match", "record__coto", "number").values_list(
                *("record__match", "record__coto", "number", "dealer", "trump", "deal", "play"),
                *("points", "winner"),
            )
        ),
        "results": list(
            results.values_list(
                *("match", "version", "live", "counts_until", "depth", "record__coto"),
                *("home_hands", "away_hands", "third_hands", "home_points", "away_points"),
                *("third_points", "winner", "forfeits", "decided", "hand_scores", "reported_for"),
                *("confirmed_by", "confirmed_at", "reason", "made_by"),
            )
        ),
        "matches": list(
            round_.matches.order_by("pk").values_list(
                *("pk", "state", "lease_token", "lease_until", "versions"),
            )
        ),
        "attempts": outcomes(round_),
    }


def events_since(number: int) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Return the events after a number; of rows they hold keys, which differ each time."""
    events = AuditEvent.objects.filter(sequence__gt=number).order_by("sequence")
    return [
        (event.verb, event.actor, event.subject, {**event.facts, "rows": None}) for event in events
    ]


def last_event() -> int:
    last = AuditEvent.objects.order_by("sequence").last()
    return last.sequence if last else 0


# --- The same -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_matches_played_together_come_out_as_those_played_one_by_one(name: str) -> None:
    round_ = a_bot_round(**ROUNDS[name]) if "ruleset" in ROUNDS[name] else a_round(**ROUNDS[name])
    start = last_event()
    for key in keys_of(round_):
        assert play_match(key) == "accepted"
    alone, events, standing = rows_of(round_), events_since(start), outcome_of(round_)
    take_back(round_)
    start = last_event()
    play_matches(*keys_of(round_))
    assert rows_of(round_) == alone
    assert events_since(start) == events
    assert outcome_of(round_) == standing
    assert not [replay for replay in replays() if replay.differences]


def test_a_match_that_is_begun_goes_on_with_others() -> None:
    """Deal sets and cotos from their next record; nothing is played twice."""
    for terms in (ROUNDS["deal sets"], ROUNDS["cotos"]):
        round_ = a_round(2, **terms)
        first, second = keys_of(round_)
        play_match(first)
        whole = list(Record.objects.filter(match=first).values_list("text", flat=True))
        assert len(whole) > 1
        take_back(round_)
        play_match(first, until=0.0)
        record_pks = set(Record.objects.values_list("pk", flat=True))
        play_matches(first, second)
        accepted_records = Record.objects.accepted().filter(match=first).order_by("coto")
        assert sorted(accepted_records.values_list("text", flat=True)) == sorted(whole)
        assert record_pks <= set(Record.objects.values_list("pk", flat=True))
        assert outcomes(round_) == [["partly", "played"], ["played"]]


def test_a_batch_moves_the_standings_on_once() -> None:
    round_ = a_round(3)
    before = round_.stage.tournament.version
    play_matches(*keys_of(round_))
    after = Tournament.objects.get().version
    assert after == before + 1
    assert set(Result.objects.values_list("counts_from", flat=True)) == {after}


def test_a_batch_costs_as_many_statements_whether_it_has_two_matches_or_twenty() -> None:
    counts = []
    for matches in (2, 20):
        round_ = a_round_of(matches)
        play_round(SYSTEM, round_)
        with CaptureQueriesContext(connection) as queries:
            play_matches(*keys_of(round_))
        marks = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "SELECT nextval")
        counts.append(sum(not query["sql"].startswith(marks) for query in queries.captured_queries))
        assert not Match.objects.undecided().filter(round=round_).exists()
    assert max(counts) <= 32
    assert abs(counts[0] - counts[1]) <= 4, "rows in a stream or in a statement"


# --- What goes otherwise --------------------------------------------------------------------------


def disturb(monkeypatch: pytest.MonkeyPatch, at: int, what: Any) -> None:
    """Let something happen while the match with a key is played for the first time."""
    happened: list[int] = []

    def play(match: Match, *more: Any) -> Any:
        finished = table.play_part(match, *more)
        if match.pk == at and not happened:
            happened.append(at)
            what(match)
        return finished

    monkeypatch.setattr(playing, "play_part", play)


def test_a_lease_lost_in_the_middle_of_a_batch_loses_its_own_match_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_ = a_round(3)
    keys = keys_of(round_)

    def run_out(match: Match) -> None:
        ago = timezone.now() - timedelta(seconds=1)
        Match.objects.filter(pk=match.pk).update(lease_until=ago)

    disturb(monkeypatch, keys[1], run_out)
    play_matches(*keys)
    assert outcomes(round_) == [["played"], ["late"], ["played"]]
    assert Record.objects.get(match=keys[1]).code == "late_result"
    assert play_match(keys[1]) == "accepted"


@pytest.mark.parametrize("matches", [1, 3])
def test_matches_whose_draw_is_undone_during_play_are_dropped(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, matches: int
) -> None:
    round_ = a_round(matches)
    keys = keys_of(round_)
    points = round_.stage.tournament.restore_points
    point = points.get(verb="tournament.drawn")
    disturb(monkeypatch, keys[0], lambda _match: go_back(SYSTEM, point))
    play_matches(*keys)
    assert not Match.objects.filter(pk__in=keys).exists()
    assert not Record.objects.exists()
    assert "breaks" not in caplog.text


def test_matches_whose_draw_was_undone_since_they_were_claimed_are_not_played() -> None:
    round_ = a_round(2)
    batch = leases.claim_batch(keys_of(round_))
    points = round_.stage.tournament.restore_points
    go_back(SYSTEM, points.get(verb="tournament.drawn"))
    assert play_leased(batch.leases) == []
    assert play_claimed(batch.leases[0]) is PlayOutcome.LATE


def test_a_match_that_was_taken_over_is_not_written_by_who_had_it_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_ = a_round(2)
    keys = keys_of(round_)

    def take_over(match: Match) -> None:
        Match.objects.filter(pk=match.pk).update(lease_until=None)
        assert leases.claim_match(match.pk)

    disturb(monkeypatch, keys[0], take_over)
    play_matches(*keys)
    assert not Record.objects.accepted().filter(match=keys[0]).exists()
    assert outcomes(round_) == [["late", ""], ["played"]]


def test_a_match_given_a_result_meanwhile_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = a_round(3)
    keys = keys_of(round_)

    def rule(match: Match) -> None:
        match = Match.objects.with_names().get(pk=match.pk)
        correct_result(SYSTEM, match, Score(1, 0, 80, 50), reason="Prueba.")

    disturb(monkeypatch, keys[1], rule)
    play_matches(*keys)
    assert outcomes(round_) == [["played"], ["refused"], ["played"]]
    assert Result.objects.live().get(match=keys[1]).depth == "ruling"


def test_a_match_whose_bot_is_called_otherwise_meanwhile_is_judged_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    round_ = a_round(2)
    keys = keys_of(round_)
    home = round_.matches.get(pk=keys[0]).home_id
    renamed = Entry.objects.filter(pk=home)
    disturb(monkeypatch, keys[0], lambda _match: renamed.update(name="Otro", folded="otro"))
    play_matches(*keys)
    assert outcomes(round_) == [["refused"], ["played"]]
    assert Record.objects.get(match=keys[0]).code == "pairing_mismatch"


def test_a_poisonous_match_breaks_alone(
    monkeypatch: pytest.MonkeyPatch, posted: list[tuple[int, ...]]
) -> None:
    round_ = a_round(3)
    keys = keys_of(round_)

    def breaks(match: Match) -> None:
        raise ZeroDivisionError(match.pk)

    monkeypatch.setattr(
        playing,
        "play_part",
        lambda match, *more: (
            breaks(match) if match.pk == keys[1] else table.play_part(match, *more)
        ),
    )
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            play_matches(*keys)
    play_matches(*keys)
    assert outcomes(round_) == [["played"], ["broken"] * 3, ["played"]]
    assert posted == []


def test_a_match_that_has_failed_is_claimed_with_no_other() -> None:
    round_ = a_round(3)
    keys = keys_of(round_)
    lease = leases.claim_match(keys[1])
    assert lease is not None
    leases.release_lease(lease, Attempt.Outcome.BROKEN)
    leased_batch = leases.claim_batch(keys)
    assert [lease.match_pk for lease in leased_batch.leases] == [keys[0], keys[2]]
    assert list(leased_batch.others) == [keys[1]]


def test_what_a_batch_cannot_write_is_written_one_by_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    round_ = a_round(3, **ROUNDS["deal sets"])

    def broken(decisions: Sequence[Decision]) -> list[SubmissionOutcome]:
        if len({decision.submission.match.pk for decision in decisions}) > 1:
            raise ZeroDivisionError("the rows of all")
        return write_decisions(decisions)

    monkeypatch.setattr(playing, "write_decisions", broken)
    play_matches(*keys_of(round_))
    assert "the rows of all" in caplog.text
    assert outcomes(round_) == [["played"]] * 3
    assert Record.objects.accepted().count() == 18
    assert_the_history_has_no_gap()


class Cheat:
    """A bot that plays what it was not offered."""

    def __init__(self, seed: bytes) -> None:
        del seed

    def choose(self, view: engine.View) -> str:
        return f"9{view.seat}"


def test_hands_that_bots_lose_are_kept_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = a_round(2, options={"deals": 4})
    monkeypatch.setattr(engine, "HOUSE_BOTS", {**engine.HOUSE_BOTS, "random": Cheat})
    for key in keys_of(round_):
        play_match(key)
    alone = rows_of(round_)
    lost = list(BotForfeit.objects.order_by("match", "hand").values_list("match", "hand", "code"))
    assert lost
    take_back(round_)
    play_matches(*keys_of(round_))
    forfeits = BotForfeit.objects.order_by("match", "hand").values_list("match", "hand", "code")
    assert list(forfeits) == lost
    assert rows_of(round_) == alone


def test_bots_that_think_are_played_by_the_same_message() -> None:
    quick_ones = [house_bot("simple", number) for number in range(2)]
    round_ = a_bot_round(*quick_ones, house_bot("strong", 1), house_bot("random", 9))
    kinds = table.kinds_at(keys_of(round_))
    assert sorted(map(table.is_quick, kinds.values())) == [False, True]
    play_matches(*keys_of(round_))
    assert outcomes(round_) == [["played"]] * 2


def test_tables_that_play_the_same_deals_are_claimed_one_by_one() -> None:
    round_ = a_round(2)
    keys = keys_of(round_)
    Match.objects.filter(pk=keys[0]).update(boards=[1, 2])
    leased_batch = claim_batch(keys)
    assert [lease.match_pk for lease in leased_batch.leases] == keys[1:]
    assert leased_batch.others == keys[:1]


# --- Going ----------------------------------------------------------------------------------------


def test_a_process_that_dies_among_many_matches_costs_none_of_them_an_attempt() -> None:
    round_ = a_round(3)
    keys = keys_of(round_)
    leased_batch = claim_batch(keys)
    assert len(leased_batch.leases) == 3
    Match.objects.filter(pk__in=keys).update(lease_until=Now() - timedelta(seconds=1))
    mark_lost_attempts()
    assert set(Match.objects.filter(pk__in=keys).values_list("attempts", flat=True)) == {0}
    second_batch = claim_batch(keys)
    assert (second_batch.leases, sorted(second_batch.others)) == ([], sorted(keys))
    play_matches(*keys)
    assert outcomes(round_) == [["lost", "played"]] * 3
    assert set(Match.objects.filter(pk__in=keys).values_list("attempts", flat=True)) == {1}


def test_a_worker_asked_to_go_writes_what_it_has_played(
    monkeypatch: pytest.MonkeyPatch, posted: list[tuple[int, ...]]
) -> None:
    round_ = a_round(4)
    keys = keys_of(round_)
    disturb(monkeypatch, keys[1], lambda _match: set_draining())
    play_matches(*keys)
    assert outcomes(round_) == [["played"], ["played"], [], []]
    assert not Match.objects.leased().exists()
    assert set(Match.objects.filter(pk__in=keys[2:]).values_list("attempts", flat=True)) == {0}
    assert posted == [tuple(keys[2:])]


def test_a_worker_asked_to_go_in_the_middle_of_a_match_hands_it_on(
    monkeypatch: pytest.MonkeyPatch, posted: list[tuple[int, ...]]
) -> None:
    round_ = a_round(1, **ROUNDS["deal sets"])
    (key,) = keys_of(round_)
    disturb(monkeypatch, key, lambda _match: set_draining())
    play_matches(key)
    attempt = Attempt.objects.get()
    assert (attempt.outcome, attempt.detail) == ("partly", "the worker was stopped")
    assert Record.objects.accepted().count() == 1
    assert Match.objects.get(pk=key).attempts == 0
    set_draining(leaving=False)
    play_matches(key)
    assert outcomes(round_) == [["partly", "played"]]
    assert posted == [(key,)]


def test_a_long_match_is_written_slice_by_slice_and_makes_room(
    monkeypatch: pytest.MonkeyPatch, posted: list[tuple[int, ...]]
) -> None:
    round_ = a_round(1, **ROUNDS["deal sets"])
    (key,) = keys_of(round_)
    monkeypatch.setattr(playing, "MAX_RECORDS_PER_WRITE", 2)
    monkeypatch.setattr(playing, "SECONDS_PER_WRITE", 1000.0)
    numbers: list[int] = []

    def record_decisions(decisions: Sequence[Decision]) -> list[SubmissionOutcome]:
        numbers.append(len(decisions))
        return write_decisions(decisions)

    monkeypatch.setattr(playing, "write_decisions", record_decisions)
    play_matches(key)
    assert numbers == [2, 2, 2]
    take_back(round_)
    monkeypatch.setattr(playing, "BUDGET", 0.0)
    for _ in range(6):
        play_matches(key)
    assert posted == [(key,)] * 5
    assert outcomes(round_) == [["partly"] * 5 + ["played"]]


def test_leases_of_several_matches_run_on_together() -> None:
    round_ = a_round(2)
    leased_batch = leases.claim_batch(keys_of(round_))
    Match.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    assert extend_leases(*leased_batch.leases)
    soon = timezone.now() + timedelta(seconds=20)
    assert Match.objects.filter(lease_until__gt=soon).count() == 2
    Match.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert not extend_leases(*leased_batch.leases)
    assert not extend_leases(*(Lease(lease.match_pk, "another") for lease in leased_batch.leases))


# --- Several workers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matches", "terms", "sizes"),
    [
        (2, {"deals": 1}, [2]),
        (2, {"deals": 300}, [1, 1]),
        (10, {"deals": 1}, [5, 5]),
        (10, {"to": 20}, [5, 5]),
        (12, {"deals": 100}, [4] * 3),
        (12, {"deals": 400}, [2] * 6),
    ],
)
def test_two_workers_share_a_round(matches: int, terms: dict[str, int], sizes: list[int]) -> None:
    """Each message is some of the matches, and none is in two."""
    round_ = a_round_of(matches, options=terms)
    batch_list = batches(keys_of(round_))
    assert sorted(map(len, batch_list)) == sizes
    assert sorted(key for batch in batch_list for key in batch) == keys_of(round_)


def test_a_round_of_deal_sets_is_shared_by_its_hands() -> None:
    round_ = a_round_of(6, deal_sets=100, options={"deals": 1})
    assert [len(batch) for batch in batches(keys_of(round_))] == [2] * 3


@pytest.mark.django_db(transaction=True)
def test_workers_that_hear_of_the_same_matches_play_each_once() -> None:
    round_ = a_round(6)
    keys = keys_of(round_)
    at_once(*(lambda batch=batch: play_matches(*batch) for batch in (keys, keys[::-1], keys[2:])))
    assert Record.objects.accepted().count() == Record.objects.count() == 6
    assert Result.objects.live().count() == 6
    assert outcomes(round_) == [["played"]] * 6
    assert_the_history_has_no_gap()


def test_the_last_match_of_a_round_that_plays_itself_has_it_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jobs: list[tuple[Job, int]] = []
    monkeypatch.setattr(results_services, "post", lambda job, key: jobs.append((job, key)))
    tournament = a_ladder()
    scheduled(tournament)
    run_due()
    round_ = the_round(tournament, 1)
    first, *others = keys_of(round_)
    play_matches(first)
    assert jobs == []
    play_matches(*others)
    assert jobs == [(Job.CLOSE_ROUND, round_.pk)]

"""Bot rounds: claimed, played, submitted; interrupted, repeated, given up (faults 1 to 7, 25)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from django.utils.translation import override

import engine
from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    a_club,
    arbiter,
    organiser,
    program,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.broker import Messages, record_messages
from tests.support.refusals import refusal
from tournaments.arena.queries.status import arena_status_page
from tournaments.arena.services import playing
from tournaments.arena.services.dispatch import play_round, wake_due, wake_round
from tournaments.arena.services.playing import PlayOutcome, play_claimed, play_match
from tournaments.arena.services.table import FinishedRecord, LostHands
from tournaments.core.errors import Reason
from tournaments.core.jobs import Job
from tournaments.director.queries.rounds import round_page
from tournaments.domain.scores import Score
from tournaments.models import Attempt, AuditEvent, Hand, Match, Record, Result, Round, Tournament
from tournaments.models.matches import LEASE
from tournaments.results.queries.matches import match_page
from tournaments.results.services.leases import claim_match
from tournaments.results.services.matches import correct_result, dispute_result, rule_on_dispute

pytestmark = pytest.mark.django_db


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Messages:
    """The messages sent, in place of a broker, those about ratings aside: name and arguments."""
    return record_messages(monkeypatch, {Job.RATE})


@pytest.fixture
def tournament(db: None) -> Tournament:
    """Four bots, the first round published."""
    return a_bot_liguilla()


@pytest.fixture
def bot_round(tournament: Tournament) -> Round:
    """Its first round, which the bots have been asked to play."""
    return play_round(SYSTEM, the_round(tournament, 1))


def lease_runs_out(match_pk: int) -> None:
    Match.objects.filter(pk=match_pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def a_due_match(round_: Round) -> int:
    return Match.objects.due().filter(round=round_).order_by("pk")[0].pk


# --- Playing ------------------------------------------------------------------------------------


def test_a_bot_round_is_played_through_the_same_submission_as_a_humans(bot_round: Round) -> None:
    assert [play_match(match.pk) for match in Match.objects.due().filter(round=bot_round)] == [
        PlayOutcome.ACCEPTED
    ] * 2
    for match in bot_round.matches.all():
        record = match.records.get()
        assert (record.state, record.source, record.submitter) == ("accepted", "bot", "system")
        assert engine.audit(record.text).valid
        assert record.home_side == "AC"
        assert match.state == "accepted"
    assert Result.objects.live().count() == 2
    assert AuditEvent.objects.filter(verb="record.accepted").count() == 2


def test_the_deals_follow_from_the_seed_that_was_committed_to(bot_round: Round) -> None:
    match = the_match(bot_round.stage.tournament, 1, 2)
    play_match(match.pk)
    rules = engine.RULESETS["parejas-online"]
    seed = bytes.fromhex(bot_round.seed)
    assert engine.commitment("torneo-de-bots/1", seed) == bot_round.commitment
    for hand in Hand.objects.filter(record__match=match):
        dealt = engine.deal(rules, seed, "torneo-de-bots/1/2", hand.number)
        assert (hand.dealer, hand.trump, hand.deal) == (dealt.dealer, dealt.trump, dealt.hands)


def test_the_seats_are_named_after_the_entries(bot_round: Round) -> None:
    match = the_match(bot_round.stage.tournament, 1, 1)
    play_match(match.pk)
    record = engine.parse_record(Record.objects.get().text)
    assert record.seats == ("Azar 1 · 1", "Sencillo 2 · 1", "Azar 1 · 2", "Sencillo 2 · 2")
    assert dict(record.tags) == {"event": "Torneo de bots", "round": "1", "table": "1"}


def test_an_attempt_repeated_plays_the_same_match(bot_round: Round) -> None:
    pk = a_due_match(bot_round)
    play_match(pk)
    first = Record.objects.get(match=pk)
    Record.objects.filter(pk=first.pk).update(state="superseded")
    Result.objects.update(live=False)
    Match.objects.update(state="pending")
    play_match(pk)
    assert Record.objects.accepted().get(match=pk).text == first.text


# --- Due ----------------------------------------------------------------------------------------


def test_bots_play_when_asked_and_not_before(tournament: Tournament) -> None:
    round_ = the_round(tournament, 1)
    assert not Match.objects.due().filter(round=round_)
    pk = round_.matches.all()[0].pk
    assert play_match(pk) is PlayOutcome.SKIPPED
    play_round(SYSTEM, round_)
    assert len(Match.objects.due().filter(round=round_)) == 2
    assert play_match(pk) is PlayOutcome.ACCEPTED
    assert play_match(pk) is PlayOutcome.SKIPPED
    assert Record.objects.count() == 1


def test_a_match_given_a_result_meanwhile_is_not_played(bot_round: Round) -> None:
    pk = a_due_match(bot_round)
    match = Match.objects.with_names().get(pk=pk)
    correct_result(SYSTEM, match, Score(1, 0, 80, 50), reason="Prueba.")
    assert play_match(pk) is PlayOutcome.SKIPPED


def test_a_match_that_is_gone_is_skipped(db: None) -> None:
    assert play_match(987654) is PlayOutcome.SKIPPED


# --- Leases -------------------------------------------------------------------------------------


def test_one_message_sent_three_times_is_one_claim(bot_round: Round) -> None:
    pk = a_due_match(bot_round)
    leases = [claim_match(pk) for _ in range(3)]
    assert [lease is not None for lease in leases] == [True, False, False]
    match = Match.objects.get(pk=pk)
    assert match.attempts == 1
    assert match.lease_until is not None
    left = match.lease_until - timezone.now()
    assert timedelta(seconds=LEASE.total_seconds() - 5) < left <= LEASE


def test_the_claim_of_a_dead_worker_passes_on(bot_round: Round) -> None:
    pk = a_due_match(bot_round)
    assert claim_match(pk)
    lease_runs_out(pk)
    assert play_match(pk) is PlayOutcome.ACCEPTED
    assert Match.objects.get(pk=pk).attempts == 2


def test_a_worker_that_comes_back_after_the_other_has_finished_is_late(bot_round: Round) -> None:
    pk = a_due_match(bot_round)
    stale = claim_match(pk)
    assert stale is not None
    lease_runs_out(pk)
    assert play_match(pk) is PlayOutcome.ACCEPTED
    assert play_claimed(stale) is PlayOutcome.LATE
    assert Record.objects.accepted().filter(match=pk).count() == 1
    assert Result.objects.filter(match=pk).count() == 1
    late = Record.objects.get(match=pk, state="refused")
    assert late.code == "late_result"
    assert AuditEvent.objects.filter(verb="record.refused").count() == 1


def test_a_worker_that_comes_back_while_the_other_plays_is_late(bot_round: Round) -> None:
    pk = a_due_match(bot_round)
    stale = claim_match(pk)
    assert stale is not None
    lease_runs_out(pk)
    fresh = claim_match(pk)
    assert fresh is not None
    assert play_claimed(stale) is PlayOutcome.LATE
    assert play_claimed(fresh) is PlayOutcome.ACCEPTED


def test_a_lease_that_ran_out_is_worth_nothing_though_nobody_took_over(bot_round: Round) -> None:
    pk = a_due_match(bot_round)
    lease = claim_match(pk)
    assert lease is not None
    lease_runs_out(pk)
    assert play_claimed(lease) is PlayOutcome.LATE
    assert play_match(pk) is PlayOutcome.ACCEPTED


class Broken:
    """A bot that crashes at its first card."""

    def __init__(self, seed: bytes) -> None:
        del seed

    def choose(self, view: engine.View) -> str:
        raise ZeroDivisionError(view.seat)


def test_a_bot_that_crashes_gives_its_lease_up_and_is_tried_again(
    bot_round: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    pk = a_due_match(bot_round)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "HOUSE_BOTS", {**engine.HOUSE_BOTS, "random": Broken})
        with pytest.raises(ZeroDivisionError):
            play_match(pk)
    match = Match.objects.get(pk=pk)
    assert (match.state, match.attempts, match.lease_until) == ("pending", 1, None)
    assert play_match(pk) is PlayOutcome.ACCEPTED


# --- Giving up ----------------------------------------------------------------------------------


def exhaust(pk: int) -> None:
    for _ in range(3):
        assert claim_match(pk)
        lease_runs_out(pk)


def test_after_three_attempts_a_match_is_left_to_the_arbiter_once(
    bot_round: Round, messages: Messages
) -> None:
    pk = a_due_match(bot_round)
    exhaust(pk)
    assert claim_match(pk) is None
    assert round_page("torneo-de-bots", 1, NOBODY).progress.stuck == 0  # type: ignore[union-attr]
    wake_due()
    wake_due()
    event = AuditEvent.objects.get(verb="match.abandoned")
    assert (event.actor, event.subject_pk, event.facts) == ("system", pk, {"attempts": 3})
    page = round_page("torneo-de-bots", 1, NOBODY)
    assert page.progress is not None
    assert page.progress.stuck == 1
    assert [match.needs_arbiter for match in page.round.matches].count(True) == 1


def test_a_match_whose_draw_is_undone_just_then_is_left_to_nobody(
    bot_round: Round, messages: Messages
) -> None:
    pk = a_due_match(bot_round)
    exhaust(pk)

    def undo_the_draw(execute: Any, sql: str, *args: Any) -> Any:
        """Delete the match after it was read, before its tournament is locked."""
        if 'FROM "tournaments_tournament"' in sql:
            execute("DELETE FROM tournaments_match WHERE id = %s", (pk,), *args[1:])
        return execute(sql, *args)

    Attempt.objects.filter(match=pk).delete()  # goes with its match
    with connection.execute_wrapper(undo_the_draw):
        wake_due()
    assert not AuditEvent.objects.filter(verb="match.abandoned").exists()
    assert not Match.objects.filter(pk=pk).exists()


def test_the_third_attempt_may_still_be_playing(bot_round: Round, messages: Messages) -> None:
    pk = a_due_match(bot_round)
    for _ in range(2):
        assert claim_match(pk)
        lease_runs_out(pk)
    third = claim_match(pk)
    assert third is not None
    wake_due()
    assert not AuditEvent.objects.filter(verb="match.abandoned").exists()
    assert play_claimed(third) is PlayOutcome.ACCEPTED


def test_asking_again_gives_the_attempts_back(bot_round: Round, messages: Messages) -> None:
    pk = a_due_match(bot_round)
    exhaust(pk)
    wake_due()
    assert play_match(pk) is PlayOutcome.SKIPPED
    play_round(SYSTEM, bot_round)
    assert play_match(pk) is PlayOutcome.ACCEPTED


def test_the_arbiter_decides_what_the_bots_could_not(bot_round: Round, messages: Messages) -> None:
    pk = a_due_match(bot_round)
    exhaust(pk)
    wake_due()
    match = Match.objects.with_names().get(pk=pk)
    correct_result(SYSTEM, match, Score(0, 0, 0, 0), reason="No jugada.")
    page = round_page("torneo-de-bots", 1, NOBODY)
    assert page.progress is not None
    assert (page.progress.stuck, page.progress.played) == (0, 1)


def test_a_bot_match_that_is_voided_is_left_to_the_arbiter(
    bot_round: Round, messages: Messages
) -> None:
    """Played again it would come out the same."""
    pk = a_due_match(bot_round)
    play_match(pk)
    match = Match.objects.with_names().get(pk=pk)
    rule_on_dispute(SYSTEM, dispute_result(SYSTEM, match, "Mal."), "void", reason="Fallo del bot.")
    assert play_match(pk) is PlayOutcome.SKIPPED
    assert wake_due() == 1, "the other match"
    page = round_page("torneo-de-bots", 1, NOBODY)
    assert page.progress is not None
    assert page.progress.stuck == 1
    correct_result(SYSTEM, match, Score(0, 0, 0, 0), reason="Anulada.")


# --- Waking -------------------------------------------------------------------------------------


def test_asking_for_a_round_posts_one_job(tournament: Tournament, messages: Messages) -> None:
    round_ = play_round(organiser(tournament.club), the_round(tournament, 1))
    assert messages == [(Job.PLAY_ROUND, (round_.pk,))]
    assert round_.play_requested_at is not None
    event = AuditEvent.objects.get(verb="round.play_requested")
    assert event.facts == {"round": 1, "matches": 2}


def test_waking_a_round_posts_one_job_for_a_handful_of_quick_matches(
    bot_round: Round, messages: Messages
) -> None:
    assert wake_round(bot_round.pk) == 2
    matches = sorted(bot_round.matches.values_list("pk", flat=True))
    assert messages == [(Job.PLAY_MATCH, tuple(matches))]
    assert wake_round(bot_round.pk) == 0, "the messages are still in the queue"
    assert wake_due() == 0


def test_the_sweep_finds_what_a_lost_broker_has_forgotten(
    bot_round: Round, messages: Messages
) -> None:
    assert wake_due() == 2, "nobody was woken: the first job was lost"
    Match.objects.update(woken_at=timezone.now() - timedelta(minutes=1))
    assert wake_due() == 2, "the messages were lost"
    assert play_match(a_due_match(bot_round)) is PlayOutcome.ACCEPTED
    Match.objects.update(woken_at=None)
    assert wake_due() == 1
    assert [len(keys) for _, keys in messages] == [2, 2, 1]


def test_the_sweep_wakes_nothing_that_nobody_asked_for(
    tournament: Tournament, messages: Messages
) -> None:
    the_liguilla(tournament.club)
    assert wake_due() == 0
    assert messages == []


# --- Who, and when ------------------------------------------------------------------------------


def test_only_organisers_have_bots_play(tournament: Tournament) -> None:
    club = tournament.club
    round_ = the_round(tournament, 1)
    for actor, reason in (
        (NOBODY, Reason.SIGN_IN),
        (arbiter(club), Reason.FORBIDDEN),
        (organiser(a_club("Otro"), "otto"), Reason.FORBIDDEN),
        (program(club, "tournaments:manage", of="pepa"), Reason.FORBIDDEN),
    ):
        with refusal(reason):
            play_round(actor, round_)
    play_round(program(club, "bots:run"), round_)


def test_only_a_published_round_with_bots_is_played(tournament: Tournament) -> None:
    with refusal(Reason.ROUND_NOT_OPEN):
        play_round(SYSTEM, the_round(tournament, 2))
    people = the_liguilla(tournament.club)
    with refusal(Reason.NO_BOT_MATCHES):
        play_round(SYSTEM, the_round(people, 1))


def test_a_bot_record_that_is_refused_is_reported(
    bot_round: Round, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pk = a_due_match(bot_round)
    spoiled = FinishedRecord({"format": "baza/1"}, LostHands(1, 0, {}), (), {})
    monkeypatch.setattr(playing, "play_part", lambda *_: spoiled)
    assert play_match(pk) is PlayOutcome.REFUSED
    assert "record.ruleset" in caplog.text
    assert Record.objects.get().code == "record.ruleset"
    (failed,) = arena_status_page(SYSTEM).failed
    with override("en"):
        (attempt,) = match_page(pk, organiser(bot_round.stage.tournament.club)).attempts
    assert attempt.detail == "record.ruleset: The ruleset is not known."
    assert failed.detail == "record.ruleset: El reglamento no se conoce."

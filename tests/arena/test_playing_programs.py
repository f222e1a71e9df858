"""Programs at the service's tables: what they lose by what they do, and what is not their fault."""

from __future__ import annotations

import errno
from datetime import timedelta

import pytest
from django.db.models.functions import Now

import engine
from tests.clubs import NOBODY, SYSTEM
from tests.support.bot_tables import (
    ILLEGAL,
    a_bot_match,
    a_program,
    afresh,
    house_bot,
    played,
    text_of_example,
)
from tournaments.arena.queries.bots import bot_page
from tournaments.arena.services import table
from tournaments.arena.services.dispatch import wake_due
from tournaments.arena.services.logs import delete_old_logs
from tournaments.arena.services.playing import PlayOutcome, play_claimed, play_match
from tournaments.models import (
    Attempt,
    AuditEvent,
    Bot,
    BotForfeit,
    BotLog,
    BotVersion,
    Match,
    Record,
)
from tournaments.results.services.leases import claim_match, set_draining

pytestmark = pytest.mark.django_db

GOOD = text_of_example("first_steps.py")


def good(name: str = "Bueno") -> Bot:
    return a_program(GOOD, name)


def bad() -> Bot:
    return a_program(ILLEGAL, "Malo")


def last_attempt(match: Match) -> Attempt:
    return Attempt.objects.filter(match=match).order_by("pk").last()  # type: ignore[return-value]


# --- Playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", list(engine.RULESETS))
def test_programs_play_under_every_ruleset(ruleset: str) -> None:
    others = [house_bot("simple", 1)] + [house_bot("random", 2)] * (ruleset == "arrastrado")
    options = {"to": 1, "stakes": "flat"} if ruleset == "arrastrado" else {"to": 1}
    match = a_bot_match(good(), *others, ruleset=ruleset, options=options)
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    record = engine.parse_record(match.records.get().text)
    assert len(record.seats) == len(engine.RULESETS[ruleset].seats)
    assert not BotForfeit.objects.exists()


def test_an_author_reads_how_long_a_program_took_and_what_it_wrote() -> None:
    talks = GOOD.replace(
        "import json", 'import sys; print("X" * 5000, "fin", file=sys.stderr)\nimport json', 1
    )
    match = played(a_bot_match(a_program(talks, "Habla"), house_bot("random"), deal_sets=1))
    (shown,) = (row.logs for row in bot_page("habla", SYSTEM).matches)
    (log,) = shown
    assert (log.place, len(log.stderr.encode()), log.stderr[-4:]) == ("home", 4096, "fin\n")
    assert sum(answers for _most, answers in log.times) >= 4  # of two seats in two records
    assert bot_page("habla", NOBODY).matches[0].logs == ()
    assert match.bot_logs.count() == 1
    assert delete_old_logs() == 0
    BotLog.objects.update(made_at=Now() - timedelta(days=31))
    assert delete_old_logs() == 1


def test_partners_who_change_are_bots_of_their_own() -> None:
    match = a_bot_match(
        *(house_bot("simple", n) for n in range(1, 5)), stages=[{"format": "individual"}]
    )
    assert match.is_of_bots
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    sides = [entry.name for side in match.sides for entry in side]
    seats = engine.parse_record(match.records.get().text).seats
    assert [seats[0], seats[2], seats[1], seats[3]] == sides


def test_a_version_is_settled_with_the_first_claim() -> None:
    bot = good()
    match = a_bot_match(bot, house_bot("simple"))
    first = bot.versions.get()
    lease = claim_match(match.pk)
    assert lease is not None
    assert afresh(match).versions == {"home": first.pk}
    a_program(ILLEGAL, "Bueno")
    assert play_claimed(lease) is PlayOutcome.ACCEPTED
    assert not BotForfeit.objects.exists(), "the new version is for other matches"


# --- Forfeits -------------------------------------------------------------------------------------


def test_a_benched_bot_loses_its_remaining_hands() -> None:
    match = played(a_bot_match(bad(), house_bot("simple"), options={"deals": 6}))
    assert match.state == "accepted"
    rows = list(match.bot_forfeits.order_by("hand"))
    assert [(row.hand, row.code, row.unplayed) for row in rows] == [
        (1, "illegal_play", 0),
        (2, "illegal_play", 0),
        (3, "illegal_play", 3),
    ]
    assert rows[0].facts["said"] not in rows[0].legal.split()
    assert rows[0].facts["said"] in rows[0].reply
    assert rows[0].version == BotVersion.objects.get()
    result = match.results.get()
    assert (result.home_hands, result.away_hands, result.away_points) == (0, 6, 6 * 130)


def test_its_author_is_informed_where_and_why_a_bot_was_benched() -> None:
    match = played(a_bot_match(bad(), house_bot("simple"), options={"deals": 6}))
    bot = Bot.objects.get(name="Malo")
    assert bot.benched_at is not None
    reason = bot.benched_for
    assert (reason["match"], reason["hand"], reason["code"]) == (match.pk, 3, "illegal_play")
    lost = AuditEvent.objects.get(verb="bot.forfeited")
    assert (lost.subject, lost.facts["hands"]) == ("Malo", 6)
    assert AuditEvent.objects.filter(verb="bot.benched").count() == 1


def test_three_in_a_row_are_counted_through_the_records_of_a_match() -> None:
    """Every record is of one hand: the third seating in a row is what benches the bot."""
    match = played(a_bot_match(bad(), house_bot("simple"), deal_sets=3))
    assert match.state == "accepted"
    rows = list(match.bot_forfeits.order_by("part"))
    assert [row.part for row in rows] == [1, 2, 3, 4, 5, 6]
    assert all(row.play == "" for row in rows[3:])
    assert Bot.objects.get(name="Malo").benched_for["record"] == 3
    assert AuditEvent.objects.filter(verb="bot.benched").count() == 1


def test_two_bots_that_fail_alike_lose_hands_in_turn() -> None:
    """The bot that is asked first loses; the round goes on."""
    others = (a_program(ILLEGAL, "Malo"), a_program(ILLEGAL, "Peor"))
    match = played(a_bot_match(*others, options={"deals": 8}))
    assert match.state == "accepted"
    assert sum(1 + row.unplayed for row in match.bot_forfeits.all()) == 8


def test_a_forfeit_is_written_with_its_record_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = a_bot_match(bad(), house_bot("simple"))

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("tournaments.arena.services.playing.store_forfeits", fails)
        with pytest.raises(ZeroDivisionError):
            play_match(match.pk)
    assert not Record.objects.exists()
    assert last_attempt(match).outcome == "broken"
    assert "ZeroDivisionError" in last_attempt(match).detail
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    assert BotForfeit.objects.count() == 1


def test_a_program_too_slow_for_its_record_loses_its_hands_and_no_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Started once: those that follow it at its seat have what it has left of their time."""
    started: list[str] = []
    start = engine.ProcessBot.start

    def count_start(self: engine.ProcessBot) -> None:
        started.append(self.seat)
        start(self)

    monkeypatch.setattr("engine.bots.process.TABLE_SECONDS", 0.001)
    monkeypatch.setattr(engine, "reference_runs", lambda **_: True)
    monkeypatch.setattr(engine.ProcessBot, "start", count_start)
    options = {"deals": 6}
    match = a_bot_match(good(), house_bot("simple"), ruleset="habanero", options=options)
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    rows = match.bot_forfeits.order_by("hand")
    assert [(row.code, row.unplayed) for row in rows] == [("hang", 0), ("hang", 0), ("hang", 3)]
    assert len(started) == 1


# --- The machine's fault --------------------------------------------------------------------------


def test_without_a_sandbox_nobody_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    match = a_bot_match(good(), house_bot("simple"))

    def refused(*_: object) -> str:
        raise engine.SandboxError(("the kernel has no Landlock",))

    monkeypatch.setattr(engine.ProcessBot, "choose", refused)
    assert play_match(match.pk) is PlayOutcome.INFRASTRUCTURE
    attempt = last_attempt(match)
    assert attempt.outcome == "infrastructure"
    assert "no Landlock" in attempt.detail
    assert not BotForfeit.objects.exists()
    assert not Record.objects.exists()


def test_a_machine_that_fails_is_given_time_and_three_chances(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = a_bot_match(good(), house_bot("simple"))

    def fails(*_: object) -> str:
        raise engine.BotFailure("infrastructure", detail="the host is full")

    monkeypatch.setattr(engine.ProcessBot, "choose", fails)
    for attempt in (1, 2, 3):
        assert play_match(match.pk) is PlayOutcome.INFRASTRUCTURE
        assert play_match(match.pk) is PlayOutcome.SKIPPED, "it rests"
        Match.objects.update(lease_until=None)
        assert afresh(match).attempts == attempt
    wake_due()
    assert afresh(match).abandoned_at is not None
    assert not BotForfeit.objects.exists()


def test_a_worker_that_can_start_no_process_blames_nobody_and_rests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = a_bot_match(good(), house_bot("simple"))

    def refused(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    with monkeypatch.context() as patch:
        patch.setattr("engine.bots.program.subprocess.Popen", refused)
        assert play_match(match.pk) is PlayOutcome.INFRASTRUCTURE
    assert "Resource temporarily unavailable" in last_attempt(match).detail
    assert play_match(match.pk) is PlayOutcome.SKIPPED, "it rests"


def test_a_disk_without_room_for_a_program_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    match = a_bot_match(good(), house_bot("simple"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(table, "program_of", full)
    assert play_match(match.pk) is PlayOutcome.INFRASTRUCTURE
    assert "No space left" in last_attempt(match).detail


def test_a_bot_without_a_version_is_left_to_the_arbiter_in_the_end() -> None:
    bot = good()
    match = a_bot_match(bot, house_bot("simple"))
    bot.versions.update(state=BotVersion.State.REFUSED)
    assert play_match(match.pk) is PlayOutcome.INFRASTRUCTURE
    assert "no version" in last_attempt(match).detail


def test_a_house_bot_that_is_not_here_is_no_reason_to_blame_it() -> None:
    Bot.objects.create(name="Lejos", slug="lejos", kind="deep")
    sitting_there = dict(engine.HOUSE_BOTS)
    match = a_bot_match(Bot.objects.get(slug="lejos"), house_bot("simple"))
    if "deep" in sitting_there:
        del engine.HOUSE_BOTS["deep"]
    try:
        assert play_match(match.pk) is PlayOutcome.INFRASTRUCTURE
    finally:
        engine.HOUSE_BOTS.update(sitting_there)


# --- Interrupted ----------------------------------------------------------------------------------


def test_a_worker_that_is_asked_to_go_leaves_its_match_to_others() -> None:
    """Fault 24: no forfeit, no attempt counted, nothing of the record kept."""
    match = a_bot_match(good(), house_bot("simple"))
    set_draining()
    try:
        assert play_match(match.pk) is PlayOutcome.PARTLY
    finally:
        set_draining(leaving=False)
    assert afresh(match).attempts == 0
    assert (last_attempt(match).outcome, last_attempt(match).detail) == (
        "partly",
        "the worker was stopped",
    )
    assert play_match(match.pk) is PlayOutcome.ACCEPTED


def test_it_stops_in_the_middle_of_a_record_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    match = a_bot_match(good(), house_bot("simple"), options={"deals": 5})
    question_count = 0
    choose = table.InterruptibleBot.choose

    def goes_at_the_fourth(self: table.InterruptibleBot, view: engine.View) -> str:
        nonlocal question_count
        question_count += 1
        set_draining(leaving=question_count == 4)
        return choose(self, view)

    monkeypatch.setattr(table.InterruptibleBot, "choose", goes_at_the_fourth)
    assert play_match(match.pk) is PlayOutcome.PARTLY
    set_draining(leaving=False)
    assert question_count == 4
    assert not Record.objects.exists()
    assert not BotForfeit.objects.exists()

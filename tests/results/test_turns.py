"""Matches of bots that run elsewhere: replayed from their answers, one question further a time."""

import json
import threading
from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

import engine
from tests.clubs import SYSTEM, a_club, arbiter, organiser, program, stranger, the_round
from tests.support.bot_tables import a_bot_match
from tests.support.refusals import refusal
from tests.support.remote import Elsewhere, Make, Table, a_remote_bot, a_remote_match, a_turn
from tests.support.scene_rows import reuse_rows
from tournaments.arena.queries.turns import (
    POLL_SECONDS_IDLE,
    POLL_SECONDS_IN_PLAY,
    question_after_restart,
    turns_page,
)
from tournaments.arena.services import arena
from tournaments.arena.services.arena import delete_old_turns, expire_due, store_reply
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import PlayOutcome, play_match
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.director.services.restoring import go_back
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import Bot, BotForfeit, BotTurn, Match, Record, Result, Round
from tournaments.results.services.matches import (
    correct_result,
    dispute_result,
    postpone,
    resume,
    rule_on_dispute,
)
from tournaments.results.services.turns import LIMITS, RecordedBot, Turns, WaitingForReply

pytestmark = pytest.mark.django_db

RULESETS = list(engine.RULESETS)
READY = b'{"type": "ready", "protocol": "baza-bot/1"}'


def sensible(seat: str) -> engine.Bot:
    return engine.Sensible(seat.encode())


def chance(seat: str) -> engine.Bot:
    return engine.Chance(seat.encode())


def open_turn() -> BotTurn:
    return BotTurn.objects.open().select_related("bot__club").get()


def answer(turn: BotTurn, line: dict[str, Any] | bytes) -> BotTurn:
    raw = line if isinstance(line, bytes) else json.dumps(line).encode()
    return store_reply(SYSTEM, turn, raw)


def time_runs_out(turn: BotTurn, seconds: float = 1.0) -> None:
    """What waiting would do."""
    ago = Now() - timedelta(seconds=seconds)
    BotTurn.objects.filter(pk=turn.pk).update(due_at=ago, asked_at=ago - timedelta(seconds=60))


@pytest.fixture
def match(db: None) -> Match:
    return of_one_deal()


@reuse_rows()
def of_one_deal() -> Match:
    return a_remote_match(options={"deals": 1})


@pytest.fixture
def table(match: Match) -> Table:
    """Its table: Lejano at A and C, a simple bot at B and D."""
    return Table(match, "parejas-online", {"deals": 1})


def seated(table: Table, other: Make = sensible) -> Callable[[str, int], engine.Bot]:
    return lambda seat, again: table.remote(seat, again) if seat in "AC" else other(seat)


def waits(table: Table, other: Make = sensible) -> BotTurn:
    """Play up to the next question, and return it."""
    with pytest.raises(WaitingForReply):
        table.play(seated(table, other))
    return open_turn()


def first_question(table: Table) -> BotTurn:
    answer(waits(table), READY)
    return waits(table)


# --- The same play ------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_honest_bots_play_the_same_record_from_elsewhere_as_in_the_room(ruleset: str) -> None:
    options = {"deals": 2} if not engine.RULESETS[ruleset].race_to else {"to": 1}
    match = a_remote_match(options={"deals": 1})
    table = Table(match, ruleset, options)
    bots = {seat: (sensible, chance)[n % 2] for n, seat in enumerate(table.rules.seats)}
    remote_host = Elsewhere(sensible)

    def sit(seat: str, again: int) -> engine.Bot:
        return table.remote(seat, again) if bots[seat] is sensible else chance(seat)

    played = table.play_out(sit, remote_host)
    local_record = table.play(lambda seat, _again: bots[seat](seat))
    assert json.dumps(played) == json.dumps(local_record)
    assert engine.audit(played).valid


def test_a_match_laid_aside_leaves_one_question_and_nothing_else(table: Table) -> None:
    turn = waits(table)
    assert [message["type"] for message in turn.messages] == ["hello"]
    assert turn.messages[0]["limits"] == asdict(LIMITS)
    assert waits(table).pk == turn.pk
    assert BotTurn.objects.count() == 1


def test_hello_asks_for_ready_before_anything_is_said_of_the_deal(table: Table) -> None:
    turn = first_question(table)
    assert [message["type"] for message in turn.messages] == ["deal", "ask"]
    assert turn.number == 2


def test_each_seat_and_each_part_is_a_conversation_of_its_own(table: Table) -> None:
    remote_host = Elsewhere(sensible)
    table.play_out(seated(table), remote_host)
    table.part = 2
    table.play_out(seated(table), remote_host)
    assert sorted((part, seat) for _match, part, seat in remote_host.players) == [
        (1, "A"),
        (1, "C"),
        (2, "A"),
        (2, "C"),
    ]


def test_the_end_of_a_hand_comes_with_the_next_question_and_the_last_with_bye(match: Match) -> None:
    table = Table(match, "parejas-online", {"deals": 2})
    remote_host = Elsewhere(sensible)
    table.play_out(seated(table), remote_host)
    ends = [turn.messages for turn in BotTurn.objects.filter(seat="A").order_by("number")]
    kinds = [[message["type"] for message in messages] for messages in ends]
    assert ["end", "deal", "ask"] in kinds
    assert kinds[0] == ["end", "bye"]
    page = turns_page("lejano", SYSTEM)
    assert {row.seat for row in page.ended} == {"A", "C"}
    assert not page.turns


def test_a_bot_that_lost_its_memory_is_sent_the_hand_from_its_beginning(table: Table) -> None:
    remote_host = Elsewhere(sensible)
    for _ in range(6):
        waits(table)
        remote_host.answer_all()
    turn = waits(table)
    (row,) = turns_page("lejano", SYSTEM, after_restart=True).turns
    assert [message["type"] for message in row.messages] == ["hello", "deal", "ask"]
    fresh = engine.Player(sensible)
    *_, reply = [fresh.receive(message) for message in row.messages]
    assert reply == json.loads(remote_host.line(turn))


def test_a_conversation_begun_again_is_reported_from_its_own_hello() -> None:
    question = {"type": "ask", "id": 1, "since": [["A", "1o"]]}
    second_question = {"type": "ask", "id": 1, "since": [["B", "2o"]]}
    last = {"type": "ask", "id": 2, "since": [["C", "4o"]]}
    deal, hello, end = {"type": "deal"}, {"type": "hello"}, {"type": "end"}
    messages: list[dict[str, Any]] = [
        hello,
        deal,
        question,
        hello,
        deal,
        question,
        end,
        deal,
        second_question,
        last,
    ]
    whole = {"type": "ask", "id": 2, "since": [["B", "2o"], ["C", "4o"]]}
    assert question_after_restart(messages) == [hello, deal, whole]
    assert question_after_restart([*messages, hello]) == [hello]


# --- What goes wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"id": 1, "say": "1x"}', "illegal_play"),
        (b'{"id": 9, "say": ""}', "wrong_id"),
        (b'{"id": 1, "say": "", "why": "so"}', "malformed_answer"),
        (b"\x00\xff garbage", "malformed_answer"),
        (b"", "malformed_answer"),
        (b'{"id": 1, "say": "\\ud800"}', "malformed_answer"),
        (b" " * (LIMITS.line + 1), "output_flood"),
    ],
)
def test_a_line_that_is_no_legal_answer_is_kept_as_what_it_is(
    table: Table, line: bytes, code: str
) -> None:
    turn = answer(first_question(table), line)
    assert (turn.say, turn.failure) == (None, code)
    assert answer(turn, line) == turn
    record = table.play(seated(table))
    (forfeit,) = table.forfeits
    assert isinstance(forfeit.error, engine.BotFailure)
    assert (forfeit.seat, forfeit.error.code, forfeit.error.evidence) == (
        turn.seat,
        code,
        turn.evidence,
    )
    assert forfeit.error.message_in("es")
    assert record["hands"][0]["play"] is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"type": "ready", "protocol": "baza-bot/2"}', "protocol_version"),
        (b'{"id": 1, "say": ""}', "malformed_answer"),
    ],
)
def test_a_ready_that_is_none_costs_the_hand(table: Table, line: bytes, code: str) -> None:
    assert answer(waits(table), line).failure == code
    table.play(seated(table))
    assert [forfeit.hand for forfeit in table.forfeits] == [1]


def test_after_a_forfeit_the_conversation_begins_again_with_the_next_hand(match: Match) -> None:
    table = Table(match, "parejas-online", {"deals": 2})
    failed = answer(first_question(table), b"nonsense")
    turn = waits(table)
    while turn.seat != failed.seat:
        Elsewhere(sensible).answer_all() if turn.number == 1 else answer(turn, legal(turn))
        turn = waits(table)
    assert [message["type"] for message in turn.messages] == ["hello"]
    answer(turn, READY)
    while (turn := waits(table)).seat != failed.seat:
        answer(turn, READY if turn.number == 1 else legal(turn))
    dealt, question = turn.messages
    assert (dealt["number"], question["id"]) == (2, 1)


def legal(turn: BotTurn) -> dict[str, Any]:
    question = turn.messages[-1]
    return {"id": question["id"], "say": question["legal"][0]}


def test_three_forfeits_in_a_row_bench_it_and_it_is_asked_no_more(match: Match) -> None:
    table = Table(match, "parejas-online", {"deals": 6})
    rounds = 0

    def sit(seat: str, again: int) -> engine.Bot:
        return table.remote(seat, again) if seat == "A" else chance(seat)

    while (record := table.play_if_it_can(sit)) is None:
        answer(open_turn(), b"nonsense")
        rounds += 1
    assert rounds == engine.BENCHED_AFTER
    assert [hand["play"] for hand in record["hands"]] == [None] * 6
    assert not BotTurn.objects.filter(number=0)


def test_who_gives_no_answer_in_time_hangs_and_loses_the_hand(table: Table) -> None:
    turn = first_question(table)
    time_runs_out(turn)
    assert waits_for_the_sweep(table)
    assert expire_due() == 1
    assert expire_due() == 0
    table.play(seated(table))
    (forfeit,) = table.forfeits
    assert isinstance(forfeit.error, engine.BotFailure)
    assert forfeit.error.code == "hang"


def waits_for_the_sweep(table: Table) -> bool:
    with pytest.raises(WaitingForReply):
        table.play(seated(table))
    return not BotTurn.objects.open()


def test_who_does_not_say_ready_in_time_starts_too_slowly(table: Table) -> None:
    time_runs_out(waits(table))
    expire_due()
    table.play(seated(table))
    assert BotTurn.objects.get(number=1).failure == "slow_start"


def test_a_service_that_was_down_gives_the_time_once_more(table: Table) -> None:
    turn = first_question(table)
    time_runs_out(turn, arena.SERVICE_OUTAGE.total_seconds() + 5)
    assert expire_due() == 0
    assert open_turn().pk == turn.pk
    answer(turn, legal(turn))
    while (later := waits(table)).seat != turn.seat or later.number == 1:
        answer(later, READY if later.number == 1 else legal(later))
    assert seconds(later) == pytest.approx(LIMITS.move_wall + LIMITS.bank_wall)


def test_a_slow_bot_lives_on_its_bank_and_gets_it_again_with_every_deal(match: Match) -> None:
    table = Table(match, "parejas-online", {"deals": 2})
    turn = first_question(table)
    assert seconds(turn) == pytest.approx(LIMITS.move_wall + LIMITS.bank_wall)
    answer(turn, legal(turn))
    took_longer_by(turn, 40)
    seconds_by_seat = {turn.seat: [seconds(turn)]}
    while table.play_if_it_can(seated(table)) is None:
        turn = open_turn()
        if turn.number > 1:
            seconds_by_seat.setdefault(turn.seat, []).append(seconds(turn))
        answer(turn, READY if turn.number == 1 else legal(turn))
    full = LIMITS.move_wall + LIMITS.bank_wall
    slow = next(times for times in seconds_by_seat.values() if min(times) < full - 1)
    assert {round(time) for time in slow} == {round(full), round(full - 40)}
    assert round(slow[-1]) == round(full)


def seconds(turn: BotTurn) -> float:
    return (turn.due_at - turn.asked_at).total_seconds()


def took_longer_by(turn: BotTurn, more: float) -> None:
    turn.refresh_from_db()
    took = timedelta(seconds=LIMITS.move_wall + more)
    assert turn.answered_at
    BotTurn.objects.filter(pk=turn.pk).update(asked_at=turn.answered_at - took)


# --- Said twice, too late, by others ------------------------------------------------------------


def test_the_same_answer_again_changes_nothing_and_another_is_refused(table: Table) -> None:
    turn = first_question(table)
    bot_turn = answer(turn, legal(turn))
    second_turn = answer(turn, legal(turn))
    assert (second_turn.say, second_turn.answered_at) == (bot_turn.say, bot_turn.answered_at)
    question = turn.messages[-1]
    with refusal(Reason.ALREADY_ANSWERED):
        answer(turn, {"id": question["id"], "say": question["legal"][-1] + "x"})
    assert BotTurn.objects.get(pk=turn.pk).say == bot_turn.say


def test_an_answer_after_its_time_is_too_late_before_the_sweep_and_after(table: Table) -> None:
    turn = first_question(table)
    time_runs_out(turn)
    for _ in range(2):
        with refusal(Reason.TOO_LATE):
            answer(turn, legal(turn))
        expire_due()
    assert BotTurn.objects.get(pk=turn.pk).failure == "hang"


def test_a_match_decided_meanwhile_takes_no_answer_and_asks_nothing(table: Table) -> None:
    turn = first_question(table)
    Match.objects.filter(pk=turn.match_id).update(state=Match.State.ACCEPTED)
    assert not turns_page("lejano", SYSTEM).turns
    with refusal(Reason.TOO_LATE):
        answer(turn, legal(turn))
    time_runs_out(turn)
    assert expire_due() == 0


def test_a_match_left_to_the_arbiter_asks_nothing_until_it_is_played_again(match: Match) -> None:
    play_match(match.pk)
    turn = open_turn()
    arbiter = organiser(match.tournament.club)
    correct_result(arbiter, match, Score(1, 0, 0, 0), reason="a power cut")
    dispute = dispute_result(arbiter, match, reason="the power is back")
    rule_on_dispute(arbiter, dispute, "void", reason="to be played")
    assert not turns_page("lejano", arbiter).turns
    assert endings() == ["abandoned"]
    assert farewells() == [(turn.seat, ["bye"])]
    with refusal(Reason.TOO_LATE):
        answer(turn, READY)
    time_runs_out(turn, arena.SERVICE_OUTAGE.total_seconds() + 5)
    assert expire_due() == 0
    play_round(arbiter, match.round)
    expire_due()
    assert open_turn().pk == turn.pk
    assert farewells() == []
    assert answer(turn, READY).failure == ""


def test_a_bot_hears_that_the_arbiter_has_decided_its_match(table: Table) -> None:
    turn = first_question(table)
    assert farewells() == []
    boss = organiser(table.match.tournament.club)
    correct_result(boss, table.match, Score(1, 0, 0, 0), reason="a power cut")
    seats = set(BotTurn.objects.values_list("seat", flat=True))
    assert turn.seat in seats
    assert farewells() == [(seat, ["bye"]) for seat in sorted(seats)]
    assert set(endings()) == {"decided"}
    Result.objects.update(made_at=Now() - timedelta(minutes=11))
    assert farewells() == []


def test_a_bot_hears_that_its_match_is_postponed_until_it_is_played_after_all(match: Match) -> None:
    play_match(match.pk)
    turn = open_turn()
    boss = organiser(match.tournament.club)
    postpone(boss, match, None, reason="a power cut")
    time_runs_out(turn, timedelta(minutes=11).total_seconds())
    assert not turns_page("lejano", boss).turns
    assert endings() == ["postponed"]
    assert farewells() == [(turn.seat, ["bye"])]
    with refusal(Reason.TOO_LATE):
        answer(turn, READY)
    resume(boss, match)
    expire_due()
    assert farewells() == []
    assert answer(open_turn(), READY).failure == ""


def take_back(match: Match, verb: str) -> None:
    """Go back to before the last step of this name."""
    go_back(SYSTEM, match.tournament.restore_points.filter(verb=verb).latest("pk"))


def test_a_bot_hears_that_the_publication_of_its_round_was_taken_back(match: Match) -> None:
    play_match(match.pk)
    turn = open_turn()
    take_back(match, "round.published")
    assert play_match(match.pk) is PlayOutcome.SKIPPED
    assert not turns_page("lejano", SYSTEM).turns
    assert endings() == ["withdrawn"]
    assert farewells() == [(turn.seat, ["bye"])]
    with refusal(Reason.TOO_LATE):
        answer(turn, READY)
    round_ = publish_round(SYSTEM, Round.objects.get(pk=match.round_id))
    assert endings() == []
    play_round(SYSTEM, round_)
    play_match(match.pk)
    assert open_turn().pk != turn.pk
    assert answer(open_turn(), READY).failure == ""


def test_a_match_whose_draw_was_undone_is_no_longer_among_those_in_play(match: Match) -> None:
    play_match(match.pk)
    assert turns_page("lejano", SYSTEM).matches == [match.pk]
    take_back(match, "tournament.drawn")
    page = turns_page("lejano", SYSTEM)
    assert (page.turns, page.ended, page.matches) == ((), (), [])


def test_a_match_goes_on_where_it_was_once_its_publication_counts_again(match: Match) -> None:
    play_match(match.pk)
    turn = open_turn()
    take_back(match, "round.published")
    take_back(match, "tournament.restored")
    assert endings() == []
    assert answer(open_turn(), READY).pk == turn.pk


def test_a_step_taken_back_leaves_the_matches_of_other_rounds_as_they_are() -> None:
    match = a_remote_match("remote", "simple", options={"deals": 1})
    play_match(match.pk)
    turns = list(BotTurn.objects.open().values_list("pk", flat=True))
    publish_round(SYSTEM, the_round(match.tournament, 2))
    take_back(match, "round.published")
    assert list(BotTurn.objects.open().values_list("pk", flat=True)) == turns != []
    assert match.bot_attempts.count() == 1


def endings() -> list[str]:
    """Why the matches that Lejano is told of are over."""
    return [row.why for row in turns_page("lejano", SYSTEM).ended]


def test_a_match_that_was_played_and_corrected_ends_once(table: Table) -> None:
    table.play_out(seated(table), Elsewhere(sensible))
    Match.objects.filter(pk=table.match.pk).update(state=Match.State.ACCEPTED)
    ended = farewells()
    assert ended[0][1] == ["end", "bye"]
    boss = organiser(table.match.tournament.club)
    correct_result(boss, table.match, Score(1, 0, 0, 0), reason="the other way round")
    assert farewells() == ended


def farewells() -> list[tuple[str, list[str]]]:
    """Seat and types of the messages of each part that the bot is told has ended."""
    ended = turns_page("lejano", SYSTEM).ended
    return sorted((row.seat, [message["type"] for message in row.messages]) for row in ended)


def test_the_end_of_a_match_takes_no_answer(table: Table) -> None:
    table.play_out(seated(table), Elsewhere(sensible))
    last = BotTurn.objects.select_related("bot__club").filter(number=0).first()
    assert last is not None
    with refusal(Reason.TOO_LATE):
        answer(last, {"id": 1, "say": "7o"})


def test_only_its_author_and_the_clubs_organisers_speak_for_a_bot(table: Table) -> None:
    turn = first_question(table)
    club = table.match.tournament.club
    owner = arbiter(club, "autora")
    Bot.objects.filter(slug="lejano").update(owner=owner.user)
    turn = open_turn()
    for actor in (Actor.anonymous(), stranger(), program(club, "games:submit")):
        with pytest.raises(Exception, match=r"sign_in|forbidden"):
            store_reply(actor, turn, json.dumps(legal(turn)).encode())
        with refusal(Reason.NOT_FOUND):
            turns_page("lejano", actor)
    for actor in (owner, organiser(club), program(club, "bots:run")):
        assert turns_page("lejano", actor).poll_after
        store_reply(actor, turn, json.dumps(legal(turn)).encode())


def test_turns_are_forgotten_a_day_after_their_match_is_decided(table: Table) -> None:
    table.play_out(seated(table), Elsewhere(sensible))
    BotTurn.objects.update(asked_at=Now() - timedelta(days=2))
    assert delete_old_turns() == 0
    Match.objects.filter(pk=table.match.pk).update(state=Match.State.ACCEPTED)
    assert delete_old_turns() > 0
    assert not BotTurn.objects.exists()


# --- Repeated attempts --------------------------------------------------------------------------


def test_an_attempt_broken_off_has_asked_nothing_twice(table: Table) -> None:
    remote_host = Elsewhere(sensible)
    for _ in range(4):
        waits(table)
        remote_host.answer_all()
    before = list(BotTurn.objects.values_list("pk", "say"))

    class Broken(engine.Sensible):
        def choose(self, view: engine.View) -> str:
            if view.trick > 1:
                raise RuntimeError("the worker was lost")
            return super().choose(view)

    with pytest.raises((RuntimeError, WaitingForReply)):
        table.play(seated(table, lambda seat: Broken(seat.encode())))
    assert list(BotTurn.objects.values_list("pk", "say"))[: len(before)] == before


def test_where_the_house_plays_otherwise_now_what_followed_is_asked_again(table: Table) -> None:
    remote_host = Elsewhere(sensible)
    for _ in range(8):
        waits(table)
        remote_host.answer_all()
    local_record = table.play(lambda seat, _again: (sensible if seat in "AC" else chance)(seat))
    played = table.play_out(seated(table, chance), remote_host)
    assert json.dumps(played) == json.dumps(local_record)
    greetings = [turn.number for turn in BotTurn.objects.all() if turn.is_greeting]
    assert len(greetings) > 2


def test_a_program_at_the_table_is_run_for_new_questions_only(table: Table) -> None:
    numbers: list[int] = []

    class CountingBot(engine.Sensible):
        def choose(self, view: engine.View) -> str:
            numbers.append(len(view.history))
            return super().choose(view)

    bot = Bot.objects.get(slug="simple")

    def sit(seat: str, again: int) -> engine.Bot:
        if seat in "AC":
            return table.remote(seat, again)
        turns = Turns(table.match, bot, 1, seat, again)
        make: Callable[[], engine.Bot] = lambda: CountingBot(seat.encode())  # noqa: E731
        return RecordedBot(make, turns, seat, table.rules, table.options)

    played = table.play_out(sit, Elsewhere(sensible))
    local_record = table.play(lambda seat, _again: sensible(seat))
    assert json.dumps(played) == json.dumps(local_record)
    assert len(numbers) == BotTurn.objects.filter(bot=bot).count()


def test_what_a_program_did_wrong_is_not_tried_again(table: Table) -> None:
    runs: list[str] = []

    class Dying(engine.Sensible):
        def choose(self, view: engine.View) -> str:
            runs.append(view.seat)
            raise engine.BotFailure("crash", stderr="Traceback\x00", ending="code 3")

    bot = Bot.objects.get(slug="simple")

    def sit(seat: str, again: int) -> engine.Bot:
        if seat in "AC":
            return table.remote(seat, again)
        turns = Turns(table.match, bot, 1, seat, again)
        return RecordedBot(lambda: Dying(b""), turns, seat, table.rules, table.options)

    table.play_out(sit, Elsewhere(sensible))
    table.play(sit)
    (forfeit,) = table.forfeits
    assert isinstance(forfeit.error, engine.BotFailure)
    assert forfeit.error.message_in("en") == "ended in the middle of the match (exit code 3)"
    assert forfeit.error.stderr == "Traceback\N{REPLACEMENT CHARACTER}"
    assert len(runs) == 1


def test_a_fault_of_the_machine_is_not_kept_against_a_program(table: Table) -> None:
    class Unlucky(engine.Sensible):
        def choose(self, _view: engine.View) -> str:
            raise engine.BotFailure("infrastructure", detail="no memory")

    bot = Bot.objects.get(slug="simple")
    turns = Turns(table.match, bot, 1, "B")
    recorded = RecordedBot(lambda: Unlucky(b""), turns, "B", table.rules, table.options)
    with pytest.raises(engine.BotFailure, match="infrastructure"):
        table.play(lambda seat, _again: recorded if seat == "B" else sensible(seat))
    assert not BotTurn.objects.exists()


# --- In the arena -------------------------------------------------------------------------------


def test_a_bot_that_is_away_loses_three_hands_in_its_time_and_the_rest_at_once() -> None:
    match = a_remote_match(ruleset="habanero", options={"deals": 5})
    for hand in range(1, 4):
        assert play_match(match.pk) == PlayOutcome.WAITING
        assert play_match(match.pk) == PlayOutcome.SKIPPED
        time_runs_out(open_turn())
        assert expire_due() == 1, hand
    assert play_match(match.pk) == PlayOutcome.ACCEPTED
    forfeits = BotForfeit.objects.filter(match=match).order_by("hand")
    assert [forfeit.code for forfeit in forfeits][:3] == ["slow_start"] * 3
    assert sum(forfeit.unplayed for forfeit in forfeits) == 2
    assert Bot.objects.get(slug="lejano").benched_at
    assert Match.objects.get(pk=match.pk).state == Match.State.ACCEPTED


def test_waiting_costs_a_match_none_of_its_attempts() -> None:
    match = a_remote_match(ruleset="habanero", options={"deals": 1})
    remote_host = Elsewhere(sensible)
    for _ in range(8):
        assert play_match(match.pk) == PlayOutcome.WAITING
        remote_host.answer_all()
    match.refresh_from_db()
    assert (match.attempts, match.abandoned_at) == (0, None)


@pytest.mark.slow
def test_a_program_meets_a_bot_that_runs_elsewhere() -> None:
    match = a_remote_match("program", ruleset="habanero", options={"deals": 1})
    remote_host = Elsewhere(sensible)
    played = play_match(match.pk)
    while played == PlayOutcome.WAITING:
        assert remote_host.answer_all() == 1
        played = play_match(match.pk)
    assert played == PlayOutcome.ACCEPTED
    record = Record.objects.get(match=match)
    assert engine.audit(record.text).valid
    assert not BotForfeit.objects.exists()
    assert BotTurn.objects.filter(bot__slug="program").exists()


def test_two_workers_that_store_the_same_question_store_it_once(table: Table) -> None:
    bot = Bot.objects.get(slug="lejano")
    first, second = (Turns(table.match, bot, 1, "A") for _ in range(2))
    messages = [{"type": "hello"}]
    assert first.next() is second.next() is None
    assert first.store(messages).pk == second.store(messages).pk


# --- At the same moment -------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_many_answers_at_once_one_is_taken() -> None:
    match = a_remote_match(options={"deals": 1})
    question = {"type": "ask", "id": 1, "legal": ["1o", "2o"]}
    turn = a_turn(match.tournament.club, match, messages=[question])
    came: list[str] = []
    start = threading.Barrier(4)

    def post(token: str) -> None:
        start.wait()
        try:
            came.append(f"took {answer(turn, {'id': 1, 'say': token}).say}")
        except Refusal as error:
            came.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=post, args=(token,)) for token in ("1o", "2o") * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bot_turn = BotTurn.objects.get(pk=turn.pk).say
    assert sorted(came) == ["already_answered"] * 2 + [f"took {bot_turn}"] * 2


def test_one_who_sits_at_a_table_asks_again_soon_a_partner_too() -> None:
    club = a_club()
    names = ("Lejano", "Otro", "Tercero", "Cuarto")
    match = a_bot_match(
        *(a_remote_bot(club, name) for name in names), stages=[{"format": "individual"}]
    )
    assert match.home_partner
    assert match.away_partner
    assert [turns_page(name.lower(), SYSTEM).poll_after for name in names] == [
        POLL_SECONDS_IN_PLAY
    ] * 4
    Match.objects.update(abandoned_at=Now())
    assert [turns_page(name.lower(), SYSTEM).poll_after for name in names] == [
        POLL_SECONDS_IDLE
    ] * 4


def test_a_bot_of_the_house_has_no_turns_to_fetch() -> None:
    a_remote_bot(a_club())
    with refusal(Reason.NOT_FOUND):
        turns_page("azar", SYSTEM)

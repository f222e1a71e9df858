"""Rounds that play themselves: when they are due, what they do, and that they do it once."""

from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.utils import timezone, translation

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    a_club,
    arbiter,
    house_bots,
    new_tournament,
    organiser,
    program,
    stranger,
    the_liguilla,
    the_round,
)
from tests.support.broker import Messages, record_messages
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.arena.services import arena
from tournaments.arena.services.arena import close_played, run_due, run_now, set_schedule
from tournaments.arena.tasks import tick
from tournaments.core.errors import Reason
from tournaments.core.jobs import Job
from tournaments.core.permissions import Actor
from tournaments.director.services.draws import draw_next
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.rounds import swap
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.scores import Score
from tournaments.domain.verification import verify
from tournaments.exchange.queries.proofs import proof_file
from tournaments.models import (
    Absence,
    AuditEvent,
    Bot,
    Match,
    Player,
    Round,
    Schedule,
    Tournament,
)
from tournaments.results.services.matches import correct_result, postpone
from tournaments.settings import CELERY_BEAT_SCHEDULE

pytestmark = pytest.mark.django_db

AT_THREE: dict[str, Any] = {"at": time(3), "zone": "Europe/Madrid", "days": range(7)}


@reuse_rows()
def a_ladder(entries: int = 4, **more: Any) -> Tournament:
    """A ladder of house bots, not drawn yet, each a bot of its own."""
    club = a_club()
    fields: dict[str, Any] = {"stages": [{"format": "ladder"}], "options": {"to": 1}, **more}
    tournament = create_tournament(SYSTEM, club, "Escalera", new_tournament(**fields))
    bots = [
        Bot.objects.create(name=f"Bot {n}", slug=f"bot-{n}", kind="random", club=club)
        for n in range(1, entries + 1)
    ]
    enter_newcomers(SYSTEM, tournament, bots)
    return tournament


def make_due(tournament: Tournament) -> None:
    Schedule.objects.filter(tournament=tournament).update(
        due_at=timezone.now() - timedelta(seconds=1)
    )


def scheduled(tournament: Tournament, **more: Any) -> Schedule:
    """Give it a schedule that is due."""
    schedule = set_schedule(SYSTEM, tournament, **(AT_THREE | more))
    make_due(tournament)
    return schedule


def the_schedule(tournament: Tournament) -> Schedule:
    return Schedule.objects.get(tournament=tournament)


def rounds(tournament: Tournament) -> list[tuple[int, str]]:
    of_it = Round.objects.filter(stage__tournament=tournament).order_by("number")
    return list(of_it.values_list("number", "state"))


def decide(tournament: Tournament, number: int, but: int = 0) -> None:
    """Give all matches of a round a result, but for the first `but`."""
    open_ = the_round(tournament, number).matches.with_names().filter(state="pending")
    for match in list(open_.order_by("table"))[but:]:
        correct_result(SYSTEM, match, Score(1, 0, 90, 40), reason="as it was")


def seated(tournament: Tournament, number: int) -> set[str]:
    return {
        entry.name
        for match in the_round(tournament, number).matches.with_names()
        for side in match.sides
        for entry in side
    }


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Messages:
    """The messages sent, in place of a broker."""
    return record_messages(monkeypatch)


# --- Setting it ---------------------------------------------------------------------------------


def test_a_schedule_is_due_at_its_next_time_by_the_clock_of_its_place() -> None:
    tournament = a_ladder()
    schedule = set_schedule(
        organiser(tournament.club), tournament, **(AT_THREE | {"days": [4, 0, 4]})
    )
    schedule.refresh_from_db()
    assert (schedule.days, schedule.is_on, schedule.made_by) == ([0, 4], True, "olga")
    local_time = schedule.due_at.astimezone(ZoneInfo("Europe/Madrid"))
    assert local_time.strftime("%H:%M") == "03:00"
    assert local_time.weekday() in {0, 4}
    assert timezone.now() < schedule.due_at <= timezone.now() + timedelta(days=8)


def test_said_again_nothing_changes_and_another_time_is_written_down() -> None:
    tournament = a_ladder()
    first = scheduled(tournament)
    set_schedule(SYSTEM, tournament, **AT_THREE)
    assert the_schedule(tournament).due_at < timezone.now(), "it is still due"
    set_schedule(SYSTEM, tournament, **(AT_THREE | {"at": time(4)}))
    assert the_schedule(tournament).pk == first.pk
    assert the_schedule(tournament).due_at > timezone.now()
    events = AuditEvent.objects.filter(verb="schedule.set").order_by("sequence")
    assert [event.facts["at"] for event in events] == ["03:00", "04:00"]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"zone": "Europe/Atlantis"}, "zone"),
        ({"days": []}, "days"),
        ({"days": [7]}, "days"),
        ({"at": time(3, 0, 30)}, "at"),
    ],
)
def test_what_is_no_schedule_is_refused_with_its_field(fields: dict[str, Any], wrong: str) -> None:
    tournament = a_ladder()
    with refusal(Reason.BAD_SCHEDULE) as refused:
        set_schedule(SYSTEM, tournament, **(AT_THREE | fields))
    assert refused.value.params["text"] == wrong
    assert not Schedule.objects.exists()


def test_people_are_not_made_to_play_at_night() -> None:
    with refusal(Reason.BOTS_ONLY) as refused:
        set_schedule(SYSTEM, the_liguilla(), **AT_THREE)
    with translation.override("en"):
        assert refused.value.message.startswith("This is for tournaments of bots alone, and “")


def test_only_who_runs_the_tournament_and_its_bots_may_set_it() -> None:
    tournament = a_ladder()
    club = tournament.club
    for actor, reason in (
        (NOBODY, Reason.SIGN_IN),
        (stranger(), Reason.FORBIDDEN),
        (arbiter(club), Reason.FORBIDDEN),
        (program(club, "tournaments:manage"), Reason.FORBIDDEN),
    ):
        with refusal(reason):
            set_schedule(actor, tournament, **AT_THREE)
        with refusal(reason):
            run_now(actor, tournament)
    scoped_actor = program(club, "tournaments:manage", "bots:run")
    assert set_schedule(scoped_actor, tournament, **AT_THREE).made_by == "olga (marcador)"


def test_what_is_over_has_no_schedule() -> None:
    tournament = a_bot_liguilla(entries=2)
    decide(tournament, 1)
    close_round(SYSTEM, the_round(tournament, 1))
    finish(SYSTEM, tournament)
    with refusal(Reason.TOURNAMENT_OVER):
        set_schedule(SYSTEM, tournament, **AT_THREE)
    with refusal(Reason.TOURNAMENT_OVER):
        run_now(SYSTEM, tournament)


# --- What a due schedule does -------------------------------------------------------------------


def test_a_ladder_that_is_due_begins_by_itself(messages: Messages) -> None:
    tournament = a_ladder()
    scheduled(tournament)
    assert run_due() == 1
    assert rounds(tournament) == [(1, "published")]
    round_ = the_round(tournament, 1)
    assert round_.play_requested_at is not None
    assert (str(Job.PLAY_ROUND), (round_.pk,)) in messages
    schedule = the_schedule(tournament)
    assert (schedule.last_code, schedule.last_facts) == ("", {"round": 1, "left_out": []})
    assert schedule.last_at is not None
    assert schedule.due_at > timezone.now()
    (event,) = AuditEvent.objects.filter(verb="schedule.ran")
    assert (event.actor, event.facts) == ("system", {"round": 1, "left_out": []})


def test_before_its_time_nothing_happens() -> None:
    tournament = a_ladder()
    set_schedule(SYSTEM, tournament, **AT_THREE)
    assert run_due() == 0
    assert rounds(tournament) == []


def test_switched_off_nothing_happens() -> None:
    tournament = a_ladder()
    scheduled(tournament)
    scheduled(tournament, is_on=False)
    assert run_due() == 0
    decide(run_now(SYSTEM, tournament).stage.tournament, 1)
    assert run_due() == 0
    assert rounds(tournament) == [(1, "published")]


def test_night_after_night_the_round_before_is_closed_and_the_next_begun() -> None:
    tournament = a_ladder()
    scheduled(tournament)
    for night in (1, 2, 3, 4):
        assert run_due() == 1
        decide(tournament, night)
        make_due(tournament)
    assert run_due() == 1
    assert rounds(tournament) == [*((n, "closed") for n in (1, 2, 3, 4)), (5, "published")]


def test_after_nights_without_power_one_round_is_played_and_not_as_many_as_were_missed() -> None:
    tournament = a_ladder()
    scheduled(tournament)
    Schedule.objects.update(due_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert run_due() == 1
    decide(tournament, 1)
    assert run_due() == 0
    assert the_schedule(tournament).due_at > timezone.now()


def test_a_round_that_is_not_finished_goes_on_and_is_asked_for_again(messages: Messages) -> None:
    tournament = a_ladder()
    scheduled(tournament)
    run_due()
    decide(tournament, 1, but=1)
    left = the_round(tournament, 1).matches.get(state="pending")
    Match.objects.filter(pk=left.pk).update(attempts=3, abandoned_at=timezone.now())
    make_due(tournament)
    messages.clear()
    assert run_due() == 0
    assert rounds(tournament) == [(1, "published")]
    schedule = the_schedule(tournament)
    assert (schedule.last_code, schedule.last_facts) == (
        "round_unfinished",
        {"round": 1, "count": 1},
    )
    assert schedule.due_at > timezone.now()
    left.refresh_from_db()
    assert (left.attempts, left.abandoned_at) == (0, None)
    assert (str(Job.PLAY_ROUND), (left.round_id,)) in messages
    (event,) = AuditEvent.objects.filter(verb="schedule.refused")
    assert event.facts == {"code": "round_unfinished", "round": 1, "count": 1}


def test_a_match_that_was_postponed_holds_nothing_up() -> None:
    tournament = a_ladder()
    scheduled(tournament)
    run_due()
    decide(tournament, 1, but=1)
    left = the_round(tournament, 1).matches.with_names().get(state="pending")
    postpone(SYSTEM, left, to=None)
    make_due(tournament)
    assert run_due() == 1
    assert rounds(tournament) == [(1, "closed"), (2, "published")]


def test_a_draft_that_a_person_drew_is_the_round_that_is_played() -> None:
    tournament = a_bot_liguilla(entries=4, published=0)
    scheduled(tournament)
    drafts = {match.pk for match in the_round(tournament, 1).matches.all()}
    run_due()
    assert {match.pk for match in the_round(tournament, 1).matches.all()} == drafts
    assert rounds(tournament) == [(1, "published"), (2, "draft"), (3, "draft")]


def test_a_draft_that_is_outdated_is_drawn_again_and_played() -> None:
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Suizo",
        NewTournament(
            GameSettings(options={"to": 1}), stages=[{"format": "swiss", "rules": {"rounds": 3}}]
        ),
    )
    enter_newcomers(SYSTEM, tournament, [*house_bots(), *house_bots()])
    scheduled(tournament)
    run_due()
    decide(tournament, 1)
    close_round(SYSTEM, the_round(tournament, 1))
    draft = draw_next(SYSTEM, tournament, after=1)
    one, other = draft.matches.order_by("table")
    swap(SYSTEM, draft, one.home, other.home)
    match = the_round(tournament, 1).matches.with_names().order_by("table")[0]
    correct_result(SYSTEM, match, Score(0, 1, 40, 90), reason="the other way round")
    assert the_round(tournament, 2).is_outdated
    make_due(tournament)
    assert run_due() == 1
    assert rounds(tournament) == [(1, "closed"), (2, "published")]
    assert not the_round(tournament, 2).matches.filter(edited=True).exists()


def test_when_all_rounds_are_drawn_it_says_so_every_time() -> None:
    tournament = a_bot_liguilla(entries=2)
    scheduled(tournament)
    decide(tournament, 1)
    assert run_due() == 0
    assert rounds(tournament) == [(1, "closed")]
    assert the_schedule(tournament).last_code == "nothing_to_draw"


def test_a_refusal_stops_no_other_tournament() -> None:
    small, ready = a_ladder(1), create_tournament(SYSTEM, a_club("Otra"), "Otra")
    enter_newcomers(SYSTEM, ready, house_bots())
    for tournament in (small, ready):
        scheduled(tournament)
    assert run_due() == 1
    assert the_schedule(small).last_code == "too_few_entries"
    assert AuditEvent.objects.filter(tournament=small, verb="tournament.drawn").count() == 0
    small.refresh_from_db()
    assert small.state == "draft"
    assert rounds(ready)[0] == (1, "published")


def test_a_fault_of_ours_stops_no_other_tournament_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, ready = a_ladder(), create_tournament(SYSTEM, a_club("Otra"), "Otra")
    enter_newcomers(SYSTEM, ready, house_bots())
    for tournament in (broken, ready):
        scheduled(tournament)

    def publish(actor: Actor, round_: Round) -> Round:
        if round_.stage.tournament_id == broken.pk:
            raise ZeroDivisionError
        return publish_round(actor, round_)

    with monkeypatch.context() as patch:
        patch.setattr(arena, "publish_round", publish)
        assert run_due() == 1
    assert f"the schedule of tournament {broken.pk} broke off" in caplog.text
    assert rounds(broken) == []
    assert run_due() == 1
    assert rounds(broken) == [(1, "published")]


def test_a_person_who_is_no_bot_stops_it() -> None:
    tournament = a_bot_liguilla(entries=4, published=0)
    scheduled(tournament)
    marta = Player.objects.create(club=tournament.club, code="J1", name="Marta", folded="marta")
    tournament.entries.filter(number=1).update(bot=None, player=marta, name="Marta", seats=1)
    assert run_due() == 0
    schedule = the_schedule(tournament)
    assert (schedule.last_code, schedule.last_facts) == ("bots_only", {"text": "Marta"})


# --- The bench ----------------------------------------------------------------------------------


def bench(name: str, **fields: Any) -> None:
    Bot.objects.filter(name=name).update(**(fields or {"benched_at": timezone.now()}))


def test_who_is_benched_or_retired_is_left_out_and_comes_back_when_put_back() -> None:
    tournament = a_ladder(6)
    scheduled(tournament)
    bench("Bot 2")
    bench("Bot 5", retired_at=timezone.now())
    for night in (1, 2):
        run_due()
        assert seated(tournament, night) == {"Bot 1", "Bot 3", "Bot 4", "Bot 6"}
        decide(tournament, night)
        make_due(tournament)
    assert the_schedule(tournament).last_facts["left_out"] == ["Bot 2", "Bot 5"]
    spans = Absence.objects.values_list("entry__name", "from_round", "until_round", "kind")
    assert set(spans) == {("Bot 2", 1, 3, "benched"), ("Bot 5", 1, 3, "benched")}
    bench("Bot 2", benched_at=None)
    run_due()
    assert seated(tournament, 3) == {"Bot 1", "Bot 2", "Bot 3", "Bot 4", "Bot 6"}
    decide(tournament, 3)
    bench("Bot 2")
    make_due(tournament)
    run_due()
    assert "Bot 2" not in seated(tournament, 4)
    assert Absence.objects.filter(entry__name="Bot 2").count() == 2


def test_the_rounds_of_a_ladder_with_a_bench_can_be_checked_by_anybody() -> None:
    tournament = a_ladder(5)
    scheduled(tournament)
    for night in (1, 2, 3, 4):
        bench("Bot 3", benched_at=timezone.now() if night == 2 else None)
        run_due()
        decide(tournament, night)
        make_due(tournament)
    tournament.refresh_from_db()
    findings = verify(bundle_from_bytes(proof_file(tournament)))
    assert findings
    assert [finding for finding in findings if not finding.holds] == []


def test_a_draft_is_drawn_again_without_who_was_benched_since() -> None:
    tournament = a_bot_liguilla(entries=4, published=0)
    scheduled(tournament)
    Bot.objects.filter(slug="azar").update(benched_at=timezone.now())
    run_due()
    assert seated(tournament, 1) == {"Sencillo 1", "Sencillo 2"}


def test_who_was_put_back_before_the_round_was_published_plays() -> None:
    tournament = a_ladder(4)
    entry = tournament.entries.get(number=1)
    Absence.objects.create(entry=entry, kind="benched", from_round=1, until_round=2)
    scheduled(tournament)
    run_due()
    assert "Bot 1" in seated(tournament, 1)
    assert not Absence.objects.exists()


def test_who_has_left_for_good_is_not_benched_as_well() -> None:
    tournament = a_ladder(5)
    entry = tournament.entries.get(number=1)
    Absence.objects.create(entry=entry, kind="withdrawn", from_round=1)
    bench("Bot 1")
    scheduled(tournament)
    run_due()
    assert "Bot 1" not in seated(tournament, 1)
    assert Absence.objects.get().kind == "withdrawn"


def test_with_all_but_one_on_the_bench_there_is_no_round_and_no_trace_of_one() -> None:
    tournament = a_ladder(3)
    scheduled(tournament)
    bench("Bot 1")
    bench("Bot 2")
    assert run_due() == 0
    assert the_schedule(tournament).last_code == "cannot_draw"
    assert rounds(tournament) == []
    assert not Absence.objects.exists()


# --- Closing ------------------------------------------------------------------------------------


def test_the_last_result_of_a_round_has_it_closed(messages: Messages) -> None:
    tournament = a_ladder()
    scheduled(tournament)
    run_due()
    round_ = the_round(tournament, 1)
    messages.clear()
    decide(tournament, 1, but=1)
    assert str(Job.CLOSE_ROUND) not in {name for name, _ in messages}
    decide(tournament, 1)
    assert (str(Job.CLOSE_ROUND), (round_.pk,)) in messages
    assert close_played(round_.pk)
    assert rounds(tournament) == [(1, "closed")]
    assert not close_played(round_.pk)
    assert AuditEvent.objects.filter(verb="round.closed").count() == 1


def test_a_round_without_a_schedule_is_closed_by_people(messages: Messages) -> None:
    tournament = a_ladder()
    run_now(SYSTEM, tournament)
    decide(tournament, 1)
    assert str(Job.CLOSE_ROUND) not in {name for name, _ in messages}
    assert not close_played(the_round(tournament, 1).pk)
    assert rounds(tournament) == [(1, "published")]


def test_a_round_that_still_plays_is_not_closed_and_one_that_is_gone_is_nothing() -> None:
    tournament = a_ladder()
    scheduled(tournament)
    run_due()
    assert not close_played(the_round(tournament, 1).pk)
    assert not close_played(10**6)


def test_the_tick_closes_what_a_lost_message_left_open() -> None:
    tournament = a_ladder()
    scheduled(tournament)
    tick()
    decide(tournament, 1)
    tick()
    assert rounds(tournament) == [(1, "closed")]


def test_a_round_that_cannot_be_closed_is_logged_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tournament = a_ladder()
    scheduled(tournament)
    run_due()
    decide(tournament, 1)

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(arena, "close_round", fail)
        run_due()
    assert "which is complete, was not closed" in caplog.text
    run_due()
    assert rounds(tournament) == [(1, "closed")]


# --- At once ------------------------------------------------------------------------------------


def test_run_now_begins_a_round_and_leaves_the_next_time_as_it_was() -> None:
    tournament = a_ladder()
    schedule = set_schedule(SYSTEM, tournament, **AT_THREE)
    round_ = run_now(organiser(tournament.club), tournament)
    assert (round_.number, rounds(tournament)) == (1, [(1, "published")])
    current = the_schedule(tournament)
    assert (current.due_at, current.last_code) == (schedule.due_at, "")
    with refusal(Reason.ROUND_UNFINISHED):
        run_now(SYSTEM, tournament)
    decide(tournament, 1)
    assert run_now(SYSTEM, tournament).number == 2


# --- Faults -------------------------------------------------------------------------------------


class BrokenOff(Exception):  # noqa: N818 - a fault that is injected
    """The connection broke."""


class BreaksOffAfter:
    """Allows a number of writing statements, and then breaks the connection.

    What only reads changes nothing: to break off before it is to break off before the next.
    """

    def __init__(self, statements: int) -> None:
        self.left, self.broke = statements, False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        writes = sql.startswith(("INSERT", "UPDATE", "DELETE"))
        goes_back = sql.startswith("ROLLBACK")
        if (self.broke and not goes_back) or (writes and self.left == 0):
            self.broke = True
            raise BrokenOff
        self.left -= writes
        return execute(sql, params, many, context)


def traces(tournament: Tournament) -> tuple[object, ...]:
    """All that a round leaves behind."""
    tournament.refresh_from_db()
    return (
        tournament.state,
        tournament.version,
        rounds(tournament),
        Match.objects.count(),
        list(Absence.objects.values_list("entry__name", "from_round", "until_round")),
        AuditEvent.objects.count(),
        the_schedule(tournament).due_at,
    )


@pytest.mark.slow
@pytest.mark.parametrize("night", [1, 2])
def test_broken_off_after_any_statement_nothing_was_done_and_the_next_tick_does_it_all(
    night: int,
) -> None:
    tournament = a_ladder(3)
    scheduled(tournament)
    bench("Bot 3")
    if night == 2:
        run_due()
        decide(tournament, 1)
        make_due(tournament)
    before = traces(tournament)
    whole = [*((n, "closed") for n in range(1, night)), (night, "published")]
    broken_off = 0
    while True:
        point = transaction.savepoint()
        breaks = BreaksOffAfter(broken_off)
        with connection.execute_wrapper(breaks), suppress(BrokenOff):
            run_due()
        if not breaks.broke:
            break
        assert traces(tournament) == before, f"after {broken_off} statements"
        assert run_due() == 1
        assert rounds(tournament) == whole
        assert seated(tournament, night) == {"Bot 1", "Bot 2"}
        transaction.savepoint_rollback(point)
        broken_off += 1
    assert rounds(tournament) == whole
    assert broken_off > 10


# --- Ticks --------------------------------------------------------------------------------------


def test_the_beat_ticks_often_enough() -> None:
    entry = CELERY_BEAT_SCHEDULE["begin what is scheduled"]
    assert entry["task"] == Job.RUN_SCHEDULES
    assert str(entry["schedule"]) == str(timedelta(seconds=20))


# --- Latecomers ---------------------------------------------------------------------------------


def test_a_bot_comes_late_into_a_ladder_and_plays_from_the_next_round_on() -> None:
    tournament = a_ladder(4)
    scheduled(tournament)
    run_due()
    late = Bot.objects.create(name="Bot 9", slug="bot-9", kind="random", club=tournament.club)
    entry = enter_late(SYSTEM, tournament, late)
    assert (entry.number, entry.joined_round) == (5, 2)
    decide(tournament, 1)
    make_due(tournament)
    run_due()
    assert "Bot 9" in seated(tournament, 2)


def test_a_bot_that_comes_late_plays_at_once_with_one_who_has_nobody() -> None:
    tournament = a_ladder(3)
    run_now(SYSTEM, tournament)
    late = Bot.objects.create(name="Bot 9", slug="bot-9", kind="random", club=tournament.club)
    assert enter_late(SYSTEM, tournament, late).joined_round == 1
    assert the_round(tournament, 1).matches.of_bots().count() == 2


def test_a_bot_of_another_club_does_not_come() -> None:
    tournament = a_ladder(4)
    run_now(SYSTEM, tournament)
    other = Bot.objects.create(name="Ajeno", slug="ajeno", kind="random", club=a_club("Otra"))
    with refusal(Reason.OTHER_CLUB):
        enter_late(SYSTEM, tournament, other)

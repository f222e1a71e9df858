"""Pausing bots: of a round, of the whole service; what goes on, what stops, who may."""

import pytest
from django.contrib.auth.models import User

from tests.clubs import (
    SYSTEM,
    a_bot_liguilla,
    arbiter,
    organiser,
    program,
    stranger,
    the_liguilla,
    the_round,
)
from tests.support.broker import Messages, record_messages
from tests.support.refusals import refusal
from tournaments.arena.services.arena import pause_arena, pause_round, resume_arena, resume_round
from tournaments.arena.services.dispatch import play_round, wake_due
from tournaments.arena.services.playing import PlayOutcome, play_claimed, play_match
from tournaments.core.errors import Reason
from tournaments.core.jobs import Job
from tournaments.core.permissions import Actor
from tournaments.models import ApiToken, Arena, AuditEvent, Match, Round
from tournaments.results.services.leases import claim_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Messages:
    """The messages sent, in place of a broker, those about ratings aside."""
    return record_messages(monkeypatch, {Job.RATE})


@pytest.fixture
def bot_round(db: None) -> Round:
    """A round of two matches of bots, who have been asked to play."""
    return play_round(SYSTEM, the_round(a_bot_liguilla(), 1))


def staff() -> Actor:
    return Actor.for_user(User.objects.create_user("sara", is_staff=True))


def keys(round_: Round) -> list[int]:
    return sorted(round_.matches.values_list("pk", flat=True))


# --- A round --------------------------------------------------------------------------------------


def test_while_a_round_is_paused_no_worker_claims_its_matches(bot_round: Round) -> None:
    pause_round(SYSTEM, bot_round)
    assert not Match.objects.due().filter(round=bot_round)
    assert wake_due() == 0
    assert [play_match(pk) for pk in keys(bot_round)] == [PlayOutcome.SKIPPED] * 2


def test_a_worker_finishes_the_match_that_it_holds_when_the_round_is_paused(
    bot_round: Round,
) -> None:
    first, second = keys(bot_round)
    lease = claim_match(first)
    assert lease is not None
    pause_round(SYSTEM, bot_round)
    assert play_claimed(lease) is PlayOutcome.ACCEPTED
    assert play_match(second) is PlayOutcome.SKIPPED


def test_a_round_that_goes_on_wakes_what_is_left_to_play(
    bot_round: Round, messages: Messages
) -> None:
    first, second = keys(bot_round)
    play_match(first)
    wake_due()
    pause_round(SYSTEM, bot_round)
    messages.clear()
    resume_round(SYSTEM, bot_round)
    assert messages == [(Job.PLAY_ROUND, (bot_round.pk,))]
    assert wake_due() == 1, "though a message about it was sent a moment ago"
    assert messages[1:] == [(Job.PLAY_MATCH, (second,))]


def test_other_rounds_play_while_one_is_paused(bot_round: Round) -> None:
    other = play_round(SYSTEM, the_round(a_bot_liguilla(bot_round.stage.tournament.club), 1))
    pause_round(SYSTEM, bot_round)
    assert len(Match.objects.due().filter(round=other)) == 2


def test_who_pauses_a_round_and_who_lets_it_go_on_is_written_down(bot_round: Round) -> None:
    boss = organiser(bot_round.stage.tournament.club)
    pause_round(boss, bot_round)
    resume_round(boss, bot_round)
    events = AuditEvent.objects.filter(verb__in=("round.paused", "round.resumed"))
    assert [(event.verb, event.actor, event.facts) for event in events] == [
        ("round.paused", "olga", {"round": 1}),
        ("round.resumed", "olga", {"round": 1}),
    ]
    assert {event.tournament_id for event in events} == {bot_round.stage.tournament_id}


def test_a_round_is_paused_once_and_goes_on_once(bot_round: Round) -> None:
    with refusal(Reason.NOT_PAUSED):
        resume_round(SYSTEM, bot_round)
    pause_round(SYSTEM, bot_round)
    with refusal(Reason.ALREADY_PAUSED):
        pause_round(SYSTEM, bot_round)


def test_only_who_runs_the_bots_pauses_a_round(bot_round: Round) -> None:
    club = bot_round.stage.tournament.club
    for nobody in (arbiter(club), stranger(), program(club, ApiToken.Scope.MANAGE)):
        with refusal(Reason.FORBIDDEN):
            pause_round(nobody, bot_round)
    pause_round(program(club, ApiToken.Scope.BOTS), bot_round)
    bot_round.refresh_from_db()
    assert bot_round.paused_at is not None


def test_only_a_round_of_bots_that_is_being_played_is_paused() -> None:
    people = the_liguilla(published=1)
    with refusal(Reason.NO_BOT_MATCHES):
        pause_round(SYSTEM, the_round(people, 1))
    with refusal(Reason.ROUND_NOT_OPEN):
        pause_round(SYSTEM, the_round(people, 2))


# --- The whole service ----------------------------------------------------------------------------


def test_while_the_arena_is_paused_nothing_is_claimed_anywhere(bot_round: Round) -> None:
    lease = claim_match(keys(bot_round)[0])
    assert lease is not None
    boss = staff()
    arena = pause_arena(boss)
    assert (arena.paused_at is not None, arena.paused_by) == (True, "sara")
    assert not Match.objects.due()
    assert play_match(keys(bot_round)[1]) is PlayOutcome.SKIPPED
    assert play_claimed(lease) is PlayOutcome.ACCEPTED, "what is held is finished"


def test_an_arena_that_opens_again_wakes_all_that_is_due(
    bot_round: Round, messages: Messages
) -> None:
    wake_due()
    pause_arena(SYSTEM)
    messages.clear()
    arena = resume_arena(SYSTEM)
    assert (arena.paused_at, arena.paused_by) == (None, "")
    assert messages == [(Job.SWEEP, ())]
    assert wake_due() == 2


def test_a_round_that_was_paused_stays_so_when_the_arena_opens(bot_round: Round) -> None:
    pause_round(SYSTEM, bot_round)
    pause_arena(SYSTEM)
    resume_arena(SYSTEM)
    assert not Match.objects.due()


def test_every_tournament_whose_bots_play_is_informed_of_the_pause(bot_round: Round) -> None:
    a_bot_liguilla(bot_round.stage.tournament.club)  # nobody has asked its bots
    pause_arena(SYSTEM)
    resume_arena(SYSTEM)
    events = AuditEvent.objects.filter(verb__startswith="arena.")
    assert [(event.verb, event.tournament_id) for event in events] == [
        ("arena.paused", bot_round.stage.tournament_id),
        ("arena.resumed", bot_round.stage.tournament_id),
    ]


def test_only_the_staff_in_person_pauses_the_arena(bot_round: Round) -> None:
    club = bot_round.stage.tournament.club
    for nobody in (organiser(club), program(club, ApiToken.Scope.BOTS, of="sara")):
        with refusal(Reason.FORBIDDEN):
            pause_arena(nobody)
    with refusal(Reason.SIGN_IN):
        pause_arena(Actor.anonymous())
    assert not Arena.objects.exists()


def test_the_arena_is_paused_once_and_goes_on_once(bot_round: Round) -> None:
    with refusal(Reason.NOT_PAUSED):
        resume_arena(SYSTEM)
    pause_arena(SYSTEM)
    with refusal(Reason.ALREADY_PAUSED):
        pause_arena(SYSTEM)

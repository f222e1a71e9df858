"""Ladders of bots without an organiser: made on demand, entered by authors, continued when full.

A club has one ladder that is open to bots for each ruleset that an author asks for. Its opponents
are the quick bots of the house, its rounds those of its schedule (:mod:`.arena`).
"""

import logging
from collections.abc import Iterable
from contextlib import suppress
from datetime import time, timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

import engine
from tournaments.arena.queries.ladders import ladder_of, without_those_away
from tournaments.arena.services.arena import run_now, set_schedule
from tournaments.arena.services.comparisons import options_of
from tournaments.arena.services.table import QUICK
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_club, lock_tournament
from tournaments.core.permissions import Actor, may_enter_bot, refuse_unless
from tournaments.director.services.absences import store_leave, store_return
from tournaments.director.services.entries import enter_newcomers, store_entries, store_late_entry
from tournaments.director.services.settings import GameSettings, NewTournament, game_of
from tournaments.director.services.tournaments import create_tournament, finish
from tournaments.domain.names import MAX_NAME_LENGTH, ruleset_name
from tournaments.domain.rows import MAX_ROUNDS
from tournaments.domain.timetable import EVERY_DAY, USUAL_ZONE
from tournaments.models import Absence, Bot, Club, Entry, Match, Round, Schedule, Tournament
from tournaments.models.matches import at_any_place
from tournaments.people.services.bots import refuse_unless_ready

logger = logging.getLogger(__name__)

DEAL_SETS = 10  # of one hand or one race: two minutes for a bot that asks its turns over the API

ASKED_INTERVAL = timedelta(seconds=30)  # some clients ask five times a second


@transaction.atomic
def enter_bot(actor: Actor, bot: Bot, ruleset: str) -> Entry:
    """Enter a bot on the ladder of its club under a ruleset; the first one makes the ladder.

    A round begins at once if none is open and the bot is there to play in it, else as soon as it is
    (:func:`begin_for_newcomers`). One that was withdrawn comes back, one that is in already stays.
    Refuses FORBIDDEN, BOT_RETIRED, BOT_BENCHED, NOT_ITS_RULESET, NO_READY_VERSION, UNKNOWN_RULESET,
    WRONG_SEATS, EXPELLED, TOO_MANY_ENTRIES, NAME_TAKEN.
    """
    refuse_unless(bot.club is not None and may_enter_bot(actor, bot), actor)
    assert bot.club is not None  # noqa: S101 - mypy
    club = lock_club(bot.club)
    refuse_unless_ready([bot], ruleset)
    ladder = lock_tournament(ladder_of(club, ruleset) or open_ladder(club, ruleset))
    entry = ladder.entries.filter(bot=bot).first()
    if entry is None:
        if ladder.state == Tournament.State.DRAFT:
            (entry,) = store_entries(actor, ladder, [bot])
        else:
            entry = store_late_entry(actor, ladder, bot)
    elif not without_those_away(ladder.entries.filter(bot=bot)).exists():
        entry = store_return(actor, entry)
    is_silent = Bot.objects.silent().filter(pk=bot.pk).exists()
    is_draft = ladder.state == Tournament.State.DRAFT
    if is_draft or not is_silent:  # a draft is not seen by its author
        _begin_rounds(Tournament.objects.filter(pk=ladder.pk))
    return entry


@transaction.atomic
def withdraw_bot(actor: Actor, bot: Bot, ruleset: str) -> Entry:
    """Withdraw a bot from the ladder of its club from the next round on.

    Refuses FORBIDDEN, NOT_FOUND, ALREADY_AWAY.
    """
    refuse_unless(bot.club is not None and may_enter_bot(actor, bot), actor)
    entry = Entry.objects.filter(tournament=ladder_of(bot.club, ruleset), bot=bot).first()
    if entry is None:
        raise Refusal(Reason.NOT_FOUND)
    return store_leave(actor, entry, Absence.Kind.WITHDRAWN).entry


@transaction.atomic
def open_ladder(club: Club, ruleset: str) -> Tournament:
    """Make the ladder of a locked club under a ruleset, with the quick bots of the house.

    Refuses UNKNOWN_RULESET, WRONG_SEATS.
    """
    if ruleset not in engine.RULESETS:
        raise Refusal(Reason.UNKNOWN_RULESET, text=ruleset[:60])
    game = GameSettings(ruleset=ruleset, options=options_of(ruleset), deal_sets=DEAL_SETS)
    name = _("Ladder of bots: %(ruleset)s") % {"ruleset": ruleset_name(ruleset)}
    house = Bot.objects.playable().filter(club=None, kind__in=QUICK).order_by("pk")
    return _make_ladder(club, name, game, house)


def note_client(bot: Bot) -> None:
    """Note that the client of a remote bot asks for its turns, every half minute."""
    if bot.asked_at is None or timezone.now() - bot.asked_at > ASKED_INTERVAL:
        Bot.objects.filter(pk=bot.pk).update(asked_at=Now())


def begin_for_newcomers() -> int:
    """Begin rounds where a bot that is there has not played yet; return how many.

    It came while a round was open, rested in its first one, or its client was silent.
    """
    played = Match.objects.filter(at_any_place(OuterRef("pk")), away__isnull=False)
    bots = Bot.objects.playable().filter(club__isnull=False).exclude(pk__in=Bot.objects.silent())
    waiting = without_those_away(Entry.objects.filter(~Exists(played), bot__in=bots))
    return _begin_rounds(Tournament.objects.filter(pk__in=waiting.values("tournament")))


def continue_full() -> int:
    """Make the next ladder of each whose last possible round is closed; return how many.

    A failure with one is logged, and does not affect the others.
    """
    running = Tournament.objects.filter(open_to_bots=True, state=Tournament.State.RUNNING)
    full = running.annotate(drawn=Count("stages__rounds")).filter(drawn__gte=MAX_ROUNDS)
    count = 0
    for ladder in full.select_related("club"):
        try:
            count += _continue(ladder)
        except Exception:
            logger.exception("ladder %s was not continued", ladder.pk)
    return count


@transaction.atomic
def _continue(ladder: Tournament) -> bool:
    """Finish a ladder, and make the next one with its schedule and the entries that may play."""
    club, ladder = lock_club(ladder.club), lock_tournament(ladder)
    rounds = Round.objects.filter(stage__tournament=ladder).exclude(state=Round.State.CLOSED)
    if ladder.state != Tournament.State.RUNNING or rounds.exists():
        return False
    finish(Actor.system(), ladder, early=True)
    base, _blank, number = ladder.name.rpartition(" ")
    name = f"{base} {int(number) + 1}" if number.isdecimal() else f"{ladder.name} 2"
    stays = without_those_away(ladder.entries.all())
    bots = Bot.objects.playable().filter(pk__in=stays.values("bot")).order_by("pk")
    _make_ladder(club, name, game_of(ladder), bots, ladder)
    return True


def _make_ladder(
    club: Club,
    name: str,
    game: GameSettings,
    bots: Iterable[Bot],
    before: Tournament | None = None,
) -> Tournament:
    """Make a ladder with its bots and its schedule: that of the one before, else every night."""
    system = Actor.system()
    new = NewTournament(game, stages=[{"format": "ladder"}], open_to_bots=True)
    ladder = create_tournament(system, club, name[:MAX_NAME_LENGTH], new)
    enter_newcomers(system, ladder, list(bots))
    schedule = Schedule.objects.filter(tournament=before).first()
    if schedule is None:
        set_schedule(system, ladder, at=time(3), zone=USUAL_ZONE, days=EVERY_DAY)
    else:
        names = ("at", "zone", "days", "is_on")
        set_schedule(system, ladder, **{name: getattr(schedule, name) for name in names})
    return ladder


def _begin_rounds(tournaments: QuerySet[Tournament]) -> int:
    """Begin a round of each ladder that has none open and whose schedule is on."""
    count = 0
    on_schedule = Schedule.objects.active().values("tournament")
    for ladder in tournaments.filter(open_to_bots=True, pk__in=on_schedule):
        with suppress(Refusal):  # a round is open, or there are too few: the schedule goes on
            run_now(Actor.system(), ladder)
            count += 1
    return count

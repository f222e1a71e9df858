"""Bots and their matches: claimed, played outside any transaction, submitted like a human's.

The deals follow from the round's seed and the match's label, and the house bots from seeds derived
from it; so an attempt that is repeated plays the same match, and what is accepted is accepted once.
"""

import hashlib
import json
import logging
from collections import Counter
from enum import StrEnum
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

import engine
from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.jobs import Job, post
from tournaments.models import Bot, Club, Entry, Match, Record, Round
from tournaments.models.matches import MatchQuerySet
from tournaments.permissions import Actor, may_manage, may_run_bots, refuse_unless
from tournaments.services.answers import Outcome, Submitted
from tournaments.services.boards import deals_of
from tournaments.services.cotos import TAG
from tournaments.services.leases import Lease, claim_match, release
from tournaments.services.locks import lock_match, lock_round
from tournaments.services.naming import checked_name, free_slug
from tournaments.services.records import submit_record
from tournaments.services.results import length_of

__all__ = [
    "Lease",
    "Played",
    "claim_match",
    "due_matches",
    "play_claimed",
    "play_match",
    "play_round",
    "register_bot",
    "wake_due",
    "wake_round",
]

logger = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 500
"""Matches that one sweep wakes at most."""


class Played(StrEnum):
    """What became of an attempt at a bot match."""

    SKIPPED = "skipped"
    """Not due: played already, or in another worker's hands."""
    ACCEPTED = "accepted"
    LATE = "late"
    """Another attempt had taken over."""
    REFUSED = "refused"


@transaction.atomic
def register_bot(actor: Actor, club: Club, *, name: str, kind: str) -> Bot:
    """Give a club a bot of one of the house's kinds under a name of its own.

    Refuses FORBIDDEN, BAD_NAME, UNKNOWN_BOT.
    """
    refuse_unless(may_manage(actor, club), actor)
    name = checked_name(name)
    if kind not in Bot.Kind.values:
        raise Refusal(Reason.UNKNOWN_BOT, text=kind[:60])
    bot = Bot.objects.create(name=name, kind=kind, club=club, slug=free_slug(Bot, name))
    write_event(actor, "bot.registered", bot, club=club, name=name, kind=str(kind))
    return bot


@transaction.atomic
def play_round(actor: Actor, round_: Round) -> Round:
    """Ask for the bot matches of a published round to be played; again, for those left undone.

    Matches that had been given up get their attempts back. Refuses FORBIDDEN, ROUND_NOT_OPEN,
    NO_BOT_MATCHES.
    """
    refuse_unless(may_run_bots(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    if round_.state != Round.State.PUBLISHED:
        raise Refusal(Reason.ROUND_NOT_OPEN, round=round_.number)
    matches = round_.matches.of_bots()
    if not matches.exists():
        raise Refusal(Reason.NO_BOT_MATCHES, round=round_.number)
    pending = round_.matches.filter(pk__in=matches.values("pk"), state=Match.State.PENDING)
    pending.filter(abandoned_at__isnull=False).update(attempts=0, abandoned_at=None)
    pending.update(woken_at=None)
    round_.play_requested_at = timezone.now()
    round_.save(update_fields=["play_requested_at"])
    tournament = round_.stage.tournament
    facts = {"round": round_.number, "matches": pending.count()}
    write_event(
        actor, "round.play_requested", round_, club=tournament.club, tournament=tournament, **facts
    )
    post(Job.PLAY_ROUND, round_.pk)
    return round_


def due_matches(round_: Round) -> MatchQuerySet:
    """Return the matches of a round that a worker may claim now."""
    return Match.objects.due().filter(round=round_)


def wake_round(round_pk: int) -> int:
    """Send a message for each match of a round that is due; answers how many."""
    return _wake(Match.objects.due().filter(round=round_pk).unheard())


def wake_due() -> int:
    """Send a message for every match due of which no worker has heard lately.

    Matches that have failed as often as they may are left to the arbiter. Answers how many were
    woken. Safe to call at any time, from anywhere, any number of times.
    """
    for match in Match.objects.exhausted().with_names()[:MOST_AT_ONCE]:
        _abandon(match)
    return _wake(Match.objects.due().unheard())


def play_match(match_pk: int) -> Played:
    """Play one bot match if it is due."""
    lease = claim_match(match_pk)
    return Played.SKIPPED if lease is None else play_claimed(lease)


def play_claimed(lease: Lease) -> Played:
    """Play the match of a lease and submit its record under the lease.

    An exception, a bug of a bot included, gives the lease up for another attempt and goes on.
    """
    match = Match.objects.with_names().get(pk=lease.match_pk)
    try:
        submitted = _submitted(match, lease)
    except Exception:
        release(lease)
        raise
    if submitted.outcome in {Outcome.ACCEPTED, Outcome.DUPLICATE}:
        return Played.ACCEPTED
    if submitted.code == Reason.LATE_RESULT.code:
        return Played.LATE
    logger.error("the record of bot match %s was refused: %s", match.pk, submitted.code)
    return Played.REFUSED


def _submitted(match: Match, lease: Lease) -> Submitted:
    """Play the match and submit it: all its cotos in turn, until one side has won enough of them.

    What an attempt before has submitted is played and said again.
    """
    wins = match.tournament.cotos
    won: Counter[str] = Counter()
    while True:
        number = won.total() + 1
        played = _played(match, number)
        body = json.dumps(played, ensure_ascii=False)
        source = Record.Source.BOT
        submitted = submit_record(Actor.system(), match, body, source=source, lease=lease)
        won[played.get("winner") or ""] += 1
        taken = submitted.outcome in {Outcome.ACCEPTED, Outcome.DUPLICATE}
        if not taken or max(won.values()) == wins:
            return submitted


def _played(match: Match, coto: int = 1) -> dict[str, Any]:
    """Let the bots play the match, or a coto of it.

    The record says nothing of time, so it is always the same.
    """
    tournament, seed = match.tournament, bytes.fromhex(match.round.seed)
    home, away = _bot_entry(match.home), _bot_entry(match.away)
    rules = engine.RULESETS[tournament.ruleset]
    label = match.label if tournament.cotos == 1 else f"{match.label}/{coto}"
    sitting = (home, away, home, away)
    bots = {
        seat: engine.HOUSE_BOTS[kind](_bot_seed(seed, label, seat))
        for seat, (_, kind) in zip(rules.seats, sitting, strict=True)
    }
    names = (home[0][0], away[0][0], home[0][1], away[0][1])
    tags = {
        "event": tournament.name,
        "round": str(match.round.number),
        "table": str(match.table),
    }
    options = tournament.options
    if tournament.cotos > 1:
        tags[TAG] = str(coto)
    if match.boards:
        tags["boards"] = " ".join(map(str, match.boards))
        options = length_of(match).options(options)
    dealt = deals_of(match)
    return engine.play_match(rules, bots, seed, label, names, options, tags, dealt=dealt)


def _bot_entry(entry: Entry | None) -> tuple[tuple[str, ...], str]:
    """Return the names at the seats and the kind of an entry that is a bot's."""
    if entry is None or entry.bot is None:
        raise ValueError("only matches between bots are played by workers")
    return entry.seat_names, entry.bot.kind


def _bot_seed(seed: bytes, label: str, seat: str) -> bytes:
    """Return the seed of one seat's bot: nothing can be learnt from it about the deals."""
    return hashlib.sha256(b"|".join((b"bot", seed, label.encode(), seat.encode()))).digest()


@transaction.atomic
def _wake(matches: MatchQuerySet) -> int:
    """Note that a message is sent for each match, and send them; what others hold is skipped."""
    mine = matches.select_for_update(of=("self",), no_key=True, skip_locked=True)
    keys = list(mine.order_by("pk").values_list("pk", flat=True)[:MOST_AT_ONCE])
    Match.objects.filter(pk__in=keys).update(woken_at=Now())
    for key in keys:
        post(Job.PLAY_MATCH, key)
    return len(keys)


@transaction.atomic
def _abandon(match: Match) -> None:
    """Leave a match to the arbiter, once."""
    match = lock_match(match)
    if not Match.objects.exhausted().filter(pk=match.pk).exists():
        return
    Match.objects.filter(pk=match.pk).update(abandoned_at=Now())
    tournament = match.tournament
    write_event(
        Actor.system(),
        "match.abandoned",
        match,
        club=tournament.club,
        tournament=tournament,
        attempts=match.attempts,
    )

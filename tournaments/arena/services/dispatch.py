"""Dispatches bot matches to workers: sends messages, repeats lost ones, gives matches up.

The rows decide what is due; a message only wakes a worker, and may be repeated or lost.
"""

from collections.abc import Sequence
from math import ceil
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

import engine
from tournaments.arena.services.table import is_quick, kinds_at
from tournaments.core.audit import write_tournament_event
from tournaments.core.find import lock_matches, lock_round
from tournaments.core.jobs import Job, post
from tournaments.core.permissions import Actor, may_run_bots, refuse_unless
from tournaments.director.queries.state import refuse_closed, round_facts
from tournaments.models import Match, Round, Tournament
from tournaments.models.matches import MatchQuerySet
from tournaments.results.services.turns import mark_lost_attempts

MAX_AT_ONCE: Final = 500
"""Limit of matches that one sweep wakes."""

MAX_HANDS_PER_MESSAGE: Final = 1000  # some seconds of play of quick bots

MIN_HANDS_PER_MESSAGE: Final = 400  # below this, queueing costs more than playing

MAX_SHARES: Final = 4  # messages of a round, if each gets enough hands; otherwise two

MIN_MATCHES_TO_SHARE: Final = 2  # short matches of quick bots: at least two share a message


@transaction.atomic
def play_round(actor: Actor, round_: Round) -> Round:
    """Request the bot matches of a published round to be played; repeatable for unfinished ones.

    Abandoned matches get new attempts. Refuses FORBIDDEN, ROUND_NOT_OPEN, NO_BOT_MATCHES.
    """
    refuse_unless(may_run_bots(actor, round_.stage.tournament.club), actor)
    round_ = lock_round(round_)
    refuse_closed("play", round_facts(round_))
    of_bots = round_.matches.of_bots().values("pk")
    pending = round_.matches.filter(pk__in=of_bots, state=Match.State.PENDING)
    pending.filter(abandoned_at__isnull=False).update(attempts=0, abandoned_at=None)
    pending.update(woken_at=None)
    round_.play_requested_at = timezone.now()
    round_.save(update_fields=["play_requested_at"])
    tournament = round_.stage.tournament
    facts = {"round": round_.number, "matches": pending.count()}
    write_tournament_event(actor, "round.play_requested", round_, tournament, **facts)
    post(Job.PLAY_ROUND, round_.pk)
    return round_


def wake_round(round_pk: int) -> int:
    """Send messages for the due matches of a round that had none lately; return how many."""
    return _wake(Match.objects.due().filter(round=round_pk).without_recent_message())


def wake_due() -> int:
    """Send messages for all due matches that had none lately.

    Attempts without a sign of life are stored as lost; matches that have used all their attempts
    are left to the arbiter. Returns how many matches were woken. Safe to call at any time and
    concurrently.
    """
    mark_lost_attempts()
    for match in Match.objects.exhausted().with_names()[:MAX_AT_ONCE]:
        _abandon(match)
    return _wake(Match.objects.due().without_recent_message())


@transaction.atomic
def _wake(matches: MatchQuerySet) -> int:
    """Mark matches as woken and send their messages; rows locked by others are skipped."""
    locked_matches = matches.select_for_update(of=("self",), no_key=True, skip_locked=True)
    keys = list(locked_matches.order_by("pk").values_list("pk", flat=True)[:MAX_AT_ONCE])
    Match.objects.filter(pk__in=keys).update(woken_at=Now())
    for batch in batches(keys):
        post(Job.PLAY_MATCH, *batch)
    return len(keys)


def batches(keys: Sequence[int]) -> list[list[int]]:
    """Group matches into messages: several of a round if between quick bots, else one each."""
    quick = {key for key, kinds in kinds_at(keys).items() if is_quick(kinds)}
    by_round: dict[int, list[int]] = {}
    terms: dict[int, Tournament] = {}
    rows = Match.objects.filter(pk__in=quick).order_by("pk").values_list("pk", "round")
    for key, round_pk in rows:
        by_round.setdefault(round_pk, []).append(key)
    for round_ in Round.objects.filter(pk__in=by_round).select_related("stage__tournament"):
        terms[round_.pk] = round_.stage.tournament
    groups = []
    for round_pk, ready in by_round.items():
        size = _share(len(ready), hands_of(terms[round_pk]))
        groups += [ready[start : start + size] for start in range(0, len(ready), size)]
    return groups + [[key] for key in keys if key not in quick]


def _share(matches: int, hands: int) -> int:
    """Return how many of ``matches``, each of ``hands`` hands, go in one message."""
    half, share = ceil(matches / 2), ceil(matches / MAX_SHARES)
    enough = MIN_HANDS_PER_MESSAGE // hands
    size = max(min(half, max(share, enough)), min(MIN_MATCHES_TO_SHARE, enough))
    return max(1, min(MAX_HANDS_PER_MESSAGE // hands, size))


def hands_of(tournament: Tournament) -> int:
    """Estimate the number of hands of a match between bots, over all its records."""
    rules, options = engine.RULESETS[tournament.ruleset], tournament.options
    hands: int = options.get("deals") or 2 * options.get("to", rules.target) - 1
    return hands * (len(rules.sides) * tournament.deal_sets or 2 * tournament.cotos - 1)


@transaction.atomic
def _abandon(match: Match) -> None:
    """Leave a match to the arbiter, once; unless its draw has been undone."""
    locked_match = lock_matches(match.tournament, [match.pk]).get(match.pk)
    if locked_match is None or not Match.objects.exhausted().filter(pk=match.pk).exists():
        return
    Match.objects.filter(pk=match.pk).update(abandoned_at=Now())
    facts = {"attempts": locked_match.attempts}
    tournament = locked_match.tournament
    write_tournament_event(Actor.system(), "match.abandoned", locked_match, tournament, **facts)

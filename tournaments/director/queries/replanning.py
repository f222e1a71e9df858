"""Rounds drawn ahead and published that can be planned again, because entries have changed."""

from dataclasses import dataclass

from django.db.models import Q

from tournaments.core.permissions import Actor
from tournaments.director.queries.tournaments import (
    TournamentHead,
    open_tournament,
    played_matches,
)
from tournaments.domain.pairing import FORMATS
from tournaments.models import Absence, Entry, Match, Round, Tournament
from tournaments.models.matches import at_any_place


@dataclass(frozen=True, slots=True)
class ReplanOffer:
    """The rounds from ``first`` to ``last`` can be planned again, for those who left or came late.

    ``leavers`` still sit in them, ``latecomers`` sit in none.
    """

    first: int
    last: int
    leavers: tuple[str, ...]
    latecomers: tuple[str, ...]


def has_begun(round_: Round) -> bool:
    """Return whether a round or a later one of its stage has play, or a clock; two queries."""
    later = Round.objects.filter(stage=round_.stage_id, number__gte=round_.number)
    is_on = Q(clock_started_at__isnull=False) | Q(state=Round.State.CLOSED)
    if later.filter(is_on).exists():
        return True
    return played_matches(Match.objects.filter(round__in=later)).exists()


def replan_offer(head: TournamentHead, viewer: Actor) -> ReplanOffer | None:
    """Return the offer to plan rounds again; no query where rounds follow from results.

    None while all who sit in the published rounds are there, and all who are there sit in them.
    """
    if not head.may.manage or not FORMATS[head.current_stage.format].all_at_once:
        return None
    tournament = open_tournament(head.slug, viewer).tournament
    rounds = Round.objects.filter(
        stage__tournament=tournament,
        stage__number=head.current_stage.number,
        state=Round.State.PUBLISHED,
    )
    ahead: list[int] = []
    for round_ in rounds.order_by("-number"):
        if has_begun(round_):
            break
        ahead.insert(0, round_.number)
    if not ahead:
        return None
    leavers, latecomers = _changed_entries(tournament, ahead[0])
    if not leavers and not latecomers:
        return None
    return ReplanOffer(ahead[0], ahead[-1], leavers, latecomers)


def _changed_entries(tournament: Tournament, first: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of those who left and still sit from a round on, and of those who wait."""
    away = Absence.objects.filter(entry__tournament=tournament, until_round__isnull=True)
    gone = set(away.values_list("entry", flat=True))
    matches = Match.objects.filter(round__stage__tournament=tournament, round__number__gte=first)
    leavers = [
        entry.shown_name
        for entry in _entries(tournament, Q(pk__in=gone))
        if matches.filter(at_any_place(entry)).exists()
    ]
    late = _entries(tournament, Q(joined_round__gt=first) & ~Q(pk__in=gone))
    return tuple(leavers), tuple(entry.shown_name for entry in late)


def _entries(tournament: Tournament, condition: Q) -> list[Entry]:
    return list(tournament.entries.with_players().filter(condition).order_by("number"))

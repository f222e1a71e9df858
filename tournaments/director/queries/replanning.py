"""Rounds drawn ahead and published that can be planned again, because entries have changed."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from tournaments.director.queries.tournaments import TournamentHead, played_matches
from tournaments.domain.sides import PLACES
from tournaments.models import Absence, Entry, Match, Round


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


def replan_offer(head: TournamentHead) -> ReplanOffer | None:
    """Return the offer to plan rounds again: one query where nobody left or came late.

    No query where rounds follow from results, or for viewers who direct nothing. None while all who
    sit in the published rounds are there, and all who are there sit in them.
    """
    if not head.may.manage or not head.current_stage.is_drawn_ahead:
        return None
    away = Absence.objects.filter(entry__tournament=head.pk, until_round__isnull=True)
    is_changed = Q(pk__in=away.values("entry")) | Q(joined_round__gt=1)
    entries = Entry.objects.filter(is_changed, tournament=head.pk).with_players()
    changed = list(entries.order_by("number"))
    ahead = _rounds_ahead(head) if changed else ()
    if not ahead:
        return None
    gone = set(away.values_list("entry", flat=True))
    matches = Match.objects.filter(round__stage__tournament=head.pk, round__number__in=ahead)
    seated = {entry for places in matches.values_list(*PLACES) for entry in places}
    leaving = gone & seated
    leavers = [entry.shown_name for entry in changed if entry.pk in leaving]
    latecomers = [
        entry.shown_name
        for entry in changed
        if entry.pk not in gone and entry.joined_round > ahead[0]
    ]
    if not leavers and not latecomers:
        return None
    return ReplanOffer(ahead[0], ahead[-1], tuple(leavers), tuple(latecomers))


def _rounds_ahead(head: TournamentHead) -> tuple[int, ...]:
    """Return the published rounds of the stage in play after the last one that has begun."""
    played = played_matches(Match.objects.filter(round=OuterRef("pk")))
    rounds = Round.objects.filter(
        stage__tournament=head.pk, stage__number=head.current_stage.number
    ).exclude(state=Round.State.DRAFT)
    ahead: list[int] = []
    for round_ in rounds.annotate(has_play=Exists(played)).order_by("number"):
        is_on = round_.clock_started_at is not None or round_.state == Round.State.CLOSED
        ahead = [] if is_on or round_.has_play else [*ahead, round_.number]
    return tuple(ahead)

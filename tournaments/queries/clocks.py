"""The clock of a round: how much is left, and when it ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from tournaments.models import Round
from tournaments.queries.find import found
from tournaments.queries.heads import TournamentHead

MINUTE = 60  # seconds
USUAL_MINUTES = 60
"""What is proposed before a clock was ever started in the tournament."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a round at a moment.

    ``state`` is ``unset``, ``running``, ``stopped`` or ``over``; ``left`` are whole seconds, and
    ``ends_at`` is told only while it is running or over. ``minutes`` is how long the round lasts,
    or what is proposed.
    """

    round: int
    state: str
    minutes: int
    left: int
    ends_at: datetime | None
    may_set: bool

    @property
    def minutes_left(self) -> int:
        """Minutes that are left, a begun one counted as whole."""
        return -(-self.left // MINUTE)


def round_clock(head: TournamentHead, number: int, *, now: datetime | None = None) -> Clock | None:
    """Return the clock of a round; nothing where none is set and the viewer may set none.

    A round that is closed has none any more. ``head`` is the viewer's, who sees the round. One
    query, two where the clock is to be set.
    """
    rounds = Round.objects.filter(stage__tournament=head.pk)
    round_ = found(rounds.filter(number=number).first())
    may_set = head.may.arbitrate and round_.state == Round.State.PUBLISHED
    if round_.state == Round.State.CLOSED:
        return None
    if round_.clock_started_at is None or not round_.minutes:
        if not may_set:
            return None
        before = rounds.filter(minutes__isnull=False).order_by("-number").values_list("minutes")
        usual = next((minutes for (minutes,) in before[:1] if minutes), USUAL_MINUTES)
        return Clock(number, "unset", usual, 0, None, may_set)
    ends = round_.clock_started_at + timedelta(minutes=round_.minutes)
    stopped = round_.clock_stopped_at
    left = max(0, round((ends - (stopped or now or timezone.now())).total_seconds()))
    if stopped is not None:
        return Clock(number, "stopped", round_.minutes, left, None, may_set)
    return Clock(number, "running" if left else "over", round_.minutes, left, ends, may_set)

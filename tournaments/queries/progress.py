"""How far the bots of a round have got: matches, hands, how fast, and when it may be over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, OuterRef, Q, Subquery
from django.utils import timezone

from tournaments.models import Arena, Attempt, Hand, Match, Record, Round
from tournaments.permissions import Actor
from tournaments.queries.find import find_round, found

LATELY: Final = timedelta(seconds=60)
"""The stretch of play by which the speed is told."""

LEAST_RECORDS: Final = 4
"""Records lately before which no speed is told."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the bot matches of a round have got.

    Of ``total`` matches, ``played`` have a result, ``running`` are in a worker's hands, ``stuck``
    are left to the arbiter, ``waiting`` are the rest; ``workers`` are those who play (host and
    process). ``records`` and ``hands`` have been accepted, ``rate`` of the latter a second lately;
    ``estimated_end`` is what follows from that. Both are missing while there is too little to tell
    by, and while nothing is played. ``paused`` is the round, ``arena_paused`` the whole service.
    """

    total: int
    played: int
    running: int
    waiting: int
    stuck: int
    asked: bool
    finished: bool
    paused: bool = False
    arena_paused: bool = False
    records: int = 0
    hands: int = 0
    workers: tuple[str, ...] = ()
    rate: float | None = None
    estimated_end: datetime | None = None

    @property
    def is_moving(self) -> bool:
        """The bots have been asked to play and are not through."""
        return self.asked and not self.finished

    @property
    def waits_to_be_asked(self) -> bool:
        """The bots have matches to play that nobody has asked them to, or that they gave up."""
        return not self.finished and (not self.asked or self.stuck > 0)

    @property
    def is_held(self) -> bool:
        """No further match is begun for now."""
        return self.paused or self.arena_paused

    @property
    def board(self) -> str:
        """A word that changes whenever the list of matches does."""
        held = f"{int(self.asked)}{int(self.paused)}"
        return f"{self.played}-{self.running}-{self.stuck}-{held}"

    @property
    def word(self) -> str:
        """A word that changes whenever anything does that is shown."""
        end = "" if self.estimated_end is None else f"{self.estimated_end:%d%H%M}"
        rate = "" if self.rate is None else f"{self.rate:.1f}"
        workers = "".join(self.workers)
        return f"{self.board}-{int(self.arena_paused)}-{self.hands}-{rate}-{end}-{workers}"


def round_progress(slug: str, number: int, viewer: Actor) -> tuple[Round, Progress]:
    """Return a round and how far its bots are: the round's own queries and five; two at the end.

    Refuses NOT_FOUND where no match of it is between bots.
    """
    round_ = find_round(slug, number, viewer)
    return round_, found(progress_of(round_))


def progress_of(round_: Round) -> Progress | None:
    """Return how far the bots of a round are; nothing where no match is between bots."""
    pending = Q(state=Match.State.PENDING)
    counts = round_.matches.of_bots().aggregate(
        total=Count("pk"),
        open=Count("pk", filter=pending),
        stuck=Count("pk", filter=pending & Q(abandoned_at__isnull=False)),
        thirds=Count("third"),
    )
    if not counts["total"]:
        return None
    at_play = counts["open"] > 0 and round_.play_requested_at is not None
    workers = _workers(round_) if at_play else []
    arena_paused = at_play and Arena.objects.paused().exists()
    done = _Done.of(round_)
    rate = _rate(round_) if at_play else None
    to_play = counts["open"] - counts["stuck"]
    per_set = 3 if counts["thirds"] else 2
    left = done.hands_left(to_play, per_set * round_.stage.tournament.deal_sets)
    held = round_.paused_at is not None or arena_paused
    return Progress(
        total=counts["total"],
        played=counts["total"] - counts["open"],
        running=len(workers),
        waiting=max(0, to_play - len(workers)),
        stuck=counts["stuck"],
        asked=round_.play_requested_at is not None,
        finished=not counts["open"],
        paused=round_.paused_at is not None,
        arena_paused=arena_paused,
        records=done.records,
        hands=done.hands,
        workers=tuple(sorted({worker for worker in workers if worker})),
        rate=rate,
        estimated_end=None if held else _end(left, rate),
    )


@dataclass(frozen=True, slots=True)
class _Done:
    """What has been accepted: records and hands, and those of the matches that are decided."""

    records: int
    hands: int
    decided: int
    decided_hands: int

    @classmethod
    def of(cls, round_: Round) -> _Done:
        rows = list(
            Hand.objects.filter(
                record__match__in=round_.matches.of_bots(), record__state=Record.State.ACCEPTED
            )
            .order_by()
            .values_list("record__match__state", "record__match")
            .annotate(hands=Count("pk"), records=Count("record", distinct=True))
            .values_list("record__match__state", "hands", "records")
        )
        over = [hands for state, hands, _ in rows if state != Match.State.PENDING]
        hands, records = sum(row[1] for row in rows), sum(row[2] for row in rows)
        return cls(records, hands, len(over), sum(over))

    def hands_left(self, matches: int, records_a_match: int) -> float | None:
        """Return how many hands are to be played yet, as those before went; or nothing."""
        if self.decided:
            a_match = self.decided_hands / self.decided
        elif self.records and records_a_match:
            a_match = self.hands / self.records * records_a_match
        else:
            return None
        return max(0.0, a_match * matches - (self.hands - self.decided_hands))


def _workers(round_: Round) -> list[str]:
    """Return for each match in a worker's hands who has it."""
    holds = Attempt.objects.filter(match=OuterRef("pk"), token=OuterRef("lease_token"))
    leased = round_.matches.of_bots().leased().filter(state=Match.State.PENDING)
    named = leased.annotate(worker=Subquery(holds.values("worker")[:1]))
    return [worker or "" for worker in named.values_list("worker", flat=True)]


def _rate(round_: Round) -> float | None:
    now = timezone.now()
    records = Record.objects.accepted().filter(
        match__round=round_, source=Record.Source.BOT, created_at__gt=now - LATELY
    )
    rows = records.order_by("created_at").annotate(played=Count("hands"))
    return pace(list(rows.values_list("created_at", "played")), now)


def _end(hands_left: float | None, rate: float | None) -> datetime | None:
    if hands_left is None or not rate:
        return None
    return timezone.now() + timedelta(seconds=hands_left / rate)


def pace(records: Sequence[tuple[datetime, int]], now: datetime) -> float | None:
    """Return hands a second from records in the order of time, each with its moment and hands.

    The clock starts with the first one, whose own hands were played before. Nothing is told by
    fewer than `LEAST_RECORDS`.
    """
    if len(records) < LEAST_RECORDS:
        return None
    seconds = (now - records[0][0]).total_seconds()
    return sum(hands for _, hands in records[1:]) / seconds if seconds > 0 else None

"""Whose play fits hidden cards better than chance: a queue for arbiters, and no accusation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

import engine
from tournaments.models import AnalysedHand, AnalysedSeat, Club, Hand, Player, Record, Review
from tournaments.permissions import Actor, may_arbitrate, refuse_unless
from tournaments.queries.find import find_club, found

RATE: Final = 0.01
"""How often somebody is in the queue although all play honestly."""

MOST_HANDS: Final = 8
"""Hands of each player that are linked: those in which his choices fitted best."""


@dataclass(frozen=True, slots=True)
class HandLink:
    """A hand to look at: where it is, and how well the player's choices fitted in it."""

    match_pk: int
    number: int
    tournament: str
    choices: int
    fit: float


@dataclass(frozen=True, slots=True)
class NoteRow:
    """That somebody has looked at a player, over so many hands, and what he noted."""

    made_by: str
    made_at: datetime
    hands: int
    note: str


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A player in the queue; ``a_hand``, ``error``, ``chance``, ``corrected`` are the engine's.

    ``notes`` have the newest first; ``looked_at`` says that no hand was added since.
    """

    player: int
    code: str
    name: str
    hands: int
    choices: int
    a_hand: float
    error: float
    chance: float
    corrected: float
    links: tuple[HandLink, ...]
    notes: tuple[NoteRow, ...]

    @property
    def looked_at(self) -> bool:
        """An arbiter has noted something since the last hand."""
        return any(note.hands >= self.hands for note in self.notes)


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """The queue of a club: who is in it of the ``tested`` players with enough hands.

    ``rate`` is how often anybody at all would be in it if all were honest.
    """

    club: str
    club_slug: str
    tested: int
    rate: float
    rows: tuple[ReviewRow, ...]


def review_page(slug: str, viewer: Actor) -> ReviewPage:
    """Return the queue of a club, for its arbiters alone: seven queries at most.

    What was played in the viewer's own matches is left out. Refuses SIGN_IN, FORBIDDEN.
    """
    club = find_club(slug, viewer)
    refuse_unless(may_arbitrate(viewer, club), viewer)
    seats = _by_player(_seats(club, viewer))
    fits = {player: [seat.fit for seat in rows] for player, rows in seats.items()}
    queued = engine.arbiter_queue(fits, rate=RATE)
    tested = sum(engine.fit_of(each).chance is not None for each in fits.values())
    people = Player.objects.in_bulk([one.player for one in queued])
    notes = _notes(club, people)
    return ReviewPage(
        club.name,
        club.slug,
        tested,
        RATE,
        tuple(
            _row(one, people[one.player], seats[one.player], notes.get(one.player, ()))
            for one in queued
        ),
    )


def review_row(slug: str, player_pk: int, viewer: Actor) -> ReviewRow:
    """Return one player's row of the queue; refuses NOT_FOUND who is not in it."""
    page = review_page(slug, viewer)
    return found(next((row for row in page.rows if row.player == player_pk), None))


def _seats(club: Club, viewer: Actor) -> QuerySet[AnalysedSeat]:
    """Return the seats with choices of the club's players, but for the viewer's own matches."""
    hands = AnalysedHand.objects.counting().filter(
        analysis__version=engine.ANALYSIS_VERSION,
        hand__record__match__round__stage__tournament__club=club,
    )
    seats = AnalysedSeat.objects.filter(hand__in=hands, player__isnull=False, choices__gt=0)
    if viewer.user is None:
        return seats
    own = AnalysedSeat.objects.filter(player__user=viewer.user)
    return seats.exclude(hand__hand__record__match__in=own.values("hand__hand__record__match"))


def _by_player(seats: QuerySet[AnalysedSeat]) -> Mapping[int, list[AnalysedSeat]]:
    """Return the seats by player, each with where it is; one query."""
    earlier = (
        Hand.objects.filter(
            record__match=OuterRef("hand__hand__record__match"),
            record__state=Record.State.ACCEPTED,
            record__coto__lt=OuterRef("hand__hand__record__coto"),
        )
        .order_by()
        .values("record__match")
        .annotate(count=Count("pk"))
        .values("count")
    )
    rows = seats.select_related("hand__hand__record__match__round__stage__tournament").order_by(
        "pk"
    )
    rows = rows.defer("hand__hand__record__text", "hand__hand__record__verdict")
    found_by: dict[int, list[AnalysedSeat]] = defaultdict(list)
    for seat in rows.annotate(earlier=Coalesce(Subquery(earlier), 0)):
        found_by[seat.player_id or 0].append(seat)
    return found_by


def _notes(club: Club, players: Iterable[int]) -> Mapping[int, tuple[NoteRow, ...]]:
    """Return the notes on players, by player; one query."""
    found_by: dict[int, tuple[NoteRow, ...]] = defaultdict(tuple)
    for row in Review.objects.filter(club=club, player__in=players):
        note = NoteRow(row.made_by, row.made_at, row.hands, row.note)
        found_by[row.player_id] = (*found_by[row.player_id], note)
    return found_by


def _row(
    queued: engine.QueuedPlayer[int],
    player: Player,
    seats: Sequence[AnalysedSeat],
    notes: Sequence[NoteRow],
) -> ReviewRow:
    best = sorted(seats, key=lambda seat: (-seat.fit, seat.pk))[:MOST_HANDS]
    return ReviewRow(
        player=player.pk,
        code=player.code,
        name=player.name,
        hands=queued.fit.hands,
        choices=sum(seat.choices for seat in seats),
        a_hand=queued.fit.a_hand,
        error=queued.fit.error or 0.0,
        chance=queued.fit.chance or 0.0,
        corrected=queued.corrected,
        links=tuple(_link(seat) for seat in best),
        notes=tuple(notes),
    )


def _link(seat: AnalysedSeat) -> HandLink:
    match = seat.hand.hand.record.match
    number = seat.hand.hand.number + seat.earlier  # type: ignore[attr-defined]
    return HandLink(match.pk, number, match.tournament.name, seat.choices, seat.fit)

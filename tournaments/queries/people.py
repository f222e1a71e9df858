"""The front page and a club's page."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Min, Q, QuerySet

from tournaments.models import Club, Round, Tournament
from tournaments.permissions import Actor, Powers, clubs_read_by, powers
from tournaments.queries.find import find_club

MOST_CARDS = 20
"""Tournaments of each kind that the front page shows."""

State = Tournament.State


@dataclass(frozen=True, slots=True)
class ClubCard:
    """A club in short; ``tournaments`` counts those that everybody sees."""

    slug: str
    name: str
    city: str
    players: int
    tournaments: int


@dataclass(frozen=True, slots=True)
class TournamentCard:
    """A tournament in short; ``current_round`` is the first one being played, if one is."""

    slug: str
    name: str
    club_name: str
    club_slug: str
    state: str
    entries: int
    rounds: int
    rounds_closed: int
    current_round: int | None


@dataclass(frozen=True, slots=True)
class Home:
    """The front page: clubs, and the newest tournaments, ``live`` (drafts last) and finished."""

    clubs: tuple[ClubCard, ...]
    live: tuple[TournamentCard, ...]
    finished: tuple[TournamentCard, ...]


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player of the club."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair of the club, its players by name."""

    code: str
    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ClubPage:
    """A club with its people and its tournaments, the newest first."""

    slug: str
    name: str
    city: str
    players: tuple[PlayerRow, ...]
    pairs: tuple[PairRow, ...]
    tournaments: tuple[TournamentCard, ...]
    may: Powers


def home(viewer: Actor) -> Home:
    """Return the front page: four queries, three for a viewer unknown."""
    running = _cards(Tournament.objects.filter(state=State.RUNNING)[:MOST_CARDS])
    finished = _cards(Tournament.objects.filter(state=State.FINISHED)[:MOST_CARDS])
    return Home(clubs(), (*running, *_drafts(viewer)), finished)


def clubs() -> tuple[ClubCard, ...]:
    """Return every club; one query."""
    return _club_cards(Club.objects.all())


def clubs_after(slug: str, count: int) -> tuple[ClubCard, ...]:
    """Return the next clubs in the order of their short names; one query."""
    return _club_cards(Club.objects.filter(slug__gt=slug).order_by("slug")[:count])


def tournaments_after(slug: str, count: int, viewer: Actor) -> tuple[TournamentCard, ...]:
    """Return the next tournaments that the viewer may see, in the same way; one query."""
    seen = ~Q(state=State.DRAFT)
    if not viewer.is_anonymous:
        seen |= Q(club__in=clubs_read_by(viewer))
    rows = Tournament.objects.filter(seen, slug__gt=slug)
    return _cards(rows.order_by("slug")[:count])


def _club_cards(clubs: QuerySet[Club]) -> tuple[ClubCard, ...]:
    """Return clubs in short; one query."""
    shown = ~Q(tournaments__state=State.DRAFT)
    rows = clubs.annotate(
        player_count=Count("players", distinct=True),
        tournament_count=Count("tournaments", filter=shown, distinct=True),
    )
    return tuple(
        ClubCard(club.slug, club.name, club.city, club.player_count, club.tournament_count)
        for club in rows
    )


def club_page(slug: str, viewer: Actor) -> ClubPage:
    """Return a club's page; its drafts are for members. Five queries, four for one unknown."""
    club = find_club(slug, viewer)
    allowed = powers(viewer, club)
    tournaments = club.tournaments.all()
    if not allowed.member:
        tournaments = tournaments.exclude(state=State.DRAFT)
    pairs = club.pairs.select_related("first", "second")
    return ClubPage(
        slug=club.slug,
        name=club.name,
        city=club.city,
        players=tuple(PlayerRow(player.code, player.name) for player in club.players.all()),
        pairs=tuple(PairRow(p.code, p.name, p.first.name, p.second.name) for p in pairs),
        tournaments=_cards(tournaments),
        may=allowed,
    )


def _drafts(viewer: Actor) -> tuple[TournamentCard, ...]:
    """Return the drafts of the viewer's clubs."""
    drafts = Tournament.objects.filter(state=State.DRAFT, club__in=clubs_read_by(viewer))
    return () if viewer.is_anonymous else _cards(drafts[:MOST_CARDS])


def _cards(tournaments: QuerySet[Tournament]) -> tuple[TournamentCard, ...]:
    """Return tournaments in short; one query."""
    of_state = "stages__rounds__state"
    rows = tournaments.select_related("club").annotate(
        entry_count=Count("entries", distinct=True),
        round_count=Count("stages__rounds", distinct=True),
        closed_count=Count(
            "stages__rounds", filter=Q(**{of_state: Round.State.CLOSED}), distinct=True
        ),
        playing=Min("stages__rounds__number", filter=Q(**{of_state: Round.State.PUBLISHED})),
    )
    return tuple(
        TournamentCard(
            slug=row.slug,
            name=row.name,
            club_name=row.club.name,
            club_slug=row.club.slug,
            state=row.state,
            entries=row.entry_count,
            rounds=row.round_count,
            rounds_closed=row.closed_count,
            current_round=row.playing,
        )
        for row in rows
    )

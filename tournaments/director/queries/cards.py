"""Lists of tournaments: the front page, a club's page and the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournaments.core.db import row_of
from tournaments.core.find import find_club, first_by_name
from tournaments.core.permissions import (
    Actor,
    ClubRights,
    club_rights,
    clubs_with_member,
    visible_condition,
)
from tournaments.director.queries.state import planned_rounds
from tournaments.domain.names import sort_key
from tournaments.models import AuditEvent, Club, Day, Entry, Match, Round, Stage, Tournament
from tournaments.people.queries import (
    ClubCard,
    PairRow,
    PlayerRow,
    ProfileRow,
    club_cards,
    count_related,
    first_named,
    profile_of,
)

MAX_CARDS = 20
"""Tournaments of each kind that the front page shows."""

MAX_CLUBS = 24
"""Clubs that the front page shows, unless all are asked for."""

State = Tournament.State


@dataclass(frozen=True, slots=True)
class TournamentCard:
    """A tournament in a list; ``rounds`` and ``current_round`` as in `heads.TournamentHead`."""

    slug: str
    name: str
    club_name: str
    club_slug: str
    state: str
    entries: int
    rounds: int
    rounds_closed: int
    current_round: int | None
    rounds_known: bool = True
    visibility: str = Tournament.Visibility.PUBLIC.value
    begins_at: datetime | None = None
    place: str = ""

    @property
    def is_private(self) -> bool:
        """Only the club and the people who play in it may read it."""
        return self.visibility == Tournament.Visibility.PRIVATE


@dataclass(frozen=True, slots=True)
class Home:
    """The front page: clubs, and the newest tournaments, ``live`` (drafts last) and finished.

    Those that bots alone played are not among the finished: they are on the bots' pages.
    ``has_more``: there are more clubs than are shown.
    """

    clubs: tuple[ClubCard, ...]
    live: tuple[TournamentCard, ...]
    finished: tuple[TournamentCard, ...]
    has_more: bool
    coming: tuple[TournamentCard, ...] = ()

    @property
    def playing(self) -> int:
        """How many of the shown tournaments are in play."""
        return sum(card.state == State.RUNNING for card in self.live)


@dataclass(frozen=True, slots=True)
class ClubPage:
    """A club with its players, pairs and tournaments, the latest first."""

    slug: str
    name: str
    city: str
    players: tuple[PlayerRow, ...]
    pairs: tuple[PairRow, ...]
    tournaments: tuple[TournamentCard, ...]
    may: ClubRights
    coming: tuple[TournamentCard, ...] = ()
    people_in_search: bool = False
    profile: ProfileRow = ProfileRow()


def home(viewer: Actor, *, all_clubs: bool = False) -> Home:
    """Return the front page: eight queries, six for anonymous visitors."""
    tournaments = Tournament.objects.filter(visible_condition(viewer))
    running = cards_of(tournaments.filter(state=State.RUNNING)[:MAX_CARDS])
    finished = cards_of(finished_by_people(tournaments)[:MAX_CARDS])
    clubs = Club.objects.all()
    keys = [] if all_clubs else first_by_name(clubs, MAX_CLUBS + 1)
    has_more = len(keys) > MAX_CLUBS
    cards = club_cards(clubs if all_clubs else clubs.filter(pk__in=keys[:MAX_CLUBS]))
    sorted_cards = tuple(sorted(cards, key=lambda club: sort_key(club.name)))
    coming = cards_of(posted(Tournament.objects.all())[:MAX_CARDS])
    live = (*running, *_drafts(viewer))
    return Home(sorted_cards, live, finished, has_more, coming)


def posted(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Filter the posted drafts that everybody may know of, the next first."""
    return tournaments.filter(
        state=State.DRAFT,
        visibility=Tournament.Visibility.PUBLIC,
        posted_at__isnull=False,
        cancelled_at=None,
    ).order_by("begins_at", "pk")


def tournaments_after(
    slug: str, count: int, viewer: Actor, params: Mapping[str, Any] | None = None
) -> tuple[TournamentCard, ...]:
    """Return the next tournaments that the viewer may read, by short name; two queries.

    ``params`` may narrow them to a ``state``, a ``ruleset``, a ``club`` by its short name, a
    ``format`` of any of their stages, a part of the ``name``, and to those ``changed_since`` a
    moment.
    """
    filters = dict(params or {})
    rows = Tournament.objects.filter(visible_condition(viewer), slug__gt=slug)
    for name, field in (("state", "state"), ("ruleset", "ruleset"), ("club", "club__slug")):
        if name in filters:
            rows = rows.filter(**{field: filters[name]})
    if "format" in filters:
        stages = Stage.objects.filter(tournament=OuterRef("pk"), format=filters["format"])
        rows = rows.filter(Exists(stages))
    if "changed_since" in filters:
        since = AuditEvent.objects.filter(
            tournament=OuterRef("pk"), at__gte=filters["changed_since"]
        )
        rows = rows.filter(Exists(since))
    return cards_of(first_named(rows, count, filters.get("name", "")))


def club_page(slug: str, viewer: Actor) -> ClubPage:
    """Return a club's page; drafts are for members. Eight queries, seven for anonymous visitors."""
    club = find_club(slug)
    allowed = club_rights(viewer, club)
    tournaments = club.tournaments.all()
    if not allowed.member:
        tournaments = tournaments.filter(visible_condition(viewer))
    players = club.players.filter(same_as=None)
    pairs = club.pairs.filter(same_as=None).select_related("first", "second")
    return ClubPage(
        slug=club.slug,
        name=club.name,
        city=club.city,
        players=tuple(PlayerRow(player.code, player.name, player.pk) for player in players),
        pairs=tuple(PairRow(p.code, p.name, p.first.name, p.second.name, p.pk) for p in pairs),
        tournaments=cards_of(latest_first(tournaments)),
        may=allowed,
        coming=cards_of(posted(club.tournaments.all())[:MAX_CARDS]),
        people_in_search=club.people_in_search,
        profile=profile_of(club),
    )


def _drafts(viewer: Actor) -> tuple[TournamentCard, ...]:
    """Return the drafts of the viewer's clubs, without those among the coming tournaments."""
    drafts = Tournament.objects.filter(state=State.DRAFT, club__in=clubs_with_member(viewer))
    drafts = drafts.exclude(pk__in=posted(drafts).order_by().values("pk"))
    return () if viewer.is_anonymous else cards_of(drafts[:MAX_CARDS])


def latest_first(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Order tournaments by when they were played, the latest first, and add it as ``held_at``.

    That is their beginning, else their first planned day, else the publication of their first
    round; of those without any it is when they were created.
    """
    days = Day.objects.filter(tournament=OuterRef("pk"), starts_at__isnull=False)
    rounds = Round.objects.filter(stage__tournament=OuterRef("pk"), published_at__isnull=False)
    first_day = Subquery(days.order_by("starts_at").values("starts_at")[:1])
    first_round = Subquery(rounds.order_by("published_at").values("published_at")[:1])
    held_at = Coalesce("begins_at", first_day, first_round, "created_at")
    return tournaments.annotate(held_at=held_at).order_by("-held_at", "-pk")


def finished_by_people(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Filter the finished tournaments in which not only bots played, the latest first."""
    people = Entry.objects.filter(tournament=OuterRef("pk"), bot=None)
    return latest_first(tournaments.filter(Exists(people), state=State.FINISHED))


def playing_round() -> Coalesce:
    """Return an expression for the round in play of each tournament, as `state.current_round`."""
    published = Round.objects.filter(
        state=Round.State.PUBLISHED, stage__tournament=OuterRef("pk")
    ).values("number")
    to_play = Match.objects.filter(round=OuterRef("pk"), state=Match.State.PENDING)
    first = published.filter(Exists(to_play)).order_by("number")[:1]
    return Coalesce(Subquery(first), Subquery(published.order_by("-number")[:1]))


def cards_of(tournaments: QuerySet[Tournament]) -> tuple[TournamentCard, ...]:
    """Return tournaments for a list; two queries."""
    rounds, path = Round.objects.all(), "stage__tournament"
    stages = Prefetch("stages", Stage.objects.order_by("number"))
    rows = tournaments.select_related("club").prefetch_related(stages)
    rows = rows.annotate(
        entry_count=count_related(Entry.objects.all(), "tournament"),
        seen_count=count_related(rounds.exclude(state=Round.State.DRAFT), path),
        closed_count=count_related(rounds.filter(state=Round.State.CLOSED), path),
        playing=playing_round(),
    )
    cards = []
    for row in rows:
        planned, is_known = planned_rounds(row, tuple(row.stages.all()), row.seen_count)
        cards.append(
            row_of(
                TournamentCard,
                row,
                club_name=row.club.name,
                club_slug=row.club.slug,
                entries=row.entry_count,
                rounds=planned,
                rounds_known=is_known,
                rounds_closed=row.closed_count,
                current_round=row.playing,
            )
        )
    return tuple(cards)

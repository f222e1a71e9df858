"""The front page: what is on, what is coming, and who won.

What a tournament adds to its card is the same for all visitors, and cached by its version.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, TypeVar

from django.db.models import F

from tournaments.core.cache import get_or_compute
from tournaments.core.live_version import live_versions
from tournaments.core.permissions import NOBODY, Actor
from tournaments.director.queries import cards
from tournaments.director.queries.cards import TournamentCard
from tournaments.director.queries.desk import Clock, clock_of
from tournaments.domain.standing_rows import StandingRow
from tournaments.front.queries.week import HandChoice, week_choice
from tournaments.live.queries.broadcast import broadcast
from tournaments.models import Round, Tournament
from tournaments.people.queries import ClubCard
from tournaments.signup.queries.places import PlacesLeft, places_left
from tournaments.standings.queries.standings import standings_page

MAX_LIVE: Final = 4
MAX_COMING: Final = 6
MAX_FINISHED: Final = 8
"""Tournaments of each kind of which the front page shows more than the card."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a tournament stands: its leaders, and the tables done of the round in play."""

    leaders: tuple[StandingRow, ...]
    played: int
    total: int


@dataclass(frozen=True, slots=True)
class LivePanel:
    """A tournament in play; ``standing`` is None for a card alone (private, or of many)."""

    card: TournamentCard
    standing: Standing | None = None
    clock: Clock | None = None


@dataclass(frozen=True, slots=True)
class ComingPanel:
    """A posted tournament; ``left`` is None where nobody signs up on the web, or of many."""

    card: TournamentCard
    left: PlacesLeft | None = None


@dataclass(frozen=True, slots=True)
class FinishedPanel:
    """A finished tournament and its first three people.

    None for a card alone (private, or of many).
    """

    card: TournamentCard
    podium: tuple[StandingRow, ...] = ()


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The front page; ``only_club`` is the club of a service that has one."""

    clubs: tuple[ClubCard, ...]
    has_more: bool
    live: tuple[LivePanel, ...]
    drafts: tuple[TournamentCard, ...]
    coming: tuple[ComingPanel, ...]
    finished: tuple[FinishedPanel, ...]
    week: HandChoice | None

    @property
    def only_club(self) -> ClubCard | None:
        """The club, where there is one."""
        return self.clubs[0] if len(self.clubs) == 1 and not self.has_more else None

    @property
    def is_empty(self) -> bool:
        """There is no tournament that the viewer sees."""
        return not (self.live or self.drafts or self.coming or self.finished)

    @property
    def is_single(self) -> bool:
        """There is one tournament."""
        return len(self.live) + len(self.drafts) + len(self.coming) + len(self.finished) == 1


def front_page(viewer: Actor, *, all_clubs: bool = False) -> FrontPage:
    """Return the front page: thirteen queries at most once its parts are cached."""
    home = cards.home(viewer, all_clubs=all_clubs)
    running = [card for card in home.live if card.state == Tournament.State.RUNNING]
    live = [card for card in running if not card.is_private][:MAX_LIVE]
    coming = home.coming[:MAX_COMING]
    ended = [card for card in home.finished if not card.is_private][:MAX_FINISHED]
    versions = live_versions([card.slug for card in (*live, *coming, *ended)])

    def cached(card: TournamentCard, part: str, compute: Callable[[str], Value]) -> Value | None:
        version = versions.get(card.slug)
        if version is None:
            return None
        key = f"front:{part}:{card.slug}:{version}"
        return get_or_compute(key, lambda: (compute(card.slug),))[0]  # None itself is not kept

    clocks = _clocks(live)
    panels = {
        card.slug: LivePanel(card, cached(card, "live", _standing), clocks.get(card.slug))
        for card in live
    }
    podiums = {card.slug: cached(card, "podium", _podium) or () for card in ended}
    places = {card.slug: cached(card, "places", _places) for card in coming}
    return FrontPage(
        clubs=home.clubs,
        has_more=home.has_more,
        live=tuple(panels.get(card.slug, LivePanel(card)) for card in running),
        drafts=tuple(card for card in home.live if card.state == Tournament.State.DRAFT),
        coming=tuple(ComingPanel(card, places.get(card.slug)) for card in home.coming),
        finished=tuple(FinishedPanel(card, podiums.get(card.slug, ())) for card in home.finished),
        week=week_choice(),
    )


def _standing(slug: str) -> Standing:
    cast = broadcast(slug, NOBODY)
    return Standing(cast.leaders, cast.played, cast.total)


def _podium(slug: str) -> tuple[StandingRow, ...]:
    return standings_page(slug, NOBODY).people_podium


def _places(slug: str) -> PlacesLeft | None:
    return places_left(Tournament.objects.get(slug=slug))


def _clocks(live: Collection[TournamentCard]) -> dict[str, Clock | None]:
    """Return the clocks of the rounds in play, by the tournament's short name; one query."""
    wanted = {(card.slug, card.current_round) for card in live}
    rounds = Round.objects.filter(
        stage__tournament__slug__in=[card.slug for card in live], state=Round.State.PUBLISHED
    ).annotate(slug=F("stage__tournament__slug"))
    rounds = rounds.select_related("stage")
    return {row.slug: clock_of(row) for row in rounds if (row.slug, row.number) in wanted}

"""A club's page: what is played, coming and over, and its people and pairs, page by page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Page, Paginator

from tournaments.core.find import find_club
from tournaments.core.permissions import Actor, ClubRights, club_rights, visible_condition
from tournaments.director.queries.cards import (
    MAX_CARDS,
    TournamentCard,
    cards_of,
    finished_by_people,
    latest_first,
    posted,
)
from tournaments.domain.names import shown_name, sort_key
from tournaments.models import Tournament
from tournaments.people.queries import PairRow, PlayerRow, ProfileRow, profile_of

MAX_RUNNING: Final = 4
TOURNAMENTS: Final = 24
"""Tournaments on a page of the list."""

LINES: Final = 200
"""Players, and pairs, on a page of the list; shorter lists are whole."""


@dataclass(frozen=True, slots=True)
class ClubFront:
    """A club's page; ``ended`` is the tournament that people played last.

    The pages of the lists hold `TournamentCard`, `PairRow` and `PlayerRow`.
    """

    slug: str
    name: str
    city: str
    may: ClubRights
    running: tuple[TournamentCard, ...]
    ended: TournamentCard | None
    coming: tuple[TournamentCard, ...]
    tournaments: Page[Any]
    pairs: Page[Any]
    players: Page[Any]
    profile: ProfileRow


def club_front(slug: str, viewer: Actor, numbers: Mapping[str, str]) -> ClubFront:
    """Return a club's page with the pages of its lists whose ``numbers`` are given by their names.

    Drafts are for members. Fourteen queries at most, at any age of the club.
    """
    club = find_club(slug)
    allowed = club_rights(viewer, club)
    tournaments = club.tournaments.all()
    if not allowed.member:
        tournaments = tournaments.filter(visible_condition(viewer))
    listed = latest_first(tournaments)
    ended = cards_of(finished_by_people(tournaments)[:1])
    page: Page[Any] = Paginator(listed, TOURNAMENTS).get_page(numbers.get("tournaments"))
    page.object_list = cards_of(page.object_list)  # type: ignore[arg-type]  # a slice of `listed`
    players = club.players.filter(same_as=None).values_list("code", "name", "pk")
    pairs = club.pairs.filter(same_as=None).values_list(
        "code", "name", "first__name", "second__name", "pk"
    )
    return ClubFront(
        slug=club.slug,
        name=club.name,
        city=club.city,
        may=allowed,
        running=cards_of(tournaments.filter(state=Tournament.State.RUNNING)[:MAX_RUNNING]),
        ended=ended[0] if ended else None,
        coming=cards_of(posted(club.tournaments.all())[:MAX_CARDS]),
        tournaments=page,
        pairs=_page(
            sorted(pairs, key=lambda row: sort_key(shown_name(row[1], row[2:4]))),
            numbers.get("pairs"),
            PairRow,
        ),
        profile=profile_of(club),
        players=_page(
            sorted(players, key=lambda row: sort_key(row[1])), numbers.get("players"), PlayerRow
        ),
    )


def _page(rows: list[tuple[Any, ...]], number: str | None, row_type: Any) -> Page[Any]:
    """Return a page of rows that were sorted here: collations of databases differ."""
    page = Paginator(rows, LINES).get_page(number)
    page.object_list = [row_type(*row) for row in page.object_list]
    return page

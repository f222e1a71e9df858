"""Head to head: every meeting of two players, pairs or bots in the tournaments of a club."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from tournaments.models import Bot, Club
from tournaments.permissions import Actor
from tournaments.queries.find import find_club
from tournaments.queries.meetings import Played, Tally, Who, find_who, played_by, tally_of

MOST_CHOICES: Final = 1000
"""Players, and pairs, that the two lists offer."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Somebody who can be chosen: ``word`` as that of `Who`."""

    word: str
    name: str


@dataclass(frozen=True, slots=True)
class Meetings:
    """The meetings in one tournament and what they come to, seen from the first of the two."""

    name: str
    slug: str
    tally: Tally
    matches: tuple[Played, ...]


@dataclass(frozen=True, slots=True)
class HeadToHeadPage:
    """Two who met, seen from ``one``; either is missing until it has been chosen.

    ``tally`` sums up all meetings, ``tournaments`` has them one by one, the latest first.
    """

    club: str
    club_slug: str
    players: tuple[Choice, ...]
    pairs: tuple[Choice, ...]
    bots: tuple[Choice, ...]
    one: Who | None
    other: Who | None
    tally: Tally
    tournaments: tuple[Meetings, ...]

    @property
    def is_same(self) -> bool:
        """The same was chosen twice, or a pair and one of its own."""
        if self.one is None or self.other is None:
            return False
        return bool(self.one.keys & self.other.keys)


def head_to_head(slug: str, viewer: Actor, one: str = "", other: str = "") -> HeadToHeadPage:
    """Return the meetings of two in a club: eight queries at most. NOT_FOUND for strangers."""
    club = find_club(slug, viewer)
    first = find_who(one) if one else None
    second = find_who(other) if other else None
    met: tuple[Played, ...] = ()
    if first is not None and second is not None and not first.keys & second.keys:
        met = tuple(row for row in played_by(first, club.pk) if _faces(row, second))
    players, pairs, bots = _choices(club)
    return HeadToHeadPage(
        club=club.name,
        club_slug=club.slug,
        players=players,
        pairs=pairs,
        bots=bots,
        one=first,
        other=second,
        tally=tally_of(met),
        tournaments=_by_tournament(met),
    )


def _faces(row: Played, who: Who) -> bool:
    return who.keys <= {one.key for one in row.opponents}


def _by_tournament(met: Iterable[Played]) -> tuple[Meetings, ...]:
    groups: dict[str, list[Played]] = {}
    for row in met:
        groups.setdefault(row.tournament_slug, []).append(row)
    return tuple(
        Meetings(rows[0].tournament, slug, tally_of(rows), tuple(rows))
        for slug, rows in groups.items()
    )


def _choices(club: Club) -> tuple[tuple[Choice, ...], ...]:
    """Return who can be chosen in a club: its people, and the bots that entered there."""
    players = club.players.order_by("name", "pk").values_list("pk", "name")[:MOST_CHOICES]
    pairs = club.pairs.order_by("name", "pk").values_list("pk", "name")[:MOST_CHOICES]
    entered = Bot.objects.filter(Q(club=club) | Q(entries__tournament__club=club))
    bots = entered.order_by("name", "pk").distinct().values_list("slug", "name")
    return (
        tuple(Choice(f"player-{pk}", name) for pk, name in players),
        tuple(Choice(f"pair-{pk}", name) for pk, name in pairs),
        tuple(Choice(f"bot-{slug}", name) for slug, name in bots[:MOST_CHOICES]),
    )

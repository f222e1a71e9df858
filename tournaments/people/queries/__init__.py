"""Lists of clubs, of the players and pairs of a club, and of those that search engines may list."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar

from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from tournaments.core.db import row_of
from tournaments.core.find import find_club, find_pair_of, find_player_of
from tournaments.core.permissions import (
    Actor,
    public_condition,
    role_in,
)
from tournaments.domain.names import fold_name, players_below, shown_name
from tournaments.models import (
    ApiToken,
    Club,
    ClubPicture,
    ClubProfile,
    Entry,
    Erasure,
    Pair,
    Player,
    Tournament,
)

Named = TypeVar("Named", bound=Model)


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """What a club says of itself, apart from name and town; each may be empty.

    ``colour`` is such as ``#b47c10``.
    """

    address: str = ""
    contact: str = ""
    opening_hours: str = ""
    news: str = ""
    house_terms: str = ""
    colour: str = ""


def profile_of(club: Club) -> ProfileRow:
    """Return what a club says of itself: one query."""
    row = ClubProfile.objects.filter(club=club).first()
    return ProfileRow() if row is None else row_of(ProfileRow, row)


def pictures_of(slug: str) -> dict[str, str]:
    """Return the addresses of a club's pictures, by kind: one query."""
    rows = ClubPicture.objects.filter(club__slug=slug).values_list("kind", "digest")
    return {
        kind: f"{reverse('club-picture', args=[slug, kind])}?v={digest}" for kind, digest in rows
    }


def photo_of(slug: str) -> bytes:
    """Return the photograph of a club, as WebP; empty without one. One query."""
    rows = ClubPicture.objects.filter(club__slug=slug, kind=ClubPicture.Kind.PHOTO)
    return bytes(rows.values_list("content", flat=True).first() or b"")


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token of a program, for that program."""

    name: str
    user: str
    club: str
    club_name: str
    role: str | None
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None


def token_row(actor: Actor, token: ApiToken) -> TokenRow:
    """Return the token of a request: two queries."""
    club = token.club
    return TokenRow(
        token.name,
        token.user.get_username(),
        club.slug,
        club.name,
        role_in(actor, club),
        tuple(scope for scope in ApiToken.Scope.values if scope in token.scopes),
        token.created_at,
        token.expires_at,
    )


@dataclass(frozen=True, slots=True)
class ClubCard:
    """A club in a list; ``tournaments`` counts the public ones."""

    slug: str
    name: str
    city: str
    players: int
    tournaments: int


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player of the club; of a merged one ``same_as`` is the code of the main one."""

    code: str
    name: str
    pk: int
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair of the club, with the names of its players; ``same_as`` as of `PlayerRow`."""

    code: str
    name: str
    first: str
    second: str
    pk: int
    same_as: str | None = None

    @property
    def shown_name(self) -> str:
        """The name; without one of its own, the players."""
        return shown_name(self.name, (self.first, self.second))

    @property
    def shown_players(self) -> tuple[str, ...]:
        """The players to show below the name."""
        return players_below(self.name, (self.first, self.second))


def clubs_after(slug: str, count: int, name: str = "") -> tuple[ClubCard, ...]:
    """Return the next clubs by their short names, with ``name`` in their names."""
    return club_cards(first_named(Club.objects.filter(slug__gt=slug), count, name))


def first_named(rows: QuerySet[Named], count: int, name: str) -> QuerySet[Named]:
    """Return the first rows by short name with ``name`` in their names, as names are compared.

    Where there is no column for that they are compared here, not in the database: its collations
    differ from machine to machine.
    """
    rows = rows.order_by("slug")
    if not name:
        return rows[:count]
    wanted = fold_name(name)
    keys = (pk for pk, text in rows.values_list("pk", "name") if wanted in fold_name(text))
    return rows.filter(pk__in=list(islice(keys, count)))


def players_after(slug: str, code: str, count: int, name: str = "") -> tuple[PlayerRow, ...]:
    """Return the next players of a club by their codes, with ``name`` in their names.

    Merged ones are left out, as in :func:`pairs_after`.
    """
    players = find_club(slug).players.filter(code__gt=code, folded__contains=fold_name(name))
    players = players.filter(same_as=None)
    return tuple(
        PlayerRow(player.code, player.name, player.pk)
        for player in players.order_by("code")[:count]
    )


def pairs_after(slug: str, code: str, count: int, name: str = "") -> tuple[PairRow, ...]:
    """Return the next pairs of a club by their codes, with ``name`` in their names."""
    pairs = find_club(slug).pairs.filter(code__gt=code, folded__contains=fold_name(name))
    rows = pairs.filter(same_as=None).select_related("first", "second").order_by("code")[:count]
    return tuple(
        PairRow(pair.code, pair.name, pair.first.name, pair.second.name, pair.pk) for pair in rows
    )


def player_row(slug: str, _viewer: Actor, code: str) -> PlayerRow:
    """Return a player of a club by code. Refuses NOT_FOUND."""
    row = find_player_of(slug, code)
    return PlayerRow(row.code, row.name, row.pk, _main_code(row))


def pair_row(slug: str, _viewer: Actor, code: str) -> PairRow:
    """Return a pair of a club by code. Refuses NOT_FOUND."""
    row = find_pair_of(slug, code)
    return PairRow(row.code, row.name, row.first.name, row.second.name, row.pk, _main_code(row))


def _main_code(row: Player | Pair) -> str | None:
    return None if row.same_as is None else row.same_as.code


def club_cards(clubs: QuerySet[Club]) -> tuple[ClubCard, ...]:
    """Return clubs for a list; one query."""
    rows = clubs.annotate(
        player_count=count_related(Player.objects.filter(same_as=None), "club"),
        tournament_count=count_related(Tournament.objects.filter(public_condition()), "club"),
    )
    return tuple(
        ClubCard(club.slug, club.name, club.city, club.player_count, club.tournament_count)
        for club in rows
    )


def public_players(keys: Collection[int] | None = None) -> QuerySet[Player]:
    """Return the players that are entered in a public tournament, also under another name.

    ``keys`` narrows them to a main player and those who are merged into it. The entries are read
    once for all players: asked for each player, 3,000 players and 1,000 entries took 2 s.
    """
    paths = ("player", "pair__first", "pair__second")
    entered, *others = (_entered_keys(path, keys) for path in paths)
    return Player.objects.filter(pk__in=entered.union(*others), same_as=None)


def public_pairs(keys: Collection[int] | None = None) -> QuerySet[Pair]:
    """Return the pairs that are entered in a public tournament, as of :func:`public_players`."""
    return Pair.objects.filter(pk__in=_entered_keys("pair", keys), same_as=None)


def players_in_search(keys: Collection[int] | None = None) -> QuerySet[Player]:
    """Return the players whose pages search engines may list: public, not erased, club agrees."""
    players = public_players(keys).filter(club__people_in_search=True)
    return players.exclude(pk__in=_erased_keys())


def pairs_in_search(keys: Collection[int] | None = None) -> QuerySet[Pair]:
    """Return the pairs whose pages search engines may list, as of :func:`players_in_search`."""
    erased = Q(first__in=_erased_keys()) | Q(second__in=_erased_keys())
    return public_pairs(keys).filter(club__people_in_search=True).exclude(erased)


def _entered_keys(path: str, keys: Collection[int] | None) -> QuerySet[Entry, int | None]:
    """Return the main players or pairs to which ``path`` leads from entries in public."""
    entries = Entry.objects.filter(public_condition("tournament__"), **{f"{path}__isnull": False})
    if keys is not None:
        entries = entries.filter(**{f"{path}__in": keys})
    return entries.order_by().values_list(Coalesce(f"{path}__same_as", path))


def _erased_keys() -> QuerySet[Erasure, int | None]:
    return Erasure.objects.exclude(player_key=None).values_list("player_key", flat=True)


def count_related(rows: QuerySet[Any], field: str) -> Coalesce:
    """Return an expression that counts related rows by a subquery for each selected row."""
    own_rows = rows.filter(**{field: OuterRef("pk")}).order_by().values(field)
    return Coalesce(Subquery(own_rows.annotate(count=Count("pk")).values("count")), 0)

"""What an erasure takes away and what it leaves, told before it is done."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.errors import Reason, Refusal
from tournaments.models import (
    Absence,
    ApiToken,
    Bot,
    Club,
    Entry,
    Erasure,
    Membership,
    Pair,
    Player,
    SignIn,
    Tournament,
)
from tournaments.permissions import Actor, may_administer, refuse_unless
from tournaments.queries.find import find_club


@dataclass(frozen=True, slots=True)
class PlayerToErase:
    """A player, how many entries and pairs he has, and the ``tournaments`` not over that he is in.

    ``erased``: it has been done.
    """

    pk: int
    name: str
    code: str
    club_slug: str
    club_name: str
    has_account: bool
    pairs: tuple[str, ...]
    entries: int
    tournaments: tuple[str, ...]
    erased: bool


@dataclass(frozen=True, slots=True)
class AccountToErase:
    """An account and what goes with it; ``stuck`` are clubs that would have no organiser."""

    username: str
    email: str
    roles: int
    sign_ins: int
    tokens: int
    bots: int
    players: tuple[PlayerToErase, ...]
    stuck: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A player of a club; ``erased``: under a number since."""

    pk: int
    name: str
    has_account: bool
    erased: bool


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """The players of a club, for those who may erase them."""

    slug: str
    name: str
    people: tuple[PersonRow, ...]


def people_to_erase(slug: str, viewer: Actor) -> PeoplePage:
    """Return the players of a club by name. Refuses SIGN_IN, FORBIDDEN, NOT_FOUND."""
    club = find_club(slug, viewer)
    refuse_unless(may_administer(viewer, club), viewer)
    gone = Erasure.objects.filter(player_key=OuterRef("pk"))
    players = Player.objects.filter(club=club).order_by("folded").annotate(gone=Exists(gone))
    rows = players.values_list("pk", "name", "user", "gone")
    people = tuple(PersonRow(pk, name, user is not None, erased) for pk, name, user, erased in rows)
    return PeoplePage(club.slug, club.name, people)


def player_to_erase(slug: str, pk: int, viewer: Actor) -> PlayerToErase:
    """Return what erasing a player means. Refuses SIGN_IN, FORBIDDEN, NOT_FOUND; seven queries."""
    return _of_player(player_of_club(slug, pk, viewer))


def player_of_club(slug: str, pk: int, viewer: Actor) -> Player:
    """Return a player for those who administer his club. Refuses as :func:`player_to_erase`."""
    club = find_club(slug, viewer)
    refuse_unless(may_administer(viewer, club), viewer)
    player = Player.objects.filter(pk=pk, club=club).select_related("club").first()
    if player is None:
        raise Refusal(Reason.NOT_FOUND)
    return player


def account_to_erase(user: User) -> AccountToErase:
    """Return what erasing an account means; five queries and four a player of a club."""
    players = Player.objects.filter(user=user).select_related("club").order_by("club_id", "pk")
    return AccountToErase(
        username=user.get_username(),
        email=user.email,
        roles=Membership.objects.filter(user=user).count(),
        sign_ins=SignIn.objects.filter(user=user).count(),
        tokens=ApiToken.objects.filter(user=user).count(),
        bots=Bot.objects.filter(owner=user).count(),
        players=tuple(_of_player(player) for player in players),
        stuck=_left_alone(user),
    )


def entries_of(player: Player) -> QuerySet[Entry]:
    """Return the entries of a player, alone or in a pair."""
    own = Q(player=player) | Q(pair__first=player) | Q(pair__second=player)
    return Entry.objects.filter(own).order_by("tournament_id", "number")


def tournaments_showing(player: Player) -> QuerySet[Tournament]:
    """Return the tournaments that show his name: he has an entry, or stood in for somebody."""
    shown = Q(pk__in=entries_of(player).order_by().values("tournament"))
    shown |= Q(entries__substitutions__comes=player) | Q(entries__substitutions__leaves=player)
    return Tournament.objects.filter(shown).distinct().order_by("pk")


def not_over(player: Player) -> tuple[str, ...]:
    """Return the names of tournaments that are not over and that he has not left for good."""
    left = Absence.objects.filter(entry=OuterRef("pk"), until_round__isnull=True)
    running = entries_of(player).exclude(tournament__state=Tournament.State.FINISHED)
    names = running.filter(~Exists(left)).values_list("tournament__name", flat=True)
    return tuple(dict.fromkeys(names))


def _of_player(player: Player) -> PlayerToErase:
    pairs = Pair.objects.filter(Q(first=player) | Q(second=player)).order_by("code")
    return PlayerToErase(
        pk=player.pk,
        name=player.name,
        code=player.code,
        club_slug=player.club.slug,
        club_name=player.club.name,
        has_account=player.user_id is not None,
        pairs=tuple(pairs.values_list("name", flat=True)),
        entries=entries_of(player).count(),
        tournaments=not_over(player),
        erased=Erasure.objects.filter(player_key=player.pk).exists(),
    )


def _left_alone(user: User) -> tuple[str, ...]:
    """Return the clubs of which somebody is the only organiser."""
    organisers = Membership.objects.filter(role=Membership.Role.ORGANISER)
    others = organisers.filter(club=OuterRef("pk")).exclude(user=user)
    own = Club.objects.filter(memberships__in=organisers.filter(user=user))
    return tuple(own.filter(~Exists(others)).values_list("name", flat=True))

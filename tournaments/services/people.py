"""Clubs and who belongs to them."""

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import Club, Membership, Player
from tournaments.permissions import Actor, may_administer, may_create_club, refuse_unless
from tournaments.services.locks import lock_club
from tournaments.services.naming import checked_name, create_with_slug


@transaction.atomic
def create_club(actor: Actor, *, name: str, city: str = "", slug: str | None = None) -> Club:
    """Found a club; whoever founds it becomes its organiser.

    Refuses FORBIDDEN, BAD_NAME, BAD_SLUG, SLUG_TAKEN.
    """
    refuse_unless(may_create_club(actor), actor)
    name, city = checked_name(name), checked_name(city) if city else ""
    club = create_with_slug(Club.objects.all(), name, slug, city=city)
    if actor.user is not None:
        Membership.objects.create(user=actor.user, club=club, role=Membership.Role.ORGANISER)
    write_event(actor, "club.created", club, club=club, name=name, city=city)
    return club


@transaction.atomic
def add_member(actor: Actor, club: Club, user: User, role: str) -> Membership:
    """Give a user a role in the club, or another one than he had.

    Refuses FORBIDDEN, UNKNOWN_ROLE, LAST_ORGANISER.
    """
    refuse_unless(may_administer(actor, club), actor)
    if role not in Membership.Role.values:
        raise Refusal(Reason.UNKNOWN_ROLE, text=role)
    club = lock_club(club)
    if role != Membership.Role.ORGANISER:
        refuse_to_lose_the_last_organiser(club, user)
    return give_role(actor, club, user, role)


def give_role(actor: Actor, club: Club, user: User, role: str) -> Membership:
    """Give a role in a club that is locked, by a right that was checked."""
    membership, _ = Membership.objects.update_or_create(
        user=user, club=club, defaults={"role": role}
    )
    write_event(
        actor, "member.added", membership, club=club, user=user.get_username(), role=str(role)
    )
    return membership


@transaction.atomic
def remove_member(actor: Actor, club: Club, user: User) -> None:
    """Take somebody's role in the club away; his tokens there do no more than he.

    Refuses FORBIDDEN, NOT_FOUND, LAST_ORGANISER.
    """
    refuse_unless(may_administer(actor, club), actor)
    club = lock_club(club)
    membership = Membership.objects.filter(club=club, user=user).first()
    if membership is None:
        raise Refusal(Reason.NOT_FOUND)
    refuse_to_lose_the_last_organiser(club, user)
    name, role = user.get_username(), membership.role
    write_event(actor, "member.removed", membership, club=club, user=name, role=role)
    membership.delete()


def refuse_to_lose_the_last_organiser(club: Club, user: User) -> None:
    """Refuse LAST_ORGANISER when a club that is locked has no other organiser than this one."""
    organisers = Membership.objects.filter(club=club, role=Membership.Role.ORGANISER)
    keys = set(organisers.values_list("user_id", flat=True))
    if keys == {user.pk}:
        raise Refusal(Reason.LAST_ORGANISER)


@transaction.atomic
def link_player(actor: Actor, player: Player, user: User | None) -> Player:
    """Say which account is the player's own, or that none is.

    Refuses FORBIDDEN.
    """
    refuse_unless(may_administer(actor, player.club), actor)
    return give_account(actor, lock_club(player.club), player, user)


def give_account(actor: Actor, club: Club, player: Player, user: User | None) -> Player:
    """Note a player's account in a club that is locked, by a right that was checked."""
    player.user = user
    player.save(update_fields=["user"])
    name = user.get_username() if user else None
    write_event(actor, "player.linked", player, club=club, code=player.code, user=name)
    return player

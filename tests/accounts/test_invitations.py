"""Invitations: who makes them, what they give, when they are dead."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.clubs import NOBODY, SYSTEM, a_club, arbiter, organiser, program, stranger, user
from tests.support.refusals import refusal
from tournaments.accounts.queries import people_page
from tournaments.accounts.services.invitations import (
    accept_invitation,
    find_invitation,
    invite,
    join_by_invitation,
    revoke_invitation,
)
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor, may_administer
from tournaments.models import AuditEvent, Club, Invitation, Membership, Player
from tournaments.people.services.clubs import add_member, import_players, remove_member

pytestmark = pytest.mark.django_db

GOOD = "la espada corta el viento"


def a_player(club: Club) -> Player:
    import_players(SYSTEM, club, "id,nombre\nJ1,Ana Baturone\n")
    return club.players.get()


def role_of(club: Club, actor: User) -> str:
    return Membership.objects.get(club=club, user=actor).role


def test_one_who_has_the_link_gets_the_role_once() -> None:
    club = a_club()
    boss = organiser(club)
    invitation, text = invite(boss, club, "arbiter", note="Para Ana")
    accept_invitation(Actor.for_user(user("ana")), text)
    assert role_of(club, user("ana")) == "arbiter"
    with refusal(Reason.NOT_FOUND):
        accept_invitation(Actor.for_user(user("berta")), text)
    verbs = AuditEvent.objects.filter(club=club).values_list("verb", flat=True)
    assert list(verbs)[-3:] == ["invitation.made", "member.added", "invitation.accepted"]
    assert AuditEvent.objects.filter(facts__note="Para Ana", actor="olga").exists()
    assert invitation.club == club


def test_the_link_is_not_to_be_had_from_the_rows() -> None:
    club = a_club()
    invitation, text = invite(organiser(club), club, "arbiter")
    secret = text.partition("-")[2]
    assert secret not in str(Invitation.objects.filter(pk=invitation.pk).values().get())
    assert not any(secret in str(event.facts) for event in AuditEvent.objects.all())
    wrong = secret[:-1] + ("a" if secret[-1] != "a" else "b")
    with refusal(Reason.NOT_FOUND):
        find_invitation(f"{invitation.key}-{wrong}")


def test_a_link_dies_of_age_and_when_it_is_taken_back() -> None:
    club = a_club()
    boss = organiser(club)
    old, text = invite(boss, club, "arbiter", days=1)
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    with refusal(Reason.NOT_FOUND):
        find_invitation(text)
    invitation, text = invite(boss, club, "arbiter", uses=3)
    revoke_invitation(boss, invitation)
    revoke_invitation(boss, invitation)
    with refusal(Reason.NOT_FOUND):
        accept_invitation(Actor.for_user(user("ana")), text)
    assert AuditEvent.objects.filter(verb="invitation.revoked").count() == 1


def test_a_link_for_three_is_for_three() -> None:
    club = a_club()
    _row, text = invite(organiser(club), club, "arbiter", uses=3)
    for name in ("ana", "berta", "carla"):
        accept_invitation(Actor.for_user(user(name)), text)
    with refusal(Reason.NOT_FOUND):
        accept_invitation(Actor.for_user(user("diana")), text)


def test_only_organisers_in_person_invite_and_take_back() -> None:
    club = a_club()
    invitation, _text = invite(organiser(club), club, "arbiter")
    for actor in (arbiter(club), stranger(), program(club, "tournaments:manage")):
        with refusal(Reason.FORBIDDEN):
            invite(actor, club, "organiser")
        with refusal(Reason.FORBIDDEN):
            revoke_invitation(actor, invitation)
    with refusal(Reason.SIGN_IN):
        invite(NOBODY, club, "organiser")


def test_an_invitation_ends_when_its_author_may_no_longer_invite() -> None:
    club = a_club()
    boss, other = organiser(club), organiser(club, "paula")
    _row, text = invite(other, club, "organiser")
    add_member(boss, club, user("paula"), "arbiter")
    for accept in (
        lambda: accept_invitation(other, text),
        lambda: join_by_invitation(text, "ana", GOOD),
    ):
        with refusal(Reason.INVITER_NOT_ORGANISER):
            accept()
    assert people_page(club.slug, boss).invitations == ()
    add_member(boss, club, user("paula"), "organiser")
    assert [row.invited_by for row in people_page(club.slug, boss).invitations] == ["paula"]
    user("paula").delete()
    with refusal(Reason.INVITER_NOT_ORGANISER):
        find_invitation(text)


@pytest.mark.parametrize(("days", "uses"), [(0, 1), (91, 1), (7, 0), (7, 51)])
def test_an_invitation_has_its_bounds(days: int, uses: int) -> None:
    club = a_club()
    with refusal(Reason.BAD_INVITATION):
        invite(organiser(club), club, "arbiter", days=days, uses=uses)


def test_nobody_loses_by_an_invitation() -> None:
    club = a_club()
    boss = organiser(club)
    _row, text = invite(boss, club, "arbiter", uses=5)
    with refusal(Reason.ALREADY_MEMBER):
        accept_invitation(boss, text)
    with refusal(Reason.ALREADY_MEMBER):
        accept_invitation(arbiter(club), text)
    _row, text = invite(boss, club, "organiser")
    accept_invitation(arbiter(club), text)
    assert role_of(club, user("alberto")) == "organiser"


def test_a_player_is_informed_which_they_are() -> None:
    club = a_club()
    boss, player = organiser(club), a_player(club)
    _row, text = invite(boss, club, "player", player=player)
    _row, second = invite(boss, club, "player", player=player)
    accept_invitation(Actor.for_user(user("ana")), text)
    player.refresh_from_db()
    assert player.user == user("ana")
    assert not Membership.objects.filter(user=user("ana")).exists()
    with refusal(Reason.PLAYER_HAS_ACCOUNT):
        accept_invitation(Actor.for_user(user("berta")), second)
    with refusal(Reason.PLAYER_HAS_ACCOUNT):
        invite(boss, club, "player", player=player)


def test_a_role_that_is_none_or_without_its_player_is_refused() -> None:
    club, other = a_club(), a_club()
    boss = organiser(club)
    for role in ("king", "player"):
        with refusal(Reason.UNKNOWN_ROLE):
            invite(boss, club, role)
    with refusal(Reason.OTHER_CLUB):
        invite(boss, club, "player", player=a_player(other))


def test_one_who_has_no_account_makes_one_by_the_link_and_not_without() -> None:
    club = a_club()
    _row, text = invite(organiser(club), club, "arbiter")
    with refusal(Reason.BAD_PASSWORD):
        join_by_invitation(text, "ana", "1234")
    with refusal(Reason.BAD_USERNAME):
        join_by_invitation(text, "ana ana", GOOD)
    with refusal(Reason.NAME_TAKEN):
        join_by_invitation(text, "OLGA", GOOD)
    assert not User.objects.filter(username__startswith="ana").exists()
    ana = join_by_invitation(text, "ana", GOOD)
    assert role_of(club, ana) == "arbiter"
    assert ana.check_password(GOOD)
    with refusal(Reason.NOT_FOUND):
        join_by_invitation(text, "berta", GOOD)
    assert not User.objects.filter(username="berta").exists()


def test_a_club_never_loses_its_last_organiser() -> None:
    club = a_club()
    boss = organiser(club)
    with refusal(Reason.LAST_ORGANISER):
        remove_member(boss, club, user("olga"))
    with refusal(Reason.LAST_ORGANISER):
        add_member(boss, club, user("olga"), "arbiter")
    organiser(club, "paula")
    remove_member(boss, club, user("olga"))
    assert not may_administer(boss, club)
    assert AuditEvent.objects.latest("pk").verb == "member.removed"


def test_a_role_is_taken_away_by_organisers_from_those_who_have_one() -> None:
    club = a_club()
    boss, actor = organiser(club), arbiter(club)
    with refusal(Reason.FORBIDDEN):
        remove_member(actor, club, user("olga"))
    with refusal(Reason.NOT_FOUND):
        remove_member(boss, club, user("elena"))
    remove_member(boss, club, user("alberto"))
    assert not Membership.objects.filter(user=user("alberto")).exists()

"""Clubs, members and players' accounts."""

import pytest

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    arbiter,
    organiser,
    program,
    stranger,
    user,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.models import AuditEvent, Membership
from tournaments.people.services.clubs import add_member, create_club

pytestmark = pytest.mark.django_db


def test_who_founds_a_club_organises_it() -> None:
    founder = user("fundadora")
    founder.is_staff = True
    club = create_club(Actor.for_user(founder), name="  Peña  El Cachirulo ", city="Zaragoza")
    assert (club.name, club.slug) == ("Peña El Cachirulo", "pena-el-cachirulo")
    assert Membership.objects.get(club=club).role == "organiser"
    event = AuditEvent.objects.get(club=club)
    assert (event.sequence, event.verb, event.actor) == (1, "club.created", "fundadora")


def test_clubs_of_the_same_name_have_different_short_names() -> None:
    assert [a_club().slug for _ in range(3)] == [
        "casino-de-zaragoza",
        "casino-de-zaragoza-2",
        "casino-de-zaragoza-3",
    ]


def test_a_name_without_letters_still_has_a_short_name() -> None:
    assert create_club(SYSTEM, name="♠♥♣♦").slug == "x"


def test_only_staff_found_clubs() -> None:
    with refusal(Reason.SIGN_IN):
        create_club(NOBODY, name="Uno")
    with refusal(Reason.FORBIDDEN):
        create_club(stranger(), name="Uno")


def test_names_and_short_names_are_checked() -> None:
    club = a_club()
    with refusal(Reason.BAD_NAME) as refused:
        create_club(SYSTEM, name="Ana\u202e")
    assert "\u202e" not in refused.value.message
    with refusal(Reason.BAD_NAME):
        create_club(SYSTEM, name=" ")
    with refusal(Reason.BAD_SLUG):
        create_club(SYSTEM, name="Uno", slug="Peña")
    with refusal(Reason.SLUG_TAKEN):
        create_club(SYSTEM, name="Uno", slug=club.slug)


def test_an_organiser_gives_roles_and_changes_them() -> None:
    club = a_club()
    boss = organiser(club)
    add_member(boss, club, user("ana"), "arbiter")
    add_member(boss, club, user("ana"), "organiser")
    assert Membership.objects.get(club=club, user=user("ana")).role == "organiser"
    with refusal(Reason.UNKNOWN_ROLE):
        add_member(boss, club, user("ana"), "king")


def test_arbiters_strangers_and_programs_give_no_roles() -> None:
    club = a_club()
    for actor in (arbiter(club), stranger(), program(club, "tournaments:manage")):
        with refusal(Reason.FORBIDDEN):
            add_member(actor, club, user("ana"), "arbiter")

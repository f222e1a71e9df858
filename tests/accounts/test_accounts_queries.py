"""What the pages of accounts, roles and tokens read, and how often they ask."""

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.clubs import NOBODY, SYSTEM, a_club, arbiter, link_player, organiser, user
from tests.support.refusals import refusal
from tournaments.accounts.queries import account_page, people_page, tokens_page
from tournaments.accounts.services.invitations import (
    invite,
    issue_token,
    revoke_invitation,
    revoke_token,
)
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.people.services.clubs import import_players

pytestmark = pytest.mark.django_db


def test_an_account_shows_ones_clubs(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    club = a_club()
    boss = organiser(club)
    import_players(SYSTEM, club, "id,nombre\nJ1,Olga Baturone\n")
    link_player(boss, club.players.get(), user("olga"))
    with django_assert_num_queries(6):
        page = account_page(boss, None)
    assert [(belonging.club_slug, belonging.player) for belonging in page.belongings] == [
        (club.slug, ""),
        (club.slug, "Olga Baturone"),
    ]
    assert (page.has_factor, page.held_back, page.sign_ins) == (False, False, ())
    with refusal(Reason.SIGN_IN):
        account_page(NOBODY, None)


def test_an_organiser_sees_who_belongs_and_what_is_open(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    club = a_club()
    boss, other = organiser(club), arbiter(club)
    invite(boss, club, "arbiter", note="Para Ana", uses=2)
    dead, _text = invite(boss, club, "organiser")
    revoke_invitation(boss, dead)
    with django_assert_num_queries(6):
        page = people_page(club.slug, boss)
    assert [(m.username, m.is_organiser, m.alone, m.you) for m in page.members] == [
        ("olga", True, True, True),
        ("alberto", False, False, False),
    ]
    assert [(row.note, row.uses, row.most_uses) for row in page.invitations] == [("Para Ana", 0, 2)]
    for actor in (other, Actor.for_user(user("elena"))):
        with refusal(Reason.FORBIDDEN):
            people_page(club.slug, actor)


def test_tokens_are_reported_without_their_secrets(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    club = a_club()
    boss = organiser(club)
    row, text = issue_token(boss, club, user("olga"), name="Marcador", scopes=["games:read"])
    with django_assert_num_queries(3):
        page = tokens_page(club.slug, boss)
    assert [(token.name, token.is_live, token.last_used_at) for token in page.tokens] == [
        ("Marcador", True, None)
    ]
    assert text.split("_", 2)[2] not in str(page)
    revoke_token(boss, row)
    assert not tokens_page(club.slug, boss).tokens[0].is_live

"""Who may do what, as a table."""

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_draft,
    arbiter,
    club_night_lines,
    disputed_lines,
    link_player,
    organiser,
    program,
    stranger,
    the_liguilla,
    the_match,
    the_round,
    user,
)
from tournaments.core import permissions
from tournaments.core.permissions import Actor
from tournaments.models import Club, Player, Tournament
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db

ALL = ("games:submit", "games:read", "tournaments:manage", "bots:run", "audit:read")


@pytest.fixture
def club() -> Club:
    """A club."""
    return a_club()


@pytest.fixture
def liguilla(club: Club) -> Tournament:
    """The club night with its first round published."""
    return the_liguilla(club, published=1)


def boss(club: Club) -> Actor:
    root = user("root")
    root.is_superuser = True
    return Actor.for_user(root)


def boss_by_token(club: Club) -> Actor:
    root = user("root")
    root.is_superuser = True
    root.save()
    return program(a_club("Otro"), *ALL, of="root")


def player(club: Club) -> Actor:
    name = "Pilar Martínez"
    result = Player.objects.filter(club=club, name=name).first()
    if result:
        link_player(SYSTEM, result, user("pilar"))
    return Actor.for_user(user("pilar"))


WHO = {
    "system": lambda _: SYSTEM,
    "superuser": boss,
    "organiser": organiser,
    "arbiter": arbiter,
    "player": player,
    "stranger": lambda _: stranger(),
    "nobody": lambda _: NOBODY,
    "organiser elsewhere": lambda _: organiser(a_club("Otro"), "otto"),
    "token of all": lambda club: program(club, *ALL, of="tomas"),
    "token to read": lambda club: program(club, "games:read", of="tere"),
    "token to submit": lambda club: program(club, "games:submit", of="teo"),
    "token of none": lambda club: program(club, of="tina"),
    "token elsewhere": lambda _: program(a_club("Más"), *ALL, of="toni"),
    "superuser's token elsewhere": boss_by_token,
}

POWERS = {
    "member": {"system", "superuser", "organiser", "arbiter", "token of all", "token to read"},
    "manage": {"system", "superuser", "organiser", "token of all"},
    "administer": {"system", "superuser", "organiser"},
    "arbitrate": {"system", "superuser", "organiser", "arbiter", "token of all"},
    "submit": {
        "system",
        "superuser",
        "organiser",
        "arbiter",
        "token of all",
        "token to submit",
    },
    "run_bots": {"system", "superuser", "organiser", "token of all"},
    "read_history": {"system", "superuser", "organiser", "arbiter", "token of all"},
}


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("role", WHO)
def test_powers_in_a_club(club: Club, role: str, power: str) -> None:
    club_rights = permissions.club_rights(WHO[role](club), club)
    assert getattr(club_rights, power) is (role in POWERS[power])


def test_the_questions_give_the_powers(club: Club) -> None:
    actor = arbiter(club)
    assert permissions.is_member(actor, club)
    assert permissions.may_arbitrate(actor, club)
    assert permissions.club_rights(actor, club).read_history
    assert not permissions.may_manage(actor, club)
    assert not permissions.may_administer(actor, club)
    assert not permissions.may_run_bots(actor, club)


@pytest.mark.parametrize("role", WHO)
def test_a_draft_is_for_members(club: Club, role: str) -> None:
    assert permissions.may_see(WHO[role](club), a_draft(club)) is (role in POWERS["member"])


@pytest.mark.parametrize("role", WHO)
def test_a_running_tournament_is_for_all_its_draft_rounds_for_members(
    liguilla: Tournament, role: str
) -> None:
    actor = WHO[role](liguilla.club)
    assert permissions.may_see(actor, liguilla)
    assert permissions.may_see_round(actor, the_round(liguilla, 1))
    assert permissions.may_see_round(actor, the_round(liguilla, 2)) is (role in POWERS["member"])


@pytest.mark.parametrize("role", WHO)
def test_a_record_that_counts_is_for_all_and_evidence_for_whom_it_concerns(
    liguilla: Tournament, role: str
) -> None:
    match = the_match(liguilla, 1, 1)
    refused = submit_record(SYSTEM, match, disputed_lines()[0]).record
    accepted = submit_record(SYSTEM, match, club_night_lines()[0]).record
    assert refused is not None
    assert accepted is not None
    actor = WHO[role](liguilla.club)
    assert permissions.may_see_record(actor, accepted)
    assert permissions.may_see_record(actor, refused) is (role in POWERS["member"] | {"player"})


def test_who_submitted_a_record_may_see_it(liguilla: Tournament) -> None:
    scorer = program(liguilla.club, "games:submit")
    record = submit_record(scorer, the_match(liguilla, 1, 1), disputed_lines()[0]).record
    assert record is not None
    assert permissions.may_see_record(scorer, record)
    assert not permissions.may_see_record(program(liguilla.club, "games:submit", of="pepa"), record)
    assert not permissions.may_see_record(program(a_club("Otro"), *ALL), record)


@pytest.mark.parametrize("role", WHO)
def test_records_come_from_the_club_and_from_who_plays(liguilla: Tournament, role: str) -> None:
    actor = WHO[role](liguilla.club)
    club = role in POWERS["submit"]
    assert permissions.may_submit(actor, the_match(liguilla, 1, 1)) is (club or role == "player")
    assert permissions.may_submit(actor, the_match(liguilla, 1, 2)) is club
    assert permissions.may_submit_to(actor, liguilla) is (club or role == "player")
    assert permissions.may_submit_without_play(actor, the_match(liguilla, 1, 1)) is club


def test_only_staff_found_clubs() -> None:
    staff = user("staff")
    staff.is_staff = True
    assert permissions.may_act_as_staff(SYSTEM)
    assert permissions.may_act_as_staff(Actor.for_user(staff))
    assert not permissions.may_act_as_staff(Actor.for_user(user("ana")))
    assert not permissions.may_act_as_staff(NOBODY)


def test_who_is_put_out_is_nobody() -> None:
    account = user("ana")
    account.is_active = False
    assert Actor.for_user(account).is_anonymous
    assert Actor.for_user(AnonymousUser()).is_anonymous
    assert Actor.for_user(AnonymousUser()).label == "anonymous"


def test_keys_are_kept_apart_by_who_sends_them(club: Club) -> None:
    scorer = program(club, "games:submit")
    assert scorer.token is not None
    names = {scorer.scope_name, organiser(club).scope_name, SYSTEM.scope_name}
    assert names == {f"token:{scorer.token.pk}", f"user:{user('olga').pk}", "system"}


# --- Entries, by their code ---------------------------------------------------------------------


def test_an_entry_speaks_in_its_own_matches_and_nowhere_else(liguilla: Tournament) -> None:
    match, other = the_match(liguilla, 1, 1), the_match(liguilla, 1, 2)
    entry = Actor.for_entry(match.home)
    assert permissions.side_of(entry, match) == "home"
    assert permissions.may_submit(entry, match)
    assert permissions.may_submit_to(entry, liguilla)
    assert not permissions.plays_in(entry, other)
    assert not permissions.may_submit(entry, other)
    elsewhere = a_draft(a_club("Otro"), "Otra liguilla")
    assert not permissions.may_submit_to(entry, elsewhere)


def test_an_entry_has_no_powers_in_the_club(liguilla: Tournament) -> None:
    entry = Actor.for_entry(the_match(liguilla, 1, 1).home)
    assert permissions.club_rights(entry, liguilla.club) == permissions.ClubRights()
    assert not permissions.clubs_with_member(entry).exists()
    assert not permissions.may_act_as_staff(entry)


def test_an_entry_is_named_in_the_history_and_is_a_person(liguilla: Tournament) -> None:
    home = the_match(liguilla, 1, 1).home
    entry = Actor.for_entry(home)
    assert entry.label == f"entry {home.number} · {home.name}"
    assert entry.scope_name == f"entry:{home.pk}"
    assert not entry.is_anonymous


def test_a_player_is_on_their_side_and_a_stranger_on_none(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    assert permissions.side_of(player(liguilla.club), match) == "home"
    assert permissions.side_of(stranger(), match) == ""
    assert permissions.side_of(SYSTEM, match) == ""
    assert permissions.side_of(NOBODY, match) == ""

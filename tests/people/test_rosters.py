"""Importing players and pairs."""

import pytest

from tests.clubs import NOBODY, SYSTEM, a_club, arbiter, csv, organiser, the_liguilla
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.faults import IMPORT_FAULTS
from tournaments.models import AuditEvent, Club, Pair, Player
from tournaments.people.services.clubs import ImportCounts, import_pairs, import_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """A club without players."""
    return a_club()


def faults(reason: Reason, act: object) -> list[tuple[str, int, str]]:
    assert callable(act)
    with refusal(reason) as refused:
        act()
    assert all(fault.message and "%(" not in fault.message for fault in refused.value.errors)
    return [(fault.file, fault.line, fault.code) for fault in refused.value.errors]


def test_the_lists_of_the_club_night_are_imported(club: Club) -> None:
    assert import_players(organiser(club), club, csv("players.csv")) == ImportCounts(16, 0, 0)
    assert import_pairs(organiser(club), club, csv("pairs.csv")) == ImportCounts(8, 0, 0)
    pair = Pair.objects.select_related("first", "second").get(code="P5")
    assert (pair.name, pair.first.name, pair.second.name) == (
        "San José",
        "Inés Sanjuán",
        "Félix Lahoz",
    )


def test_a_list_imported_again_changes_nothing(club: Club) -> None:
    import_players(SYSTEM, club, csv("players.csv"))
    import_pairs(SYSTEM, club, csv("pairs.csv"))
    events = AuditEvent.objects.count()
    assert import_players(SYSTEM, club, csv("players.csv")) == ImportCounts(0, 0, 16)
    assert import_pairs(SYSTEM, club, csv("pairs.csv")) == ImportCounts(0, 0, 8)
    assert AuditEvent.objects.count() == events


def test_a_known_code_with_another_name_renames(club: Club) -> None:
    import_players(SYSTEM, club, "id,nombre\nJ1,Ana\nJ2,Bea\n")
    assert import_players(SYSTEM, club, "id,nombre\nj1,Ana María\nJ3,Carmen") == ImportCounts(
        1, 1, 0
    )
    names = Player.objects.filter(club=club).values_list("code", "name")
    assert dict(names) == {"J1": "Ana María", "J2": "Bea", "J3": "Carmen"}
    assert Player.objects.get(code="J1").earlier_names == ("Ana",)


def test_two_players_can_exchange_names(club: Club) -> None:
    import_players(SYSTEM, club, "id,nombre\nJ1,Ana\nJ2,Bea\n")
    assert import_players(SYSTEM, club, "id,nombre\nJ1,Bea\nJ2,Ana\n") == ImportCounts(0, 2, 0)
    assert dict(Player.objects.values_list("code", "name")) == {"J1": "Bea", "J2": "Ana"}


def test_nothing_is_half_imported_and_all_faults_are_reported(club: Club) -> None:
    import_players(SYSTEM, club, "id,nombre\nJ1,Ana\n")
    bad = "id,nombre\nJ2,Bea\nJ3,ANA\nJ2,Carmen\nJ5,\n"
    assert faults(Reason.IMPORT_REFUSED, lambda: import_players(SYSTEM, club, bad)) == [
        ("players", 3, "name_taken"),
        ("players", 4, "duplicate_code"),
        ("players", 5, "name_missing"),
    ]
    assert Player.objects.count() == 1


def test_pairs_name_players_that_the_club_has(club: Club) -> None:
    import_players(SYSTEM, club, "id,nombre\nJ1,Ana\nJ2,Bea\n")
    bad = "pair,name,player1,player2\nP1,Uno,J1,J9\nP2,Dos,J2,J2\n"
    assert faults(Reason.IMPORT_REFUSED, lambda: import_pairs(SYSTEM, club, bad)) == [
        ("pairs", 2, "unknown_player"),
        ("pairs", 3, "same_player_twice"),
    ]
    assert not Pair.objects.exists()


def test_players_of_another_club_are_unknown(club: Club) -> None:
    import_players(SYSTEM, a_club("Otro"), "id,nombre\nJ1,Ana\nJ2,Bea\n")
    bad = "pair,name,player1,player2\nP1,Uno,J1,J2\n"
    assert faults(Reason.IMPORT_REFUSED, lambda: import_pairs(SYSTEM, club, bad)) == [
        ("pairs", 2, "unknown_player"),
        ("pairs", 2, "unknown_player"),
    ]


def test_a_pair_that_is_playing_keeps_its_players() -> None:
    club = the_liguilla().club
    head = "pareja,nombre,jugador1,jugador2\n"
    assert import_pairs(SYSTEM, club, head + "P1,Los Cuarenta,J01,J02\n") == ImportCounts(0, 1, 0)
    assert faults(
        Reason.IMPORT_REFUSED, lambda: import_pairs(SYSTEM, club, head + "P1,Otros,J01,J03\n")
    ) == [("pairs", 2, "pair_in_play")]


def test_only_organisers_import(club: Club) -> None:
    with refusal(Reason.SIGN_IN):
        import_players(NOBODY, club, "id,nombre\n")
    with refusal(Reason.FORBIDDEN):
        import_players(arbiter(club), club, "id,nombre\n")
    with refusal(Reason.FORBIDDEN):
        import_pairs(organiser(a_club("Otro")), club, "pair,name,player1,player2\n")


def test_every_fault_of_a_list_has_its_words() -> None:
    whole_list = {"players_unknown", "line_struck"}
    assert all(
        "%(text)s" in str(text)
        or "missing" in code
        or code in whole_list
        or code.startswith("file_")
        for code, text in IMPORT_FAULTS.items()
    )

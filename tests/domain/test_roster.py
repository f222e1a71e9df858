"""Lists of players and pairs in CSV."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.roster import (
    MAX_LIST_BYTES,
    PairLine,
    PlayerLine,
    RosterFault,
    read_entries,
    read_pairs,
    read_players,
)

CLUB_NIGHT = Path(__file__).parents[2] / "tournaments/management/commands/club_night"


def test_the_lists_of_the_club_night_are_read() -> None:
    players = read_players((CLUB_NIGHT / "players.csv").read_bytes())
    pairs = read_pairs((CLUB_NIGHT / "pairs.csv").read_bytes())
    assert players.faults == pairs.faults == ()
    assert len(players.lines) == 16
    assert players.lines[1] == PlayerLine(3, "J02", "Jesús Ibáñez")
    assert pairs.lines[0] == PairLine(2, "P1", "Las Cuarenta", "J01", "J02")


@pytest.mark.parametrize(
    "source",
    [
        "id,nombre\nJ1,Ana\n",
        "id;nombre\r\nJ1;Ana\r\n",
        "ID , Name\nj1,Ana",
        "name,id\nAna,J1\n",
        "\ufeffid,nombre\n\n\nJ1,Ana\n,\n",
        'id,nombre\n"J1","Ana"\n',
        b"\xef\xbb\xbfid,nombre\nJ1,Ana\n",
        "\n;;\nid;nombre;;\nJ1;Ana;;\n",
        "sep=;\r\nid;nombre\r\nJ1;Ana\r\n",
        "id\tnombre\r\nJ1\tAna\r\n".encode("utf-16"),
        "Socios de la peña;;\nCódigo;Nombre;Teléfono\nJ1;Ana;600111222\nCódigo;Nombre;Teléfono\n",
        "id;nombre\rJ1;\u2068Ana\u2069\r",
    ],
)
def test_spreadsheets_write_the_same_list_in_many_ways(source: bytes | str) -> None:
    players = read_players(source)
    assert players.faults == ()
    assert [(line.code, line.name) for line in players.lines] == [("J1", "Ana")]


def test_the_lines_of_a_spreadsheet_are_no_names() -> None:
    entries = read_entries("sep=,\n,\nJugador,club,\nAna,Peña,\n", pairs=False)
    assert entries.faults == ()
    assert [(line.line, line.first, line.club) for line in entries.lines] == [(4, "Ana", "Peña")]


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("", RosterFault(1, "missing_column", "id / codigo, nombre / name")),
        ("id\nJ1\n", RosterFault(1, "missing_column", "nombre / name")),
        ("\nJ1,Ana\nid\n", RosterFault(3, "missing_column", "nombre / name")),
        ("id,nombre,name\n", RosterFault(1, "duplicate_column", "nombre, name")),
        ("id,nombre\nJ1\n", RosterFault(2, "name_missing", "")),
        ("id,nombre\nJ1,Ana,x\n", RosterFault(2, "wrong_columns", "3")),
        ("id,nombre\n,Ana\n", RosterFault(2, "code_missing", "")),
        ("id,nombre\nJ1,\n", RosterFault(2, "name_missing", "")),
        ("id,nombre\nJ1,An\u202ea\n", RosterFault(2, "bad_character", "An\\u202ea")),
        ("id,nombre\nJ1,An\x00a\n", RosterFault(2, "bad_character", "An\\u0000a")),
        ("id,nombre\nJ1,Ana\nj1,Bea\n", RosterFault(3, "duplicate_code", "J1")),
        ("id,nombre\nJ1,Ana\n\nJ2,ANA\n", RosterFault(4, "duplicate_name", "ANA")),
        (f"id,nombre\n{'J' * 21},Ana\n", RosterFault(2, "code_too_long", "J" * 21)),
        (b"id,nombre\nJ1,Ana\nJ2,Bego\x81a\n", RosterFault(3, "bad_encoding", "0x81")),
        ("id,nombre\n" + "x" * MAX_LIST_BYTES, RosterFault(1, "too_large", str(MAX_LIST_BYTES))),
    ],
)
def test_what_is_wrong_is_named_with_its_line(source: bytes | str, fault: RosterFault) -> None:
    assert read_players(source).faults == (fault,)


def test_an_unclosed_quote_is_named() -> None:
    (fault,) = read_players('id,nombre\nJ1,"Ana\n').faults
    assert fault.code == "bad_csv"


def test_every_fault_of_a_list_is_reported_at_once() -> None:
    faults = read_pairs(
        "pareja,nombre,jugador1,jugador2\nP1,Uno,J1,J1\nP1,Dos,J2,J3\nP3,dos,J3,J4\nP4,,J5\n"
    ).faults
    assert [(fault.line, fault.code) for fault in faults] == [
        (2, "same_player_twice"),
        (3, "duplicate_code"),
        (4, "duplicate_name"),
        (4, "player_in_two_pairs"),
        (5, "name_missing"),
        (5, "code_missing"),
    ]


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200)))
def test_any_bytes_at_all_are_answered(source: bytes | str) -> None:
    read_players(source)
    read_pairs(source)

"""Names pasted without a heading."""

import pytest

from tournaments.domain.roster import EnteredLine, RosterFault, read_entries

TWO = ("Manolo Ruiz", "Pepa Gil")


@pytest.mark.parametrize(
    "line",
    [
        "Manolo Ruiz y Pepa Gil",
        "Manolo Ruiz, Pepa Gil",
        "Manolo Ruiz;Pepa Gil",
        "Manolo Ruiz\tPepa Gil",
        "Manolo Ruiz - Pepa Gil",
        "Manolo Ruiz – Pepa Gil",
        "Manolo Ruiz / Pepa Gil",
        "Manolo Ruiz und Pepa Gil",
    ],
)
def test_two_names_in_a_line_are_a_pair(line: str) -> None:
    read = read_entries(f"\n{line}\n", pairs=True)
    assert not read.faults
    assert [(each.line, each.first, each.second) for each in read.lines] == [(2, *TWO)]


def test_the_name_of_a_pair_stands_before_a_colon() -> None:
    (line,) = read_entries("Los Primos: Toni Mir y Biel Mir", pairs=True).lines
    assert line == EnteredLine(1, "Los Primos", "Toni Mir", "Biel Mir", "", 0.0)


def test_a_surname_with_y_needs_another_mark() -> None:
    read = read_entries("José Ortega y Gasset, Luisa Ramos", pairs=True)
    assert read.lines[0].first == "José Ortega y Gasset"
    read = read_entries("José Ortega y Gasset y Luisa Ramos", pairs=True)
    assert read.faults == (RosterFault(1, "not_two_names", "3"),)


def test_one_name_alone_is_not_a_pair_and_its_line_is_reported() -> None:
    read = read_entries("Manolo Ruiz y Pepa Gil\nAntonio Vega", pairs=True)
    assert read.faults == (RosterFault(2, "not_two_names", "1"),)


@pytest.mark.parametrize(
    "mark", ["1. ", "2) ", "10.- ", "3.", " - ", "-", "– ", "• ", "* ", "4\ufe0f\u20e3 "]
)
def test_numbers_and_bullets_of_a_chat_are_left_out(mark: str) -> None:
    (line,) = read_entries(f"{mark}Pepa Gil", pairs=False).lines
    assert line.first == "Pepa Gil"
    (pair,) = read_entries(f"{mark}Pepa Gil - Manolo Ruiz", pairs=True).lines
    assert (pair.first, pair.second) == ("Pepa Gil", "Manolo Ruiz")


@pytest.mark.parametrize("name", ["3 de Copas", "1.º de Mayo", "2.0", "7", "R2-D2", "4."])
def test_a_name_that_begins_with_a_number_stays(name: str) -> None:
    (line,) = read_entries(name, pairs=False).lines
    assert line.first == name


def test_players_are_a_name_a_line() -> None:
    read = read_entries("Manolo Ruiz\nPepa Gil", pairs=False)
    assert not read.faults
    assert [line.first for line in read.lines] == list(TWO)


def test_cells_of_a_spreadsheet_come_with_tabs() -> None:
    read = read_entries("pareja\tjugador1\tjugador2\nLos Primos\tToni Mir\tBiel Mir", pairs=True)
    assert not read.faults
    assert read.lines[0].name == "Los Primos"

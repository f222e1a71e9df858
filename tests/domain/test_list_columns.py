"""Columns and ratings of lists: recognised where they are certain, asked for where not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.roster import Reading, read_entries, read_ratings
from tournaments.domain.roster.headings import field_of

TWO = [("Ana Gil", "Luis Sanz"), ("Eva Mur", "Pau Roca")]
BELOW = "Ana Gil;Luis Sanz\nEva Mur;Pau Roca\n"


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("Jugador 1", "first"),
        ("JUGADOR/A 2", "second"),
        ("Primer jugador", "first"),
        ("Nombre y apellidos 2", "second"),
        ("2nd player", "second"),
        ("Player B", "second"),
        ("Spieler(in) 1", "first"),
        ("Zweiter Spieler", "second"),
        ("Compañera", "second"),
        ("Nombre y apellidos", "person"),
        ("Apellidos", "surname"),
        ("Nachname 1", "first_surname"),
        ("Nombre", "name"),
        ("Nº pareja", "pair"),
        ("Name des Paars", "pair"),
        ("Peña", "club"),
        ("Verein", "club"),
        ("Puntuacio\u0301n", "rating"),
        ("Wertungszahl", "rating"),
        ("Nom i cognoms 2", "second"),
        ("Nom de la parella", "pair"),
        ("First name", "name"),
        ("Last name", "surname"),
        ("Your partner's name", "second"),
        ("Nombre de tu compañero", "second"),
        ("Jugador II", "second"),
        ("Teléfono jugador 1", ""),
        ("Pagado", ""),
        ("Nº", ""),
        ("", ""),
    ],
)
def test_a_heading_is_known_in_four_languages(heading: str, field: str) -> None:
    assert field_of(heading) == field


@pytest.mark.parametrize(
    "text",
    [
        f"Nr.;Spieler 1;Spieler 2\n1;{BELOW}".replace("\nEva", "\n2;Eva"),
        f"Jugador;Jugadora\n{BELOW}",
        f"Jugadores;\n{BELOW}",
        f"Pareja;;\n{BELOW}",
        f"Jugador;Pareja\n{BELOW}",
        f";Jugadores\nJugador 1;Jugador 2\n{BELOW}",
        ";;Jugador 1;;Jugador 2\n;;Ana Gil;;Luis Sanz\n;;Eva Mur;;Pau Roca\n",
        "Nombre;Apellidos;Nombre;Apellidos\nAna;Gil;Luis;Sanz\nEva;Mur;Pau;Roca\n",
        "Apellidos 1;Nombre 1;Apellidos 2;Nombre 2\nGil;Ana;Sanz;Luis\nMur;Eva;Roca;Pau\n",
        "Nº;Jugador\n1;Ana Gil\n;Luis Sanz\n2;Eva Mur\n;Pau Roca\n",
        "Parejas\n1. Ana Gil y Luis Sanz\n2. Eva Mur/Pau Roca\n",
        "1, Ana Gil, Luis Sanz\n2, Eva Mur, Pau Roca\n",
        "1;Ana Gil y Luis Sanz;600\n2;Eva Mur y Pau Roca;601\n",
        "26/11/26, 20:15 - Pepa: Ana Gil y Luis Sanz\n26/11/26, 20:16 - Eva: Eva Mur & Pau Roca\n",
        "Pareja 1: Ana Gil – Luis Sanz\nPareja 2: Eva\u00a0Mur\u00a0–\u00a0Pau\u00a0Roca\n",
        "Ana Gil|Luis Sanz\nEva Mur|Pau Roca\n",
        "1 Ana Gil y Luis Sanz\n2 Eva Mur y Pau Roca\n3\n",
        "1- Ana Gil y Luis Sanz\n2- Eva Mur y Pau Roca\n3-\n4-\n",
        "Ana Gil        Luis Sanz\nEva Mur        Pau Roca\n",
        "1º Ana Gil y Luis Sanz\n2º Eva Mur y Pau Roca\n3º\n",
        "(1) Ana Gil y Luis Sanz\n(2) Eva Mur i Pau Roca\n",
        "PAREJA Nº 1 Ana Gil y Luis Sanz\nPAREJA Nº 2 Eva Mur y Pau Roca\n",
        "Parejas\n-------\nAna Gil y Luis Sanz\nEva Mur y Pau Roca\n====\n",
        "|Nº|Jugador 1|Jugador 2|\n|--|:-:|--|\n|1|Ana Gil|Luis Sanz|\n|2|Eva Mur|Pau Roca|\n",
        "Ana Gil, y Luis Sanz\nEva Mur, y Pau Roca\n",
        "Ana Gil (600 111 222) y Luis Sanz +34 601111222\nEva Mur y Pau Roca, tel. 602111222\n",
        "Ana Gil y Luis Sanz (pagado)\nEva Mur y Pau Roca ✓\nTotal: 2 parejas\n",
        "11/26/26, 8:15 PM - P: Ana Gil y Luis Sanz\n11/26/26, 8:16 PM - P: Eva Mur y Pau Roca\n",
        "Ana Gil,Luis Sanz,sí\nEva Mur,Pau Roca,\n",
        "First name,Last name,Pair\nAna,Gil,1\nLuis,Sanz,1\nEva,Mur,2\nPau,Roca,2\n",
        'Nº;Jugadores\n1;"Ana Gil\nLuis Sanz"\n2;"Eva Mur\nPau Roca"\n',
        f"Nº;Jugador 1;Jugador 2;Pagado\n1;{BELOW}".replace("\nEva", "\n2;Eva")
        + "3;;;no\n;;Total;40\n",
        "Jugador 1;Jugador 2;Club;Nivel\nAna Gil;Luis Sanz;-;-\nEva Mur;Pau Roca;?;\n",
        "Name,Partner\nAna Gil,Luis Sanz\nLuis Sanz,Ana Gil\nEva Mur,Pau Roca\nPau Roca,Eva Mur\n",
    ],
)
def test_pairs_are_recognised_however_they_are_laid_out(text: str) -> None:
    read = read_entries(text, pairs=True)
    assert not read.faults
    assert [(line.first, line.second, line.name) for line in read.lines] == [
        (*two, "") for two in TWO
    ]


def test_two_players_a_row_each_are_a_pair_with_its_name_and_one_rating() -> None:
    text = "Jugador,Pareja,Club,Nivel\nAna,Los Uno,,1500\nLuis,Los Uno,Casino,\n"
    (line,) = read_entries(text, pairs=True).lines
    assert (line.name, line.first, line.second) == ("Los Uno", "Ana", "Luis")
    assert (line.club, line.rating) == ("Casino", 1500)
    text = "Jugador,Pareja,Nivel\nAna,1,1500\nLuis,1,1400\nEva,2,\n"
    faults = read_entries(text, pairs=True).faults
    assert [(fault.line, fault.code, fault.text) for fault in faults] == [
        (2, "two_ratings", "1500 / 1400"),
        (4, "wrong_number", "1"),
    ]


@pytest.mark.parametrize(
    ("text", "columns", "names"),
    [
        ("Los Uno;Ana Gil;Luis Sanz\n", ("pair", "first", "second"), TWO[:1]),
        ("Gil, Ana, Sanz, Luis\n", ("first_surname", "first", "second_surname", "second"), TWO[:1]),
        ("a;b\nAna Gil;Luis Sanz\n", ("first", "second"), [("a", "b"), TWO[0]]),
    ],
)
def test_what_is_not_certain_is_asked_and_read_as_it_is_said(
    text: str, columns: tuple[str, ...], names: list[tuple[str, str]]
) -> None:
    asked = read_entries(text, pairs=True)
    assert len(asked.columns) == len(columns) or not asked.faults
    read = read_entries(text, pairs=True, reading=Reading(columns))
    assert [(line.first, line.second) for line in read.lines] == names
    assert [column.field for column in read.columns] == list(columns)


def test_lines_that_enter_nobody_are_named() -> None:
    text = "Inscritos:\n1. Ana y Luis\n2. Luis y Ana\n3.\n"
    read = read_entries(text, pairs=True)
    assert [(left.line, left.text, left.why) for left in read.left_out] == [
        (1, "Inscritos:", "title"),
        (3, "Luis / Ana", "pair"),
        (4, "3.", "open"),
    ]


def test_open_places_and_totals_of_a_table_are_named() -> None:
    read = read_entries(f"Jugador 1;Jugador 2;Pagado\n{BELOW};;no\nTOTAL;;40 €\n", pairs=True)
    assert [(left.line, left.text, left.why) for left in read.left_out] == [
        (4, "no", "open"),
        (5, "TOTAL 40 €", "open"),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Ana Gil y Luis Sanz\nEva Mur y ?\n", (2, "name_missing", "?")),
        ("Jugador 1;Jugador 2\nAna Gil;-\n", (2, "name_missing", "-")),
        ("Jugador 1;Jugador 2\nLos Tres;\n", (2, "name_missing", "")),
        ("26/11/26, 20:15 - Pepa y Eva se unieron\n", (1, "not_two_names", "0")),
        ('Jugador 1;Jugador 2\n"Ana;Luis\nEva;Pau\n', (2, "bad_csv", "unexpected end of data")),
    ],
)
def test_what_names_no_second_player_is_a_fault_of_its_line(
    text: str, fault: tuple[int, str, str]
) -> None:
    faults = read_entries(text, pairs=True).faults
    assert [(one.line, one.code, one.text) for one in faults] == [fault]


def test_the_first_line_can_be_said() -> None:
    text = "Una cosa;otra\na;b\nAna Gil;Luis Sanz\n"
    read = read_entries(text, pairs=True, reading=Reading(("first", "second"), first_line=3))
    assert [(line.line, line.first) for line in read.lines] == [(3, "Ana Gil")]
    assert [left.line for left in read.left_out] == [1, 2]


def test_a_row_of_very_many_cells_is_a_fault() -> None:
    (fault, *_others) = read_entries(f"jugador1;jugador2\n{'Ana;' * 200}Eva\n", pairs=True).faults
    assert (fault.line, fault.code, fault.text) == (2, "wrong_columns", "201")
    assert len(read_entries("\t" * 200 + "Ana\n", pairs=True).columns) == 100


def test_one_column_for_two_things_is_a_fault() -> None:
    reading = Reading(("first", "first"))
    (fault,) = read_entries("jugador1;jugador2\nAna;Luis\n", pairs=True, reading=reading).faults
    assert (fault.code, fault.text) == ("duplicate_column", "jugador1, jugador2")


def test_single_players_have_a_name_in_one_column_or_two() -> None:
    read = read_entries("Nombre;Apellidos;Elo\nAna;Gil;1.500\nAna;Sanz;900\n", pairs=False)
    assert [(line.first, line.rating) for line in read.lines] == [
        ("Ana Gil", 1500),
        ("Ana Sanz", 900),
    ]
    assert read_entries("Ana;Gil\nLuis;Sanz\n", pairs=False).faults[0].code == "players_unknown"
    assert [line.first for line in read_entries("Gil, Ana\n", pairs=False).lines] == ["Gil, Ana"]


def test_other_invisible_characters_are_refused_as_ever() -> None:
    read = read_entries("Ana \u202eGil y Lu\u200bis\u200e\n", pairs=True)
    assert [(fault.code, fault.text) for fault in read.faults] == [
        ("bad_character", "Ana \\u202eGil")
    ]
    assert (read.lines[0].second, read.marks) == ("Luis", 2)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1.500", "900"], [1500, 900]),
        (["1,500", "900"], [1500, 900]),
        (["1.500", "1.450,5"], [1500, 1450.5]),
        (["1,500", "1450.5"], [1500, 1450.5]),
        (["1.500", "12,5"], [1500, 12.5]),
        (["1.234.567", "1.500"], [None, 1500]),
        (["1 500", "1'450,5"], [1500, 1450.5]),
        (["0.500", "0,25"], [0.5, 0.25]),
        (["", "1500,5"], [0, 1500.5]),
        (["ten", "-1"], [None, None]),
    ],
)
def test_a_rating_is_read_as_its_neighbours_say(
    cells: list[str], values: list[float | None]
) -> None:
    ratings = read_ratings(cells)
    assert list(ratings.values) == values
    assert not ratings.ambiguous


@pytest.mark.parametrize(
    "cells", [["1.500"], ["1.500", "1.450"], ["1.500", "8"], ["1.500", "2.5"], ["1.500", "1,450"]]
)
def test_a_rating_that_may_be_two_is_asked_about(cells: list[str]) -> None:
    assert 0 in read_ratings(cells).ambiguous
    assert read_ratings(cells, ",").values[0] == 1500
    assert read_ratings(cells, ".").values[0] == 1.5
    assert not read_ratings(cells, ".").ambiguous


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200)), st.booleans())
def test_any_bytes_at_all_are_answered(source: bytes | str, pairs: bool) -> None:
    read_entries(source, pairs=pairs)

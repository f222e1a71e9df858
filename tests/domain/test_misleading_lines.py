"""Lines that mislead: a line is read right or asked about, never wrong in silence."""

import pytest

from tournaments.domain.roster import read_entries

ONE, TWO = "Paco Bel", "Rosa Lana"
JOINERS = (" y ", " e ", " / ", " + ", " & ", " con ", " eta ")
LINES = """
{}
1. {}
- {}
Mesa 1: {}
Pareja 7: {}
@{}
{} ✅
{} 👑
{} 600 112 233
{} (tel. 600 112 233)
{}, pagado
{} <paco@example.org>
{} (suplente: Noé Vidal)
{}, confirmado
{} (baja)
{} - baja
{} (pagan el sábado)
{} pagan el sábado
{} llegan tarde
{} no vienen
{} BAJA
{} x2
{} ❌
~{}~
{} ???
{} 12345678Z
{} 1450
{} 10 €
{} paco@example.org
{} https://forms.gle/abc
{} vs Noé Vidal / Sara Oto
Reserva: {}
Reservas:⏎{}
NO VIENEN⏎{}
Lista de espera (2)⏎{}
BAJAS:⏎{}
Sábado 14: {}
Organizan: {}
Ganadores 2025: {}
Árbitro: {}
Hola, apuntad a {}
Nos apuntamos {}
Apúntame a {}
Baja de {}
Falta confirmar {}
{} = 10€
{}; Saludos
"""
TAILS = """
pendiente; por confirmar; TBD; yo; su hermano; mi primo Luis; un amigo; ?; pareja; (pendent); X;
busca pareja; libre; 600112233; rosa@example.org; www.example.org; alguien; no sé; su mujer; otro;
baja; reserva; confirmado; la hija de Toni; hermano de Ana; noch offen; zehazteko; hasta el sábado
"""


def wrong(text: str, right: set[tuple[str, str]], known: frozenset[str] = frozenset()) -> bool:
    read = read_entries(text.replace("⏎", "\n"), pairs=True, is_known=known.__contains__)
    return not read.faults and {(line.first, line.second) for line in read.lines} != right


def cases() -> list[str]:
    lines = [
        line.format(f"{ONE}{joiner}{TWO}") for line in LINES.split("\n")[1:-1] for joiner in JOINERS
    ]
    tails = [tail.strip() for tail in TAILS.replace("\n", " ").split(";")]
    return lines + [f"{ONE}{joiner}{tail}" for tail in tails for joiner in JOINERS[:3]]


@pytest.mark.parametrize("known", [(), (ONE,), (TWO,), (ONE, TWO)])
def test_no_line_is_wrong_in_silence_whomever_the_club_knows(known: tuple[str, ...]) -> None:
    lines, people = cases(), frozenset(known)
    assert len(lines) > 200
    # A line that is left out as a title enters nobody, and the page names it.
    silent = [line for line in lines if wrong(line, {(ONE, TWO)}, people)]
    assert [line for line in silent if wrong(line, set(), people)] == []


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Mesa;Pareja A;Pareja B\n1;Ana Gil y Luis Sanz;Eva Mur y Pau Roca\n", 2),
        ("Jugador 1;Jugador 2;;Jugador 1;Jugador 2\nAna;Luis;;Eva;Pau\nTom;Ada;;Ida;Noa\n", 4),
        ('Entry,Name,Players\n1,Los Dos,"Ana Gil Rey, Luis Sanz Mur"\n', 1),
        ("Ana Gil\nLuis Sanz\n\nEva Mur\nPau Roca\n", 2),
        ("Socio;Nombre;Apellidos;Nombre;Apellidos\n12;Ana;Gil;Luis;Sanz\n", 1),
    ],
)
def test_what_is_clear_is_read_right(text: str, pairs: int) -> None:
    read = read_entries(text, pairs=True, is_known=lambda _name: False)
    assert (len(read.lines), read.faults) == (pairs, ())


@pytest.mark.parametrize(
    "text",
    [
        "Ana y Luis\tZuera\nEva y Pau\tUtebo\n",
        "Ana Gil y Luis Sanz;sí\nEva Mur y Pau Roca;no\n",
        "Norte;Sur\nAna Gil;Luis Sanz\nEva Mur;Pau Roca\n",
        "Izen 1;Izen 2\nAna;Luis\n",
        "¿Quién?;¿Con quién?\nAna;Luis\n",
        "Nombre\nGil Rey, Ana\nSanz Mur, Luis\n",
    ],
)
def test_columns_in_doubt_are_asked_about(text: str) -> None:
    read = read_entries(text, pairs=True, is_known=lambda _name: False)
    assert {"players_unknown"} <= {fault.code for fault in read.faults}

"""Papers of a tournament of any size, made from nothing but a number of entries."""

from __future__ import annotations

from datetime import date

from tournaments.domain.standing_rows import GroupRows, StandingRow, Value
from tournaments.sheets import rows

HEAD = rows.Masthead("Torneo de San Jorge", "Peña La Sota", round=3)
FIRST = ("Łukasz", "Begoña", "Íñigo", "María del Pilar", "José Antonio", "Ana", "Núria", "Xabier")
LAST = ("Peña", "Gutiérrez de la Cámara", "Nguyễn", "Ruiz", "Lizarraga", "Güell", "Ybarra", "Soto")
LONG = "Inmaculada Concepción Echegoyen-Lizarrag"
"""Forty characters."""


def person(number: int) -> str:
    return f"{FIRST[number % 8]} {LAST[number * 3 % 8]} {number}"


def side(number: int, letters: str = "AC") -> rows.Side:
    seats = tuple(
        rows.Seat(letter, person(2 * number + place)) for place, letter in enumerate(letters)
    )
    return rows.Side(f"Pareja {number}", seats, (number,))


def tables(entries: int) -> tuple[rows.SheetTable, ...]:
    """Pairs in the order of their numbers; an odd one rests."""
    result = [
        rows.SheetTable(n, (side(2 * n - 1, "AC"), side(2 * n, "BD")))
        for n in range(1, entries // 2 + 1)
    ]
    if entries % 2:
        result.append(rows.SheetTable(len(result) + 1, (side(entries),)))
    return tuple(result)


def threes(entries: int) -> tuple[rows.SheetTable, ...]:
    def alone(number: int, letter: str) -> rows.Side:
        return rows.Side(person(number), (rows.Seat(letter, person(number)),), (number,))

    return tuple(
        rows.SheetTable(n, tuple(alone(3 * n - 3 + k, "ABC"[k]) for k in range(3)))
        for n in range(1, entries // 3 + 1)
    )


def by_name(entries: int) -> rows.PairingsByName:
    lines = [
        rows.NameLine(
            seat.name,
            table.number,
            seat.letter,
            table.sides[k].seats[1 - n].name,
            table.sides[1 - k].name,
        )
        for table in tables(entries)
        if not table.is_bye
        for k in (0, 1)
        for n, seat in enumerate(table.sides[k].seats)
    ]
    return rows.PairingsByName(HEAD, tuple(sorted(lines, key=lambda line: line.name)))


def standings(
    entries: int, columns: tuple[str, ...] = ("buchholz", "hand_difference")
) -> rows.Standings:
    places = tuple(
        StandingRow(
            rank=n,
            shared=False,
            number=n,
            name=f"Pareja {n}",
            players=(person(2 * n), person(2 * n + 1)),
            is_bot=False,
            played=9,
            won=5,
            tied=0,
            lost=4,
            match_points=10 - n / 2,
            hands_for=17,
            hands_against=14,
            points_for=1432,
            points_against=1388,
            decided_by="",
            direct_points=None,
            values=tuple(Value(code, 20 + k / 4) for k, code in enumerate(columns)),
        )
        for n in range(1, entries + 1)
    )
    return rows.Standings(HEAD, 3, False, True, columns, (GroupRows(0, places),))


def crosstable(entries: int) -> rows.Crosstable:
    def cell(one: int, other: int) -> rows.Cell:
        if one == other:
            return rows.Cell("", "self")
        if (one + other) % 5 == 0:
            return rows.Cell("")
        return rows.Cell("3–1", "won") if one < other else rows.Cell("1–3", "lost")

    lines = tuple(
        rows.CrossRow(f"Pareja {n}", tuple(cell(n, k) for k in range(1, entries + 1)), entries - n)
        for n in range(1, entries + 1)
    )
    return rows.Crosstable(HEAD, (), ((0, lines),))


def by_rounds(entries: int, rounds: int) -> rows.Crosstable:
    lines = tuple(
        rows.CrossRow(
            f"Pareja {n}",
            tuple(rows.Cell(f"{(n + r) % entries + 1}\n3–{r % 3}", "won") for r in range(rounds)),
            2 * rounds,
        )
        for n in range(1, entries + 1)
    )
    return rows.Crosstable(HEAD, tuple(range(1, rounds + 1)), ((0, lines),))


def bracket(entries: int) -> rows.Bracket:
    columns: list[rows.BracketColumn] = []
    number, before = 0, list[int]()
    size, place = entries // 2, 1
    while size:
        meetings = []
        for n in range(size):
            number += 1
            sides = (
                (f"Pareja {2 * n + 1}", person(2 * n))
                if place == 1
                else ((True, before[2 * n]), (True, before[2 * n + 1]))
            )
            meetings.append(
                rows.BracketLine(
                    number, sides, 0 if place == 1 else None, "3–1" if place == 1 else ""
                )
            )
        before = [meeting.number for meeting in meetings]
        columns.append(rows.BracketColumn("main", place, tuple(meetings)))
        size, place = size // 2, place + 1
    return rows.Bracket(HEAD, tuple(columns), False)


def guides(entries: int, rounds: int) -> rows.GuideCards:
    def turn(round_: int, number: int) -> rows.Turn:
        if (round_ + number) % 7 == 0:
            return rows.Turn(round_, 0, "", "", "", ())
        return rows.Turn(
            round_,
            (number + round_) % 9 + 1,
            "AC"[round_ % 2],
            person(number + round_),
            f"{person(round_)}, {person(number)}",
            (round_, round_ + 1),
        )

    return rows.GuideCards(
        HEAD,
        tuple(
            rows.GuideCard(n, person(n), tuple(turn(r, n) for r in range(1, rounds + 1)))
            for n in range(1, entries + 1)
        ),
    )


def diplomas() -> rows.Diplomas:
    winners = (
        rows.Winner(1, "Las Cuarenta", ("Łukasz Peña", "Begoña Nguyễn")),
        rows.Winner(2, LONG, ()),
        rows.Winner(3, "张伟 y Αλέξης", ("张伟", "Αλέξης")),
        rows.Winner(22, "Delicias", ("Ana", "Luis")),
    )
    return rows.Diplomas(
        rows.Masthead("Torneo de San Jorge", "Peña La Sota"), "Zaragoza", date(2026, 4, 23), winners
    )


def codes(entries: int) -> rows.Codes:
    return rows.Codes(
        HEAD,
        tuple(
            rows.Code(
                n, f"Pareja {n}", "K7QM2R", f"https://baza.example/t/san-jorge/come/?code=K7QM2R{n}"
            )
            for n in range(1, entries + 1)
        ),
        "7f" * 32,
    )


def score_sheets(entries: int, hands: int = 5) -> rows.ScoreSheets:
    return rows.ScoreSheets(
        HEAD, tables(entries), "parejas", 3, "first_to", tuple(map(str, range(1, hands + 1)))
    )


def table_cards(entries: int) -> rows.TableCards:
    return rows.TableCards(HEAD, tables(entries), "https://baza.example/t/san-jorge/table/")


def poster(lines: int) -> rows.Poster:
    return rows.Poster(
        head=HEAD,
        when="sábado, 28 de noviembre de 2026, 17:00",
        place="Casino de Zaragoza",
        lines=tuple(f"Puesto {n}: {100 - n},00 €" for n in range(1, lines + 1)),
        notice="El torneo está cancelado: no hay sala",
        call="Apúntate",
        address="https://baza.example/t/torneo-de-san-jorge/",
    )


def account(payers: int) -> rows.Account:
    amounts = ("20,00 €", "0,00 €", "20,00 €", "−10.000,00 €")
    lines = tuple((f"{n}. {person(n)}", *amounts) for n in range(1, payers + 1))
    table = rows.TextTable("Quién paga", ("", "Cuota", "Condonado", "Pagado", "Debe"), lines)
    return rows.Account(HEAD, "Dinero", "Uso interno: nombres e importes.", (table,))

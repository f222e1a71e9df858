"""The words of the papers in Spanish, English and German, and how numbers and dates are written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from tournaments.domain.words import LANGUAGES, TEXTS, text_of

WORDS: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "round": ("Ronda {number}", "Round {number}", "Runde {number}"),
        "draft": (
            "borrador, sin publicar",
            "draft, not published",
            "Entwurf, nicht veröffentlicht",
        ),
        "page": ("Página {page} de {pages}", "Page {page} of {pages}", "Seite {page} von {pages}"),
        "by_table": ("Emparejamientos por mesa", "Pairings by table", "Paarungen nach Tischen"),
        "by_name": ("Emparejamientos por nombre", "Pairings by name", "Paarungen nach Namen"),
        "table": ("Mesa", "Table", "Tisch"),
        "name": ("Nombre", "Name", "Name"),
        "seats": ("Asiento", "Seat", "Sitz"),
        "with": ("Con", "With", "Mit"),
        "against": ("Contra", "Against", "Gegen"),
        "rests": ("descansa", "rests", "spielfrei"),
        "boards": ("Repartos", "Deals", "Blätter"),
        "report_here": (
            "Dad aquí el resultado",
            "Report the result here",
            "Hier das Ergebnis eintragen",
        ),
        "with_code": (
            "con el código de vuestra inscripción",
            "with the code of your entry",
            "mit dem Code der Meldung",
        ),
        "score_sheet": ("Hoja de resultados", "Score sheet", "Spielzettel"),
        "hand": ("Mano", "Hand", "Spiel"),
        "board": ("Reparto", "Deal", "Blatt"),
        "sung": ("Cantes", "Declared", "Ansagen"),
        "points": ("Puntos", "Points", "Punkte"),
        "last_trick": ("Última baza", "Last trick", "Letzter Stich"),
        "winner": ("Gana", "Winner", "Gewinner"),
        "total": ("Manos ganadas", "Hands won", "Gewonnene Spiele"),
        "total_cotos": ("Cotos ganados", "Cotos won", "Gewonnene Cotos"),
        "total_points": ("Puntos en total", "Points in all", "Punkte insgesamt"),
        "signature": ("Firma de {letters}", "Signature of {letters}", "Unterschrift von {letters}"),
        "arbiter": ("Árbitro", "Arbiter", "Schiedsrichter"),
        "first_to": ("a {count} manos", "first to {count} hands", "auf {count} Spiele"),
        "first_to_1": ("a una mano", "one hand", "ein Spiel"),
        "fixed": ("{count} repartos", "{count} deals", "{count} Blätter"),
        "fixed_1": ("un reparto", "one deal", "ein Blatt"),
        "cotos": ("al mejor de {count} cotos", "best of {count} cotos", "Bester aus {count} Cotos"),
        "standings": ("Clasificación", "Standings", "Tabelle"),
        "final_standings": ("Clasificación final", "Final standings", "Abschlusstabelle"),
        "after": ("tras {count} rondas", "after {count} rounds", "nach {count} Runden"),
        "after_1": ("tras la primera ronda", "after the first round", "nach der ersten Runde"),
        "provisional": (
            "Provisional: hay resultados sin confirmar, en disputa o aplazados.",
            "Provisional: results are unconfirmed, in dispute or postponed.",
            "Vorläufig: Ergebnisse sind unbestätigt, strittig oder verschoben.",
        ),
        "group": ("Grupo {number}", "Group {number}", "Gruppe {number}"),
        "played": ("J", "P", "P"),
        "won": ("G", "W", "S"),
        "tied": ("E", "T", "U"),
        "lost": ("P", "L", "N"),
        "hands": ("Manos", "Hands", "Spiele"),
        "hands_cotos": ("Cotos", "Cotos", "Cotos"),
        "match_points": ("Ptos.", "Pts", "Pkt."),
        "key": (
            "J jugadas, G ganadas, E empatadas, P perdidas. Manos y puntos: a favor y en contra.",
            "P played, W won, T tied, L lost. Hands and points: for and against.",
            "P Partien, S Siege, U Unentschieden, N Niederlagen. Spiele und Punkte: für und gegen.",
        ),
        "order": ("Orden: puntos de partida", "Order: match points", "Reihenfolge: Partiepunkte"),
        "withdrawn": ("retirado", "withdrawn", "zurückgezogen"),
        "crosstable": ("Cuadro de resultados", "Crosstable", "Kreuztabelle"),
        "by_rounds": ("Ronda a ronda", "Round by round", "Runde für Runde"),
        "reads": (
            "Cada fila se lee desde su lado: manos ganadas y perdidas.",
            "Each row reads from its own side: hands won, then lost.",
            "Jede Zeile ist von ihrer Seite zu lesen: gewonnene, dann verlorene Spiele.",
        ),
        "reads_rounds": (
            "Número del rival en esta tabla y, debajo, manos ganadas y perdidas.",
            "The opponent's number in this table and, below, hands won and lost.",
            "Nummer des Gegners in dieser Tabelle, darunter gewonnene und verlorene Spiele.",
        ),
        "columns": ("columnas {first}–{last}", "columns {first}–{last}", "Spalten {first}–{last}"),
        "bracket": ("Cuadro", "Bracket", "Turnierbaum"),
        "main_board": ("Cuadro de ganadores", "Winners' board", "Gewinnerbaum"),
        "lower_board": ("Cuadro de perdedores", "Losers' board", "Verliererbaum"),
        "final": ("Final", "Final", "Finale"),
        "final_again": ("Final, repetida", "Final, played again", "Finale, wiederholt"),
        "third": ("Tercer puesto", "Third place", "Spiel um Platz drei"),
        "last_2": ("Semifinales", "Semi-finals", "Halbfinale"),
        "last_4": ("Cuartos de final", "Quarter-finals", "Viertelfinale"),
        "last_8": ("Octavos de final", "Last 16", "Achtelfinale"),
        "last": ("Ronda de {count}", "Last {count}", "Runde der letzten {count}"),
        "winner_of": ("ganador del {number}", "winner of {number}", "Gewinner von {number}"),
        "loser_of": ("perdedor del {number}", "loser of {number}", "Verlierer von {number}"),
        "r": ("R", "R", "R"),
        "seat": ("Asiento", "Seat", "Sitz"),
        "partner": ("con {name}", "with {name}", "mit {name}"),
        "versus": ("contra {names}", "against {names}", "gegen {names}"),
        "diploma": ("Diploma", "Diploma", "Urkunde"),
        "awarded": ("que se otorga a", "awarded to", "verliehen an"),
        "place_1": ("por el primer puesto", "first place", "1. Platz"),
        "place_2": ("por el segundo puesto", "second place", "2. Platz"),
        "place_3": ("por el tercer puesto", "third place", "3. Platz"),
        "place_n": ("por el {number}.º puesto", "{number}th place", "{number}. Platz"),
        "organiser": ("La organización", "The organisers", "Die Turnierleitung"),
        "your_code": ("Vuestro código", "Your code", "Der Code der Meldung"),
        "code_use": (
            "Con él decís que estáis y dais el resultado.",
            "Check in and report your results with it.",
            "Damit Anwesenheit melden und Ergebnisse eintragen.",
        ),
        "draw_seed": (
            "Sorteo, SHA-256: {commitment}",
            "Draw, SHA-256: {commitment}",
            "Auslosung, SHA-256: {commitment}",
        ),
        "keep": ("No lo enseñéis.", "Keep it to yourselves.", "Bitte für sich behalten."),
    }
)

MONTHS: Final = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "January February March April May June July August September October November December",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
)


class Words:
    """The words of one language; unknown ones are taken in Spanish."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "es"
        self.index = LANGUAGES.index(self.language)

    def __call__(self, key: str, **facts: object) -> str:
        """Return a word with its facts filled in."""
        return WORDS[key][self.index].format(**facts)

    def counted(self, key: str, count: int) -> str:
        """Return a word for a number, which has one of its own for one."""
        return self(f"{key}_1" if count == 1 and f"{key}_1" in WORDS else key, count=count)

    def of(self, code: str, **facts: Any) -> str:
        """Return a text of the domain."""
        return text_of(code, self.language, **facts)

    def criterion(self, code: str, kind: str, cotos: int) -> str:
        """Return the ``column`` or the ``criterion`` of a code, of cotos where they are won."""
        of_cotos = f"{kind}.cotos.{code}"
        text = self.of(of_cotos if cotos > 1 and of_cotos in TEXTS else f"{kind}.{code}")
        return text.partition(":")[0]

    def number(self, number: float | None) -> str:
        """Write a number with two decimals at most: ``2.5`` in English, else ``2,5``."""
        if number is None:
            return ""
        text = f"{number:.2f}".rstrip("0").rstrip(".").replace("-", "−")
        return text if self.language == "en" else text.replace(".", ",")

    def ordinal(self, place: int) -> str:
        """Write a place as a diploma does."""
        if f"place_{place}" in WORDS:
            return self(f"place_{place}")
        if self.language == "en" and place % 100 not in {11, 12, 13} and place % 10 in {1, 2, 3}:
            return f"{place}{('st', 'nd', 'rd')[place % 10 - 1]} place"
        return self("place_n", number=place)

    def day(self, day: date) -> str:
        """Write a date: ``21 de noviembre de 2026``, ``21. November 2026``."""
        month = MONTHS[self.index].split()[day.month - 1]
        after_day, after_month = {"es": (" de ", " de "), "en": (" ", " "), "de": (". ", " ")}[
            self.language
        ]
        return f"{day.day}{after_day}{month}{after_month}{day.year}"

"""What the check of a tournament found: what holds, and what does not."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

FINDINGS: Final = {
    "contents": (
        "El torneo es el que se certificó.",
        "The tournament is the one that was proved.",
    ),
    "contents_changed": (
        "El torneo no es el que se certificó: su huella es {found}, no {stated}.",
        "The tournament is not the one that was proved: its digest is {found}, not {stated}.",
    ),
    "round": ("Sale lo mismo al sortearla de nuevo.", "Drawn again, it is the same."),
    "table_differs": (
        "Figura {stated}; el sorteo da {found}.",
        "It says {stated}; the draw gives {found}.",
    ),
    "tables_missing": (
        "Figuran {stated} mesas; el sorteo da {found}.",
        "It says {stated} tables; the draw gives {found}.",
    ),
    "cannot_draw": (
        "No se puede sortear con lo que se sabía ({why}).",
        "It cannot be drawn from what was known ({why}).",
    ),
    "cannot_begin": (
        "No se puede saber quién pasa ({why}).",
        "It cannot be told who goes on ({why}).",
    ),
    "edited": (
        "La cambió {by} a mano ({reason}); mesas distintas: {tables}.",
        "Changed by hand by {by} ({reason}); tables that differ: {tables}.",
    ),
    "accepted": (
        "Aceptado por quien la cambió: {rule}: {all}.",
        "Accepted by whoever changed it: {rule}: {all}.",
    ),
    "rematch": ("Ya se habían enfrentado: {all}.", "They had met before: {all}."),
    "apart": ("No deben enfrentarse: {all}.", "They must not meet: {all}."),
    "second_bye": ("Descansa por segunda vez: {all}.", "A second bye: {all}."),
    "not_here": ("No estaba para jugar: {all}.", "Was not there to play: {all}."),
    "asked_bye": (
        "Había pedido descansar y tiene rival: {all}.",
        "Had asked for a bye and was paired: {all}.",
    ),
    "without_table": ("Sin mesa: {all}.", "Without a table: {all}."),
    "qualified": ("Juegan los que se clasificaron.", "Those who qualified play."),
    "not_qualified": (
        "No juegan los que se clasificaron; sobran o faltan: {all}.",
        "Those who play are not those who qualified; too many or missing: {all}.",
    ),
    "seeded": (
        "El orden sale de la semilla ({count}; llegaron después: {late}).",
        "The order follows from the seed ({count}; came later: {late}).",
    ),
    "not_seeded": (
        "El orden no sale de la semilla; el sorteo da {found}.",
        "The order does not follow from the seed; the draw gives {found}.",
    ),
    "standings": ("La clasificación sale igual.", "The standings come out the same."),
    "no_standings": (
        "El fichero no trae clasificación que comprobar.",
        "The file states no standings to check.",
    ),
    "standing_differs": (
        "{all}: en «{field}» figura {stated}; sale {found}.",
        "{all}: {field} says {stated}; it comes out as {found}.",
    ),
    "lines_missing": (
        "La clasificación tiene {stated} líneas; salen {found}.",
        "The standings have {stated} lines; {found} come out.",
    ),
    "no_such_round": (
        "Hay una clasificación de una ronda que no existe.",
        "Standings are stated of a round that does not exist.",
    ),
    "cannot_rank": ("No se puede clasificar ({why}).", "It cannot be ranked ({why})."),
    "records": (
        "Resultados que salen de su acta: {count}.",
        "Results that follow from their records: {count}.",
    ),
    "record_missing": ("No está su acta ({digest}).", "Its record is not there ({digest})."),
    "record_invalid": (
        "Su acta no es válida: {why} ({digest}).",
        "Its record is not valid: {why} ({digest}).",
    ),
    "sets_differ": (
        "Sus actas no son las de una partida de series enteras, jugada hasta su final.",
        "Its records are not those of a match of whole deal sets, played to its end.",
    ),
    "marks_differ": (
        "Figura {stated} (manos, tantos); del acta sale {found}.",
        "It says {stated} (hands, points); the record gives {found}.",
    ),
}

TEXTS: Final = MappingProxyType({f"verify.{code}": text for code, text in FINDINGS.items()})

"""``baza rulesets``: what there is to play, field by field."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from engine.cli.failure import CommandError
from engine.rulesets import HOUSE_RULES, RULESETS, Ruleset

_FIELDS: Final[Mapping[str, tuple[str, str]]] = {
    "seat_counts": (
        "players that may sit at the table (R2.2)",
        "jugadores que admite la mesa (R2.2)",
    ),
    "pairs": (
        "partners sit opposite each other (R2.2)",
        "los compañeros se sientan enfrentados (R2.2)",
    ),
    "cards_each": ("cards dealt to each (R3)", "cartas para cada uno (R3)"),
    "trump_shown": (
        "the card that shows trumps: last of the stock, the dealer's last, or set aside (R3)",
        "la carta que pinta: última de la baceta, última de quien reparte, o aparte (R3)",
    ),
    "duties_while_stock": (
        "duties while cards remain to draw: full, or only to follow trumps (R4.6)",
        "obligaciones mientras se roba: todas, o solo asistir al triunfo (R4.6)",
    ),
    "must_overtrump": (
        "over a trump a higher one must be played if held (pisar, R4.4a), else any trump (R4.4b)",
        "sobre un triunfo hay que pisar si se puede (R4.4a); si no, cualquier triunfo (R4.4b)",
    ),
    "exchange": (
        "exchange of the seven and the two of trumps for the upcard (R5)",
        "cambio del siete y del dos de triunfo por la carta vista (R5)",
    ),
    "exchange_needs_trick": (
        "who exchanges must have won a trick (R5.4)",
        "para cambiar hay que haber ganado una baza (R5.4)",
    ),
    "declare_at": (
        "declarations after every trick the side wins, or after its first (R6.2)",
        "se canta en cada baza ganada por el bando, o solo en la primera (R6.2)",
    ),
    "declarations_per_trick": (
        "declarations of one player after a won trick; 0: any number (R6.4)",
        "cantes de un jugador por baza ganada; 0: los que quiera (R6.4)",
    ),
    "declaring_order": (
        "what comes first between a forty and a twenty (R6.5)",
        "qué va antes entre las cuarenta y las veinte (R6.5)",
    ),
    "declare_to_the_end": (
        "declarations also when two cards or fewer remain to draw",
        "se canta también cuando quedan dos cartas o menos por robar",
    ),
    "omitted_is_lost": (
        "what is not declared in time is lost (R6.6)",
        "lo que no se canta a tiempo se pierde (R6.6)",
    ),
    "tute_ranks": (
        "ranks of which four are tute (R6.7)",
        "figuras que, las cuatro, son tute (R6.7)",
    ),
    "tute_at_first_trick_only": (
        "tute only at the side's first won trick, before a 20 or 40 of it (R6.8)",
        "tute solo en la primera baza ganada del bando y antes de cantar (R6.8)",
    ),
    "race_to": (
        "points that win a game of one or two deals; 0: most points win the hand (R9)",
        "tantos que ganan un juego de uno o dos repartos; 0: gana la mano quien hace más (R9)",
    ),
    "stakes": ("what is paid after a hand (R8)", "lo que se paga tras cada mano (R8)"),
    "target": (
        "hands or games that win the match (R7.4)",
        "manos o juegos que ganan la partida (R7.4)",
    ),
}


def print_rulesets(options: argparse.Namespace) -> int:
    """Print one ruleset or all, as text or as JSON."""
    if options.name is not None and options.name not in RULESETS:
        raise CommandError(f"no ruleset {options.name!r}; there are {', '.join(RULESETS)}")
    chosen = [RULESETS[options.name]] if options.name else list(RULESETS.values())
    spanish = options.lang == "es"
    if options.json:
        described = [_to_dict(rules, spanish) for rules in chosen]
        print(json.dumps(described[0] if options.name else described, ensure_ascii=False, indent=1))
        return 0
    for rules in chosen:
        print(rules.identity)
        for name, field in _to_dict(rules, spanish)["fields"].items():
            print(f"  {name:26} {field['value']!s:16} {field['meaning']}")
    return 0


def _to_dict(rules: Ruleset, spanish: bool) -> dict[str, Any]:
    return {
        "name": rules.name,
        "version": rules.version,
        "seats": list(rules.seats),
        "sides": list(rules.sides),
        "identity": rules.identity,
        "fields": {
            field.name: {
                "value": getattr(rules, field.name),
                "meaning": _FIELDS[field.name][spanish],
                "takes": _takes(field.name),
            }
            for field in fields(rules)
            if field.name in _FIELDS
        },
    }


def _takes(name: str) -> Any:
    """The values that a house rule may set the field to: choices, bounds, or nothing."""
    limits = HOUSE_RULES.get(name, {})
    if "choices" in limits:
        return list(limits["choices"])
    return [limits["least"], limits["most"]] if limits else None

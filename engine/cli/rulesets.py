"""``baza rulesets``: what there is to play, field by field."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from engine.cli.failure import CommandError
from engine.rules import RULESETS, Ruleset

_FIELDS: Final[Mapping[str, tuple[str, str]]] = {
    "name": ("the name", "el nombre"),
    "version": ("a changed rule is a new version", "una regla cambiada es otra versión"),
    "seat_count": ("players at the table", "jugadores en la mesa"),
    "pairs": ("partners sit opposite each other", "los compañeros se sientan enfrentados"),
    "cards_each": ("cards dealt to each", "cartas para cada uno"),
    "must_overtrump": (
        "over a trump a higher one must be played if held (pisar, R4.4a)",
        "sobre un triunfo hay que pisar con otro mayor si se tiene (R4.4a)",
    ),
    "forty_first": (
        "who could declare a forty may declare nothing else in that window (R6.5c)",
        "quien puede cantar las cuarenta no puede cantar otra cosa en esa baza (R6.5c)",
    ),
    "declarations_per_trick": (
        "declarations of one player after a won trick (R6.4)",
        "cantes de un jugador por baza ganada (R6.4)",
    ),
    "omitted_is_lost": (
        "what is not declared in time is lost (R6.6)",
        "lo que no se canta a tiempo se pierde (R6.6)",
    ),
    "tute_ranks": ("ranks of which four are tute (R6.7)", "figuras cuyo póker es tute (R6.7)"),
    "tute_at_first_trick_only": (
        "tute only at the side's first won trick, before a 20 or 40 of it (R6.8)",
        "tute solo en la primera baza ganada del bando y antes de cantar (R6.8)",
    ),
    "target": ("hands that win the match (R7.4)", "manos que ganan la partida (R7.4)"),
}


def print_rulesets(options: argparse.Namespace) -> int:
    """Print one ruleset or all, as text or as JSON."""
    if options.name is not None and options.name not in RULESETS:
        raise CommandError(f"no ruleset {options.name!r}; there are {', '.join(RULESETS)}")
    chosen = [RULESETS[options.name]] if options.name else list(RULESETS.values())
    spanish = options.lang == "es"
    if options.json:
        described = [_described(rules, spanish) for rules in chosen]
        print(json.dumps(described[0] if options.name else described, ensure_ascii=False, indent=1))
        return 0
    for rules in chosen:
        print(rules.identity)
        for name, field in _described(rules, spanish)["fields"].items():
            print(f"  {name:26} {field['value']!s:16} {field['meaning']}")
    return 0


def _described(rules: Ruleset, spanish: bool) -> dict[str, Any]:
    return {
        "name": rules.name,
        "version": rules.version,
        "seats": list(rules.seats),
        "sides": list(rules.sides),
        "fields": {
            field.name: {
                "value": getattr(rules, field.name),
                "meaning": _FIELDS[field.name][spanish],
            }
            for field in fields(rules)
            if field.name not in ("name", "version")
        },
    }

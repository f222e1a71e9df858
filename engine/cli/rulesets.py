"""``baza rulesets``: what there is to play, field by field."""

import argparse
import json
from dataclasses import fields
from typing import Any

from engine.cli.failure import CommandError
from engine.messages import has_message, message
from engine.rulesets import HOUSE_RULES, RULESETS, Ruleset


def print_rulesets(options: argparse.Namespace) -> int:
    """Print one ruleset or all, as text or as JSON."""
    if options.name is not None and options.name not in RULESETS:
        raise CommandError(f"no ruleset {options.name!r}; there are {', '.join(RULESETS)}")
    rulesets = [RULESETS[options.name]] if options.name else list(RULESETS.values())
    if options.json:
        described = [_to_dict(rules, options.lang) for rules in rulesets]
        print(json.dumps(described[0] if options.name else described, ensure_ascii=False, indent=1))
        return 0
    for rules in rulesets:
        print(rules.identity)
        for name, field in _to_dict(rules, options.lang)["fields"].items():
            print(f"  {name:26} {field['value']!s:16} {field['meaning']}")
    return 0


def _to_dict(rules: Ruleset, language: str) -> dict[str, Any]:
    return {
        "name": rules.name,
        "version": rules.version,
        "seats": list(rules.seats),
        "sides": list(rules.sides),
        "identity": rules.identity,
        "fields": {
            field.name: {
                "value": getattr(rules, field.name),
                "meaning": message(language, f"ruleset_field.{field.name}"),
                "takes": _takes(field.name),
            }
            for field in fields(rules)
            if has_message(f"ruleset_field.{field.name}")
        },
    }


def _takes(name: str) -> Any:
    """The values that a house rule may set the field to: choices, bounds, or nothing."""
    limits = HOUSE_RULES.get(name, {})
    if "choices" in limits:
        return list(limits["choices"])
    return [limits["least"], limits["most"]] if limits else None

"""``baza rulesets``: what there is to play, field by field."""

import argparse
import json

from engine.cli.failure import CommandError
from engine.explanations import describe_ruleset
from engine.rulesets import RULESETS


def print_rulesets(options: argparse.Namespace) -> int:
    """Print one ruleset or all, as text or as JSON."""
    if options.name is not None and options.name not in RULESETS:
        raise CommandError(f"no ruleset {options.name!r}; there are {', '.join(RULESETS)}")
    rulesets = [RULESETS[options.name]] if options.name else list(RULESETS.values())
    if options.json:
        described = [describe_ruleset(rules, options.lang) for rules in rulesets]
        print(json.dumps(described[0] if options.name else described, ensure_ascii=False, indent=1))
        return 0
    for rules in rulesets:
        print(rules.identity)
        for name, field in describe_ruleset(rules, options.lang)["fields"].items():
            print(f"  {name:26} {field['value']!s:16} {field['meaning']}")
    return 0

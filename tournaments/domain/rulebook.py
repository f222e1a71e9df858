"""The numbers of the rules of Tute that the pages show, and the rows of the table of rulesets.

The messages ``rule.R4`` and ``rule.R4.2`` are the title of a chapter and the text of a rule;
``rules.<row>`` names a row of the table, ``rules.<row>.<value>`` is what a ruleset has there.
"""

from typing import Final

_RULES_OF_CHAPTER: Final = {
    "R1": "0",
    "R2": "1 2 3 4",
    "R3": "",
    "R4": "1 2 3 4 4a 4b 5 6 7",
    "R5": "1 2 3 4 5",
    "R6": "1 2 3 4 5 5a 5b 5c 5d 6 7 8",
    "R7": "1 2 3 4 5",
    "R8": "1 2 3 4 5",
    "R9": "1 2 3 4 5",
    "R10": "1 2",
}
CHAPTERS: Final = {
    chapter: tuple(f"{chapter}.{rule}" for rule in rules.split())
    for chapter, rules in _RULES_OF_CHAPTER.items()
}
"""The rules of each chapter."""
RULES: Final = tuple(rule for rules in CHAPTERS.values() for rule in rules)
ROWS: Final = (
    "players",
    "cards",
    "trump_shown",
    "duties_while_stock",
    "must_overtrump",
    "exchange",
    "declare_at",
    "declarations_per_trick",
    "declaring_order",
    "omitted_is_lost",
    "tute_ranks",
    "race_to",
    "target",
)
"""Fields of `engine.Ruleset`, but for ``players`` and ``cards``."""

"""What a tournament can be made of: rulesets with their options, formats, criteria."""

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

import engine
from tournaments.domain.file import rules_to_dict
from tournaments.domain.messages import criterion_message, message
from tournaments.domain.names import ruleset_name
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import ANY, Format
from tournaments.domain.tiebreaks import CRITERIA, Criterion

LENGTH_FIELD: Final = "target"
"""The field of a ruleset that a record's option `to` changes."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """An option of a record: one of ``choices``, or a number from ``least`` to ``most``."""

    name: str
    meaning: str
    value: object
    choices: tuple[object, ...] | None = None
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class RulesetRow:
    """A ruleset, with the options that a tournament may set."""

    name: str
    version: int
    identity: str
    title: str
    seat_counts: tuple[int, ...]
    pairs: bool
    options: tuple[OptionRow, ...]


@dataclass(frozen=True, slots=True)
class FormatRow:
    """A format of a stage, with its own values of the rules that it reads."""

    name: str
    title: str
    seats: int
    min_entrants: int
    max_entrants: int | None
    all_at_once: bool
    is_endless: bool
    order: tuple[str, ...]
    rules: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion of an order."""

    code: str
    title: str
    column: str
    family: str
    acronym: str
    article: str


def rulesets(longest: int) -> tuple[RulesetRow, ...]:
    """Return the rulesets, in the language in use; ``longest`` is the most that ends a match."""
    return tuple(_ruleset_row(rules, longest) for rules in engine.RULESETS.values())


def formats() -> tuple[FormatRow, ...]:
    """Return the formats, in the language in use."""
    return tuple(_format_row(kind) for kind in FORMATS.values())


def criteria() -> tuple[CriterionRow, ...]:
    """Return the criteria, in the language in use."""
    return tuple(_criterion_row(criterion) for criterion in CRITERIA.values())


def _ruleset_row(rules: engine.Ruleset, longest: int) -> RulesetRow:
    described = engine.describe_ruleset(rules, get_language())["fields"]
    length = described.pop(LENGTH_FIELD)
    lengths = (
        OptionRow("to", length["meaning"], length["value"], least=1, most=longest),
        OptionRow(
            "deals",
            _("Deals that a match lasts; instead of `to`, and most wins."),
            None,
            least=1,
            most=longest,
        ),
    )
    house_rules = (
        _option_row(rules, name, **field) for name, field in described.items() if field["takes"]
    )
    return RulesetRow(
        rules.name,
        rules.version,
        rules.identity,
        ruleset_name(rules.name),
        rules.seat_counts,
        rules.pairs,
        (*lengths, *filter(None, house_rules)),
    )


def _option_row(
    rules: engine.Ruleset, name: str, value: object, meaning: str, takes: list[Any]
) -> OptionRow | None:
    """Return an option; None where records under these rules take none of its choices."""
    if type(value) is int:
        least, most = takes
        return OptionRow(name, meaning, value, least=least, most=most)
    choices = tuple(choice for choice in takes if _is_taken(rules, name, choice))
    return OptionRow(name, meaning, value, choices=choices) if choices else None


def _is_taken(rules: engine.Ruleset, name: str, value: object) -> bool:
    record = {"format": "baza/1", "ruleset": rules.name, "seats": list(rules.seats), "hands": []}
    try:
        engine.parse_record({**record, "options": {name: value}})
    except engine.RecordError:
        return False
    return True


def _format_row(kind: Format) -> FormatRow:
    values = rules_to_dict(kind.rules, None)
    return FormatRow(
        kind.name,
        message(get_language(), f"format.{kind.name}"),
        kind.seats,
        kind.min_entrants,
        None if kind.max_entrants == ANY else kind.max_entrants,
        kind.is_drawn_ahead(kind.rules),
        kind.is_endless,
        kind.order,
        {name: values[name] for name in kind.settings if name in values},
    )


def _criterion_row(criterion: Criterion) -> CriterionRow:
    language = get_language()
    return CriterionRow(
        criterion.code,
        criterion_message(language, "criterion", criterion.code),
        criterion_message(language, "column", criterion.code),
        criterion.family,
        criterion.acronym,
        criterion.article,
    )

"""The rules of a stage as JSON: what differs from the format's own defaults, and nothing else.

How a field is read follows from its type in `StageRules`, within the bounds of :data:`BOUNDS`.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeVar, get_args, get_type_hints

from tournaments.domain.file.places import (
    MAX_NUMBER,
    Reader,
    boolean,
    choice,
    fields_of,
    integer,
    list_of,
    member,
    optional,
    points,
    text,
)
from tournaments.domain.rows import (
    ByeRule,
    LevelCut,
    Mark,
    PairedBy,
    PlaceRule,
    Scale,
    SeatedBy,
    Seeding,
    StageRules,
    SumRule,
    SwitchRule,
)
from tournaments.domain.tiebreaks import CRITERIA

BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "rounds": (1, 500),
    "turns": (1, 10),
    "groups": (1, 500),
    "take": (0, 5000),
    "take_from": (0, 5000),
    "source": (1, 100),
    "beside": (1, 100),
    "without": (1, 100),
    "seeded": (0, 5000),
    "lives": (1, 20),
    "victory_margin": (1, 10_000),
    "deals": (1, 1000),
    "points_cap": (1, MAX_NUMBER),
    "drop_rounds": (0, 100),
    "table_size": (3, 5),
    "other_size": (3, 5),
    "length": (1, 500),
    "hands": (-MAX_NUMBER, MAX_NUMBER),
    "points": (-MAX_NUMBER, MAX_NUMBER),
}
"""Least and most of the whole numbers; others go from 0 to the largest there is."""

NOT_WRITTEN_OUT: Final[Mapping[str, object]] = {
    "seeding": Seeding.ORDER,
    "seeded": 0,
    "byes": ByeRule.GAPS,
    "paired_by": PairedBy.SCORES,
    "places": PlaceRule.LISTED,
    "sums": SumRule.ROUNDED,
    "switch": SwitchRule.FULL,
    "beside": None,
    "without": (),
    "carry": False,
    "take_out": False,
    "points_cap": None,
    "drop_rounds": 0,
    "match_bonus": Fraction(0),
    "points_by_size": (),
    "table_size": 0,
    "other_size": 0,
    "seated_by": SeatedBy.PLANNED,
    "typed_only": False,
    "level_cut": LevelCut.TIE,
    "length": None,
    "forfeit_win_mark": Mark(),
    "forfeit_loss_mark": Mark(),
}
"""Rules added after files carried digests: even where every rule is written out, these are left out
at the value that earlier files mean, so that their digests still hold."""

MAX_ITEMS: Final = 100
"""Criteria of an order, places of a list of table points."""

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "movement": ("", "mitchell", "howell"),
    "dealt_by": ("", "baza", "table"),
    "comparison": ("", "matchpoints", "average"),
    "order": tuple(CRITERIA),
}
"""Rules of words whose type does not list them; of ``order`` its items."""

Rows = TypeVar("Rows", bound=StageRules | Scale | Mark)


def rules_from_dict(document: Any, defaults: Rows, path: str = "") -> Rows:
    """Return the defaults with what the document says otherwise.

    Raises `FileError` with the place (below ``path``) of what cannot be.
    """
    readers = {
        name: _reader(name, hint, getattr(defaults, name))
        for name, hint in _field_types(type(defaults)).items()  # type: ignore[arg-type]
    }
    return replace(defaults, **fields_of(document, path, readers))


def rules_to_dict(rules: Rows, defaults: Rows | None) -> dict[str, Any]:
    """Return the settings that are not the defaults as JSON types; `rules_from_dict` reads them.

    Without defaults everything is said.
    """
    differing = {}
    for field in fields(rules):
        value = getattr(rules, field.name)
        default = None if defaults is None else getattr(defaults, field.name)
        if defaults is None:
            if field.name in NOT_WRITTEN_OUT and value == NOT_WRITTEN_OUT[field.name]:
                continue
        elif value == default:
            continue
        inner = isinstance(value, Scale | Mark)
        differing[field.name] = rules_to_dict(value, default) if inner else jsonable(value)
    return differing


def jsonable(value: Any) -> Any:
    """Return a value of the rows as JSON writes it: fractions as whole numbers or as "1/2"."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple | list):
        return [jsonable(item) for item in value]
    return value


def _reader(name: str, hint: Any, default: Any) -> Reader[Any]:
    if isinstance(default, Scale | Mark):
        return lambda value, path: rules_from_dict(value, default, path)
    return _by_type(name, hint)


@cache
def _by_type(name: str, hint: Any) -> Reader[Any]:
    inner = get_args(hint)
    if type(None) in inner:
        return optional(_by_type(name, next(kind for kind in inner if kind is not type(None))))
    if inner:
        return list_of(_by_type(name, inner[0]), MAX_ITEMS)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return member(hint)
    plain: dict[Any, Reader[Any]] = {
        bool: boolean,
        int: integer(*BOUNDS.get(name, (0, MAX_NUMBER))),
        Fraction: points,
        str: choice(*WORDS[name]) if name in WORDS else text(),
    }
    return plain[hint]


def rules_schema(defaults: StageRules | Scale | Mark) -> dict[str, Any]:
    """Return the JSON Schema of what `rules_from_dict` reads, by the same declarations."""
    hints = _field_types(type(defaults))  # type: ignore[arg-type]
    properties = {}
    for name, hint in hints.items():
        default = getattr(defaults, name)
        is_inner = isinstance(default, Scale | Mark)
        properties[name] = rules_schema(default) if is_inner else _schema(name, hint)
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _schema(name: str, hint: Any) -> dict[str, Any]:
    inner = get_args(hint)
    if type(None) in inner:
        some = _schema(name, next(kind for kind in inner if kind is not type(None)))
        return {**some, "type": [some["type"], "null"]}
    if inner:
        return {"type": "array", "items": _schema(name, inner[0]), "maxItems": MAX_ITEMS}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"type": "string", "enum": [member.value for member in hint]}
    if hint is Fraction:
        return {"type": ["number", "string"], "description": 'Exact: 2, 0.5 or "1/3".'}
    if hint is int:
        least, most = BOUNDS.get(name, (0, MAX_NUMBER))
        return {"type": "integer", "minimum": least, "maximum": most}
    if hint is bool:
        return {"type": "boolean"}
    return {"type": "string", **({"enum": list(WORDS[name])} if name in WORDS else {})}


@cache  # working the hints out takes longer than reading the row
def _field_types(kind: type) -> dict[str, Any]:
    """Return the types of a row's fields."""
    return get_type_hints(kind)

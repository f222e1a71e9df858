"""Messages of the domain, the papers and the commands, from ``locale/<language>/…/domain.po``.

A message is found by its id: a group and a code, as ``criterion.buchholz`` or ``pairing.pinned``.
The pages have catalogues of their own beside these (``django.po``), with English sentences as ids.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import engine
from tournaments.domain.pairing.base import PairingReason

LANGUAGES: Final = engine.LANGUAGES
FOLDER: Final = Path(__file__).parents[1] / "locale"
_DOMAIN: Final = engine.Catalogue("domain", FOLDER)
has_message = _DOMAIN.has_message


def message(language: str, message_id: str, /, *values: Any, **facts: Any) -> str:
    """Return a message filled with facts; in Spanish for a language without a catalogue.

    Raises ``KeyError`` when the catalogue lacks the message.
    """
    return _DOMAIN.message(_known(language), message_id, *values, **facts)


def explain(reason: PairingReason, name: Callable[[int], str], language: str = "es") -> str:
    """Return the reason of a pairing as a sentence; ``name`` gives the name of an entrant."""
    names = [name(number) for number in reason.entrants]
    facts = {"all": ", ".join(names), **reason.facts}
    return message(language, f"pairing.{reason.code}", *names, **facts)


def criterion_message(language: str, kind: str, code: str, cotos: int = 1) -> str:
    """Return the name (``criterion``) or heading (``column``) of a criterion.

    ``cotos`` is how many of them win a match; above 1, hands are counted in cotos.
    """
    of_cotos = f"{kind}.cotos.{code}"
    is_of_cotos = cotos > 1 and has_message(of_cotos)
    return message(language, of_cotos if is_of_cotos else f"{kind}.{code}")


def passed_over_text(language: str, codes: Sequence[str], tables: int, cotos: int = 1) -> str:
    """Return the sentence on criteria of card points that were passed over; empty without any.

    ``tables`` of the stage lack their points.
    """
    names = [criterion_message(language, "criterion", code, cotos) for code in codes]
    criteria = ", ".join(name.partition(":")[0] for name in names)
    return message(language, "place.passed_over", count=tables, criteria=criteria) if codes else ""


def _known(language: str) -> str:
    return language if language in LANGUAGES else "es"

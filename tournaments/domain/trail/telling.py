"""What a walk along a chain found, in words and in types of JSON."""

from __future__ import annotations

from typing import Any

from tournaments.domain.trail.checking import Fault, Found
from tournaments.domain.words import text_of


def told(fault: Fault, language: str) -> str:
    """Say what is wrong, in ``es`` or ``en``."""
    facts = dict(fault.facts)
    if fault.code in {"truncated", "rewritten"}:
        number = facts["checkpoint"]
        code = "trail.by_checkpoint" if number else "trail.by_counter"
        facts["by"] = text_of(code, language, number=number)
    return text_of(f"trail.{fault.code}", language, **facts)


def document(found: Found, language: str) -> dict[str, Any]:
    """Return all that was found in types of JSON."""
    return {
        "holds": found.holds,
        "events": found.last,
        "head": found.head,
        "redacted": list(found.redacted),
        "first": found.faults[0].sequence if found.faults else None,
        "faults": [
            {
                "code": fault.code,
                "sequence": fault.sequence,
                "facts": dict(fault.facts),
                "text": told(fault, language),
            }
            for fault in found.faults
        ],
    }


def written(found: Found, club: str, checkpoints: int, language: str) -> list[str]:
    """Return the lines for people: that everything holds, or the first fault and the others."""
    if found.holds:
        facts = {"last": found.last, "checkpoints": checkpoints, "redacted": len(found.redacted)}
        return [text_of("trail.holds", language, club=club, **facts)]
    first = text_of("trail.fails", language, club=club, sequence=found.faults[0].sequence)
    return [first, *(f"  {fault.sequence}: {told(fault, language)}" for fault in found.faults)]

"""Formats the result of a chain check, as sentences and as JSON types."""

from typing import Any

from tournaments.domain.messages import message
from tournaments.domain.trail.checking import Fault, Found


def describe_fault(fault: Fault, language: str) -> str:
    """Return the message of a fault."""
    code = f"trail.{fault.code}"
    if fault.code in {"truncated", "rewritten"}:
        code += ".checkpoint" if fault.facts["checkpoint"] else ".counter"
    return message(language, code, **fault.facts)


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
                "text": describe_fault(fault, language),
            }
            for fault in found.faults
        ],
    }


def format_report(found: Found, club: str, checkpoints: int, language: str) -> list[str]:
    """Return the lines for people: that everything holds, or the first fault and the others."""
    if found.holds:
        facts = {"last": found.last, "checkpoints": checkpoints, "redacted": len(found.redacted)}
        return [message(language, "trail.holds", club=club, **facts)]
    first = message(language, "trail.fails", club=club, sequence=found.faults[0].sequence)
    return [
        first,
        *(f"  {fault.sequence}: {describe_fault(fault, language)}" for fault in found.faults),
    ]

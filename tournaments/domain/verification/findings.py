"""What the check of a tournament finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: ``holds`` or not, or a note about it.

    ``code`` is part of its message's id. ``round``, ``table`` and ``stage`` are 0
    where they do not apply.
    """

    code: str
    holds: bool
    stage: int = 0
    round: int = 0
    table: int = 0
    entrants: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


Findings = tuple[Finding, ...]


NOTES: Final = frozenset(
    {
        "no_standings",
        "no_draws",
        "unsigned",
        "own_key",
        "signed_until",
        "drawn_again",
        "deals_again",
        "butler_rounded",
        "bye_worth_a_win",
        "dropped_round_blocks",
        "filled_by_beside",
        "filled_before",
        "filled_before_penalty",
        "source_corrected",
        "source_missing",
        "source_stated",
    }
)
"""Findings that hold and say what the file does not prove, or what to look at."""


def all_hold(findings: Iterable[Finding]) -> bool:
    """Tell whether nothing was found wrong."""
    return all(finding.holds for finding in findings)


def facts_of(**facts: Any) -> dict[str, Any]:
    """Return the facts of a finding, by name."""
    return facts

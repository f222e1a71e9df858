"""The answer to a submission."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

import engine

if TYPE_CHECKING:
    from tournaments.core.errors import Refusal
    from tournaments.models import Match, Record
    from tournaments.results.services.parse import ParsedRecord

UNKEPT: Final = _("It was not kept, but for its digest: there is enough evidence already.")


class Outcome(StrEnum):
    """What became of a submission."""

    ACCEPTED = "accepted"
    """It counts."""
    REPORTED = "reported"
    """It is valid, and counts once the other side has confirmed it."""
    CONFIRMED = "confirmed"
    """It says what the other side reported: now that counts."""
    DUPLICATE = "duplicate"
    REFUSED = "refused"
    CONTESTED = "contested"


@dataclass(frozen=True)
class SubmissionOutcome:
    """The answer to a submission.

    ``refusal`` is the service's objection, if it has one; without it a refused record has broken a
    rule of the game or of the form. ``record`` is missing when nothing could be kept but an event.
    ``replayed`` tells that this answer was given before, under the same idempotency key;
    ``is_kept`` is false where there is enough evidence already.
    """

    outcome: Outcome
    parsed: ParsedRecord
    match: Match | None
    record: Record | None
    refusal: Refusal | None = None
    replayed: bool = False
    is_kept: bool = True

    @property
    def verdict(self) -> engine.Verdict:
        """The verdict on what was sent."""
        return self.parsed.verdict

    @property
    def code(self) -> str:
        """The stable code of why it was refused or contested; empty when it was not."""
        if self.refusal is not None:
            return self.refusal.code
        fault = self.parsed.fault if self.outcome is Outcome.REFUSED else None
        return fault.code if fault else ""

    @property
    def status(self) -> int:
        """The HTTP status of the answer."""
        if self.refusal is not None:
            return self.refusal.status
        if self.outcome is Outcome.REFUSED:
            return self.parsed.fault_status
        return 201 if self.outcome in {Outcome.ACCEPTED, Outcome.REPORTED} else 200

    @property
    def message(self) -> str:
        """Why it was refused or contested, in the language in use; and if it was not kept, that."""
        return self._why if self.is_kept else f"{self._why} {UNKEPT}"

    @property
    def _why(self) -> str:
        if self.refusal is not None:
            return self.refusal.message
        fault = self.parsed.fault if self.outcome is Outcome.REFUSED else None
        return engine.explain(fault, (get_language() or "es")[:2]) if fault else ""

    @property
    def reason(self) -> str:
        """The finer code of a form at fault, such as ``duplicate_key``; empty otherwise."""
        return self.parsed.error.reason if self.parsed.error else ""

    @property
    def line(self) -> int | None:
        """The line of a form at fault, where it is known."""
        return self.parsed.error.line if self.parsed.error else None

    @property
    def column(self) -> int | None:
        """The column of a form at fault, where it is known."""
        return self.parsed.error.column if self.parsed.error else None


def answer_of(submitted: SubmissionOutcome) -> dict[str, Any]:
    """Return what has to be kept of an answer to give it again."""
    return {
        "outcome": submitted.outcome,
        "match": submitted.match.pk if submitted.match else None,
        "record": submitted.record.pk if submitted.record else None,
        "is_kept": submitted.is_kept,
    }

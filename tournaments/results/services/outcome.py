"""Outcomes of submissions."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

import engine
from tournaments.core.errors import Refusal
from tournaments.core.languages import active_language
from tournaments.models import Match, Record
from tournaments.results.services.parse import ParsedRecord

UNKEPT: Final = _("It was not kept, but for its digest: there is enough evidence already.")


class Outcome(StrEnum):
    """The kinds of outcomes."""

    ACCEPTED = "accepted"
    """The record counts."""
    REPORTED = "reported"
    """The record is valid, and counts once the other side has confirmed it."""
    CONFIRMED = "confirmed"
    """The record agrees with the other side's report: the result counts now."""
    DUPLICATE = "duplicate"
    REFUSED = "refused"
    CONTESTED = "contested"


@dataclass(frozen=True)
class SubmissionOutcome:
    """The answer to a submission.

    ``refusal`` is the service's objection, if it has one; without it a refused record has broken a
    rule of the game or of the form. ``record`` is missing when only an event could be written.
    ``replayed``: this answer was given before, under the same idempotency key; ``is_kept`` is
    false where there is enough evidence already.
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
        """The engine's verdict on the submitted body."""
        return self.parsed.verdict

    @property
    def code(self) -> str:
        """The stable code of the refusal or objection; empty without one."""
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
        """Why it was refused or contested, in the current language; it adds if it was not kept."""
        return self._why if self.is_kept else f"{self._why} {UNKEPT}"

    @property
    def _why(self) -> str:
        if self.refusal is not None:
            return self.refusal.message
        fault = self.parsed.fault if self.outcome is Outcome.REFUSED else None
        return engine.explain(fault, active_language()) if fault else ""

    @property
    def reason(self) -> str:
        """The finer code of a fault of form, such as ``duplicate_key``; empty otherwise."""
        return self.parsed.error.reason if self.parsed.error else ""

    @property
    def line(self) -> int | None:
        """The line of a fault of form, where it is known."""
        return self.parsed.error.line if self.parsed.error else None

    @property
    def column(self) -> int | None:
        """The column of a fault of form, where it is known."""
        return self.parsed.error.column if self.parsed.error else None


def answer_of(submitted: SubmissionOutcome) -> dict[str, Any]:
    """Return the stored form of an answer, to repeat it later."""
    return {
        "outcome": submitted.outcome,
        "match": submitted.match.pk if submitted.match else None,
        "record": submitted.record.pk if submitted.record else None,
        "is_kept": submitted.is_kept,
    }

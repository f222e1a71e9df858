"""Every code that an answer of the API may carry, in one place.

Three sources: what the door itself refuses (`Wire`), what a service refuses (`errors.Reason`), and
what the replay finds wrong with a record (`RECORD_FAULTS`, the codes of the record format).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.errors import Reason
from tournaments.services.readings import FAULT_STATUS


class Wire(Enum):
    """Code, HTTP status and text of what is refused before any service is asked."""

    BAD_REQUEST = "bad_request", 400, _("The request cannot be read.")
    BAD_PARAMETER = "bad_parameter", 400, _("The parameter “%(name)s” is not possible here.")
    KEY_MISSING = (
        "idempotency_key_missing",
        400,
        _("Send the header Idempotency-Key: the same key with every attempt of one submission."),
    )
    METHOD_NOT_ALLOWED = "method_not_allowed", 405, _("This address does not know %(method)s.")
    NOT_ACCEPTABLE = "not_acceptable", 406, _("Answers are in application/json.")
    TOO_LARGE = "too_large", 413, _("The request is too large.")
    UNSUPPORTED_MEDIA_TYPE = (
        "unsupported_media_type",
        415,
        _("Send the record as application/json in UTF-8, not compressed."),
    )
    THROTTLED = "throttled", 429, _("Too many requests: wait %(seconds)s seconds.")
    INTERNAL_ERROR = "internal_error", 500, _("This is a fault of ours. It has been written down.")
    UNAVAILABLE = "unavailable", 503, _("The database does not answer. Try again shortly.")

    def __init__(self, code: str, status: int, text: str | Promise) -> None:
        self.code = code
        self.status = status
        self.text = text


class WireRefusal(Exception):  # noqa: N818 - an answer, like a service's own Refusal
    """The door says no before any service is asked; `headers` go with the answer."""

    def __init__(
        self, reason: Wire, *, headers: Mapping[str, str] | None = None, **params: Any
    ) -> None:
        super().__init__(reason.code, params)
        self.reason = reason
        self.params = params
        self.headers = dict(headers or {})

    @property
    def message(self) -> str:
        """The refusal in the language in use."""
        return str(self.reason.text) % self.params


RECORD_FAULTS: Final[Mapping[str, str | Promise]] = {
    "record.syntax": _("The body is not strict JSON; `reason` says in which way."),
    "record.format": _("The body is not one object of the format `baza/1`."),
    "record.ruleset": _("The ruleset is not known."),
    "record.option": _("An option is unknown, or its value is not possible."),
    "record.seats": _("The seats are not a name for each seat of the ruleset."),
    "record.field": _("A field is missing, unknown, or of the wrong type."),
    "record.limit": _(
        "The body, its nesting, a text, or the number of hands or tokens is too large."
    ),
    "deal.card": _("A card of the deal does not exist."),
    "deal.duplicate": _("A card was dealt twice."),
    "deal.missing": _("A card was dealt to nobody."),
    "deal.size": _("A seat has too many or too few cards."),
    "deal.trump": _("The card that shows trumps is not where it must be."),
    "deal.dealer": _("It was another seat's turn to deal."),
    "play.token": _("A token of the play is neither a card nor a call."),
    "play.not_held": _("The seat does not hold the card it played."),
    "play.must_follow": _("The seat could follow suit and did not."),
    "play.must_head": _("The seat could beat the winning card and did not."),
    "play.must_trump": _("The seat had to trump and did not."),
    "play.must_overtrump": _("The seat could beat the winning trump and did not."),
    "play.incomplete": _("The play of a hand stops before its end."),
    "play.after_end": _("Something follows the end of a hand."),
    "declare.not_held": _("The seat does not hold the cards it declared."),
    "declare.window": _("A declaration came at the wrong moment."),
    "declare.repeated": _("The same was declared before."),
    "declare.order": _("Another declaration had to come first."),
    "declare.limit": _("The seat has declared already after this trick."),
    "declare.forfeited": _("The right to this declaration was lost earlier."),
    "declare.not_admitted": _("The ruleset does not know this declaration."),
    "exchange.not_admitted": _("The ruleset knows no exchange."),
    "exchange.window": _("The exchange is not possible at this moment."),
    "exchange.no_trick": _("Who exchanges must have won a trick."),
    "exchange.not_held": _("The seat does not hold the trump it exchanges."),
    "exchange.upcard": _("The upcard is not one that this trump is exchanged for."),
    "claim.not_admitted": _("The ruleset knows no claim."),
    "claim.window": _("A claim or a capote came at the wrong moment."),
    "support.not_admitted": _("The ruleset knows no plate."),
    "support.window": _("Whether a seat supports was said out of turn, or not said in time."),
    "score.points": _("The stated points of a hand differ from the replay."),
    "score.winner": _("The stated winner of a hand differs from the replay."),
    "score.match": _("The stated score or winner of the match differs from the replay."),
    "score.impossible": _("No play can give the stated points."),
    "match.over": _("A hand follows the end of the match."),
}
"""What the replay finds wrong with a record, by the codes of the record format."""

PARAMETER: Final = re.compile(r"%\(\w+\)s")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem: its code, the statuses it is answered with, what it means."""

    code: str
    status: tuple[int, ...]
    description: str

    @property
    def title(self) -> str:
        """What every problem of this kind is called."""
        return title(self.code)


def title(code: str) -> str:
    """Return a code in words: `play.must_head` is `Play: must head`."""
    words = code.replace("_", " ").replace(".", ": ")
    return words[:1].upper() + words[1:]


def kinds() -> Iterator[Kind]:
    """Yield every kind of problem, the door's own first; descriptions in the language in use."""
    for reason in (*Wire, *Reason):
        yield Kind(reason.code, (reason.status,), PARAMETER.sub("…", str(reason.text)))
    for code, text in RECORD_FAULTS.items():
        yield Kind(code, fault_statuses(code), str(text))


def fault_statuses(code: str) -> tuple[int, ...]:
    """Return the statuses under which a record is refused for this fault."""
    if code == "record.limit":
        return (400, 413)
    return (FAULT_STATUS.get(code, 400 if code.startswith("record.") else 422),)

"""Every code that an answer of the API may carry, in one place.

Three sources: what the door itself refuses (`Wire`), what a service refuses (`errors.Reason`), and
what the replay finds wrong with a record (`RECORD_FAULTS`, the codes of the record format).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.errors import Reason
from tournaments.faults import PARAMETER, RECORD_FAULTS
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
    NOT_ACCEPTABLE = "not_acceptable", 406, _("Answers are in %(kind)s here.")
    PRECONDITION_FAILED = (
        "precondition_failed",
        412,
        _("It has changed since you read it: read it again, and send its ETag in If-Match."),
    )
    TOO_LARGE = "too_large", 413, _("The request is too large.")
    UNSUPPORTED_MEDIA_TYPE = (
        "unsupported_media_type",
        415,
        _("Send the body as %(kind)s in UTF-8, not compressed."),
    )
    PRECONDITION_REQUIRED = (
        "precondition_required",
        428,
        _("Send the header If-Match: the ETag of what you have read and want to change."),
    )
    THROTTLED = "throttled", 429, _("Too many requests: wait %(seconds)s seconds.")
    INTERNAL_ERROR = "internal_error", 500, _("This is a fault of ours. It has been written down.")
    UNAVAILABLE = "unavailable", 503, _("The database does not answer. Try again shortly.")
    TOO_MANY_STREAMS = (
        "too_many_streams",
        503,
        _("Too many follow at the moment. Try again shortly, or ask now and then."),
    )

    def __init__(self, code: str, status: int, text: str | Promise) -> None:
        self.code = code
        self.status = status
        self.text = text


class WireRefusal(Exception):  # noqa: N818 - an answer, like a service's own Refusal
    """The door says no before any service is asked; `headers` go with the answer."""

    def __init__(
        self, reason: Wire, /, *, headers: Mapping[str, str] | None = None, **params: Any
    ) -> None:
        super().__init__(reason.code, params)
        self.reason = reason
        self.params = params
        self.headers = dict(headers or {})

    @property
    def message(self) -> str:
        """The refusal in the language in use."""
        return str(self.reason.text) % self.params


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

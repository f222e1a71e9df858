"""Requests over HTTP that are made again when the answer is lost, where that is safe; failures."""

import http.client
import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

RETRY_STATUSES: Final = frozenset({429, 502, 503, 504})
"""The service could not answer now; it says so before it has changed anything."""

IN_FLIGHT: Final = "idempotency_in_flight"
"""The first attempt is still being carried out: its answer is there in a moment."""

CONNECTION_ERRORS: Final = (OSError, http.client.HTTPException)
"""Failures of the network; `OSError` is also that of TLS, of a lost route and of `urllib`."""
MAX_WAIT: Final = 60.0  # seconds


class Problem(Exception):  # noqa: N818 - the name that RFC 9457 gives it
    """The service refused the request; ``code`` is stable, ``detail`` a sentence for people.

    ``pointer`` is the place in what was sent, where it is known; ``scope`` the scopes that the
    token lacks; ``document`` the whole problem.
    """

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        self.status = status
        self.code = str(document.get("code", ""))
        self.detail = str(document.get("detail", ""))
        self.pointer: str | None = document.get("pointer")
        self.scope = str(document.get("scope", ""))
        self.document = document
        super().__init__(f"{status} {self.code}".rstrip() + f": {self.detail}")


class Unreachable(Exception):  # noqa: N818
    """No answer, however often it was tried; whether it was carried out is not known."""


class CutShort(Exception):  # noqa: N818
    """Lines that do not end as they say themselves that they must: some are missing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer below 400, at which attempt it came; 304 when nothing has changed."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    attempt: int = 1

    def json(self) -> Any:
        """Return what the body says. Raises ValueError for an answer that is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise ValueError("the answer is not JSON: is this the address of a service?") from error


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is for the address it was given for, and for no other."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


@dataclass(slots=True)
class Transport:
    """Makes a request up to ``attempts`` times, waiting longer each time (seconds).

    Waits as long as `Retry-After` says, else twice as long each time with a share of chance, so
    that many clients do not come back together. Only what may be repeated must be sent by it:
    reading, and writing under an idempotency key.
    """

    attempts: int = 6
    timeout: float = 30.0
    first_wait: float = 0.5
    sleep: Callable[[float], None] = time.sleep
    chance: random.Random = field(default_factory=random.Random)
    _opener: urllib.request.OpenerDirector = field(init=False)

    def __post_init__(self) -> None:
        self._opener = urllib.request.build_opener(_NoRedirects)

    def send(
        self, method: str, address: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> Answer:
        """Return the answer. Raises Problem, and Unreachable after the last attempt."""
        if not address.startswith(("https://", "http://")):
            raise ValueError(f"{address!r} is no address of a service")
        for attempt in range(1, self.attempts + 1):
            try:
                return replace(self._once(method, address, headers, body), attempt=attempt)
            except urllib.error.HTTPError as error:
                problem = problem_of(error)
                may_again = problem.status in RETRY_STATUSES or problem.code == IN_FLIGHT
                if not may_again or attempt == self.attempts:
                    raise problem from None
                self.sleep(self.wait(attempt, error.headers.get("Retry-After")))
            except CONNECTION_ERRORS as error:
                if attempt == self.attempts:
                    raise Unreachable(f"{address}: {error}") from error
                self.sleep(self.wait(attempt, None))
        raise Unreachable(address)

    def _once(
        self, method: str, address: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        request = urllib.request.Request(  # noqa: S310 - the schemes are those of `send`
            address, data=body, headers=dict(headers), method=method
        )
        try:
            with self._opener.open(request, timeout=self.timeout) as answer:
                return Answer(answer.status, dict(answer.headers.items()), answer.read())
        except urllib.error.HTTPError as error:
            if error.code == 304:
                with error:
                    return Answer(304, dict(error.headers.items()), b"")
            raise

    def lines(self, address: str, headers: Mapping[str, str], silence: float) -> Iterator[bytes]:
        """Yield the lines of an answer as they come, once; ``silence`` in seconds breaks it off.

        Raises HTTPError for a refusal, and what is in :data:`CONNECTION_ERRORS`, also for an answer
        of another type than `Accept` asks for, such as the page of a network that wants a password.
        """
        request = urllib.request.Request(address, headers=dict(headers))  # noqa: S310 - as in `send`
        with self._opener.open(request, timeout=silence) as answer:
            if (kind := answer.headers.get_content_type()) != headers["Accept"]:
                raise http.client.HTTPException(f"the answer is {kind}, not {headers['Accept']}")
            yield from answer

    def wait(self, attempt: int, retry_after: str | None) -> float:
        """The seconds to wait after a number of failures: as ``Retry-After`` says, or random."""
        if retry_after is not None and retry_after.isascii() and retry_after.isdecimal():
            return min(float(retry_after), MAX_WAIT)
        longest: float = self.first_wait * 2.0 ** (attempt - 1)
        return min(longest * (0.5 + self.chance.random() / 2), MAX_WAIT)


def problem_of(error: urllib.error.HTTPError) -> Problem:
    """Return what the service said; of an answer that is no problem, what its status says.

    Proxies answer so, and servers at an address that is not the service's.
    """
    with error:
        try:
            document = json.loads(error.read())
        except (ValueError, *CONNECTION_ERRORS):
            document = {}
    if not isinstance(document, dict) or "code" not in document:
        location = error.headers.get("Location")
        document = {"detail": f"{error.reason}: {location}" if location else str(error.reason)}
    return Problem(error.code, document)

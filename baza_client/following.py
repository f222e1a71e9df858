"""Following the live events of a tournament through connections that break."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.error import HTTPError

from baza_client.shapes import LiveEvent, read
from baza_client.transport import (
    CONNECTION_ERRORS,
    RETRY_STATUSES,
    Problem,
    Transport,
    Unreachable,
    problem_of,
)

NDJSON: Final = "application/x-ndjson"
SILENCE: Final = 45.0
"""Seconds without a word after which a connection is dead: the service says something every 15."""


def follow(
    transport: Transport, address: str, headers: Mapping[str, str], since: str
) -> Iterator[LiveEvent]:
    """Yield events as they happen, for ever; after a break it goes on after the last of them.

    Raises Problem for what does not pass, such as a token that is none, and Unreachable when so
    many connections one after another brought nothing as the transport has ``attempts``.
    """
    failed = 0
    while True:
        request_headers = {
            **headers,
            "Accept": NDJSON,
            **({"Last-Event-ID": since} if since else {}),
        }
        retry_after = None
        try:
            for event in events_of(transport.lines(address, request_headers, SILENCE)):
                failed, since = 0, event.token
                yield event
        except HTTPError as error:
            problem, retry_after = problem_of(error), error.headers.get("Retry-After")
            failed = _count_failure(problem, failed, transport.attempts)
        except CONNECTION_ERRORS as error:
            failed += 1
            if failed == transport.attempts:
                raise Unreachable(f"{address}: {error}") from error
        transport.sleep(transport.wait(max(failed, 1), retry_after))


def events_of(lines: Iterable[bytes]) -> Iterator[LiveEvent]:
    """Yield the events of a stream; empty lines say that it is there, a torn one is not read."""
    for line in lines:
        if not line.endswith(b"\n"):
            return
        if line.strip():
            yield read(LiveEvent, json.loads(line))


def _count_failure(problem: Problem, failed: int, attempts: int) -> int:
    """Count a refusal that may pass; raise any other, and the last one."""
    if problem.status not in RETRY_STATUSES or failed + 1 == attempts:
        raise problem
    return failed + 1

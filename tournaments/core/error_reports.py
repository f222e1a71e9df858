"""Reports errors to a server that speaks Sentry's protocol (`BAZA_SENTRY_DSN`).

A report has kinds of exceptions, places in the code, the pattern of the address and the number of
the request. Nothing else is read: no text of a message or an exception, no value, no account.
"""

import json
import logging
from http.client import HTTPException
from threading import Semaphore, Thread
from traceback import extract_tb
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import Request, urlopen
from uuid import uuid4

from tournaments.core import logs
from tournaments.domain.proof import PROGRAM

CLIENT: Final = PROGRAM.replace(" ", "/")
TIMEOUT: Final = 5.0  # seconds
log = logging.getLogger(__name__)


class ErrorReports(logging.Handler):
    """Sends each logged exception in a thread; those logged while one is sent are left out."""

    def __init__(self, dsn: str) -> None:
        super().__init__(logging.ERROR)
        parts = urlsplit(dsn)
        folder, _, project = parts.path.rpartition("/")
        host = parts.netloc.rpartition("@")[2]
        self.url = f"{parts.scheme}://{host}{folder}/api/{project}/envelope/"
        key = f"Sentry sentry_version=7, sentry_client={CLIENT}, sentry_key={parts.username}"
        self.headers = {"Content-Type": "application/x-sentry-envelope", "X-Sentry-Auth": key}
        self.sending = Semaphore(1)

    def emit(self, record: logging.LogRecord) -> None:
        """Start to send a report."""
        if record.exc_info and record.exc_info[1] and self.sending.acquire(blocking=False):
            Thread(target=self.send, args=(event_of(record),), daemon=True).start()

    def send(self, event: dict[str, Any]) -> None:
        """Post an envelope of one event; a server that does not take it is named in the log."""
        lines = ({"event_id": event["event_id"]}, {"type": "event"}, event)
        body = "\n".join(map(json.dumps, lines)).encode()
        try:
            # environment.py allows http and https alone
            urlopen(Request(self.url, body, self.headers), timeout=TIMEOUT).close()  # noqa: S310  # nosec B310
        except (OSError, HTTPException) as error:
            log.warning("The report of an error was not taken: %s", error)
        finally:
            self.sending.release()


def event_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the event of a record: its exceptions, the first cause first, and where they rose."""
    return {
        "event_id": uuid4().hex,
        "timestamp": record.created,
        "platform": "python",
        "logger": record.name,
        "release": CLIENT,
        "transaction": logs.current_pattern(),
        "tags": {"request": logs.current_number()},
        "exception": {
            "values": [kind_and_places(error) for error in logs.exceptions_of(record)][::-1]
        },
    }


def kind_and_places(error: BaseException) -> dict[str, Any]:
    """Return the type of an exception and the frames of its trace, the innermost last."""
    frames = [
        {"filename": logs.short_path(each.filename), "function": each.name, "lineno": each.lineno}
        for each in extract_tb(error.__traceback__)
    ]
    kind = type(error)
    return {"type": kind.__qualname__, "module": kind.__module__, "stacktrace": {"frames": frames}}

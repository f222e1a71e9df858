"""Log formatters: one event a line, with the request's number and without personal data.

A line holds time, level, logger and message; for a request also its number, its route, the key of
the account and the outcome. Codes in addresses, query strings, bodies, cookies, tokens and mail
addresses are left out. Of an exception in a request only its type and its place in the code are
logged, since its text may repeat what was sent.
"""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from traceback import TracebackException
from typing import Any, Final
from uuid import uuid4

from django.http import HttpRequest

ROOT: Final = Path(__file__).resolve().parents[2]
VALID_NUMBER: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""Request numbers that are taken over from the client."""

NO_ROUTE: Final = "(none)"
"""The route logged for an unknown address, which may be a mistyped secret."""

KNOWN_PATHS: Final = frozenset({"/", "/healthz", "/readyz", "/metrics"})
"""Addresses without a route that are logged as they are."""

LOGGED_PARTS: Final = {"slug": {"slug", "verb", "season", "part", "what"}, "int": None}
"""The parts of addresses that are logged, by converter and name; all others are left out."""

PATH_PARAMETER: Final = re.compile(r"<(?:(\w+):)?(\w+)>")
SECRET_PATTERNS: Final = (
    (re.compile(r"baza_[0-9a-f]{8,}\w*[\w-]*"), "baza_…"),
    (re.compile(r"(?i)\b(bearer|basic)\s+\S+"), r"\1 …"),
    (re.compile(r"(\w://)[^\s/@:]*:[^\s/@]*@"), r"\1…@"),
    # Tried once a word, and never backtracking: an address of 8,000 letters took 0.25 s otherwise.
    (re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"), "…@…"),
    (re.compile(r"\?[^\s\"'<>]+"), "?…"),
)
"""Secrets and addresses replaced in every line, also in those of libraries."""

CONTROL_CHARACTERS: Final = {
    number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160), 0x2028, 0x2029)
}
"""Control characters and their escapes: no text starts a line or changes a terminal's colours."""


@dataclass(frozen=True, slots=True)
class LogContext:
    """The context of a log line: a request's number, and the request or the task."""

    number: str
    request: HttpRequest | None = None
    task: str = ""


_log_context: ContextVar[LogContext | None] = ContextVar("log_context", default=None)


def valid_or_new_number(number: str) -> str:
    """Return the number that a request came with if it is valid, else a new one."""
    return number if VALID_NUMBER.fullmatch(number) else uuid4().hex


def current_number() -> str:
    """Return the number of the current request; empty outside a request."""
    context = _log_context.get()
    return context.number if context else ""


def current_pattern() -> str:
    """Return the pattern of the current request's address, or the name of the task; or nothing."""
    context = _log_context.get() or LogContext("")
    match = context.request.resolver_match if context.request else None
    return f"/{match.route}" if match else context.task


@contextmanager
def log_request(request: HttpRequest, number: str) -> Iterator[None]:
    """Add the request's number to every line logged in the block."""
    token = _log_context.set(LogContext(number, request))
    try:
        yield
    finally:
        _log_context.reset(token)


def begin_task(name: str, number: str) -> None:
    """Add the number of the request that posted the task to every line logged from now on."""
    _log_context.set(LogContext(valid_or_new_number(number), task=name))


def route_of(request: HttpRequest) -> str:
    """Return the address of a request, its parts that may be secret replaced by their names."""
    match = request.resolver_match
    if match is None or not match.route:
        return request.path if request.path in KNOWN_PATHS else NO_ROUTE

    def part(part_match: re.Match[str]) -> str:
        kind, name = part_match.groups()
        names = LOGGED_PARTS.get(kind or "", set())
        is_open = names is None or name in names
        return str(match.kwargs.get(name, part_match[0])) if is_open else part_match[0]

    return "/" + PATH_PARAMETER.sub(part, match.route)


def actor_of(request: HttpRequest) -> int | None:
    """Return the key of the account that asks, if it was loaded already; runs no query."""
    attributes = vars(request)
    user = attributes.get("_cached_user") or attributes.get("user")
    if type(user).__name__ == "SimpleLazyObject":
        return None
    return getattr(user, "pk", None)


def remove_secrets(text: str, request: HttpRequest | None = None) -> str:
    """Return a text without secrets, on one line."""
    if request is not None:
        for path in (request.get_full_path(), request.path, request.path_info):
            if len(path) > 1:
                text = text.replace(path, route_of(request))
    for pattern, instead in SECRET_PATTERNS:
        text = pattern.sub(instead, text)
    return text.translate(CONTROL_CHARACTERS)


def log_fields(record: logging.LogRecord) -> dict[str, Any]:
    """Return the fields of a log line in order; unknown ones are missing."""
    context = _log_context.get() or LogContext("")
    request = context.request or getattr(record, "request", None)
    request = request if isinstance(request, HttpRequest) else None
    facts: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname,
        "logger": record.name,
        "message": remove_secrets(_message(record, request), request),
        "request_id": context.number,
        "task": context.task,
        **(_request_fields(request) if request else {}),
        "status": getattr(record, "status_code", None),
        "duration_ms": getattr(record, "duration_ms", None),
        "exception": list(_trace_lines(record, request)),
    }
    return {name: fact for name, fact in facts.items() if fact not in (None, "", [])}


def _request_fields(request: HttpRequest) -> Mapping[str, Any]:
    route = remove_secrets(route_of(request))
    return {"method": request.method, "route": route, "actor": actor_of(request)}


def _message(record: logging.LogRecord, request: HttpRequest | None) -> str:
    """Return the message of a line.

    Django's own messages about a request are left out, as they repeat what was sent.
    """
    if record.name.startswith("django.security"):
        return f"Refused: {record.name.rpartition('.')[2]}"
    if record.name == "django.request" and request is not None:
        return f"{getattr(record, 'status_code', '')} {request.method} {route_of(request)}".strip()
    return record.getMessage()


def _trace_lines(record: logging.LogRecord, request: HttpRequest | None) -> Iterator[str]:
    """Yield the types of the exceptions, the outermost first, and where each was raised."""
    for error in exceptions_of(record):
        kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
        code = getattr(error, "sqlstate", None) or getattr(error, "errno", None)
        message = "" if request is not None else remove_secrets(str(error).partition("\n")[0])
        yield ": ".join(filter(None, (kind, str(code or ""), message)))
        for frame in TracebackException.from_exception(error).stack:
            yield f"  {short_path(frame.filename)}:{frame.lineno} {frame.name}"


def exceptions_of(record: logging.LogRecord) -> Iterator[BaseException]:
    """Yield the exception of a record and its causes, the outermost first."""
    error = record.exc_info[1] if record.exc_info else None
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def short_path(name: str) -> str:
    """Return the path of a program from the folder of the service or of its packages on."""
    return name.rpartition("site-packages/")[2].removeprefix(f"{ROOT}/")


class TextFormatter(logging.Formatter):
    """Formats for people: one line, the trace of an exception indented below it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event as text."""
        facts = log_fields(record)
        when = self.formatTime(record)
        head = f"{when} {facts['level']} {facts['logger']}: {facts.get('message', '')}"
        number = f" [{facts['request_id']}]" if "request_id" in facts else ""
        return "\n    ".join([head + number, *facts.get("exception", ())])


class JsonFormatter(logging.Formatter):
    """Formats for machines: one object a line, in ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event as JSON."""
        return json.dumps(log_fields(record), default=str)

"""What the process environment asks for, checked: the only reader of the `BAZA_…` variables.

| variable | meaning; what holds when it is missing |
|---|---|
| `BAZA_VAR` | folder for all that is written; `var` beside `manage.py` |
| `DATABASE_URL` | `postgres://user:password@host/name`, `sqlite:////path`; SQLite in `BAZA_VAR` |
| `REDIS_URL` | `redis://`, `rediss://` or `unix://`; the embedded broker in `BAZA_VAR` |
| `BAZA_SECRET_KEY` | signs sessions; kept in `BAZA_VAR`, but required with `DATABASE_URL` |
| `BAZA_ALLOWED_HOSTS` | host names, separated by commas; this machine's |
| `BAZA_PUBLIC_URL` | what people type, such as `https://club.example` (secure cookies); none |
| `BAZA_DEBUG` | `1` shows errors with their traces, never on a public machine; off |

A value that cannot be right raises `ImproperlyConfigured` with one line that names the variable.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"", "0", "false", "no", "off"})
DATABASE_SCHEMES = frozenset({"sqlite", "postgres", "postgresql"})
REDIS_SCHEMES = frozenset({"redis", "rediss", "unix"})
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
LONGEST_SOCKET_PATH = 103  # bytes: the kernel's limit on macOS; Linux allows 107
SHORTEST_SECRET_KEY = 32  # characters


@dataclass(frozen=True, slots=True)
class Environment:
    """The answers; every field is already checked."""

    var: Path
    debug: bool
    secret_key: str
    database: dict[str, Any]
    redis_url: str
    has_own_broker: bool
    allowed_hosts: tuple[str, ...]
    public_url: str

    @property
    def is_https(self) -> bool:
        """Tell whether people reach the service over TLS."""
        return self.public_url.startswith("https://")

    @property
    def broker_url(self) -> str:
        """Return the Redis address as Celery writes it."""
        if self.redis_url.startswith("unix://"):
            return "redis+socket://" + self.redis_url.removeprefix("unix://")
        return self.redis_url


def read(environ: Mapping[str, str]) -> Environment:
    """Check the whole environment; creates `BAZA_VAR` and its secret key when they are missing."""
    var = read_var(environ)
    debug = read_flag(environ, "BAZA_DEBUG")
    public_url = read_public_url(environ)
    return Environment(
        var=var,
        debug=debug,
        secret_key=read_secret_key(environ, var, debug=debug),
        database=read_database(environ, var),
        redis_url=read_redis_url(environ, var),
        has_own_broker=not environ.get("REDIS_URL"),
        allowed_hosts=read_allowed_hosts(environ, public_url),
        public_url=public_url,
    )


def read_flag(environ: Mapping[str, str], name: str) -> bool:
    """Return a yes or a no; anything else is refused rather than taken for a no."""
    value = environ.get(name, "").strip().lower()
    if value in YES:
        return True
    if value in NO:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}: write 1 or 0.")


def read_var(environ: Mapping[str, str]) -> Path:
    """Return the folder for everything written; a relative path starts beside `manage.py`."""
    folder = ROOT / environ.get("BAZA_VAR", "var")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"BAZA_VAR is {str(folder)!r}, which cannot be made: {error.strerror}."
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"BAZA_VAR is {str(folder)!r}, which cannot be written to.")
    return folder


def read_secret_key(environ: Mapping[str, str], var: Path, *, debug: bool) -> str:
    """Return the key that signs sessions: given, or made once and kept in `var`."""
    key = environ.get("BAZA_SECRET_KEY", "")
    if key:
        if len(key) < SHORTEST_SECRET_KEY:
            raise ImproperlyConfigured(
                f"BAZA_SECRET_KEY is too short: give at least {SHORTEST_SECRET_KEY} characters."
            )
        return key
    if environ.get("DATABASE_URL") and not debug:
        raise ImproperlyConfigured(
            "BAZA_SECRET_KEY is missing: with DATABASE_URL, give a long random text of your own."
        )
    return kept_secret_key(var / "secret-key")


def kept_secret_key(path: Path) -> str:
    """Read the key in `path`; the first process to come makes it, for its owner's eyes alone."""
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".secret-key-") as draft:
            draft.write(secrets.token_urlsafe(50))
            draft.flush()
            with contextlib.suppress(FileExistsError):  # another process was first: its key it is
                os.link(draft.name, path)
    return path.read_text().strip()


def read_database(environ: Mapping[str, str], var: Path) -> dict[str, Any]:
    """Return Django's description of the database; the default is one SQLite file."""
    url = environ.get("DATABASE_URL", "")
    if not url:
        return sqlite(str(var / "baza.sqlite3"), var)
    parts = split("DATABASE_URL", url, DATABASE_SCHEMES)
    name = unquote(parts.path.removeprefix("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL names no database: it ends with /name.")
    return sqlite(name, var) if parts.scheme == "sqlite" else postgresql(parts, name)


def sqlite(name: str, var: Path) -> dict[str, Any]:
    """Describe an SQLite file: readers never wait, writers queue for up to thirty seconds."""
    pragmas = (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "cache_size=-16000",
        "mmap_size=134217728",
        "journal_size_limit=67108864",
        "temp_store=MEMORY",
    )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "".join(f"PRAGMA {pragma};" for pragma in pragmas),
        },
        "TEST": {"NAME": str(var / "test.sqlite3")},  # a file, so that a worker can open it too
    }


def postgresql(parts: SplitResult, name: str) -> dict[str, Any]:
    """Describe a PostgreSQL database, a pool a process; the driver gets the address's query."""
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": parts.port or "",
        "OPTIONS": {
            **dict(parse_qsl(parts.query)),
            "pool": {"min_size": 1, "max_size": 8, "timeout": 10},
        },
    }


def read_redis_url(environ: Mapping[str, str], var: Path) -> str:
    """Return the address of Redis; the default is the embedded broker's unix socket."""
    url = environ.get("REDIS_URL", "")
    if not url:
        return f"unix://{broker_socket(var)}"
    parts = split("REDIS_URL", url, REDIS_SCHEMES)
    if parts.scheme == "unix" and not parts.path:
        raise ImproperlyConfigured("REDIS_URL names no socket: write unix:///path/to/socket.")
    if parts.scheme != "unix" and not parts.hostname:
        raise ImproperlyConfigured("REDIS_URL names no host: write redis://host:6379/0.")
    return url


def broker_socket(var: Path) -> Path:
    """Return where the embedded broker listens: in `var`, or a temporary folder if too deep."""
    path = var / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    mark = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"baza-{os.getuid()}-{mark}" / "valkey.sock"


def read_public_url(environ: Mapping[str, str]) -> str:
    """Return the address people use, without a closing slash, or an empty text."""
    url = environ.get("BAZA_PUBLIC_URL", "").rstrip("/")
    if url:
        parts = split("BAZA_PUBLIC_URL", url, frozenset({"http", "https"}))
        if not parts.hostname or parts.path or parts.query:
            raise ImproperlyConfigured(
                f"BAZA_PUBLIC_URL is {url!r}: write scheme and host only: https://club.example."
            )
    return url


def read_allowed_hosts(environ: Mapping[str, str], public_url: str) -> tuple[str, ...]:
    """Return the host names the service answers to."""
    named = tuple(name.strip() for name in environ.get("BAZA_ALLOWED_HOSTS", "").split(","))
    named = tuple(name for name in named if name)
    for name in named:
        if "/" in name or " " in name:
            raise ImproperlyConfigured(
                f"BAZA_ALLOWED_HOSTS holds {name!r}: write host names only, separated by commas."
            )
    public_host = urlsplit(public_url).hostname if public_url else None
    return (named or THIS_MACHINE) + ((public_host,) if public_host else ())


def split(name: str, url: str, schemes: frozenset[str]) -> SplitResult:
    """Split an address, refusing another scheme or a port that is no number."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  (reading it is the check)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not an address: {error}.") from error
    if parts.scheme not in schemes:
        known = ", ".join(f"{scheme}://" for scheme in sorted(schemes))
        raise ImproperlyConfigured(f"{name} starts with {parts.scheme!r}: use one of {known}.")
    return parts

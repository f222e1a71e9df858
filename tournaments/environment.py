"""Reads and checks the process environment: the only reader of the `BAZA_…` variables.

| variable | meaning; default |
|---|---|
| `BAZA_VAR` | folder for all that is written; `var` beside `manage.py` |
| `DATABASE_URL` | `postgres://user:password@host/name`, `sqlite:////path`; SQLite in `BAZA_VAR` |
| `BAZA_DIRECT_DATABASE_URL` | the server itself, if `DATABASE_URL` is a pgbouncer's; none |
| `REDIS_URL` | `redis://`, `rediss://` or `unix://`; the embedded broker in `BAZA_VAR` |
| `BAZA_SECRET_KEY` | signs sessions; kept in `BAZA_VAR`, but required with `DATABASE_URL` |
| `BAZA_SECRET_KEY_OLD` | earlier secret keys, by commas, still valid for existing values; none |
| `BAZA_AUDIT_KEY` | signs the history, 64 hex digits; kept and required as the secret key |
| `BAZA_PUSH_KEY` | signs messages to browsers; kept as the secret key, none with `DATABASE_URL` |
| `BAZA_ALLOWED_HOSTS` | host names, separated by commas; this machine's |
| `BAZA_PUBLIC_URL` | the public address, such as `https://club.example` (secure cookies); none |
| `BAZA_HSTS` | HSTS under https: `off`, `host`, `subdomains` or `preload`; `host` |
| `BAZA_EMAIL_URL` | `smtps://user:password@host?from=baza@club.example`; files in `BAZA_VAR` |
| `BAZA_SECOND_FACTOR` | `required` of organisers or `offered`; required under https |
| `BAZA_ANALYSIS` | `off`: no record is analysed; on |
| `BAZA_LADDERS` | `off`: authors enter their bots on no ladder by themselves; on |
| `BAZA_DEAF_AFTER` | seconds until a silent worker is killed and started again; 120 |
| `BAZA_WEBHOOKS_TO_PRIVATE` | `1` lets webhooks lead to machines of one's own network; off |
| `BAZA_BACKUP_DIR` | folder for a backup every night, or `off`; none, `baza up`: in `BAZA_VAR` |
| `BAZA_BACKUP_KEEP` | how many of them are kept; 14 |
| `BAZA_LOG` | `json`: a JSON object a line, and a line a request; `line`: for people |
| `BAZA_METRICS_TOKEN` | opens `/metrics` and `/readyz` to other machines; this one's alone |
| `BAZA_SENTRY_DSN` | takes reports of errors, Sentry's protocol: `https://key@host/project`; none |
| `BAZA_KEEP_DAYS` | days that personal data are kept, `evidence=365,sign_ins=30`; as usual |
| `BAZA_DEBUG` | `1` shows errors with their traces, never on a public machine; off |

An invalid value raises `ImproperlyConfigured` with one line that names the variable.
"""

import contextlib
import hashlib
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"", "0", "false", "no", "off"})
IDLE_TRANSACTION_SECONDS = 60
"""Seconds after which PostgreSQL ends an idle transaction
(`idle_in_transaction_session_timeout`)."""

LOCK_TIMEOUT_SECONDS = 3
"""Seconds that a statement waits for a lock on PostgreSQL; then the transaction is retried."""

TIMEOUTS = {
    "idle_in_transaction_session_timeout": IDLE_TRANSACTION_SECONDS,
    "lock_timeout": LOCK_TIMEOUT_SECONDS,
}
"""PostgreSQL's timeouts in seconds, set on the role by each `migrate` (`core.db`)."""

DATABASE_SCHEMES = frozenset({"sqlite", "postgres", "postgresql"})
EMAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
"""Default ports by scheme: in clear text, with STARTTLS, with TLS from the first byte."""

REDIS_SCHEMES = frozenset({"redis", "rediss", "unix"})
OWNER_ONLY = 0o700
"""Mode of the folders that hold sessions, reset links and entry codes in clear text."""

THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
MAX_SOCKET_PATH_LENGTH = 103  # bytes: the kernel's limit on macOS; Linux allows 107
MIN_SECRET_KEY_LENGTH = 32  # characters
MIN_DIFFERENT_CHARACTERS = 5  # of a secret key, as in Django's check security.W009
MIN_METRICS_TOKEN_LENGTH = 24  # characters
HSTS = ("off", "host", "subdomains", "preload")
"""Values of `BAZA_HSTS`, each with all that the one before it says. Browsers keep the last two for
a year, and for machines of the domain that do not serve this program."""

AUDIT_KEY = re.compile(r"[0-9a-f]{64}")

P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Order of the curve of `BAZA_PUSH_KEY`: a private key is a number below it."""


KEEP_DAYS: Mapping[str, int] = {
    "invitations": 30,
    "sign_ins": 60,
    "attempts": 30,
    "evidence": 180,
    "deliveries": 30,
    "mails": 30,
    "contacts": 30,
    "push": 7,
}
"""Days that personal data are kept after their use ended (docs/operators/privacy.md)."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The checked values of the environment."""

    var: Path
    debug: bool
    secret_key: str
    database: dict[str, Any]
    redis_url: str
    has_own_broker: bool
    allowed_hosts: tuple[str, ...]
    public_url: str
    audit_key: str
    push_key: str = ""
    old_secret_keys: tuple[str, ...] = ()
    analysis: bool = True
    ladders: bool = True
    deaf_after: float = 120.0
    webhooks_to_private: bool = False
    direct_database: dict[str, Any] | None = None
    email: dict[str, Any] | None = None
    second_factor_required: bool = False
    hsts: str = "host"
    keep_days: Mapping[str, int] = field(default_factory=lambda: dict(KEEP_DAYS))
    log: str = "line"
    metrics_token: str = ""
    sentry_dsn: str = ""
    backups: Path | None = None
    backups_kept: int = 14

    @property
    def is_https(self) -> bool:
        """Return whether the service is reached over TLS."""
        return self.public_url.startswith("https://")

    @property
    def broker_url(self) -> str:
        """Return the Redis address as Celery writes it."""
        if self.redis_url.startswith("unix://"):
            return "redis+socket://" + self.redis_url.removeprefix("unix://")
        return self.redis_url


def read(environ: Mapping[str, str]) -> Environment:
    """Check the whole environment; creates `BAZA_VAR` and its secret keys when they are missing."""
    var = read_var(environ)
    debug = read_flag(environ, "BAZA_DEBUG")
    public_url = read_public_url(environ)
    secret_key = read_secret_key(environ, var, debug=debug)
    direct_database = read_direct_database(environ)
    return Environment(
        var=var,
        debug=debug,
        secret_key=secret_key,
        old_secret_keys=read_old_secret_keys(environ, secret_key),
        database=read_database(environ, var, is_pooled=direct_database is not None),
        direct_database=direct_database,
        redis_url=read_redis_url(environ, var),
        has_own_broker=not environ.get("REDIS_URL"),
        allowed_hosts=read_allowed_hosts(environ, public_url),
        public_url=public_url,
        audit_key=read_audit_key(environ, var, debug=debug),
        push_key=read_push_key(environ, var),
        analysis=read_flag(environ, "BAZA_ANALYSIS", missing="on"),
        ladders=read_flag(environ, "BAZA_LADDERS", missing="on"),
        deaf_after=read_seconds(environ, "BAZA_DEAF_AFTER", missing="120"),
        webhooks_to_private=read_flag(environ, "BAZA_WEBHOOKS_TO_PRIVATE"),
        email=read_email(environ),
        second_factor_required=read_second_factor(environ, public_url),
        hsts=read_hsts(environ),
        keep_days=read_keep_days(environ),
        log=read_log(environ),
        metrics_token=read_metrics_token(environ),
        sentry_dsn=read_sentry_dsn(environ),
        backups=read_backups(environ),
        backups_kept=read_backups_kept(environ),
    )


def read_flag(environ: Mapping[str, str], name: str, *, missing: str = "off") -> bool:
    """Return a boolean; anything else is refused rather than taken for False."""
    value = environ.get(name, missing).strip().lower()
    if value in YES:
        return True
    if value in NO:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}: write 1 or 0.")


def read_seconds(environ: Mapping[str, str], name: str, *, missing: str) -> float:
    """Return a whole number of seconds, at least one."""
    value = environ.get(name, "").strip() or missing
    if not value.isdecimal() or int(value) < 1:
        raise ImproperlyConfigured(f"{name} is {value!r}: write a number of seconds, such as 120.")
    return float(value)


def read_keep_days(environ: Mapping[str, str]) -> dict[str, int]:
    """Return the days that each kind of data is kept; `KEEP_DAYS` for kinds not given."""
    days = dict(KEEP_DAYS)
    for item in filter(None, environ.get("BAZA_KEEP_DAYS", "").replace(" ", "").split(",")):
        kind, _, number = item.partition("=")
        if kind not in KEEP_DAYS or not number.isdecimal() or int(number) < 1:
            raise ImproperlyConfigured(
                f"BAZA_KEEP_DAYS has {item!r}: write kind=days, of {', '.join(KEEP_DAYS)}."
            )
        days[kind] = int(number)
    return days


def read_backups(environ: Mapping[str, str]) -> Path | None:
    """Return the folder for backups, created when missing; its path must be absolute."""
    path = environ.get("BAZA_BACKUP_DIR", "").strip()
    if path in {"", "off"}:
        return None
    folder = Path(path)
    if not folder.is_absolute():
        raise ImproperlyConfigured(f"BAZA_BACKUP_DIR is {path!r}: write a whole path.")
    try:
        folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"BAZA_BACKUP_DIR is {path!r}, which cannot be made: {error.strerror}."
        ) from error
    return folder


def read_backups_kept(environ: Mapping[str, str]) -> int:
    """Return how many backups are kept, at least one."""
    value = environ.get("BAZA_BACKUP_KEEP", "").strip() or "14"
    if not value.isdecimal() or int(value) < 1:
        raise ImproperlyConfigured(f"BAZA_BACKUP_KEEP is {value!r}: write a number, such as 14.")
    return int(value)


def read_var(environ: Mapping[str, str]) -> Path:
    """Return the folder for everything written; a relative path starts beside `manage.py`."""
    folder = ROOT / environ.get("BAZA_VAR", "var")
    try:
        folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"BAZA_VAR is {str(folder)!r}, which cannot be made: {error.strerror}."
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"BAZA_VAR is {str(folder)!r}, which cannot be written to.")
    restrict_to_owner(folder)
    return folder


def restrict_to_owner(folder: Path) -> None:
    """Remove the permissions of group and others from a folder of an earlier release."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & ~OWNER_ONLY:
        try:
            folder.chmod(OWNER_ONLY)
        except OSError as error:
            raise ImproperlyConfigured(
                f"BAZA_VAR is {str(folder)!r}, which other users can open (mode {mode:o}) and this"
                " user cannot close: give it a folder of its own."
            ) from error


def read_secret_key(environ: Mapping[str, str], var: Path, *, debug: bool) -> str:
    """Return the key that signs sessions: given, or generated once and kept in `var`."""
    key = environ.get("BAZA_SECRET_KEY", "")
    if not key and environ.get("DATABASE_URL") and not debug:
        raise ImproperlyConfigured(
            "BAZA_SECRET_KEY is missing: with DATABASE_URL, give a long random text of your own."
        )
    key = key or read_or_create_key(var / "secret-key", secrets.token_urlsafe(50))
    if len(key) < MIN_SECRET_KEY_LENGTH:
        raise ImproperlyConfigured(
            f"BAZA_SECRET_KEY is too short: give at least {MIN_SECRET_KEY_LENGTH} characters."
        )
    if len(set(key)) < MIN_DIFFERENT_CHARACTERS:  # an old key may: it is being replaced
        raise ImproperlyConfigured(
            "BAZA_SECRET_KEY repeats too few characters, so that it can be guessed: "
            "give random text (openssl rand -base64 48)."
        )
    return key


def read_old_secret_keys(environ: Mapping[str, str], secret_key: str) -> tuple[str, ...]:
    """Return the earlier keys, the newest first: nothing new is made under them."""
    keys = (key.strip() for key in environ.get("BAZA_SECRET_KEY_OLD", "").split(","))
    old = tuple(filter(None, keys))
    if any(len(key) < MIN_SECRET_KEY_LENGTH for key in old):
        raise ImproperlyConfigured(
            "BAZA_SECRET_KEY_OLD is too short: "
            f"keys had at least {MIN_SECRET_KEY_LENGTH} characters."
        )
    if secret_key in old:
        raise ImproperlyConfigured(
            "BAZA_SECRET_KEY_OLD holds BAZA_SECRET_KEY itself: give that one a new value."
        )
    return old


def read_audit_key(environ: Mapping[str, str], var: Path, *, debug: bool) -> str:
    """Return the seed of the key that signs the history (Ed25519), 64 hex digits."""
    key = environ.get("BAZA_AUDIT_KEY", "").strip().lower()
    if not key and environ.get("DATABASE_URL") and not debug:
        raise ImproperlyConfigured(
            "BAZA_AUDIT_KEY is missing: with DATABASE_URL, give 64 random hex digits of your own."
        )
    key = key or read_or_create_key(var / "audit-key", secrets.token_hex(32))
    if not AUDIT_KEY.fullmatch(key):
        raise ImproperlyConfigured(
            "BAZA_AUDIT_KEY is no key: give 64 random hex digits (openssl rand -hex 32)."
        )
    if len(set(key)) == 1:
        raise ImproperlyConfigured(
            "BAZA_AUDIT_KEY repeats one digit, so that anyone can sign with it: "
            "give 64 random hex digits (openssl rand -hex 32)."
        )
    return key


def read_push_key(environ: Mapping[str, str], var: Path) -> str:
    """Return the private key that signs messages to browsers (P-256), 64 hex digits.

    Empty, so that none are sent, where `DATABASE_URL` is given and no key: each machine of the
    service would make one of its own.
    """
    key = environ.get("BAZA_PUSH_KEY", "").strip().lower()
    if not key and environ.get("DATABASE_URL"):
        return ""
    key = key or read_or_create_key(var / "push-key", secrets.token_hex(32))
    if not AUDIT_KEY.fullmatch(key) or not 0 < int(key, 16) < P256_ORDER or len(set(key)) == 1:
        raise ImproperlyConfigured(
            "BAZA_PUSH_KEY is no key: give 64 random hex digits (openssl rand -hex 32)."
        )
    return key


def read_or_create_key(path: Path, fresh: str) -> str:
    """Read the key in `path`, or create it with ``fresh``, readable by its owner alone."""
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}-") as draft:
            draft.write(fresh)
            draft.flush()
            with contextlib.suppress(FileExistsError):  # another process was first: its key is used
                os.link(draft.name, path)
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{path} holds no key: {error}") from error


def read_database(
    environ: Mapping[str, str], var: Path, *, is_pooled: bool = False
) -> dict[str, Any]:
    """Return Django's description of the database; the default is one SQLite file."""
    url = environ.get("DATABASE_URL", "")
    if not url:
        return sqlite(str(var / "baza.sqlite3"), var)
    parts = split("DATABASE_URL", url, DATABASE_SCHEMES)
    name = unquote(parts.path.removeprefix("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL names no database: it ends with /name.")
    if parts.scheme == "sqlite":
        return sqlite(name, var)
    return postgresql(parts, name, is_pooled=is_pooled)


def read_direct_database(environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the description of the PostgreSQL server behind a pgbouncer; None: there is none."""
    url = environ.get("BAZA_DIRECT_DATABASE_URL", "")
    if not url:
        return None
    variable = "BAZA_DIRECT_DATABASE_URL"
    parts = split(variable, url, DATABASE_SCHEMES - {"sqlite"})
    if parts.path != urlsplit(environ.get("DATABASE_URL", "")).path:
        raise ImproperlyConfigured(f"{variable} and DATABASE_URL end with different names.")
    name = unquote(parts.path.removeprefix("/"))
    return postgresql(parts, name)


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
            # Django's default fails with 8 writers: "database is locked".
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "".join(f"PRAGMA {pragma};" for pragma in pragmas),
        },
        "TEST": {"NAME": str(var / "test.sqlite3")},  # a file, so that a worker can open it too
    }


def postgresql(parts: SplitResult, name: str, *, is_pooled: bool = False) -> dict[str, Any]:
    """Describe a PostgreSQL database, a pool a process; the driver gets the address's query.

    A connection is checked before a request gets it, so that the first requests after a restart of
    the server get a live one. ``is_pooled``: the address is that of a pgbouncer, where the next
    statement outside of a transaction may go to another connection, which knows no cursor of ours.
    """
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": parts.port or "",
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": is_pooled,
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
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_LENGTH:
        return path
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"baza-{os.getuid()}-{digest}" / "valkey.sock"


def read_public_url(environ: Mapping[str, str]) -> str:
    """Return the public address without a closing slash, or an empty text."""
    url = environ.get("BAZA_PUBLIC_URL", "").rstrip("/")
    if url:
        parts = split("BAZA_PUBLIC_URL", url, frozenset({"http", "https"}))
        if not parts.hostname or parts.path or parts.query:
            raise ImproperlyConfigured(
                f"BAZA_PUBLIC_URL is {url!r}: write scheme and host only: https://club.example."
            )
    return url


def read_second_factor(environ: Mapping[str, str], public_url: str) -> bool:
    """Return whether organisers need a second factor: under https, unless it is set."""
    value = environ.get("BAZA_SECOND_FACTOR", "").strip()
    if value not in {"", "required", "offered"}:
        raise ImproperlyConfigured(f"BAZA_SECOND_FACTOR is {value!r}: write required or offered.")
    return value == "required" or (not value and public_url.startswith("https://"))


def read_hsts(environ: Mapping[str, str]) -> str:
    """Return for which hosts browsers are told to use https alone: a value of `HSTS`."""
    value = environ.get("BAZA_HSTS", "").strip() or "host"
    if value not in HSTS:
        raise ImproperlyConfigured(f"BAZA_HSTS is {value!r}: write one of {', '.join(HSTS)}.")
    return value


def read_log(environ: Mapping[str, str]) -> str:
    """Return the format of the log: ``line`` or ``json``."""
    value = environ.get("BAZA_LOG", "").strip() or "line"
    if value not in {"line", "json"}:
        raise ImproperlyConfigured(f"BAZA_LOG is {value!r}: write line or json.")
    return value


def read_metrics_token(environ: Mapping[str, str]) -> str:
    """Return the token that opens the metrics to other machines; empty: they stay closed."""
    token = environ.get("BAZA_METRICS_TOKEN", "").strip()
    if token and len(token) < MIN_METRICS_TOKEN_LENGTH:
        raise ImproperlyConfigured(
            f"BAZA_METRICS_TOKEN is too short: give at least {MIN_METRICS_TOKEN_LENGTH} characters."
        )
    return token


def read_sentry_dsn(environ: Mapping[str, str]) -> str:
    """Return the address for reports of errors; empty: none is sent."""
    dsn = environ.get("BAZA_SENTRY_DSN", "").strip()
    if dsn:
        parts = split("BAZA_SENTRY_DSN", dsn, frozenset({"http", "https"}))
        project = parts.path.rpartition("/")[2]
        if not parts.hostname or not parts.username or not project.isdecimal():
            raise ImproperlyConfigured(
                "BAZA_SENTRY_DSN names no key or no project: write https://key@host/1."
            )
    return dsn


def read_email(environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return Django's settings of the mail server; None: mails are written to files.

    The address includes the sender: ``?from=baza@club.example``.
    """
    url = environ.get("BAZA_EMAIL_URL", "")
    if not url:
        return None
    parts = split("BAZA_EMAIL_URL", url, frozenset(EMAIL_PORTS))
    sender = dict(parse_qsl(parts.query)).get("from", "")
    if not parts.hostname or "@" not in sender:
        raise ImproperlyConfigured(
            "BAZA_EMAIL_URL names no host or no sender: "
            "write smtps://user:password@host?from=baza@club.example."
        )
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or EMAIL_PORTS[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "DEFAULT_FROM_EMAIL": sender,
    }


def read_allowed_hosts(environ: Mapping[str, str], public_url: str) -> tuple[str, ...]:
    """Return the host names that the service answers to."""
    hosts = tuple(name.strip() for name in environ.get("BAZA_ALLOWED_HOSTS", "").split(","))
    hosts = tuple(name for name in hosts if name)
    for name in hosts:
        if "/" in name or " " in name:
            raise ImproperlyConfigured(
                f"BAZA_ALLOWED_HOSTS holds {name!r}: write host names only, separated by commas."
            )
    public_host = urlsplit(public_url).hostname if public_url else None
    return (hosts or THIS_MACHINE) + ((public_host,) if public_host else ())


def split(name: str, url: str, schemes: frozenset[str]) -> SplitResult:
    """Split an address; refuse another scheme or an invalid port."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  (reading it is the check)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not an address: {error}.") from error
    if parts.scheme not in schemes:
        prefixes = ", ".join(f"{scheme}://" for scheme in sorted(schemes))
        raise ImproperlyConfigured(f"{name} starts with {parts.scheme!r}: use one of {prefixes}.")
    return parts

"""A wrong environment stops the boot with one line that names the variable."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tournaments import environment
from tournaments.environment import MAX_SOCKET_PATH_LENGTH, ROOT, Environment, broker_socket

KEY = "kluge" * 12
KEYS = {"BAZA_SECRET_KEY": KEY, "BAZA_AUDIT_KEY": "ab" * 32}


def read(var: Path, **variables: str) -> Environment:
    return environment.read({"BAZA_VAR": str(var), **variables})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BAZA_DEBUG", "maybe"),
        ("BAZA_ANALYSIS", "perhaps"),
        ("BAZA_DEAF_AFTER", "2 minutes"),
        ("BAZA_DEAF_AFTER", "0"),
        ("BAZA_KEEP_DAYS", "evidence"),
        ("BAZA_KEEP_DAYS", "evidence=0"),
        ("BAZA_KEEP_DAYS", "cake=3"),
        ("BAZA_WEBHOOKS_TO_PRIVATE", "sometimes"),
        ("BAZA_SECRET_KEY", "short"),
        ("BAZA_SECRET_KEY", "k" * 60),
        ("BAZA_SECRET_KEY", "key!" * 15),
        ("BAZA_SECRET_KEY_OLD", "short"),
        ("BAZA_SECRET_KEY_OLD", f"{'o' * 60},{KEY}"),
        ("BAZA_AUDIT_KEY", "ab" * 31),
        ("BAZA_AUDIT_KEY", "no" * 32),
        ("BAZA_AUDIT_KEY", "0" * 64),
        ("BAZA_AUDIT_KEY", "F" * 64),
        ("BAZA_PUSH_KEY", "ff" * 31 + "fe"),  # beyond the curve
        ("BAZA_ALLOWED_HOSTS", "http://club.example/"),
        ("BAZA_PUBLIC_URL", "club.example"),
        ("BAZA_PUBLIC_URL", "https://club.example/tute"),
        ("BAZA_PUBLIC_URL", "https://club.example:port"),
        ("BAZA_EMAIL_URL", "smtps://mail.example"),
        ("BAZA_EMAIL_URL", "https://mail.example?from=a@example.org"),
        ("BAZA_EMAIL_URL", "smtp://mail.example:port?from=a@example.org"),
        ("BAZA_SECOND_FACTOR", "yes"),
        ("BAZA_HSTS", "everywhere"),
        ("BAZA_BACKUP_DIR", "backups"),
        ("BAZA_BACKUP_DIR", "/proc/none/backups"),
        ("BAZA_BACKUP_KEEP", "all"),
        ("BAZA_BACKUP_KEEP", "0"),
        ("BAZA_LOG", "xml"),
        ("BAZA_METRICS_TOKEN", "short"),
        ("BAZA_SENTRY_DSN", "errors.example"),
        ("BAZA_SENTRY_DSN", "file://key@errors.example/1"),
        ("BAZA_SENTRY_DSN", "https://errors.example/1"),
        ("BAZA_SENTRY_DSN", "https://key@errors.example/"),
        ("DATABASE_URL", "mysql://localhost/baza"),
        ("DATABASE_URL", "postgres://localhost/"),
        ("DATABASE_URL", "postgres://localhost:port/baza"),
        ("REDIS_URL", "amqp://localhost"),
        ("REDIS_URL", "redis:///0"),
        ("REDIS_URL", "unix://"),
    ],
)
def test_a_value_that_cannot_be_right_is_refused_by_name(
    tmp_path: Path, name: str, value: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{name} ") as refusal:
        read(tmp_path, **{**KEYS, name: value})
    assert "\n" not in str(refusal.value)


def test_a_folder_for_backups_is_made_and_fourteen_stay(tmp_path: Path) -> None:
    assert read(tmp_path).backups is None
    settings = read(tmp_path, BAZA_BACKUP_DIR=str(tmp_path / "kept" / "nights"))
    assert (settings.backups, settings.backups_kept) == (tmp_path / "kept" / "nights", 14)
    assert (tmp_path / "kept" / "nights").is_dir()
    assert read(tmp_path, BAZA_BACKUP_KEEP="3").backups_kept == 3


def test_a_database_of_ones_own_asks_for_a_key_of_ones_own(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^BAZA_SECRET_KEY is missing"):
        read(tmp_path, DATABASE_URL="postgres://localhost/baza")
    assert not (tmp_path / "secret-key").exists()
    with pytest.raises(ImproperlyConfigured, match=r"^BAZA_AUDIT_KEY is missing"):
        read(tmp_path, DATABASE_URL="postgres://localhost/baza", BAZA_SECRET_KEY=KEY)
    assert not (tmp_path / "audit-key").exists()
    without = read(tmp_path, DATABASE_URL="postgres://localhost/baza", BAZA_DEBUG="1")
    assert without.secret_key
    assert without.push_key == ""  # each machine would make its own
    assert not (tmp_path / "push-key").exists()


def test_keys_from_before_are_given_the_newest_first(tmp_path: Path) -> None:
    assert read(tmp_path).old_secret_keys == ()
    text = f" {'o' * 60} , {'p' * 60}, "
    assert read(tmp_path, BAZA_SECRET_KEY_OLD=text).old_secret_keys == ("o" * 60, "p" * 60)


def test_the_keys_are_made_once_and_kept_for_their_owner_alone(tmp_path: Path) -> None:
    first = read(tmp_path)
    assert len(first.secret_key) > 50
    assert len(bytes.fromhex(first.audit_key)) == 32
    second = read(tmp_path)
    assert (second.secret_key, second.audit_key) == (first.secret_key, first.audit_key)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "audit-key",
        "push-key",
        "secret-key",
    ]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("name", ["secret-key", "audit-key", "push-key"])
@pytest.mark.parametrize("content", [b"", b"short", b"\xff\xfe" * 32, None])
def test_a_file_that_holds_no_key_is_refused(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    if content is None:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match=r"too short|is no key|holds no key"):
        read(tmp_path)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "club" / "var"
    read(folder)
    assert mode_of(folder) == 0o700


def test_a_folder_that_everybody_could_read_is_closed_at_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o755)
    read(folder)
    assert mode_of(folder) == 0o700


def test_a_folder_of_another_user_that_everybody_could_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may close every folder, and this may be run by root: the system call is refused here."""
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o777)

    def refuse(_path: Path, _mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(ImproperlyConfigured, match="other users can open"):
        read(folder)


def test_a_folder_for_backups_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    read(tmp_path / "var", BAZA_BACKUP_DIR=str(folder))
    assert mode_of(folder) == 0o700


@pytest.mark.slow
def test_whatever_the_service_writes_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Also outside its folder, and where it is started with the usual umask of a terminal."""
    database = tmp_path / "elsewhere.sqlite3"
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", SENDS_A_MAIL],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "BAZA_VAR": str(tmp_path / "var"),
            "DATABASE_URL": f"sqlite:///{database}",
            **KEYS,
        },
        umask=0o022,
        check=True,
        capture_output=True,
    )
    (mail,) = (tmp_path / "var" / "mail").iterdir()
    for path in (mail, database):
        assert mode_of(path) == 0o600, path
    assert mode_of(mail.parent) == 0o700


SENDS_A_MAIL = """
from django.core.mail import send_mail
from django.db import connection
send_mail("A link", "https://club.example/accounts/new/secret/", None, ["olga@example.org"])
connection.ensure_connection()
"""


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match=r"^BAZA_VAR is .* cannot be made"):
        read(tmp_path / "file" / "var")


def test_without_any_variable_it_is_sqlite_and_the_embedded_broker(tmp_path: Path) -> None:
    result = read(tmp_path)
    assert result.database["NAME"] == str(tmp_path / "baza.sqlite3")
    assert result.database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert result.has_own_broker
    assert result.broker_url.startswith("redis+socket:///")
    assert result.allowed_hosts == ("localhost", "127.0.0.1", "[::1]")
    assert not result.is_https


def test_a_postgresql_address_is_taken_apart(tmp_path: Path) -> None:
    url = "postgresql://jo%C3%A3o:p%40ss@%2Frun%2Fpg:5433/club%20x?sslmode=require"
    database = read(tmp_path, **KEYS, DATABASE_URL=url).database
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["USER"], database["PASSWORD"]) == ("joão", "p@ss")
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("/run/pg", 5433, "club x")
    assert database["OPTIONS"]["sslmode"] == "require"
    assert "options" not in database["OPTIONS"], "pgbouncer refuses start-up options"
    assert not database["DISABLE_SERVER_SIDE_CURSORS"]
    assert database["CONN_HEALTH_CHECKS"]
    assert database["OPTIONS"]["pool"]


def test_behind_pgbouncer_no_cursor_stays_on_the_server_and_backups_go_past_it(
    tmp_path: Path,
) -> None:
    pooled, direct = "postgresql://baza@db:6432/baza", "postgresql://baza@db:5432/baza"
    result = read(tmp_path, **KEYS, DATABASE_URL=pooled, BAZA_DIRECT_DATABASE_URL=direct)
    assert result.database["PORT"] == 6432
    assert result.database["DISABLE_SERVER_SIDE_CURSORS"]
    assert result.direct_database is not None
    assert result.direct_database["PORT"] == 5432
    with pytest.raises(ImproperlyConfigured, match="BAZA_DIRECT_DATABASE_URL and DATABASE_URL"):
        read(tmp_path, **KEYS, DATABASE_URL=pooled, BAZA_DIRECT_DATABASE_URL=direct + "2")


@pytest.mark.parametrize(
    ("url", "for_celery"),
    [
        ("redis://cache.example:6379/2", "redis://cache.example:6379/2"),
        ("unix:///run/redis.sock", "redis+socket:///run/redis.sock"),
    ],
)
def test_a_redis_address_serves_cache_and_celery(tmp_path: Path, url: str, for_celery: str) -> None:
    result = read(tmp_path, REDIS_URL=url)
    assert not result.has_own_broker
    assert (result.redis_url, result.broker_url) == (url, for_celery)


def test_a_public_https_address_is_among_the_hosts(tmp_path: Path) -> None:
    result = read(tmp_path, BAZA_PUBLIC_URL="https://club.example/", BAZA_ALLOWED_HOSTS="a, b ,")
    assert result.public_url == "https://club.example"
    assert result.is_https
    assert result.allowed_hosts == ("a", "b", "club.example")


def test_a_deep_folder_keeps_its_socket_in_the_temporary_one(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * MAX_SOCKET_PATH_LENGTH)
    socket = broker_socket(deep)
    assert not socket.is_relative_to(deep)
    assert len(str(socket)) <= MAX_SOCKET_PATH_LENGTH
    assert socket == broker_socket(deep)
    assert socket != broker_socket(deep / "other")


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"BAZA_VAR": str(tmp_path), "BAZA_DEBUG": "perhaps"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    assert answer.stderr == "baza: BAZA_DEBUG is 'perhaps': write 1 or 0.\n"


@pytest.mark.parametrize(
    ("content", "what"),
    [(None, "no such table: tournaments_club"), (b"nothing" * 999, "file is not a database")],
)
def test_a_database_that_cannot_be_used_is_said_in_one_line(
    tmp_path: Path, content: bytes | None, what: str
) -> None:
    if content is not None:
        (tmp_path / "baza.sqlite3").write_bytes(content)
    answer = subprocess.run(
        [sys.executable, "manage.py", "audit_verify"],
        cwd=ROOT,
        env={"BAZA_VAR": str(tmp_path), **KEYS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"baza: the database: {what} (")
    assert answer.stderr.count("\n") == 1


def test_records_are_analysed_unless_it_is_switched_off(tmp_path: Path) -> None:
    assert read(tmp_path).analysis
    assert not read(tmp_path, BAZA_ANALYSIS="off").analysis


def test_a_mail_server_is_read_from_its_address(tmp_path: Path) -> None:
    url = "smtp+tls://club:p%40ss@mail.example?from=baza@club.example"
    email = read(tmp_path, BAZA_EMAIL_URL=url).email
    assert email is not None
    assert (email["EMAIL_HOST"], email["EMAIL_PORT"]) == ("mail.example", 587)
    assert (email["EMAIL_HOST_USER"], email["EMAIL_HOST_PASSWORD"]) == ("club", "p@ss")
    assert (email["EMAIL_USE_TLS"], email["EMAIL_USE_SSL"]) == (True, False)
    assert email["DEFAULT_FROM_EMAIL"] == "baza@club.example"
    assert read(tmp_path).email is None


def test_organisers_need_a_second_factor_where_the_service_is_public(tmp_path: Path) -> None:
    https = "https://club.example"
    assert not read(tmp_path).second_factor_required
    assert read(tmp_path, BAZA_PUBLIC_URL=https).second_factor_required
    settings = read(tmp_path, BAZA_PUBLIC_URL=https, BAZA_SECOND_FACTOR="offered")
    assert not settings.second_factor_required
    assert read(tmp_path, BAZA_SECOND_FACTOR="required").second_factor_required


@pytest.mark.parametrize(
    ("fields", "header"),
    [
        ({}, "max-age=31536000"),
        ({"BAZA_HSTS": "host"}, "max-age=31536000"),
        ({"BAZA_HSTS": "subdomains"}, "max-age=31536000; includeSubDomains"),
        ({"BAZA_HSTS": "preload"}, "max-age=31536000; includeSubDomains; preload"),
        ({"BAZA_HSTS": "off"}, "None"),
    ],
)
def test_how_far_https_binds_browsers_is_a_choice(
    tmp_path: Path, fields: dict[str, str], header: str
) -> None:
    ask = (
        "from django.middleware.security import SecurityMiddleware as Middleware\n"
        "from django.http import HttpResponse\n"
        "from django.test import RequestFactory\n"
        "request = RequestFactory().get('/', secure=True)\n"
        "answer = Middleware(lambda _: HttpResponse())(request)\n"
        "print(answer.headers.get('Strict-Transport-Security'))"
    )
    variables = {"BAZA_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
    public = {"BAZA_PUBLIC_URL": "https://club.example"}
    run = subprocess.run(
        [sys.executable, "-c", ask],
        env=variables | public | fields,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == header

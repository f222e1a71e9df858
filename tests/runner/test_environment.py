"""A wrong environment stops the boot with one line that names the variable."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tournaments import environment
from tournaments.environment import LONGEST_SOCKET_PATH, ROOT, Environment, broker_socket

KEY = "k" * 60


def read(var: Path, **variables: str) -> Environment:
    return environment.read({"BAZA_VAR": str(var), **variables})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BAZA_DEBUG", "maybe"),
        ("BAZA_SECRET_KEY", "short"),
        ("BAZA_ALLOWED_HOSTS", "http://club.example/"),
        ("BAZA_PUBLIC_URL", "club.example"),
        ("BAZA_PUBLIC_URL", "https://club.example/tute"),
        ("BAZA_PUBLIC_URL", "https://club.example:port"),
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
        read(tmp_path, **{"BAZA_SECRET_KEY": KEY, name: value})
    assert "\n" not in str(refusal.value)


def test_a_database_of_ones_own_asks_for_a_key_of_ones_own(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^BAZA_SECRET_KEY is missing"):
        read(tmp_path, DATABASE_URL="postgres://localhost/baza")
    assert not (tmp_path / "secret-key").exists()
    assert read(tmp_path, DATABASE_URL="postgres://localhost/baza", BAZA_DEBUG="1").secret_key


def test_the_key_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    first = read(tmp_path).secret_key
    assert len(first) > 50
    assert read(tmp_path).secret_key == first
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match=r"^BAZA_VAR is .* cannot be made"):
        read(tmp_path / "file" / "var")


def test_without_any_variable_it_is_sqlite_and_the_embedded_broker(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert found.database["NAME"] == str(tmp_path / "baza.sqlite3")
    assert found.database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert found.has_own_broker
    assert found.broker_url.startswith("redis+socket:///")
    assert found.allowed_hosts == ("localhost", "127.0.0.1", "[::1]")
    assert not found.is_https


def test_a_postgresql_address_is_taken_apart(tmp_path: Path) -> None:
    url = "postgresql://jo%C3%A3o:p%40ss@%2Frun%2Fpg:5433/club%20x?sslmode=require"
    database = read(tmp_path, BAZA_SECRET_KEY=KEY, DATABASE_URL=url).database
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["USER"], database["PASSWORD"]) == ("joão", "p@ss")
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("/run/pg", 5433, "club x")
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["OPTIONS"]["pool"]


@pytest.mark.parametrize(
    ("url", "for_celery"),
    [
        ("redis://cache.example:6379/2", "redis://cache.example:6379/2"),
        ("unix:///run/redis.sock", "redis+socket:///run/redis.sock"),
    ],
)
def test_a_redis_address_serves_cache_and_celery(tmp_path: Path, url: str, for_celery: str) -> None:
    found = read(tmp_path, REDIS_URL=url)
    assert not found.has_own_broker
    assert (found.redis_url, found.broker_url) == (url, for_celery)


def test_a_public_https_address_is_among_the_hosts(tmp_path: Path) -> None:
    found = read(tmp_path, BAZA_PUBLIC_URL="https://club.example/", BAZA_ALLOWED_HOSTS="a, b ,")
    assert found.public_url == "https://club.example"
    assert found.is_https
    assert found.allowed_hosts == ("a", "b", "club.example")


def test_a_deep_folder_keeps_its_socket_in_the_temporary_one(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * LONGEST_SOCKET_PATH)
    socket = broker_socket(deep)
    assert not socket.is_relative_to(deep)
    assert len(str(socket)) <= LONGEST_SOCKET_PATH
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

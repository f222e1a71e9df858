"""PostgreSQL's own programs, `pg_dump` and `pg_restore`: found, and told where the database is.

The address goes through a service file that only its owner can read: no password stands on a
command line or in an environment.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from django.db import connection

from tournaments.services.archives import BackupError

VERSION: Final = re.compile(r"\(PostgreSQL\) (\d+)")
INSTALLED: Final = Path("/usr/lib/postgresql")
"""Where Debian and Ubuntu keep the programs of every version."""

NOT_OF_LIBPQ: Final = frozenset(
    {"pool", "options", "isolation_level", "assume_role", "server_side_binding"}
)
NAMES: Final = {
    "NAME": "dbname",
    "USER": "user",
    "PASSWORD": "password",
    "HOST": "host",
    "PORT": "port",
}


def find_program(name: str, at_least: int) -> str:
    """Return the path of a program of PostgreSQL of this major version or a later one.

    Raises BackupError that says what is missing.
    """
    folders = sorted(INSTALLED.glob("*/bin"), reverse=True)
    tried = [shutil.which(name), *(shutil.which(name, path=folder) for folder in folders)]
    versions = {path: _version(path) for path in tried if path}
    for path, version in versions.items():
        if version >= at_least:
            return path
    if not versions:
        raise BackupError(f"{name} is missing: install PostgreSQL's client programs ({at_least})")
    newest = max(versions.values())
    raise BackupError(f"{name} is of version {newest}, and the server of version {at_least}")


def _version(program: str) -> int:
    told = subprocess.run(  # noqa: S603 - a program of the system's, found by its name
        [program, "--version"], check=False, capture_output=True, text=True, timeout=30
    )
    found = VERSION.search(told.stdout)
    return int(found[1]) if found else 0


def server_version() -> int:
    """Return the major version of the server at hand."""
    return int(connection.pg_version) // 10000  # type: ignore[attr-defined]


@contextmanager
def addressed(database: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Give the environment in which ``service=baza`` is this database, described as Django does."""
    said = {word: str(database[name]) for name, word in NAMES.items() if database.get(name)}
    options = database.get("OPTIONS", {})
    said |= {word: str(value) for word, value in options.items() if word not in NOT_OF_LIBPQ}
    if any("\n" in value for value in said.values()):
        raise BackupError("the address of the database holds a line feed")
    with tempfile.NamedTemporaryFile("w", prefix="baza-service-") as file:
        file.write("[baza]\n" + "".join(f"{word}={value}\n" for word, value in said.items()))
        file.flush()
        yield {**os.environ, "PGSERVICEFILE": file.name}


def dump(program: str, snapshot: str, target: Path, environment: Mapping[str, str]) -> None:
    """Write the database as it was at a snapshot that a transaction has exported.

    Raises BackupError with what the program said last.
    """
    _run(
        [
            *(program, "--format=custom", "--no-owner", "--no-privileges"),
            *("--lock-wait-timeout=60s", f"--snapshot={snapshot}", f"--file={target}"),
            "--dbname=service=baza",
        ],
        environment,
    )


def load(program: str, source: Path, environment: Mapping[str, str]) -> None:
    """Make what a dump holds, all of it or nothing. Raises BackupError with the first error."""
    _run(
        [
            *(program, "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"),
            *("--dbname=service=baza", str(source)),
        ],
        environment,
    )


def look_through(program: str, source: Path) -> None:
    """Read the contents of a dump. Raises BackupError where it is none."""
    _run([program, "--list", str(source)], os.environ)


def _run(command: list[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(  # noqa: S603 - built above, and by no shell
        command,
        check=False,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        why = told[-1] if told else f"it ended with {done.returncode}"
        raise BackupError(f"{Path(command[0]).name}: {why}")

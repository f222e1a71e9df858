"""`./baza drill`: break things on purpose, on a PostgreSQL and a Redis that are started for it.

The tests marked slow are run, with whatever pytest takes; `DATABASE_URL` and `REDIS_URL` are
honoured where they are set. `--long` breaks things more often, and waits where the ordinary run
lets time pass.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.servers import PostgresServer, RedisServer

DRILLS = ("-m", "slow", "--tb=short")


def main(words: list[str]) -> int:
    """Start what is missing, run the drills and return pytest's exit code."""
    environment = dict(os.environ)
    if "--long" in words:
        words = [word for word in words if word != "--long"]
        environment["BAZA_DRILL_LONG"] = "1"
    with ExitStack() as servers:
        if not environment.get("DATABASE_URL"):
            environment["DATABASE_URL"] = postgres(servers)
        if not environment.get("REDIS_URL"):
            environment["REDIS_URL"] = redis(servers)
        command = [sys.executable, "-m", "pytest", *DRILLS, *words]
        return subprocess.run(command, env=environment, check=False).returncode


def postgres(servers: ExitStack) -> str:
    """Start a PostgreSQL of the drills' own; return its address."""
    programs = PostgresServer.find_programs()
    if programs is None:
        raise SystemExit("baza drill: PostgreSQL's server is not installed; or set DATABASE_URL")
    print("PostgreSQL of", programs)
    return servers.enter_context(PostgresServer(programs))


def redis(servers: ExitStack) -> str:
    """Start a Redis of the drills' own; return its address."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        raise SystemExit("baza drill: redis-server is not installed; or set REDIS_URL")
    print("Redis of", program)
    folder = Path(tempfile.mkdtemp(prefix="baza-drill-"))
    servers.callback(shutil.rmtree, folder, ignore_errors=True)
    return servers.enter_context(RedisServer(program, folder / "redis.sock", folder))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Real servers for tests, started in temporary folders and gone afterwards."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote, unquote, urlsplit

from tournaments.environment import ROOT
from tournaments.management import broker

if TYPE_CHECKING:
    from types import TracebackType

PATIENCE = 30.0  # seconds


class RedisServer:
    """A redis-server or valkey-server on a unix socket."""

    def __init__(self, program: str, path: Path, folder: Path) -> None:
        self.program = program
        self.path = path
        self.folder = folder

    def __enter__(self) -> str:
        self.process = subprocess.Popen(
            broker.server_command(self.program, self.path, self.folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            process_group=0,
        )
        deadline = time.monotonic() + PATIENCE
        while not broker.is_ready(self.path):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"{self.program} did not start")
            time.sleep(0.02)
        return f"unix://{self.path}"

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


class PostgresServer:
    """A PostgreSQL cluster on a unix socket; as root it runs as the user `postgres`."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self.folder = Path(tempfile.mkdtemp(prefix="baza-pg-"))

    @staticmethod
    def find_programs() -> Path | None:
        """Return the folder of the newest server that is installed."""
        paths = sorted(
            Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
        )
        if paths:
            return paths[-1].parent
        on_path = shutil.which("initdb")
        return Path(on_path).resolve().parent if on_path else None

    def __enter__(self) -> str:
        if os.getuid() == 0:
            shutil.chown(self.folder, self.user)
        data = str(self.folder / "data")
        try:
            self.run("initdb", "-D", data, "-U", "baza", "-A", "trust", "-E", "UTF8", "-N")
            self.start()
            self.run("createdb", "-h", str(self.folder), "-U", "baza", "baza")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return f"postgresql://baza@{quote(str(self.folder), safe='')}/baza"

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        data, log = str(self.folder / "data"), str(self.folder / "log")
        self.run("pg_ctl", "-D", data, "-w", "-l", log, "-o", options, "start")

    def kill(self) -> None:
        """End it without a message to its clients."""
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")

    def run(self, program: str, *arguments: str) -> None:
        answer = subprocess.run(
            [str(self.programs / program), *arguments],
            check=False,
            cwd=self.folder,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            user=self.user if os.getuid() == 0 else None,
        )
        assert answer.returncode == 0, f"{program}: {answer.stderr}"

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class PgBouncer:
    """A pgbouncer in transaction mode on a unix socket, in front of a PostgreSQL server.

    It refuses to run as root, and is `postgres` then.
    """

    def __init__(self, program: str, server: str) -> None:
        self.program = program
        self.server = server
        self.folder = Path(tempfile.mkdtemp(prefix="baza-bouncer-"))

    def __enter__(self) -> str:
        host = unquote(urlsplit(self.server).hostname or "")
        settings = self.folder / "pgbouncer.ini"
        settings.write_text(
            f"[databases]\n* = host={host} user=baza\n[pgbouncer]\nauth_type = any\n"
            f"unix_socket_dir = {self.folder}\nlisten_port = 6432\npool_mode = transaction\n"
        )
        user = None
        if os.getuid() == 0:
            user = "postgres"
            shutil.chown(self.folder, user)
            settings.chmod(0o644)
        self.process = subprocess.Popen(
            [self.program, "-q", str(settings)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            user=user,
            process_group=0,
        )
        deadline = time.monotonic() + PATIENCE
        while not (self.folder / ".s.PGSQL.6432").exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"{self.program} did not start")
            time.sleep(0.02)
        return f"postgresql://baza@{quote(str(self.folder), safe='')}:6432/baza"

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


class NginxServer:
    """An nginx with the site of `deploy/nginx.conf`, without TLS, in front of a served service.

    It takes the addresses of visitors from `X-Forwarded-For`.
    """

    def __init__(self, program: str, service: int) -> None:
        self.program = program
        self.service = service
        self.folder = Path(tempfile.mkdtemp(prefix="baza-nginx-"))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]

    @staticmethod
    def find_program() -> str | None:
        """Return nginx's program, if it is installed."""
        return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")

    def __enter__(self) -> Self:
        main = self.folder / "nginx.conf"
        folders = ("proxy", "client_body", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{name}_temp_path {self.folder / name};\n" for name in folders)
        main.write_text(
            f"{'user root;' if os.getuid() == 0 else ''}\npid {self.folder / 'pid'};\n"
            "events { worker_connections 4096; }\n"
            f"http {{\n{paths}{self.site()}}}\n",
            encoding="utf-8",
        )
        log = self.folder / "log"
        self.process = subprocess.Popen(
            [self.program, "-c", str(main), "-e", str(log), "-g", "daemon off;"],
            stdin=subprocess.DEVNULL,
            process_group=0,
        )
        deadline = time.monotonic() + PATIENCE
        while not self.is_listening():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"nginx did not start:\n{log.read_text()}")
            time.sleep(0.02)
        return self

    def site(self) -> str:
        """Return `deploy/nginx.conf` with this server's addresses, and HTTP in place of HTTPS."""
        text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
        text = text.partition("# For Prometheus")[0]
        redirect = text[text.index("server {\n\tlisten 80") : text.index("server {\n\tlisten 443")]
        ssl = [line for line in text.splitlines(keepends=True) if "ssl_certificate" in line]
        service = f"127.0.0.1:{self.service}"
        replaced = {
            redirect: "",
            **dict.fromkeys(ssl, ""),
            "443 ssl http2": f"127.0.0.1:{self.port}",
            "club.example": "127.0.0.1",
            "unix:/run/baza/web.sock": service,
            "unix:/run/baza/stream.sock": service,
            "/var/lib/nginx": str(self.folder),
            "$remote_addr": "$http_x_forwarded_for",
            "X-Forwarded-Proto $scheme": "X-Forwarded-Proto $http_x_forwarded_proto",
        }
        for old, new in replaced.items():
            assert old in text, f"not in deploy/nginx.conf: {old}"
            text = text.replace(old, new)
        return text

    def is_listening(self) -> bool:
        """Return whether it takes connections."""
        with socket.socket() as asking:
            return asking.connect_ex(("127.0.0.1", self.port)) == 0

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


def environment_of_a_child() -> dict[str, str]:
    """Return an environment for a process that is to share this test's database and broker."""
    from django.conf import settings
    from django.db import connection

    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tournaments.settings",
        "DATABASE_URL": url_of(connection.settings_dict),
        "REDIS_URL": settings.ENVIRONMENT.redis_url,
    }


def url_of(database: dict[str, object]) -> str:
    """Write Django's description of a database as an address."""
    name = quote(str(database["NAME"]))
    if "sqlite" in str(database["ENGINE"]):
        return f"sqlite:///{name}"
    user, password, host = (
        quote(str(database[key]), safe="") for key in ("USER", "PASSWORD", "HOST")
    )
    port = f":{database['PORT']}" if database["PORT"] else ""
    return f"postgresql://{user}{':' + password if password else ''}@{host}{port}/{name}"


def kill_group(leader: subprocess.Popen[bytes]) -> None:
    """Kill a process and everybody in the group it leads."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader.pid, signal.SIGKILL)
    leader.wait()

"""`manage.py up`: runs the whole service as one foreground group (`./baza up`)."""

import fcntl
import hashlib
import http.client
import os
import platform
import resource
import signal
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse
from django.utils import timezone

from tournaments.accounts.services.accounts import first_account_proof
from tournaments.apps import Static
from tournaments.core.db import refuse_damaged_database
from tournaments.environment import THIS_MACHINE, broker_socket
from tournaments.management import broker
from tournaments.management.processes import Child, Supervisor
from tournaments.management.worker_watch import WorkerWatch
from tournaments.operations.services.archives import BackupError
from tournaments.operations.services.backups import add_backup
from tournaments.operations.services.readiness import worker_queue

# --- The address ----------------------------------------------------------------------------------


EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (only if asked for by name)  # nosec B104
TIMEOUT = 5.0  # seconds


def free_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0; raises `OSError` when the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
        port_number: int = probe.getsockname()[1]
    return port_number


def address(host: str, port: int, public_url: str) -> str:
    """Return the address to open in a browser."""
    if public_url:
        return f"{public_url}/ (listening on {host}, port {port})"
    return f"http://{bracketed(own_address() if host in EVERYWHERE else host)}:{port}/"


def bracketed(host: str) -> str:
    """Return a host as URLs write it: IPv6 in square brackets."""
    return f"[{host}]" if ":" in host else host


def other_hosts(host: str) -> list[str]:
    """Return the host names besides localhost that the service on this host answers to."""
    if host in EVERYWHERE:
        return [platform.node(), own_address()]
    return [bracketed(host)]


def own_address() -> str:
    """Return this machine's address on its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only selects the network card
        except OSError:
            return "127.0.0.1"
        ip: str = probe.getsockname()[0]
    return ip


def front_page_status(host: str, port: int) -> int | None:
    """Return the HTTP status of the front page; None without an answer."""
    client = http.client.HTTPConnection(EVERYWHERE.get(host, host), port, timeout=TIMEOUT)
    try:
        client.request("GET", "/", headers={"Host": f"localhost:{port}"})
        return client.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        client.close()


# --- The command ----------------------------------------------------------------------------------


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 180.0  # seconds for a process to become ready: a busy laptop takes over 60
INTERVAL = 0.25  # seconds between two checks of the processes
CONNECTIONS = 8192
"""Connections that the web server accepts: a browser keeps up to six idle ones and its stream."""
FILES = CONNECTIONS + 1024
"""Open files that a process needs at most; many systems allow 1,024 unless it asks for more."""
WORKERS = frozenset({"worker", "analyst", "courier"})
CELERY = (sys.executable, "-m", "celery", "--skip-checks", "-A", "tournaments")
REFUSED = 2  # exit code when nothing was started
FIRST_ACCOUNT = """
Nobody has an account yet. Make the first in a browser within 24 hours (good once):
  {base}{path}"""


class Command(BaseCommand):
    """Start broker, worker, web server and scheduler, and stay until Ctrl-C or SIGTERM."""

    help = __doc__ or ""
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add where to listen, and whether to skip the demo club."""
        parser.add_argument(
            "--port", type=int, default=8000, help="default 8000; 0 takes a free one"
        )
        parser.add_argument(
            "--host", default="127.0.0.1", help="default 127.0.0.1; 0.0.0.0 for all"
        )
        parser.add_argument("--empty", action="store_true", help="start without the demo club")

    def handle(self, *, host: str, port: int, empty: bool, **_: Any) -> None:
        """Run until stopped; exit code 2 if the folder or port is taken, 1 if a part fails."""
        with folder_lock(settings.VAR) as note:
            port = self.take_port(host, port)
            url = address(host, port, settings.ENVIRONMENT.public_url)
            note(f"process {os.getpid()}, {url}")
            try:
                self.serve(host, port, url, empty=empty)
            except KeyboardInterrupt:
                self.print_now("Stopped.")

    def serve(self, host: str, port: int, url: str, *, empty: bool) -> None:
        """Start everything in order, watch it, and stop it in every case."""
        for number in SIGNALS:
            signal.signal(number, interrupt)
        logs = settings.VAR / "log"
        logs.mkdir(exist_ok=True)
        supervisor = Supervisor(logs, child_environment(host), self.print_now)
        try:
            wants_demo = self.start(supervisor, host, port, empty=empty)
            self.print_now(f"\nBaza is running: {url}\nCtrl-C stops it.")
            if wants_demo:  # beside the running service, whose worker plays its matches
                self.print_now("  demo       loading the demo club …")
                run_manage(supervisor, "demo")
            if not has_account():
                base = settings.ENVIRONMENT.public_url or url.rstrip("/")
                path = reverse("first-account", args=[first_account_proof()])
                self.print_now(FIRST_ACCOUNT.format(base=base, path=path))
            workers = [child for child in supervisor.children if child.name in WORKERS]
            watch = WorkerWatch(workers, supervisor.kill_child)
            while True:
                supervisor.restart_dead()
                watch.check()
                time.sleep(INTERVAL)
        finally:
            # A second Ctrl-C does not wait for the matches at play.
            for number in SIGNALS:
                signal.signal(number, lambda *_: supervisor.kill())
            self.print_now("\nStopping …")
            supervisor.stop_all()

    def start(self, supervisor: Supervisor, host: str, port: int, *, empty: bool) -> bool:
        """Start every part, printing each; return whether the demo club is to be loaded."""
        self.print_now(f"Starting Baza. Everything it writes is in {settings.VAR}")
        raise_file_limit()
        self.start_broker(supervisor)
        wants_demo = self.prepare_database(supervisor, empty=empty)
        self.collect_static_files(supervisor)
        self.print_line(
            "backups", f"every day in {backup_folder() or 'no folder (BAZA_BACKUP_DIR)'}"
        )
        node_name = f"{os.getpid()}@{platform.node()}"
        name = f"baza-{node_name}"
        worker = supervisor.add("worker", worker_command(name))
        if settings.ENVIRONMENT.analysis:
            supervisor.add("analyst", analyst_command(f"baza-analyst-{node_name}"))
        supervisor.add("courier", courier_command(f"baza-courier-{node_name}"))
        web = supervisor.add("web", web_command(host, port))
        self.wait("worker", "2 processes", worker, lambda: is_working(name))
        self.wait("web", "granian", web, lambda: front_page_status(host, port))
        status = front_page_status(host, port)
        if status is None or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self.fail(web, f"answers {status} on its front page")
        supervisor.add("scheduler", scheduler_command())
        return wants_demo

    def take_port(self, host: str, port: int) -> int:
        """Return the port, or for 0 a free one; refuse one that is in use."""
        try:
            return free_port(host, port)
        except (OSError, OverflowError, TypeError) as error:  # TypeError: no host can be named so
            raise CommandError(
                f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', error)}."
                f" Choose another port: ./baza up --port {8001 if port == 8000 else 8000}",
                returncode=REFUSED,
            ) from error

    def start_broker(self, supervisor: Supervisor) -> None:
        """Start the embedded broker, or check that the one of `REDIS_URL` answers."""
        if not settings.ENVIRONMENT.has_own_broker:
            self.check_redis()
            return
        path = broker_socket(settings.VAR)
        folder = settings.VAR / "broker"
        try:
            server = broker.find_server()
            command = broker.server_command(server, path, folder)
        except broker.BrokerError as error:
            raise CommandError(str(error)) from error
        child = supervisor.add("broker", command, stops_last=True)
        answers = wait_until_ready(child, lambda: broker.is_ready(path))
        if not answers and child.exit_code is not None:
            # Its file may be damaged, or another server's. The rows are the truth: it may be
            # dropped.
            self.print_line(
                "broker", f"cannot start from its file: set aside as {archive_folder(folder)}"
            )
            supervisor.start(child)
        self.wait("broker", Path(server).name, child, lambda: broker.is_ready(path))

    def check_redis(self) -> None:
        """Fail when the Redis of `REDIS_URL` does not answer."""
        import redis

        try:
            redis.Redis.from_url(settings.ENVIRONMENT.redis_url, socket_timeout=5).ping()
        except redis.RedisError as error:
            raise CommandError(f"REDIS_URL: no answer from Redis: {error}") from error
        self.print_line("broker", "the one of REDIS_URL")

    def prepare_database(self, supervisor: Supervisor, *, empty: bool) -> bool:
        """Apply the pending migrations; return whether to load the demo club."""
        try:
            refuse_damaged_database()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        # A pool has threads, and `Supervisor.spawn` forks with a `preexec_fn`: not safe together.
        connection.settings_dict["OPTIONS"].pop("pool", None)
        try:
            executor = MigrationExecutor(connection)
            missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
            if missing:
                self.back_up_before_migrating()
                self.print_now(f"  database   {connection.vendor}: applying {missing} migrations …")
                # In processes of their own, here and below: the memory would never be given back.
                run_manage(supervisor, "migrate", "--noinput", "--verbosity=0")
            wants_demo = not empty and not has_club()
        except DatabaseError as error:
            raise CommandError(f"the database does not answer: {str(error).strip()}") from error
        finally:
            connection.close()
        self.print_line("database", connection.vendor)
        return wants_demo

    def back_up_before_migrating(self) -> None:
        """Write a backup unless the database is new; without one nothing is migrated."""
        folder = backup_folder()
        if folder is None or not connection.introspection.table_names():
            return
        self.print_now("  backups    making one before the migrations …")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            backup = add_backup(folder)
        except (BackupError, OSError) as error:
            raise CommandError(
                f"no backup can be made before the migrations: {error}. Put that right, or start"
                " without backups: BAZA_BACKUP_DIR=off ./baza up"
            ) from error
        self.print_line("backups", f"before the migrations: {backup.path}")

    def collect_static_files(self, supervisor: Supervisor) -> None:
        """Copy and compress the static files when one of them has changed since the last time."""
        if settings.DEBUG:
            self.print_line("static", "served from their sources (BAZA_DEBUG)")
            return
        stamp = settings.STATIC_ROOT / "collected.stamp"
        fingerprint = fingerprint_of_static_files()
        if not stamp.exists() or stamp.read_text() != fingerprint:
            self.print_now("  static     collecting and compressing …")
            run_manage(supervisor, "collectstatic", "--noinput", "--verbosity=0")
            stamp.write_text(fingerprint)
        self.print_line("static", "ready")

    def wait(self, name: str, detail: str, child: Child, is_ready: Callable[[], object]) -> None:
        """Wait until a child is ready; its end or `PATIENCE` without an answer fails the start."""
        if not wait_until_ready(child, is_ready):
            if child.exit_code is not None:
                self.fail(child, f"ended while starting ({child.ending()})")
            self.fail(child, f"is not ready after {PATIENCE:.0f} s")
        self.print_line(name, f"{detail}, ready after {time.monotonic() - child.started_at:.1f} s")

    def fail(self, child: Child, fault: str) -> NoReturn:
        """Fail with the last lines of the child's log."""
        raise CommandError(f"{child.name} {fault}. The end of {child.log}:\n{child.last_lines()}")

    def print_line(self, name: str, text: str) -> None:
        """Print one line of the list of parts."""
        self.print_now(f"  {name:<10} {text}")

    def print_now(self, text: str) -> None:
        """Print at once."""
        self.stdout.write(text)
        self.stdout.flush()


class folder_lock:  # noqa: N801  (a context manager)
    """Hold the lock of a folder; refuse when another service runs from it."""

    def __init__(self, folder: Path) -> None:
        """Set the folder."""
        self.path = folder / "up.lock"

    def __enter__(self) -> Callable[[str], None]:
        """Take the lock; return the function that writes a note for later starters."""
        self.file = self.path.open("a+")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.file.seek(0)
            raise CommandError(
                f"Baza already runs from {self.path.parent} ({self.file.read().strip()})."
                " Stop it first, or give this one a folder of its own:"
                " BAZA_VAR=var-2 ./baza up --port 8001",
                returncode=REFUSED,
            ) from error
        return self.write_holder

    def write_holder(self, text: str) -> None:
        """Write into the lock file who holds it."""
        self.file.truncate(0)
        self.file.write(text)
        self.file.flush()

    def __exit__(self, *_: object) -> None:
        """Release the lock; the kernel does the same when the process is killed."""
        self.file.close()


def run_manage(supervisor: Supervisor, *words: str) -> None:
    """Run a command of `manage.py` in a process of its own; fail when it fails."""
    code = supervisor.run([sys.executable, "manage.py", *words])
    if code:
        raise CommandError(f"manage.py {words[0]} failed (exit code {code}).")


def interrupt(*_: object) -> NoReturn:
    """Raise KeyboardInterrupt for every signal that means "stop"."""
    raise KeyboardInterrupt


def wait_until_ready(child: Child, is_ready: Callable[[], object]) -> bool:
    """Wait until a child answers once; False as soon as it has ended, or after `PATIENCE`.

    One answer is enough: under load the next may take longer than the question waits for it.
    """
    deadline = child.started_at + PATIENCE
    while not is_ready():
        if child.exit_code is not None or time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def archive_folder(folder: Path) -> str:
    """Rename a folder after the current time, make an empty one, and return the new name."""
    aside = folder.with_name(f"{folder.name}-{timezone.now():%Y%m%d-%H%M%S}")
    folder.rename(aside)
    folder.mkdir()
    return aside.name


def child_environment(host: str) -> dict[str, str]:
    """Return the children's environment: ours, the same folder, the allowed hosts."""
    environment = {**os.environ, "BAZA_VAR": str(settings.VAR), "PYTHONUNBUFFERED": "1"}
    if not environment.get("BAZA_ALLOWED_HOSTS"):
        environment["BAZA_ALLOWED_HOSTS"] = ",".join([*THIS_MACHINE, *other_hosts(host)])
    environment["BAZA_BACKUP_DIR"] = str(backup_folder() or "off")
    # Celery's 30 seconds without a task never come: a heartbeat is sent every 30.
    environment.setdefault("AUTOSCALE_KEEPALIVE", "10")
    return environment


def backup_folder() -> Path | None:
    """Return where backups go: `BAZA_BACKUP_DIR`, else `backups` in `BAZA_VAR`; none with `off`."""
    setting = os.environ.get("BAZA_BACKUP_DIR", "").strip()
    default: Path = settings.VAR / "backups"
    folder: Path | None = settings.BACKUPS
    return folder if setting else default


def worker_command(name: str) -> list[str]:
    """Return the command of the worker: two children, both queues."""
    return _worker("worker", name, "matches,default", "--concurrency", "2")


def analyst_command(name: str) -> list[str]:
    """Return the command of the worker that analyses, at low priority.

    Its one child holds 300 MiB of compiled code, so it ends when there is nothing to analyse.
    """
    return ["nice", "-n", "15", *_worker("analyst", name, "analysis", "--autoscale", "1,0")]


def courier_command(name: str) -> list[str]:
    """Return the command of the worker that sends webhooks: threads, as it mostly waits."""
    return _worker("courier", name, "webhooks", "--pool", "threads", "--concurrency", "4")


def _worker(child: str, name: str, queues: str, *options: str) -> list[str]:
    """Return the command of a worker, which serves a queue of its own besides."""
    return [
        *(*CELERY, "worker", "--hostname", name, *options),
        *("--queues", f"{queues},{worker_queue(child)}"),
        *("--loglevel", "INFO", "--without-gossip", "--without-mingle"),
    ]


def scheduler_command() -> list[str]:
    """Return the command of the scheduler; `folder_lock` locks it too, so it needs no pid file."""
    return [*CELERY, "beat", "--loglevel", "INFO", "--pidfile="]


def web_command(host: str, port: int) -> list[str]:
    """Return the command of the web server."""
    return [
        *(sys.executable, "-m", "granian", "--interface", "asginl", "--workers", "1", "--no-ws"),
        *("--host", host, "--port", str(port), "--backpressure", str(CONNECTIONS)),
        "--respawn-failed-workers",  # else one killed worker ends the server with its socket
        "tournaments.asgi:application",
    ]


def raise_file_limit() -> None:
    """Let this process and its children open FILES files, or as many as the system permits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < target:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))


def is_working(name: str) -> bool:
    """Return whether the worker of that name answers over the broker."""
    from tournaments.celery import app

    return bool(app.control.ping(destination=[name], timeout=0.5))


def has_club() -> bool:
    """Return whether the database has a club."""
    from tournaments.models import Club

    return Club.objects.exists()


def has_account() -> bool:
    """Return whether any account can sign in."""
    from django.contrib.auth.models import User

    try:
        return User.objects.exists()
    finally:
        connection.close()


def fingerprint_of_static_files() -> str:
    """Return a text that changes when a static file is added, removed or changed."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list(Static.ignore_patterns):
            facts = Path(storage.path(name)).stat()
            digest.update(f"{name} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()

"""What tests may ask for: a broker, real servers where they are installed, a browser, a worker.

A test that needs what this machine lacks is skipped and says why; with `BAZA_NO_SKIP=1` it fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.cache import cache

from tests import database, migrated, quick
from tests.servers import (
    NginxServer,
    PgBouncer,
    PostgresServer,
    RedisServer,
    environment_of_a_child,
    kill_group,
)
from tests.support import scene_rows, scenes
from tests.support.caller import Caller
from tests.support.scenes import Scene
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Actor
from tournaments.environment import ROOT, broker_socket
from tournaments.management import broker
from tournaments.models import ApiToken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.live_server_helper import LiveServer

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


STARTS_PROCESSES = frozenset(
    {"child_environment", "chromium", "nginx", "pgbouncer_url", "postgres_url", "redis_url"}
)
"""Fixtures of tests that start a worker, a server or a browser."""


collect_ignore = quick.UNCOLLECTED if quick.IS_QUICK else ()
"""Modules whose tests are all slow: collecting them takes seconds a worker."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow what starts processes, which takes seconds a test, and most of many cases."""
    quick.leave_out_long(config, items)
    for item in items:
        fixtures = STARTS_PROCESSES.intersection(getattr(item, "fixturenames", ()))
        if fixtures or item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.slow)
    quick.mark_cases(items)
    database.mark_database(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """Turn a skip into a failure when the run is to be complete."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    if os.environ.get("BAZA_NO_SKIP") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"BAZA_NO_SKIP is set, and this test was skipped: {reason}"
    return report  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """Have no test speak the language, or live by the clock, that a request before it asked for."""
    from django.utils import timezone, translation

    yield
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(scope="session", autouse=True)
def broker_url() -> Iterator[str]:
    """Give the address of the settings' broker: the embedded one, unless `REDIS_URL` is set."""
    from django.conf import settings

    url: str = settings.ENVIRONMENT.broker_url
    if not settings.ENVIRONMENT.has_own_broker:
        yield url
        return
    path = broker_socket(settings.VAR)
    with RedisServer(broker.find_server(), path, settings.VAR / "broker"):
        yield url


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool, django_db_modify_db_settings: None) -> bool:
    """Begin with a copy of a migrated database where there is one."""
    return django_db_keepdb or migrated.begin_with_copy()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Have the bots that the migrations make be there again when a test empties the database.

    At the end connections that are still open are closed, and named: PostgreSQL drops no
    database that is in use.
    """
    from django.apps import apps
    from django.db.models.signals import post_migrate

    from tournaments.models import Bot

    with django_db_blocker.unblock():
        migrated.keep_copy()
        bots = list(Bot.objects.all())
        scene_rows.keep_common_scenes()

    def make_again(**options: Any) -> None:
        if "plan" not in options:  # a flush, not migrations, which make them themselves
            Bot.objects.bulk_create(Bot(**rows) for rows in map(values_of, bots))

    def values_of(bot: Bot) -> dict[str, Any]:
        return {field.attname: getattr(bot, field.attname) for field in bot._meta.concrete_fields}

    post_migrate.connect(make_again, apps.get_app_config("tournaments"), weak=False)
    yield
    with django_db_blocker.unblock():
        send_away_the_others()


@pytest.fixture(scope="module", autouse=True)
def scenes_of_the_module(request: pytest.FixtureRequest, django_db_blocker: Any) -> None:
    """Keep the rows of the scenes that a module of tests makes for itself."""
    if request.module.__name__ in scene_rows.makers:
        request.getfixturevalue("django_db_setup")
        with django_db_blocker.unblock():
            scene_rows.keep_scenes(request.module.__name__)


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let the tests of a module share rows that are made once.

    What a test changes is taken back after it, the shared rows after the last test. A module with
    transactional tests cannot use it: they empty the database. A test gets a copy of an object
    that the module keeps (`copy.deepcopy`), since objects remember what was asked of them.
    """
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def send_away_the_others() -> None:
    """End the other connections to this database of PostgreSQL, and say what they last asked."""
    from django.db import connection

    from tournaments.operations.services.archives import on_database

    if connection.vendor != "postgresql":
        return
    name = connection.settings_dict["NAME"]
    place: dict[str, Any] = {}
    connection.close()  # a test may have ended it
    connection.close_pool()  # type: ignore[attr-defined]
    if settings.DIRECT_DATABASE is not None:  # pgbouncer keeps the connection that we asked over
        place = {**settings.DIRECT_DATABASE, "NAME": "postgres"}
    with on_database(**place) if place else nullcontext(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT application_name, state, query, pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = %s AND pid <> pg_backend_pid()",
            [name],
        )
        left = cursor.fetchall()
    for client, state, query, _ in left:
        print(f"still connected: {client} ({state}): {query}", file=sys.__stderr__)


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a redis-server of Redis itself, started for this run."""
    server = shutil.which("redis-server")
    if not server:
        pytest.skip("redis-server is not installed")
    folder = Path(tempfile.mkdtemp(prefix="baza-redis-"))  # short: a socket's path has a limit
    try:
        with RedisServer(server, folder / "redis.sock", folder) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Give the address of an empty PostgreSQL database in a cluster started for this run."""
    programs = PostgresServer.find_programs()
    if not programs:
        pytest.skip("PostgreSQL's server is not installed")
    with PostgresServer(programs) as url:
        yield url


@pytest.fixture
def pgbouncer_url(postgres_url: str) -> Iterator[str]:
    """Give the address of that database behind a pgbouncer in transaction mode.

    It ends with the test: its idle sessions keep other tests from copying the database.
    """
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if not program:
        pytest.skip("pgbouncer is not installed")
    with PgBouncer(program, postgres_url) as url:
        yield url


@pytest.fixture(scope="session")
def nginx() -> str:
    """Give the path of nginx."""
    return NginxServer.find_program() or pytest.skip("nginx is not installed")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Give the path of Chromium."""
    for name in BROWSERS:
        path = shutil.which(name)
        if path:
            return path
    pytest.skip("Chromium is not installed")


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium: str) -> dict[str, Any]:
    """Have playwright start the Chromium of this machine, without network requests."""
    return {"executable_path": chromium, "args": BROWSER_FLAGS}


@pytest.fixture
def child_environment(transactional_db: None, broker_url: str) -> dict[str, str]:
    """Give the environment in which another process works on this test's database and broker."""
    return environment_of_a_child()


@pytest.fixture
def start_worker(
    child_environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Give a function that starts a real Celery worker and returns when it is ready.

    The worker leads a process group: `os.killpg(worker.pid, signal.SIGKILL)` kills all of it.
    ``slowness``: seconds that it takes over every record of bots, so that it can be met at play;
    ``host``: the machine that it says it is on.
    """
    workers: list[subprocess.Popen[bytes]] = []

    def start(slowness: float = 0.0, host: str = "localhost") -> subprocess.Popen[bytes]:
        number = len(workers)
        app = "tests.drills.strange" if slowness else "tournaments"
        slow = {"BAZA_DRILL_SLOWNESS": str(slowness)} if slowness else {}
        log = tmp_path / f"worker-{number}.log"
        with log.open("wb") as output:
            worker = subprocess.Popen(
                [
                    *(sys.executable, "-m", "celery", "-A", app, "worker"),
                    *("--hostname", f"test-{os.getpid()}-{number}@{host}"),
                    *("--concurrency", "2", "--queues", "matches,default", "--loglevel", "INFO"),
                    *("--without-gossip", "--without-mingle"),
                ],
                cwd=ROOT,
                env=child_environment | slow,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        workers.append(worker)
        deadline = time.monotonic() + 60
        while b" ready." not in log.read_bytes():
            if worker.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the worker did not start:\n{log.read_text()}")
            time.sleep(0.05)
        return worker

    yield start
    for worker in workers:
        kill_group(worker)


ALL_SCOPES = tuple(ApiToken.Scope.values)
Issue = Callable[..., Caller]


@pytest.fixture(scope="session")
def uncollected_files() -> None:
    """Let the next handler that is made serve the static files of the source tree."""
    settings.WHITENOISE_USE_FINDERS = True


@pytest.fixture(scope="session")
def live_server(uncollected_files: None, live_server: LiveServer) -> LiveServer:
    """Start a server that serves the static files of the source tree.

    The test client does not serve them: each new client would read all of them, which takes
    longer than most pages.
    """
    settings.WHITENOISE_USE_FINDERS = False
    return live_server


@pytest.fixture(autouse=True)
def fresh_quotas() -> None:
    """Begin every test with an empty cache: no pages, and quotas that count from nothing."""
    cache.clear()


@pytest.fixture
def scene(db: None) -> Scene:
    """A tournament of four pairs: round 1 published, its first table played."""
    return scenes.running()


@pytest.fixture
def issue(scene: Scene) -> Issue:
    """Give a function that makes a token for one of the club's people, and a caller with it."""

    def make(name: str = "organiser", scopes: tuple[str, ...] = ALL_SCOPES) -> Caller:
        _row, text = issue_token(
            Actor.system(), scene.club, scene.users[name], name=f"{name}'s", scopes=scopes
        )
        return Caller(text)

    return make


@pytest.fixture
def anonymous(scene: Scene) -> Caller:
    """A caller without a token."""
    return Caller()


@pytest.fixture
def organiser(issue: Issue) -> Caller:
    """A caller with the organiser's token and all scopes."""
    return issue()


@pytest.fixture
def club_night(db: None) -> Scene:
    """The eight pairs of the sample, all seven rounds published, nothing played."""
    return scenes.club_night()


@pytest.fixture
def desk(club_night: Scene) -> Caller:
    """The table where the records are handed in."""
    _row, token = issue_token(
        Actor.system(),
        club_night.club,
        club_night.users["organiser"],
        name="desk",
        scopes=["games:submit", "games:read"],
    )
    return Caller(token)


@pytest.fixture(autouse=True)
def the_minute_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the minute in which wrong codes are counted from ending in the middle of a test."""
    now = time.time()
    monkeypatch.setattr("tournaments.core.limits.time", SimpleNamespace(time=lambda: now))

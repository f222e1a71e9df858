"""Requests that meet a database that restarts, a web server that is killed, an answer that is lost.

Every record is sent until it is acknowledged, under one idempotency key; then what was acknowledged
is compared with what is stored.
"""

from __future__ import annotations

import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db.models import F

from tests.client.lossy import LossyWay
from tests.clubs import SYSTEM, club_night_lines, organiser, record, text, the_liguilla, user
from tests.drills.crew import Broker, times, wait_until
from tests.drills.site import Answer, Site, run_in
from tests.servers import PostgresServer
from tournaments.accounts.services.invitations import issue_token
from tournaments.models import Record, Result, Submission, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.drills.conftest import Tell

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ACKNOWLEDGED = {200, 201}
NOT_YET = {0, 409, 503}
"""Nothing came back; another attempt has the key; the database is away: to be sent again."""

LOCK = timedelta(seconds=60)


# --- a database that restarts --------------------------------------------------------------------


@pytest.fixture
def cluster() -> Iterator[tuple[PostgresServer, str]]:
    """Give a PostgreSQL of the drill's own and its address."""
    programs = PostgresServer.find_programs()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed")
    server = PostgresServer(programs)
    with server as url:
        yield server, url


@pytest.mark.postgres
def test_a_database_that_restarts_under_submissions_loses_and_doubles_nothing(
    cluster: tuple[PostgresServer, str], tmp_path: Path, tell: Tell
) -> None:
    """Fault 12: 503 with Retry-After while it is away, and what was acknowledged is there once."""
    server, url = cluster
    environment = {"DATABASE_URL": url, "REDIS_URL": settings.ENVIRONMENT.redis_url}
    nights = json.loads(run_in(environment, "-m", "tests.drills.several_nights", str(times(3, 12))))
    acknowledged: dict[str, Answer] = {}
    with Site({**os.environ, **environment}, tmp_path) as site:

        def hand_in(night: tuple[str, str], number: int) -> None:
            (slug, token), key = night, f"{night[0]}-{number}"
            path = f"/api/v1/tournaments/{slug}/records/"
            acknowledged[key] = until_acknowledged(
                lambda: site.submit(path, club_night_lines()[number], token, key)
            )

        def look() -> None:
            while not stop.wait(0.1):
                assert_calm(site.ask("/", headers={"Accept-Language": "en"}))

        stop = threading.Event()
        with ThreadPoolExecutor(9) as pool:
            looking = pool.submit(look)
            futures = [pool.submit(hand_in, night, n) for n in range(28) for night in nights]
            for part in range(1, 4):
                wait_until(lambda part=part: len(acknowledged) >= part * 7, "submissions")  # type: ignore[misc]
                restart(server, url, seconds=0.0 if part < 3 else 2.0)
            for future in futures:
                future.result()
            stop.set()
            looking.result()
    answers = [answer.json()["record"] for answer in acknowledged.values()]
    with psycopg.connect(url) as database:
        stored = database.execute("SELECT count(*) FROM tournaments_record").fetchone()
        results = database.execute("SELECT count(*) FROM tournaments_result").fetchone()
        gaps = database.execute(
            "SELECT count(*) FROM (SELECT club_id FROM tournaments_auditevent GROUP BY club_id"
            " HAVING max(sequence) <> count(*)) AS broken"
        ).fetchone()
    assert site.statuses[503] > 0, site.statuses
    assert set(site.statuses) <= ACKNOWLEDGED | NOT_YET - {0}, site.statuses
    assert stored == results == (len(nights) * 28,)
    assert gaps == (0,)
    lost = len(nights) * 28 - len(set(answers))
    tell(
        f"3 restarts of PostgreSQL under {len(answers)} submissions, {site.statuses[503]} × 503",
        lost,
    )


def restart(server: PostgresServer, url: str, seconds: float) -> None:
    """Kill PostgreSQL and start it again; then pass the minute over for which keys are locked."""
    server.kill()
    time.sleep(seconds)
    server.start()
    with psycopg.connect(url) as database:
        database.execute(
            "UPDATE tournaments_submission SET locked_until = locked_until - interval '60 s'"
            " WHERE answer IS NULL"
        )


def until_acknowledged(send: Callable[[], Answer]) -> Answer:
    """Send until it is acknowledged; a request to retry is followed."""
    deadline = time.monotonic() + 120
    while True:
        response = send()
        if response.status in ACKNOWLEDGED:
            return response
        assert response.status in NOT_YET, response.body
        if response.status:
            assert int(response.headers["Retry-After"]) > 0
            code = response.json()["code"]
            assert code in {"unavailable", "idempotency_in_flight"}, code
        assert time.monotonic() < deadline, "never acknowledged"
        time.sleep(0.2)


def assert_calm(response: Answer) -> None:
    """Check that a page is there, or says when to come again."""
    assert response.status in {200, 503}, response.status
    if response.status == 503:
        assert int(response.headers["Retry-After"]) > 0
        assert b"Just a moment, please" in response.body


# --- a web server --------------------------------------------------------------------------------


@pytest.fixture
def night(transactional_db: None) -> Tournament:
    """The club night, published."""
    return the_liguilla()


@pytest.fixture
def token(night: Tournament) -> str:
    """The desk's token."""
    organiser(night.club)
    return issue_token(SYSTEM, night.club, user("olga"), name="desk", scopes=["games:submit"])[1]


@pytest.fixture
def site(child_environment: dict[str, str], tmp_path: Path) -> Iterator[Site]:
    """The service on this test's database."""
    with Site(child_environment, tmp_path) as site:
        yield site


def test_a_submission_whose_answer_was_lost_gets_the_same_answer(
    night: Tournament, token: str, site: Site, tell: Tell
) -> None:
    """Fault 14: the answer is dropped on its way; sent again it is the same, and one row."""
    path, lines = f"/api/v1/tournaments/{night.slug}/records/", club_night_lines()
    dropped: list[bytes] = []

    def fate(number: int, answer: bytes) -> bytes:
        if number % 2:
            return answer
        dropped.append(answer)
        return b""

    with LossyWay(site.url, fate) as way:
        for number, line in enumerate(lines):
            key = f"game-{number}"
            assert site.submit(path, line, token, key, way.url).status == 0
            response = site.submit(path, line, token, key, way.url)
            assert (response.status, response.headers["Idempotency-Replayed"]) == (201, "true")
            assert dropped[-1].partition(b"\r\n\r\n")[2] == response.body
    assert Record.objects.count() == Result.objects.count() == len(lines)
    tell(f"{len(dropped)} answers dropped", len(lines) - Record.objects.accepted().count())


def test_a_key_in_use_is_answered_and_carried_out_once(
    night: Tournament, token: str, site: Site, tell: Tell
) -> None:
    """Fault 15: eight at once under one key, and another body under it."""
    path = f"/api/v1/tournaments/{night.slug}/records/"
    other = text({**record(0), "tags": {"site": "Huesca"}})
    turns = times(6, 28)
    for number in range(turns):
        bodies = [club_night_lines()[number]] * 8

        def send(body: str, key: str = f"game-{number}") -> Answer:
            return site.submit(path, body, token, key)

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(send, bodies))
        for response in answers:
            assert response.status in {201, 409}, response.body
            if response.status == 409:
                assert response.json()["code"] == "idempotency_in_flight"
                assert 1 <= int(response.headers["Retry-After"]) <= 60
        distinct_bodies = {answer.body for answer in answers if answer.status == 201}
        assert distinct_bodies == {until_acknowledged(lambda send=send, b=bodies[0]: send(b)).body}  # type: ignore[misc]
        assert Record.objects.count() == number + 1
        refused = send(other)
        assert (refused.status, refused.json()["code"]) == (422, "idempotency_mismatch")
    assert Submission.objects.count() == turns
    tell(f"{turns} keys used by 8 at once", turns - Record.objects.accepted().count())


def test_a_key_whose_server_was_killed_can_be_used_within_a_minute(
    night: Tournament, token: str, child_environment: dict[str, str], tmp_path: Path, tell: Tell
) -> None:
    """Fault 16: the server is killed while it has the key; the minute is passed over by the row."""
    path, line = f"/api/v1/tournaments/{night.slug}/records/", club_night_lines()[0]
    site = Site(child_environment, tmp_path)
    try:
        site.start("tests.drills.strange_site:application")
        assert site.submit(path, line, token, "game-1").status == 0
        site.kill()
        row = Submission.objects.get()
        assert row.answer is None
        assert not Record.objects.exists()
        site.start()
        early = site.submit(path, line, token, "game-1")
        assert (early.status, early.json()["code"]) == (409, "idempotency_in_flight")
        assert 1 <= int(early.headers["Retry-After"]) <= 60
        Submission.objects.update(locked_until=F("locked_until") - LOCK)
        submitted = site.submit(path, line, token, "game-1")
        assert (submitted.status, "Idempotency-Replayed" in submitted.headers) == (201, False)
        assert site.submit(path, line, token, "game-1").body == submitted.body
    finally:
        site.kill()
    assert urlsplit(submitted.json()["record"]).path.endswith(f"/{Record.objects.get().pk}/")
    tell("1 server killed while it had a key", 1 - Record.objects.accepted().count())


def test_pages_and_records_do_without_the_cache(
    night: Tournament,
    token: str,
    own_broker: Broker,
    child_environment: dict[str, str],
    tmp_path: Path,
    tell: Tell,
) -> None:
    """Fault 12: Redis is away, cache and broker; pages are shown and records are taken."""
    path = f"/api/v1/tournaments/{night.slug}/records/"
    addresses = [
        *("/", f"/t/{night.slug}/", f"/t/{night.slug}/rounds/1/"),
        *("/api/v1/clubs/", f"/api/v1/tournaments/{night.slug}/standings/"),
    ]
    with Site(child_environment | {"REDIS_URL": own_broker.url}, tmp_path) as site:
        before = [site.ask(address).status for address in addresses]
        own_broker.kill()
        assert [site.ask(address).status for address in addresses] == before == [200] * 5
        answers = [
            site.submit(path, line, token, f"game-{number}").status
            for number, line in enumerate(club_night_lines()[:4])
        ]
    assert answers == [201] * 4
    tell("pages and 4 submissions without Redis", 4 - Record.objects.accepted().count())

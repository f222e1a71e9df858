"""``python -m benchmarks.growth``: the same pages and submissions on a growing history.

On a PostgreSQL cluster of its own, gone after it, which is filled with 10, 100 and 1,000
tournaments of a thousand hands each (:mod:`benchmarks.history`). ``--plans`` measures nothing: it
asks the planner how it would carry out every query of these pages, and prints those that would
read one of the big tables from one end to the other.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import re
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import submissions
from benchmarks.document import write_section
from benchmarks.history import History, played
from benchmarks.sections import Section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AIM = 1.5
PAIRS, PLAIN_PAIRS = 46, 12
RUNS, ALONE, WARM = 15, 15, 2
"""How often a page is asked for, how many records are submitted, and how many come uncounted."""

LEFT = 66
"""Tables that are left for submissions."""

PAGE = 50
"""Lines of a list of tournaments, where there are as many."""

YARDSTICK = "the yardstick"
SUBMISSION = "**a submission**"
REPLAYS = 60
"""Replays of one record that are the same work at every size: the machine's own pace."""

BIG = ("match", "record", "result", "hand", "auditevent", "delivery", "ratingchange", "ratedmatch")
"""Tables that no page may read whole."""


def main() -> None:
    """Measure at every size, print the ratios, and with ``--write`` put them into the document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=main.__doc__)
    parser.add_argument("--tournaments", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--write", action="store_true", help="update docs/operators/performance.md")
    parser.add_argument("--plans", action="store_true", help="look at the planner's plans alone")
    options = parser.parse_args()
    with surroundings(os.environ.get("BAZA_GROWTH_DATABASE", "")):
        if options.plans:
            print(json.dumps(plans(options.tournaments[-1])))
            return
        section = measured(options.tournaments)
    print(write_section(section, write=options.write))


@contextlib.contextmanager
def surroundings(database: str) -> Iterator[None]:
    """Set Django up on an empty PostgreSQL database, one of its own unless one is named."""
    from tests.servers import PostgresServer, RedisServer

    programs = PostgresServer.find_programs()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="baza-bench-")))
        (folder / "static").mkdir()
        url = database or stack.enter_context(PostgresServer(programs))
        submissions.prepare_surroundings(folder, url)
        from django.conf import settings

        settings.STORAGES["staticfiles"] = {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        }
        from tournaments.environment import broker_socket
        from tournaments.management import broker

        server = RedisServer(broker.find_server(), broker_socket(folder), folder / "broker")
        stack.enter_context(server)
        yield


def addresses(tournament: Any, lines: int) -> dict[str, str]:
    """Return the pages and calls that are looked at, by name; tournaments are listed in ``lines``.

    As many lines at every size: a ratio then shows growth and not a longer page.
    """
    from tournaments.models import Match

    slug, club = tournament.slug, tournament.club
    match = Match.objects.filter(round__stage__tournament=tournament, state="accepted")
    pk = match.order_by("pk")[0].pk
    player = club.players.order_by("pk")[0].pk
    return {
        "front page": "/",
        "club": f"/clubs/{club.slug}/",
        "ratings of the club": f"/clubs/{club.slug}/ratings/",
        "standings": f"/t/{slug}/",
        "round": f"/t/{slug}/rounds/2/",
        "an entry's sums": f"/t/{slug}/standings/1/",
        "entries": f"/t/{slug}/entries/",
        "match": f"/matches/{pk}/",
        "hand": f"/matches/{pk}/hands/1/",
        "player": f"/players/{player}/",
        "API, tournaments": f"/api/v1/tournaments/?page_size={lines}",
        "API, standings": f"/api/v1/tournaments/{slug}/standings/",
        "API, events": f"/api/v1/tournaments/{slug}/events/",
        "API, match": f"/api/v1/matches/{pk}/",
    }


def measured(sizes: list[int]) -> Section:
    """Return the section: milliseconds at every size, and what the last is of the first."""
    tournament, token, open_, texts = played(PAIRS, LEFT)
    left = iter(list(zip(open_, texts, strict=True)))
    history, columns, lines = History(), [], min(PAGE, *sizes)
    for size in sizes:
        print(f"writing {size} tournaments", file=sys.stderr)
        began = time.monotonic()
        history.grow(size)
        print(f"  in {time.monotonic() - began:.0f} s; measuring", file=sys.stderr)
        columns.append(at_this_size(tournament, token, left, lines, texts[0]))
    hands = history_size()
    pace = columns[-1][YARDSTICK][0] / columns[0][YARDSTICK][0]
    rows = [
        [
            name,
            *(f"{column[name][0]:.0f} / {column[name][1]:.0f} ms" for column in columns),
            *ratio_of(columns[0][name], columns[-1][name], pace),
        ]
        for name in slowest_growing(columns[0], columns[-1])
    ]
    head = ["asked", *(f"{size:,} tournaments" for size in sizes), "last ÷ first", "aim", "met"]
    return Section(
        "Growth",
        [head, *rows],
        f"Processor time of service and database, then the clock, without cache, for a submission "
        f"and {len(columns[0]) - 2} pages, those first that grow most. At the end {hands:,} hands. "
        f"The ratio is divided by that of {REPLAYS} replays of a record ({pace:.2f}). "
        "Written by `python -m benchmarks.growth --write`.",
    )


def slowest_growing(
    first: dict[str, tuple[float, float]], last: dict[str, tuple[float, float]]
) -> list[str]:
    """Return the pages, those first whose processor time grew most, and the submission."""
    pages = [name for name in first if name not in {YARDSTICK, SUBMISSION}]
    by_growth = sorted(pages, key=lambda name: first[name][0] / last[name][0])
    return [*by_growth, SUBMISSION]


def history_size() -> int:
    """Return how many hands there are."""
    from tournaments.models import Hand

    return Hand.objects.count()


def ratio_of(first: tuple[float, float], last: tuple[float, float], pace: float) -> list[str]:
    """Return the ratio of two processor times, the aim, and whether it is met.

    ``pace`` is what the yardstick took at last to what it took at first.
    """
    ratio = last[0] / first[0] / pace
    return [f"{ratio:.2f}", f"≤ {AIM}", "yes" if ratio <= AIM else "no"]


def at_this_size(
    tournament: Any, token: str, left: Iterator[Any], lines: int, text: str
) -> dict[str, tuple[float, float]]:
    """Return what everything takes now: milliseconds of processor and of the clock, by name."""
    from django.test import Client

    gc.collect()
    gc.freeze()  # as the service does: what filled the database is not looked through again
    client, pages = Client(), addresses(tournament, lines)
    works: dict[str, Callable[[], object]] = {
        name: partial(ask, client, path) for name, path in pages.items()
    }
    works[YARDSTICK] = partial(replays, text)
    rounds = [
        {name: milliseconds(work) for name, work in works.items()} for _ in range(WARM + RUNS)
    ]
    seconds_by_name = {
        name: usual([round_timings[name] for round_timings in rounds]) for name in works
    }
    desk = Client(headers={"authorization": f"Bearer {token}"})
    timings = [milliseconds(lambda: submit(desk, *next(left))) for _ in range(WARM + ALONE)]
    return seconds_by_name | {SUBMISSION: usual(timings)}


def ask(client: Any, path: str) -> None:
    """Request a page; any other status stops the run."""
    response = client.get(path)
    if response.status_code != 200:
        raise SystemExit(f"{path} answers {response.status_code}")


def replays(text: str) -> None:
    """Replay a record a number of times."""
    import engine

    for _ in range(REPLAYS):
        engine.audit(text)


def submit(client: Any, match: Any, text: str) -> None:
    """Submit a record that must be accepted."""
    path = f"/api/v1/matches/{match.pk}/records/"
    submissions.seconds_of_request(client, path, text, "application/json", f"alone-{match.pk}")


def milliseconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds of processor time, service and database, and of the clock."""
    from django.core.cache import cache
    from django.db import connection

    from tournaments.director.queries import snapshot

    cache.clear()
    snapshot.cached_snapshots.clear()
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    server, service, clock = seconds_of(backend), time.process_time(), time.perf_counter()
    work()
    clock, service = time.perf_counter() - clock, time.process_time() - service
    return 1000 * (service + seconds_of(backend) - server), 1000 * clock


def seconds_of(process: int) -> float:
    """Return the processor time of another process; Linux counts it here to the nanosecond."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def usual(timings: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the lower quartile of each, the first ones left out: they are for warming up.

    Whatever else the machine does makes a run longer and never shorter.
    """
    processor, clock = zip(*timings[WARM:], strict=True)
    return statistics.quantiles(processor, n=4)[0], statistics.quantiles(clock, n=4)[0]


def plans(count: int) -> dict[str, Any]:
    """Return how many queries were looked at, and the page and query of each that reads too much.

    Among them is one by a column without an index, to be found where plans are printed correctly.
    """
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    tournament, token, open_, texts = played(PLAIN_PAIRS, 2)
    History().grow(count)
    client, desk = Client(), Client(headers={"authorization": f"Bearer {token}"})
    actions: dict[str, Callable[[], None]] = {
        name: lambda path=path: ask(client, path)  # type: ignore[misc]
        for name, path in addresses(tournament, PAGE).items()
    }
    actions["submission"] = lambda: submit(desk, open_[0], texts[0])
    rows: list[list[str]] = []
    looked = 0
    for name, work in actions.items():
        from django.core.cache import cache

        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            work()
        for query in queries.captured_queries:
            looked += 1
            rows += [[name, table, query["sql"][-1500:]] for table in whole_tables(query["sql"])]
    statement = "SELECT id FROM tournaments_record WHERE sha256 = 'x'"
    return {"looked": looked, "found": rows, "known": whole_tables(statement)}


def whole_tables(sql: str) -> list[str]:
    """Return the big tables that a statement would read from one end to the other."""
    from django.db import connection

    if not re.match(r"SELECT|UPDATE|DELETE|WITH", sql) or "nextval" in sql:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SET random_page_cost = 1.1")  # as is usual where there are no turning disks
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql.replace('%', '%%')}")
        plan = cursor.fetchone()[0]
    return sorted({table for node in nodes(plan[0]["Plan"]) for table in read_whole(node)})


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every step of a plan."""
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def read_whole(node: dict[str, Any]) -> list[str]:
    """Return the big table that a step reads whole, if it does."""
    table = str(node.get("Relation Name", "")).removeprefix("tournaments_")
    return [table] if node["Node Type"] == "Seq Scan" and table in BIG else []


if __name__ == "__main__":
    main()

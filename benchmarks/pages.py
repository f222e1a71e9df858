"""The pages at a large event: what each costs the server, and what a first view sends.

Measured in a process of its own (`python -m benchmarks.pages`), as `benchmarks.served` is: a real
database file, a real cache, Django's own client in place of the network. Every route that answers
with what such an event has is measured, so that a new page is in the table as soon as it is there.
"""

from __future__ import annotations

import gzip
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.sections import Section
from benchmarks.served import played, prepare_surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.test import Client

    from tournaments.models import Tournament

ENTRIES, ROUNDS = 150, 15
PAGE_AIM = 0.3  # seconds
VIEW_AIM = 120_000  # bytes
RUNS = 3
SECOND_VIEW_AIM = 3  # times what a second view of the standings costs
SECOND_VIEWS = 21
# A browser asks for the icon of an app only when the page becomes one.
STATIC = re.compile(r'(?<!apple-touch-icon" )(?:href|src)="(/static/[^"#?]+)')
INSIDE = re.compile(r'url\("?([^")]+)"?\)')


def section() -> Section:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.pages"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    output = json.loads(run.stdout.splitlines()[-1])
    return Section(
        "Pages",
        [["measured", "figure", "queries", "aim", "met"], *output["rows"]],
        f"{ENTRIES} entries, {ROUNDS} rounds, from SQLite, nothing kept in the cache; processor "
        f"time of the whole answer to a superuser, the median of {RUNS} runs, of "
        f"{output['pages']} pages, the slowest first. "
        "*A first view* is the page with every file that it names, compressed.",
    )


def main() -> None:
    """Prepare, measure, print one line of JSON."""
    with tempfile.TemporaryDirectory(prefix="baza-bench-") as folder:
        prepare_surroundings(Path(folder))
        from tests.servers import RedisServer
        from tournaments.environment import broker_socket
        from tournaments.management import broker

        socket = broker_socket(Path(folder))
        with RedisServer(broker.find_server(), socket, Path(folder) / "broker"):
            print(json.dumps(measured()))


def open_event(entries: int, name: str = "Suizo") -> Tournament:
    """Write an event down whose last round is at play: half of its tables have no result yet."""
    from tournaments.models import Match, Round

    tournament = played(entries, ROUNDS, name)
    last = Round.objects.filter(stage__tournament=tournament, number=ROUNDS)
    last.update(state="published", closed_at=None)
    for match in Match.objects.filter(round__in=last, away__isnull=False):
        if match.table % 2:
            match.results.all().delete()
            Match.objects.filter(pk=match.pk).update(state="pending")
    return tournament


def addresses(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Yield each route by name, with where it leads in the event; not those about other things."""
    from django.urls import URLPattern, URLResolver, reverse

    from tournaments.urls import urlpatterns

    features = [
        part for part in urlpatterns if isinstance(part, URLResolver) and str(part.pattern) == ""
    ]
    for pattern in (pattern for feature in features for pattern in feature.url_patterns):
        if not isinstance(pattern, URLPattern) or pattern.name is None:
            continue  # an address of an earlier release has no name
        values = values_of(tournament, str(pattern.pattern))
        if set(pattern.pattern.converters) <= set(values):
            arguments = {key: values[key] for key in pattern.pattern.converters}
            yield pattern.name, reverse(pattern.name, kwargs=arguments)


def values_of(tournament: Tournament, pattern: str) -> dict[str, Any]:
    """Return what the arguments of a route are in the event, as far as it has such a thing."""
    from tournaments.models import Match

    club = tournament.club
    first = pattern.split("/", maxsplit=1)[0]
    values: dict[str, Any] = {"number": ROUNDS if "rounds/" in pattern else 1}
    if first == "matches":
        match = Match.objects.filter(round__stage__tournament=tournament, state="accepted")
        values["pk"] = match.order_by("pk")[0].pk
    elif first == "players":
        values["pk"] = club.players.order_by("pk")[0].pk
    elif first in {"t", "clubs"}:
        values["slug"] = club.slug if first == "clubs" else tournament.slug
    return {**values, "what": "all"}


def pages(client: Client, tournament: Tournament) -> list[tuple[str, str]]:
    """Return the routes that have something to show here: those that answer with 200."""
    return [
        (name, path) for name, path in addresses(tournament) if client.get(path).status_code == 200
    ]


def superuser() -> Client:
    """Sign in as one who may see everything."""
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client(headers={"Accept-Encoding": "gzip"})
    user, _ = User.objects.get_or_create(username="jefa", is_superuser=True, is_staff=True)
    client.force_login(user)
    return client


def measured() -> dict[str, Any]:
    """Return the rows of the table, and how many pages were measured."""
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    tournament, client = open_event(ENTRIES), superuser()
    medians = []
    for name, path in pages(client, tournament):
        if not client.get(path).headers["Content-Type"].startswith("text/html"):
            continue
        times = []
        for _ in range(RUNS):
            cache.clear()
            times.append(seconds(lambda path=path: client.get(path)))  # type: ignore[misc]
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        medians.append((statistics.median(times), name, len(queries)))
    medians.sort(reverse=True)
    rows = [
        [
            f"`{name}`",
            f"{took * 1000:.0f} ms",
            str(query_count),
            *judged(took, PAGE_AIM, 1000, "ms"),
        ]
        for took, name, query_count in medians
    ]
    total, files = first_view(Client(headers={"Accept-Encoding": "gzip"}), f"/t/{tournament.slug}/")
    view = [
        "a first view of the standings",
        f"{total / 1000:.0f} kB in {files} requests",
        "",
        *judged(total, VIEW_AIM, 0.001, "kB"),
    ]
    return {"rows": [*rows, view, *second_views(tournament)], "pages": len(medians)}


def second_views(tournament: Tournament) -> list[list[str]]:
    """Return what a second visitor's view of the pages of a club costs beside the standings."""
    from django.test import Client

    club = tournament.club
    first = club.players.order_by("pk")[0].pk
    standings = second_view(Client(), f"/t/{tournament.slug}/")
    paths = {"home": "/", "club": f"/clubs/{club.slug}/", "player": f"/players/{first}/"}
    rows = []
    for name, path in paths.items():
        took = second_view(Client(), path)
        aim = judged(took, SECOND_VIEW_AIM * standings, 1000, "ms")
        rows.append([f"a second view of `{name}`", f"{took * 1000:.1f} ms", "", *aim])
    return rows


def second_view(client: Client, path: str) -> float:
    """Return the processor time of a view of a page that others have seen: the median of many."""
    client.get(path)
    return statistics.median(seconds(lambda: client.get(path)) for _ in range(SECOND_VIEWS))


def judged(figure: float, aim: float, scale: float, unit: str) -> list[str]:
    """Return the aim in words, and whether it is met."""
    return [f"≤ {aim * scale:.0f} {unit}", "yes" if figure <= aim else "no"]


def seconds(work: Callable[[], Any]) -> float:
    """Return the processor time of one turn."""
    start = time.process_time()
    work()
    return time.process_time() - start


def first_view(client: Client, path: str) -> tuple[int, int]:
    """Return how many bytes a browser with an empty cache is sent, and in how many answers."""
    response = client.get(path)
    body = response.content
    page = gzip.decompress(body) if response.headers.get("Content-Encoding") == "gzip" else body
    sizes = {path: len(body)}
    for name in STATIC.findall(page.decode()):
        add_file(name, sizes)
    return sum(sizes.values()), len(sizes)


def add_file(name: str, sizes: dict[str, int]) -> None:
    """Add a static file, compressed as it is when collected, and what it names itself."""
    from django.contrib.staticfiles import finders

    path = finders.find(name.removeprefix("/static/"))
    if name in sizes or not isinstance(path, str):
        return
    text = Path(path).read_bytes()
    sizes[name] = len(gzip.compress(text, 9))
    if name.endswith(".css"):
        for inside in INSIDE.findall(text.decode()):
            if not inside.startswith("data:"):
                add_file(str((Path(name).parent / inside).as_posix()), sizes)


if __name__ == "__main__":
    main()

"""``python -m benchmarks.province``: the public pages of a club with 6 events, then with 60.

A province of 3,000 people, one of whose events has 200 pairs and 9 rounds; nobody plays in two
events, so that a page about one event or one person shows the same at both sizes. From SQLite, in
a folder that is gone after it, nothing kept in the cache. ``--only`` asks for some pages alone.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks.document import write_section
from benchmarks.pages import addresses as pages_about
from benchmarks.sections import Section
from benchmarks.served import BATCH, prepare_surroundings, write_rounds
from benchmarks.standings import event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.test import Client

    from tournaments.models import Tournament

PEOPLE: Final = 3000
SIZES: Final = (6, 60)
PAIRS, ROUNDS = 200, 9
SMALL_PAIRS, SMALL_ROUNDS = 20, 5
RATIO_AIM, BYTES_AIM = 1.2, 300_000
RUNS: Final = 2
TABLE: Final = 15
"""Pages in the table: those that grow most, and those that are longest."""

LISTS: Final = ("tournaments", "clubs", "clubs/provincia/players", "clubs/provincia/pairs")
LONG_LISTS: Final = ("clubs/provincia/ratings", "clubs/provincia/seasons/liga")


class Reading(NamedTuple):
    """What a page takes: queries, seconds of processor, bytes; ``cached``: the second time.

    ``pace`` are the seconds that the same work took beside it (`pace_now`).
    """

    queries: int
    seconds: float
    size: int
    cached: float
    pace: float


def main() -> None:
    """Measure both sizes and print the table, and with ``--write`` put it into the document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.province", description=main.__doc__)
    parser.add_argument("--write", action="store_true", help="update docs/operators/performance.md")
    parser.add_argument("--only", default="", help="names of the pages to ask for")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="baza-bench-") as folder:
        prepare_surroundings(Path(folder))
        from tests.servers import RedisServer
        from tournaments.environment import broker_socket
        from tournaments.management import broker

        socket = broker_socket(Path(folder))
        with RedisServer(broker.find_server(), socket, Path(folder) / "broker"):
            section = measured(options.only.split())
    print(write_section(section, write=options.write))


def measured(only: Sequence[str]) -> Section:
    """Return the table of the pages that grow most or are longest."""
    province = Province()
    readings = []
    for size in SIZES:
        province.grow(size)
        names = dict(addresses(province.events[0]))
        wanted = {name: path for name, path in names.items() if not only or name in only}
        asked = {name: read(path) for name, path in wanted.items()}
        readings.append({name: reading for name, reading in asked.items() if reading is not None})
    few, many = readings
    both = [name for name in many if name in few]
    by_growth = sorted(both, key=lambda name: ratio(few[name], many[name]), reverse=True)
    by_size = sorted(both, key=lambda name: many[name].size, reverse=True)
    shown = list(dict.fromkeys([*by_growth[:TABLE], *by_size[:TABLE]])) if not only else by_growth
    head = ["asked", "queries", "processor", "a second time", "kB", "last ÷ first", "aim", "met"]
    return Section(
        "Province",
        [head, *(row(name, few[name], many[name]) for name in shown)],
        f"{PEOPLE:,} people, {SIZES[0]} and {SIZES[1]} events, one of {PAIRS} pairs and {ROUNDS} "
        f"rounds; {len(both)} pages and lists. The ratio is the greater one of queries and "
        "processor, which is divided by that of the same work beside each page; a page that "
        "shows more may take more.",
    )


def row(name: str, few: Reading, many: Reading) -> list[str]:
    """Return a line of the table."""
    is_met = ratio(few, many) <= RATIO_AIM and many.size <= BYTES_AIM
    return [
        f"`{name}`",
        f"{few.queries} → {many.queries}",
        f"{few.seconds * 1000:.0f} → {many.seconds * 1000:.0f} ms",
        f"{many.cached * 1000:.0f} ms",
        f"{few.size / 1000:.0f} → {many.size / 1000:.0f}",
        f"{ratio(few, many):.2f}",
        f"≤ {RATIO_AIM}, ≤ {BYTES_AIM // 1000} kB",
        "yes" if is_met else "no",
    ]


def ratio(few: Reading, many: Reading) -> float:
    """Return the greater ratio of queries and of processor time."""
    processor = (many.seconds / many.pace) / (few.seconds / few.pace)
    return max(many.queries / max(few.queries, 1), processor)


def read(path: str) -> Reading | None:
    """Return what a page takes an anonymous visitor; None for what is no page or list."""
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    forget()
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path)
        count = len(queries)  # the next request empties the log
    kind = response.headers.get("Content-Type", "")
    if response.status_code != 200 or not kind.startswith(
        ("text/html", "application/", "text/xml")
    ):
        return None
    if kind.startswith("application/") and "json" not in kind and "xml" not in kind:
        return None  # a paper
    cold, warm, pace = [], [], []
    for _ in range(RUNS):
        forget()
        pace.append(pace_now())
        cold.append(seconds(client, path))
        warm.append(seconds(client, path))
    cache.clear()
    return Reading(count, min(cold), len(response.content), min(warm), min(pace))


def pace_now() -> float:
    """Return the processor time of a work that is the same at every size: the machine's pace."""
    start = time.process_time()
    sorted(range(50_000), key=lambda n: -n)
    return time.process_time() - start


def forget() -> None:
    """Empty the caches of the service and of this process."""
    from django.core.cache import cache

    from tournaments.director.queries import snapshot

    cache.clear()
    snapshot.cached_snapshots.clear()


def seconds(client: Client, path: str) -> float:
    """Return the processor time of an answer."""
    start = time.process_time()
    client.get(path)
    return time.process_time() - start


def addresses(tournament: Tournament) -> dict[str, str]:
    """Return the public pages and lists by name; exports, files and papers are left out."""
    from tournaments.models import Entry

    club = tournament.club.slug
    pair = Entry.objects.filter(tournament=tournament).order_by("number")[0].pair
    assert pair is not None
    pages = {
        name: path
        for name, path in pages_about(tournament)
        if not any(part in path for part in ("/print/", "/export", "/file", ".csv", ".json", "/qr"))
    }
    season = f"/clubs/{club}/seasons/liga/"
    lists = [*LISTS, *LONG_LISTS]
    lists += [f"tournaments/{tournament.slug}/{what}" for what in ("standings", "entries")]
    return pages | {
        "player": f"/players/{pair.first_id}/",
        "player-rating": f"/players/{pair.first_id}/rating/",
        "pair": f"/pairs/{pair.pk}/",
        "season": season,
        "search": "/search/?q=jugador",
        "search, nobody": "/search/?q=nadie",
        "head-to-head": f"/clubs/{club}/head-to-head/?one=pair-{pair.pk}",
        "poster": "/t/proximo/poster/",
        "sign-up": "/t/proximo/sign-up/",
        **{f"API {path}": f"/api/v1/{path}/" for path in lists},
    }


class Province:
    """A club of people who play in its events, the first of which is the large one."""

    def __init__(self) -> None:
        from tournaments.models import Club, Pair, Player, Season

        self.club = Club.objects.create(
            name="Provincia", slug="provincia", people_in_search=True, city="Cuenca"
        )
        names = [f"Jugador {n:04}" for n in range(1, PEOPLE + 1)]
        players = Player.objects.bulk_create(
            [
                Player(club=self.club, code=f"J{n}", name=name, folded=name.lower())
                for n, name in enumerate(names, 1)
            ],
            BATCH,
        )
        self.pairs = Pair.objects.bulk_create(
            [
                Pair(
                    club=self.club,
                    code=f"P{n}",
                    name=f"Pareja {n:04}",
                    folded=f"pareja {n:04}",
                    first=players[2 * n - 2],
                    second=players[2 * n - 1],
                )
                for n in range(1, PEOPLE // 2 + 1)
            ],
            BATCH,
        )
        self.season = Season.objects.create(club=self.club, name="Liga", slug="liga")
        self.events: list[Any] = []
        self.post_draft()

    def post_draft(self) -> None:
        """Post the draft of an event for which people sign up on the web."""
        from tournaments.models import SignUp, Stage, Tournament

        draft = Tournament.objects.create(
            club=self.club,
            name="Próximo",
            slug="proximo",
            ruleset="parejas-online",
            posted_at=datetime(2026, 1, 1, tzinfo=UTC),
            begins_at=datetime(2027, 1, 1, 17, tzinfo=UTC),
        )
        Stage.objects.create(tournament=draft, format="swiss", settings={"rounds": 5}, entrants=[])
        SignUp.objects.create(tournament=draft, opens_at=datetime(2026, 1, 1, tzinfo=UTC))

    def grow(self, count: int) -> None:
        """Write events until there are ``count``, and compute the ratings."""
        from django.core.management import call_command

        for number in range(len(self.events), count):
            self.events.append(self.write_event(number))
        call_command("rebuild_ratings", verbosity=0)

    def write_event(self, number: int) -> Tournament:
        """Write an event that counts in the season: the first is the large one."""
        from tournaments.models import Entry, SeasonEvent, Tournament

        size, rounds = (PAIRS, ROUNDS) if number == 0 else (SMALL_PAIRS, SMALL_ROUNDS)
        first = 0 if number == 0 else PAIRS + (number - 1) * SMALL_PAIRS
        tournament = Tournament.objects.create(
            club=self.club,
            name=f"Torneo {number:02}",
            slug=f"torneo-{number:02}",
            ruleset="parejas-online",
            state="finished",
            begins_at=datetime(2020, 1, 10, 17, tzinfo=UTC) + timedelta(days=30 * number),
        )
        entries = [
            Entry(
                tournament=tournament,
                number=n,
                name=pair.name,
                folded=pair.folded,
                pair=pair,
                seats=2,
            )
            for n, pair in enumerate(self.pairs[first : first + size], 1)
        ]
        entered = Entry.objects.bulk_create(entries, BATCH)
        write_rounds(tournament, event(size, rounds), entered, order=None)
        SeasonEvent.objects.create(season=self.season, tournament=tournament, order=number + 1)
        return tournament


if __name__ == "__main__":
    main()

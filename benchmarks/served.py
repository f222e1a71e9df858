"""The standings as they are served: from the database, and from the cache.

Measured in a process of its own (`python -m benchmarks.served`), in a folder that is gone after it:
a real database file, a real cache, Django's own client in place of the network.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.sections import Section
from benchmarks.standings import ENTRIES, ORDER, ROUNDS, event

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.test import Client

    from tournaments.domain.rows import TournamentRows
    from tournaments.models import Tournament

COLD_AIM, WARM_AIM = 0.3, 0.02  # seconds
COLD_RUNS, WARM_RUNS = 7, 50
COLUMNS = ["measured", "mean", "least", "aim", "met"]
BATCH = 500
"""Rows that are written at a time."""


def section() -> Section:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.served"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return Section(
        "Standings, served",
        [COLUMNS, *json.loads(run.stdout.splitlines()[-1])],
        f"{ENTRIES} entries, {ROUNDS} rounds, {len(ORDER)} criteria, from SQLite and Valkey; "
        f"processor time, cold over {COLD_RUNS} runs, warm over {WARM_RUNS}. *Computed* reads the "
        "whole tournament and ranks it, with nothing kept; *the page* is the whole answer to a "
        "request.",
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
            print(json.dumps(measured(played())))


def prepare_surroundings(folder: Path) -> None:
    """Set Django up with a database and static files in a folder of this run."""
    (folder / "static").mkdir()
    os.environ["BAZA_VAR"] = str(folder)
    os.environ["BAZA_SECRET_KEY"] = "for-benchmarks-only-" + "x" * 50
    os.environ["BAZA_AUDIT_KEY"] = "be" * 32
    os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"
    for name in ("BAZA_ALLOWED_HOSTS", "BAZA_PUBLIC_URL", "BAZA_DEBUG", "DATABASE_URL"):
        os.environ.pop(name, None)
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    django.setup()
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    setup_test_environment(debug=False)
    call_command("migrate", verbosity=0)
    gc.collect()
    gc.freeze()  # as the service does when it starts


def played(entries: int = ENTRIES, rounds: int = ROUNDS, name: str = "Suizo") -> Tournament:
    """Write the event of `benchmarks.standings` down as rows, in a club of its own."""
    from tournaments.models import Club, Entry, Tournament

    rows = event(entries, rounds)
    slug = name.lower()
    club = Club.objects.create(name=f"Casino {name}", slug=f"casino-{slug}")
    tournament = Tournament.objects.create(
        club=club, name=name, slug=slug, ruleset="parejas-online", state="running", unit="player"
    )
    entered = Entry.objects.bulk_create(people(tournament, club, len(rows.entrants)), BATCH)
    write_rounds(tournament, rows, entered)
    return tournament


def write_rounds(
    tournament: Tournament,
    rows: TournamentRows,
    entered: list[Any],
    order: Sequence[str] | None = ORDER,
) -> None:
    """Write a Swiss stage with its rounds, matches and results, played when it begins or now."""
    from django.utils import timezone

    from tournaments.models import Match, Result, Round, Stage

    now = tournament.begins_at or timezone.now()
    stage = Stage.objects.create(
        tournament=tournament,
        format="swiss",
        settings={
            "rounds": len(rows.stages[0].rounds),
            **({"order": list(order)} if order else {}),
        },
        entrants=[entrant.number for entrant in rows.entrants],
        seed="ab" * 32,
        begun_at=now,
    )
    by_number = {entry.number: entry for entry in entered}
    for round_row in rows.stages[0].rounds:
        round_ = Round.objects.create(
            stage=stage,
            number=round_row.number,
            state="closed",
            seed="cd" * 32,
            commitment="ef" * 32,
            published_at=now,
            closed_at=now,
        )
        matches = [
            Match(
                round=round_,
                table=table.number,
                home=by_number[table.sides[0][0]],
                away=None if table.is_bye else by_number[table.sides[1][0]],
                state="bye" if table.is_bye else "accepted",
                bye=table.bye or "",
            )
            for table in round_row.tables
        ]
        match_rows = Match.objects.bulk_create(matches, BATCH)
        results = []
        for match, table in zip(match_rows, round_row.tables, strict=True):
            if table.is_bye:
                continue
            score = [mark.hands for mark in table.marks or ()]
            score += [mark.points for mark in table.marks or ()]
            score = score or [0] * 4
            results.append(
                Result(
                    match=match,
                    version=1,
                    counts_from=1,
                    depth="score" if table.marks else "forfeit",
                    home_hands=score[0],
                    away_hands=score[1],
                    home_points=score[2],
                    away_points=score[3],
                    winner=won(score, bool(table.forfeits)),
                    forfeits=["away"] if table.forfeits else [],
                    reason="" if table.marks else "did not come",
                    made_by="benchmark",
                )
            )
        Result.objects.bulk_create(results, BATCH)


def people(tournament: Tournament, club: Any, count: int) -> list[Any]:
    """Enter `count` players of a club."""
    from tournaments.models import Entry, Player

    players = Player.objects.bulk_create(
        [
            Player(club=club, code=f"J{n}", name=f"Jugador {n}", folded=f"jugador {n}")
            for n in range(1, count + 1)
        ],
        BATCH,
    )
    return [
        Entry(
            tournament=tournament,
            number=n,
            name=player.name,
            folded=player.folded,
            player=player,
            seats=1,
        )
        for n, player in enumerate(players, start=1)
    ]


def won(score: list[int], is_forfeit: bool) -> str:
    """Name the winner of a result."""
    if is_forfeit or score[0] > score[1]:
        return "home"
    return "tie" if score[0] == score[1] else "away"


def measured(tournament: Tournament) -> list[list[str]]:
    """Return the rows of the table."""
    from django.core.cache import cache
    from django.test import Client

    from tournaments.core.permissions import Actor
    from tournaments.standings.queries.standings import standings_page

    viewer, client = Actor.anonymous(), Client()

    def computed() -> None:
        page = standings_page(tournament.slug, viewer)
        if len(page.rows) != ENTRIES:
            raise SystemExit(f"a table of {len(page.rows)}")

    def forgotten() -> None:
        cache.clear()

    address = f"/t/{tournament.slug}/"
    sums_address = f"{address}standings/300/"
    rows = [
        row("computed, nothing kept", timed(computed, COLD_RUNS, forgotten), COLD_AIM),
        row(
            "the page, nothing kept", timed(request_of(client, address), COLD_RUNS, forgotten), None
        ),
        row("the page, table kept", timed(request_of(client, address), WARM_RUNS), WARM_AIM),
        row(
            "an entry's sums, table kept",
            timed(request_of(client, sums_address), COLD_RUNS),
            COLD_AIM,
        ),
    ]
    response = client.get(f"/api/v1/tournaments/{tournament.slug}/standings/")
    if response.status_code != 200:
        raise SystemExit(f"the API answers {response.status_code}")
    api = request_of(client, f"/api/v1/tournaments/{tournament.slug}/standings/")
    return [*rows, row("the same by the API, table kept", timed(api, COLD_RUNS), None)]


def request_of(client: Client, address: str) -> Callable[[], None]:
    """Return a request; any status but 200 stops the run."""

    def ask() -> None:
        response = client.get(address)
        if response.status_code != 200:
            raise SystemExit(f"{address} answers {response.status_code}")

    return ask


def timed(work: Callable[[], None], runs: int, before: Callable[[], None] | None = None) -> Any:
    """Return the seconds that each of several runs took; the first one is for warming up."""
    times = []
    for _ in range(runs + 1):
        if before:
            before()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return times[1:]


def row(what: str, seconds: list[float], aim: float | None) -> list[str]:
    """Return a line of the table, in milliseconds."""
    mean, fastest = statistics.mean(seconds) * 1000, min(seconds) * 1000
    figures = [what, f"{mean:.0f} ms", f"{fastest:.0f} ms"]
    if aim is None:
        return [*figures, "", ""]
    return [*figures, f"≤ {aim * 1000:.0f} ms", "yes" if mean <= aim * 1000 else "no"]


if __name__ == "__main__":
    main()

"""Records taken by the service on PostgreSQL: many in one request, and one alone.

Measured in a process of its own (`python -m benchmarks.submissions`), on a cluster of its own that
is gone after it, with Django's own client in place of the network. Real time: the database works in
other processes.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.sections import Section, best_of

if TYPE_CHECKING:
    from tournaments.models import Entry, Stage, Tournament

BULK_AIM, SINGLE_AIM = 700, 100  # records a second; milliseconds
LINES, BATCHES, ALONE = 1000, 3, 60
WARM = 5
"""Records alone that are not counted."""
COLUMNS = ["measured", "figure", "aim", "met"]
AIM, ALONE_AIM = f"at least {BULK_AIM:,} records/s", f"≤ {SINGLE_AIM} ms"
SLUG = "una-mano"
SUBMIT = ("games:submit",)


class Cost(NamedTuple):
    """What a request took: seconds on the clock and of both processors' time, and statements."""

    seconds: float
    service: float
    server: float
    statements: int


def section() -> Section:
    """Measure in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.submissions"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    return Section(
        "Records submitted",
        [COLUMNS, *json.loads(run.stdout.splitlines()[-1])],
        f"One-hand records over the API, on PostgreSQL: {BATCHES} batches of {LINES} lines, the "
        f"best of each figure; {ALONE} single records in sequence, without the network. Load "
        f"{os.getloadavg()[0]:.0f} on {os.cpu_count()} processors.",
    )


def main() -> None:
    """Prepare, measure, print one line of JSON."""
    from tests.servers import PostgresServer, RedisServer

    programs = PostgresServer.find_programs()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed")
    with (
        tempfile.TemporaryDirectory(prefix="baza-bench-") as folder,
        PostgresServer(programs) as url,
    ):
        prepare_surroundings(Path(folder), url)
        from tournaments.environment import broker_socket
        from tournaments.management import broker

        socket = broker_socket(Path(folder))
        with RedisServer(broker.find_server(), socket, Path(folder) / "broker"):
            print(json.dumps(measured()))


def prepare_surroundings(folder: Path, database: str) -> None:
    """Set Django up with that database and a folder of this run."""
    os.environ["BAZA_VAR"] = str(folder)
    os.environ["BAZA_SECRET_KEY"] = "for-benchmarks-only-" + "x" * 50
    os.environ["BAZA_AUDIT_KEY"] = "be" * 32
    os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"
    for name in ("BAZA_ALLOWED_HOSTS", "BAZA_PUBLIC_URL", "BAZA_DEBUG"):
        os.environ.pop(name, None)
    os.environ["DATABASE_URL"] = database
    import django
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    from tournaments.core.processor import limit_garbage_collection

    django.setup()
    setup_test_environment(debug=False)
    call_command("migrate", verbosity=0)
    limit_garbage_collection()  # as every web process does


def measured() -> list[list[str]]:
    """Return the rows of the table."""
    from django.test import Client

    tournament, token = prepared()
    client = Client(headers={"authorization": f"Bearer {token}"})
    texts = records(tournament)
    path = f"/api/v1/tournaments/{SLUG}/records/"
    batches, alone = [], []
    for number, (begin, end) in enumerate(pairwise(range(0, (BATCHES + 1) * LINES, LINES))):
        body = "\n".join(texts[begin:end])
        batches.append(cost(client, f"{path}bulk/", body, "application/x-ndjson", f"b{number}"))
    for number, text in enumerate(texts[BATCHES * LINES :][:ALONE]):
        alone.append(cost(client, path, text, "application/json", f"s{number}"))
    audit = audit_seconds(texts[:LINES])
    return [*bulk_rows(batches, audit), *rows_alone(alone[WARM:])]


def bulk_rows(batches: list[Cost], audit: float) -> list[list[str]]:
    """Print batches, the best of each figure; ``audit`` is what the engine takes for one."""
    rate = LINES / min(batch.seconds for batch in batches)
    service, server = (
        min(batch.service for batch in batches),
        min(batch.server for batch in batches),
    )
    each = 1000 / LINES
    return [
        ["many at once, on the clock", f"{rate:,.0f} records/s", *judged(rate >= BULK_AIM, AIM)],
        ["a record of many, service and database", f"{each * (service + server):.2f} ms", "", ""],
        ["its audit by the engine", f"{each * audit:.2f} ms", "", ""],
        ["statements of a batch", f"{batches[-1].statements}", "", ""],
    ]


def rows_alone(alone: list[Cost]) -> list[list[str]]:
    """Print records sent one after another."""
    seconds = [1000 * record_cost.seconds for record_cost in alone]
    slowest = statistics.quantiles(seconds, n=20)[-1]
    busy = 1000 * statistics.mean(record_cost.service for record_cost in alone)
    server = 1000 * statistics.mean(record_cost.server for record_cost in alone)
    return [
        ["one alone, 95 of 100", f"{slowest:.0f} ms", *judged(slowest <= SINGLE_AIM, ALONE_AIM)],
        ["one alone, service and database", f"{busy + server:.0f} ms", "", ""],
        ["statements of one alone", f"{alone[-1].statements}", "", ""],
    ]


def judged(is_met: bool, aim: str) -> tuple[str, str]:
    """Return an aim, and whether it was met."""
    return aim, "yes" if is_met else "no"


def audit_seconds(texts: list[str]) -> float:
    """Return the processor time that the engine takes to audit such records, one after another."""
    import engine

    return best_of(lambda: [engine.audit(text) for text in texts])


def cost(client: Any, path: str, body: str, kind: str, key: str) -> Cost:
    """Return what a request took that must be accepted."""
    from django.db import connection

    run = 0

    def count_statement(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal run
        run += 1
        return execute(sql, params, many, context)

    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    server, service = busy_seconds(backend), time.process_time()
    with connection.execute_wrapper(count_statement):
        seconds = seconds_of_request(client, path, body, kind, key)
    service = time.process_time() - service
    return Cost(seconds, service, busy_seconds(backend) - server, run)


def busy_seconds(process: int) -> float:
    """Return the processor time that another process has had, as Linux counts it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_of_request(client: Any, path: str, body: str, kind: str, key: str) -> float:
    """Return the seconds of a request that must be accepted."""
    began = time.perf_counter()
    response = client.post(path, body.encode(), kind, headers={"Idempotency-Key": key})
    elapsed = time.perf_counter() - began
    if response.status_code != 201:
        raise SystemExit(f"{response.status_code}: {response.content[:500]!r}")
    return elapsed


def prepared(
    count: int = 82, needed: int = BATCHES * LINES + ALONE, scopes: tuple[str, ...] = SUBMIT
) -> tuple[Tournament, str]:
    """Write a tournament of ``count`` pairs with ``needed`` tables in its rounds.

    Returns it, and a token of its club with these scopes. The number of pairs must be even.
    """
    from django.contrib.auth.models import User
    from django.db import transaction
    from django.utils import timezone

    from tournaments.accounts.services.invitations import issue_token
    from tournaments.core.audit import write_event
    from tournaments.core.permissions import Actor
    from tournaments.domain.names import fold_name
    from tournaments.models import (
        Club,
        Entry,
        Membership,
        Pair,
        Player,
        Stage,
        Tournament,
    )

    club = Club.objects.create(name="Casino", slug="casino")
    tournament = Tournament.objects.create(
        club=club,
        name="Una mano",
        slug=SLUG,
        ruleset="parejas-online",
        options={"to": 1},
        state="running",
    )
    stage = Stage.objects.create(
        tournament=tournament, format="liguilla", seed="ab" * 32, begun_at=timezone.now()
    )
    people = [f"Jugador {n}" for n in range(1, 2 * count + 1)]
    players = Player.objects.bulk_create(
        Player(club=club, code=f"J{n}", name=name, folded=fold_name(name))
        for n, name in enumerate(people, 1)
    )
    pairs = Pair.objects.bulk_create(
        Pair(club=club, code=f"P{n}", name=f"Pareja {n}", folded=f"pareja {n}", first=a, second=b)
        for n, (a, b) in enumerate(zip(players[0::2], players[1::2], strict=True), 1)
    )
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament, number=n, name=pair.name, folded=fold_name(pair.name), pair=pair
        )
        for n, pair in enumerate(pairs, 1)
    )
    with transaction.atomic():  # `audit_verify` names each entry that no event records
        names = [entry.name for entry in entries]
        write_event(
            Actor.system(),
            "entries.added",
            tournament,
            club=club,
            tournament=tournament,
            entries=names,
            rows=entries,
        )
    write_matches(stage, entries, needed)
    user = User.objects.create_user("desk")
    Membership.objects.create(club=club, user=user, role="organiser")
    return tournament, issue_token(Actor.system(), club, user, name="desk", scopes=scopes)[1]


def write_matches(stage: Stage, entries: list[Entry], needed: int) -> None:
    """Write ``needed`` matches in published rounds, in each of which every entry plays once."""
    from django.utils import timezone

    from tournaments.models import Match, Round

    count = len(entries)
    matches: list[Match] = []
    for number in range(1, -(-needed // (count // 2)) + 1):
        round_ = Round.objects.create(
            stage=stage,
            number=number,
            state="published",
            seed="cd" * 32,
            commitment="ef" * 32,
            published_at=timezone.now(),
        )
        wheel = entries[1:][number:] + entries[1:][:number]
        left = [entries[0], *wheel[: count // 2 - 1]]
        right = wheel[count // 2 - 1 :][::-1]
        matches += [
            Match(round=round_, table=table, home=home, away=away)
            for table, (home, away) in enumerate(zip(left, right, strict=True), 1)
        ]
    Match.objects.bulk_create(matches[:needed])


def records(tournament: Tournament) -> list[str]:
    """Return a record of one hand for every match, each hand another one's in turn."""
    from tests.support.scenes import records_of
    from tournaments.models import Match

    hands = [hand for text in records_of("records") for hand in json.loads(text)["hands"]]
    matches = Match.objects.with_names().filter(round__stage__tournament=tournament)
    lines = []
    for number, match in enumerate(matches.order_by("round__number", "table")):
        hand = hands[number % len(hands)]
        home, away = match.names_at(0), match.names_at(1)
        lines.append(
            json.dumps(
                {
                    "format": "baza/1",
                    "ruleset": tournament.ruleset,
                    "options": {"to": 1},
                    "seats": [home[0], away[0], home[1], away[1]],
                    "hands": [hand],
                    "score": {side: int(side == hand["winner"]) for side in ("AC", "BD")},
                    "winner": hand["winner"],
                },
                ensure_ascii=False,
            )
        )
    return lines


if __name__ == "__main__":
    main()

"""The arena in the service: what claiming, leases, records and their audit cost over bare play.

Run as a program of its own, on a PostgreSQL and a Redis of its own (SQLite and the embedded broker
where they are not installed), so that the service's settings are not those of other measurements.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.sections import Section
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = ["measured", "matches/s", "beside bare play", "aim", "met"]
AIM: Final = 0.20
"""Overhead over bare play, in processor time."""
AIM_OF_ONE_HAND: Final = 0.40
"""The same for matches of one hand, which take two milliseconds to play."""
HANDS: Final = ((1, 400), (10, 200), (50, 60), (300, 9))
"""Hands of a match of house bots, and matches of it: enough that messages are as in a round."""
USUAL: Final = 400
"""Matches as long as the ruleset has them, to three hands won."""
SETS: Final = (10, 30)
"""Deal sets of a match, and matches of them."""
PROGRAMS: Final = 8
SPREAD: Final = 60
"""Matches of ten hands that one worker plays, and two."""
REFERENCE: Final = ROOT / "engine" / "bots" / "reference_bot.py"


def section() -> Section:
    """Measure in a process of its own, and print."""
    with ExitStack() as servers:
        environment = servers.enter_context(surroundings())
        words = [sys.executable, "-m", "benchmarks.arena_service"]
        run = subprocess.run(
            words, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        )
    measured = json.loads(run.stdout.splitlines()[-1])
    return Section("The arena in the service", [COLUMNS, *measured["rows"]], measured["notes"])


@contextmanager
def surroundings() -> Iterator[dict[str, str]]:
    """Give an environment with a folder, a database and a broker that nobody else uses."""
    from tests.servers import PostgresServer, RedisServer

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="baza-bench-")))
        (folder / "static").mkdir()
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        if program is None:
            raise SystemExit("the arena in the service is measured with a redis-server")
        redis = stack.enter_context(RedisServer(program, folder / "redis.sock", folder))
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tournaments.settings",
            "BAZA_VAR": str(folder),
            "BAZA_SECRET_KEY": "for-measuring-only-" + "x" * 40,
            "BAZA_AUDIT_KEY": "be" * 32,
            "BAZA_ANALYSIS": "off",
            "REDIS_URL": redis,
        }
        environment.pop("DATABASE_URL", None)
        if (postgres := PostgresServer.find_programs()) is not None:
            environment["DATABASE_URL"] = stack.enter_context(PostgresServer(postgres))
        yield environment


# --- In the process of its own ------------------------------------------------------------------


def a_round(matches: int, kinds: tuple[str, str], **more: Any) -> Any:
    """Make a round of `matches` matches between bots of two kinds, and start it."""
    from tests.drills.rounds import a_round_of
    from tests.support.bot_tables import a_program, house_bot

    bots = []
    for number, kind in enumerate(kinds, 1):
        is_program = kind == "program"
        text = REFERENCE.read_text() if is_program else ""
        bots.append(a_program(text, f"P{number}") if is_program else house_bot(kind, number))
    round_ = a_round_of(matches, *bots * matches, **more)
    type(round_).objects.filter(pk=round_.pk).update(play_requested_at=round_.published_at)
    return round_


def in_service(keys: list[int]) -> float:
    """Play the matches of a message as a worker does; processor time, that of programs included."""
    from tournaments.arena.services.playing import play_matches

    start = processor_seconds()
    play_matches(*keys)
    return processor_seconds() - start


def bare(keys: list[int]) -> tuple[float, int]:
    """Play the same records at a table with nothing around it: processor time, and how many."""
    from tournaments.arena.services.table import part_of, play_part
    from tournaments.models import Match

    matches = list(Match.objects.with_names().filter(pk__in=keys).order_by("pk"))
    parts = [
        (match, part_of(match, number)._replace(lost={}))
        for match in matches
        for number in range(1, match.records.accepted().count() + 1)
    ]
    start = processor_seconds()
    for match, part in parts:
        play_part(match, part, lambda: None)
    return processor_seconds() - start, len(parts)


def processor_seconds() -> float:
    """Return the processor time of this process and of all its children that have ended."""
    times = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(time.ru_utime + time.ru_stime for time in times)


def both(round_: Any) -> tuple[float, float, int]:
    """Play a round in the service and bare, message by message in turns: what else runs hits both.

    The processor time of either, and how many records there are. Bare play is
    done twice for each message, and counts by its mean.
    """
    from tournaments.arena.services.dispatch import batches
    from tournaments.models import Match

    service = alone = 0.0
    records = 0
    for keys in batches(list(round_.matches.order_by("pk").values_list("pk", flat=True))):
        service += in_service(keys)
        times = [bare(keys) for _ in range(2)]
        alone += sum(seconds for seconds, _ in times) / len(times)
        records += times[0][1]
    assert not Match.objects.undecided().filter(round=round_).exists()
    return service, alone, records


def beside(what: str, matches: int, round_: Any, aim: float = AIM) -> list[str]:
    """A row: the service, and what it takes beside bare play."""
    service, alone, records = both(round_)
    over = service / alone - 1
    verdict = "yes" if over <= aim else "no"
    rate = f"{matches / service:,.1f}"
    return [
        what,
        rate if records == matches else f"{rate} ({records / service:,.1f} records)",
        f"{over:+.0%}",
        f"{aim:+.0%}",
        verdict,
    ]


def workers(count: int, round_: Any) -> float:
    """Seconds from the first attempt to the end of the last, by this number of processes."""
    from django.db.models import Max, Min

    from tournaments.core.jobs import Job, post
    from tournaments.models import Attempt, Match

    words = [
        *(sys.executable, "-m", "celery", "--skip-checks", "-A", "tournaments", "worker"),
        *("--concurrency", str(count), "--queues", "matches,default", "--loglevel", "WARNING"),
        *("--without-gossip", "--without-mingle"),
    ]
    worker = subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
    )
    try:
        time.sleep(8)  # until it is there
        post(Job.PLAY_ROUND, round_.pk)
        while Match.objects.undecided().filter(round=round_).exists():
            time.sleep(0.2)
    finally:
        worker.terminate()
        worker.wait()
    moments = Attempt.objects.filter(match__round=round_).aggregate(
        first=Min("started_at"), last=Max("ended_at")
    )
    seconds: float = (moments["last"] - moments["first"]).total_seconds()
    return seconds


def one_and_two(what: str, matches: int, kinds: tuple[str, str], **more: Any) -> list[list[str]]:
    """Rows: one process of a worker and two."""
    single, two = (workers(count, a_round(matches, kinds, **more)) for count in (1, 2))
    return [
        [f"{what}, one process", f"{matches / single:,.1f}", "", "", ""],
        [
            f"{what}, two processes",
            f"{matches / two:,.1f}",
            f"{single / two:.2f} times one",
            "",
            "",
        ],
    ]


def main() -> None:
    """Measure everything and print it as JSON."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from tournaments.core.processor import limit_garbage_collection

    call_command("migrate", interactive=False, verbosity=0)
    house = ("simple", "random")
    both(a_round(4, house, options={"deals": 1}))  # what is loaded the first time
    limit_garbage_collection()  # as every process of a worker does
    usual = "house bots, a match to three hands won"
    rows = [beside(usual, USUAL, a_round(USUAL, house, options={}))]
    for hands, matches in HANDS:
        options = {"options": {"deals": hands}}
        label = f"house bots, a match of {hands} hand{'s' * (hands > 1)}"
        aim = AIM_OF_ONE_HAND if hands == 1 else AIM
        rows.append(beside(label, matches, a_round(matches, house, **options), aim))
    sets, matches = SETS
    label = f"house bots, {sets} deal sets of one hand"
    rows.append(beside(label, matches, a_round(matches, house, deal_sets=sets)))
    programs = ("program", "program")
    label = "programs in the sandbox, ten hands"
    rows.append(beside(label, PROGRAMS, a_round(PROGRAMS, programs, options={"deals": 10})))
    ten = {"options": {"deals": 10}}
    rows += one_and_two("house bots, ten hands", SPREAD, house, **ten)
    rows += one_and_two("programs, ten hands", 2 * PROGRAMS, programs, **ten)
    notes = (
        f"On {connection.vendor} and Redis, {os.cpu_count()} processors. *Bare play* is the same "
        "records at the same table; the service adds claim, lease, replay, rows and history. "
        "Processor time, without the database server's; the last four rows are wall time."
    )
    print(json.dumps({"rows": rows, "notes": notes}))


if __name__ == "__main__":
    main()

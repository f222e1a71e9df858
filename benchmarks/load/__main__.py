"""``python -m benchmarks.load``: a championship day on the whole service, watched by a hall.

Locust plays the people (:mod:`benchmarks.load.hall`); nginx, PostgreSQL, Redis, web server, workers
and scheduler are this run's own and gone after it. With ``--embedded`` it is a tenth of the day on
SQLite and one web worker, as `./baza up` starts them. The day is run twice: with a tenth of the
spectators first, so that it shows what ten times as many do to those who submit. Exit code 1 when
anything was lost, refused or broke.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks import submissions
from benchmarks.document import write_section
from benchmarks.load.service import ROOT, Service, load_tool
from benchmarks.sections import Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.load.day import Day

AIMS = {"pages": 300, "submissions": 500}  # milliseconds, for 95 of 100
COLUMNS = ["asked", "requests", "median", "95 of 100", "99 of 100", "aim", "met"]
COMING = 20.0
"""Seconds in which everybody arrives: opens the first page with its files, half of them a hand.
Figures of their own, not among those of the day."""

FEWER = 10
"""The day is run with this part of the spectators first."""

OURS = "Championship day"


class Measurements(NamedTuple):
    """What a run of the day came to: the hall's notes, processor seconds by part, what was lost."""

    hall: dict[str, Any]
    busy: dict[str, float]
    lost: list[str]
    seconds: float
    load: float


def main() -> None:
    """Run the day, print the figures; ``--write`` puts them into docs/operators/performance.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=main.__doc__)
    parser.add_argument("--embedded", action="store_true", help="a tenth of it, on SQLite")
    parser.add_argument("--seconds", type=float, default=80.0, help="of each of the two runs")
    parser.add_argument("--spectators", type=int, help="how many follow; 600, embedded 60")
    parser.add_argument("--workers", type=int, help="web workers; 2, embedded 1")
    parser.add_argument(
        "--own-addresses", action="store_true", help="one for each visitor, not the router's"
    )
    parser.add_argument("--direct", action="store_true", help="without nginx before the service")
    parser.add_argument("--write", action="store_true", help="update docs/operators/performance.md")
    parser.add_argument("--keep", action="store_true", help="keep the logs, and say where")
    options = parser.parse_args()
    spectators = options.spectators or (60 if options.embedded else 600)
    workers = options.workers or (1 if options.embedded else 2)
    with surroundings(embedded=options.embedded, keep=options.keep) as (folder, url):
        few, many = run(folder, url, spectators, workers, options)
    section = report(
        few,
        many,
        spectators,
        workers,
        embedded=options.embedded,
        own_addresses=options.own_addresses,
    )
    print(write_section(section, write=options.write))
    sys.exit(1 if problems(few) + problems(many) else 0)


@contextlib.contextmanager
def surroundings(*, embedded: bool, keep: bool) -> Iterator[tuple[Path, str]]:
    """Give a folder and a database, Django set up on both, with a broker that answers."""
    from tests.servers import PostgresServer, RedisServer

    programs = PostgresServer.find_programs()
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="baza-load-"))
        if keep:
            print(f"logs: {folder}", file=sys.stderr)
        else:
            stack.callback(subprocess.run, ["rm", "-r", str(folder)], check=True)
        if embedded:
            url = f"sqlite:///{folder / 'baza.sqlite3'}"
        elif programs is None:
            raise SystemExit("PostgreSQL is not installed")
        else:
            url = stack.enter_context(PostgresServer(programs))
        submissions.prepare_surroundings(folder, url)
        from tournaments.environment import broker_socket
        from tournaments.management import broker

        server = RedisServer(broker.find_server(), broker_socket(folder), folder / "broker")
        stack.enter_context(server)
        yield folder, url


def run(
    folder: Path, url: str, spectators: int, workers: int, options: argparse.Namespace
) -> tuple[Measurements, Measurements]:
    """Prepare the day and run it twice, with few spectators and with all."""
    from benchmarks.load.day import Size, plan, prepare

    print("installing Locust, writing the tournament", file=sys.stderr)
    python = load_tool(folder)
    size = Size(16, spectators, 4) if options.embedded else Size(spectators=spectators)
    day = prepare(size)
    half = len(day.left) // 2
    runs = []
    from tests.servers import NginxServer

    nginx = NginxServer.find_program()
    if options.embedded or options.direct:
        nginx = None
    elif nginx is None:
        raise SystemExit("nginx is not installed")
    with Service(folder, url, workers, nginx) as service:
        for people, tables in (
            (max(1, spectators // FEWER), range(half)),
            (spectators, range(half, len(day.left))),
        ):
            print(f"{people} spectators, {options.seconds:.0f} s", file=sys.stderr)
            spec = plan(
                day,
                people,
                options.seconds,
                tables,
                seed=f"hall of {people}",
                own_addresses=options.own_addresses,
            )
            runs.append(one_run(day, service, python, people, spec))
    return runs[0], runs[1]


def one_run(
    day: Day, service: Service, python: str, people: int, spec: dict[str, Any]
) -> Measurements:
    """Start this number of visitors, and count what they found."""
    from benchmarks.load.day import lost

    source, target = service.folder / "plan.json", service.folder / "found.json"
    coming = min(COMING, 5 + people / 20)
    spec |= {"host": service.url, "coming": coming}
    source.write_text(json.dumps(spec), encoding="utf-8")
    before, began = service.processor_seconds(), time.monotonic()
    subprocess.run(
        [python, str(ROOT / "benchmarks" / "load" / "hall.py"), str(source), str(target)],
        check=True,
        timeout=spec["seconds"] + 120,
    )
    seconds = time.monotonic() - began
    hall = json.loads(target.read_text(encoding="utf-8"))
    busy = {
        name: processor_second - before[name]
        for name, processor_second in service.processor_seconds().items()
    }
    wrong = lost(day, hall["answers"])
    unanswered = {item["key"] for phone in spec["phones"] for item in phone}
    unanswered -= set(hall["answers"])
    wrong += [f"{key} was not answered" for key in sorted(unanswered)]
    return Measurements(hall, busy, wrong, seconds, os.getloadavg()[0])


def problems(run: Measurements) -> list[str]:
    """Return what was lost, and every answer that is no success."""
    codes = {**run.hall["codes_arriving"], **run.hall["codes"]}
    refused = [
        f"{name}: {count} answers with {code}"
        for name, counts in codes.items()
        for code, count in counts.items()
        if code not in {"200", "201", "204", "304"}
    ]
    return [*run.lost, *run.hall["errors"], *refused]


def report(
    few: Measurements,
    many: Measurements,
    spectators: int,
    workers: int,
    *,
    embedded: bool,
    own_addresses: bool,
) -> Section:
    """Return the section of the document."""
    rows = rows_of(many)
    submitted = [p95(joined(run, "submitted")) for run in (few, many)]
    ratio = submitted[1] / submitted[0]
    rows += [
        ["submitted, with a tenth of the spectators", *figures(joined(few, "submitted")), "", ""],
        ["submitted, beside a tenth of the spectators", "", "", f"{ratio:.2f} times", "", "", ""],
    ]
    rows += [
        [name, *figures(seconds + many.hall["taken"].get(name, [])), "", ""]
        for name, seconds in sorted(many.hall["arriving"].items())
        if name.startswith("arriving")
    ]
    wrong = problems(few) + problems(many)
    detail = ": " + "; ".join(wrong[:5]) if wrong else ""
    where = "SQLite and the embedded broker" if embedded else "PostgreSQL and Redis"
    where += ", behind nginx" if "proxy" in many.busy else ""
    size = "16 entries, 4" if embedded else "150 entries, 40"
    request_count = sum(map(len, many.hall["taken"].values())) / len_of(many)
    busy_text = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in many.busy.items())
    notes = (
        f"{size} telephones submitting, {spectators} spectators following, on {where}, "
        f"{workers} web worker{'s' if workers > 1 else ''}, {os.cpu_count()} processors that the "
        f"hall shares; {len_of(many):.0f} s, {request_count:.0f} requests a second, "
        f"{'an address each' if own_addresses else 'one address for the first 200'}. Nine in ten "
        "spectators follow a page by its stream of versions and open another every minute and a "
        f"half; one in ten reads the stream of events ({many.hall['streamed']} came). "
        "*Arriving*: a first page with its files, and for half of them a hand. "
        "*A round's end*: all telephones submit within ten seconds. Errors, refusals and "
        f"submissions lost: {len(wrong)}{detail}; afterwards results, standings and `audit_verify` "
        f"were right. Processor time: {busy_text}; {shared(many)} "
        f"Load: {few.load:.0f} and {many.load:.0f} at the end of the two runs. "
        "Written by `python -m benchmarks.load"
        f"{' --embedded' if embedded else ''} --write`."
    )
    return Section(OURS + (", embedded" if embedded else ""), [COLUMNS, *rows], notes)


def shared(run: Measurements) -> str:
    """Return what the hall took of the processors, and what share of the others the service took.

    The hall would be elsewhere on a real evening: its processor time is subtracted.
    """
    processors = os.cpu_count() or 1
    hall = run.hall["processor"]
    left = max(run.seconds * processors - hall, 1.0)
    share = sum(run.busy.values()) / left
    return (
        f"the hall itself {hall:.0f} s, so that {left / run.seconds:.2f} of {processors} "
        f"processors were left, and the service took {share:.0%} of those."
    )


def rows_of(run: Measurements) -> list[list[str]]:
    """Return a line for all pages, for all submissions, and for every kind of request."""
    durations = run.hall["taken"]
    pages = joined(run, "opened") + joined(run, "news")
    submitted = joined(run, "submitted")
    rows = [
        ["**pages**", *figures(pages), *judged("pages", pages)],
        ["**submissions**", *figures(submitted), *judged("submissions", submitted)],
    ]
    rows.append(["pages opened", *figures(joined(run, "opened")), "", ""])
    return rows + [
        [name, *figures(durations[name]), "", ""]
        for name in sorted(durations)
        if not name.startswith(("arriving", "opened"))
    ]


def joined(run: Measurements, kind: str) -> list[float]:
    """Return the milliseconds of all requests of a kind."""
    return [
        duration
        for name, durations in run.hall["taken"].items()
        if name.startswith(kind)
        for duration in durations
    ]


def figures(seconds: list[float]) -> list[str]:
    """Return how many there were, and what they took."""
    if len(seconds) < 2:
        return [str(len(seconds)), "", "", ""]
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return [f"{len(seconds):,}", *(f"{cuts[at]:.0f} ms" for at in (49, 94, 98))]


def p95(seconds: list[float]) -> float:
    """Return what 95 of 100 stayed below, in milliseconds."""
    return statistics.quantiles(seconds, n=100, method="inclusive")[94]


def judged(kind: str, seconds: list[float]) -> list[str]:
    """Return the aim, and whether it was met."""
    return [f"95 of 100 within {AIMS[kind]} ms", "yes" if p95(seconds) <= AIMS[kind] else "no"]


def len_of(run: Measurements) -> float:
    """Return the seconds in which requests were counted."""
    return float(run.hall["seconds"])


if __name__ == "__main__":
    main()

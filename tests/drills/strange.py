"""Workers and schedulers that are not quite the service's: `celery -A tests.drills.strange`.

| variable | what is different |
|---|---|
| `BAZA_DRILL_JOURNAL` | a line in this file for every task begun: process, its id, its arguments |
| `BAZA_DRILL_VISIBILITY` | seconds after which the broker gives a message to another worker |
| `BAZA_DRILL_SLOWNESS` | seconds that every record of bots takes, however fast the machine is |
| `BAZA_DRILL_START` | seconds that every process of a worker takes to start |
| `BAZA_DRILL_POISON` | the key of a match that kills the worker that plays it |
| `BAZA_DRILL_HASTE` | bots have little time and may write less, so that a drill is short |
| `BAZA_DRILL_BEAT` | seconds between two ticks of everything that is scheduled |
| `BAZA_DRILL_FAKETIME` | a sleep that works under libfaketime |
"""

import os
import select
import time
from functools import partial
from pathlib import Path
from typing import Any

from celery.signals import task_prerun, worker_process_init

from tournaments.celery import app

variable = os.environ.get


def journal(path: Path) -> None:
    """Write down what is begun."""

    @task_prerun.connect(weak=False)
    def note(task_id: str, task: Any, args: Any, **_: Any) -> None:
        with path.open("a") as file:
            file.write(f"{os.getpid()} {task_id} {task.name} {list(args)}\n")


def slow_start(seconds: float) -> None:
    """Make every process of a worker take a while until it takes tasks."""
    worker_process_init.connect(lambda **_: time.sleep(seconds), weak=False)


def slow(seconds: float) -> None:
    """Make play take a while, so that a worker can be found at play; two records are a slice."""
    from tournaments.arena.services import playing

    play_part = vars(playing)["play_part"]

    def slowly(match: Any, part: Any, check: Any) -> Any:
        time.sleep(seconds)
        return play_part(match, part, check)

    vars(playing)["play_part"] = slowly
    vars(playing)["SECONDS_PER_WRITE"] = 2 * seconds


def poison(match_pk: int) -> None:
    """Let a match kill the process that plays it."""
    from tournaments.arena.services import playing

    play_part = vars(playing)["play_part"]

    def deadly(match: Any, part: Any, check: Any) -> Any:
        if match.pk == match_pk:
            os._exit(9)
        return play_part(match, part, check)

    vars(playing)["play_part"] = deadly


def haste() -> None:
    """Give bots less than they have."""
    from engine.bots import process
    from engine.bots.limits import Limits

    vars(process)["Limits"] = partial(
        Limits,
        move_cpu=0.3,
        bank_cpu=0.5,
        hang_wall=6.0,
        start_wall=20.0,
        end_wall=0.3,
        stdout=300_000,
    )


def beat(seconds: float) -> None:
    """Let everything that is scheduled be due very often."""
    for entry in app.conf.beat_schedule.values():
        entry.update(schedule=seconds, options={**entry["options"], "expires": 5})


if path := variable("BAZA_DRILL_JOURNAL"):
    journal(Path(path))
if visibility := variable("BAZA_DRILL_VISIBILITY"):
    app.conf.broker_transport_options = {
        **app.conf.broker_transport_options,
        "visibility_timeout": float(visibility),
    }
if seconds := variable("BAZA_DRILL_SLOWNESS"):
    app.on_after_finalize.connect(lambda *_, each=float(seconds), **__: slow(each), weak=False)
if delay := variable("BAZA_DRILL_START"):
    slow_start(float(delay))
if match := variable("BAZA_DRILL_POISON"):
    app.on_after_finalize.connect(lambda *_, number=int(match), **__: poison(number), weak=False)
if variable("BAZA_DRILL_HASTE"):
    haste()
if variable("BAZA_DRILL_FAKETIME"):
    # libfaketime breaks the clock_nanosleep of Python's sleep: "Invalid argument"
    vars(time)["sleep"] = lambda seconds: select.select([], [], [], seconds)
if interval := variable("BAZA_DRILL_BEAT"):
    beat(float(interval))

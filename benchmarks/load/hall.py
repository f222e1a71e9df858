"""The people of a championship's hall, as Locust plays them.

Run by Locust's own interpreter: `python hall.py PLAN FOUND` with two names of files. The plan is
what :mod:`benchmarks.load.day` wrote; what was found are the milliseconds of every request by its
kind, the errors, and what the service said to each submission.
"""

# mypy: ignore-errors
from __future__ import annotations

import contextlib
import json
import logging
import random
import re
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gevent
import gevent.event
from geventhttpclient._parser import HTTPParseError
from locust import FastHttpUser, constant, constant_pacing, task
from locust.env import Environment

if TYPE_CHECKING:
    from locust.contrib.fasthttp import FastResponse

PULSE = 5.0
"""Seconds between two polls of a page without a stream (`PULSE` of js/live.js)."""

SPREAD = 2.0
"""Seconds up to which a page waits when it hears of a version (`SPREAD` of js/live.js)."""

FILE = re.compile(r'(?:src|href)="(/static/[^"#]+)')
READS_A_HAND = 0.5
"""Part of the visitors who, when they arrive, open a hand before they follow."""

SEEN = re.compile(r'data-live[^>]* hx-get="([^"]+)"')
STREAM = re.compile(r'data-stream="([^"]+)"')
SHOWN = "version shown after the stream gave it"
"""Not a request: the time from when a page hears of a version until it shows it, or a later one."""

ENDURANCE = 60.0
"""Seconds for which the last submissions are waited for."""

plan: dict[str, Any] = {}
answers: dict[str, dict[str, Any]] = {}
streamed: Counter[str] = Counter()
began = 0.0


class Guest(FastHttpUser):
    """A visitor with a phone: an address, a language, what the browser has stored."""

    abstract = True
    wait_time = constant(PULSE)  # pacing would count from the spawning, and have all look in step
    insecure = True
    network_timeout = connection_timeout = 60.0
    count = 0

    def on_start(self) -> None:
        """Come in."""
        type(self).count += 1
        number = sum(follower.count for follower in (Follower, Listener))
        self.chance = random.Random(f"{plan['seed']} {number}")
        self.etags: dict[str, str] = {}
        is_at_home = number > plan["behind_router"]
        self.mine = {
            "X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
            if is_at_home
            else plan["router"],
            "X-Forwarded-Proto": "https",
            "Accept-Language": self.chance.choices(["es", "en"], [9, 1])[0],
            "Accept-Encoding": "gzip",
        }
        gevent.sleep(self.chance.uniform(0, PULSE))  # they do not look in step

    def look(self, path: str, kind: str, **headers: str) -> FastResponse:
        """Ask for a page as a browser does that may have it already."""
        condition = {"If-None-Match": self.etags[path]} if path in self.etags else {}
        answer = self.client.get(path, name=kind, headers={**self.mine, **condition, **headers})
        if answer.status_code == 200 and (etag := answer.headers.get("ETag")):
            self.etags[path] = etag
        return answer


class Follower(Guest):
    """Has a page of the tournament in sight, which follows its stream as js/live.js does."""

    wait_time = constant(0)

    def on_start(self) -> None:
        """Open the page and its stream."""
        super().on_start()
        pages, weights = zip(*plan["followed"], strict=True)
        self.page = self.chance.choices(pages, weights)[0]
        self.poll = self.page
        self.version = 0
        self.heard = (0, 0.0)  # a version that the page does not show yet, and when it came
        self.changed = gevent.event.Event()
        self.is_streaming = False
        stream = self.arrive()
        self.listening = gevent.spawn(self.listen, stream)

    def on_stop(self) -> None:
        """Close the stream."""
        self.listening.kill()

    def arrive(self) -> str:
        """View the page for the first time, with its files, perhaps a hand; return its stream."""
        page = self.look(self.page, "arriving: " + plan["kinds"][self.page])
        self.read(page)
        text = page.text or ""
        for path in dict.fromkeys(FILE.findall(text)):
            self.look(path, "arriving: file")
        if self.chance.random() < READS_A_HAND:
            self.look(self.chance.choice(plan["hands"]), "arriving: hand")
        return STREAM.search(text)[1]

    def listen(self, stream: str) -> None:
        """Hear of versions until the page is left."""
        headers = {**self.mine, "Accept": "text/event-stream", "Accept-Encoding": "identity"}
        while True:
            with (
                contextlib.suppress(HTTPParseError, OSError),
                self.client.get(
                    stream, name="page's stream begun", headers=headers, stream=True
                ) as answer,
            ):
                while answer.status_code == 200 and (line := answer.stream.readline(b"\n")):
                    self.is_streaming = True
                    if line.startswith(b"data:"):
                        self.version = int(line[5:])
                        if not self.heard[0] and self.version > self.shown_version():
                            self.heard = (self.version, time.monotonic())
                        self.changed.set()
            self.is_streaming = False
            gevent.sleep(SPREAD)

    def shown_version(self) -> int:
        """Return the version that the page shows: the address of its poll ends with it."""
        pattern_match = re.search(r"\d+$", self.poll)
        return int(pattern_match[0]) if pattern_match else 0

    def read(self, answer: FastResponse) -> None:
        """Keep where the page polls next."""
        if answer.status_code == 200 and (pattern_match := SEEN.search(answer.text or "")):
            self.poll = pattern_match[1].replace("&amp;", "&")
        version, came = self.heard
        if version and version <= self.shown_version():
            self.heard = (0, 0.0)
            self.environment.events.request.fire(
                request_type="",
                name=SHOWN,
                response_time=1000 * (time.monotonic() - came),
                response_length=0,
                response=None,
                exception=None,
                context={},
            )

    @task
    def follow(self) -> None:
        """Poll soon after a new version, or without a stream; sometimes open another page."""
        began = time.monotonic()
        if self.changed.wait(PULSE):
            self.changed.clear()
            gevent.sleep(self.chance.uniform(0, SPREAD))
            self.ask()
        elif not self.is_streaming:
            self.ask()
        if self.chance.random() < (time.monotonic() - began) / plan["every"]:
            page = self.chance.choice(plan["opened"])
            self.look(page, "opened: " + plan["kinds"][page])

    def ask(self) -> None:
        """Poll, unless the page is of the version that the stream gave."""
        if self.is_streaming and re.search(rf"[=-]{self.version}$", self.poll):
            return
        headers = {"Baza-Version": str(self.version)} if self.version else {}
        answer = self.look(self.poll, "news", **{"HX-Request": "true", **headers})
        self.read(answer)
        if answer.headers.get("HX-Trigger") == "later":
            gevent.spawn_later(self.chance.uniform(SPREAD / 4, SPREAD * 3 / 4), self.changed.set)


class Listener(Guest):
    """Follows the stream of events; the time is that until it begins."""

    @task
    def listen(self) -> None:
        """Read the stream until it is over."""
        accepted = {"Accept": "text/event-stream"}
        headers = {**self.mine, **accepted, "Accept-Encoding": "identity"}
        with self.client.get(
            plan["stream"], name="stream begun", headers=headers, stream=True
        ) as answer:
            if answer.status_code != 200:
                return
            with contextlib.suppress(HTTPParseError, OSError):  # it has gone home
                while line := answer.stream.readline(b"\n"):
                    streamed["lines"] += line.startswith(b"data:")


class Phone(FastHttpUser):
    """A telephone at the tables: submits what it was given at the moments it was given."""

    wait_time = constant_pacing(0.05)
    insecure = True
    network_timeout = connection_timeout = 60.0
    count = 0

    def on_start(self) -> None:
        """Take the next phone's list."""
        self.list = plan["phones"][Phone.count]
        Phone.count += 1

    @task
    def submit(self) -> None:
        """Submit everything in turn, then lie on the table."""
        for submission in self.list:
            gevent.sleep(max(0.0, began + submission["at"] - time.monotonic()))
            headers = {
                "Authorization": f"Bearer {submission['token']}",
                "Content-Type": "application/json",
                "Idempotency-Key": submission["key"],
                "X-Forwarded-Proto": "https",
                "X-Forwarded-For": submission["address"],
            }
            response = self.client.post(
                submission["path"],
                data=submission["body"].encode(),
                name=submission["kind"],
                headers=headers,
            )
            answers[submission["key"]] = {"status": response.status_code, "text": response.text}
        gevent.sleep(3600)


def wait_for_the_phones(runner: Any) -> None:
    """Send the spectators home, and wait until every submission has its answer."""
    for guest in (Follower, Listener):
        runner.stop_users({guest.__name__: guest.count})
    deadline = time.monotonic() + ENDURANCE
    phone_count = sum(map(len, plan["phones"]))
    while len(answers) < phone_count and time.monotonic() < deadline:
        gevent.sleep(0.2)


def main(source: Path, target: Path) -> None:
    """Let them in, wait until the day is over, write down what was found."""
    global began  # noqa: PLW0603 - the day begins once
    logging.basicConfig(level=logging.WARNING)
    plan.update(json.loads(source.read_text(encoding="utf-8")))
    durations: dict[str, list[float]] = defaultdict(list)
    codes: dict[str, Counter[str]] = defaultdict(Counter)
    errors: Counter[str] = Counter()
    open_ = True

    def note(
        name: str, response_time: float, response: Any, exception: object, **_: object
    ) -> None:
        if not open_:
            return
        durations[name].append(response_time)
        if name != SHOWN:
            codes[name][str(getattr(response, "status_code", 0))] += 1
        if exception:
            errors[f"{name}: {exception}"[:200]] += 1

    FastHttpUser.host = plan["host"]
    environment = Environment(user_classes=[Follower, Listener, Phone])
    environment.events.request.add_listener(note)
    runner = environment.create_local_runner()
    began = time.monotonic() + plan["coming"]
    people = {"Follower": plan["followers"], "Listener": plan["listeners"]}
    people["Phone"] = len(plan["phones"])
    runner.spawn_users(people, wait=False)
    gevent.sleep(began - time.monotonic())
    arriving = {name: list(values) for name, values in durations.items()}
    durations.clear()
    codes_arriving = {name: dict(counts) for name, counts in codes.items()}
    codes.clear()
    gevent.sleep(plan["seconds"])
    open_ = False
    wait_for_the_phones(runner)
    report = {
        "taken": durations,
        "codes": codes,
        "arriving": arriving,
        "codes_arriving": codes_arriving,
        "errors": errors,
        "answers": answers,
        "streamed": streamed["lines"],
        "processor": time.process_time(),
        "seconds": plan["seconds"],
    }
    target.write_text(json.dumps(report), encoding="utf-8")
    runner.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

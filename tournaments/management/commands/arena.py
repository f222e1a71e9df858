"""`manage.py arena pause|resume|drain|status`: pauses or resumes the bots of the service."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from tournaments.arena.queries.status import arena_status, count_leased_matches
from tournaments.arena.services import arena
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.management.base import ServiceCommand

INTERVAL = 0.5  # seconds between two looks

LOOKS = 2
"""Consecutive checks that must find no lease: a claim that was being committed is then visible."""


class Command(ServiceCommand):
    """Pause all bots, let them go on, or pause and wait until no worker holds a match."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the action, and how long to wait for it."""
        parser.add_argument("verb", choices=("pause", "resume", "drain", "status"))
        parser.add_argument(
            "--wait",
            type=float,
            default=120.0,
            metavar="SECONDS",
            help="how long to drain at most; exit code 1 when matches are still held then",
        )

    def handle(self, *, verb: str, wait: float, **_options: Any) -> None:
        """Carry out the action; a second pause changes nothing."""
        if verb == "status":
            self.print_status()
        elif verb == "resume":
            self.switch(arena.resume_arena, Reason.NOT_PAUSED, "the bots play")
        else:
            self.switch(arena.pause_arena, Reason.ALREADY_PAUSED, "the bots are paused")
            if verb == "drain":
                self.drain(wait)

    def switch(self, action: Any, already: Reason, message: str) -> None:
        """Pause or resume; accept that it was done before."""
        try:
            action(Actor.system())
        except Refusal as refusal:
            if refusal.reason is not already:
                raise
        self.stdout.write(message)

    def drain(self, wait: float) -> None:
        """Wait until no worker holds a match, printing each change of the number."""
        deadline = time.monotonic() + wait
        printed, empty = -1, 0
        while True:
            lease_count = count_leased_matches()
            if lease_count != printed:
                self.stdout.write(f"{lease_count} matches in the hands of workers")
                self.stdout.flush()
                printed = lease_count
            empty = 0 if lease_count else empty + 1
            if empty == LOOKS:
                return
            if lease_count and time.monotonic() >= deadline:
                break
            time.sleep(INTERVAL)
        raise CommandError(f"not drained after {wait:g} s: {lease_count} matches are still held")

    def print_status(self) -> None:
        """Print whether it is paused, the rounds at play and the workers."""
        status = arena_status()
        if status.paused_at is None:
            self.stdout.write("open")
        else:
            self.stdout.write(
                f"paused since {status.paused_at:%Y-%m-%d %H:%M} by {status.paused_by}"
            )
        for round_ in status.rounds:
            suffix = ", paused" if round_.paused else ""
            self.stdout.write(
                f"{round_.slug} {round_.number}: played {round_.played} of {round_.total}, "
                f"{round_.running} in play, {round_.stuck} left to the arbiter{suffix}"
            )
        for worker in status.workers:
            self.stdout.write(
                f"{worker.name}: {worker.playing} in play, last {worker.last:%H:%M:%S}"
            )

"""The championship itself: its rows, what its telephones will submit, and what must be true after.

Everything here runs with Django set up on the database of the run.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks import submissions
from benchmarks.submissions import SLUG, prepared, records

if TYPE_CHECKING:
    from tournaments.models import Match, Tournament

FOLLOWED = {"standings": 5, "crosstable": 1, "rounds": 1, "round": 3}
"""What the spectators have in sight, by weight."""


EVERY = 90
"""Mean seconds after which a follower of a page opens another page."""

ENDING = 10.0
"""Seconds in which all telephones submit at a round's end."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many take part. The pairs of a day are even in number."""

    entries: int = 150
    spectators: int = 600
    phones: int = 40
    played: int = 10
    open: int = 4

    @property
    def tables(self) -> int:
        """Tables of a round."""
        return self.entries // 2


@dataclass(frozen=True, slots=True)
class Day:
    """A tournament whose first rounds are played; ``left`` are the tables that are not, in order.

    ``texts`` are the records of those tables, ``token`` that of the club's desk, ``stream`` the
    address at which its events are followed from now on.
    """

    size: Size
    tournament: Tournament
    token: str
    left: list[Match]
    texts: list[str]
    stream: str


def prepare(size: Size) -> Day:
    """Write the tournament, and play its first rounds by the bulk door of the API."""
    from django.test import Client
    from django.utils import timezone

    from tournaments.models import Match, Round

    rounds = size.played + size.open
    tournament, token = prepared(size.entries, rounds * size.tables)
    texts = records(tournament)
    match_count = size.played * size.tables
    client = Client(headers={"authorization": f"Bearer {token}"})
    path = f"/api/v1/tournaments/{SLUG}/records/bulk/"
    for start in range(0, match_count, submissions.LINES):
        body = "\n".join(texts[start : min(match_count, start + submissions.LINES)])
        submissions.seconds_of_request(
            client, path, body, "application/x-ndjson", f"before-{start}"
        )
    stage = Round.objects.filter(stage__tournament=tournament)
    stage.filter(number__lte=size.played).update(state="closed", closed_at=timezone.now())
    matches = Match.objects.filter(round__stage__tournament=tournament)
    left = list(matches.order_by("round__number", "table"))[match_count:]
    return Day(size, tournament, token, left, texts[match_count:], stream_of(tournament))


def stream_of(tournament: Tournament) -> str:
    """Return where to follow what happens from now on."""
    from tournaments.core.permissions import Actor
    from tournaments.live.queries.feed import open_feed, token_of

    feed = open_feed(tournament.slug, Actor.anonymous())
    token = token_of(feed.tournament, feed.last)
    return f"/api/v1/tournaments/{tournament.slug}/events/stream/?since={token}"


def pages(day: Day) -> dict[str, str]:
    """Return what spectators open, each page with its kind: those of the first rounds too."""
    from tournaments.models import Match

    top = f"/t/{SLUG}/"
    current_round = day.size.played + 1
    kinds_by_path = {
        top: "standings",
        f"{top}crosstable/": "crosstable",
        f"{top}rounds/": "rounds",
        f"{top}rounds/{current_round}/": "round",
        f"{top}rounds/{day.size.played}/": "round",
    }
    kinds_by_path |= {f"{top}standings/{number}/": "sums" for number in range(1, 16)}
    played = Match.objects.filter(
        round__stage__tournament=day.tournament, round__number=day.size.played
    )
    for match in played.order_by("table")[:15]:
        kinds_by_path[f"/matches/{match.pk}/"] = "match"
        kinds_by_path[f"/matches/{match.pk}/hands/1/"] = "hand"
    return kinds_by_path


ROUTER = "203.0.113.7"
"""The address of everybody in the hall."""

IN_THE_HALL = 200
"""Spectators behind the hall's router, as many as `docs/operators/limits.md` allows; the others
follow from elsewhere."""


def plan(
    day: Day, spectators: int, seconds: float, tables: range, seed: str, *, own_addresses: bool
) -> dict[str, Any]:
    """Return what the hall does: who follows what, and who submits which of the tables left.

    Those in the hall have the address of its router, unless ``own_addresses`` gives each their own.

    At the round's end every telephone submits within ten seconds, as people do who all finish at
    the same time. The others submit evenly before and after.
    """
    kinds = pages(day)
    paths = list(kinds)
    listeners = spectators // 10
    return {
        "seed": seed,
        "kinds": kinds,
        "followed": [[path, FOLLOWED[kinds[path]]] for path in paths[:4]],
        "opened": paths,
        "hands": [path for path in paths if kinds[path] == "hand"],
        "router": ROUTER,
        "behind_router": 0 if own_addresses else IN_THE_HALL,
        "every": EVERY,
        "stream": day.stream,
        "followers": spectators - listeners,
        "listeners": listeners,
        "phones": phones(day, seconds, tables, own_addresses=own_addresses),
        "seconds": seconds,
    }


def phones(
    day: Day, seconds: float, tables: range, *, own_addresses: bool
) -> list[list[dict[str, Any]]]:
    """Return what each telephone submits, in order of time."""
    lists: list[list[dict[str, Any]]] = [[] for _ in range(day.size.phones)]
    many = min(len(tables) // 2, day.size.phones)
    numbers = tables[: many + int(seconds)]
    moments = [("a round's end", seconds * 0.2 + ENDING * n / many) for n in range(many)]
    evenly = len(numbers) - len(moments)
    moments += [("", seconds * 0.9 * n / max(evenly, 1)) for n in range(evenly)]
    for turn, (number, (when, at)) in enumerate(zip(numbers, moments, strict=True)):
        phone = turn % len(lists)
        match = day.left[number]
        lists[phone].append(
            {
                "at": round(at, 3),
                "path": f"/api/v1/matches/{match.pk}/records/",
                "body": day.texts[number],
                "key": f"table-{match.pk}",
                "match": match.pk,
                "token": day.token,
                "address": f"172.16.0.{phone}" if own_addresses else ROUTER,
                "kind": f"submitted, {when}" if when else "submitted",
            }
        )
    return [sorted(timeline, key=lambda item: float(item["at"])) for timeline in lists]


def lost(day: Day, answers: dict[str, dict[str, Any]]) -> list[str]:
    """Return what is not as it must be after the day; nothing when all is well.

    Every submission that was acknowledged is stored once and counts once; the standings are those
    of a table computed again from the results; the history proves itself.
    """
    from django.core.cache import cache
    from django.core.management import CommandError, call_command

    from tournaments.core.permissions import Actor
    from tournaments.standings.queries.standings import standings_page

    wrong = [
        fault
        for key, response in answers.items()
        if response["status"] in {200, 201}
        for fault in missing(int(key.removeprefix("table-")), response)
    ]
    standings = standings_page(SLUG, Actor.anonymous())
    cache.clear()
    if standings_page(SLUG, Actor.anonymous()).groups != standings.groups:
        wrong.append("the standings are not those of the results")
    played = sum(row.played for row in standings.rows) // 2
    result_count = counting(day)
    if played != result_count:
        wrong.append(f"{result_count} results, {played} in the standings")
    try:
        call_command("audit_verify", stdout=sys.stderr)
    except CommandError as error:
        wrong.append(str(error))
    return wrong


def missing(match: int, answer: dict[str, Any]) -> list[str]:
    """Return what is wrong with a submission that was acknowledged."""
    from tournaments.models import Record, Result

    result = Record.objects.accepted().filter(match=match)
    record_pk = json.loads(answer["text"])["record"].rstrip("/").rpartition("/")[2]
    if [str(record.pk) for record in result] != [record_pk]:
        return [f"match {match}: record {record_pk} was acknowledged, {list(result)} stored"]
    if Result.objects.counting().filter(match=match, record=result[0]).count() != 1:
        return [f"match {match}: its record does not count once"]
    return []


def counting(day: Day) -> int:
    """Return how many results count."""
    from tournaments.models import Result

    return Result.objects.counting().filter(match__round__stage__tournament=day.tournament).count()

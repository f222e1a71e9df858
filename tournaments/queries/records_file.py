"""All accepted records of a tournament as one file of JSON lines that proves its own end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Final

from django.db import connection, transaction

from tournaments.models import Match, Record, Round, Tournament
from tournaments.permissions import Actor, is_member, plays_in
from tournaments.queries.find import find_tournament

IN_MEMORY: Final = 1 << 20
"""Bytes of a file that are kept in memory; a larger one lies on the disk."""

FETCHED: Final = 500
"""Records that are fetched at a time."""


@dataclass(frozen=True, slots=True)
class RecordsFile:
    """The file, open at its beginning: ``size`` bytes with the hash ``sha256``, trailer included.

    Who reads it closes it; it is gone then.
    """

    file: IO[bytes]
    size: int
    count: int
    sha256: str


def records_file(slug: str, viewer: Actor) -> RecordsFile:
    """Write the records that the viewer may see, in the order of rounds, tables and cotos.

    All are of one moment. The file is whole before anybody reads it, so that who reads slowly keeps
    neither a snapshot nor a connection of the database. Refuses NOT_FOUND.
    """
    return whole_file(lambda: _lines(find_tournament(slug, viewer), viewer))


def whole_file(lines: Callable[[], Iterable[bytes]]) -> RecordsFile:
    """Write lines that are read within one moment of the database, and the one that ends them."""
    file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - whoever reads it closes it
    whole, count = hashlib.sha256(), 0
    try:
        with one_moment():
            for line in lines():
                whole.update(line)
                file.write(line)
                count += 1
        trailer = trailer_of(count, whole.hexdigest())
        whole.update(trailer)
        size = file.tell() + file.write(trailer)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return RecordsFile(file, size, count, whole.hexdigest())


def trailer_of(count: int, sha256: str) -> bytes:
    """Return the last line: how many came before it, and the hash of all bytes before it."""
    return f'{{"end":true,"count":{count},"sha256":"{sha256}"}}\n'.encode()


@contextmanager
def one_moment() -> Iterator[None]:
    """Let everything that is read within be of one moment.

    On SQLite a transaction is that; on PostgreSQL one that repeats what it has read, unless a
    transaction is under way already, whose level cannot change any more.
    """
    starts = not connection.in_atomic_block
    with transaction.atomic():
        if starts and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _lines(tournament: Tournament, viewer: Actor) -> Iterator[bytes]:
    records = (
        Record.objects.accepted()
        .filter(match__round__stage__tournament=tournament)
        .order_by("match__round__stage__number", "match__round__number", "match__table", "coto")
    )
    if not is_member(viewer, tournament.club):
        records = records.exclude(match__round__state=Round.State.DRAFT)
        records = records.exclude(match__in=unseen_matches(tournament, viewer))
    for text in records.values_list("text", flat=True).iterator(FETCHED):
        yield _one_line(text).encode() + b"\n"


def unseen_matches(tournament: Tournament, viewer: Actor) -> list[int]:
    """Return the matches whose deals are still to be played at other tables: keys."""
    closed = [
        stage.pk
        for stage in tournament.stages.all()
        if stage.kind.same_deals and not stage.deals_are_open
    ]
    matches = Match.objects.with_names().filter(round__stage__in=closed).exclude(boards=[])
    return [match.pk for match in matches if not plays_in(viewer, match)] if closed else []


def _one_line(text: str) -> str:
    """Return a record as one line: as it was submitted, or the same value without line breaks."""
    if "\n" not in text.strip("\n") and "\r" not in text:
        return text.strip("\n")
    return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))

"""What a tournament that is played again begins with: its name, its day and its entries."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min
from django.utils import timezone

from tournaments.models import Absence, Bot, Entry, Erasure, Tournament

LAST_NUMBER = re.compile(r"(?<!\d)\d{1,3}(?!\d)(?!.*\d)")
"""The last number of a name; years have four digits and are no number of an edition."""


@dataclass(frozen=True, slots=True)
class RepeatedEntry:
    """An entry that can be entered again; ``left`` is why it left the tournament, if it did."""

    number: int
    name: str
    left: str


@dataclass(frozen=True, slots=True)
class RepeatProposal:
    """What is proposed for playing a tournament again."""

    name: str
    begins_at: datetime
    place: str
    entries: tuple[RepeatedEntry, ...]

    @property
    def staying(self) -> tuple[int, ...]:
        """The numbers of the entries that did not leave."""
        return tuple(entry.number for entry in self.entries if not entry.left)


def repeat_proposal(tournament: Tournament, now: datetime | None = None) -> RepeatProposal:
    """Return name, day and entries for playing a tournament again; six queries."""
    names = set(tournament.club.tournaments.values_list("name", flat=True))
    left = dict(
        Absence.objects.filter(
            entry__tournament=tournament,
            until_round=None,
            kind__in=(Absence.Kind.WITHDRAWN, Absence.Kind.EXPELLED),
        ).values_list("entry", "kind")
    )
    return RepeatProposal(
        name=next_name(tournament.name, names),
        begins_at=next_day(_began_at(tournament), now or timezone.now()),
        place=tournament.place,
        entries=tuple(
            RepeatedEntry(entry.number, entry.shown_name, left.get(entry.pk, ""))
            for entry in repeatable_entries(tournament)
        ),
    )


def repeatable_entries(tournament: Tournament) -> list[Entry]:
    """Return the entries whose people are still known, and whose bots can be entered.

    People who were erased are left out. Three queries.
    """
    entries = list(tournament.entries.with_players().order_by("number"))
    players = {player.main_pk for entry in entries for player in entry.players}
    erased = set(
        Erasure.objects.filter(player_key__in=players).values_list("player_key", flat=True)
    )
    bots = set(Bot.objects.playable().filter(entries__in=entries).values_list("pk", flat=True))
    return [
        entry
        for entry in entries
        if (entry.bot_id is None or entry.bot_id in bots)
        and erased.isdisjoint(player.main_pk for player in entry.players)
    ]


def next_name(name: str, taken: Collection[str]) -> str:
    """Return a name that no other tournament of the club has, with the next number.

    >>> next_name("Torneo 3 de otoño", {"Torneo 3 de otoño", "Torneo 4 de otoño"})
    'Torneo 5 de otoño'
    >>> next_name("Social del domingo", {"Social del domingo"})
    'Social del domingo (2)'
    """
    found = LAST_NUMBER.search(name)
    before, number, after = (
        (f"{name} (", 1, ")")
        if found is None
        else (name[: found.start()], int(found[0]), name[found.end() :])
    )
    while True:
        number += 1
        proposed = f"{before}{number}{after}"
        if proposed not in taken:
            return proposed


def next_day(began_at: datetime, now: datetime) -> datetime:
    """Return the same weekday and hour in local time, one week later or more: the first to come."""
    begins_at = timezone.localtime(began_at).replace(tzinfo=None)
    local_now = timezone.localtime(now).replace(tzinfo=None)
    weeks = max(1, (local_now - begins_at) // timedelta(weeks=1) + 1)
    return timezone.make_aware(begins_at + timedelta(weeks=weeks))


def _began_at(tournament: Tournament) -> datetime:
    """Return when a tournament began: as announced, or the quarter of its first round."""
    if tournament.begins_at is not None:
        return tournament.begins_at
    first = tournament.stages.aggregate(at=Min("rounds__published_at"))["at"]
    began_at: datetime = first or tournament.created_at
    return began_at.replace(minute=began_at.minute // 15 * 15, second=0, microsecond=0)

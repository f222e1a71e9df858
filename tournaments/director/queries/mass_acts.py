"""The last act on many entries at once that can be taken back by one press."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from tournaments.director.queries.state import is_drawn, open_round
from tournaments.models import Absence, AuditEvent, ByeRequest, Entry, Tournament

CLOSED, ALL_CAME, OPENED, LISTED = (
    "check_in.closed",
    "check_in.all_came",
    "check_in.opened",
    "list.entered",
)
TAKEN_BACK: Final = "act.taken_back"
MASS_ACTS: Final = (CLOSED, ALL_CAME, OPENED, LISTED)
"""Verbs of the events of acts on many entries.

Their facts have under ``changed`` a list for each entry: its key, what it had and what the act gave
it: the time of its check-in, or the key of its absence or bye. Events of earlier releases have
none.
"""

MAX_ACTS: Final = 50
"""The latest acts among which one is sought; chosen: an evening has some five."""


@dataclass(frozen=True, slots=True)
class MassAct:
    """An act that can be taken back; ``count`` entries are still as it left them.

    ``discarded`` are the rounds whose drafts it deleted, as nobody was left to play them: they do
    not come back by themselves.
    """

    verb: str
    at: datetime
    by: str
    count: int
    discarded: Sequence[int] = ()


def act_to_take_back(tournament: Tournament) -> MassAct | None:
    """Return the act that `take_back_act` would take back, or None; three queries, or more."""
    event, rows = last_mass_act(tournament)
    if event is None:
        return None
    discarded = event.facts.get("discarded", ())
    return MassAct(event.verb, event.at, event.actor, len(rows), discarded)


def last_mass_act(
    tournament: Tournament,
) -> tuple[AuditEvent | None, Sequence[Entry | Absence | ByeRequest]]:
    """Return the last act with rows that are still as it left them, and these rows.

    Acts before the publication of a round, and those that were taken back, are left out.
    """
    events = AuditEvent.objects.filter(tournament=tournament, verb__in=(*MASS_ACTS, TAKEN_BACK))
    round_, taken_back = open_round(tournament), set()
    for event in events.order_by("-sequence")[:MAX_ACTS]:
        if event.verb == TAKEN_BACK:
            taken_back.add(event.facts["act"])
            continue
        is_open = event.sequence not in taken_back and event.facts.get("round") == round_
        if is_open and (rows := _rows_as_left(tournament, event)):
            return event, rows
    return None, ()


def _rows_as_left(
    tournament: Tournament, event: AuditEvent
) -> Sequence[Entry | Absence | ByeRequest]:
    """Return the rows that nothing has changed since the act."""
    changed: list[list[Any]] = event.facts.get("changed", [])
    after = {key: value for key, _, value in changed}
    if event.verb == CLOSED:
        of_entries = {"entry__tournament": tournament, "pk__in": after.values()}
        if event.facts["absent"] == "bye":
            return list(ByeRequest.objects.filter(**of_entries, kind=ByeRequest.Kind.ZERO))
        absences = Absence.objects.filter(**of_entries, kind=Absence.Kind.NO_SHOW)
        return list(absences.filter(until_round=None).select_related("entry__tournament"))
    entries = tournament.entries.filter(pk__in=after).order_by("number")
    same = [entry for entry in entries if written_time(entry.checked_in_at) == after[entry.pk]]
    return [one for one in same if _is_untouched(one)] if event.verb == LISTED else same


def written_time(time: datetime | None) -> str | None:
    """Return a time as the facts of an event have it."""
    return None if time is None else time.isoformat()


def _is_untouched(entry: Entry) -> bool:
    """Return whether nothing but being entered has happened to an entry."""
    related = (entry.absences, entry.bye_requests, entry.substitutions)
    is_free = entry.request_id is None and not any(rows.exists() for rows in related)
    return is_free and not is_drawn(entry)

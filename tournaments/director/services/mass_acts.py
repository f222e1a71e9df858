"""Takes back an act on many entries: a closed check-in, all have come, a list that was entered."""

from datetime import datetime
from typing import Any, cast

from django.db import transaction

from tournaments.core.audit import deleted_rows, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, raise_version
from tournaments.core.permissions import Actor, may_arbitrate, may_manage, refuse_unless
from tournaments.director.queries.mass_acts import (
    ALL_CAME,
    CLOSED,
    LISTED,
    OPENED,
    last_mass_act,
)
from tournaments.director.queries.state import refuse_closed, tournament_facts
from tournaments.director.services.absences import come_back
from tournaments.director.services.drafts import refresh_drafts
from tournaments.director.services.entries import take_off_stages
from tournaments.models import Absence, AuditEvent, ByeRequest, Entry, Tournament


@transaction.atomic
def take_back_act(actor: Actor, tournament: Tournament) -> int:
    """Take back the last act on many entries; return for how many.

    Entries that have changed since stay as they are. Possible until the next round is published.
    Arbiters take back that all have come, organisers the rest. Refuses FORBIDDEN, TOURNAMENT_OVER,
    NOTHING_TO_UNDO; NO_LATE_ENTRY and PLAYER_TWICE where an entry cannot come back.
    """
    refuse_unless(may_arbitrate(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("take_back_act", tournament_facts(tournament))
    event, rows = last_mass_act(tournament)
    if event is None:
        raise Refusal(Reason.NOTHING_TO_UNDO)
    refuse_unless(event.verb == ALL_CAME or may_manage(actor, tournament.club), actor)
    entries = [row if isinstance(row, Entry) else row.entry for row in rows]
    facts: dict[str, Any] = {"entries": [entry.name for entry in entries]}
    if event.verb == CLOSED:
        _open_again(tournament, cast("list[Absence | ByeRequest]", rows))
        facts["rows"] = list(tournament.entries.filter(pk__in=[entry.pk for entry in entries]))
    elif event.verb == LISTED:
        facts["rows"] = deleted_rows(entries)
        for entry in entries:
            take_off_stages(entry)
            entry.delete()
    else:
        _set_check_ins(tournament, event, entries)
    raise_version(tournament)
    if event.verb in {CLOSED, LISTED}:
        refresh_drafts(tournament, "entry")
    of_act = {"act": event.sequence, "of": event.verb}
    write_tournament_event(actor, "act.taken_back", tournament, tournament, **of_act, **facts)
    return len(rows)


def _open_again(tournament: Tournament, rows: list[Absence | ByeRequest]) -> None:
    """Open the check-in, and let those play who were missing when it closed."""
    tournament.check_in_closed_at = None
    tournament.save(update_fields=["check_in_closed_at"])
    for row in rows:
        if isinstance(row, Absence):
            come_back(row.entry, row)
        else:
            row.delete()


def _set_check_ins(tournament: Tournament, event: AuditEvent, entries: list[Entry]) -> None:
    """Give entries the check-ins that they had before the act."""
    before = {key: time for key, time, _ in event.facts["changed"]}
    for entry in entries:
        time = before[entry.pk]
        entry.checked_in_at = None if time is None else datetime.fromisoformat(time)
    Entry.objects.bulk_update(entries, ["checked_in_at"])
    if event.verb == OPENED and (closed_at := event.facts["closed_at"]) is not None:
        tournament.check_in_closed_at = datetime.fromisoformat(closed_at)
        tournament.save(update_fields=["check_in_closed_at"])

"""Putting other names in the place of names, in every row where they may stand.

The columns are listed in :mod:`tournaments.domain.personal_data`. Rows that cannot hold a name are
left to the database: it looks for letters that every spelling of the name has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

from django.apps import apps
from django.db.models import CharField, Model, Q

from tournaments.audit import Reworded, redact_events, write_baseline
from tournaments.domain.names import folded
from tournaments.domain.personal_data import searched
from tournaments.domain.pseudonyms import Renaming
from tournaments.domain.trail.chain import REDACTED, Texts
from tournaments.domain.trail.rows import KINDS, ROWS
from tournaments.models import AuditEvent, Club, Record, RestorePoint, Tournament
from tournaments.models.audited import audited_rows
from tournaments.permissions import Actor
from tournaments.queries.naming import TOGETHER, all_of, holding, rows_naming
from tournaments.services.records.parse import ParsedRecord, parse_record


class RedactionError(RuntimeError):
    """A record whose game would be another one without the name: nothing is changed then."""


def scrub_texts(renaming: Renaming, club: Club | None) -> dict[str, list[int]]:
    """Replace names in the texts of a club, of every club without one.

    Answers which rows that the audit compares were changed: keys by kind.
    """
    changed = {
        model.__name__.lower(): _scrub_rows(model, columns, renaming, club)
        for model in _models()
        if (columns := searched().get(model.__name__))
    }
    return {kind: changed.get(kind, []) for kind in KINDS}


def _models() -> list[type[Model]]:
    return sorted(apps.get_models(), key=lambda model: model.__name__)


def _scrub_rows(
    model: type[Model], columns: tuple[str, ...], renaming: Renaming, club: Club | None
) -> list[int]:
    changed = []
    for row in rows_naming(model, columns, renaming, club):
        said = {name: getattr(row, name) for name in columns}
        new = {name: _replaced(model, name, value, renaming) for name, value in said.items()}
        if new != said:
            all_of(model).filter(pk=row.pk).update(**new)
            changed.append(row.pk)
    return changed


def _replaced(model: type[Model], name: str, value: Any, renaming: Renaming) -> Any:
    if model is RestorePoint and name == "snapshot":
        return _snapshot(value, renaming)
    new = renaming.value(value)
    field = model._meta.get_field(name)
    if isinstance(field, CharField) and field.max_length and isinstance(new, str):
        return new[: field.max_length]
    return new


def _snapshot(kept: Mapping[str, Any], renaming: Renaming) -> dict[str, Any]:
    """Return the rows of a restore point with the names replaced, and compared as they now are."""
    before = json.loads(kept["rows"])
    rows = renaming.value(before)
    if rows == before:
        return dict(kept)
    for row in rows:
        fields = row["fields"]
        if "folded" in fields:
            fields["folded"] = folded(fields["name"])
    return {**kept, "rows": json.dumps(rows, ensure_ascii=False)}


def note_reworded(actor: Actor, club: Club, changed: Mapping[str, Collection[int]]) -> None:
    """Write down what the texts of rows that count are now, the keys of the rows given by kind.

    As the last thing that a transaction does.
    """
    for tournament in Tournament.objects.filter(club=club).select_related("club").order_by("pk"):
        rows = (
            Reworded(row)
            for kind, keys in changed.items()
            if keys
            for row in audited_rows(kind, tournament.pk)
            if row.pk in keys
        )
        write_baseline(actor, tournament, "erasure", rows)


# --- records -------------------------------------------------------------------------------------


def scrub_records(renaming: Renaming, club: Club | None, at: datetime) -> set[int]:
    """Replace names in the texts of records and replay them; answers the keys of those changed.

    What a result rests on keeps its digest, which covers no names. Raises RedactionError where it
    would not.
    """
    changed: set[int] = set()
    for record in rows_naming(Record, ("text", "verdict"), renaming, club):
        parsed = _redacted(record, renaming)
        if parsed is None:
            continue
        Record.objects.filter(pk=record.pk).update(
            text=parsed.text,
            sha256=parsed.sha256,
            digest=parsed.verdict.digest or "",
            verdict=parsed.verdict_json,
            redacted_at=at,
        )
        changed.add(record.pk)
    return changed


def _redacted(record: Record, renaming: Renaming) -> ParsedRecord | None:
    """Return a record without the names, or nothing when it names nobody."""
    for hands in (True, False):
        text = _text(record, renaming, hands=hands)
        if text == record.text:
            return None
        parsed = parse_record(_unlike_others(record, text))
        if not record.digest or parsed.verdict.digest == record.digest:
            return parsed
    raise RedactionError(f"record {record.pk} would tell of another game")


def _text(record: Record, renaming: Renaming, *, hands: bool) -> str:
    try:
        return renaming.record(record.text, hands=hands)
    except ValueError:  # not JSON: kept as evidence
        return renaming.text(record.text)


def _unlike_others(record: Record, text: str) -> str:
    """Return the text, with line feeds after it when the match keeps it already.

    Two refused texts may have differed by the spelling of the name alone.
    """
    others = Record.objects.filter(match=record.match_id).exclude(pk=record.pk)
    known = set(others.values_list("sha256", flat=True))
    while hashlib.sha256(text.encode()).hexdigest() in known:
        text += "\n"
    return text


# --- the history ---------------------------------------------------------------------------------

TOLD: Final = ("actor", "subject", "facts")


def scrub_history(
    actor: Actor,
    club: Club,
    renaming: Renaming,
    *,
    user_pk: int | None = None,
    records: Collection[int] = (),
) -> int:
    """Replace names in the events of a club, by a redaction; answers how many events.

    Also looked at are the events of a user, and those about ``records``, whose texts have changed:
    the hash of the old text goes, since with it one could try names until one fits. As the event
    itself, the last thing that a transaction does.
    """
    other = Q(subject_type="record", subject_pk__in=records)
    if user_pk is not None:
        other |= Q(user=user_pk)
    events = AuditEvent.objects.filter(club=club).exclude(verb=REDACTED)
    rows = holding(events, TOLD, renaming, other).order_by("sequence")
    replaced: dict[int, Texts] = {}
    for event in rows.iterator(TOGETHER):
        new = _told(event, renaming, records)
        if new != event.texts:
            replaced[event.sequence] = new
    redact_events(actor, club, replaced)
    return len(replaced)


def _told(event: AuditEvent, renaming: Renaming, records: Collection[int]) -> Texts:
    facts: dict[str, Any] = renaming.value(event.facts)
    if event.subject_type == "record" and event.subject_pk in records:
        facts = {key: said for key, said in facts.items() if key != "sha256"}
    if ROWS in facts:  # digests and states: no names
        facts[ROWS] = event.facts[ROWS]
    return Texts(renaming.text(event.actor)[:200], renaming.text(event.subject)[:200], facts)

"""Write down, as events, how the rows that count are that no event has told of so far."""

from itertools import islice

from django.db import migrations

from tournaments.domain.trail import chain
from tournaments.domain.trail.rows import BASELINE, KINDS, ROWS, describe_row
from tournaments.models.audited import audited_rows

import secrets

TOGETHER = 500
"""Rows that one event tells of."""


def write_baselines(apps, schema_editor):
    for tournament in apps.get_model("tournaments", "Tournament").objects.order_by("pk").iterator():
        rows = (
            (kind, row) for kind in KINDS for row in audited_rows(kind, tournament.pk, known=apps)
        )
        while batch := list(islice(rows, TOGETHER)):
            write_baseline(apps, tournament, batch)


def write_baseline(apps, tournament, batch):
    counters = apps.get_model("tournaments", "AuditCounter").objects
    counters.get_or_create(club_id=tournament.club_id)
    counter = counters.select_for_update().get(pk=tournament.club_id)
    salt, rows = secrets.token_hex(16), {}
    for kind, row in batch:
        rows.setdefault(kind, []).append(describe_row(kind, row, salt))
    event = apps.get_model("tournaments", "AuditEvent")(
        club_id=tournament.club_id,
        tournament_id=tournament.pk,
        sequence=counter.last + 1,
        verb=BASELINE,
        actor="system",
        subject_type="tournament",
        subject_pk=tournament.pk,
        subject=tournament.name[:200],
        facts={"why": "migration", ROWS: rows},
        salt=salt,
    )
    texts = chain.Texts(event.actor, event.subject, event.facts)
    event.texts_digest = chain.commitment(texts, salt)
    said = chain.says(
        chain.Event(
            event.club_id,
            event.tournament_id,
            event.sequence,
            event.verb,
            event.subject_type,
            event.subject_pk,
            chain.time_of(event.at),
            texts,
            salt,
            event.texts_digest,
            "",
        )
    )
    event.digest = counter.head = chain.link(counter.head, said)
    event.save(force_insert=True)
    counter.last = counter.chained = event.sequence
    counter.save()


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0030_interim_rulings"),
    ]

    # The events stay when one goes back: the history is only ever added to.
    operations = [
        migrations.RunPython(write_baselines, migrations.RunPython.noop),
    ]

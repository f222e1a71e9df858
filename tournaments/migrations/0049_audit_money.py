"""State the texts of records, prizes, money, sign-ups, seasons and merges in the history, as now."""

import secrets
from itertools import islice

from django.db import migrations

from tournaments.domain.trail import chain
from tournaments.domain.trail.rows import BASELINE, CLUB_KINDS, ROWS, describe_row
from tournaments.models.audited import audited_rows, audited_rows_of_club

PUBLIC = ("record", "prizeline")
PRIVATE = ("signuprequest", "signupperson", "cashentry")
TOGETHER = 500
"""Rows that one event states."""


def write_baselines(apps, schema_editor):
    tournaments = apps.get_model("tournaments", "Tournament").objects
    for tournament in tournaments.filter(discarded_at=None).order_by("pk").iterator():
        for kinds, of_tournament in ((PUBLIC, tournament.pk), (PRIVATE, None)):
            rows = (
                (kind, row)
                for kind in kinds
                for row in audited_rows(kind, tournament.pk, known=apps)
            )
            write_baseline(apps, tournament.club_id, tournament, of_tournament, rows)
    for club in apps.get_model("tournaments", "Club").objects.order_by("pk").iterator():
        rows = (
            (kind, row)
            for kind in CLUB_KINDS
            for row in audited_rows_of_club(kind, club.pk, known=apps)
        )
        write_baseline(apps, club.pk, club, None, rows)


def write_baseline(apps, club_pk, subject, tournament_pk, rows):
    while batch := list(islice(rows, TOGETHER)):
        salt, stated = secrets.token_hex(16), {}
        for kind, row in batch:
            pk, content, state, words = describe_row(kind, row, salt)
            # Of a record its text alone is new: what else it was is stated already.
            state = None if kind == "record" else state
            stated.setdefault(kind, []).append([pk, content, state, words])
        write_event(apps, club_pk, subject, tournament_pk, stated, salt)


def write_event(apps, club_pk, subject, tournament_pk, rows, salt):
    counters = apps.get_model("tournaments", "AuditCounter").objects
    counters.get_or_create(club_id=club_pk)
    counter = counters.select_for_update().get(pk=club_pk)
    event = apps.get_model("tournaments", "AuditEvent")(
        club_id=club_pk,
        tournament_id=tournament_pk,
        sequence=counter.last + 1,
        verb=BASELINE,
        actor="system",
        subject_type=subject._meta.model_name,
        subject_pk=subject.pk,
        subject=subject.name[:200],
        facts={"why": "kinds", ROWS: rows},
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
        ("tournaments", "0048_requests_of_entries"),
    ]

    # The events stay when one goes back: the history is only ever added to.
    operations = [
        migrations.RunPython(write_baselines, migrations.RunPython.noop),
    ]

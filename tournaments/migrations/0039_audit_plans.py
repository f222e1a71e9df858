"""State the game of each tournament and the rules of its stages in the history, as they are now."""

import secrets

from django.db import migrations

from tournaments.domain.signed_proof import PLAN_BASELINE
from tournaments.domain.trail import chain
from tournaments.domain.trail.rows import BASELINE, ROWS, describe_row
from tournaments.models.audited import audited_rows

KINDS = ("tournament", "stage")


def write_baselines(apps, schema_editor):
    tournaments = apps.get_model("tournaments", "Tournament").objects
    for tournament in tournaments.filter(discarded_at=None).order_by("pk").iterator():
        write_baseline(apps, tournament)


def write_baseline(apps, tournament):
    counters = apps.get_model("tournaments", "AuditCounter").objects
    counters.get_or_create(club_id=tournament.club_id)
    counter = counters.select_for_update().get(pk=tournament.club_id)
    salt = secrets.token_hex(16)
    rows = {
        kind: [
            describe_row(kind, row, salt)
            for row in audited_rows(kind, tournament.pk, known=apps)
        ]
        for kind in KINDS
    }
    event = apps.get_model("tournaments", "AuditEvent")(
        club_id=tournament.club_id,
        tournament_id=tournament.pk,
        sequence=counter.last + 1,
        verb=BASELINE,
        actor="system",
        subject_type="tournament",
        subject_pk=tournament.pk,
        subject=tournament.name[:200],
        facts={"why": PLAN_BASELINE, ROWS: rows},
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
        ("tournaments", "0038_text_for_the_hall"),
    ]

    # The events stay when one goes back: the history is only ever added to.
    operations = [
        migrations.RunPython(write_baselines, migrations.RunPython.noop),
    ]

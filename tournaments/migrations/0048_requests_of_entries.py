"""Tell requests that only pay for an entry from tickets."""

from django.db import migrations, models

BATCH = 500


def mark_requests_of_entries(apps, _schema_editor):
    """Mark the requests that were made for the money of an entry: their event names the entry."""
    events = apps.get_model("tournaments", "AuditEvent").objects
    requests = apps.get_model("tournaments", "SignUpRequest").objects
    made = events.filter(verb="sign_up.requested", facts__has_key="entry").order_by("pk")
    for event in made.iterator(chunk_size=BATCH):
        of = requests.filter(signup__tournament=event.tournament_id)
        of.filter(ticket=event.facts["ticket"]).update(is_ticket=False)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0047_people_in_search"),
    ]

    operations = [
        migrations.AddField(
            model_name="signuprequest",
            name="is_ticket",
            field=models.BooleanField(db_default=True, default=True, verbose_name="on the list"),
        ),
        migrations.RunPython(mark_requests_of_entries, migrations.RunPython.noop),
    ]

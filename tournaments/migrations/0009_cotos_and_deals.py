"""Matches of several cotos, and deals that are the same at every table."""

from django.conf import settings
from django.db import migrations, models


def keep_the_last_coto(apps, schema_editor):
    """Going back, a match has room for one record: the last of its cotos stays accepted."""
    using = schema_editor.connection.alias
    records = apps.get_model("tournaments", "Record").objects.using(using).filter(state="accepted")
    last = {record.match_id: record.pk for record in records.order_by("pk")}
    records.exclude(pk__in=last.values()).update(state="superseded")


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0008_seasons"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="record",
            name="one_accepted_record_per_match",
        ),
        migrations.RunPython(migrations.RunPython.noop, keep_the_last_coto),
        migrations.AddField(
            model_name="record",
            name="coto",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="coto"),
        ),
        migrations.AddField(
            model_name="record",
            name="said_by",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="stage",
            name="commitment",
            field=models.CharField(blank=True, max_length=64, verbose_name="commitment"),
        ),
        migrations.AddField(
            model_name="stage",
            name="deal_seed",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="tournament",
            name="cotos",
            field=models.PositiveSmallIntegerField(
                default=1, verbose_name="cotos that win a match"
            ),
        ),
        migrations.AddConstraint(
            model_name="record",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "accepted")),
                fields=("match", "coto"),
                name="one_accepted_record_per_coto",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("cotos__gte", 1)), name="a_match_is_won_by_a_coto"
            ),
        ),
    ]

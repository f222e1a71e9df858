"""Tournaments where authors enter their own bots, and when the client of a bot last asked."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0062_version_comparisons"),
    ]

    operations = [
        migrations.AddField(
            model_name="bot",
            name="asked_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="asked for turns"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="open_to_bots",
            field=models.BooleanField(db_default=False, default=False, verbose_name="open to bots"),
        ),
    ]

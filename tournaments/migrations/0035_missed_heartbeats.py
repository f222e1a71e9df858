"""Count the heartbeats that a host has missed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0034_round_minutes"),
    ]

    operations = [
        migrations.AddField(
            model_name="heartbeat",
            name="missed",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]

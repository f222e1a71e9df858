"""How programs behaved in their matches, for their authors."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0063_open_to_bots"),
    ]

    operations = [
        migrations.CreateModel(
            name="BotLog",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.CharField(max_length=12)),
                ("times", models.JSONField(default=dict)),
                ("stderr", models.TextField(blank=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="logs",
                        to="tournaments.bot",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bot_logs",
                        to="tournaments.match",
                    ),
                ),
            ],
            options={
                "verbose_name": "log of a bot",
                "verbose_name_plural": "logs of bots",
                "ordering": ("match_id", "place"),
                "indexes": [models.Index(fields=["made_at"], name="logs_by_age")],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "place"), name="one_log_at_a_place")
                ],
            },
        ),
    ]

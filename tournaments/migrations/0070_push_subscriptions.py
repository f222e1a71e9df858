"""Let browsers get messages of a tournament, also while they are closed."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0069_club_colour"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(blank=True, editable=False, max_length=12)),
                ("endpoint", models.CharField(max_length=1024)),
                ("p256dh", models.CharField(max_length=100)),
                ("auth", models.CharField(max_length=30)),
                ("language", models.CharField(blank=True, max_length=10)),
                ("told", models.JSONField()),
                ("position", models.PositiveBigIntegerField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to="tournaments.tournament",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "subscription to messages",
                "verbose_name_plural": "subscriptions to messages",
                "ordering": ("tournament_id", "pk"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "endpoint"), name="one_subscription_per_browser"
                    )
                ],
            },
        ),
    ]

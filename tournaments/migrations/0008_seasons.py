"""Seasons: several tournaments whose best results are added up."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0007_reviews"),
    ]

    operations = [
        migrations.CreateModel(
            name="Season",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("slug", models.SlugField(verbose_name="short name")),
                ("ruleset", models.CharField(blank=True, max_length=40, verbose_name="ruleset")),
                (
                    "best",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="results that count",
                    ),
                ),
                (
                    "scale",
                    models.CharField(
                        choices=[
                            ("fixed", "18, 16, 14, 13, 12 … 1"),
                            ("fixed40", "1000, 900, 800, 750 … 1, for forty places"),
                            ("linear", "from 100 for the first to 1 for the last"),
                            ("millesimal", "thousandths of those left behind"),
                            ("points", "the match points made"),
                        ],
                        default="fixed",
                        max_length=10,
                        verbose_name="what a place is worth",
                    ),
                ),
                (
                    "by",
                    models.CharField(
                        choices=[
                            ("entry", "pairs as pairs, players as players"),
                            ("person", "each person, whoever the partner was"),
                        ],
                        default="entry",
                        max_length=6,
                        verbose_name="who collects",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "open"), ("closed", "closed")],
                        default="open",
                        max_length=6,
                        verbose_name="state",
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seasons",
                        to="tournaments.club",
                    ),
                ),
            ],
            options={
                "verbose_name": "season",
                "verbose_name_plural": "seasons",
                "ordering": ("club_id", "-created_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="SeasonEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("order", models.PositiveSmallIntegerField(verbose_name="order")),
                (
                    "weight",
                    models.DecimalField(
                        decimal_places=2, default=1, max_digits=4, verbose_name="weight"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="tournaments.season",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seasons",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "tournament of a season",
                "verbose_name_plural": "tournaments of a season",
                "ordering": ("season_id", "order"),
            },
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(fields=("club", "slug"), name="one_season_per_slug"),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(("best__isnull", True), ("best__gte", 1), _connector="OR"),
                name="a_season_counts_a_result",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("state", "open")),
                    models.Q(("closed_at__isnull", False), ("state", "closed")),
                    _connector="OR",
                ),
                name="season_state_agrees_with_its_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonevent",
            constraint=models.UniqueConstraint(
                fields=("season", "tournament"), name="one_season_event_per_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonevent",
            constraint=models.UniqueConstraint(
                fields=("season", "order"), name="one_season_event_per_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="seasonevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("weight__gt", 0)), name="a_tournament_counts_something"
            ),
        ),
    ]

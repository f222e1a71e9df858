"""Let places in a final come from other tournaments."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0057_bot_rulesets"),
    ]

    operations = [
        migrations.AddField(
            model_name="signupperson",
            name="player",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tournaments.player",
            ),
        ),
        migrations.AddField(
            model_name="signuprequest",
            name="source_entry",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="signuprequest",
            name="source_place",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="signuprequest",
            name="source_why",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=200,
                verbose_name="reason of the invitation",
            ),
        ),
        migrations.CreateModel(
            name="SignUpSource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("take", models.PositiveSmallIntegerField(verbose_name="places that come through")),
                ("origin", models.CharField(blank=True, max_length=100, verbose_name="comes from")),
                ("order", models.PositiveSmallIntegerField(verbose_name="order")),
                (
                    "signup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sources",
                        to="tournaments.signup",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sign_up_sources",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "source of a sign-up",
                "verbose_name_plural": "sources of sign-ups",
                "ordering": ("signup_id", "order", "pk"),
            },
        ),
        migrations.AddField(
            model_name="signuprequest",
            name="source",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="requests",
                to="tournaments.signupsource",
            ),
        ),
        migrations.AddConstraint(
            model_name="signuprequest",
            constraint=models.UniqueConstraint(
                fields=("source", "source_entry"), name="one_request_per_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="signupsource",
            constraint=models.UniqueConstraint(
                fields=("signup", "tournament"), name="one_source_per_tournament"
            ),
        ),
        migrations.AddConstraint(
            model_name="signupsource",
            constraint=models.CheckConstraint(
                condition=models.Q(("take__gte", 1)), name="a_source_gives_one_at_least"
            ),
        ),
    ]

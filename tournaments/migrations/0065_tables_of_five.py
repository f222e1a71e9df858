"""A fourth and a fifth single player at a table, and places that are stated instead of hands."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0064_bot_logs"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="fifth",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="fifth_matches",
                to="tournaments.entry",
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="fourth",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="fourth_matches",
                to="tournaments.entry",
            ),
        ),
        migrations.AddField(
            model_name="result",
            name="fifth_hands",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="hands won by fifth"
            ),
        ),
        migrations.AddField(
            model_name="result",
            name="fifth_points",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="points of fifth"
            ),
        ),
        migrations.AddField(
            model_name="result",
            name="fourth_hands",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="hands won by fourth"
            ),
        ),
        migrations.AddField(
            model_name="result",
            name="fourth_points",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="points of fourth"
            ),
        ),
        migrations.AddField(
            model_name="result",
            name="places",
            field=models.JSONField(blank=True, null=True, verbose_name="places at the table"),
        ),
        migrations.AlterField(
            model_name="result",
            name="decided",
            field=models.CharField(blank=True, max_length=6),
        ),
        migrations.AlterField(
            model_name="result",
            name="reported_for",
            field=models.CharField(blank=True, max_length=6),
        ),
        migrations.AlterField(
            model_name="result",
            name="winner",
            field=models.CharField(
                choices=[
                    ("home", "home"),
                    ("away", "away"),
                    ("tie", "tie"),
                    ("third", "third"),
                    ("fourth", "fourth"),
                    ("fifth", "fifth"),
                    ("nobody", "nobody"),
                ],
                max_length=6,
                verbose_name="winner",
            ),
        ),
        migrations.AlterField(
            model_name="record",
            name="home_side",
            field=models.CharField(blank=True, max_length=4),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("fifth__isnull", True), ("fourth__isnull", False), _connector="OR"
                ),
                name="a_fifth_has_a_fourth",
            ),
        ),
    ]

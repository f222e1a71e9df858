"""Hands that lateness costs, and grace in the first round."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0055_agreed_days"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="grace_minutes",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="minutes of grace in the first round"
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="late_minutes",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="minutes of lateness that cost a hand"
            ),
        ),
    ]

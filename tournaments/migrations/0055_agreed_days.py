"""Let the two sides of a match propose another day for it, and agree to it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0054_prize_times"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="day_proposed_by",
            field=models.CharField(blank=True, db_default="", default="", max_length=5),
        ),
        migrations.AddField(
            model_name="match",
            name="proposed_day",
            field=models.DateTimeField(blank=True, null=True, verbose_name="proposed day"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="sides_agree_days",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="the sides may agree another day"
            ),
        ),
    ]

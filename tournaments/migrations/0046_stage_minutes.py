"""Give a stage minutes for its rounds, and a warning before their end."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0045_season_rules"),
    ]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="round_minutes",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="minutes of a round"
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="warn_minutes",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="minutes of the warning"
            ),
        ),
    ]

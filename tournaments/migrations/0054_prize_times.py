"""A prize of a season for everybody who came to so many of its tournaments."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0053_season_zeros"),
    ]

    operations = [
        migrations.AddField(
            model_name="prizeline",
            name="times",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, verbose_name="came so many times"
            ),
        ),
    ]

"""Tournaments that are missed count zero in the mean of a season."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0052_sign_up_news"),
    ]

    operations = [
        migrations.AddField(
            model_name="season",
            name="missed_as_zero",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="missed tournaments count zero"
            ),
        ),
    ]

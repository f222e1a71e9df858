"""Points by place of one's own, the mean and the order of those who are level in a season."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0044_cut_by_time"),
    ]

    operations = [
        migrations.AddField(
            model_name="season",
            name="criteria",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=80,
                verbose_name="order of those who are level",
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="mean_of",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="mean of at least",
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="own_scale",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=600,
                verbose_name="own points by place",
            ),
        ),
    ]

"""Give entries a table that they keep in every round."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0035_missed_heartbeats"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="fixed_table",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, verbose_name="table that it keeps"
            ),
        ),
    ]

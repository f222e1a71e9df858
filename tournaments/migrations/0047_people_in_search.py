"""Let a club decide whether search engines list the pages of its people and pairs."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0046_stage_minutes"),
    ]

    operations = [
        migrations.AddField(
            model_name="club",
            name="people_in_search",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="people in search engines"
            ),
        ),
    ]

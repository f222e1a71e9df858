"""Keep the digest that a source of a final had when a place in it was noted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0059_raffle"),
    ]

    operations = [
        migrations.AddField(
            model_name="signuprequest",
            name="source_digest",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
    ]

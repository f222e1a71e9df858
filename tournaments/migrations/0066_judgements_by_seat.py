"""Judgements of cards, counted by seat."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0065_tables_of_five"),
    ]

    operations = [
        migrations.AddField(
            model_name="analysedseat",
            name="judgements",
            field=models.JSONField(blank=True, null=True),
        ),
    ]

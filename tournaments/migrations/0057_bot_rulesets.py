"""Let a bot play some rulesets alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0056_lateness"),
    ]

    operations = [
        migrations.AddField(
            model_name="bot",
            name="rulesets",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]

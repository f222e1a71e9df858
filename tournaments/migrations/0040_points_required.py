"""Let a tournament require the card points with each result."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0039_audit_plans"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="points_required",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="card points are required"
            ),
        ),
    ]

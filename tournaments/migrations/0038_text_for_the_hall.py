"""Give tournaments a text that the club tells the hall."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0037_announcement"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="announcement",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=200, verbose_name="announcement"
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="announced_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]

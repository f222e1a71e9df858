"""Name the table of heartbeats, and widen its key for the names of single workers."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0031_audit_baseline"),
    ]

    # The table and its columns keep their names in the database.
    operations = [
        migrations.AlterModelTable(name="pulse", table="tournaments_pulse"),
        migrations.RenameModel(old_name="Pulse", new_name="Heartbeat"),
        migrations.AlterField(
            model_name="heartbeat",
            name="queue",
            field=models.CharField(
                db_column="queue", max_length=80, primary_key=True, serialize=False
            ),
        ),
        migrations.RenameField(model_name="heartbeat", old_name="queue", new_name="name"),
    ]

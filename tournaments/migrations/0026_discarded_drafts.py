from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0025_events_of_a_tournament"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="discarded_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]

"""What the cards of a seat cost of the hand."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0070_push_subscriptions"),
    ]

    operations = [
        migrations.AddField(
            model_name="analysedseat",
            name="hand_loss",
            field=models.FloatField(blank=True, null=True),
        ),
    ]

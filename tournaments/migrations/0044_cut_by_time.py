"""Let a result say that time ended its match."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0043_days"),
    ]

    operations = [
        migrations.AddField(
            model_name="result",
            name="cut",
            field=models.BooleanField(db_default=False, default=False, verbose_name="cut by time"),
        ),
    ]

"""A prize that is raffled among the entries that are present."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0058_sign_up_sources"),
    ]

    operations = [
        migrations.AddField(
            model_name="prizeline",
            name="raffled",
            field=models.BooleanField(db_default=False, default=False, verbose_name="raffled"),
        ),
    ]

"""Let a sign-up open when its tournament is posted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0050_most_waiting"),
    ]

    operations = [
        migrations.AddField(
            model_name="signup",
            name="opens_when_posted",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="sign-up opens when it is posted"
            ),
        ),
    ]

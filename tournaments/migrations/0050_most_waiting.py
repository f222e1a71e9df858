"""Let a waiting list have an end, and contacts of a sign-up be kept longer once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0049_audit_money"),
    ]

    operations = [
        migrations.AddField(
            model_name="signup",
            name="most_waiting",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="waiting at most"
            ),
        ),
        migrations.AddField(
            model_name="signup",
            name="contacts_kept",
            field=models.BooleanField(
                db_default=False, default=False, verbose_name="contacts kept longer"
            ),
        ),
    ]

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0026_discarded_drafts"),
    ]

    operations = [
        migrations.CreateModel(
            name="Mail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("address", "Address"), ("password", "Password")], max_length=10
                    ),
                ),
                ("origin", models.CharField(max_length=300)),
                ("language", models.CharField(blank=True, max_length=10)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "mail",
                "verbose_name_plural": "mails",
                "ordering": ("next_at", "pk"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "kind"), name="one_mail_of_a_kind_waits"
                    )
                ],
            },
        ),
    ]

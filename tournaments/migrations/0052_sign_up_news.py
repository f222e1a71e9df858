"""Let letters about a sign-up go to an address of their own."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0051_opens_when_posted"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignUpNews",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("email", models.EmailField(max_length=254)),
                ("language", models.CharField(blank=True, max_length=10)),
                ("origin", models.CharField(max_length=300)),
                ("told", models.JSONField(blank=True, null=True)),
                ("seen", models.CharField(blank=True, max_length=20)),
                ("due_at", models.DateTimeField(blank=True, db_index=True, null=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                (
                    "request",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="news",
                        to="tournaments.signuprequest",
                    ),
                ),
            ],
            options={
                "verbose_name": "news of a sign-up",
                "verbose_name_plural": "news of sign-ups",
                "ordering": ("due_at", "pk"),
            },
        ),
    ]

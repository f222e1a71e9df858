from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0012_analyses"),
    ]

    operations = [
        migrations.AddField(
            model_name="botturn",
            name="facts",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name="botturn",
            name="stderr",
            field=models.TextField(blank=True),
        ),
        migrations.AddIndex(
            model_name="botturn",
            index=models.Index(
                condition=Q(answered_at=None), fields=["bot", "due_at"], name="turns_waited_for"
            ),
        ),
    ]

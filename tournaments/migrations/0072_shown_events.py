"""The last event of a club that its pages show, and the last analysis, are found at once."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0071_hand_loss_by_seat'),
    ]

    operations = [
        migrations.AddField(
            model_name='auditcounter',
            name='shown',
            field=models.PositiveBigIntegerField(db_default=0, default=0),
        ),
        migrations.AddIndex(
            model_name='handanalysis',
            index=models.Index(fields=['made_at'], name='last_analysis'),
        ),
    ]

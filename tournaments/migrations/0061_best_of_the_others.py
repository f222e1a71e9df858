"""Let the best of those who are through in no source come into a final, in a stated order."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0060_source_digests"),
    ]

    operations = [
        migrations.AddField(
            model_name="signup",
            name="best_others",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, verbose_name="the best of the others"
            ),
        ),
        migrations.AddField(
            model_name="signup",
            name="others_order",
            field=models.CharField(
                choices=[
                    ("place", "by place, then points, hands and card points a match"),
                    ("points", "by points, then hands and card points a match"),
                ],
                db_default="place",
                default="place",
                max_length=6,
                verbose_name="order of the others",
            ),
        ),
    ]

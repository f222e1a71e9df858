"""A dispute can be ruled on for now: its result counts, and the last ruling follows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Names one more state of a dispute."""

    dependencies = (("tournaments", "0029_draws_of_stages"),)

    operations = (
        migrations.AlterField(
            model_name="dispute",
            name="state",
            field=models.CharField(
                choices=[
                    ("open", "open"),
                    ("review", "under review"),
                    ("interim", "result counts for now"),
                    ("upheld", "result upheld"),
                    ("amended", "result amended"),
                    ("voided", "result voided"),
                ],
                default="open",
                max_length=10,
                verbose_name="state",
            ),
        ),
    )

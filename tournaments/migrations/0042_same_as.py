"""Let a player or a pair be the same as another of the club."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0041_sign_up"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="pair",
            name="same_as",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="merged",
                to="tournaments.pair",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="same_as",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="merged",
                to="tournaments.player",
            ),
        ),
        migrations.AddConstraint(
            model_name="pair",
            constraint=models.CheckConstraint(
                condition=models.Q(("same_as", models.F("pk")), _negated=True),
                name="a_pair_is_not_merged_into_itself",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(("same_as", models.F("pk")), _negated=True),
                name="a_player_is_not_merged_into_itself",
            ),
        ),
    ]

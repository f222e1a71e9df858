"""Fills what 0003 added: codes, byes, what counts, and the stages' settings and seeds."""

import secrets

from django.db import migrations

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def fill(apps, schema_editor):
    using = schema_editor.connection.alias

    def rows(name):
        return apps.get_model("tournaments", name).objects.using(using)

    for entry in rows("Entry").all():
        entry.code = "".join(secrets.choice(LETTERS) for _ in range(8))
        entry.save(update_fields=["code"])
    rows("Match").filter(state="bye").update(bye="pairing")
    rows("Result").filter(record__isnull=True).update(depth="ruling")
    for result in rows("Result").filter(live=True).select_related("match__round__stage__tournament"):
        result.counts_from = result.match.round.stage.tournament.version
        result.save(update_fields=["counts_from"])
    for stage in rows("Stage").select_related("tournament"):
        stage.settings = {"turns": stage.turns} if stage.turns != 1 else {}
        if stage.tournament.state != "draft":
            numbers = rows("Entry").filter(tournament=stage.tournament).order_by("number")
            stage.entrants = list(numbers.values_list("number", flat=True))
            stage.seed = secrets.token_hex(32)
            stage.begun_at = stage.tournament.created_at
        stage.save(update_fields=["settings", "entrants", "seed", "begun_at"])


def restore_turns(apps, schema_editor):
    stages = apps.get_model("tournaments", "Stage").objects.using(schema_editor.connection.alias)
    for stage in stages.all():
        stage.turns = stage.settings.get("turns", 1)
        stage.save(update_fields=["turns"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_director")]

    operations = [migrations.RunPython(fill, restore_turns)]

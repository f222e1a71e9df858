"""The bots of the house that look ahead, at three strengths."""

from django.db import migrations

HOUSE_BOTS = (
    ("rapido", "Rápido", "quick"),
    ("fuerte", "Fuerte", "strong"),
    ("profundo", "Profundo", "deep"),
)


def add(apps, schema_editor):
    bots = apps.get_model("tournaments", "Bot")
    for slug, name, kind in HOUSE_BOTS:
        bots.objects.using(schema_editor.connection.alias).get_or_create(
            kind=kind, club=None, defaults={"slug": slug, "name": name}
        )


def remove(apps, schema_editor):
    bots = apps.get_model("tournaments", "Bot")
    kinds = [kind for _, _, kind in HOUSE_BOTS]
    bots.objects.using(schema_editor.connection.alias).filter(kind__in=kinds, club=None).delete()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_arena")]

    operations = [migrations.RunPython(add, remove)]

"""The two bots of the house, which belong to no club."""

from django.db import migrations

HOUSE_BOTS = (("azar", "Azar", "random"), ("sencillo", "Sencillo", "simple"))


def add(apps, schema_editor):
    bots = apps.get_model("tournaments", "Bot")
    for slug, name, kind in HOUSE_BOTS:
        bots.objects.using(schema_editor.connection.alias).create(slug=slug, name=name, kind=kind)


def remove(apps, schema_editor):
    bots = apps.get_model("tournaments", "Bot")
    slugs = [slug for slug, _, _ in HOUSE_BOTS]
    bots.objects.using(schema_editor.connection.alias).filter(slug__in=slugs).delete()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [migrations.RunPython(add, remove)]

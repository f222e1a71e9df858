"""Chain the events that there are, and have the database itself keep them as they are.

The triggers let three changes pass: an event of an older release gets its place in the chain; its
texts are replaced, when the salt goes and all that is chained stays; its account or token, which
the chain does not cover, is emptied. Everything else is refused, and so is every deletion. A later
migration that makes the table of events or checkpoints anew on SQLite has to lay them again.
"""

import secrets

from django.db import migrations

from tournaments.domain.trail import chain

TOGETHER = 500

KEPT = ("id", "club_id", "tournament_id", "sequence", "verb", "subject_type", "subject_pk", "at")
TEXTS = ("actor", "subject", "facts")
ACCOUNTS = ("user_id", "token_id")
TABLES = ("tournaments_auditevent", "tournaments_auditcheckpoint")


def chain_what_there_is(apps, schema_editor):
    """Tie every club's events together, batch by batch."""
    counters = apps.get_model("tournaments", "AuditCounter").objects.select_for_update()
    events = apps.get_model("tournaments", "AuditEvent").objects
    for counter in counters.order_by("pk"):
        rest = events.filter(club_id=counter.pk, digest="").order_by("sequence")
        while batch := list(rest[:TOGETHER]):
            for event in batch:
                counter.head = tie(event, counter.head)
            events.bulk_update(batch, ["salt", "texts_digest", "digest"])
        counter.chained = counter.last
        counter.save(update_fields=["chained", "head"])


def tie(event, before):
    texts = chain.Texts(event.actor, event.subject, event.facts)
    event.salt = secrets.token_hex(16)
    event.texts_digest = chain.commitment(texts, event.salt)
    said = chain.says(
        chain.Event(
            event.club_id,
            event.tournament_id,
            event.sequence,
            event.verb,
            event.subject_type,
            event.subject_pk,
            chain.time_of(event.at),
            texts,
            event.salt,
            event.texts_digest,
            "",
        )
    )
    event.digest = chain.link(before, said)
    return event.digest


def unchain(apps, schema_editor):
    """Forget the chain: the release before knows none."""
    apps.get_model("tournaments", "AuditEvent").objects.update(
        salt="", texts_digest="", digest=""
    )
    apps.get_model("tournaments", "AuditCounter").objects.update(chained=0, head=chain.FIRST)


def allowed(same):
    """Write the condition under which an event may be changed; ``same`` compares two values."""
    both = lambda names: " AND ".join(f"NEW.{n} {same} OLD.{n}" for n in names)  # noqa: E731
    emptied = " AND ".join(f"(NEW.{n} {same} OLD.{n} OR NEW.{n} IS NULL)" for n in ACCOUNTS)
    chained = ("salt", "texts_digest", "digest")
    ways = (
        both((*TEXTS, *chained)),
        f"OLD.digest = '' AND NEW.digest <> '' AND {both(TEXTS)}",
        f"OLD.digest <> '' AND NEW.salt = '' AND {both(chained[1:])}",
    )
    return f"{both(KEPT)} AND {emptied} AND (({') OR ('.join(ways)}))"


def lay_guards(apps, schema_editor):
    lay = {"sqlite": lay_on_sqlite, "postgresql": lay_on_postgresql}
    for statement in lay[schema_editor.connection.vendor]():
        schema_editor.execute(statement, params=None)


def lift_guards(apps, schema_editor):
    lift = {"sqlite": lift_on_sqlite, "postgresql": lift_on_postgresql}
    for statement in lift[schema_editor.connection.vendor]():
        schema_editor.execute(statement, params=None)


def lay_on_sqlite():
    events, checkpoints = TABLES
    for table in TABLES:
        refuse = f"BEGIN SELECT RAISE(ABORT, 'append only: {table}'); END"
        yield f"CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} {refuse}"
        when = f"WHEN NOT ({allowed('IS')})" if table == events else ""
        yield f"CREATE TRIGGER {table}_fixed BEFORE UPDATE ON {table} {when} {refuse}"
        # INSERT OR REPLACE takes the row away without a word to the trigger of deletions.
        number = "sequence" if table == events else "number"
        same = f"id = NEW.id OR (club_id = NEW.club_id AND {number} = NEW.{number})"
        yield (
            f"CREATE TRIGGER {table}_added BEFORE INSERT ON {table}"  # nosec B608 - names of our own
            f" WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) {refuse}"
        )


def lift_on_sqlite():
    for table in TABLES:
        for guard in ("kept", "fixed", "added"):
            yield f"DROP TRIGGER {table}_{guard}"


def lay_on_postgresql():
    events, checkpoints = TABLES
    yield (
        "CREATE FUNCTION tournaments_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " RAISE EXCEPTION 'append only: %', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';"
        " END $$"
    )
    refuse = "EXECUTE FUNCTION tournaments_append_only()"
    for table in TABLES:
        yield f"CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} FOR EACH ROW {refuse}"
        when = f"WHEN (NOT ({allowed('IS NOT DISTINCT FROM')}))" if table == events else ""
        yield f"CREATE TRIGGER {table}_fixed BEFORE UPDATE ON {table} FOR EACH ROW {when} {refuse}"
        yield f"CREATE TRIGGER {table}_whole BEFORE TRUNCATE ON {table} {refuse}"


def lift_on_postgresql():
    for table in TABLES:
        for guard in ("kept", "fixed", "whole"):
            yield f"DROP TRIGGER {table}_{guard} ON {table}"
    yield "DROP FUNCTION tournaments_append_only()"


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0019_audit_chain"),
    ]

    operations = [
        migrations.RunPython(chain_what_there_is, unchain),
        migrations.RunPython(lay_guards, lift_guards),
    ]

"""``manage.py audit_verify``: what it says, and how it ends."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.clubs import SYSTEM, a_club
from tests.flushing import without_guards
from tournaments.core.audit import write_event
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import AuditCheckpoint, AuditCounter, AuditEvent, Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    """A club with four events, signed at the third."""
    club = a_club()
    for _ in range(2):
        write_event(SYSTEM, "test.done", club, club=club)
    write_checkpoint(club.pk)
    write_event(SYSTEM, "test.done", club, club=club)
    return club


def run(*arguments: str) -> str:
    output = io.StringIO()
    call_command("audit_verify", *arguments, stdout=output)
    return output.getvalue()


def fails(*arguments: str) -> str:
    output = io.StringIO()
    with pytest.raises(CommandError, match="not as it was written"):
        call_command("audit_verify", *arguments, stdout=output)
    return output.getvalue()


def test_a_history_that_holds_is_counted(club: Club) -> None:
    first, *rest = run().splitlines()
    assert first == f"{club.name}: 4 events, 1 signatures, 0 redacted: everything holds"
    assert [line.partition(":")[0] for line in rest] == ["not compared"]
    assert json.loads(run("--json", "--club", club.slug))["holds"]


def test_the_first_wrong_event_is_named(club: Club) -> None:
    with without_guards(connection):
        AuditEvent.objects.filter(club=club, sequence__in=(2, 4)).update(actor="nadie")
    assert "the first fault is at event 2\n" in fails()
    document: Any = json.loads(fails("--json"))
    assert [fault["sequence"] for fault in document["clubs"][0]["faults"]] == [2, 4]


def test_checkpoints_that_were_kept_tell_of_an_end_that_is_gone(club: Club, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    documents = [row.to_checkpoint().document() for row in AuditCheckpoint.objects.all()]
    path.write_text(json.dumps({"results": documents, "next": None}))
    assert "everything holds" in run("--checkpoints", str(path))
    with without_guards(connection):
        AuditCheckpoint.objects.all().delete()
        AuditEvent.objects.filter(club=club, sequence__gt=1).delete()
        head = AuditEvent.objects.get(club=club).digest
        AuditCounter.objects.filter(club=club).update(last=1, chained=1, head=head)
    assert "everything holds" in run()
    assert "the end is missing" in fails("--checkpoints", str(path))
    path.write_text("\n".join(map(json.dumps, documents)))
    assert "the end is missing" in fails("--checkpoints", str(path))


def test_a_trigger_that_is_missing_is_reported(club: Club) -> None:
    with without_guards(connection):
        assert "lacks the trigger tournaments_auditevent_fixed" in fails()


def test_what_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no club"):
        run("--club", "ninguno")
    with pytest.raises(CommandError, match="No such file"):
        run("--checkpoints", str(tmp_path / "none"))
    for text in ("nada", "5", "[5]", '{"results": 5}', '{"checkpoint": 5}', "[" * 100_000):
        (tmp_path / "other").write_text(text)
        with pytest.raises(CommandError, match="no checkpoints"):
            run("--checkpoints", str(tmp_path / "other"))

"""A full disk says so, to people and to programs."""

import errno
import json

import pytest
from django.db import connection
from django.test import RequestFactory

from tests.support.caller import Caller, problem
from tests.support.scenes import Scene
from tournaments.core.api.error_handlers import unavailable


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no limit of pages")
def test_a_program_is_told_that_the_disk_is_full(organiser: Caller, scene: Scene) -> None:
    body = json.dumps({"name": "Nueva", "rules_text": "Se juega con pausa. " * 200})
    with connection.cursor() as cursor:
        (most,) = cursor.execute("PRAGMA max_page_count").fetchone()
        (free,) = cursor.execute("PRAGMA freelist_count").fetchone()
        (size,) = cursor.execute("PRAGMA page_size").fetchone()
        cursor.execute("CREATE TABLE filler AS SELECT zeroblob(%s) AS bytes", [free * size])
        cursor.execute("PRAGMA max_page_count = 1")  # the least: as many as there are
        answer = organiser.submit(f"clubs/{scene.club.slug}/tournaments/", body)
        cursor.execute(f"PRAGMA max_page_count = {most}")
    problem(answer, 507, "disk_full")


def test_a_page_says_that_the_disk_is_full() -> None:
    upload = OSError(errno.ENOSPC, "No space left on device")
    answer = unavailable(RequestFactory().post("/clubs/c/tournaments/import/"), upload)
    assert answer.status_code == 507
    assert "El disco está lleno" in answer.content.decode()
    assert unavailable(RequestFactory().get("/"), OSError(errno.EIO, "")).status_code == 503

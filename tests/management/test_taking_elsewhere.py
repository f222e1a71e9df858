"""A tournament is taken elsewhere by commands, as by pages."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.clubs import SYSTEM, the_liguilla
from tests.exchange.test_imports import elsewhere
from tournaments.exchange.queries.exports import export_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_one_command_writes_what_the_other_reads(tmp_path: Path) -> None:
    tournament = the_liguilla(published=1)
    document = export_of(tournament.slug, SYSTEM)
    file, output = tmp_path / "liguilla.json", StringIO()
    call_command("export_tournament", tournament.slug, stdout=output)
    assert output.getvalue().encode() == document
    call_command("export_tournament", tournament.slug, output=file)
    assert file.read_bytes() == document
    club = elsewhere()
    output = StringIO()
    call_command("import_tournament", club.slug, str(file), stdout=output)
    assert output.getvalue() == "liguilla-de-otono: 8 entries\n"
    with pytest.raises(CommandError, match="slug_taken"):
        call_command("import_tournament", club.slug, str(file))
    assert Tournament.objects.count() == 1


def test_a_command_says_what_is_not_there(tmp_path: Path) -> None:
    club = elsewhere()
    with pytest.raises(CommandError, match="not_found"):
        call_command("export_tournament", "nowhere")
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_tournament", club.slug, str(tmp_path / "nothing.json"))
    with pytest.raises(CommandError, match="Is a directory"):
        call_command("export_tournament", the_liguilla().slug, output=tmp_path)

"""`manage.py export_person` and `manage.py erased`."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from tests.clubs import organiser
from tests.profiles.test_erasing import NAME, over, the_night, the_player
from tournaments.models import Erasure, Player
from tournaments.profiles.services.erasing import erase_player

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_what_is_held_about_a_person_is_printed() -> None:
    club = the_night().club
    organiser(club)
    output = json.loads(printed("export_person", "--club", club.slug, "--player", "J01"))
    assert output["players"][0]["name"] == NAME
    output = json.loads(printed("export_person", "--account", "olga"))
    assert output["account"]["username"] == "olga"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--account", "nobody"),
        ("--club", "nowhere", "--player", "J01"),
        ("--club", "nowhere"),
        ("--account", "olga", "--club", "nowhere"),
    ],
)
def test_who_is_not_there_is_said(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        printed("export_person", *arguments)


def test_the_list_of_the_erased_is_carried_out_again(tmp_path: Path) -> None:
    night = over(the_night())
    erase_player(organiser(night.club), the_player())
    path = tmp_path / "erased.ndjson"
    path.write_text(printed("erased"), encoding="ascii")
    assert NAME not in path.read_text(encoding="ascii")
    Erasure.objects.all().delete()
    Player.objects.filter(code="J01").update(name=NAME, folded=NAME.casefold())
    assert printed("erased", "--again", str(path)) == "1 erased again, of 1 on the list.\n"
    assert the_player().name == "NN 1001"


AT = '"at": "2026-11-26T09:00:00+00:00"'


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "no list",
        "[]",
        '{"number": 1001}',
        f'{{"number": 1001, "player": "J01", "user": null, {AT}}}',
        '{"number": 1001, "player": 1, "user": null, "at": "yesterday"}',
    ],
)
def test_what_is_no_list_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    whole = f'{{"number": 1001, "player": 1, "user": null, {AT}}}\n'
    path.write_text(whole + text, encoding="ascii")
    with pytest.raises(CommandError, match="no list of the erased: line 2"):
        printed("erased", "--again", str(path))


def test_a_list_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no list of the erased"):
        printed("erased", "--again", str(tmp_path / "missing"))

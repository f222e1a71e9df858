"""Pages of a club are cached until what they show changes; of bots' records they wait a minute."""

from functools import partial

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

import engine
from tests.analysing import analyse_all, analyse_hand
from tests.clubs import SYSTEM, club_night_lines, organiser, the_liguilla, the_match
from tests.support.counting import again
from tournaments.core.live_version import club_version
from tournaments.domain.scores import Score
from tournaments.models import Player, Record
from tournaments.profiles.services.erasing import erase_player
from tournaments.results.services.matches import correct_result
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db

CACHED = 4
"""Queries of a page that is cached: those of what it is cached under."""


def test_a_club_s_pages_are_new_after_an_analysis_a_correction_and_an_erasure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand)
    tournament = the_liguilla()
    club, match = tournament.club, the_match(tournament, 1, 1)
    submit_record(organiser(club), match, club_night_lines()[0])
    player = Player.objects.create(club=club, code="Z1", name="Nicanor Bel")
    path = f"/players/{player.pk}/"
    pages = ["/", f"/clubs/{club.slug}/", path]
    client = Client(headers={"accept-language": "en"})
    steps = (
        lambda: None,
        analyse_all,
        lambda: correct_result(SYSTEM, match, Score(3, 2, 0, 0), reason="acta"),
        lambda: erase_player(SYSTEM, player),
    )
    for step in steps:
        step()
        views = [partial(client.get, page) for page in pages]
        with time_machine.travel(timezone.now().replace(second=1)):  # a page ends with its minute
            assert all(again(view) > CACHED for view in views)
            assert all(again(view) <= CACHED for view in views)
    assert player.name not in client.get(path).text


def test_the_records_of_bots_leave_the_pages_of_a_club() -> None:
    tournament = the_liguilla()
    before = club_version(club__slug=tournament.club.slug)
    match = the_match(tournament, 1, 1)
    submit_record(SYSTEM, match, club_night_lines()[0], source=Record.Source.BOT)
    assert club_version(club__slug=tournament.club.slug) == before

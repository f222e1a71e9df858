"""Bots that a club gives names of its own."""

import pytest

from tests.clubs import SYSTEM, a_club, arbiter, organiser
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.models import Bot
from tournaments.people.services.bots import register_bot

pytestmark = pytest.mark.django_db


def test_a_club_names_bots_of_its_own() -> None:
    club = a_club()
    bot = register_bot(organiser(club), club, name="El Tuerto", kind="simple")
    assert (bot.slug, bot.kind, bot.club) == ("el-tuerto", "simple", club)
    assert register_bot(SYSTEM, club, name="El Tuerto", kind="random").slug == "el-tuerto-2"
    with refusal(Reason.UNKNOWN_BOT):
        register_bot(SYSTEM, club, name="Genio", kind="genius")
    with refusal(Reason.FORBIDDEN):
        register_bot(arbiter(club), club, name="Mío", kind="random")
    assert Bot.objects.filter(club=club).count() == 2

"""The bots that are there from the first migration."""

import pytest

import engine
from tournaments.models import Bot
from tournaments.models.bots import SUBMITTED_KINDS


@pytest.mark.django_db
def test_each_house_bot_of_the_engine_can_be_entered() -> None:
    assert {bot.kind for bot in Bot.objects.filter(club=None)} == set(engine.HOUSE_BOTS)
    assert set(Bot.Kind.values) - {*SUBMITTED_KINDS} == set(engine.HOUSE_BOTS)

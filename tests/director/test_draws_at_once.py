"""Many organisers at once draw one round, on a real database."""

import pytest

from tests.clubs import SYSTEM, a_swiss, play_out, the_round
from tests.results.test_concurrency import at_once
from tournaments.director.services.draws import draw_next
from tournaments.director.services.tournaments import publish_round
from tournaments.models import AuditEvent, Match, Round

pytestmark = pytest.mark.django_db(transaction=True)


def test_sixteen_clicks_on_the_next_round_make_one_round() -> None:
    tournament = a_swiss(9)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    responses = at_once(*[lambda: draw_next(SYSTEM, tournament, after=1).number] * 16)
    assert responses == [2] * 16
    rounds = Round.objects.filter(stage__tournament=tournament)
    assert list(rounds.order_by("number").values_list("number", flat=True)) == [1, 2]
    assert Match.objects.filter(round__number=2, round__stage__tournament=tournament).count() == 5
    assert AuditEvent.objects.filter(verb="round.drawn").count() == 1


def test_a_round_published_by_sixteen_is_published_once() -> None:
    tournament = a_swiss(6)
    responses = at_once(*[lambda: publish_round(SYSTEM, the_round(tournament, 1)).number] * 16)
    assert sorted(map(str, responses)) == ["1", *["round_not_draft"] * 15]
    assert AuditEvent.objects.filter(verb="round.published").count() == 1

"""Lots separate those whom nothing else does, and are written down."""

import pytest

from tests.clubs import SYSTEM, arbiter, play_out, the_round
from tests.support.day import a_day
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.restoring import draw_lots
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.ranking import StandingsLine, ranking
from tournaments.models import Stage, Tournament

pytestmark = pytest.mark.django_db


def lines(tournament: Tournament) -> tuple[StandingsLine, ...]:
    rows = rows_of(tournament)
    return ranking(rows, rows.stages[0])


def the_stage(tournament: Tournament) -> Stage:
    return Stage.objects.select_related("tournament__club").get(tournament=tournament)


def test_lots_separate_those_who_would_share_a_place() -> None:
    tournament = a_day(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    assert all(line.shared for line in lines(tournament))
    stage = draw_lots(SYSTEM, the_stage(tournament))
    assert sorted(stage.lots.values()) == [1, 2, 3, 4, 5, 6]
    table = lines(tournament)
    assert [line.lot for line in table] == [1, 2, 3, 4, 5, 6]
    assert {line.decided_by for line in table[1:]} == {"lots"}


def test_lots_decide_nothing_that_was_decided_at_the_tables() -> None:
    tournament = a_day(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    draw_lots(SYSTEM, the_stage(tournament))
    play_out(the_round(tournament, 1))
    assert [line.decided_by for line in lines(tournament)].count("lots") == 0


def test_without_a_shared_place_there_is_nothing_to_draw() -> None:
    tournament = a_day(6)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    with refusal(Reason.NO_SHARED_PLACE):
        draw_lots(SYSTEM, the_stage(tournament))


def test_only_the_organiser_draws_lots() -> None:
    tournament = a_day(6)
    with refusal(Reason.FORBIDDEN):
        draw_lots(arbiter(tournament.club), the_stage(tournament))

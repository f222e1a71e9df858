"""Who is expected today: for a match to play or to be drawn for; closing leaves all others."""

from __future__ import annotations

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, organiser, play_out, the_liguilla, the_round, user
from tests.director.test_days import TUESDAYS, at
from tests.support.day import a_day, entry, late_pair, next_round, play_round
from tournaments.director.queries.expected import expected_today, missing_entries
from tournaments.director.services.absences import close_check_in, open_check_in, request_bye
from tournaments.director.services.days import plan_days
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.restoring import draw_lots
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    create_tournament,
    publish_round,
)
from tournaments.domain.scores import Score
from tournaments.models import Absence, Tournament
from tournaments.results.services.matches import correct_result, postpone

pytestmark = pytest.mark.django_db


def coming(tournament: Tournament) -> list[int]:
    tournament.refresh_from_db()
    return sorted(expected_today(tournament).coming)


def withdrawn(tournament: Tournament) -> list[int]:
    away = Absence.objects.filter(entry__tournament=tournament).order_by("entry__number")
    return list(away.values_list("entry__number", flat=True))


@pytest.mark.parametrize("drawn", [False, True])
def test_who_rests_in_round_1_by_a_granted_bye_is_listed_apart_and_stays(drawn: bool) -> None:
    day = a_day(6, drawn=drawn)
    request_bye(SYSTEM, entry(day, 6), 1, "half")
    assert coming(day) == [1, 2, 3, 4, 5]
    organiser(day.club)
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("olga"))
    page = client.get(reverse("close-check-in", args=[day.slug])).content.decode()
    assert "5 have not come" in page
    assert "rests in round 1" in page
    assert close_check_in(SYSTEM, day) == 5
    assert withdrawn(day) == [1, 2, 3, 4, 5]


def test_who_rests_in_round_1_is_drawn_in_round_2() -> None:
    day = a_day(6)
    request_bye(SYSTEM, entry(day, 6), 1, "half")
    for number in range(1, 6):
        entry_ = entry(day, number)
        entry_.checked_in_at = at(3, 3)
        entry_.save()
    assert close_check_in(SYSTEM, day) == 0
    play_round(day, 1)
    next_round(day, 1)
    seats = the_round(day, 2).matches.values_list("home__number", "away__number")
    assert 6 in {number for pair in seats for number in pair}


def test_a_bye_by_the_draw_is_no_reason_not_to_come() -> None:
    day = a_day(5)
    assert coming(day) == [1, 2, 3, 4, 5]
    publish_round(SYSTEM, the_round(day, 1))
    assert coming(day) == [1, 2, 3, 4, 5]


def test_the_beaten_of_the_first_day_are_not_expected_on_the_second() -> None:
    cup = a_day(6, format="knockout")
    play_round(cup, 1)
    beaten = {match.away.number for match in the_round(cup, 1).matches.all() if match.away}
    survivors = sorted(set(range(1, 7)) - beaten)
    assert coming(cup) == survivors
    next_round(cup, 1)
    open_check_in(SYSTEM, cup, afresh=True)
    assert coming(cup) == survivors
    assert [one.number for one in missing_entries(cup)] == survivors
    close_check_in(SYSTEM, cup)
    assert withdrawn(cup) == survivors


def test_who_did_not_qualify_is_not_expected() -> None:
    groups = {"format": "groups", "rules": {"groups": 2}}
    final = {"format": "knockout", "rules": {"take": 1}}
    source = a_day(6, drawn=False)
    terms = NewTournament(GameSettings(options={"to": 3}), stages=[groups, final])
    event = create_tournament(SYSTEM, source.club, "Grupos", terms)
    pairs = [one.pair for one in source.entries.all() if one.pair]
    enter_newcomers(SYSTEM, event, pairs)
    draw(SYSTEM, event)
    assert coming(event) == [1, 2, 3, 4, 5, 6]
    for number in (1, 2, 3):
        play_round(event, number)
    draw_lots(SYSTEM, event.stages.get(number=1))  # the first of a group are level
    assert len(coming(event)) == 2
    draw_next(SYSTEM, event, after=3)
    qualified = event.stages.get(number=2).entrants
    assert coming(event) == sorted(qualified)


def test_who_enters_from_a_later_round_is_not_expected_before() -> None:
    day = a_day(6)
    publish_round(SYSTEM, the_round(day, 1))
    newcomer = enter_late(SYSTEM, day, late_pair(day))
    assert newcomer.joined_round == 2
    assert newcomer.number not in coming(day)
    play_out(the_round(day, 1))
    assert newcomer.number in coming(day)


def test_of_a_league_with_days_those_with_a_match_to_play_today_are_expected() -> None:
    league = the_liguilla()
    plan_days(SYSTEM, league, TUESDAYS)
    first, second = (list(the_round(league, number).matches.with_names()) for number in (1, 2))
    postpone(SYSTEM, first[0], at(3, 12))
    correct_result(SYSTEM, first[1], Score(3, 1, 300, 200), reason="played ahead")
    out = {first[0].home, first[0].away, first[1].home, first[1].away}
    with time_machine.travel(at(3, 3, 19), tick=False):
        assert set(coming(league)) == set(range(1, 9)) - {one.number for one in out if one}
    with time_machine.travel(at(3, 10, 19), tick=False):
        assert len(second) == 4
        assert coming(league) == list(range(1, 9))
    with time_machine.travel(at(3, 12, 19), tick=False):
        late = {first[0].home, first[0].away}
        assert {one.number for one in late if one} <= set(coming(league))


def test_the_own_page_asks_to_check_in_on_each_day_on_which_the_entry_is_expected() -> None:
    """A cup on two Tuesdays, checked in afresh on the second: who is beaten is not asked."""
    with time_machine.travel(at(3, 3, 19), tick=False):
        cup = a_day(4, late=0, drawn=False, format="knockout")
        plan_days(SYSTEM, cup, TUESDAYS)
        draw(SYSTEM, cup)
        assert asked(cup) == [1, 2, 3, 4]
        play_round(cup, 1)
        assert asked(cup) == []
    with time_machine.travel(at(3, 9, 19), tick=False):
        assert asked(cup) == []
    with time_machine.travel(at(3, 10, 19), tick=False):
        survivors = coming(cup)
        assert len(survivors) == 2
        assert asked(cup) == survivors


def asked(tournament: Tournament) -> list[int]:
    """The entries whose own page has the button of the check-in."""
    numbers = []
    for one in tournament.entries.order_by("number"):
        client = Client(headers={"accept-language": "en"})
        client.post(reverse("give-code", args=[tournament.slug]), {"code": one.code})
        text = client.get(reverse("own-table", args=[tournament.slug])).content.decode()
        if "We are here" in text:
            numbers.append(one.number)
    return numbers

"""An act on many entries is taken back by one press: those that are still as it left them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, arbiter, organiser, the_round, user
from tests.support.day import a_day, entry, next_round, play_round
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.mass_acts import act_to_take_back
from tournaments.director.services.absences import (
    check_in,
    check_in_all,
    close_check_in,
    open_check_in,
    readmit,
    withdraw,
)
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_list
from tournaments.director.services.mass_acts import take_back_act
from tournaments.director.services.rounds import discard_round
from tournaments.director.services.tournaments import finish, publish_round
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def state(tournament: Tournament) -> tuple[object, ...]:
    """What an act on many entries may change, and the drafts that follow it."""
    tournament.refresh_from_db()
    entries = tournament.entries.order_by("number")
    tables = [stage.rounds.order_by("number") for stage in tournament.stages.order_by("number")]
    return (
        tournament.check_in_closed_at,
        list(entries.values_list("name", "checked_in_at", "joined_round")),
        list(entries.values_list("number", "absences__kind", "absences__from_round")),
        list(entries.values_list("number", "bye_requests__round_number", "bye_requests__kind")),
        [list(r.values_list("number", "matches__home", "matches__away")) for r in tables],
    )


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("absent", ["withdraw", "bye"])
def test_a_closed_check_in_is_taken_back(absent: str, drawn: bool) -> None:
    day = a_day(6, drawn=drawn)
    check_in(SYSTEM, entry(day, 1))
    before = state(day)
    assert close_check_in(SYSTEM, day, absent=absent) == 5
    assert state(day) != before
    assert take_back_act(SYSTEM, day) == 5
    assert state(day) == before


def test_it_is_taken_back_also_after_it_was_opened_again_and_leaves_what_has_changed() -> None:
    day = a_day(6)
    close_check_in(SYSTEM, day)
    open_check_in(SYSTEM, day)
    readmit(SYSTEM, entry(day, 2))
    withdraw(SYSTEM, entry(day, 2), "ill")
    readmit(SYSTEM, entry(day, 3))
    assert take_back_act(SYSTEM, day) == 4
    kinds = day.entries.order_by("number").values_list("absences__kind", flat=True)
    assert list(kinds) == [None, "withdrawn", None, None, None, None]


@pytest.mark.parametrize("closed", [False, True])
def test_all_have_come_and_opening_afresh_are_taken_back(closed: bool) -> None:
    day = a_day(6)
    check_in(SYSTEM, entry(day, 1))
    before = state(day)
    check_in_all(SYSTEM, day)
    come = state(day)
    if closed:
        close_check_in(SYSTEM, day)
        come = state(day)
    open_check_in(SYSTEM, day, afresh=True)
    assert take_back_act(SYSTEM, day) == 6
    assert state(day) == come
    if not closed:
        assert take_back_act(SYSTEM, day) == 5
        assert state(day) == before


def test_of_a_list_what_nothing_has_touched_is_taken_out() -> None:
    day = a_day(4, drawn=False)
    before = day.entries.count()
    enter_list(SYSTEM, day, "Ana Gil / Luis Sanz\nEva Mur / Pau Roca\nIsa Val / Leo Rey\n")
    assert day.entries.count() == before + 3
    check_in(SYSTEM, entry(day, before + 2))
    assert take_back_act(organiser(day.club), day) == 2
    numbers = list(day.entries.order_by("number").values_list("number", flat=True))
    assert numbers == [*range(1, before + 1), before + 2]
    enter_list(SYSTEM, day, "Ana Gil / Luis Sanz\n")
    draw(SYSTEM, day)
    assert act_to_take_back(day) is None  # the draw names it


def test_it_ends_with_the_publication_of_the_next_round() -> None:
    day = a_day(6)
    for number in (1, 2, 3, 4):
        check_in(SYSTEM, entry(day, number))
    close_check_in(SYSTEM, day, absent="bye")
    assert act_to_take_back(day) is not None
    publish_round(SYSTEM, the_round(day, 1))
    assert act_to_take_back(day) is None
    with refusal(Reason.NOTHING_TO_UNDO):
        take_back_act(SYSTEM, day)


def test_a_final_for_which_nobody_has_come_waits_and_its_draft_stays() -> None:
    """By `absent` bye both finalists rest: it would end with two firsts."""
    cup = a_day(4, late=0, format="knockout")
    play_round(cup, 1)
    next_round(cup, 1)
    before = state(cup)
    assert close_check_in(SYSTEM, cup, absent="bye") == 2
    assert the_round(cup, 2).is_outdated
    discard_round(SYSTEM, the_round(cup, 2))
    with refusal(Reason.ROUNDS_LEFT):
        finish(SYSTEM, cup)
    with refusal(Reason.CANNOT_DRAW) as refused:
        next_round(cup, 1)
    assert entry(cup, 1).name in refused.value.message
    assert take_back_act(SYSTEM, cup) == 2
    next_round(cup, 1)
    assert state(cup) == before


def test_a_draft_that_closing_has_discarded_is_to_be_drawn_again_and_the_page_says_so() -> None:
    """One finalist has not come: the other has won, and there is no final to be played."""
    cup = a_day(4, late=0, format="knockout")
    play_round(cup, 1)
    next_round(cup, 1)
    before = state(cup)
    check_in(SYSTEM, entry(cup, 1))
    olga = organiser(cup.club)
    close_check_in(olga, cup)
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("olga"))
    page = client.get(reverse("check-in", args=[cup.slug])).content.decode()
    assert "The draft of round 2 was discarded" in page
    assert take_back_act(olga, cup) == 1
    next_round(cup, 1)

    assert state(cup)[2:] == before[2:]


def test_an_arbiter_takes_back_that_all_have_come_and_the_page_offers_it() -> None:
    day = a_day(6)
    check_in_all(arbiter(day.club), day)
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("alberto"))
    path, page = (reverse(name, args=[day.slug]) for name in ("take-back-act", "check-in"))
    assert "Take it back: 6 entries" in client.get(page).content.decode()
    assert client.post(path).status_code == 302
    assert not day.entries.filter(checked_in_at__isnull=False).exists()
    assert path not in client.get(page).content.decode()
    close_check_in(SYSTEM, day)
    with refusal(Reason.FORBIDDEN):
        take_back_act(arbiter(day.club), day)
    assert take_back_act(SYSTEM, day) == 6
    play_round(day, 1)

"""Check-in: by the staff, by code or by oneself; its end makes withdrawals or byes."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, arbiter, organiser, stranger, the_round, user
from tests.support.day import a_day, entry, play_round, player_of
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.services.absences import (
    check_in,
    check_in_all,
    close_check_in,
    entry_with_code,
    open_check_in,
    undo_check_in,
    withdraw,
)
from tournaments.director.services.draws import draw, draw_next
from tournaments.models import Absence, AuditEvent, ByeRequest, Match

pytestmark = pytest.mark.django_db


def test_the_staff_checks_anybody_in_and_takes_it_back() -> None:
    tournament = a_day(drawn=False)
    staff = arbiter(tournament.club)
    assert check_in(staff, entry(tournament, 1)).checked_in_at is not None
    assert undo_check_in(staff, entry(tournament, 1)).checked_in_at is None


def test_a_pair_checks_itself_in_with_its_code() -> None:
    tournament = a_day(drawn=False)
    code = entry(tournament, 2).code
    result = entry_with_code(tournament, f" {code.lower()} ")
    check_in(Actor.for_entry(result), result)
    assert entry(tournament, 2).checked_in_at is not None
    with refusal(Reason.BAD_CODE):
        entry_with_code(tournament, "XXXXXXXX")


def test_a_code_is_good_for_its_own_entry_alone() -> None:
    tournament = a_day(drawn=False)
    with refusal(Reason.FORBIDDEN):
        check_in(Actor.for_entry(entry(tournament, 2)), entry(tournament, 3))


def test_a_player_with_an_account_checks_their_pair_in() -> None:
    tournament = a_day(drawn=False)
    player_of(tournament, 3, "pilar")
    check_in(Actor.for_user(user("pilar")), entry(tournament, 3))
    with refusal(Reason.FORBIDDEN):
        check_in(Actor.for_user(user("pilar")), entry(tournament, 4))
    with refusal(Reason.FORBIDDEN):
        check_in(stranger(), entry(tournament, 4))


def test_where_only_the_staff_checks_in_nobody_does_it_themselves() -> None:
    tournament = a_day(drawn=False)
    tournament.self_check_in = False
    tournament.save()
    with refusal(Reason.FORBIDDEN):
        check_in(Actor.for_entry(entry(tournament, 1)), entry(tournament, 1))


def test_who_has_not_come_when_it_closes_is_out() -> None:
    tournament = a_day(6, drawn=False)
    for number in (1, 2, 3, 4):
        check_in(SYSTEM, entry(tournament, number))
    assert close_check_in(SYSTEM, tournament) == 2
    away = Absence.objects.filter(entry__tournament=tournament)
    assert sorted(away.values_list("entry__number", "kind", "from_round")) == [
        (5, "no_show", 1),
        (6, "no_show", 1),
    ]
    draw(SYSTEM, tournament)
    assert the_round(tournament, 1).matches.count() == 2


def test_who_has_not_come_may_rest_for_a_round_instead() -> None:
    tournament = a_day(6, drawn=False)
    for number in (1, 2, 3, 4, 5):
        check_in(SYSTEM, entry(tournament, number))
    close_check_in(SYSTEM, tournament, absent="bye")
    bye = ByeRequest.objects.get(entry__tournament=tournament)
    assert (bye.entry.number, bye.round_number, bye.kind) == (6, 1, "zero")
    draw(SYSTEM, tournament)
    byes = Match.objects.filter(round=the_round(tournament, 1), state="bye")
    assert sorted(byes.values_list("home__number", "bye")) == [(5, "pairing"), (6, "zero")]


def test_a_round_drawn_already_follows_the_check_in() -> None:
    tournament = a_day(6)
    for number in (1, 2, 3, 4):
        check_in(SYSTEM, entry(tournament, number))
    close_check_in(SYSTEM, tournament)
    matches = Match.objects.filter(round=the_round(tournament, 1))
    seated = {n for pair in matches.values_list("home__number", "away__number") for n in pair}
    assert seated == {1, 2, 3, 4}


def test_once_closed_only_the_staff_checks_in() -> None:
    tournament = a_day(drawn=False)
    check_in(SYSTEM, entry(tournament, 1))
    close_check_in(organiser(tournament.club), tournament)
    with refusal(Reason.CHECK_IN_CLOSED):
        check_in(Actor.for_entry(entry(tournament, 1)), entry(tournament, 1))
    with refusal(Reason.CHECK_IN_CLOSED):
        close_check_in(SYSTEM, tournament)
    check_in(SYSTEM, entry(tournament, 2))


def test_a_check_in_of_another_day_begins_afresh() -> None:
    tournament = a_day(4)
    for number in (1, 2, 3, 4):
        check_in(SYSTEM, entry(tournament, number))
    close_check_in(SYSTEM, tournament)
    play_round(tournament, 1)
    draw_next(SYSTEM, tournament, after=1)
    open_check_in(SYSTEM, tournament, afresh=True)
    for number in (1, 2, 3):
        check_in(SYSTEM, entry(tournament, number))
    close_check_in(SYSTEM, tournament, absent="bye")
    byes = Match.objects.filter(round=the_round(tournament, 2), state="bye")
    assert ("zero", 4) in set(byes.values_list("bye", "home__number"))


def test_only_the_organiser_closes_it() -> None:
    tournament = a_day(drawn=False)
    with refusal(Reason.FORBIDDEN):
        close_check_in(arbiter(tournament.club), tournament)
    with refusal(Reason.UNKNOWN_CHOICE):
        close_check_in(SYSTEM, tournament, absent="shoot")


def test_all_who_are_missing_come_with_one_press_and_each_can_be_taken_back() -> None:
    tournament = a_day(6)
    withdraw(SYSTEM, entry(tournament, 6))
    check_in(SYSTEM, entry(tournament, 1))
    before = entry(tournament, 1).checked_in_at
    client = Client()
    arbiter(tournament.club)
    client.force_login(user("alberto"))
    page = reverse("check-in", args=[tournament.slug])
    path = reverse("check-in-all", args=[tournament.slug])
    assert path in client.get(page).content.decode()
    assert client.post(path).status_code == 302
    come = tournament.entries.filter(checked_in_at__isnull=False)
    assert set(come.values_list("number", flat=True)) == {1, 2, 3, 4, 5}
    assert entry(tournament, 1).checked_in_at == before
    assert path not in client.get(page).content.decode()
    assert AuditEvent.objects.filter(verb="check_in.all_came").count() == 1
    client.post(path)
    assert AuditEvent.objects.filter(verb="check_in.all_came").count() == 1
    undo_check_in(SYSTEM, entry(tournament, 3))
    assert close_check_in(SYSTEM, tournament) == 1
    with refusal(Reason.FORBIDDEN):
        check_in_all(stranger(), tournament)

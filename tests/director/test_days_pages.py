"""Pages of the days: planned, changed and removed by the organiser, read by everybody."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from urllib.parse import unquote

import pytest
import time_machine
from django.test import Client

from tests.clubs import SYSTEM, play_out, the_liguilla, the_round
from tests.support.caller import Caller
from tests.support.counting import count_queries
from tests.support.scenes import Scene
from tournaments.director.queries.days import days_page
from tournaments.director.services.days import DayPlan, NewDay, add_day, plan_days
from tournaments.models import Day, Entry, SignUp, SignUpRequest

pytestmark = pytest.mark.django_db

ENGLISH = {"accept-language": "en"}
PLAN = {
    "on": ["1", "3"],
    "at": "20:30",
    "first": "2026-03-24",
    "count": "15",
    "pauses": "14/4/2026 - 5/10/2026\n\n2026-12-24",
    "play_within": "",
    "holds": "1",
    "place": "",
}


@pytest.fixture
def desk(scene: Scene, client: Client) -> Client:
    client.force_login(scene.users["organiser"])
    return client


def text_of(client: Client, path: str) -> str:
    return client.get(path, headers=ENGLISH).content.decode()


def test_a_tournament_without_days_looks_as_before(scene: Scene) -> None:
    page = text_of(Client(), f"/t/{scene.tournament.slug}/")
    assert "All days of play" not in page
    assert "/days/" not in page
    assert "No days are planned" in text_of(Client(), f"/t/{scene.tournament.slug}/days/")


def test_the_organiser_plans_moves_adds_and_removes(scene: Scene, desk: Client) -> None:
    path = f"/t/{scene.tournament.slug}/days/"
    assert desk.post(f"{path}plan/", PLAN, headers=ENGLISH).status_code == 302
    page = text_of(desk, path)
    assert page.count("20:30</time>") == 15
    for day in ("Thursday, 9 April 2026", "Tuesday, 6 October 2026", "Tuesday, 3 November 2026"):
        assert day in page
    moved = {"starts_at": "2026-04-01T21:00", "holds": "1", "rounds": "3", "tell": "on"}
    moved |= {"play_by": "", "place": "Bar Central", "note": "Traed el carné."}
    assert desk.post(f"{path}3/", moved, headers=ENGLISH).status_code == 302
    scene.tournament.refresh_from_db()
    assert scene.tournament.announcement.startswith("Round 3: Wednesday, 1 April 2026, 21:00, Bar")
    assert "(no longer Tuesday, 31 March 2026, 20:30)" in scene.tournament.announcement
    assert "moved, was" in text_of(Client(), path)
    assert desk.post(f"{path}add/", {"play_by": "2026-12-01", "holds": "1"}).status_code == 302
    assert desk.post(f"{path}1/remove/").status_code == 302
    assert set(scene.tournament.days.values_list("number", flat=True)) == set(range(2, 17))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"pauses": "en verano"}, "is no day"),
        ({"pauses": "31/02/2026"}, "is no day"),
        ({"pauses": "1/7/2026 - 1/6/2026"}, "a pause ends before it begins"),
        ({"on": []}, "This field is required"),
        ({"count": "0"}, "greater than or equal to 1"),
    ],
)
def test_a_plan_that_cannot_be_is_shown_again(
    scene: Scene, desk: Client, changes: dict[str, str], error: str
) -> None:
    path = f"/t/{scene.tournament.slug}/days/plan/"
    answer = desk.post(path, {**PLAN, **changes}, headers=ENGLISH)
    assert answer.status_code == 422
    assert error in answer.content.decode()
    assert not Day.objects.exists()


def test_what_is_no_list_of_rounds_is_said(scene: Scene, desk: Client) -> None:
    day = add_day(SYSTEM, scene.tournament, NewDay(starts_at=datetime(2026, 3, 3, 19, tzinfo=UTC)))
    path = f"/t/{scene.tournament.slug}/days/{day.number}/"
    for rounds in ("uno", "99"):
        form = {"starts_at": "2026-03-03T20:00", "holds": "1", "rounds": rounds}
        assert desk.post(path, form).status_code == 422


def test_a_day_without_any_time_is_refused(scene: Scene, desk: Client) -> None:
    day = add_day(SYSTEM, scene.tournament, NewDay(starts_at=datetime(2026, 3, 3, 19, tzinfo=UTC)))
    form = {"starts_at": "", "play_by": "", "holds": "1", "rounds": "", "tell": "on"}
    assert desk.post(f"/t/{scene.tournament.slug}/days/{day.number}/", form).status_code == 422


def test_people_read_the_day_where_they_look(scene: Scene) -> None:
    moment = datetime(2126, 3, 5, 19, 30, tzinfo=UTC)  # far ahead: never over
    add_day(SYSTEM, scene.tournament, NewDay(starts_at=moment, place="Bar Central"))
    slug = scene.tournament.slug
    shown = "Tuesday, 5 March 2126, 20:30"
    for path in ("", "rounds/", "rounds/1/", "days/"):
        page = text_of(Client(), f"/t/{slug}/{path}")
        assert shown in page, path
        assert "Bar Central" in page
    entry = scene.tournament.entries.order_by("number")[0]
    guest = Client()
    guest.post(f"/t/{slug}/come/code/", {"code": entry.code})
    assert shown in text_of(guest, f"/t/{slug}/table/")


def test_an_arbiter_sees_what_is_overdue_with_its_remedies(scene: Scene, client: Client) -> None:
    monday = datetime(2026, 3, 2, 19, tzinfo=UTC)
    add_day(SYSTEM, scene.tournament, NewDay(starts_at=monday))
    (match,) = [one for one in scene.matches() if one.state == "pending"]
    signup = SignUp.objects.create(tournament=scene.tournament)
    request = SignUpRequest.objects.create(
        signup=signup, ticket=1, contact="+34 600 123 456", code="ABCD2345"
    )
    match.home.request = request
    match.home.save()
    path = f"/t/{scene.tournament.slug}/days/"
    client.force_login(scene.users["arbiter"])
    with time_machine.travel(datetime(2026, 3, 2, 22, 59, tzinfo=UTC), tick=False):
        assert "Overdue" not in text_of(client, path)
    with time_machine.travel(datetime(2026, 3, 2, 23, 0, tzinfo=UTC), tick=False):
        client.force_login(scene.users["arbiter"])
        page = text_of(client, path)
        client.force_login(scene.users["organiser"])
        with_contacts = text_of(client, path)
        assert "Overdue" not in text_of(Client(), path)
    for address in (f"/matches/{match.pk}/postpone/", f"/matches/{match.pk}/forfeit/"):
        assert address in page
    assert "this match was to be played by Monday, 2 March 2026" in page
    assert "tel:" not in page
    assert 'href="tel:+34600123456"' in with_contacts
    assert f"https://wa.me/34600123456?text=Round 1, {match.home.shown_name}" in unquote(
        with_contacts.replace("+", " ")
    )


def test_the_days_are_read_and_planned_over_the_api(scene: Scene, organiser: Caller) -> None:
    path = f"tournaments/{scene.tournament.slug}/days/"
    body = (
        '{"on": [1, 3], "at": "20:30", "first": "2026-03-24", "count": 15,'
        ' "pauses": [{"first": "2026-04-14", "last": "2026-10-05"}]}'
    )
    assert organiser.submit(f"{path}plan/", body, "plan").status_code == 201
    days = organiser.read(path)["days"]
    assert [day["starts_at"] for day in days][:3] == [
        "2026-03-24T20:30:00+01:00",
        "2026-03-26T20:30:00+01:00",
        "2026-03-31T20:30:00+02:00",
    ]
    body = '{"starts_at": "2026-11-04T20:30:00+01:00", "rounds": [2], "announcement": "Moved."}'
    assert organiser.submit(f"{path}15/change/", body, "change").status_code == 201
    last = organiser.read(path)["days"][-1]
    assert (last["rounds"], last["moved_from"]) == ([2], "2026-11-03T20:30:00+01:00")
    assert organiser.submit(f"{path}14/remove/", "{}", "remove").status_code == 201
    assert len(organiser.read(path)["days"]) == 14
    assert organiser.submit(f"{path}add/", "{}", "add").status_code == 422


def test_the_page_takes_as_many_queries_however_many_days_there_are() -> None:
    league = the_liguilla(published=1)
    plan = DayPlan((1,), None, date(2026, 3, 3), 2)
    plan_days(SYSTEM, league, plan)
    few = count_queries(lambda: days_page(league.slug, SYSTEM))[1]
    plan_days(SYSTEM, league, DayPlan((1, 2, 3), None, plan.first, 40))
    assert count_queries(lambda: days_page(league.slug, SYSTEM))[1] == few


def test_a_league_with_days_says_how_many_of_its_matches_are_played() -> None:
    league = the_liguilla(published=1)
    play_out(the_round(league, 1))
    path = f"/t/{league.slug}/"
    assert '<span class="quiet">/7</span>' not in text_of(Client(), path)
    plan_days(SYSTEM, league, DayPlan((1,), None, date(2026, 3, 3), 7))
    assert text_of(Client(), path).count('<span class="quiet">/7</span>') == 8


def test_the_page_takes_as_many_queries_however_many_contacts_there_are() -> None:
    league = the_liguilla(published=3)
    plan_days(SYSTEM, league, DayPlan((1,), None, date(2026, 3, 3), 7))
    signup = SignUp.objects.create(tournament=league)

    def queries_with(entries: Iterable[Entry]) -> tuple[int, int]:
        for one in entries:
            one.request = SignUpRequest.objects.create(
                signup=signup, ticket=one.number, contact=f"600 00 00 {one.number}", code=one.code
            )
            one.save()
        page, count = count_queries(lambda: days_page(league.slug, SYSTEM))
        return sum(len(row.contacts) for row in page.overdue), count

    first, *others = league.entries.order_by("number")
    shown, few = queries_with([first])
    assert shown == 3
    assert queries_with(others) == (24, few)

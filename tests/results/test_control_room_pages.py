"""The control room: results in one line, all that wait confirmed, disputes in their order."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.clubs import play_out
from tests.support import scenes
from tests.support.counting import count_queries
from tournaments.core.permissions import Actor
from tournaments.director.services.absences import withdraw
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import import_entries
from tournaments.director.services.settings import NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    publish_round,
)
from tournaments.domain.scores import Score
from tournaments.models import Dispute, Match, Membership, Result, Round
from tournaments.people.services.clubs import add_member
from tournaments.results.services.matches import correct_result, dispute_result, postpone
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse

pytestmark = pytest.mark.django_db

WON, LOST = Score(3, 1, 0, 0), Score(1, 3, 0, 0)


@pytest.fixture
def scene() -> scenes.Scene:
    """Round 1 published, nothing played: two tables."""
    scene = scenes.drawn()
    publish_round(scene.organiser, scene.rounds[0])
    return scene


@pytest.fixture
def arbiter(scene: scenes.Scene) -> Client:
    client = Client(headers={"Accept-Language": "es"})
    client.force_login(scene.users["arbiter"])
    return client


def late_scene() -> scenes.Scene:
    """A Swiss, which takes latecomers, in its first round."""
    club, users = scenes.open_club()
    boss = Actor.for_user(users["organiser"])
    swiss = [{"format": "swiss", "rules": {"rounds": 3}}]
    tournament = create_tournament(boss, club, "Suizo", NewTournament(stages=swiss))
    import_entries(boss, tournament, scenes.EIGHT_PLAYERS, scenes.FOUR_PAIRS)
    scene = scenes.Scene(club, draw(boss, tournament), users)
    publish_round(scene.organiser, scene.rounds[0])
    return scene


BACK = "?back=control"


def at(scene: scenes.Scene, name: str = "desk", query: str = "") -> str:
    return reverse(name, args=[scene.tournament.slug]) + query


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, response
    return response.content.decode()


def enter(client: Client, scene: scenes.Scene, table: str, hands: str, **more: str) -> str:
    form = {"round": "1", "table": table, "hands": hands, **more}
    response = client.post(at(scene, "desk-enter"), form)
    return response.content.decode()


def home_sides(page: str) -> list[str]:
    """Return who plays at home at the tables that a page lists."""
    rows = re.findall(r"<tr data-table.*?</tr>", page, re.DOTALL)
    return [unescape(re.findall(r'<span title="(.*?)"', row)[0]) for row in rows]


def counting(match: Match) -> Result | None:
    return match.results.counting().first()


def reported(match: Match, score: Score = WON) -> None:
    report_result(Actor.for_entry(match.home), match, score=score)


def test_a_line_notes_a_result_and_is_empty_for_the_next(
    scene: scenes.Scene, arbiter: Client
) -> None:
    page = enter(arbiter, scene, "1", "3-1")
    match = scene.matches()[0]
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands, result.made_by) == (3, 1, "arbiter")
    assert "Mesa 1: 3–1 vale." in page
    assert 'placeholder="3-1" value=""' in page
    assert 'Acabadas<span class="desk__count">1<' in page


@pytest.mark.parametrize("hands", ["3-1", "3 1", " 3:1 ", "3–1", "3/1", "31", " 31 "])
def test_hands_are_read_however_they_are_parted(
    scene: scenes.Scene, arbiter: Client, hands: str
) -> None:
    enter(arbiter, scene, "1", hands, points="360-210")
    result = counting(scene.matches()[0])
    assert result is not None
    assert (result.home_hands, result.home_points, result.away_points) == (3, 360, 210)


@pytest.mark.parametrize(
    ("table", "hands", "points"),
    [
        ("1", "tres", ""),
        ("1", "3", ""),
        ("1", "2-1", ""),
        ("1", "21", ""),
        ("1", "310", ""),
        ("1", "3-1", "360"),
        ("", "3-1", ""),
    ],
)
def test_a_line_that_cannot_be_read_is_kept_to_be_put_right(
    scene: scenes.Scene, arbiter: Client, table: str, hands: str, points: str
) -> None:
    form = {"round": "1", "table": table, "hands": hands, "points": points}
    response = arbiter.post(at(scene, "desk-enter"), form)
    assert response.status_code == 422
    assert f'value="{hands}"' in response.content.decode()
    assert not Result.objects.exists()


def test_a_table_that_is_not_there_is_reported_and_the_hands_stay_typed(
    scene: scenes.Scene, arbiter: Client
) -> None:
    form = {"round": "1", "table": "9", "hands": "3-1", "points": "360-210"}
    response = arbiter.post(at(scene, "desk-enter"), form)
    page = response.content.decode()
    assert response.status_code == 422
    assert "No hay partida en la mesa 9." in page
    for typed in ('value="9" aria-invalid="true"', 'value="3-1"', 'value="360-210"'):
        assert typed in page
    assert not Result.objects.exists()


def test_a_match_that_is_not_at_its_table_any_more_is_reported_without_a_link(
    scene: scenes.Scene, arbiter: Client
) -> None:
    page = enter(arbiter, scene, "1", "3-1", match=str(scene.matches()[1].pk))
    assert "La partida que estaba en la mesa 1 ya no se juega." in page
    assert 'value="3-1"' in page
    assert not Result.objects.exists()


def test_the_desk_confirms_what_it_says_as_well(scene: scenes.Scene, arbiter: Client) -> None:
    match = scene.matches()[0]
    reported(match)
    assert "como se comunicó; vale" in enter(arbiter, scene, "1", "3-1")
    result = counting(match)
    assert result is not None
    assert result.confirmed_by == "arbiter"


def test_a_slip_of_the_desk_does_not_open_a_dispute_over_what_counts(
    scene: scenes.Scene, arbiter: Client
) -> None:
    enter(arbiter, scene, "1", "3-1")
    page = enter(arbiter, scene, "1", "1-3")
    assert "La mesa 1 ya tiene resultado: 3–1." in page
    assert 'value="1-3"' in page, "the number of the table may be what was mistyped"
    assert reverse("correct-result", args=[scene.matches()[0].pk]) in page
    assert "ya estaba" in enter(arbiter, scene, "1", "3-1")
    assert not Dispute.objects.exists()


def correction_of(response: HttpResponse, client: Client) -> tuple[str, dict[str, str]]:
    """Return the address that a refused line leads to, and the fields filled in there."""
    url = errors_of(response)["url"]
    page = read(client, url)
    fields = re.findall(r'<input type="number" name="(\w+)"(?: value="(\d*)")?', page)
    return url, dict(fields)


def test_another_score_for_a_finished_table_opens_its_correction_filled_in(
    scene: scenes.Scene, arbiter: Client
) -> None:
    enter(arbiter, scene, "1", "3-1")
    url, fields = correction_of(send(arbiter, scene, "k1", "1", "1-3"), arbiter)
    score = {"home_hands": "1", "away_hands": "3", "home_points": "0", "away_points": "0"}
    assert fields == score
    form = {**score, "reason": "Las manos estaban al revés"}
    effect = arbiter.post(url, form).content.decode()
    seen = re.search(r'name="seen" value="(.*?)"', effect)
    assert seen is not None
    answer = arbiter.post(url, {**form, "seen": seen[1]})
    assert (answer.status_code, answer["Location"]) == (302, at(scene, "control"))
    result = counting(scene.matches()[0])
    assert result is not None
    assert (result.home_hands, result.away_hands) == (1, 3)


def test_the_points_of_another_score_are_not_kept_by_a_correction_from_the_desk(
    scene: scenes.Scene, arbiter: Client
) -> None:
    enter(arbiter, scene, "1", "31 360-210")
    _, fields = correction_of(send(arbiter, scene, "k1", "1", "13"), arbiter)
    assert fields == {"home_hands": "1", "away_hands": "3", "home_points": "", "away_points": ""}
    _, fields = correction_of(send(arbiter, scene, "k2", "1", "13 210-360"), arbiter)
    assert (fields["home_points"], fields["away_points"]) == ("210", "360")


@pytest.mark.parametrize("hands", ["31 400-300", "3-1 400-300", " 3 1  400:300 "])
def test_points_are_typed_behind_the_hands(
    scene: scenes.Scene, arbiter: Client, hands: str
) -> None:
    enter(arbiter, scene, "1", hands)
    result = counting(scene.matches()[0])
    assert result is not None
    assert (result.home_hands, result.away_hands) == (3, 1)
    assert (result.home_points, result.away_points) == (400, 300)


def test_what_contradicts_a_report_is_left_to_a_ruling(
    scene: scenes.Scene, arbiter: Client
) -> None:
    reported(scene.matches()[0])
    page = enter(arbiter, scene, "1", "1-3")
    assert "queda en reclamación" in page
    assert 'value="1-3"' not in page
    assert Dispute.objects.open().count() == 1


# --- The desk's script ----------------------------------------------------------------------------


def send(
    client: Client, scene: scenes.Scene, key: str, table: str, hands: str, **more: str
) -> HttpResponse:
    """Post a line under its key, as the page's script does."""
    form = {"round": "1", "table": table, "hands": hands, **more}
    headers = {"Idempotency-Key": key}
    return client.post(at(scene, "desk-enter"), form, headers=headers)  # type: ignore[return-value]


def errors_of(response: HttpResponse) -> dict[str, str]:
    fields: dict[str, str] = json.loads(response.content)
    return fields


def test_a_script_is_informed_what_became_of_a_line(scene: scenes.Scene, arbiter: Client) -> None:
    match = scene.matches()[0]
    response = send(arbiter, scene, "k1", "1", "3-1", match=str(match.pk))
    assert response.status_code == 200
    url = reverse("match", args=[match.pk])
    assert errors_of(response) == {"kind": "good", "text": "Mesa 1: 3–1 vale.", "url": url}
    assert counting(match) is not None


def test_a_line_sent_twice_is_noted_once_and_answered_alike(
    scene: scenes.Scene, arbiter: Client
) -> None:
    first = send(arbiter, scene, "k1", "1", "3-1")
    assert errors_of(send(arbiter, scene, "k1", "1", "3-1")) == errors_of(first)
    assert scene.matches()[0].results.count() == 1


def test_a_copy_that_comes_after_a_correction_changes_nothing(
    scene: scenes.Scene, arbiter: Client
) -> None:
    send(arbiter, scene, "k1", "1", "3-1")
    match = scene.matches()[0]
    correct_result(scene.organiser, match, LOST, reason="El acta dice 1-3.")
    assert send(arbiter, scene, "k1", "1", "3-1").status_code == 200
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands) == (1, 3)


def test_a_refused_line_stays_refused_under_its_key(scene: scenes.Scene, arbiter: Client) -> None:
    match = scene.matches()[0]
    round_ = match.round
    Round.objects.filter(pk=round_.pk).update(state="draft", published_at=None)
    refused = send(arbiter, scene, "k1", "1", "3-1", match=str(match.pk))
    assert refused.status_code == 422
    assert errors_of(refused)["kind"] == "bad"
    assert "La partida que estaba en la mesa 1 ya no se juega." in errors_of(refused)["text"]
    Round.objects.filter(pk=round_.pk).update(state="published", published_at=round_.published_at)
    assert errors_of(send(arbiter, scene, "k1", "1", "3-1", match=str(match.pk))) == errors_of(
        refused
    )
    assert counting(match) is None
    assert send(arbiter, scene, "k2", "1", "3-1", match=str(match.pk)).status_code == 200


def test_a_line_for_another_match_than_the_one_now_at_its_table_is_refused(
    scene: scenes.Scene, arbiter: Client
) -> None:
    first, second = scene.matches()
    response = send(arbiter, scene, "k1", "1", "3-1", match=str(second.pk))
    assert response.status_code == 422
    assert counting(first) is None
    assert counting(second) is None


@pytest.mark.parametrize(
    ("table", "hands", "why"),
    [
        ("1", "tres", "Escribe las manos de cada bando"),
        ("9", "3-1", "No hay partida en la mesa 9."),
        ("1", "3-3", "3-3"),
    ],
)
def test_a_script_is_informed_why_a_line_is_refused(
    scene: scenes.Scene, arbiter: Client, table: str, hands: str, why: str
) -> None:
    response = send(arbiter, scene, "k1", table, hands)
    assert response.status_code == 422
    assert why in errors_of(response)["text"]
    assert not Result.objects.exists()


def test_who_may_not_note_results_is_informed_in_json(scene: scenes.Scene) -> None:
    nobody, player = Client(), Client()
    player.force_login(scene.users["player"])
    assert send(nobody, scene, "k1", "1", "3-1").status_code == 401
    assert send(player, scene, "k1", "1", "3-1").status_code == 403
    assert errors_of(send(player, scene, "k1", "1", "3-1"))["code"] == "forbidden"


def test_the_page_knows_all_tables_whatever_group_is_shown(
    scene: scenes.Scene, arbiter: Client
) -> None:
    reported(scene.matches()[0])
    page = read(arbiter, at(scene, "desk-board", "?round=1&state=reported"))
    data = re.search(r'<script id="desk-tables" type="application/json">(.*?)</script>', page)
    assert data is not None
    tables = json.loads(data[1])
    assert [(table["table"], table["is_open"]) for table in tables] == [(1, True), (2, True)]
    assert [table["match"] for table in tables] == [match.pk for match in scene.matches()]


@pytest.mark.parametrize(
    ("method", "name"), [("get", "desk-board"), ("post", "desk-enter"), ("post", "arrive")]
)
def test_who_signed_out_elsewhere_is_led_to_sign_in_with_the_whole_page(
    scene: scenes.Scene, arbiter: Client, method: str, name: str
) -> None:
    arbiter.logout()
    number = [1] if name == "arrive" else []
    headers = {
        "HX-Request": "true",
        "HX-Current-URL": f"http://testserver{at(scene)}?round=1#table-1",
    }
    path = reverse(name, args=[scene.tournament.slug, *number])
    answer = getattr(arbiter, method)(path, headers=headers)
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == f"{reverse('login')}?next={at(scene)}%3Fround%3D1"


def test_who_must_sign_in_is_never_led_to_another_site(
    scene: scenes.Scene, arbiter: Client
) -> None:
    arbiter.logout()
    headers = {"HX-Request": "true", "HX-Current-URL": "https://elsewhere.example//evil.example/"}
    response = arbiter.get(at(scene, "desk-board"), headers=headers)
    door = response["HX-Redirect"]
    signed_in = arbiter.post(door, {"username": "arbiter", "password": scenes.PASSWORD})
    assert "evil.example" not in signed_in["Location"]


def test_who_must_sign_in_is_led_to_the_door_from_a_page_that_is_no_address(
    scene: scenes.Scene, arbiter: Client
) -> None:
    arbiter.logout()
    headers = {"HX-Request": "true", "HX-Current-URL": "http://["}
    response = arbiter.get(at(scene, "desk-board"), headers=headers)
    assert response["HX-Redirect"] == f"{reverse('login')}?next=/"


def test_the_board_answers_nothing_while_nothing_has_changed(
    scene: scenes.Scene, arbiter: Client
) -> None:
    first = arbiter.get(at(scene, "desk-board", "?round=1"))
    version = first.context["version"]
    path = at(scene, "desk-board", f"?round=1&seen={version}")
    assert arbiter.get(path).status_code == 204
    reported(scene.matches()[0])
    assert arbiter.get(path).status_code == 200


def test_tables_are_filtered_by_how_far_they_are(scene: scenes.Scene, arbiter: Client) -> None:
    first, second = scene.matches()
    reported(first)
    postpone(scene.organiser, second, None)
    waiting = read(arbiter, at(scene, query="?state=reported"))
    assert [first.home.name] == home_sides(waiting)
    postponed = read(arbiter, at(scene, query="?state=postponed"))
    assert [second.home.name] == home_sides(postponed)
    assert "No hay ninguna mesa así." in read(arbiter, at(scene, query="?state=done"))


def test_all_that_wait_are_confirmed_after_being_shown(
    scene: scenes.Scene, arbiter: Client
) -> None:
    first, second = scene.matches()
    reported(first)
    page = read(arbiter, at(scene, "desk-confirm", "?round=1"))
    assert f'value="{first.pk}:1"' in page
    reported(second)  # after the page was opened
    response = arbiter.post(at(scene, "desk-confirm"), {"round": "1", "seen": [f"{first.pk}:1"]})
    assert response.status_code == 302
    assert counting(first) is not None
    assert counting(second) is None


def test_a_report_put_right_meanwhile_is_not_confirmed_by_the_old_page(
    scene: scenes.Scene, arbiter: Client
) -> None:
    match = scene.matches()[0]
    reported(match)
    reported(match, LOST)
    arbiter.post(at(scene, "desk-confirm"), {"round": "1", "seen": [f"{match.pk}:1"]})
    assert counting(match) is None


def test_an_arbiter_does_not_confirm_what_their_own_side_reported(scene: scenes.Scene) -> None:
    match = scene.matches()[0]
    player = scene.users["player"]
    assert "Pilar Martínez" in match.home.seat_names
    add_member(Actor.system(), scene.club, player, Membership.Role.ARBITER)
    report_result(Actor.for_user(player), match, score=WON)
    client = Client(headers={"Accept-Language": "es"})
    client.force_login(player)
    form = {"round": "1", "seen": [f"{match.pk}:1"]}
    page = client.post(at(scene, "desk-confirm"), form, follow=True).content.decode()
    assert "Mesa 1: " in page
    assert counting(match) is None


def test_disputes_wait_in_the_order_in_which_they_came(
    scene: scenes.Scene, arbiter: Client
) -> None:
    for match, reason in zip(scene.matches(), ("Primera", "Segunda"), strict=True):
        reported(match)
        dispute_result(scene.organiser, match, reason)
    opened_at = timezone.now() - timedelta(minutes=17)
    Dispute.objects.filter(reason="Segunda").update(opened_at=opened_at)
    page = read(arbiter, at(scene))
    assert "2 reclamaciones pendientes" in page
    assert f"{timezone.localtime(opened_at):%H:%M}" in page
    assert page.index("Segunda") < page.index("Primera")


def test_without_a_round_being_played_the_desk_says_so() -> None:
    scene = scenes.draft()
    client = Client(headers={"Accept-Language": "es"})
    client.force_login(scene.users["arbiter"])
    assert "No se está jugando ninguna ronda" in read(client, at(scene))
    assert 'name="table"' not in read(client, at(scene))


def test_several_rounds_at_once_each_have_their_tables(
    scene: scenes.Scene, arbiter: Client
) -> None:
    publish_round(scene.organiser, scene.rounds[1])
    page = read(arbiter, at(scene, query="?round=2"))
    assert "<h1>Ronda 2</h1>" in page
    assert '?round=1"' in page
    assert arbiter.get(at(scene, query="?round=3")).status_code == 404


def test_the_line_offers_the_next_table_that_waits(scene: scenes.Scene, arbiter: Client) -> None:
    assert 'placeholder="1"' in read(arbiter, at(scene))
    assert 'placeholder="2"' in enter(arbiter, scene, "1", "3-1")
    last = enter(arbiter, scene, "2", "3-1", state="waiting")
    assert 'name="table"' in last
    assert 'placeholder="1"' not in last
    assert 'placeholder="2"' not in last


def test_after_the_last_table_the_first_that_still_waits_is_offered(
    scene: scenes.Scene, arbiter: Client
) -> None:
    assert 'placeholder="1"' in enter(arbiter, scene, "2", "3-1")


def test_the_keys_of_the_desk_are_on_its_page(scene: scenes.Scene, arbiter: Client) -> None:
    assert "vacía la línea" in read(arbiter, at(scene))


@pytest.mark.parametrize("make", [scenes.draft, scenes.drawn])
def test_while_no_round_is_played_the_board_sends_the_browser_to_the_page(
    make: Callable[[], scenes.Scene],
) -> None:
    scene = make()
    client = Client()
    client.force_login(scene.users["arbiter"])
    response = client.get(reverse("desk-board", args=[scene.tournament.slug]) + "?round=1")
    assert (response.status_code, response["HX-Refresh"]) == (200, "true")


# --- The control room ---------------------------------------------------------------------------


@pytest.fixture
def organiser(scene: scenes.Scene) -> Client:
    client = Client(headers={"Accept-Language": "es"})
    client.force_login(scene.users["organiser"])
    return client


def test_the_desk_of_earlier_releases_is_the_control_room(
    scene: scenes.Scene, arbiter: Client
) -> None:
    old, new = (arbiter.get(at(scene, name)) for name in ("desk", "control"))
    assert old.templates[0].name == new.templates[0].name == "results/control_room/page.html"


def test_a_table_opens_with_what_may_be_done_at_it(scene: scenes.Scene, arbiter: Client) -> None:
    first, second = scene.matches()
    reported(first)

    def opened(match: Match) -> str:
        return read(arbiter, reverse("control-table", args=[scene.tournament.slug, match.pk]))

    links = {name: reverse(name, args=[first.pk]) for name in ("correct-result", "dispute")}
    assert all(link in opened(first) for link in links.values())
    assert reverse("confirm-result", args=[first.pk]) in opened(first)
    assert reverse("postpone", args=[second.pk]) in opened(second)
    assert reverse("dispute", args=[second.pk]) not in opened(second)
    assert reverse("entry", args=[scene.tournament.slug, second.home.number]) in opened(second)


def test_the_next_round_is_published_in_three_presses(
    scene: scenes.Scene, organiser: Client
) -> None:
    for match in scene.matches():
        report_result(scene.organiser, match, score=WON)
    presses = 0
    while not Round.objects.filter(number=2, state="published").exists():
        page = read(organiser, at(scene, "control"))
        step = page[page.index('id="step"') : page.index('id="step-button"')]
        fields = dict(re.findall(r'name="(back|after)" value="(\w+)"', step))
        (action,) = re.findall(r'action="(.*?)"', step)
        response = organiser.post(action, fields)
        assert response["Location"] == at(scene, "control")
        presses += 1
    assert presses <= 3


def test_an_entry_comes_back_and_a_new_pair_comes_by_the_same_form(
    scene: scenes.Scene, organiser: Client
) -> None:
    away = scene.matches()[0].home
    withdraw(scene.organiser, away)
    organiser.post(at(scene, "control-late"), {"back": away.number})
    assert not away.absences.filter(until_round__isnull=True).exists()
    refused = organiser.post(at(scene, "control-late"), {"first": "", "second": "Berta Ríos"})
    assert refused.status_code == 422
    assert "Berta Ríos" in refused.content.decode()


def test_a_new_pair_plays_from_the_next_round_on() -> None:
    scene = late_scene()
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(scene.users["organiser"])
    people = {"first": "Alba Cano", "second": "Berta Ríos"}
    assert client.post(at(scene, "control-late"), people)["Location"] == at(scene, "control")
    assert scene.tournament.entries.get(number=5).joined_round == 2
    page = client.get(at(scene, "control")).content.decode()
    assert "Alba Cano / Berta Ríos is there. From now on it is in every draw." in page


def test_a_latecomer_is_sent_to_the_table_where_it_plays_now() -> None:
    scene = late_scene()
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(scene.users["organiser"])
    client.post(at(scene, "control-late"), {"first": "Alba Cano", "second": "Berta Ríos"})
    play_out(scene.rounds[0])
    publish_round(scene.organiser, draw_next(scene.organiser, scene.tournament, after=1))
    client.post(at(scene, "control-late"), {"first": "Carla Díaz", "second": "Eva Gil"})
    page = client.get(at(scene, "control")).content.decode()
    assert "Carla Díaz / Eva Gil is there and plays now: round 2, table 3." in page


def test_the_hall_gets_an_announcement_and_then_none(scene: scenes.Scene, arbiter: Client) -> None:
    arbiter.post(at(scene, "announce"), {"text": "Pausa de diez minutos."})
    assert "Pausa de diez minutos." in read(arbiter, at(scene, "control"))
    too_long = arbiter.post(at(scene, "announce"), {"text": "x" * 201})
    assert too_long.status_code == 422
    arbiter.post(at(scene, "announce"), {"text": ""})
    scene.tournament.refresh_from_db()
    assert scene.tournament.announcement == ""


def test_the_control_room_asks_for_as_much_however_many_tables_there_are(
    scene: scenes.Scene, organiser: Client
) -> None:
    few = count_queries(lambda: read(organiser, at(scene, "control")))[1]
    for match in scene.matches():
        report_result(scene.organiser, match, score=WON)
    many = count_queries(lambda: read(organiser, at(scene, "control")))[1]
    assert many <= few <= 35


def decided(client: Client, match: Match, name: str, back: str, **fields: str) -> str:
    """Send a form about a match; return where its answer leads."""
    response = client.post(reverse(name, args=[match.pk]) + back, {"reason": "Visto.", **fields})
    assert response.status_code == 302, response.context["form"].errors
    return str(response["Location"])


def test_what_is_begun_in_the_control_room_leads_back_there(
    scene: scenes.Scene, arbiter: Client
) -> None:
    match, control = scene.matches()[0], at(scene, "control")
    panel = read(arbiter, reverse("control-table", args=[scene.tournament.slug, match.pk]) + BACK)
    for name in ("report", "correct-result", "forfeit", "postpone"):
        assert f'href="{reverse(name, args=[match.pk])}{BACK}"' in panel
    page = read(arbiter, reverse("postpone", args=[match.pk]) + BACK)
    assert page.count(f'href="{control}"') == 2  # the crumb, and Cancel
    score = {"home_hands": "3", "away_hands": "1"}
    assert decided(arbiter, match, "postpone", BACK) == control
    assert decided(arbiter, match, "resume", BACK) == control
    assert decided(arbiter, match, "report", BACK, **score) == control
    assert decided(arbiter, match, "dispute", BACK) == control
    assert (
        decided(arbiter, match, "take-up", BACK) == reverse("rule-dispute", args=[match.pk]) + BACK
    )
    dispute = str(match.disputes.get().pk)
    ruled = {"dispute": dispute, "ruling": "uphold"}
    assert decided(arbiter, match, "rule-dispute", BACK, **ruled) == control
    other = scene.matches()[1]
    assert decided(arbiter, other, "forfeit", BACK, sides="away", why="other") == control


@pytest.mark.parametrize("back", ["", "?back=https://evil.example/", "?back=//evil.example"])
def test_what_is_begun_elsewhere_leads_to_the_match_and_nowhere_else(
    scene: scenes.Scene, arbiter: Client, back: str
) -> None:
    match = scene.matches()[0]
    match_path = reverse("match", args=[match.pk])
    assert decided(arbiter, match, "postpone", back) == match_path
    page = read(arbiter, reverse("correct-result", args=[match.pk]) + back)
    assert f'<a class="button" href="{match_path}">' in page  # Cancel
    assert decided(arbiter, match, "resume", back) == match_path


def test_the_way_back_leads_to_an_earlier_round_while_it_is_played(
    scene: scenes.Scene, arbiter: Client
) -> None:
    form = reverse("correct-result", args=[scene.matches()[0].pk]) + BACK
    for match in scene.matches():
        scene.submit(match)
    publish_round(scene.organiser, scene.rounds[1])
    room = at(scene, "control")
    assert f'<a class="button" href="{room}?round=1">' in read(arbiter, form)  # Cancel
    read(arbiter, f"{room}?round=1")
    close_round(scene.organiser, scene.rounds[0])
    assert f'<a class="button" href="{room}">' in read(arbiter, form)

"""A tournament directed over the API: drafts edited, the clock, entries, results, disputes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.caller import Caller, problem
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import AuditEvent
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from tests.support.scenes import Scene

keys = count()


def post_ok(caller: Caller, path: str, **body: Any) -> Any:
    response = caller.submit(path, json.dumps(body), f"told-{next(keys)}")
    assert response.status_code == 201, response.content
    return json.loads(response.content)


@pytest.fixture
def base(scene: Scene) -> str:
    return f"tournaments/{scene.tournament.slug}/"


def test_two_entries_of_a_draft_change_places(scene: Scene, organiser: Caller, base: str) -> None:
    before = [(match.home_id, match.away_id) for match in scene.matches(2)]
    post_ok(organiser, f"{base}rounds/2/swap/", one=1, other=2)
    assert [(match.home_id, match.away_id) for match in scene.matches(2)] != before


def test_a_table_is_taken_apart_and_made_again(scene: Scene, organiser: Caller, base: str) -> None:
    match = scene.matches(2)[0]
    sides = {"one": match.home.number, "other": match.away.number if match.away else 0}
    post_ok(organiser, f"matches/{match.pk}/unpair/")
    post_ok(organiser, f"{base}rounds/2/pair/", **sides)
    assert len(scene.matches(2)) == 2


@pytest.mark.parametrize("body", [{"after": 0}, {}])
def test_a_first_round_thrown_away_is_drawn_again(
    organiser: Caller, scene: Scene, body: dict[str, int]
) -> None:
    draft = create_tournament(scene.organiser, scene.club, "Copa")
    enter_newcomers(scene.organiser, draft, list(scene.club.pairs.all()[:4]))
    path = f"tournaments/{draft.slug}/"
    post_ok(organiser, f"{path}draw/")
    assert draft.stages.get().rounds.count() == 3
    post_ok(organiser, f"{path}rounds/1/discard/")
    assert not draft.stages.get().rounds.exists()
    post_ok(organiser, f"{path}draw/", **body)
    assert draft.stages.get().rounds.count() == 3
    told = problem(organiser.submit(f"{path}draw/", "{}", "once-more"), 409, "after_missing")
    assert "`after`" in told["detail"]


def test_the_clock_starts_stops_and_goes_on(scene: Scene, organiser: Caller, base: str) -> None:
    post_ok(organiser, f"{base}rounds/1/clock/start/", minutes=50)
    post_ok(organiser, f"{base}rounds/1/clock/stop/")
    assert scene.rounds[0].clock_stopped_at is not None
    post_ok(organiser, f"{base}rounds/1/clock/resume/")
    assert scene.rounds[0].clock_stopped_at is None


def test_an_entry_comes_is_punished_leaves_and_returns(
    scene: Scene, organiser: Caller, base: str
) -> None:
    entry = scene.tournament.entries.get(number=2)
    post_ok(organiser, f"{base}entries/2/check-in/")
    entry.refresh_from_db()
    assert entry.checked_in_at
    post_ok(organiser, f"{base}entries/2/penalise/", round=1, reason="Tarde.", match_points="0.5")
    post_ok(organiser, f"{base}entries/2/penalise/", round=1, reason="Tarde.", match_points="0,5")
    points = entry.penalties.values_list("match_points", flat=True)
    assert list(points) == [Decimal("0.5"), Decimal("0.5")]
    post_ok(organiser, f"{base}entries/2/withdraw/")
    assert entry.absences.exists()
    post_ok(organiser, f"{base}entries/2/return/")
    assert not entry.absences.filter(until_round=None).exists()


def test_a_match_is_put_off_to_a_moment_whatever_its_offset(
    scene: Scene, organiser: Caller
) -> None:
    match = next(match for match in scene.matches() if match.state == "pending")
    post_ok(organiser, f"matches/{match.pk}/postpone/", to="2026-12-05T21:00:00-16:30")
    match.refresh_from_db()
    assert match.postponed_to == datetime(2026, 12, 6, 13, 30, tzinfo=UTC)
    listed = organiser.read(f"tournaments/{scene.tournament.slug}/matches/")["results"]
    days = {row["id"]: row["postponed_to"] for row in listed}
    assert days.pop(match.pk)[:10] == "2026-12-06"
    assert set(days.values()) == {None}


@pytest.mark.parametrize("to", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_a_match_put_off_to_the_end_of_the_calendar_is_still_shown(
    scene: Scene, organiser: Caller, to: str
) -> None:
    match = next(match for match in scene.matches() if match.state == "pending")
    post_ok(organiser, f"matches/{match.pk}/postpone/", to=to)
    postponed_to = organiser.read(f"matches/{match.pk}/")["postponed_to"]
    assert postponed_to[:4] == to[:4]
    assert organiser.client.get(f"/matches/{match.pk}/").status_code == 200


@pytest.mark.parametrize("to", ["tomorrow", "2026-13-41T20:00:00Z", "2026-12-05T21:00:00"])
def test_a_match_is_not_put_off_to_what_is_no_moment(
    scene: Scene, organiser: Caller, to: str
) -> None:
    match = next(match for match in scene.matches() if match.state == "pending")
    body = json.dumps({"to": to})
    response = organiser.submit(f"matches/{match.pk}/postpone/", body, f"told-{next(keys)}")
    problem(response, 400, "bad_parameter")


def test_a_corrected_result_counts_and_the_old_one_is_kept(scene: Scene, organiser: Caller) -> None:
    match = scene.matches()[0]
    post_ok(
        organiser,
        f"matches/{match.pk}/correct/",
        home_hands=0,
        away_hands=3,
        reason="Los bandos, al revés.",
    )
    assert match.results.count() == 2
    assert match.results.counting().get().away_hands == 3


def test_a_dispute_is_ruled_on(scene: Scene, organiser: Caller) -> None:
    match = scene.matches()[0]
    dispute = dispute_result(scene.organiser, match, "Faltó una baza.")
    post_ok(organiser, f"disputes/{dispute.pk}/rule/", ruling="uphold", reason="Estaba.")
    dispute.refresh_from_db()
    assert dispute.state == "upheld"


def test_what_a_ruling_would_change_is_answered_before_it_is_given(
    scene: Scene, organiser: Caller
) -> None:
    match = scene.matches()[0]
    dispute = dispute_result(scene.organiser, match, "Al revés.")
    live = match.results.get(live=True)
    ruling = {
        "ruling": "amend",
        "reason": "Al revés.",
        "home_hands": live.away_hands,
        "away_hands": live.home_hands,
    }
    preview, events = f"disputes/{dispute.pk}/preview/", AuditEvent.objects.count()
    response = organiser.submit(preview, json.dumps(ruling), None)
    assert response.status_code == 200, response.content
    preview_of_it = json.loads(response.content)
    assert preview_of_it["before"]["home_hands"] == preview_of_it["after"]["away_hands"] != 0
    winner = preview_of_it["standings"][0]
    assert (winner["before"], winner["points_before"]) != (winner["after"], winner["points_after"])
    dispute.refresh_from_db()
    assert (dispute.state, AuditEvent.objects.count()) == ("open", events)
    assert match.results.get(live=True) == live
    post_ok(organiser, f"disputes/{dispute.pk}/rule/", **ruling)
    table = organiser.read(f"tournaments/{scene.tournament.slug}/standings/")["rows"]
    assert [(row["number"], row["rank"]) for row in table] == [
        (row["number"], row["after"]) for row in preview_of_it["standings"]
    ]


def test_a_preview_of_a_void_result_has_no_table(scene: Scene, organiser: Caller) -> None:
    dispute = dispute_result(scene.organiser, scene.matches()[0], "Mal dado.")
    body = json.dumps({"ruling": "void", "reason": "Se juega otra vez."})
    answer = json.loads(organiser.submit(f"disputes/{dispute.pk}/preview/", body, None).content)
    assert answer["before"]
    assert (answer["after"], answer["standings"]) == (None, None)


def test_a_preview_is_refused_as_the_ruling_would_be(scene: Scene, organiser: Caller) -> None:
    dispute = dispute_result(scene.organiser, scene.matches()[0], "Mal dado.")
    preview = f"disputes/{dispute.pk}/preview/"
    body = json.dumps({"ruling": "amend", "reason": "Sin resultado."})
    problem(organiser.submit(preview, body, None), 422, "amendment_missing")
    post_ok(organiser, f"disputes/{dispute.pk}/rule/", ruling="uphold", reason="Estaba.")
    body = json.dumps({"ruling": "void", "reason": "Otra vez."})
    problem(organiser.submit(preview, body, None), 409, "already_ruled")


def test_said_twice_under_one_key_it_is_done_once(
    scene: Scene, organiser: Caller, base: str
) -> None:
    body = '{"round": 1, "reason": "Tarde.", "points": 10}'
    for replayed in (None, "true"):
        response = organiser.submit(f"{base}entries/1/penalise/", body, "once")
        assert response.status_code == 201
        assert response.headers.get("Idempotency-Replayed") == replayed
    assert scene.tournament.entries.get(number=1).penalties.count() == 1


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        '{"minutes": "50"}',
        '{"minutes": 50.0}',
        '{"minutes": true}',
        '{"minutes": null}',
        '{"minutes": 0}',
        '{"minutes": 50, "seconds": 1}',
    ],
)
def test_nothing_is_made_to_fit(scene: Scene, organiser: Caller, base: str, body: str) -> None:
    problem(organiser.submit(f"{base}rounds/1/clock/start/", body), 400, "bad_parameter")

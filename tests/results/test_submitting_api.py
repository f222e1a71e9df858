"""Submitting a record: what counts, what is kept, and what stays as it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.clubs import SYSTEM, link_player
from tests.support.caller import Caller, problem
from tests.support.scenes import Scene, record_between, records_of, spoiled, user_named
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.models import AuditEvent, Match, Record
from tournaments.results.services.matches import dispute_result
from tournaments.results.services.submit import judge

if TYPE_CHECKING:
    from tests.conftest import Issue
    from tournaments.results.services.submission import SubmissionOutcome


def waiting(scene: Scene) -> Match:
    """The match of the first round that is still to be played."""
    return scene.matches()[1]


def good(match: Match) -> str:
    return record_between(match, records_of("records"))


def standings(caller: Caller, scene: Scene) -> object:
    return caller.read(f"tournaments/{scene.tournament.slug}/standings/")["rows"]


def test_a_valid_record_is_accepted_and_counts(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    before = standings(organiser, scene)
    response = organiser.submit(f"matches/{match.pk}/records/", good(match))
    body = json.loads(response.content)
    assert response.status_code == 201, body
    assert body["duplicate"] is False
    assert body["verdict"]["valid"] is True
    assert response.headers["Location"] == body["record"]
    document = Caller().read(body["record"])
    assert document["text"] == good(match)
    assert document["record"]["state"] == "accepted"
    assert document["record"]["digest"] == body["verdict"]["digest"]
    assert Caller().read(body["match"])["match"]["state"] == "accepted"
    assert standings(organiser, scene) != before


def test_a_record_finds_its_match_by_its_seats(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    path = f"tournaments/{scene.tournament.slug}/records/"
    body = json.loads(organiser.submit(path, good(match)).content)
    assert body["match"].endswith(f"/matches/{match.pk}/")


def test_a_record_sent_twice_is_stored_once(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    path = f"matches/{match.pk}/records/"
    first = organiser.submit(path, good(match), key="one")
    second = organiser.submit(path, good(match), key="two")
    assert (first.status_code, second.status_code) == (201, 200)
    body = json.loads(second.content)
    assert body["duplicate"] is True
    assert body["record"] == json.loads(first.content)["record"]
    assert Record.objects.filter(match=match).count() == 1


def test_the_same_game_written_differently_is_the_same_record(
    scene: Scene, organiser: Caller
) -> None:
    match = waiting(scene)
    path = f"matches/{match.pk}/records/"
    organiser.submit(path, good(match), key="one")
    other = json.dumps({**json.loads(good(match)), "tags": {"site": "Huesca"}}, indent=1)
    assert organiser.submit(path, other, key="two").status_code == 200
    assert Record.objects.filter(match=match).count() == 1


def test_a_request_repeated_under_its_key_gets_the_same_answer(
    scene: Scene, organiser: Caller
) -> None:
    match = waiting(scene)
    path = f"matches/{match.pk}/records/"
    first = organiser.submit(path, good(match))
    events = AuditEvent.objects.count()
    second = organiser.submit(path, good(match))
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert Record.objects.filter(match=match).count() == 1
    assert AuditEvent.objects.count() == events


def test_a_refusal_repeated_under_its_key_is_the_same_refusal(
    scene: Scene, organiser: Caller
) -> None:
    match = waiting(scene)
    path, wrong = f"matches/{match.pk}/records/", spoiled(good(match)).text
    first, second = organiser.submit(path, wrong), organiser.submit(path, wrong)
    assert first.status_code == 422
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert Record.objects.filter(match=match).count() == 1


def test_a_key_used_for_another_record_is_refused(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    path = f"matches/{match.pk}/records/"
    organiser.submit(path, good(match))
    other = organiser.submit(path, spoiled(good(match)).text)
    problem(other, 422, "idempotency_mismatch")
    assert Record.objects.filter(match=match).count() == 1


def test_the_key_of_one_token_is_not_that_of_another(scene: Scene, issue: Issue) -> None:
    match = waiting(scene)
    path = f"matches/{match.pk}/records/"
    assert issue("organiser").submit(path, good(match)).status_code == 201
    assert issue("arbiter").submit(path, good(match)).status_code == 200


def test_a_request_under_way_is_not_carried_out_beside_itself(
    scene: Scene, organiser: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = waiting(scene)
    path = f"matches/{match.pk}/records/"
    meanwhile = []

    def slow(*arguments: Any) -> SubmissionOutcome:
        meanwhile.append(organiser.submit(path, good(match)))
        return judge(*arguments)

    monkeypatch.setattr("tournaments.results.services.submit.judge", slow)
    assert organiser.submit(path, good(match)).status_code == 201
    problem(meanwhile[0], 409, "idempotency_in_flight")
    assert 1 <= int(meanwhile[0].headers["Retry-After"]) <= 60
    assert Record.objects.filter(match=match).count() == 1


def test_a_submission_without_a_key_is_refused(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    response = organiser.submit(f"matches/{match.pk}/records/", good(match), key=None)
    problem(response, 400, "idempotency_key_missing")


@pytest.mark.parametrize("key", ["", "   ", "k" * 201, "clave ñ"])
def test_a_key_that_cannot_be_one_is_refused(scene: Scene, organiser: Caller, key: str) -> None:
    match = waiting(scene)
    response = organiser.submit(f"matches/{match.pk}/records/", good(match), key=key)
    problem(response, 400, "bad_idempotency_key")


def test_an_illegal_card_is_named_among_the_legal_ones(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    wrong = spoiled(good(match))
    before = standings(organiser, scene)
    response = organiser.submit(f"matches/{match.pk}/records/", wrong.text)
    fault = json.loads(response.content)["verdict"]["faults"][0]
    body = problem(response, 422, fault["code"])
    assert fault["code"].startswith("play.")
    assert (fault["seat"], fault["card"]) == (wrong.seat, wrong.card)
    assert set(fault["legal"]) == set(wrong.legal)
    assert body["pointer"] == fault["path"] == "/hands/0/play"
    assert body["detail"] == fault["message"]
    assert standings(organiser, scene) == before
    assert Caller().read(f"matches/{match.pk}/")["match"]["state"] == "pending"


def test_a_refused_record_is_kept_where_the_answer_says(scene: Scene, issue: Issue) -> None:
    match = next(m for m in scene.matches() if m.state == "pending")
    wrong = spoiled(good(match)).text
    arbiter = issue("arbiter")
    body = json.loads(arbiter.submit(f"matches/{match.pk}/records/", wrong).content)
    document = arbiter.read(body["record"])
    assert document["text"] == wrong
    assert document["record"]["state"] == "refused"
    assert document["record"]["code"] == body["code"]
    assert document["verdict"]["faults"] == body["verdict"]["faults"]
    moment = document["moments"][0]
    assert moment["code"] == body["code"]
    assert set(moment["frame"]["legal"]) == set(body["verdict"]["faults"][0]["legal"])
    problem(Caller().get(body["record"]), 404, "not_found")


def test_the_message_is_in_the_language_asked_for(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    path, wrong = f"matches/{match.pk}/records/", spoiled(good(match)).text
    messages = {}
    for language in ("es", "en"):
        response = organiser.submit(path, wrong, key=language, **{"Accept-Language": language})
        assert response.headers["Content-Language"] == language
        messages[language] = json.loads(response.content)
    assert messages["es"]["detail"] != messages["en"]["detail"]
    assert messages["es"]["verdict"]["faults"][0]["message"] == messages["es"]["detail"]
    assert messages["es"]["code"] == messages["en"]["code"]


def test_a_player_submits_for_their_own_table_alone(scene: Scene, issue: Issue) -> None:
    player = issue("player")
    own_match = next(
        match
        for number in (1, 2, 3)
        for match in matches_of(scene, number)
        if match.state == "pending" and "Pilar Martínez" in names(match)
    )
    other = next(m for m in matches_of(scene, 1) if "Pilar Martínez" not in names(m))
    assert player.submit(f"matches/{own_match.pk}/records/", good(own_match)).status_code in (
        200,
        201,
    )
    problem(player.submit(f"matches/{other.pk}/records/", good(other), key="b"), 403, "forbidden")


def matches_of(scene: Scene, number: int) -> list[Match]:
    """The matches of a round, published if need be."""
    round_ = scene.rounds[number - 1]
    if round_.state == "draft":
        publish_round(scene.organiser, round_)
    return scene.matches(number)


def names(match: Match) -> tuple[str, ...]:
    assert match.away
    return (*match.home.seat_names, *match.away.seat_names)


def test_another_record_of_a_decided_match_opens_a_dispute(scene: Scene, organiser: Caller) -> None:
    match = scene.matches()[0]
    response = organiser.submit(f"matches/{match.pk}/records/", another(match))
    body = problem(response, 409, "conflicting_log")
    assert organiser.read(body["record"])["record"]["state"] == "contested"
    assert organiser.read(f"matches/{match.pk}/")["match"]["state"] == "disputed"
    assert Record.objects.filter(match=match, state="accepted").count() == 1


def test_an_arbiter_rules_that_the_contested_record_counts(scene: Scene, organiser: Caller) -> None:
    match = scene.matches()[0]
    contested = problem(
        organiser.submit(f"matches/{match.pk}/records/", another(match)), 409, "conflicting_log"
    )["record"]
    dispute = f"disputes/{match.disputes.get().pk}"
    ruling = {"ruling": "amend", "reason": "Consta en acta.", "contested": True}
    double_ruling = json.dumps({**ruling, "home_hands": 0, "away_hands": 3})
    problem(organiser.submit(f"{dispute}/rule/", double_ruling, "both"), 422, "amendment_missing")
    body = json.loads(organiser.submit(f"{dispute}/preview/", json.dumps(ruling), None).content)
    response = organiser.submit(f"{dispute}/rule/", json.dumps(ruling), "contested")
    assert response.status_code == 201, response.content
    page = organiser.read(f"matches/{match.pk}/")
    assert contested.endswith(f"/records/{page['record']['id']}/")
    assert (page["disputes"][0]["state"], page["match"]["state"]) == ("amended", "accepted")
    assert body["after"]["home_hands"] == page["results"][0]["score"]["home_hands"]


def test_a_program_that_may_rule_may_see_what_the_ruling_would_change(
    scene: Scene, issue: Issue
) -> None:
    dispute = dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
    ruling = json.dumps({"ruling": "uphold", "reason": "Consta en acta."})
    for scopes, status in ((("tournaments:manage",), 200), (("games:read",), 403)):
        caller = issue("arbiter", scopes)
        response = caller.submit(f"disputes/{dispute.pk}/preview/", ruling, None)
        assert response.status_code == status


def test_where_nothing_contradicts_the_result_nothing_else_can_count(
    scene: Scene, organiser: Caller
) -> None:
    dispute = dispute_result(scene.organiser, scene.matches()[0], "Faltó una baza.")
    ruling = json.dumps({"ruling": "amend", "reason": "La otra.", "contested": True})
    response = organiser.submit(f"disputes/{dispute.pk}/rule/", ruling, "contested")
    problem(response, 422, "amendment_missing")


def another(match: Match) -> str:
    """A valid record of a game that these four did not play: another match's hands."""
    own_text = good(match)
    hands = json.loads(next(text for text in records_of("records") if text != own_text))["hands"]
    return json.dumps({**json.loads(own_text), "hands": hands, "score": None, "winner": None})


def test_a_record_for_another_match_changes_nothing(scene: Scene, organiser: Caller) -> None:
    played, match = scene.matches()[0], waiting(scene)
    before = standings(organiser, scene)
    response = organiser.submit(f"matches/{match.pk}/records/", good(played))
    body = problem(response, 422, "pairing_mismatch")
    assert organiser.read(body["record"])["record"]["state"] == "refused"
    assert standings(organiser, scene) == before


def test_strangers_at_the_table_are_named(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    record = json.loads(good(match))
    record["seats"][1] = "Zutano Mengánez"
    path = f"tournaments/{scene.tournament.slug}/records/"
    body = problem(organiser.submit(path, json.dumps(record)), 422, "not_a_participant")
    assert "Zutano Mengánez" in body["detail"]


def test_partners_must_sit_opposite_each_other(scene: Scene, organiser: Caller) -> None:
    match = waiting(scene)
    record = json.loads(good(match))
    first, second, third, fourth = record["seats"]
    record["seats"] = [first, third, second, fourth]
    response = organiser.submit(f"matches/{match.pk}/records/", json.dumps(record))
    problem(response, 422, "pairing_mismatch")


def test_a_round_that_is_not_being_played_takes_no_records(scene: Scene, organiser: Caller) -> None:
    draft = scene.matches(2)[0]
    problem(organiser.submit(f"matches/{draft.pk}/records/", good(draft)), 409, "round_closed")
    scene.submit(waiting(scene))
    close_round(scene.organiser, scene.rounds[0])
    late = scene.matches()[1]
    response = organiser.submit(f"matches/{late.pk}/records/", another(late), key="late")
    problem(response, 409, "round_closed")


def test_a_players_record_waits_until_the_other_side_sends_the_same(
    scene: Scene, issue: Issue
) -> None:
    match = waiting(scene)
    assert match.home.pair is not None
    assert match.away is not None
    assert match.away.pair is not None
    home = user_named("home")
    away = user_named("away")
    link_player(SYSTEM, match.home.pair.first, home)
    link_player(SYSTEM, match.away.pair.second, away)
    scene.users.update(home=home, away=away)
    path = f"matches/{match.pk}/records/"
    first = issue("home", ("games:submit",)).submit(path, good(match))
    body = json.loads(first.content)
    assert (first.status_code, body["outcome"]) == (201, "reported")
    assert Match.objects.get(pk=match.pk).state == "reported"
    assert not match.results.counting().exists()
    second = issue("away", ("games:submit",)).submit(path, good(match))
    confirmed = json.loads(second.content)
    assert (second.status_code, confirmed["outcome"]) == (200, "confirmed")
    assert confirmed["duplicate"] is False
    assert confirmed["record"] == body["record"]
    assert Match.objects.get(pk=match.pk).state == "accepted"
    assert match.results.counting().exists()

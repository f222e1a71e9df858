"""A club's webhooks: what is sent, how it is signed, and what becomes of what fails."""

from __future__ import annotations

import json
from datetime import UTC, timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from tests.clubs import (
    SYSTEM,
    a_club,
    a_draft,
    arbiter,
    organiser,
    program,
    stranger,
    submitted,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.caller import assert_sent_as_documented
from tests.support.refusals import refusal
from tests.support.webhook_scenes import (
    URL,
    OtherSide,
    a_webhook,
    let_time_pass,
    reply_with,
    unanswered,
)
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.services.tournaments import publish_round
from tournaments.domain import webhooks as webhook_rules
from tournaments.domain.feed import TYPES
from tournaments.domain.trail.checkpoints import Checkpoint, is_signed
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.live.queries.feed import sequence_of
from tournaments.models import AuditCounter, AuditEvent, Club, Delivery, Tournament, Webhook
from tournaments.models.webhooks import derive_secret
from tournaments.webhooks.services import deliveries
from tournaments.webhooks.services.deliveries import (
    claim,
    send_due,
    send_leased,
    store_outcome,
    wake_due,
)
from tournaments.webhooks.services.webhooks import (
    MAX_PER_CLUB,
    change_secret,
    pause_webhook,
    ping,
    redeliver,
    redeliver_failed,
    remove_webhook,
    resume_webhook,
    secret_text,
)

pytestmark = pytest.mark.django_db

State = Delivery.State


@pytest.fixture
def other_side(monkeypatch: pytest.MonkeyPatch) -> OtherSide:
    return OtherSide().install(monkeypatch)


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def league(club: Club) -> Tournament:
    return the_liguilla(club, published=1)


def the_delivery() -> Delivery:
    return Delivery.objects.select_related("webhook__club").get()


# --- what is published ----------------------------------------------------------------------------


def test_a_result_is_reported_thinly(club: Club, league: Tournament, other_side: OtherSide) -> None:
    a_webhook(club)
    submitted(league, 0)
    assert send_due(club.pk) == 1
    (message,) = other_side.messages
    assert_sent_as_documented("event", message)
    event = AuditEvent.objects.get(verb="record.accepted")
    assert message["type"] == "result.accepted"
    assert message["timestamp"] == event.at.astimezone(UTC).isoformat()
    data = message["data"]
    assert sequence_of(league.pk, data.pop("token")) == event.sequence
    match = the_match(league, 1, 1)
    assert data == {
        "club": club.slug,
        "tournament": league.slug,
        "subject": {"kind": "match", "id": match.pk},
        "standings": True,
    }


def test_a_webhook_can_ask_for_all_that_the_feed_shows_and_for_checkpoints() -> None:
    assert set(Webhook.Type.values) == {*TYPES, "audit.checkpoint"}


def test_what_happened_before_it_was_added_is_not_reported(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    submitted(league, 0)
    a_webhook(club)
    assert send_due(club.pk) == 0
    publish_round(SYSTEM, the_round(league, 2))
    assert send_due(club.pk) == 1
    assert other_side.types == ["round.published"]


def test_what_members_alone_may_read_is_not_reported(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    a_webhook(club)
    organiser(club)
    submitted(league, 3)
    bad = club.events.count()
    a_draft(club, "Torneo secreto")
    assert club.events.count() > bad
    send_due(club.pk)
    assert other_side.types == ["result.accepted"]
    assert "secreto" not in json.dumps(other_side.messages)


def test_only_the_kinds_that_were_asked_for_are_reported(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    a_webhook(club, types=["round.published"])
    submitted(league, 0)
    publish_round(SYSTEM, the_round(league, 2))
    send_due(club.pk)
    assert other_side.types == ["round.published"]


def test_a_webhook_of_one_tournament_hears_of_no_other(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    other = the_liguilla(club, published=0)
    a_webhook(club, tournament=league)
    publish_round(SYSTEM, the_round(other, 1))
    publish_round(SYSTEM, the_round(league, 2))
    send_due(club.pk)
    assert [message["data"]["tournament"] for message in other_side.messages] == [league.slug]


def test_a_checkpoint_of_the_history_is_reported_and_can_be_checked(
    club: Club, other_side: OtherSide
) -> None:
    a_webhook(club)
    a_webhook(club, types=["round.published"])
    audit_checkpoint = write_checkpoint(club.pk)
    assert audit_checkpoint is not None
    send_due(club.pk)
    (message,) = other_side.messages
    assert message["type"] == "audit.checkpoint"
    assert_sent_as_documented("club", message)
    checkpoint = Checkpoint(**message["data"]["checkpoint"])
    assert checkpoint == audit_checkpoint.to_checkpoint()
    assert is_signed(checkpoint)


def test_what_is_hidden_meanwhile_is_not_reported_any_more(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    a_webhook(club)
    submitted(league, 0)
    deliveries.create_deliveries(club.pk)
    Tournament.objects.update(state=Tournament.State.DRAFT)
    send_due(club.pk)
    assert other_side.messages == []
    assert the_delivery().state == State.WITHDRAWN


def test_every_event_is_taken_up_once_in_batches(
    club: Club, league: Tournament, other_side: OtherSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "BATCH_SIZE", 2)
    webhook = a_webhook(club, types=["result.accepted"])
    for index in range(4):
        submitted(league, index)
    assert [deliveries.create_deliveries(club.pk) for _ in range(4)] == [2, 2, 0, 0]
    webhook.refresh_from_db()
    assert webhook.position == AuditCounter.objects.get(club=club).last
    numbers = list(webhook.deliveries.order_by("pk").values_list("number", flat=True))
    verbs = AuditEvent.objects.filter(verb="record.accepted").order_by("sequence")
    assert numbers == list(verbs.values_list("sequence", flat=True))


def test_a_webhook_with_too_much_waiting_takes_up_no_more(
    club: Club, league: Tournament, other_side: OtherSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "MAX_WAITING", 1)
    a_webhook(club)
    submitted(league, 0)
    assert deliveries.create_deliveries(club.pk) == 1
    submitted(league, 1)
    assert deliveries.create_deliveries(club.pk) == 0
    assert send_due(club.pk) == 1
    assert send_due(club.pk) == 1
    assert other_side.types == ["result.accepted"] * 2


def test_the_sweep_finds_what_is_due_and_nothing_else(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    assert wake_due() == 0
    a_webhook(club)
    submitted(league, 0)
    assert wake_due() == 1
    send_due(club.pk)
    assert wake_due() == 0
    other_side.says = lambda _: reply_with(500)
    submitted(league, 1)
    send_due(club.pk)
    assert wake_due() == 0
    let_time_pass(minutes=1)
    assert wake_due() == 1


# --- signatures -----------------------------------------------------------------------------------


def test_a_message_is_signed_as_the_standard_says(club: Club, other_side: OtherSide) -> None:
    webhook = a_webhook(club)
    delivery = ping(SYSTEM, webhook)
    send_due(club.pk)
    (headers,), (body,) = other_side.headers, other_side.bodies
    secret = derive_secret(webhook.salt)
    assert secret_text(webhook) == webhook_rules.encode_secret(secret)
    assert headers["webhook-id"] == delivery.message
    stamp = int(headers["webhook-timestamp"])
    assert abs(stamp - timezone.now().timestamp()) < 3600
    assert headers["webhook-signature"] == webhook_rules.signature(
        secret, delivery.message, stamp, body
    )
    assert headers["Content-Type"] == "application/json"


def test_no_two_webhooks_share_a_secret_and_none_is_stored(club: Club) -> None:
    webhook, other = a_webhook(club), a_webhook(club)
    assert secret_text(webhook) != secret_text(other)
    stored = [str(value) for value in Webhook.objects.filter(pk=webhook.pk).values().get().values()]
    bare = secret_text(webhook).removeprefix("whsec_")
    assert not [value for value in stored if bare in value]


def test_for_a_day_after_a_change_both_secrets_sign(club: Club, other_side: OtherSide) -> None:
    webhook = a_webhook(club)
    old = derive_secret(webhook.salt)
    webhook = change_secret(SYSTEM, webhook)
    new = derive_secret(webhook.salt)
    assert new != old

    def signed_by() -> list[bytes]:
        ping(SYSTEM, webhook)
        send_due(club.pk)
        headers, body = other_side.headers[-1], other_side.bodies[-1]
        message, stamp = headers["webhook-id"], int(headers["webhook-timestamp"])
        parts = headers["webhook-signature"].split(" ")
        return [s for s in (new, old) if webhook_rules.signature(s, message, stamp, body) in parts]

    assert signed_by() == [new, old]
    let_time_pass(hours=25)
    assert signed_by() == [new]


def test_with_another_key_of_the_service_nothing_is_signed_wrongly(
    club: Club, other_side: OtherSide
) -> None:
    webhook = a_webhook(club)
    ping(SYSTEM, webhook)
    with override_settings(SECRET_KEY="another-" + "y" * 50):
        send_due(club.pk)
        webhook.refresh_from_db()
        assert other_side.messages == []
        assert (webhook.state, webhook.why) == ("disabled", "key")
        with refusal(Reason.WEBHOOK_KEY_LOST):
            resume_webhook(SYSTEM, webhook)
        webhook = change_secret(SYSTEM, webhook)
        assert webhook.state == Webhook.State.ACTIVE
        send_due(club.pk)
        (body,), (headers,) = other_side.bodies, other_side.headers
        stamp = int(headers["webhook-timestamp"])
        assert headers["webhook-signature"] == webhook_rules.signature(
            derive_secret(webhook.salt), headers["webhook-id"], stamp, body
        )


# --- what fails -----------------------------------------------------------------------------------


def test_what_arrived_is_not_sent_again(club: Club, other_side: OtherSide) -> None:
    other_side.says = lambda _: reply_with(200, b"gracias")
    ping(SYSTEM, a_webhook(club))
    assert send_due(club.pk) == 1
    let_time_pass(days=9)
    assert send_due(club.pk) == 0
    delivery = the_delivery()
    assert (delivery.state, delivery.status, delivery.answer) == (State.ARRIVED, 200, "gracias")
    assert delivery.arrived_at is not None
    assert delivery.lease_until is None


@pytest.mark.parametrize(
    "reply", [reply_with(500, b"\x00broken \xff"), reply_with(302), unanswered(), reply_with(429)]
)
def test_what_fails_comes_again_under_the_same_id(
    club: Club, other_side: OtherSide, reply: object
) -> None:
    replies = [reply, reply_with(204)]
    other_side.says = lambda _: replies.pop(0)  # type: ignore[assignment,return-value]
    ping(SYSTEM, a_webhook(club))
    assert send_due(club.pk) == 1
    assert the_delivery().state == State.WAITING
    assert send_due(club.pk) == 0
    let_time_pass(seconds=6)
    assert send_due(club.pk) == 1
    assert the_delivery().state == State.ARRIVED
    first, second = other_side.headers
    assert first["webhook-id"] == second["webhook-id"]
    assert other_side.bodies[0] == other_side.bodies[1]


def test_a_message_is_given_up_after_ten_attempts(club: Club, other_side: OtherSide) -> None:
    other_side.says = lambda _: reply_with(500)
    ping(SYSTEM, a_webhook(club))
    for _ in range(20):
        send_due(club.pk)
        let_time_pass(hours=27)
        Webhook.objects.update(failing_since=timezone.now())  # for less than five days
    delivery = the_delivery()
    assert (delivery.state, delivery.attempts) == (State.FAILED, 10)
    assert len(other_side.messages) == 10
    assert delivery.webhook.state == Webhook.State.ACTIVE


def test_after_a_failure_the_webhook_rests_and_its_other_messages_with_it(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    other_side.says = lambda _: unanswered()
    a_webhook(club)
    for index in range(3):
        submitted(league, index)
    assert send_due(club.pk) == 1
    assert send_due(club.pk) == 0
    let_time_pass(seconds=6)
    assert send_due(club.pk) == 1


def test_one_message_that_fails_does_not_hold_up_the_others_for_long(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    other_side.says = lambda message: reply_with(
        500 if message["type"] == "round.published" else 204
    )
    a_webhook(club)
    publish_round(SYSTEM, the_round(league, 2))
    submitted(league, 0)
    assert send_due(club.pk) == 1
    let_time_pass(seconds=4)
    assert send_due(club.pk) == 0
    Webhook.objects.update(held_until=None)
    assert send_due(club.pk) == 1
    assert other_side.types == ["round.published", "result.accepted"]
    assert Delivery.objects.get(type="round.published").state == State.WAITING


def test_a_webhook_that_answers_410_is_disabled_at_once(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    other_side.says = lambda _: reply_with(410)
    webhook = a_webhook(club)
    submitted(league, 0)
    submitted(league, 1)
    assert send_due(club.pk) == 1
    webhook.refresh_from_db()
    assert (webhook.state, webhook.why) == ("disabled", "gone")
    let_time_pass(days=1)
    assert send_due(club.pk) == 0
    event = AuditEvent.objects.get(verb="webhook.disabled")
    assert (event.facts, event.actor) == ({"host": "club.example", "why": "gone"}, "system")


def test_a_webhook_that_fails_for_five_days_is_disabled(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    other_side.says = lambda _: unanswered()
    webhook = a_webhook(club)
    for index in range(2):
        submitted(league, index)
    for _ in range(9):
        send_due(club.pk)
        let_time_pass(hours=27)
    webhook.refresh_from_db()
    assert webhook.state == Webhook.State.ACTIVE
    send_due(club.pk)
    webhook.refresh_from_db()
    assert (webhook.state, webhook.why, webhook.failures) == ("disabled", "failing", 10)


def test_what_happened_while_it_was_disabled_is_reported_when_it_goes_on(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    other_side.says = lambda _: reply_with(410)
    webhook = a_webhook(club)
    submitted(league, 0)
    send_due(club.pk)
    submitted(league, 1)
    submitted(league, 2)
    other_side.says = lambda _: reply_with(204)
    resume_webhook(SYSTEM, webhook)
    assert send_due(club.pk) == 2
    assert Delivery.objects.filter(state=State.FAILED).count() == 1


def test_what_happened_a_month_ago_is_not_reported_any_more(
    club: Club, league: Tournament, other_side: OtherSide, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook = pause_webhook(SYSTEM, a_webhook(club))
    submitted(league, 0)
    resume_webhook(SYSTEM, webhook)
    monkeypatch.setattr(deliveries, "RETENTION", timedelta(0))
    assert send_due(club.pk) == 0
    assert Webhook.objects.get().position == AuditCounter.objects.get(club=club).last


def test_a_success_makes_all_failures_forgotten(club: Club, other_side: OtherSide) -> None:
    replies = [reply_with(500), reply_with(500), reply_with(204)]
    other_side.says = lambda _: replies.pop(0)
    webhook = a_webhook(club)
    ping(SYSTEM, webhook)
    for _ in range(3):
        send_due(club.pk)
        let_time_pass(minutes=6)
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failing_since, webhook.held_until) == (0, None, None)


def test_an_address_that_may_not_be_sent_to_any_more_fails(
    club: Club, other_side: OtherSide
) -> None:
    webhook = a_webhook(club)
    Webhook.objects.update(url="https://10.0.0.1/")
    ping(SYSTEM, webhook)
    send_due(club.pk)
    assert other_side.messages == []
    assert the_delivery().fault == Delivery.Fault.ADDRESS


# --- leases ---------------------------------------------------------------------------------------


def test_a_message_that_a_person_is_sending_is_not_sent_by_another(
    club: Club, other_side: OtherSide
) -> None:
    ping(SYSTEM, a_webhook(club))
    assert claim(club.pk) is not None
    assert claim(club.pk) is None
    assert send_due(club.pk) == 0


def test_the_message_of_a_dead_worker_is_sent_by_another(club: Club, other_side: OtherSide) -> None:
    ping(SYSTEM, a_webhook(club))
    dead = claim(club.pk)
    assert dead is not None
    let_time_pass(seconds=61)
    assert wake_due() == 1
    assert send_due(club.pk) == 1
    assert store_outcome(dead, reply_with(500)) is False
    delivery = the_delivery()
    assert (delivery.state, delivery.status, delivery.attempts) == (State.ARRIVED, 204, 2)


def test_a_club_has_two_messages_under_way_at_most(club: Club, other_side: OtherSide) -> None:
    for _ in range(3):
        ping(SYSTEM, a_webhook(club))
    claims = [claim(club.pk) for _ in range(3)]
    assert claims[0] is not None
    assert claims[1] is not None
    assert claims[2] is None
    store_outcome(claims[0], send_leased(claims[0]))
    assert claim(club.pk) is not None


def test_webhooks_take_turns(club: Club, league: Tournament, other_side: OtherSide) -> None:
    a_webhook(club, url="https://one.example/")
    a_webhook(club, url="https://two.example/")
    for index in range(3):
        submitted(league, index)
    assert send_due(club.pk) == 6
    assert sorted(other_side.hosts[:2]) == ["one.example", "two.example"]
    assert other_side.hosts[:2] * 3 == other_side.hosts


def test_a_task_has_its_time_and_no_more(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    a_webhook(club)
    for index in range(3):
        submitted(league, index)
    assert send_due(club.pk, budget=0) == 1
    assert send_due(club.pk) == 2


def test_what_a_removed_webhook_was_sending_is_forgotten(club: Club, other_side: OtherSide) -> None:
    webhook = a_webhook(club)
    ping(SYSTEM, webhook)
    claim_row = claim(club.pk)
    assert claim_row is not None
    remove_webhook(SYSTEM, webhook)
    assert store_outcome(claim_row, reply_with(204)) is False
    assert not Delivery.objects.exists()


def test_what_arrived_a_month_ago_is_forgotten(club: Club, other_side: OtherSide) -> None:
    webhook = a_webhook(club)
    ping(SYSTEM, webhook)
    send_due(club.pk)
    Delivery.objects.update(arrived_at=timezone.now() - deliveries.RETENTION - timedelta(minutes=1))
    send_due(club.pk)
    assert not webhook.deliveries.exists()


# --- what an organiser does -----------------------------------------------------------------------


def test_an_organiser_and_their_program_keep_webhooks_and_nobody_else(club: Club) -> None:
    for actor in (organiser(club), program(club, "tournaments:manage")):
        webhook = a_webhook(club)
        assert redeliver_failed(actor, webhook) == 0
        assert ping(actor, webhook).webhook_id == webhook.pk
        pause_webhook(actor, webhook)
        remove_webhook(actor, resume_webhook(actor, change_secret(actor, webhook)))
    webhook = a_webhook(club)
    delivery = ping(SYSTEM, webhook)
    for actor in (arbiter(club), stranger(), program(club, "games:submit", "audit:read")):
        for act in (pause_webhook, resume_webhook, change_secret, remove_webhook, ping):
            with refusal(Reason.FORBIDDEN):
                act(actor, webhook)
        with refusal(Reason.FORBIDDEN):
            redeliver(actor, delivery)
        with refusal(Reason.FORBIDDEN):
            redeliver_failed(actor, webhook)
    with refusal(Reason.SIGN_IN):
        ping(Actor.anonymous(), webhook)


def test_a_program_of_another_club_keeps_none_here(club: Club) -> None:
    elsewhere = program(a_club("Peña del Tubo"), "tournaments:manage")
    with refusal(Reason.FORBIDDEN):
        ping(elsewhere, a_webhook(club))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"url": "http://club.example/"}, Reason.BAD_WEBHOOK_ADDRESS),
        ({"url": "https://127.0.0.1/"}, Reason.BAD_WEBHOOK_ADDRESS),
        ({"url": "https://2130706433/"}, Reason.BAD_WEBHOOK_ADDRESS),
        ({"url": "https://a:b@club.example/"}, Reason.BAD_WEBHOOK_ADDRESS),
        ({"types": ["record.refused"]}, Reason.UNKNOWN_EVENT),
        ({"types": ["ping"]}, Reason.UNKNOWN_EVENT),
        ({"description": "in\u200bvisible"}, Reason.BAD_NAME),
    ],
)
def test_what_is_no_webhook_is_refused(
    club: Club, fields: dict[str, object], reason: Reason
) -> None:
    with refusal(reason):
        a_webhook(club, **fields)
    assert not Webhook.objects.exists()


def test_a_tournament_of_another_club_is_refused(club: Club) -> None:
    with refusal(Reason.OTHER_CLUB):
        a_webhook(a_club("Peña del Tubo"), tournament=a_draft(club))


def test_a_club_has_ten_webhooks_at_most(club: Club) -> None:
    for _ in range(MAX_PER_CLUB):
        a_webhook(club)
    with refusal(Reason.TOO_MANY_WEBHOOKS):
        a_webhook(club)


def test_the_history_names_the_host_and_not_the_address(club: Club) -> None:
    """An address may hold a password of its owner's, and arbiters read the history."""
    a_webhook(club, url="https://club.example/hooks/s3cr3t")
    event = AuditEvent.objects.get(verb="webhook.added")
    assert event.facts == {"host": "club.example", "types": []}
    assert event.subject == "club.example"


def test_a_paused_webhook_is_sent_nothing_until_it_goes_on(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    webhook = pause_webhook(SYSTEM, a_webhook(club))
    submitted(league, 0)
    assert (wake_due(), send_due(club.pk)) == (0, 0)
    with refusal(Reason.WEBHOOK_NOT_ACTIVE):
        ping(SYSTEM, webhook)
    with refusal(Reason.WEBHOOK_NOT_ACTIVE):
        pause_webhook(SYSTEM, webhook)
    resume_webhook(SYSTEM, webhook)
    assert (wake_due(), send_due(club.pk)) == (1, 1)


def test_two_pings_in_a_row_are_one(club: Club, other_side: OtherSide) -> None:
    webhook = a_webhook(club)
    assert ping(SYSTEM, webhook) == ping(SYSTEM, webhook)
    send_due(club.pk)
    assert other_side.messages[0]["data"] == {"club": club.slug}
    assert_sent_as_documented("club", other_side.messages[0])
    assert other_side.types == ["ping"]


def test_a_ping_does_not_wait_until_a_webhook_has_rested(club: Club, other_side: OtherSide) -> None:
    other_side.says = lambda _: reply_with(500)
    webhook = a_webhook(club)
    ping(SYSTEM, webhook)
    send_due(club.pk)
    ping(SYSTEM, webhook)
    assert send_due(club.pk) == 1


def test_what_arrived_can_be_sent_again_under_its_old_id(club: Club, other_side: OtherSide) -> None:
    delivery = ping(SYSTEM, a_webhook(club))
    send_due(club.pk)
    assert redeliver(SYSTEM, delivery).state == State.WAITING
    assert send_due(club.pk) == 1
    assert [headers["webhook-id"] for headers in other_side.headers] == [delivery.message] * 2


def test_all_that_failed_since_can_be_sent_again(
    club: Club, league: Tournament, other_side: OtherSide
) -> None:
    webhook = a_webhook(club)
    for index in range(4):
        submitted(league, index)
    send_due(club.pk)
    since = timezone.now() - timedelta(hours=1)
    old, *failed, arrived = webhook.deliveries.order_by("pk")
    webhook.deliveries.exclude(pk=arrived.pk).update(state=State.FAILED)
    webhook.deliveries.filter(pk=old.pk).update(made_at=since - timedelta(minutes=1))
    assert redeliver_failed(SYSTEM, webhook, since) == len(failed) == 2
    assert send_due(club.pk) == 2
    assert redeliver_failed(SYSTEM, webhook) == 1
    assert send_due(club.pk) == 1
    assert set(webhook.deliveries.values_list("state", flat=True)) == {State.ARRIVED}


def test_blanks_around_an_address_are_taken_away(club: Club) -> None:
    assert a_webhook(club, url=f"  {URL} ").url == URL

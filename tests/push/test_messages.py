"""Messages to closed phones: who gets which, once, and that nobody else can read them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.cache import cache
from django.test import Client
from django.utils import timezone, translation

from tests.clubs import SYSTEM, a_draft, a_swiss, the_round
from tests.endpoints import (
    HOST,
    PUBLIC,
    Endpoint,
    Internet,
    Received,
    answers,
    make_authority,
    serving,
    trusting,
)
from tests.signup.test_signing_up import a_posted, own, pairs
from tests.support.day import a_day, entry, player_of
from tests.support.refusals import refusal
from tournaments.accounts.services.accounts import end_sign_ins
from tournaments.core.errors import Reason
from tournaments.core.jobs import Job
from tournaments.core.push import end_subscription
from tournaments.director.services.draws import draw
from tournaments.director.services.posting import cancel_tournament, post_tournament
from tournaments.director.services.tournaments import (
    change_tournament,
    discard_tournament,
    publish_round,
    set_visibility,
)
from tournaments.domain.web_push import point_of, to_base64
from tournaments.models import PushSubscription, Tournament
from tournaments.profiles.services.erasing import delete_expired, erase_sign_up
from tournaments.push import queries
from tournaments.push.services import Device, subscribe
from tournaments.push.tasks import send
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.requests import leave, renew_code

pytestmark = pytest.mark.django_db

KEY = "3c" * 32
HERE = "https://club.example"


@dataclass
class Phone:
    """A browser: its keys, its address at a push service, and what it opens of what came there."""

    service: Endpoint
    name: str = "a"
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def device(self) -> Device:
        address = f"https://{HOST}:{self.service.port}/{self.name}"
        return Device(address, to_base64(point_of(self.key)), to_base64(self.auth))

    @property
    def came(self) -> list[Received]:
        return [one for one in self.service.received if one.path == f"/{self.name}"]

    @property
    def texts(self) -> list[str]:
        return [self.open(one.body)["notification"]["body"] for one in self.came]

    def open(self, body: bytes) -> Any:
        """Open a message as a browser does (RFC 8188, 2.1, and 8291, 3.4), with HMAC alone."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), public)
        info = b"WebPush: info\0" + point_of(self.key) + sender + b"\1"
        secret = mac(mac(self.auth, shared), info)
        root = mac(salt, secret)
        key = mac(root, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = mac(root, b"Content-Encoding: nonce\0\1")[:12]
        content = AESGCM(key).decrypt(nonce, sealed, None)
        assert content.endswith(b"\2")
        return json.loads(content[:-1])


def mac(key: bytes, text: bytes) -> bytes:
    digest = hmac.HMAC(key, hashes.SHA256())
    digest.update(text)
    return digest.finalize()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return make_authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def service(authority: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """A push service of the Internet."""
    Internet({HOST: [[PUBLIC]]}).install(monkeypatch)
    with serving(authority.chain) as endpoint, trusting(authority, monkeypatch):
        endpoint.answer = answers(201)
        yield endpoint


@pytest.fixture(autouse=True)
def with_keys(settings: Any) -> Iterator[None]:
    settings.PUSH_KEY = KEY
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url=HERE)
    cache.clear()
    with translation.override("en"):
        yield


def test_a_phone_with_a_code_is_told_of_its_place_the_day_and_its_table_once(
    service: Endpoint,
) -> None:
    tournament = a_posted(places=2)
    requests = pairs(tournament, 3)
    phone, client = Phone(service), Client(headers={"accept-language": "en"})
    at = f"/t/{tournament.slug}"
    client.post(f"{at}/come/code/", {"code": requests[2].code})
    page = client.get(f"{at}/sign-up/mine/").content.decode()
    assert f'data-push="{at}/push/"' in page
    assert client.get(f"{at}/push/").json()["csrf"]
    asked = {**vars_of(phone.device), "own": "1"}
    assert client.post(f"{at}/push/", asked).status_code == 201
    assert phone.device.endpoint in client.get(f"{at}/sign-up/mine/").content.decode()
    assert client.post(f"{at}/push/", asked).status_code == 201  # the page is opened again
    leave(own(requests[0]), requests[0])
    send(tournament.pk)
    change_tournament(SYSTEM, tournament, {"begins_at": timezone.now() + timedelta(days=9)})
    send(tournament.pk)
    close_sign_up(SYSTEM, tournament)
    tournament.refresh_from_db()
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    send(tournament.pk)
    send(tournament.pk)
    placed, moved, seated = phone.texts
    assert placed == "You are in."
    assert moved.startswith("The day has moved: ")
    assert seated == "Round 1: your table is 1."
    for received in phone.came:
        message = phone.open(received.body)
        assert message["web_push"] == 8030
        assert message["notification"]["title"] == tournament.name
        assert message["notification"]["navigate"].startswith(f"{HERE}{at}/")
        assert requests[2].code not in json.dumps(message)
        assert len(received.body) <= 1024
        assert 0 < int(received.headers["ttl"]) <= 600
        assert received.headers["content-encoding"] == "aes128gcm"
        assert received.headers["authorization"].startswith("vapid t=")
    last = phone.open(phone.came[-1].body)
    assert last["notification"]["navigate"] == f"{HERE}{at}/table/"
    client.post(f"{at}/come/forget/")
    assert not PushSubscription.objects.exists()  # the phone may be another's by now
    client.post(f"{at}/come/code/", {"code": requests[1].code})
    assert phone.device.endpoint not in client.get(f"{at}/sign-up/mine/").content.decode()


def test_visitors_follow_what_everybody_sees_and_accounts_their_own_table(
    service: Endpoint,
) -> None:
    tournament = a_day(late=0)
    visitor, player = Phone(service, "visitor"), Phone(service, "player")
    at, page = f"/t/{tournament.slug}/push/", f"/t/{tournament.slug}/rounds/"
    text = Client().get(page).content.decode()
    assert f'data-push="{at}"' in text
    assert "csrfmiddlewaretoken" not in text  # else it would not be cached for everybody
    client = Client(headers={"accept-language": "es"})
    assert client.post(at, {**vars_of(visitor.device), "own": "1"}).status_code == 404
    assert client.post(at, vars_of(visitor.device)).status_code == 201
    account = player_of(tournament, 1, "berta").user
    assert account is not None
    client.force_login(account)
    assert client.post(at, {**vars_of(player.device), "own": "1"}).status_code == 201
    publish_round(SYSTEM, the_round(tournament, 1))
    send(tournament.pk)
    assert visitor.texts == ["La ronda 1 está sorteada."]
    assert re.fullmatch(r"Ronda 1: tu mesa es la \d\.", " ".join(player.texts))
    set_visibility(SYSTEM, tournament, "private")
    assert Client().get(page).status_code == 404
    with refusal(Reason.NOT_FOUND):
        subscribe(tournament, Phone(service, "late").device)
    change_tournament(SYSTEM, tournament, {"begins_at": timezone.now() + timedelta(days=9)})
    send(tournament.pk)
    assert (len(visitor.came), len(player.came)) == (1, 2)
    client.post("/accounts/logout/")
    assert PushSubscription.objects.get().endpoint == visitor.device.endpoint
    client.force_login(account)
    assert client.post(at, {**vars_of(player.device), "own": "1"}).status_code == 201
    end_sign_ins(account, keep=None)  # from another device, where this one is lost
    assert PushSubscription.objects.get().endpoint == visitor.device.endpoint


def test_the_dead_the_ended_and_the_revoked_get_nothing_and_the_others_do(
    service: Endpoint,
) -> None:
    tournament = a_posted(places=2)
    requests = pairs(tournament, 2)
    phones = [Phone(service, name) for name in "abcde"]
    rows = [subscribe(tournament, one.device, code=requests[0].code) for one in phones]
    with refusal(Reason.TOO_MANY_BROWSERS):
        subscribe(tournament, Phone(service, "f").device, code=requests[0].code)
    revoked = subscribe(tournament, Phone(service, "r").device, code=requests[1].code)
    end_subscription(tournament.slug, phones[4].device.endpoint)
    renew_code(SYSTEM, requests[1])
    service.answer = answers(410)
    change_tournament(SYSTEM, tournament, {"begins_at": timezone.now() + timedelta(days=9)})
    PushSubscription.objects.exclude(pk=rows[0].pk).update(position=10**6)
    send(tournament.pk)
    service.answer = answers(201)
    PushSubscription.objects.update(position=0)
    send(tournament.pk)
    assert [len(one.came) for one in phones] == [1, 1, 1, 1, 0]
    left = set(PushSubscription.objects.values_list("pk", flat=True))
    assert left == {row.pk for row in rows[1:4]}
    assert revoked.pk not in left
    leave(own(requests[0]), requests[0])
    send(tournament.pk)
    assert not PushSubscription.objects.exists()  # with the ticket
    draft = post_tournament(SYSTEM, a_draft(tournament.club, "Otro"))
    subscribe(draft, phones[0].device)
    cancel_tournament(SYSTEM, draft, "La sala está cerrada.")
    send(draft.pk)
    send(draft.pk)
    assert phones[0].texts[1:] == ["The tournament is cancelled: La sala está cerrada."]
    discard_tournament(SYSTEM, draft)
    assert not PushSubscription.objects.exists()


def test_nothing_goes_out_after_ten_minutes_or_to_what_leads_inside(
    service: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = a_swiss(entries=4)
    phone = Phone(service)
    for inside in (
        "http://push.example/a",
        "https://10.0.0.8/a",
        "https://localhost/a",
        "x" * 1025,
    ):
        bad = replace(phone.device, endpoint=inside)
        with refusal(Reason.BAD_PUSH_ADDRESS):
            subscribe(tournament, bad)
    no_point = replace(phone.device, p256dh="AAAA")
    with refusal(Reason.BAD_PUSH_ADDRESS):
        subscribe(tournament, no_point)
    subscribe(tournament, phone.device)
    publish_round(SYSTEM, the_round(tournament, 1))
    rows = list(PushSubscription.objects.values_list("pk", "position"))
    monkeypatch.setattr(queries, "LASTS", timedelta(0))
    send(tournament.pk)
    monkeypatch.undo()
    PushSubscription.objects.filter(pk=rows[0][0]).update(position=rows[0][1])
    inside_only = Internet({HOST: [["10.0.0.8"]]})
    inside_only.install(monkeypatch)
    send(tournament.pk)
    assert inside_only.asked == [HOST]
    assert (inside_only.connected, phone.came) == ([], [])


def test_subscriptions_go_seven_days_after_the_end_and_at_erasure(service: Endpoint) -> None:
    tournament = a_posted()
    requests = pairs(tournament, 2)
    for request in requests:
        subscribe(tournament, Phone(service, request.code).device, code=request.code)
    erase_sign_up(SYSTEM, requests[0])
    assert PushSubscription.objects.get().code == requests[1].code
    other = a_day(entered=4, late=0)
    code = entry(other, 1).code
    subscribe(other, Phone(service, "entry").device, code=code)
    old = timezone.now() - timedelta(days=8)
    assert delete_expired()["push"] == 0
    PushSubscription.objects.update(made_at=old)
    Tournament.objects.filter(pk=tournament.pk).update(cancelled_at=old)
    assert delete_expired()["push"] == 1
    assert PushSubscription.objects.get().code == code  # still played


@pytest.mark.parametrize("missing", ["key", "https"])
def test_without_keys_or_https_there_is_no_button(settings: Any, missing: str) -> None:
    if missing == "key":
        settings.PUSH_KEY = ""
    else:
        settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url="http://club.example")
    tournament = a_day(entered=4, late=0)
    assert "data-push" not in Client().get(f"/t/{tournament.slug}/rounds/").content.decode()
    assert Client().get(f"/t/{tournament.slug}/push/").status_code == 404


def test_an_address_asks_twenty_times_a_minute(service: Endpoint) -> None:
    at = f"/t/{a_day(entered=4, late=0).slug}/push/"
    asked = [Client().post(at, {}).status_code for _ in range(21)]
    assert asked == [422] * 20 + [429]
    hidden, none = Client().get("/t/hidden/push/"), Client().get(at)  # do not tell which there are
    assert (hidden.status_code, none.status_code) == (200, 200)


def test_the_messages_go_by_the_queue_that_waits_for_the_servers_of_others() -> None:
    from tournaments.celery import app

    for job in (Job.SEND_PUSH, Job.SWEEP_PUSH):
        assert app.amqp.router.route({}, job.value)["queue"].name == "webhooks"


def vars_of(device: Device) -> dict[str, str]:
    return {name: getattr(device, name) for name in ("endpoint", "p256dh", "auth")}

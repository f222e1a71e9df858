"""Nothing of requests, contacts, codes and money leaves the organiser's pages."""

import json
import logging

import pytest
from django.test import Client

from tests.clubs import SYSTEM
from tests.live.test_streams_api import Guest, path_of, run
from tests.signup.test_signing_up import a_posted, ask, pairs
from tests.support.webhook_scenes import OtherSide, a_webhook
from tournaments.director.services.draws import draw
from tournaments.director.services.tournaments import publish_round
from tournaments.exchange.queries.exports import export_document
from tournaments.exchange.queries.tables import TABLES
from tournaments.live.streams import Streams
from tournaments.models import AuditEvent, Round, SignUpRequest, Tournament
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.money import pay, reverse
from tournaments.webhooks.services.deliveries import send_due

pytestmark = pytest.mark.django_db

PLANTED = ("Zoraida Quiroga", "Wenceslao Ybarra", "655443322", "Xoana Suplente")
"""Names that wait and are never entered, a contact, a reserve."""

MONEY = ("Bizum de Ulises", "13.73", "13,73", "7131313")
"""The note of a payment, its amount as pages write it, and one that no digest has by chance."""


def planted(tournament: Tournament) -> Tournament:
    """Play a posted tournament of four places, with planted values among its tickets."""
    pairs(tournament, 3)
    ask(tournament, "Ana I", "Luis I", contact=PLANTED[2], reserve=PLANTED[3])
    ask(tournament, PLANTED[0], PLANTED[1], contact=PLANTED[2])
    for request in SignUpRequest.objects.order_by("ticket"):
        pay(SYSTEM, request, 1373, MONEY[0])
        reverse(SYSTEM, pay(SYSTEM, request, int(MONEY[3]), MONEY[0]), MONEY[0])
    close_sign_up(SYSTEM, tournament)
    draw(SYSTEM, tournament)
    first = Round.objects.get(stage__tournament=tournament, number=1)
    publish_round(SYSTEM, first)
    tournament.refresh_from_db()
    return tournament


def assert_nothing_planted_is_in(text: str) -> None:
    codes = SignUpRequest.objects.values_list("code", flat=True)
    assert codes
    for secret in (*PLANTED, *MONEY, *codes):
        assert secret not in text, text[:300]


def test_nothing_planted_is_in_what_strangers_read(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    tournament = planted(a_posted(places=4))
    client, at = Client(), f"/t/{tournament.slug}"
    paths = [
        "/",
        f"/clubs/{tournament.club.slug}/",
        f"/clubs/{tournament.club.slug}/calendar.ics",
        *(
            f"{at}/{path}"
            for path in ("", "poster/", "entries/", "rounds/", "files/", "crosstable/")
        ),
        *(f"{at}/{path}" for path in ("file/", "proof/", "records/", "table/", "come/")),
        *(
            f"/api/v1/tournaments/{tournament.slug}/{path}"
            for path in ("", "entries/", "standings/", "events/", "file/", "proof/")
        ),
    ]
    files = [
        *(f"{at}/{path}" for path in ("feed/", "calendar.ics", "trf/")),
        *(f"{at}/tables/{table}.csv" for table in TABLES),
        f"/clubs/{tournament.club.slug}/feed/",
    ]
    assert {path: client.get(path).status_code for path in files} == dict.fromkeys(files, 200)
    texts = [client.get(path).content.decode(errors="replace") for path in (*paths, *files)]
    texts += [str(row) for row in AuditEvent.objects.values_list("facts", "subject", "actor")]
    texts += [record.getMessage() for record in caplog.records]
    for text in texts:
        assert_nothing_planted_is_in(text)


def test_nothing_planted_is_in_the_export_of_the_tournament() -> None:
    text = json.dumps(export_document(planted(a_posted(places=4))), ensure_ascii=False, default=str)
    assert "Ana I" in text
    for secret in (*PLANTED, *MONEY):
        assert secret not in text


def test_nothing_planted_is_sent_to_webhooks(monkeypatch: pytest.MonkeyPatch) -> None:
    other_side, tournament = OtherSide().install(monkeypatch), a_posted(places=4)
    a_webhook(tournament.club)
    planted(tournament)
    assert send_due(tournament.club.pk) > 0
    assert "round.published" in other_side.types
    for body in other_side.bodies:
        assert_nothing_planted_is_in(body.decode())
    assert_nothing_planted_is_in(str(other_side.headers))


@pytest.mark.django_db(transaction=True)
def test_nothing_planted_is_in_the_event_stream() -> None:
    tournament, heard = planted(a_posted(places=4)), []

    async def act(streams: Streams) -> None:
        guest = Guest(streams, path_of(tournament))
        await guest.head()
        heard.append(await guest.until(lambda body: b"round.published" in body))
        await guest.go()

    run(act)
    assert b"round.published" in heard[0]
    assert_nothing_planted_is_in(heard[0].decode())

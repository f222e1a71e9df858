"""Letters about a sign-up: four kinds, after a delay, to an address that can be taken back."""

from __future__ import annotations

import re
import smtplib
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone, translation

from tests.clubs import SYSTEM
from tests.signup.test_signing_up import NAMES, a_posted, ask, own
from tests.signup.test_signup_pages import form, phone, text_of, token
from tournaments.core.live_version import live_versions
from tournaments.core.mail import RETRY_DELAYS
from tournaments.director.services.posting import cancel_tournament, post_tournament
from tournaments.director.services.tournaments import change_tournament
from tournaments.models import SignUpNews, SignUpRequest, Tournament
from tournaments.profiles.queries.person import sign_up_document
from tournaments.profiles.services.erasing import erase_sign_up
from tournaments.profiles.services.sign_ups import delete_contacts
from tournaments.signup.services import news
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.news import DELAY, ask_for_news, wake_due
from tournaments.signup.services.requests import leave, set_sign_up
from tournaments.signup.tasks import send

pytestmark = pytest.mark.django_db

HERE = "https://club.example"
ADDRESS = "ana@example.org"


@pytest.fixture(autouse=True)
def mail_server(settings: Any) -> Iterator[None]:
    settings.MAIL_GOES_OUT = True
    cache.clear()
    with translation.override("en"):
        yield


def with_news(
    tournament: Tournament, names: tuple[str, str], email: str = ADDRESS
) -> SignUpRequest:
    request = ask(tournament, *names)
    ask_for_news(request, email, HERE, "192.0.2.7")
    return request


def pass_minutes(count: int = 6) -> list[Any]:
    """Let time pass, sweep, and return the letters that were sent."""
    wake_due()
    later = timedelta(minutes=count)
    for address in SignUpNews.objects.exclude(due_at=None):
        assert address.due_at is not None
        SignUpNews.objects.filter(pk=address.pk).update(due_at=address.due_at - later)
    before = len(mail.outbox)
    for pk in SignUpNews.objects.filter(due_at__lte=timezone.now()).values_list("pk", flat=True):
        send(pk)
    return mail.outbox[before:]


def subjects(letters: list[Any]) -> list[str]:
    return [letter.subject.partition(": ")[2] for letter in letters]


LANGUAGES = {
    "en": ("you are on the list", "another day", "you are in", "cancelled"),
    "es": ("estás en la lista", "otro día", "tienes plaza", "cancelado"),
    "de": ("auf der Liste", "ein anderer Tag", "dabei", "abgesagt"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_form_with_an_address_brings_the_four_letters_in_its_language(
    language: str, caplog: pytest.LogCaptureFixture
) -> None:
    tournament = a_posted(places=1)
    first = ask(tournament, "Eva Ruiz", "Pepe Gil")
    client = Client(headers={"accept-language": language})
    posted = client.post(
        f"/t/{tournament.slug}/sign-up/",
        form(news=ADDRESS, pair_name="Compra oro", contact="600 123 456", token=token()),
    )
    assert posted.status_code == 302
    code = SignUpRequest.objects.get(ticket=2).code
    assert mail.outbox == []
    letters = pass_minutes()
    change_tournament(SYSTEM, tournament, {"begins_at": timezone.now() + timedelta(days=9)})
    letters += pass_minutes()
    leave(own(first), first)
    letters += pass_minutes()
    cancel_tournament(SYSTEM, tournament, "No hay sala")
    cache.clear()  # another day
    letters += pass_minutes()
    assert tuple(subjects(letters)) == LANGUAGES[language]
    for letter in letters:
        assert letter.to == [ADDRESS]
        assert "Ana Gil / Luis Sanz" in letter.body
        for text in (code, "Compra oro", "600 123", "Eva", "Pepe"):
            assert text not in letter.body
    assert "No hay sala" in letters[-1].body
    assert pass_minutes() == []
    for text in (code, ADDRESS, "Ana Gil", "Eva Ruiz"):
        assert text not in caplog.text


def test_to_and_fro_within_the_delay_sends_one_letter_or_none() -> None:
    tournament = a_posted(places=1)
    with_news(tournament, ("Ana Gil", "Luis Sanz"))
    set_sign_up(SYSTEM, tournament, {"places": 2})
    cancel_tournament(SYSTEM, tournament, "No hay sala")
    post_tournament(SYSTEM, tournament)
    assert subjects(pass_minutes()) == ["you are on the list"]
    waiting = with_news(tournament, ("Eva Ruiz", "Pepe Gil"), "eva@example.org")
    set_sign_up(SYSTEM, tournament, {"places": 1})
    letters = pass_minutes()
    assert "You wait: number 1" in letters[0].body
    for places in (2, 1):
        set_sign_up(SYSTEM, tournament, {"places": places})
        wake_due()
    assert pass_minutes() == []
    change_tournament(SYSTEM, tournament, {"begins_at": timezone.now() + timedelta(days=9)})
    wake_due()
    set_sign_up(SYSTEM, tournament, {"places": 2})
    assert subjects(pass_minutes()) == ["another day", "another day"]
    leave(own(waiting), waiting)
    cancel_tournament(SYSTEM, tournament, "No hay sala")
    assert [letter.to for letter in pass_minutes()] == [[ADDRESS]]


def test_closing_says_nothing_to_those_who_knew_their_place() -> None:
    tournament = a_posted(places=1)
    with_news(tournament, ("Ana Gil", "Luis Sanz"))
    with_news(tournament, ("Eva Ruiz", "Pepe Gil"), "eva@example.org")
    assert len(pass_minutes()) == 2
    close_sign_up(SYSTEM, tournament)
    assert pass_minutes() == []
    set_sign_up(SYSTEM, tournament, {"places": 2})
    close_sign_up(SYSTEM, tournament)
    assert [(one.to, *subjects([one])) for one in pass_minutes()] == [
        (["eva@example.org"], "you are in")
    ]


def test_a_letter_is_taken_back_by_its_link_with_a_press() -> None:
    tournament = a_posted()
    request = with_news(tournament, ("Ana Gil", "Luis Sanz"))
    (letter,) = pass_minutes()
    link = re.search(rf"{HERE}(/t/\S+/news/\S+)", letter.body)
    assert link
    client = phone()
    assert "Remove my address" in text_of(client, link[1])
    assert SignUpNews.objects.exists()
    assert client.post(link[1]).status_code == 302
    assert "is removed" in text_of(client, link[1])
    assert not SignUpNews.objects.exists()
    request.refresh_from_db()
    assert request.left_at is None
    text_of(client, f"{link[1][:-3]}xx/", 404)


def test_one_address_gets_three_letters_a_day_and_the_others_wait() -> None:
    tournament = a_posted(places=None)
    for name in NAMES[:5]:
        with_news(tournament, (f"Ana {name}", f"Luis {name}"), ADDRESS.upper())
    assert len(pass_minutes()) == 3
    assert pass_minutes(59) == []
    assert SignUpNews.objects.filter(told__isnull=True, tries=0).count() == 2
    cache.clear()  # another day
    assert len(pass_minutes(61)) == 2


def test_beyond_thirty_an_hour_letters_of_a_connection_wait_and_no_form_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_six = timezone.now().replace(hour=18, minute=0, second=0, microsecond=0)
    with monkeypatch.context() as patched:
        patched.setattr(timezone, "now", lambda: at_six)
        dues = [news._first_due("192.0.2.7") for _ in range(61)]
        assert news._first_due("192.0.2.8") == at_six + DELAY
    waits = [(due - at_six) // timedelta(minutes=1) for due in dues]
    assert waits == [5] * 30 + [60] * 30 + [120]
    cache.clear()
    monkeypatch.setattr(news, "MOST_AN_HOUR", 0)
    tournament = a_posted()
    posted = phone().post(f"/t/{tournament.slug}/sign-up/", form(news=ADDRESS))
    assert posted.status_code == 302
    assert SignUpNews.objects.get().request.ticket == 1


def test_without_a_mail_server_no_address_is_asked_for_and_none_is_stored(settings: Any) -> None:
    tournament = a_posted()
    at = f"/t/{tournament.slug}/sign-up/"
    assert 'name="news"' in text_of(phone(), at)
    settings.MAIL_GOES_OUT = False
    assert 'name="news"' not in text_of(phone(), at)
    phone().post(at, form(news=ADDRESS))
    with_news(tournament, ("Eva Ruiz", "Pepe Gil"))
    assert not SignUpNews.objects.exists()


def test_the_address_goes_with_the_contacts_and_with_an_erasure_and_can_be_downloaded() -> None:
    tournament = a_posted()
    request = with_news(tournament, ("Ana Gil", "Luis Sanz"))
    assert ADDRESS in sign_up_document(request).decode()
    assert delete_contacts(timezone.now() + timedelta(minutes=1)) == 1
    assert not SignUpNews.objects.exists()
    ask_for_news(request, ADDRESS, HERE, "192.0.2.7")
    erase_sign_up(SYSTEM, request)
    assert not SignUpNews.objects.exists()


def test_a_sweep_compares_a_tournament_only_when_it_has_changed(
    django_assert_max_num_queries: Any,
) -> None:
    tournament = a_posted()
    with_news(tournament, ("Ana Gil", "Luis Sanz"))
    pass_minutes()
    wake_due()
    with django_assert_max_num_queries(3):
        wake_due()
    assert SignUpNews.objects.get().seen == live_versions([tournament.slug])[tournament.slug]


# --- A mail server --------------------------------------------------------------------------------


class Smtp(socketserver.StreamRequestHandler):
    """Takes mails as an SMTP server does (RFC 5321)."""

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                lines = iter(self.rfile.readline, b".\r\n")
                self.server.letters.append(b"".join(lines))  # type: ignore[attr-defined]
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
            if verb == b"QUIT":
                return


@contextmanager
def smtp_server(port: int = 0) -> Iterator[Any]:
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", port), Smtp) as server:
        server.letters = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_letter_waits_for_a_server_that_is_down_for_an_hour(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    with smtp_server() as server:
        settings.EMAIL_PORT = server.server_address[1]
    tournament = a_posted()
    request = with_news(tournament, ("Begoña Muñoz", "Luis Sanz"))
    pass_minutes()
    for pause in RETRY_DELAYS[:3]:
        address = SignUpNews.objects.get()
        assert address.due_at is not None
        assert address.told is None
        assert address.due_at > timezone.now() + pause - timedelta(minutes=1)
        if pause < RETRY_DELAYS[2]:
            pass_minutes(31)
    with smtp_server(settings.EMAIL_PORT) as server:
        pass_minutes(31)
    (text,) = server.letters
    letter = message_from_bytes(text, policy=policy.default)
    assert letter["To"] == ADDRESS
    assert "Begoña Muñoz" in letter.get_content()
    assert SignUpNews.objects.get().due_at is None
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3
    for word in (ADDRESS, "Begoña", request.code):
        assert word not in caplog.text


def test_a_letter_is_given_up_after_the_last_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr("tournaments.core.mail.send_mail", refuse)
    with_news(a_posted(), ("Ana Gil", "Luis Sanz"))
    for _ in range(len(RETRY_DELAYS) + 1):
        pass_minutes(121)
    address = SignUpNews.objects.get()
    assert (address.due_at, address.tries, address.told is None) == (None, 0, False)

"""Mails with links: sent by a worker after the commit, once."""

from __future__ import annotations

import re
import smtplib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection, transaction
from django.utils import timezone, translation

from tests.clubs import user
from tournaments.accounts.services import accounts, mails
from tournaments.accounts.services.mails import queue_mail
from tournaments.accounts.tasks import send, sweep
from tournaments.core import mail as core_mail
from tournaments.core.jobs import Job
from tournaments.core.mail import RETRY_DELAYS
from tournaments.models import Mail, NewAddress

pytestmark = pytest.mark.django_db

HERE = "https://club.example"


@pytest.fixture
def ana() -> User:
    """A user who has given an address that is still to be confirmed."""
    ana = user("ana")
    accounts.store_unconfirmed_address(ana, "ana@example.org")
    return ana


def request_mail(actor: User, kind: Mail.Kind = Mail.Kind.ADDRESS) -> int:
    """Ask for a mail; return its key."""
    queue_mail(actor, kind, HERE)
    return Mail.objects.get(user=actor, kind=kind).pk


def test_the_link_that_confirms_an_address_goes_there_once(ana: User) -> None:
    pk = request_mail(ana)
    assert mail.outbox == []
    send(pk)
    send(pk)
    (message,) = mail.outbox
    assert message.to == ["ana@example.org"]
    link = re.search(rf"{HERE}/accounts/email/(\S+)/", str(message.body))
    assert link
    assert accounts.confirm_address(link[1]) == ana
    assert not Mail.objects.exists()


def test_the_link_that_sets_a_password_goes_to_the_confirmed_address(ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(email="confirmed@example.org")
    send(request_mail(ana, Mail.Kind.PASSWORD))
    (message,) = mail.outbox
    assert message.to == ["confirmed@example.org"]
    assert re.search(rf"{HERE}/accounts/new/\S+/\S+/", str(message.body))


def test_a_mail_speaks_the_language_of_who_asked(ana: User) -> None:
    with translation.override("de"):
        pk = request_mail(ana)
    with translation.override("es"):
        send(pk)
    assert "Guten Tag ana" in str(mail.outbox[0].body)


def test_nothing_is_sent_of_what_was_undone(
    ana: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    posted: list[int] = []
    monkeypatch.setattr(
        "tournaments.core.jobs._send", lambda _job, keys, _number: posted.extend(keys)
    )
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        request_mail(ana)
        transaction.set_rollback(True)
    assert posted == []
    assert not Mail.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        pk = request_mail(ana)
    assert posted == [pk]


def test_asked_for_twice_it_goes_once(ana: User) -> None:
    assert request_mail(ana) == request_mail(ana)
    send(Mail.objects.get().pk)
    assert len(mail.outbox) == 1


def test_what_is_not_wanted_any_more_is_not_sent(ana: User) -> None:
    pk = request_mail(ana)
    NewAddress.objects.all().delete()
    send(pk)
    other = request_mail(ana, Mail.Kind.PASSWORD)  # without a confirmed address
    send(other)
    assert mail.outbox == []
    assert not Mail.objects.exists()


def test_a_server_that_refuses_is_asked_again_and_at_last_no_more(
    ana: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise smtplib.SMTPServerDisconnected("ana@example.org")

    monkeypatch.setattr(core_mail, "send_mail", refuse)
    pk = request_mail(ana)
    for pause in RETRY_DELAYS:
        before = timezone.now()
        send(pk)
        wait = Mail.objects.get().next_at - before
        assert pause <= wait < pause + timedelta(minutes=1)
        send(pk)
        assert Mail.objects.get().next_at - before == wait
        Mail.objects.update(next_at=before)
    send(pk)
    assert not Mail.objects.exists()
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 4 + ["ERROR"]
    assert "ana@example.org" not in caplog.text


def test_a_mail_to_an_address_that_no_mail_can_name_is_given_up(ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(email=f"ana@{'ñ' * 60}.es")
    pk = request_mail(ana, Mail.Kind.PASSWORD)
    for _ in range(len(RETRY_DELAYS) + 1):
        Mail.objects.update(next_at=timezone.now())
        send(pk)
    assert not Mail.objects.exists()


def test_what_is_asked_for_again_while_it_fails_is_sent(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    pk = request_mail(ana)

    def ask_again(*_: object, **__: object) -> None:
        queue_mail(ana, Mail.Kind.ADDRESS, "https://other.example")

    with monkeypatch.context() as patched:
        patched.setattr(core_mail, "send_mail", ask_again)
        send(pk)
    send(pk)
    assert "https://other.example/" in str(mail.outbox[0].body)


def test_the_sweep_wakes_what_is_due_and_nothing_else(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[tuple[Job, int]] = []
    monkeypatch.setattr(mails, "post", lambda job, pk: woken.append((job, pk)))
    due, late = request_mail(ana), request_mail(user("berta"))
    Mail.objects.filter(pk=late).update(next_at=timezone.now() + timedelta(minutes=1))
    woken.clear()
    sweep()
    assert woken == [(Job.SEND_MAIL, due)]


def test_a_mail_to_a_person_who_is_erased_goes_with_them(ana: User) -> None:
    pk = request_mail(ana)
    ana.delete()
    send(pk)
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_of_four_workers_who_hear_of_it_one_sends(ana: User) -> None:
    pk = request_mail(ana)

    def hear(_: int) -> None:
        with closing(connection):
            send(pk)

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(hear, range(4)))
    assert len(mail.outbox) == 1

"""Personal data is deleted when its time is over, and nothing else is."""

from __future__ import annotations

import logging
import os
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.utils import timezone

from tests.clubs import SYSTEM, a_club, organiser
from tests.profiles.test_erasing import NAME, name_everywhere, the_night
from tournaments.accounts.services.accounts import store_unconfirmed_address
from tournaments.accounts.services.invitations import invite
from tournaments.exchange.queries.exports import export_of
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import AuditEvent, Delivery, Invitation, NewAddress, Record, SignIn
from tournaments.profiles import tasks as profiles_tasks
from tournaments.profiles.services import erasing
from tournaments.webhooks.services.webhooks import add_webhook

if TYPE_CHECKING:
    from pathlib import Path
    from types import SimpleNamespace

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def days(count: int) -> timedelta:
    return timedelta(days=count)


def test_invitations_and_addresses_go_a_month_after_they_are_dead() -> None:
    boss = organiser(club := a_club())
    assert boss.user is not None
    rows = [invite(boss, club, "arbiter")[0] for _ in range(3)]
    Invitation.objects.filter(pk=rows[0].pk).update(expires_at=NOW - days(31))
    Invitation.objects.filter(pk=rows[1].pk).update(revoked_at=NOW - days(29))
    store_unconfirmed_address(boss.user, "olga@example.org")
    NewAddress.objects.update(asked_at=NOW - days(31))
    assert erasing.delete_expired()["invitations"] == 2
    assert set(Invitation.objects.all()) == {rows[1], rows[2]}


def test_sign_ins_that_are_not_used_go_with_their_sessions() -> None:
    user = organiser(a_club()).user
    assert user is not None
    for name, number, ends in (("old", 61, -1), ("late", 59, -1), ("over", 1, 1), ("live", 1, -1)):
        SignIn.objects.create(user=user, session_key=name, seen_at=NOW - days(number))
        Session.objects.create(session_key=name, session_data="", expire_date=NOW - days(ends))
    assert erasing.delete_expired()["sign_ins"] == 1
    assert set(SignIn.objects.values_list("session_key", flat=True)) == {"late", "over", "live"}
    assert set(Session.objects.values_list("pk", flat=True)) == {"late", "live"}


def test_what_the_throttling_wrote_down_goes() -> None:
    for name, age in (("old", 31), ("new", 29)):
        fields = {"username": name, "ip_address": "192.0.2.7", "user_agent": "x"}
        AccessLog.objects.create(**fields)
        AccessAttempt.objects.create(**fields, failures_since_start=1)
        for kind in (AccessAttempt, AccessLog):
            kind.objects.filter(username=name).update(attempt_time=NOW - days(age))
    assert erasing.delete_expired()["attempts"] == 2
    assert [row.username for row in AccessAttempt.objects.all()] == ["new"]


def finished(age: int) -> None:
    """A tournament with evidence that was over `age` days ago."""
    night = the_night()
    name_everywhere(night)
    night.state = night.State.FINISHED
    night.save(update_fields=["state"])
    event = AuditEvent.objects.filter(tournament=night).latest("sequence")
    counter = event.club.auditcounter
    AuditEvent.objects.create(
        club=night.club,
        tournament=night,
        sequence=counter.last + 1,
        verb="tournament.finished",
        actor="system",
        subject_type="tournament",
        subject_pk=night.pk,
        subject=night.name,
        at=NOW - days(age),
    )


def test_refused_texts_go_half_a_year_after_the_end_and_their_digests_stay() -> None:
    finished(181)
    before = set(Record.objects.values_list("pk", "sha256", "digest"))
    assert erasing.delete_expired()["evidence"] == 2
    assert set(Record.objects.values_list("pk", "sha256", "digest")) == before
    assert set(Record.objects.filter(text="").values_list("state", flat=True)) == {"refused"}
    assert Record.objects.accepted().filter(text="").count() == 0
    assert erasing.delete_expired()["evidence"] == 0


def test_refused_texts_stay_as_long_as_a_person_may_ask_for_them() -> None:
    finished(179)
    assert erasing.delete_expired()["evidence"] == 0


def test_a_tournament_whose_evidence_has_gone_can_be_taken_along() -> None:
    finished(181)
    erasing.delete_expired()
    night = Record.objects.accepted()[0].match.tournament
    document = export_of(night.slug, SYSTEM)
    assert NAME in document.decode()
    night.slug = "el-de-antes"
    night.save(update_fields=["slug"])
    tournament = import_tournament(SYSTEM, a_club("Otra"), document)
    assert Record.objects.filter(match__round__stage__tournament=tournament).count() == 8


def test_messages_to_webhooks_go_when_they_wait_no_more() -> None:
    boss = organiser(club := a_club())
    webhook = add_webhook(boss, club, url="https://club.example/baza")
    for state, age in (("arrived", 31), ("waiting", 31), ("failed", 29)):
        Delivery.objects.create(
            webhook=webhook, kind="ping", message=f"{state} {age}", state=state, type="ping"
        )
    Delivery.objects.filter(message__endswith="31").update(made_at=NOW - days(31))
    assert erasing.delete_expired()["deliveries"] == 1
    assert set(Delivery.objects.values_list("state", flat=True)) == {"waiting", "failed"}


def test_mails_in_files_go_and_the_log_says_numbers_alone(
    settings: SimpleNamespace, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.VAR = tmp_path
    (tmp_path / "mail").mkdir()
    for name, age in (("old-olga.log", 31), ("new.log", 29)):
        path = tmp_path / "mail" / name
        path.write_text("Hola, Olga", encoding="utf-8")
        at = (NOW - days(age)).timestamp()
        os.utime(path, (at, at))
    with caplog.at_level(logging.INFO):
        profiles_tasks.forget()
    assert [path.name for path in (tmp_path / "mail").iterdir()] == ["new.log"]
    assert "1 mails" in caplog.text
    assert "olga" not in caplog.text.casefold()

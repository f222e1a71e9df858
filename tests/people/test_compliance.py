"""A version that arrives is checked: once, in slices; a machine's fault is not the bot's."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

import engine
from tests.clubs import SYSTEM, a_club, organiser, stranger
from tests.people.test_bots_brought import FIRST_STEPS, no_sandbox
from tests.support.broker import Messages, record_messages
from tests.support.refusals import refusal
from tournaments.celery import app
from tournaments.core.errors import Reason
from tournaments.core.jobs import Job
from tournaments.models import AuditEvent, BotVersion
from tournaments.models.bots import CHECK_TRIES
from tournaments.people import tasks as people_tasks
from tournaments.people.services import programs
from tournaments.people.services.bots import retire, submit_bot, submit_version
from tournaments.people.services.programs import (
    CheckOutcome,
    check_again,
    check_version,
    claim_check,
    wake_checks,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.django_db

HELD = "ok"


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Messages:
    """The messages sent, in place of a broker: name and arguments."""
    return record_messages(monkeypatch)


@pytest.fixture
def version(messages: Messages) -> BotVersion:
    bot_version = submit_bot(SYSTEM, a_club(), name="Ensayo", language="python", source=FIRST_STEPS)
    assert messages == [(Job.CHECK_BOT, (bot_version.pk,))]
    messages.clear()
    return bot_version


def let_it(monkeypatch: pytest.MonkeyPatch, *ends: str | Exception, required: bool = True) -> None:
    """Let the checks end like this, in place of those of the engine, which take seconds."""

    def run(end: str | Exception) -> Callable[[], None]:
        def act() -> None:
            if isinstance(end, Exception):
                raise end
            if end != HELD:
                raise engine.BotFailure(end, ending="code 1", limit=1, detail="")

        return act

    checks = [
        engine.ProtocolCheck(
            number, {"en": f"check {number}", "es": f"prueba {number}"}, required, run(end)
        )
        for number, end in enumerate(ends, 1)
    ]
    monkeypatch.setattr(programs, "checks_of", lambda _version: checks)


def lines(version: BotVersion) -> list[dict[str, Any]]:
    version.refresh_from_db()
    return list(version.report.get("lines", []))


def states(version: BotVersion) -> list[str]:
    return [line["state"] for line in lines(version)]


# --- What comes of it -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_good_bot_is_ready_after_every_check_of_the_engine(
    version: BotVersion, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR = tmp_path
    monkeypatch.setattr(programs, "DEALS", 1)
    outcome = CheckOutcome.PARTLY
    while outcome is CheckOutcome.PARTLY:
        outcome = check_version(version.pk)
    assert outcome is CheckOutcome.READY
    assert [line for line in lines(version) if line["state"] != "ok"] == []
    assert len(lines(version)) == version.report["of"] >= 40
    assert (version.state, version.check_until, version.check_fault) == ("ready", None, "")
    assert version.checked_at is not None
    event = AuditEvent.objects.get(verb="bot.version_checked")
    assert event.facts == {"bot": "Ensayo", "version": 1, "state": "ready", "failed": []}


def test_a_bot_that_does_not_start_is_refused_after_the_first_check(
    version: BotVersion, settings: Any, tmp_path: Path
) -> None:
    settings.VAR = tmp_path
    bad = submit_version(SYSTEM, version.bot, language="python", source="import no_such_module\n")
    assert check_version(bad.pk) is CheckOutcome.REFUSED
    (line,) = lines(bad)
    assert (line["state"], line["code"]) == ("failed", "died_at_start")
    assert line["check"]["es"] == "arranca y dice que está listo"
    assert line["check"]["de"] == "er startet und meldet sich bereit"
    assert line["message"]["de"].startswith("endete, bevor er sich bereit meldete")
    assert bad.state == "refused"
    assert "No module named 'no_such_module'" in bad.report["output"]["1"]["stderr"]


def test_what_fails_without_being_required_refuses_nobody(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, HELD, "crash", HELD, required=False)
    assert check_version(version.pk) is CheckOutcome.READY
    assert states(version) == ["ok", "failed", "ok"]


def test_one_required_check_that_fails_refuses_a_version(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, HELD, "crash", HELD)
    assert check_version(version.pk) is CheckOutcome.REFUSED
    assert states(version) == ["ok", "failed", "ok"]
    assert AuditEvent.objects.get(verb="bot.version_checked").facts["failed"] == ["crash"]


def test_after_five_failures_the_rest_is_not_tried(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, HELD, *["hang"] * 8)
    assert check_version(version.pk) is CheckOutcome.REFUSED
    assert states(version) == ["ok", *["failed"] * 5]


# --- Messages and leases --------------------------------------------------------------------------


def test_a_message_delivered_twice_checks_once(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, HELD)
    lease = claim_check(version.pk)
    assert lease is not None
    assert check_version(version.pk) is CheckOutcome.SKIPPED
    assert lines(version) == []
    programs._release_after_fault(lease, "")
    assert check_version(version.pk) is CheckOutcome.READY
    assert check_version(version.pk) is CheckOutcome.SKIPPED
    assert AuditEvent.objects.filter(verb="bot.version_checked").count() == 1


def test_one_who_comes_back_after_their_lease_writes_nothing(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = claim_check(version.pk)
    assert late is not None
    BotVersion.objects.update(check_until=timezone.now() - timedelta(seconds=1))
    let_it(monkeypatch, HELD)
    assert check_version(version.pk) is CheckOutcome.READY
    assert programs._run_slice(late) is CheckOutcome.LATE
    assert programs._release_for_next_slice(late) is CheckOutcome.LATE
    let_it(monkeypatch, HELD, "crash")
    assert programs._run_slice(late) is CheckOutcome.LATE
    assert states(version) == ["ok"]


def test_what_a_slice_leaves_is_posted_and_goes_on_where_it_was(
    version: BotVersion, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, HELD, HELD, HELD)
    monkeypatch.setattr(programs, "SLICE_SECONDS", -1.0)
    assert check_version(version.pk) is CheckOutcome.PARTLY
    assert messages == [(Job.CHECK_BOT, (version.pk,))]
    BotVersion.objects.update(report={"of": 3, "lines": [{"number": 1, "kept": True}]})
    monkeypatch.setattr(programs, "SLICE_SECONDS", 60.0)
    monkeypatch.setattr(programs, "_failures", lambda _lines: [])
    assert check_version(version.pk) is CheckOutcome.READY
    assert lines(version)[0] == {"number": 1, "kept": True}
    assert [line["number"] for line in lines(version)] == [1, 2, 3]


def test_the_sweep_wakes_what_is_due_and_nothing_else(
    version: BotVersion, messages: Messages
) -> None:
    other = submit_version(SYSTEM, version.bot, language="perl", source="print 1;")
    messages.clear()
    assert claim_check(other.pk)
    assert wake_checks() == 1
    assert messages == [(Job.CHECK_BOT, (version.pk,))]
    BotVersion.objects.update(check_until=timezone.now() - timedelta(seconds=1))
    assert wake_checks() == 2
    BotVersion.objects.update(state="ready")
    assert wake_checks() == 0


def test_the_tasks_call_the_services(
    version: BotVersion, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, HELD)
    people_tasks.sweep()
    ((name, arguments),) = messages
    assert app.tasks[name] is not None
    app.tasks[name](*arguments)
    assert states(version) == ["ok"]


# --- Faults of the machine ------------------------------------------------------------------------


def test_a_fault_of_the_machine_is_not_the_bots(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, HELD, "infrastructure")
    for tried in range(1, CHECK_TRIES + 1):
        assert check_version(version.pk) is CheckOutcome.BROKEN
        version.refresh_from_db()
        assert (version.state, version.check_tries) == ("checking", tried)
    assert states(version) == ["ok"]
    assert "could not be run" in version.check_fault
    assert version.is_stuck
    assert check_version(version.pk) is CheckOutcome.SKIPPED
    assert wake_checks() == 0


def test_without_a_sandbox_nothing_is_started(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.VAR = tmp_path
    no_sandbox(monkeypatch)
    assert check_version(version.pk) is CheckOutcome.BROKEN
    version.refresh_from_db()
    assert version.state == "checking"
    assert "the kernel has no Landlock" in version.check_fault


def test_an_end_of_the_tasks_time_gives_the_lease_up_and_is_reported(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, HELD, TimeoutError("soft time limit"))
    with pytest.raises(TimeoutError):
        check_version(version.pk)
    version.refresh_from_db()
    assert (version.check_until, version.check_tries) == (None, 1)
    assert version.check_fault == "TimeoutError: soft time limit"
    let_it(monkeypatch, HELD, HELD)
    assert check_version(version.pk) is CheckOutcome.READY
    version.refresh_from_db()
    assert (version.check_tries, version.check_fault) == (0, "")


# --- Again ----------------------------------------------------------------------------------------


def test_a_check_that_was_given_up_is_made_again_when_a_person_asks(
    version: BotVersion, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = organiser(version.bot.club or a_club())
    with refusal(Reason.NOTHING_TO_CHECK):
        check_again(owner, version)
    let_it(monkeypatch, HELD, "infrastructure")
    for _ in range(CHECK_TRIES):
        check_version(version.pk)
    with refusal(Reason.FORBIDDEN):
        check_again(stranger(), version)
    messages.clear()
    checked_version = check_again(owner, version)
    assert (checked_version.state, checked_version.report, checked_version.check_tries) == (
        "checking",
        {},
        0,
    )
    assert messages == [(Job.CHECK_BOT, (version.pk,))]


def test_a_refused_version_may_be_checked_again_but_not_of_a_retired_bot(
    version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it(monkeypatch, "crash")
    assert check_version(version.pk) is CheckOutcome.REFUSED
    assert check_again(SYSTEM, version).state == "checking"
    assert check_version(version.pk) is CheckOutcome.REFUSED
    retire(SYSTEM, version.bot)
    with refusal(Reason.BOT_RETIRED):
        check_again(SYSTEM, version)

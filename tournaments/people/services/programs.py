"""Bot programs as files, and the check of a version against the protocol."""

import os
import secrets
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

import engine
from tournaments.core.audit import write_event
from tournaments.core.db import replace_unstorable
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_bot, refresh_row
from tournaments.core.jobs import Job, post
from tournaments.core.permissions import Actor, may_change_bot, refuse_unless
from tournaments.models import Bot, BotVersion
from tournaments.models.bots import CHECK_LEASE

# --- Programs -------------------------------------------------------------------------------------
# Programs of bot authors as files: each text is written once, read-only, in its own folder.
#
# The command follows from the version alone, so any worker on any machine can run it.


Language = BotVersion.Language

INTERPRETERS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {Language.PYTHON: ("python3", "bot.py"), Language.PERL: ("perl", "bot.pl")}
)
"""Command name of each language's interpreter, and file name of the text.

Programs are started as ``baza check-bot "python3 bot.py"`` starts them. ``-I`` is left out: the
sandbox has no environment and no folder of packages to isolate Python from, and with it
``PYTHONHASHSEED``, which makes a program play the same twice, would be ignored.
"""

READ_ONLY: Final = 0o444  # the text that was checked is the text that plays


@dataclass(frozen=True, slots=True)
class Program:
    """How a version is run: its command, its own folder, and whether without the sandbox."""

    words: list[str]
    folder: Path | None
    trusted: bool


def program_of(version: BotVersion) -> Program:
    """Return how a version is run here, after writing its text to a file.

    A machine that cannot run it is at fault, not the bot: raises :class:`engine.BotFailure` with
    the code ``infrastructure``, and OSError where the text cannot be written.
    """
    if version.language == Language.COMMAND:
        program = Program(list(version.command), None, version.trusted)
    else:
        interpreter, name = INTERPRETERS[version.language]
        path = _stored_file(version, name)
        program = Program([interpreter, str(path)], path.parent, trusted=False)
    try:
        engine.find_command(program.words, program.folder)
    except (engine.CommandLineError, OSError) as error:
        raise engine.BotFailure("infrastructure", detail=str(error)) from error
    return program


def _stored_file(version: BotVersion, name: str) -> Path:
    """Return the file of a text; written atomically, and again if its content was changed."""
    bots = Path(settings.VAR) / "bots"
    path = bots / version.sha256 / name
    text = version.source.encode()
    with suppress(FileNotFoundError):
        if path.read_bytes() == text:
            return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=bots, prefix=".text-", delete=False) as draft:
        draft.write(text)
        draft.flush()
        os.fsync(draft.fileno())
        os.fchmod(draft.fileno(), READ_ONLY)
    Path(draft.name).replace(path)
    return path


# --- Compliance -----------------------------------------------------------------------------------
# Compliance check of a version with the protocol, run outside transactions after it arrives.
#
# The engine's checks (`baza check-bot`) run one after the other and each is stored as it ends, so
# that a page shows the progress and an interrupted check continues. The row is the truth: a waiting
# version is *due*, a message only wakes a worker, and the worker's lease keeps a second delivery
# out. A slice takes a bounded time; the rest is posted again. A fault of the machine is not held
# against the bot: the check is broken off, and after `CHECK_TRIES` of them in a row it waits until
# a person requests it again.


DEALS: Final = 2
"""Deals that a bot plays of each ruleset at each seat."""

SLICE_SECONDS: Final = 20.0
"""Seconds after which a slice starts no further check; well below the task's time limit."""

MAX_FAILURES: Final = 5
"""Failed required checks after which the others are skipped."""

MAX_AT_ONCE: Final = 100
"""Versions that one sweep wakes at most."""

State = BotVersion.State
ReportLine = dict[str, Any]
"""A check as stored.

Keys: ``number``, ``check`` and ``message`` by language, ``state``, ``code``, ``required``.
"""


class CheckOutcome(StrEnum):
    """Outcome of a slice of a check."""

    SKIPPED = "skipped"
    """Not due: finished already, or leased by another worker."""
    PARTLY = "partly"
    LATE = "late"
    """Another worker had taken the lease."""
    BROKEN = "broken"
    """The machine was at fault."""
    READY = "ready"
    REFUSED = "refused"


def check_version(version_pk: int) -> CheckOutcome:
    """Start or continue the check of a version, if it is due.

    A fault of the machine breaks it off; so does any other exception, including the task's time
    limit, which is raised again.
    """
    version = claim_check(version_pk)
    if version is None:
        return CheckOutcome.SKIPPED
    try:
        return _run_slice(version)
    except (engine.SandboxError, engine.BotFailure) as fault:
        _release_after_fault(version, str(fault))
        return CheckOutcome.BROKEN
    except Exception as error:
        _release_after_fault(version, f"{type(error).__name__}: {error}")
        raise


@transaction.atomic
def claim_check(version_pk: int) -> BotVersion | None:
    """Lease a version for one slice; ``None`` when it is not due, or leased already."""
    rows = BotVersion.objects.filter(pk=version_pk)
    version: BotVersion | None = rows.select_for_update(no_key=True).first()
    if version is None or not BotVersion.objects.due().filter(pk=version_pk).exists():
        return None
    version.check_token, tries = secrets.token_hex(16), F("check_tries") + 1
    rows.update(check_token=version.check_token, check_until=Now() + CHECK_LEASE, check_tries=tries)
    return version


def wake_checks() -> int:
    """Send a message for every version whose check is due; returns how many."""
    due = list(BotVersion.objects.due().order_by("pk").values_list("pk", flat=True)[:MAX_AT_ONCE])
    for pk in due:
        post(Job.CHECK_BOT, pk)
    return len(due)


@transaction.atomic
def check_again(actor: Actor, version: BotVersion) -> BotVersion:
    """Repeat the check of a version that was refused, or whose check was broken off too often.

    Refuses FORBIDDEN, BOT_RETIRED, NOTHING_TO_CHECK.
    """
    refuse_unless(may_change_bot(actor, version.bot), actor)
    bot = lock_bot(version.bot)
    if bot.retired_at is not None:
        raise Refusal(Reason.BOT_RETIRED, text=bot.name)
    version = refresh_row(bot.versions.all(), version)
    if version.state != State.REFUSED and not version.is_stuck:
        raise Refusal(Reason.NOTHING_TO_CHECK, text=bot.name)
    bot.versions.filter(pk=version.pk).update(
        state=State.CHECKING, report={}, check_token="", check_until=None, check_tries=0
    )
    write_bot_event(actor, "bot.check_requested", bot, version=version.number)
    post(Job.CHECK_BOT, version.pk)
    version.refresh_from_db()
    return version


def _run_slice(version: BotVersion) -> CheckOutcome:
    """Run checks until all are finished or the time of a slice is up."""
    checks = checks_of(version)
    lines: list[ReportLine] = version.report.get("lines", [])
    output: dict[str, ReportLine] = version.report.get("output", {})
    start = time.monotonic()
    while not _is_over(lines, len(checks)):
        if time.monotonic() - start > SLICE_SECONDS:
            return _release_for_next_slice(version)
        outcome = checks[len(lines)].perform()
        lines.append(_line(outcome))
        if outcome.reply or outcome.stderr:
            # Not in the line: the release before knows no other fields of one
            line_output = {
                "reply": replace_unstorable(outcome.reply),
                "stderr": replace_unstorable(outcome.stderr),
            }
            output[str(outcome.number)] = line_output
        report = {"of": len(checks), "lines": lines, "output": output}
        if not _leased(version).update(report=report):
            return CheckOutcome.LATE
    return _settle(version, lines)


def checks_of(version: BotVersion) -> list[engine.ProtocolCheck]:
    """Return the checks of a version: the rulesets of its bot, all six where it names none.

    Raises what :func:`.programs.program_of` does.
    """
    program, limits = program_of(version), engine.Limits()
    bot = engine.BotUnderTest(
        program.words,
        program.folder,
        limits,
        program.trusted,
        DEALS,
        reference=partial(engine.reference_runs, limits, trusted=program.trusted),
    )
    rulesets = [rules for name, rules in engine.RULESETS.items() if version.bot.plays(name)]
    return engine.protocol_checks(bot, rulesets)


def _line(outcome: engine.CheckOutcome) -> ReportLine:
    """Return a check as stored; raises `engine.BotFailure` if the machine failed."""
    if outcome.code == "infrastructure":
        raise engine.BotFailure("infrastructure", detail=(outcome.words or {}).get("en", ""))
    return {
        "number": outcome.number,
        "check": dict(outcome.what),
        "state": outcome.state,
        "code": outcome.code,
        "message": dict(outcome.words or {}),
        "required": outcome.required,
    }


def _failures(lines: Sequence[ReportLine]) -> list[ReportLine]:
    return [line for line in lines if line["required"] and line["state"] == "failed"]


def _is_over(lines: Sequence[ReportLine], total: int) -> bool:
    """Return whether all checks are made, the bot does not start, or enough checks have failed."""
    failed = _failures(lines)
    does_not_start = bool(failed) and failed[0]["number"] == 1
    return len(lines) == total or does_not_start or len(failed) >= MAX_FAILURES


def _leased(version: BotVersion) -> Any:
    """Select the version, if the worker still holds its lease."""
    return BotVersion.objects.filter(
        pk=version.pk, check_token=version.check_token, state=State.CHECKING
    )


@transaction.atomic
def _release_for_next_slice(version: BotVersion) -> CheckOutcome:
    """Release the lease and post a message for the next slice."""
    if not _leased(version).update(check_until=None, check_token="", check_tries=0, check_fault=""):
        return CheckOutcome.LATE
    post(Job.CHECK_BOT, version.pk)
    return CheckOutcome.PARTLY


def _release_after_fault(version: BotVersion, fault: str) -> None:
    """Release the lease after a fault; finished checks are kept."""
    _leased(version).update(check_until=None, check_token="", check_fault=fault[:2000])


@transaction.atomic
def _settle(version: BotVersion, lines: Sequence[ReportLine]) -> CheckOutcome:
    """Store, once, whether the version is ready to play."""
    failed = _failures(lines)
    state = State.REFUSED if failed else State.READY
    settled = _leased(version).update(
        state=state,
        checked_at=Now(),
        check_token="",
        check_until=None,
        check_tries=0,
        check_fault="",
    )
    if not settled:
        return CheckOutcome.LATE
    version = BotVersion.objects.select_related("bot__club").get(pk=version.pk)
    write_bot_event(
        Actor.system(),
        "bot.version_checked",
        version.bot,
        version=version.number,
        state=str(state),
        failed=[line["code"] for line in failed],
    )
    return CheckOutcome(str(state))


def write_bot_event(actor: Actor, verb: str, bot: Bot, **facts: Any) -> None:
    """Write an event of the bot's club; house bots have no club and no audit log."""
    if bot.club is not None:
        write_event(actor, verb, bot, club=bot.club, bot=bot.name, **facts)

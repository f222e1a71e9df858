"""Bots and their owners: registration, versions, retirement, return from the bench."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

import engine
from tournaments.core.audit import write_event
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.faults import PROGRAM_FAULTS
from tournaments.core.find import lock_bot
from tournaments.core.jobs import Job, post
from tournaments.core.names import create_with_slug, validate_name, validate_remark
from tournaments.core.permissions import (
    Actor,
    may_act_as_staff,
    may_change_bot,
    may_manage,
    may_submit_bots,
    refuse_unless,
)
from tournaments.domain.names import ruleset_name
from tournaments.models import Bot, BotVersion, Club, Tournament
from tournaments.models.bots import SUBMITTED_KINDS
from tournaments.people.services.programs import INTERPRETERS, write_bot_event

MAX_TEXT_BYTES: Final = 256 << 10
"""Bytes of a program's text."""

MAX_ABOUT_LENGTH: Final = 2000
"""Characters of an author's description of a bot; longer ones are cut."""


@transaction.atomic
def register_bot(
    actor: Actor,
    club: Club,
    *,
    name: str,
    kind: str,
    about: str = "",
    rulesets: Sequence[str] = (),
) -> Bot:
    """Register a bot of a club: of one of the house kinds, or a program owned by the actor.

    It plays ``rulesets`` alone, all where none is named. Refuses FORBIDDEN, BAD_NAME, BAD_REASON,
    UNKNOWN_BOT, UNKNOWN_RULESET; SANDBOX_MISSING for a program.
    """
    is_submitted = kind in SUBMITTED_KINDS
    allowed = may_submit_bots(actor, club) if is_submitted else may_manage(actor, club)
    refuse_unless(allowed, actor)
    name = validate_name(name)
    refuse_unless_known(Reason.UNKNOWN_BOT, kind, Bot.Kind.values)
    for ruleset in rulesets:
        refuse_unless_known(Reason.UNKNOWN_RULESET, ruleset, engine.RULESETS)
    if kind == Bot.Kind.PROGRAM:
        refuse_without_sandbox()
    bot = create_with_slug(
        Bot.objects.all(),
        name,
        kind=kind,
        club=club,
        owner=actor.user if is_submitted else None,
        about=validate_remark(about.replace("\x00", ""))[:MAX_ABOUT_LENGTH],
        rulesets=[name for name in engine.RULESETS if name in rulesets],
    )
    write_event(actor, "bot.registered", bot, club=club, name=name, kind=str(kind))
    return bot


@transaction.atomic
def submit_bot(
    actor: Actor,
    club: Club,
    *,
    name: str,
    language: str,
    source: bytes | str,
    about: str = "",
    rulesets: Sequence[str] = (),
) -> BotVersion:
    """Register a program and add its first version; all or nothing.

    Refuses what :func:`register_bot` and :func:`submit_version` do.
    """
    kind = Bot.Kind.PROGRAM
    bot = register_bot(actor, club, name=name, kind=kind, about=about, rulesets=rulesets)
    return submit_version(actor, bot, language=language, source=source)


@transaction.atomic
def submit_version(actor: Actor, bot: Bot, *, language: str, source: bytes | str) -> BotVersion:
    """Add a text as the newest version of a program and queue its check.

    A text equal to that of the newest version is not stored again. Refuses FORBIDDEN,
    NOT_A_PROGRAM, BOT_RETIRED, SANDBOX_MISSING, BAD_PROGRAM.
    """
    refuse_unless(may_change_bot(actor, bot), actor)
    bot = _lock_program(bot)
    refuse_without_sandbox()
    if language not in INTERPRETERS:
        raise bad_program("unknown_language", language[:60])
    text = validate_program_text(source)
    newest = bot.versions.first()
    digest = hashlib.sha256(text.encode()).hexdigest()
    if newest is not None and (newest.sha256, newest.language) == (digest, language):
        return newest
    return _new_version(actor, bot, newest, language=language, source=text, sha256=digest)


@transaction.atomic
def register_command(
    actor: Actor, bot: Bot, words: Sequence[str], *, trusted: bool = False
) -> BotVersion:
    """Add a command of this machine as the newest version of a program; for the staff only.

    A ``trusted`` one runs without the sandbox. Refuses FORBIDDEN, NOT_A_PROGRAM, BOT_RETIRED,
    SANDBOX_MISSING, BAD_PROGRAM.
    """
    refuse_unless(may_act_as_staff(actor), actor)
    bot = _lock_program(bot)
    if not trusted:
        refuse_without_sandbox()
    try:
        engine.find_command(words)
    except (engine.CommandLineError, OSError) as error:
        raise bad_program("bad_command", str(error)) from error
    command = list(words)
    digest = hashlib.sha256(json.dumps(command, ensure_ascii=False).encode()).hexdigest()
    return _new_version(
        actor,
        bot,
        bot.versions.first(),
        language=BotVersion.Language.COMMAND,
        command=command,
        trusted=trusted,
        sha256=digest,
    )


@transaction.atomic
def unbench(actor: Actor, bot: Bot) -> Bot:
    """Take a bot off the bench. Refuses FORBIDDEN, BOT_NOT_BENCHED."""
    refuse_unless(may_change_bot(actor, bot), actor)
    bot = lock_bot(bot)
    if bot.benched_at is None:
        raise Refusal(Reason.BOT_NOT_BENCHED, text=bot.name)
    bot.benched_at, bot.benched_for = None, {}
    bot.save(update_fields=["benched_at", "benched_for"])
    write_bot_event(actor, "bot.put_back", bot)
    return bot


@transaction.atomic
def retire(actor: Actor, bot: Bot) -> Bot:
    """Retire a bot: it cannot enter again; its results stay. Refuses FORBIDDEN, BOT_RETIRED."""
    refuse_unless(may_change_bot(actor, bot), actor)
    bot = lock_bot(bot)
    _refuse_retired(bot)
    bot.retired_at = timezone.now()
    bot.save(update_fields=["retired_at"])
    write_bot_event(actor, "bot.retired", bot)
    return bot


def refuse_unless_played(bots: Iterable[Bot], ruleset: str) -> None:
    """Refuse NOT_ITS_RULESET for a bot that does not play a ruleset."""
    for bot in bots:
        if not bot.plays(ruleset):
            raise Refusal(Reason.NOT_ITS_RULESET, text=bot.name, ruleset=ruleset_name(ruleset))


def refuse_ruleset_of_bots(tournament: Tournament, ruleset: str) -> None:
    """Refuse NOT_ITS_RULESET for a ruleset that a bot of the tournament does not play."""
    entered = tournament.entries.filter(bot__isnull=False)
    refuse_unless_played(Bot.objects.filter(pk__in=entered.values("bot")), ruleset)


def refuse_unless_ready(bots: Iterable[Bot], ruleset: str) -> None:
    """Refuse to enter a bot that cannot play; one query a program, none for other bots.

    Refuses BOT_RETIRED, BOT_BENCHED, NOT_ITS_RULESET, NO_READY_VERSION.
    """
    for bot in bots:
        _refuse_retired(bot)
        if bot.benched_at is not None:
            raise Refusal(Reason.BOT_BENCHED, text=bot.name)
        refuse_unless_played([bot], ruleset)
        is_program = bot.kind == Bot.Kind.PROGRAM
        if is_program and not bot.versions.filter(state=BotVersion.State.READY).exists():
            raise Refusal(Reason.NO_READY_VERSION, text=bot.name)


def refuse_without_sandbox() -> None:
    """Refuse an untrusted program where the sandbox is missing: SANDBOX_MISSING with reasons."""
    if missing := engine.capabilities().missing:
        raise Refusal(Reason.SANDBOX_MISSING, text="; ".join(missing))


def validate_program_text(source: bytes | str) -> str:
    """Return a program's text; refuses BAD_PROGRAM: empty, too large, not UTF-8, NUL in it."""
    # "surrogatepass" lets lone surrogates through to the decoding below, which refuses them.
    raw = source if isinstance(source, bytes) else source.encode(errors="surrogatepass")
    if len(raw) > MAX_TEXT_BYTES:
        raise bad_program("too_large", str(MAX_TEXT_BYTES))
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise bad_program("bad_encoding", str(error.start)) from error
    if not text.strip():
        raise bad_program("empty")
    if "\x00" in text:
        raise bad_program("bad_character")
    return text


def bad_program(code: str, text: str = "") -> Refusal:
    """Return the refusal of a text or a command, by a code of `PROGRAM_FAULTS`."""
    return Refusal(Reason.BAD_PROGRAM, why=str(PROGRAM_FAULTS[code]) % {"text": text})


def _lock_program(bot: Bot) -> Bot:
    """Lock a bot that gets a new version; refuses NOT_A_PROGRAM, BOT_RETIRED."""
    bot = lock_bot(bot)
    if bot.kind != Bot.Kind.PROGRAM:
        raise Refusal(Reason.NOT_A_PROGRAM, text=bot.name)
    _refuse_retired(bot)
    return bot


def _refuse_retired(bot: Bot) -> None:
    if bot.retired_at is not None:
        raise Refusal(Reason.BOT_RETIRED, text=bot.name)


def _new_version(actor: Actor, bot: Bot, newest: BotVersion | None, **content: Any) -> BotVersion:
    """Store a version after the newest and post its check."""
    number = 1 if newest is None else newest.number + 1
    version = bot.versions.create(number=number, made_by=actor.label, **content)
    write_bot_event(
        actor,
        "bot.version_brought",
        bot,
        version=number,
        language=str(version.language),
        sha256=version.sha256,
    )
    post(Job.CHECK_BOT, version.pk)
    return version

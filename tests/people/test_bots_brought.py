"""Bots of users: registered, their versions, the bench, retired, entered."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

import engine
from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_draft,
    arbiter,
    house_bots,
    organiser,
    program,
    stranger,
    user,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.queries.entries import entries_page
from tournaments.director.services.entries import enter_newcomers
from tournaments.models import AuditEvent, Bot, BotVersion, Club, Player
from tournaments.people.services.bots import (
    MAX_TEXT_BYTES,
    register_bot,
    register_command,
    retire,
    submit_bot,
    submit_version,
    unbench,
)
from tournaments.people.services.programs import program_of

pytestmark = pytest.mark.django_db

FIRST_STEPS = (Path(__file__).parents[2] / "examples/bots/first_steps.py").read_text()


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def author(club: Club) -> Actor:
    """A player of the club who has an account and is none of its staff."""
    Player.objects.create(club=club, code="J99", name="Ada", folded="ada", user=user("ada"))
    return Actor.for_user(user("ada"))


@pytest.fixture
def bot_version(club: Club, author: Actor) -> BotVersion:
    return submit_bot(author, club, name="Primeros pasos", language="python", source=FIRST_STEPS)


def ready(version: BotVersion) -> Bot:
    """Let a version have passed its check."""
    BotVersion.objects.filter(pk=version.pk).update(state=BotVersion.State.READY)
    return version.bot


def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fault 23: the kernel answers ENOSYS to Landlock and seccomp."""
    launcher = "engine.bots.launcher"
    monkeypatch.setattr(f"{launcher}.landlock_version", lambda _library: 0)
    monkeypatch.setattr(f"{launcher}.seccomp_works", lambda _library: False)


# --- Who may --------------------------------------------------------------------------------------


def test_a_player_of_the_club_brings_a_bot_and_answers_for_it(
    club: Club, author: Actor, bot_version: BotVersion
) -> None:
    bot = bot_version.bot
    assert (bot.kind, bot.club, bot.owner) == ("program", club, author.user)
    assert (bot_version.number, bot_version.state, bot_version.made_by) == (1, "checking", "ada")
    assert bot_version.source == FIRST_STEPS
    assert bot_version.sha256 == hashlib.sha256(FIRST_STEPS.encode()).hexdigest()
    verbs = AuditEvent.objects.filter(club=club, subject="Primeros pasos")
    assert [event.verb for event in verbs.order_by("sequence")] == [
        "bot.registered",
        "bot.version_brought",
    ]


def test_strangers_and_nobody_bring_nothing(club: Club) -> None:
    with refusal(Reason.FORBIDDEN):
        register_bot(stranger(), club, name="Intruso", kind="program")
    with refusal(Reason.SIGN_IN):
        register_bot(NOBODY, club, name="Intruso", kind="remote")
    assert not Bot.objects.filter(club=club).exists()


def test_the_staff_brings_bots_and_a_token_needs_the_scope(club: Club) -> None:
    assert register_bot(arbiter(club), club, name="Del árbitro", kind="remote").owner
    with refusal(Reason.FORBIDDEN):
        register_bot(program(club, "games:submit"), club, name="Sin permiso", kind="program")
    register_bot(program(club, "bots:run"), club, name="Con permiso", kind="program")


def test_only_organisers_give_a_house_bot_another_name(club: Club, author: Actor) -> None:
    with refusal(Reason.FORBIDDEN):
        register_bot(author, club, name="Sencillo bis", kind="simple")
    bot = register_bot(organiser(club), club, name="Sencillo bis", kind="simple")
    assert bot.owner is None
    with refusal(Reason.UNKNOWN_BOT):
        register_bot(organiser(club), club, name="Otro", kind="telepathic")


def test_later_versions_come_from_the_author_or_an_organiser(
    club: Club, author: Actor, bot_version: BotVersion
) -> None:
    for actor, number in ((author, 2), (organiser(club), 3)):
        text = f"{FIRST_STEPS}# {number}\n"
        version = submit_version(actor, bot_version.bot, language="python", source=text)
        assert version.number == number
    for actor in (stranger(), arbiter(club)):
        with refusal(Reason.FORBIDDEN):
            submit_version(actor, bot_version.bot, language="python", source="print()")


# --- Texts ----------------------------------------------------------------------------------------


def test_the_same_text_again_is_the_same_version(author: Actor, bot_version: BotVersion) -> None:
    second_version = submit_version(
        author, bot_version.bot, language="python", source=FIRST_STEPS.encode()
    )
    assert second_version.pk == bot_version.pk
    other = submit_version(author, bot_version.bot, language="perl", source=FIRST_STEPS)
    assert other.number == 2
    back = submit_version(author, bot_version.bot, language="python", source=FIRST_STEPS)
    assert back.number == 3


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("", "python"),
        ("  \n", "python"),
        ("x" * (MAX_TEXT_BYTES + 1), "python"),
        (b"caf\xe9", "python"),
        ("a\x00b", "python"),
        ("\ud800", "python"),
        ("print()", "cobol"),
        ("print()", "command"),
    ],
    ids=["empty", "blank", "large", "latin-1", "zero", "surrogate", "language", "command"],
)
def test_a_text_that_is_no_program_is_refused_and_nothing_is_kept(
    club: Club, author: Actor, source: str | bytes, language: str
) -> None:
    with refusal(Reason.BAD_PROGRAM):
        submit_bot(author, club, name="Malo", language=language, source=source)
    assert not Bot.objects.filter(club=club).exists()


def test_the_largest_text_is_kept(club: Club, author: Actor) -> None:
    text = "#" * MAX_TEXT_BYTES
    assert submit_bot(author, club, name="Grande", language="python", source=text).number == 1


def test_only_programs_have_versions(club: Club) -> None:
    remote = register_bot(organiser(club), club, name="De lejos", kind="remote")
    with refusal(Reason.NOT_A_PROGRAM):
        submit_version(organiser(club), remote, language="python", source="print()")


# --- Commands of the machine ----------------------------------------------------------------------


def test_a_command_is_for_the_staff_of_the_service_alone(club: Club) -> None:
    bot = register_bot(organiser(club), club, name="Orden", kind="program")
    with refusal(Reason.FORBIDDEN):
        register_command(organiser(club), bot, ["python3", "-V"], trusted=True)
    staff = User.objects.create_user("sofia", is_staff=True)
    with refusal(Reason.BAD_PROGRAM):
        register_command(Actor.for_user(staff), bot, ["no-such-program"], trusted=True)
    version = register_command(Actor.for_user(staff), bot, ["python3", "-V"], trusted=True)
    assert (version.language, version.command, version.trusted) == (
        "command",
        ["python3", "-V"],
        True,
    )
    run = program_of(version)
    assert (run.words, run.folder, run.trusted) == (["python3", "-V"], None, True)


# --- Fault 23 -------------------------------------------------------------------------------------


def test_without_a_sandbox_programs_are_refused_with_the_reasons(
    club: Club, author: Actor, bot_version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_sandbox(monkeypatch)
    with refusal(Reason.SANDBOX_MISSING) as raised:
        submit_bot(author, club, name="Otro", language="python", source="print()")
    assert "Landlock" in raised.value.params["text"]
    assert "seccomp" in raised.value.params["text"]
    with refusal(Reason.SANDBOX_MISSING):
        submit_version(author, bot_version.bot, language="python", source="print()")
    with refusal(Reason.SANDBOX_MISSING):
        register_command(SYSTEM, bot_version.bot, ["python3", "-V"])
    assert register_command(SYSTEM, bot_version.bot, ["python3", "-V"], trusted=True).number == 2
    register_bot(author, club, name="De lejos", kind="remote")


# --- The bench, and retiring ----------------------------------------------------------------------


def test_a_benched_bot_is_put_back_once(club: Club, author: Actor, bot_version: BotVersion) -> None:
    bot = ready(bot_version)
    with refusal(Reason.BOT_NOT_BENCHED):
        unbench(author, bot)
    Bot.objects.filter(pk=bot.pk).update(benched_at="2026-01-01T00:00Z", benched_for={"hands": 3})
    with refusal(Reason.FORBIDDEN):
        unbench(stranger(), bot)
    back = unbench(author, bot)
    assert (back.benched_at, back.benched_for) == (None, {})
    assert AuditEvent.objects.filter(club=club, verb="bot.put_back").count() == 1


def test_a_retired_bot_takes_no_more_versions(author: Actor, bot_version: BotVersion) -> None:
    assert retire(author, bot_version.bot).retired_at
    with refusal(Reason.BOT_RETIRED):
        retire(author, bot_version.bot)
    with refusal(Reason.BOT_RETIRED):
        submit_version(author, bot_version.bot, language="python", source="print()")


def test_house_bots_are_the_staffs(club: Club) -> None:
    house = house_bots()[0]
    with refusal(Reason.FORBIDDEN):
        retire(organiser(club), house)
    assert retire(SYSTEM, house).retired_at


# --- Entering -------------------------------------------------------------------------------------


def test_a_program_is_entered_once_it_has_passed_its_check(
    club: Club, bot_version: BotVersion
) -> None:
    tournament = a_draft(club)
    bot = bot_version.bot
    assert bot.name not in {row.name for row in entries_page(tournament.slug, SYSTEM).bots}
    with refusal(Reason.NO_READY_VERSION):
        enter_newcomers(SYSTEM, tournament, [bot])
    ready(bot_version)
    assert bot.name in {row.name for row in entries_page(tournament.slug, SYSTEM).bots}
    assert enter_newcomers(SYSTEM, tournament, [bot, bot])


def test_neither_a_benched_nor_a_retired_bot_is_entered(
    club: Club, bot_version: BotVersion
) -> None:
    tournament = a_draft(club)
    bot = ready(bot_version)
    bot.benched_at = "2026-01-01T00:00Z"
    bot.save()
    with refusal(Reason.BOT_BENCHED):
        enter_newcomers(SYSTEM, tournament, [bot])
    bot.benched_at = None
    bot.retired_at = "2026-01-01T00:00Z"
    bot.save()
    bot.refresh_from_db()
    with refusal(Reason.BOT_RETIRED):
        enter_newcomers(SYSTEM, tournament, [bot])
    assert bot.name not in {row.name for row in entries_page(tournament.slug, SYSTEM).bots}


# --- The files ------------------------------------------------------------------------------------


def test_a_text_is_written_once_read_only_in_a_folder_of_its_own(
    bot_version: BotVersion, settings: Any, tmp_path: Path
) -> None:
    settings.VAR = tmp_path
    run = program_of(bot_version)
    path = tmp_path / "bots" / bot_version.sha256 / "bot.py"
    assert (run.words, run.folder, run.trusted) == (["python3", str(path)], path.parent, False)
    assert path.read_text() == FIRST_STEPS
    assert path.stat().st_mode & 0o777 == 0o444
    first = path.stat().st_ino
    assert program_of(bot_version) == run
    assert path.stat().st_ino == first
    assert [folder.name for folder in (tmp_path / "bots").iterdir()] == [bot_version.sha256]


def test_a_text_that_was_spoiled_is_written_again(
    bot_version: BotVersion, settings: Any, tmp_path: Path
) -> None:
    settings.VAR = tmp_path
    path = Path(program_of(bot_version).words[1])
    path.chmod(0o644)
    path.write_text("print('something else')")
    assert Path(program_of(bot_version).words[1]).read_text() == FIRST_STEPS


def test_a_missing_interpreter_is_the_machines_fault(
    bot_version: BotVersion,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.VAR = tmp_path
    monkeypatch.setenv("PATH", str(tmp_path))
    perl = submit_version(SYSTEM, bot_version.bot, language="perl", source="print 1;")
    with pytest.raises(engine.BotFailure) as raised:
        program_of(perl)
    assert not raised.value.is_bot_fault
    assert "perl" in str(raised.value)

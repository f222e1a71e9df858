"""What the machine holds strangers' programs with (fault 23), and bots brought by a command."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import CommandError, SystemCheckError

import engine
from tests.clubs import a_club
from tests.people.test_bots_brought import FIRST_STEPS, no_sandbox
from tournaments.apps import NO_SANDBOX
from tournaments.models import Bot, BotVersion


def output_of(*words: str) -> str:
    output = StringIO()
    call_command(*words, stdout=output)
    return output.getvalue()


def test_check_warns_of_a_kernel_that_holds_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    no_sandbox(monkeypatch)
    (warning,) = run_checks(tags=["arena"])
    assert warning.id == NO_SANDBOX
    assert warning.msg.startswith("untrusted programs are refused: the kernel has no Landlock")
    assert "seccomp" in warning.msg
    with pytest.raises(SystemCheckError, match="untrusted programs are refused"):
        call_command("check", "--tag", "arena", "--fail-level", "WARNING")


def test_check_has_nothing_to_say_where_the_sandbox_is_whole() -> None:
    assert [check_outcome.id for check_outcome in run_checks(tags=["arena"])] == [
        NO_SANDBOX for _ in engine.capabilities().missing[:1]
    ]


def test_check_arena_shows_what_confines_and_runs_the_reference_bot() -> None:
    capabilities = engine.capabilities()
    text = output_of("check_arena")
    assert f"landlock    ABI {capabilities.landlock}" in text
    assert "seccomp     yes" in text
    assert "reference   runs" in text


def test_check_arena_fails_with_the_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    no_sandbox(monkeypatch)
    with pytest.raises(CommandError, match="refused: the kernel has no Landlock"):
        output_of("check_arena")


def test_check_arena_fails_where_a_good_bot_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.bots.reference.reference_runs", lambda: False)
    with pytest.raises(CommandError, match="the reference bot does not run"):
        output_of("check_arena")


@pytest.mark.django_db
def test_a_bot_and_its_next_version_are_brought_by_a_command(tmp_path: Path) -> None:
    club = a_club()
    text = tmp_path / "bot.py"
    text.write_text(FIRST_STEPS)
    assert output_of("bring_bot", club.slug, "Pasos", "--file", str(text)) == (
        "pasos: version 1, checking\n"
    )
    text.write_text("print()")
    assert "version 2" in output_of("bring_bot", club.slug, "Pasos", "--file", str(text))
    output_of("bring_bot", club.slug, "Orden", "--command", "python3 -V", "--trusted")
    version = BotVersion.objects.get(bot__slug="orden")
    assert (version.command, version.trusted) == (["python3", "-V"], True)
    assert Bot.objects.filter(club=club).count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--file", "nothing.py"), "No such file"),
        (("--file", "bot.txt"), "bad_program"),
        (("--file", "bot.py", "--trusted"), "always runs in the sandbox"),
        (("--command", "no-such-program"), "bad_program"),
        (("--command", ""), "the command is empty"),
    ],
)
def test_what_cannot_be_brought_is_refused_in_one_line(
    words: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("bot.txt", "bot.py"):
        Path(name).write_text("print()")
    with pytest.raises(CommandError, match=why):
        output_of("bring_bot", a_club().slug, "Malo", *words)
    assert not Bot.objects.filter(name="Malo").exists()

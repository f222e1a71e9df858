"""Ways out of the sandbox, one test for each, all denied (fault 20).

On a kernel that cannot hold strangers the same tests prove that none is started (fault 23).
"""

import contextlib
import json
import os
import re
import runpy
import shutil
import socket
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from engine.bots import sandbox
from engine.bots.failures import CRASH, BotFailure
from engine.bots.limits import Limits
from engine.bots.process import ProcessBot
from tests.engine.bots.census import living, started_as
from tests.engine.bots.conftest import ZOO
from tests.engine.bots.tables import RULES, views

pytestmark = pytest.mark.slow

LIMITS = Limits(hang_wall=60.0, start_wall=60.0, record_wall=600.0)
DEADLY = "become a shell through the loader"
"""The loader may start, as it started the bot, and then may read no shell: it ends there."""

HARMLESS = (
    "read the password file",
    "read a file by its path",
    "read the parent's environment",
    "empty a file that it may read",
    "empty a file through openat2",
    "connect by TCP",
    "send by UDP",
    "connect to a unix socket",
    "connect to an abstract socket",
    "fork",
    "fork through clone",
    "run a shell",
    "signal the parent",
    "outlive the parent",
    "share memory that is not counted",
    "make a file of memory",
)
"""Attacks that may be let through once, to see that it is the sandbox that stops them."""

HIDDEN = re.compile(r"No such file or directory|Read-only file system")

ATTACKS = list(runpy.run_path(str(ZOO / "escapist.py"), run_name="list")["ATTACKS"])


class Surroundings:
    """What an attack is aimed at: a file, a server of each kind; unharmed afterwards."""

    def __init__(self, folder: Path) -> None:
        self.secret = folder / "secret"
        self.secret.write_text("the seed")
        os.utime(self.secret, (1_000_000_000, 1_000_000_000))
        self.folder = folder
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(str(folder / "s"))
        self.unix.listen()
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind(f"\0baza-{os.getpid()}")
        self.abstract.listen()

    def target(self, attack: str) -> str:
        return {
            "connect by TCP": str(self.tcp.getsockname()[1]),
            "send by UDP": str(self.udp.getsockname()[1]),
            "connect to a unix socket": str(self.folder / "s"),
            "connect to an abstract socket": f"baza-{os.getpid()}",
            "list the home of the user": str(Path.home()),
        }.get(attack, str(self.secret))

    def close(self) -> None:
        for server in (self.tcp, self.udp, self.unix, self.abstract):
            server.close()

    def assert_unharmed(self) -> None:
        for server in (self.tcp, self.unix, self.abstract):
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.accept()
        self.udp.setblocking(False)
        with pytest.raises(BlockingIOError):
            self.udp.recv(100)
        status = self.secret.stat()
        assert self.secret.read_text() == "the seed"
        assert status.st_mtime == 1_000_000_000
        assert stat.S_IMODE(status.st_mode) != 0o777
        assert status.st_nlink == 1
        assert not Path("/tmp/baza-escaped").exists()  # noqa: S108
        assert not Path("/dev/shm/baza-escaped").exists()  # noqa: S108


def tried(attacks: list[str], folder: Path, *, trusted: bool) -> dict[str, str]:
    """Let a bot try attacks one after the other: what it says of each, or how it ended there.

    A bot that does not survive an attack is started again for the next one.
    """
    home = folder / "home"
    home.mkdir()
    around = Surroundings(folder)
    words = ["python3", str(shutil.copy(ZOO / "escapist.py", home))]
    (home / "planted").symlink_to(around.secret)
    (home / "tool").write_bytes(Path("/bin/true").read_bytes())
    (home / "tool").chmod(0o755)
    plan = home / "plan.json"
    before = sorted([*home.iterdir(), plan])
    question, outcomes = views()[0], {}
    waiting = list(attacks)
    while waiting:
        plan.write_text(json.dumps([[attack, around.target(attack)] for attack in waiting]))
        bot = ProcessBot(words, RULES, "A", folder=home, limits=LIMITS, trusted=trusted)
        with contextlib.suppress(BotFailure):
            while waiting:
                bot.choose(question)
                outcomes[waiting.pop(0)] = ""
                assert trusted or len(started_as(words[1])) == 1
        errors = bot.stderr
        if bot.failure is not None:
            outcomes[waiting.pop(0)] = f"{bot.failure.code}: {bot.stderr[-200:]}"
        bot.close()
        for line in errors.splitlines():
            attack, colon, outcome = line.partition(": ")
            if colon and attack in attacks and attack not in waiting:
                outcomes[attack] = outcomes.get(attack) or outcome
    try:
        if not trusted:
            assert living(str(home)) == []
            assert sorted(home.iterdir()) == before
            around.assert_unharmed()
    finally:
        around.close()
    return outcomes


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What became of every attack; nothing where the kernel cannot hold strangers."""
    if not sandbox.capabilities().can_isolate:
        return {}
    return tried(ATTACKS, tmp_path_factory.mktemp("escapes"), trusted=False)


def is_denied(attack: str, outcome: str) -> bool:
    if attack == DEADLY:
        pattern_match = re.search("cannot open|error while loading", outcome)
        return outcome.startswith(f"{CRASH}: ") and pattern_match is not None
    if sandbox.capabilities().bubblewrap and HIDDEN.search(outcome):
        return True  # what bubblewrap leaves out of the bot's world is not there to be denied
    return outcome == "denied"


@pytest.mark.parametrize("attack", ATTACKS)
def test_this_way_out_is_denied(attack: str, is_confined: bool, outcomes: dict[str, str]) -> None:
    if not is_confined:
        assert outcomes == {}
        return
    assert is_denied(attack, outcomes[attack]), outcomes[attack]


@pytest.mark.parametrize("abi", [1, 2])
def test_no_way_out_is_open_on_a_kernel_whose_landlock_knows_less(
    abi: int, is_confined: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of truncation nothing before its third ABI, of sockets nothing before its fourth."""
    if not is_confined:
        return
    older = replace(sandbox.capabilities(), landlock=abi)
    monkeypatch.setattr(sandbox, "capabilities", lambda: older)
    around = tmp_path / "around"
    around.mkdir()
    fields = tried(ATTACKS, around, trusted=False)
    assert [attack for attack in ATTACKS if not is_denied(attack, fields[attack])] == []


def test_without_the_sandbox_the_same_ways_are_open(tmp_path: Path) -> None:
    """The attacks that do no harm: it is the sandbox that stops them."""
    fields = tried(list(HARMLESS), tmp_path, trusted=True)
    assert {attack: fields[attack] for attack in HARMLESS} == dict.fromkeys(HARMLESS, "escaped")


def test_there_are_attacks_enough() -> None:
    assert len(ATTACKS) >= 60
    assert set(HARMLESS) | {DEADLY} <= set(ATTACKS)

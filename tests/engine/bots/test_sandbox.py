"""What holds a stranger's program, and that nothing less does (fault 23)."""

import dataclasses
import errno
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.bots import bubblewrap, commands, landlock, sandbox, seccomp, syscalls
from engine.bots.failures import INFRASTRUCTURE, BotFailure
from engine.bots.limits import Limits
from engine.bots.process import ProcessBot
from engine.bots.reference import reference_runs
from tests.engine.bots.census import nobody, started_as
from tests.engine.bots.conftest import ZOO, Take
from tests.engine.bots.tables import RULES, play
from tournaments.environment import ROOT

pytestmark = pytest.mark.slow

PATIENT = Limits(start_wall=60.0, hang_wall=60.0, end_wall=30.0)

LACKING = """
import errno, json, os, sys
from engine.bots import launcher, sandbox, seccomp
from engine.bots.commands import find_command
from engine.bots.limits import Limits
from engine.bots.process import ProcessBot
from engine.rulesets import RULESETS
which, bot = sys.argv[1:]
sandbox.bubblewrap.find_bubblewrap = lambda: None
before = sandbox.capabilities()
machine = os.uname().machine
unknown = (6, 0, 0, 0x00050000 | errno.ENOSYS)
invalid = (6, 0, 0, 0x00050000 | errno.EINVAL)
allow = (6, 0, 0, 0x7FFF0000)
number = (0x20, 0, 0, 0)
if which == "landlock":
    code = [number, (0x15, 0, 1, launcher.LANDLOCK_CREATE), unknown, allow]
else:
    prctl = {"x86_64": 157, "aarch64": 167}[machine]
    first = (0x20, 0, 0, 16)
    code = [number, (0x15, 0, 3, prctl), first, (0x15, 0, 1, 22), invalid, allow]
library = launcher.libc()
launcher.drop_privileges(library)
launcher.install_seccomp_filter(library, code)
after = sandbox.capabilities()
told = {"before": before.missing, "after": after.missing}
try:
    ProcessBot(["python3", bot], RULESETS["parejas-online"], "A").start()
except sandbox.SandboxError as error:
    told["refused"] = str(error)
# A specification made elsewhere does not get through either: the step itself fails.
sandbox.capabilities = lambda: before
try:
    ProcessBot(["python3", bot], RULESETS["parejas-online"], "A").start()
except Exception as error:
    told["failed"] = [getattr(error, "code", ""), str(error)]
print(json.dumps(told))
"""


def run(program: str, *arguments: str) -> Any:
    command = [sys.executable, "-c", program, *arguments]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(process.stdout)


@pytest.mark.parametrize("lacks", ["landlock", "seccomp"])
def test_a_kernel_that_lacks_a_part_refuses_strangers_and_says_which(
    lacks: str, take: Take, is_confined: bool
) -> None:
    if not is_confined:
        return
    output = run(LACKING, lacks, take("quitter")[1])
    assert output["before"] == []
    assert len(output["after"]) == 1
    assert lacks in output["after"][0].lower()
    assert output["refused"] == f"untrusted bots are refused: {output['after'][0]}"
    assert output["failed"][0] == INFRASTRUCTURE
    assert f"{lacks}:" in output["failed"][1]


def test_another_system_refuses_strangers_but_imports(
    monkeypatch: pytest.MonkeyPatch, take: Take
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    capabilities = sandbox.capabilities()
    assert not capabilities.can_isolate
    assert capabilities.missing == ("the sandbox is made of what Linux has, and this is darwin",)
    with pytest.raises(sandbox.SandboxError):
        ProcessBot(take("quitter"), RULES, "A").start()


def test_a_trusted_bot_runs_where_less_can_be_asked_of_the_system(
    monkeypatch: pytest.MonkeyPatch, take: Take, tmp_path: Path
) -> None:
    monkeypatch.delattr(os, "waitid")
    monkeypatch.setattr(sys, "platform", "darwin")
    with ProcessBot(take("complainer"), RULES, "A", limits=PATIENT, trusted=True) as bot:
        play({"A": bot})
    assert bot.ending
    assert bot.ending.code == 0
    words = take("stillborn")
    crashing = ProcessBot(words, RULES, "A", limits=PATIENT, trusted=True)
    with pytest.raises(BotFailure) as failure:
        crashing.start()
    assert failure.value.facts == {"ending": "code 1"}
    assert nobody(str(tmp_path))


def test_a_machine_without_a_table_refuses_strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    capabilities = sandbox.capabilities()
    assert not capabilities.can_isolate
    assert "riscv64" in capabilities.missing[0]


def test_what_is_found_here_is_reported() -> None:
    capabilities = sandbox.capabilities()
    assert capabilities.can_isolate == (not capabilities.missing)
    assert capabilities.can_isolate == bool(
        capabilities.landlock
        and capabilities.seccomp
        and capabilities.machine in seccomp.ARCHITECTURES
    )


# --- the filter, judged as the kernel does -------------------------------------------------------

ALLOWED, REFUSED, UNKNOWN, KILLED = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
OWN = 4242


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Run the filter over one call, instruction by instruction."""
    code, at, loaded = seccomp.program(machine), 0, 0
    registers = {0: number, 4: architecture or seccomp.ARCHITECTURES[machine]}
    registers.update({16 + 8 * place: value & 0xFFFFFFFF for place, value in enumerate(arguments)})
    while True:
        operation, yes, no, operand = code[at]
        k = OWN if operand == seccomp.OWN_PID else int(operand)
        at += 1
        if operation == 0x06:
            return k
        if operation == 0x20:
            loaded = registers.get(k, 0)
        else:
            true = {0x15: loaded == k, 0x35: loaded >= k, 0x45: bool(loaded & k)}[operation]
            at += yes if true else no


@pytest.mark.parametrize("machine", sorted(seccomp.ARCHITECTURES))
def test_the_filter_allows_what_is_named_and_nothing_else(machine: str) -> None:
    numbers = syscalls.NUMBERS[machine]
    free = {numbers[name] for name in syscalls.FREE & set(numbers)}
    judged = {numbers[name] for name in syscalls.JUDGED if name in numbers}
    assert len(numbers) == len(set(numbers.values()))
    for number in set(range(600)) - judged:
        assert verdict(machine, number) == (ALLOWED if number in free else REFUSED)


@pytest.mark.parametrize("machine", sorted(seccomp.ARCHITECTURES))
def test_the_filter_looks_at_what_is_asked(machine: str) -> None:
    numbers = syscalls.NUMBERS[machine]

    def verdict_on(name: str, *arguments: int) -> int:
        return verdict(machine, numbers[name], *arguments)

    thread = 0x3D0F00  # what a C library asks for a thread
    assert verdict_on("clone", thread) == ALLOWED
    assert verdict_on("clone", 17) == REFUSED
    for namespace in (0x00020000, 0x02000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert verdict_on("clone", thread | namespace) == REFUSED
    assert verdict_on("clone3", 0, 88) == UNKNOWN
    assert verdict_on("kill", OWN, 9) == verdict_on("tgkill", OWN, OWN, 6) == ALLOWED
    assert (
        verdict_on("kill", OWN + 1, 9)
        == verdict_on("kill", -1, 9)
        == verdict_on("kill", 0, 9)
        == REFUSED
    )
    assert verdict_on("prlimit64", 0, 7) == ALLOWED
    assert verdict_on("prlimit64", 1, 7) == REFUSED
    assert verdict_on("mmap", 0, 1, 3, 0x22) == verdict_on("mmap", 0, 1, 1, 0x01) == ALLOWED
    assert verdict_on("mmap", 0, 1, 3, 0x21) == verdict_on("mmap", 0, 1, 3, 0x23) == REFUSED
    assert verdict_on("mmap", 0, 1, 3, 0x122) == REFUSED
    truncate = os.O_TRUNC | os.O_CLOEXEC
    for writing in (os.O_WRONLY, os.O_RDWR):
        assert verdict_on("openat", 0, 0, writing | truncate) == ALLOWED
    assert verdict_on("openat", 0, 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOWED
    for not_writing in (os.O_RDONLY, os.O_WRONLY | os.O_RDWR):
        assert verdict_on("openat", 0, 0, not_writing | truncate) == REFUSED
    assert verdict_on("openat2", 0, 0, 0, 24) == UNKNOWN
    assert verdict_on("prctl", 15) == ALLOWED
    assert verdict_on("prctl", 1, 0) == verdict_on("prctl", 22) == REFUSED
    assert verdict_on("fcntl", 0, 3) == ALLOWED
    assert verdict_on("fcntl", 0, 8) == REFUSED
    assert verdict_on("ioctl", 0, 0x5401) == ALLOWED
    assert verdict_on("ioctl", 0, 0x5412) == REFUSED  # TIOCSTI


def test_the_older_open_is_looked_at_too() -> None:
    number = syscalls.NUMBERS["x86_64"]["open"]
    assert verdict("x86_64", number, 0, os.O_RDONLY) == ALLOWED
    assert verdict("x86_64", number, 0, os.O_RDONLY | os.O_TRUNC) == REFUSED


def test_calls_of_another_architecture_end_the_program() -> None:
    for machine in seccomp.ARCHITECTURES:
        assert verdict(machine, 0, architecture=0x40000003) == KILLED
    assert verdict("x86_64", 0x40000000) == KILLED


def test_the_rules_name_all_that_a_kernel_knows_of() -> None:
    rights = [landlock.access_rights(abi)["files"].bit_length() for abi in range(1, 9)]
    assert rights == [13, 14, 15, 15, 16, 16, 16, 16]
    assert [bool(landlock.access_rights(abi)["net"]) for abi in (3, 4)] == [False, True]
    assert [bool(landlock.access_rights(abi)["scopes"]) for abi in (5, 6)] == [False, True]


def test_nothing_but_streams_may_be_written(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_text("x")
    places = dict(landlock.rules([tmp_path, Path("/nowhere")], [file], [Path("/dev/null")]))
    assert places == {str(tmp_path): 0b1100, str(file): 0b101, "/dev/null": 0b110}


# --- commands ------------------------------------------------------------------------------------


def test_a_bot_in_a_folder_that_holds_everything_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "ana"))
    (tmp_path / "ana").mkdir()
    for folder in (tmp_path / "ana", tmp_path, Path("/")):
        with pytest.raises(commands.CommandLineError, match="a folder of its own"):
            commands.find_command(["python3", "-c", "0"], folder)


@pytest.mark.parametrize("words", [["no-such-program"], ["./nothing"], ["/"]])
def test_a_program_that_is_not_there_is_refused(words: list[str], tmp_path: Path) -> None:
    with pytest.raises(commands.CommandLineError, match="no program"):
        commands.find_command(words, tmp_path)


@pytest.mark.parametrize("text", ["", "   ", "python3 'bot"])
def test_a_command_line_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(commands.CommandLineError):
        commands.split(text)


def test_a_script_is_started_by_the_interpreter_it_names(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/usr/bin/env python3\n")
    bot.chmod(0o755)
    command = commands.find_command([str(bot), "fast"])
    python = Path(sys.executable).resolve()
    assert command.program == python
    assert command.arguments == (str(python), str(bot), "fast")
    assert command.folder == tmp_path
    assert bot not in command.executable


def test_a_script_that_names_no_interpreter_is_refused(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    for first in ("#!\n", "#!/usr/bin/env\n", "#!/no/such/thing\n"):
        bot.write_text(first)
        bot.chmod(0o755)
        with pytest.raises(commands.CommandLineError):
            commands.find_command([str(bot)])


# --- what a bot may do ---------------------------------------------------------------------------

DECENT = """
import array, collections, decimal, hashlib, json, os, random, sys, threading, time
from pathlib import Path
here = Path(__file__).parent
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
    elif message["type"] == "ask":
        worker = threading.Thread(target=lambda: os.urandom(16))
        worker.start()
        worker.join()
        with open("weights.txt") as file:
            assert file.read() == "1 2 3"
        assert sorted(os.listdir(".")) == ["bot.py", "weights.txt"]
        random.seed(time.time())
        held = bytearray(100 << 20)
        assert len(held) and hashlib.sha256(held).hexdigest()
        del held
        open("/dev/null", "w").write("x")
        print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)
"""


def test_a_decent_bot_has_all_it_needs(tmp_path: Path, is_confined: bool) -> None:
    if not is_confined:
        return
    home = tmp_path / "decent"
    home.mkdir()
    (home / "bot.py").write_text(DECENT)
    (home / "weights.txt").write_text("1 2 3")
    with ProcessBot(["python3", str(home / "bot.py")], RULES, "A", limits=PATIENT) as bot:
        assert play({"A": bot})["hands"][0]["winner"] in RULES.sides


def test_the_reference_bot_runs_here(is_confined: bool) -> None:
    assert reference_runs(PATIENT) is is_confined
    assert reference_runs(PATIENT, trusted=True)


def test_a_machine_that_cannot_start_anything_is_reported_from_a_bad_bot(
    take: Take, is_confined: bool
) -> None:
    if not is_confined:
        return
    hurried = dataclasses.replace(PATIENT, start_wall=0.0)  # nothing starts in no time

    def runs() -> bool:
        return reference_runs(hurried)

    bot = ProcessBot(take("stillborn"), RULES, "A", limits=PATIENT, reference=runs)
    with pytest.raises(BotFailure) as failure:
        bot.start()
    assert failure.value.code == INFRASTRUCTURE


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EMFILE, errno.ENOMEM])
def test_a_machine_that_has_no_process_to_give_is_at_fault_and_keeps_nothing_open(
    number: int, take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(subprocess, "Popen", refused)
    bot = ProcessBot(take("quitter"), RULES, "A", limits=PATIENT, trusted=True)
    before = os.listdir("/dev/fd")  # noqa: PTH208 - numbers, not paths
    with pytest.raises(BotFailure, match=os.strerror(number)) as failure:
        bot.start()
    assert failure.value.code == INFRASTRUCTURE
    assert os.listdir("/dev/fd") == before  # noqa: PTH208


ORPHAN = """
import os, sys
from engine.bots.process import ProcessBot
from engine.bots.limits import Limits
from engine.rulesets import RULESETS
trusted = sys.argv[1] == "trusted"
limits = Limits(start_wall=60)
bot = ProcessBot(sys.argv[2:], RULESETS["parejas-online"], "A", limits=limits, trusted=trusted)
bot.start()
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("kind", ["untrusted", "trusted"])
def test_a_bot_ends_with_a_worker_that_is_killed(
    kind: str, take: Take, is_confined: bool, tmp_path: Path
) -> None:
    if not is_confined and kind == "untrusted":
        return
    words = take("deaf")
    worker = subprocess.Popen(
        [sys.executable, "-c", ORPHAN, kind, *words],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with worker:
        assert worker.stdout
        assert worker.stdout.readline() == b"ready\n"
        assert len(started_as(words[1])) == 1
        os.kill(worker.pid, signal.SIGKILL)
    assert nobody(str(tmp_path))


def test_the_zoo_knows_nobody_outside() -> None:
    """A bot of the zoo is a program like a stranger's: it imports nothing of this project."""
    for path in ZOO.glob("*.py"):
        words = path.read_text(encoding="utf-8")
        assert "import engine" not in words
        assert "from engine" not in words


def test_a_stranger_gets_every_step_and_none_of_our_secrets(take: Take) -> None:
    capabilities = sandbox.Capabilities("linux", "x86_64", 7, True, None, ())
    spec = sandbox.untrusted_spec(commands.find_command(take("quitter")), Limits(), capabilities)
    assert spec["steps"] == ["limits", "rights", "parent", "landlock", "seccomp"]
    assert spec["environment"].keys().isdisjoint({"BAZA_SECRET_KEY", "DATABASE_URL"})
    assert spec["limits"]["RLIMIT_FSIZE"] == 0


def test_a_bubblewrap_that_is_forbidden_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for program in (None, "/bin/false", "/no/such/bwrap"):
        monkeypatch.setattr(shutil, "which", lambda _name, program=program: program)
        assert bubblewrap.find_bubblewrap.__wrapped__() is None


def test_bubblewrap_shows_the_bot_its_own_folder_and_no_other(take: Take, tmp_path: Path) -> None:
    command = commands.find_command(take("quitter"))
    words = bubblewrap.wrap_command("bwrap", command, Path("/launcher.py"))
    paths = {words[at + 1] for at, word in enumerate(words) if word == "--ro-bind-try"}
    assert str(command.folder) in paths
    assert paths.isdisjoint({"/", "/etc", "/proc", "/home", str(Path.home())})
    assert "--unshare-net" in words

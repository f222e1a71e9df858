"""`baza check-bot`: a good bot passes, a bad one gets the arena's codes."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.bots import compliance, failures, sandbox
from engine.bots.limits import Limits
from engine.cli import main
from tests.engine.bots.census import living
from tests.engine.bots.conftest import Take
from tests.engine.bots.tables import RULES
from tournaments.environment import ROOT

pytestmark = pytest.mark.slow

GOOD = f"python3 {ROOT / 'examples/bots/first_steps.py'}"


def checked(command: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, list[Any]]:
    is_enough = sandbox.capabilities().can_isolate
    words = ["check-bot", command, "--json", "--deals", "1", *(() if is_enough else ("--trusted",))]
    code = main([*words, *more])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_good_bot_passes_more_than_thirty_checks(capsys: pytest.CaptureFixture[str]) -> None:
    code, output = checked(GOOD, capsys, "--ruleset", "parejas-online")
    assert [check for check in output if check["state"] != "ok"] == []
    assert code == 0
    assert [check["number"] for check in output] == list(range(1, len(output) + 1))
    assert len(output) >= 30


def test_every_ruleset_is_checked_unless_some_are_named() -> None:
    subject = compliance.BotUnderTest(["bot"], None, Limits(), True, 1)
    all_of_them = compliance.protocol_checks(subject, list(engine.RULESETS.values()))
    texts = [check.what["en"] for check in all_of_them]
    assert len(texts) >= 45
    assert len(set(texts)) == len(texts)
    assert [check.number for check in all_of_them] == list(range(1, len(texts) + 1))
    for rules in engine.RULESETS.values():
        assert sum(f" {rules.name} at " in text for text in texts) == len(rules.seats)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("illegal_card", failures.ILLEGAL_PLAY),
        ("echo", failures.WRONG_ID),
    ],
)
def test_a_bad_bot_is_reported_by_the_codes_of_the_arena(
    name: str, code: str, take: Take, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code, output = checked(" ".join(take(name)), capsys, "--ruleset", "mano-a-mano")
    assert exit_code == 1
    assert code in {check["code"] for check in output}
    assert output[0]["state"] == "ok"
    assert living(str(tmp_path)) == []


def test_a_bot_that_does_not_start_is_checked_no_further(
    take: Take, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code, output = checked(" ".join(take("stillborn")), capsys, "--lang", "es")
    assert exit_code == 1
    assert len(output) == 1
    assert output[0]["code"] == failures.DIED_AT_START
    assert output[0]["check"] == "arranca y dice que está listo"
    assert output[0]["message"].startswith("terminó antes de decir que estaba listo")


PARTICULAR = {
    "it ignores unknown fields of a question": "assert len(message) == 14",
    "it ignores messages of an unknown type": "assert message['type'] != 'chat'",
    "it answers with the number that it was asked under": "message['id'] = min(99, message['id'])",
    "it reads long lines": "assert len(line) < 5000",
    "it starts in the middle of a hand": "assert not message['id'] == 1 or message['trick'] < 3",
}

BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    if message["type"] == "chat":
        {chat}
    if message["type"] == "hello":
        print(json.dumps({{"type": "ready", "protocol": message["protocol"]}}), flush=True)
    elif message["type"] == "ask":
        {ask}
        print(json.dumps({{"id": message["id"], "say": message["legal"][0]}}), flush=True)
"""


@pytest.mark.parametrize("what", PARTICULAR)
def test_a_check_fails_for_the_bot_that_it_is_meant_for(what: str, tmp_path: Path) -> None:
    act = PARTICULAR[what]
    chat, ask = (act, "pass") if "chat" in act else ("pass", act)
    (tmp_path / "bot.py").write_text(BOT.format(chat=chat, ask=ask))
    trusted = not sandbox.capabilities().can_isolate
    words = ["python3", str(tmp_path / "bot.py")]
    limits = Limits(start_wall=60, hang_wall=60)
    subject = compliance.BotUnderTest(words, None, limits, trusted, 1)
    every = {check.what["en"]: check.run for check in compliance.protocol_checks(subject, [RULES])}
    every["it starts and says that it is ready"]()
    with pytest.raises(failures.BotFailure) as failure:
        every[what]()
    assert failure.value.code in {failures.CRASH, failures.WRONG_ID}


def test_what_is_advice_does_not_fail(
    take: Take, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code, output = checked(" ".join(take("complainer")), capsys, "--ruleset", "mano-a-mano")
    advice = [check["check"] for check in output if check["state"] == "advice"]
    assert "it writes nothing to standard error" in advice
    assert "it sends its name" in advice
    assert exit_code == 0


def test_a_call_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["no-such-program"], ["''"], [GOOD, "--deals", "0"], ["python3 'x"]):
        assert main(["check-bot", *words]) == 2
    assert "no program 'no-such-program'" in capsys.readouterr().err


def test_where_nothing_can_hold_it_a_stranger_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = dataclasses.replace(sandbox.capabilities(), missing=("the kernel has no Landlock",))
    monkeypatch.setattr(sandbox, "capabilities", lambda: lacking)
    assert main(["check-bot", GOOD]) == 2
    assert "the kernel has no Landlock" in capsys.readouterr().err


def test_the_other_commands_do_not_wait_for_it() -> None:
    probe = "import sys, engine.cli.main; print('engine.bots.process' in sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert process.stdout == "False\n"


def test_what_is_required_is_what_a_table_does_today() -> None:
    subject = compliance.BotUnderTest(["bot"], None, Limits(), True, 1)
    required = {
        check.what["en"]: check.required for check in compliance.protocol_checks(subject, [RULES])
    }
    assert required["it starts and says that it is ready"]
    assert required["it plays parejas-online at seat D"]
    assert required["it ends after bye"]
    assert required["it says nothing unasked after an answer"]
    assert not required["it ignores unknown fields of hello"]
    assert not required["it reads long lines"]
    assert not required["it sends its name"]
    assert not required["it plays the same when asked the same"]


def test_what_a_bot_wrote_before_it_failed_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "slip.py"
    # What it sends ends it at once, so the other text comes first.
    program.write_text("import sys\nprint('no cards today', file=sys.stderr)\nprint('hola')\n")
    code, (line,) = checked(f"python3 {program}", capsys)
    assert (code, line["reply"]) == (1, "hola")
    assert "no cards today" in line["stderr"]

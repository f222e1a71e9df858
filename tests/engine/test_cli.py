"""The command ``baza`` (F5): what it prints and how it ends."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main

DATA = Path("tournaments/management/commands/club_night")
POSITION = {
    "ruleset": "parejas-online",
    "trump": "o",
    "turn": "B",
    "hands": {"B": "1c 2o 4e"},
    "trick": "3c",
}


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION), encoding="utf-8")
    return str(path)


def test_audit_of_valid_records_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(DATA / "records.ndjson")]) == 0
    assert capsys.readouterr().out.endswith("28 valid, 0 invalid\n")


def test_audit_prints_a_verdict_a_line_with_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--json", str(DATA / "disputed.ndjson")]) == 1
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [verdict["source"] for verdict in verdicts][:2] == [
        "disputed.ndjson#1",
        "disputed.ndjson#2",
    ]
    assert len(verdicts) == 24


def test_audit_speaks_spanish(capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", "--lang", "es", str(DATA / "disputed.ndjson")])
    assert "debe fallar" in capsys.readouterr().out


def test_audit_speaks_german(capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", "--lang", "de", str(DATA / "disputed.ndjson")])
    output = capsys.readouterr().out
    assert "muss aber stechen" in output
    assert "Spiel 4, Zug 2" in output
    assert "0 gültig, 24 ungültig" in output


def test_a_broken_line_gets_a_verdict_and_the_others_theirs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (DATA / "records.ndjson").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "some.ndjson"
    path.write_text("\n".join([lines[0], "", "{broken", lines[1]]), encoding="utf-8")
    assert main(["audit", "--json", str(path)]) == 1
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(v["source"], v["valid"]) for v in verdicts] == [
        ("some.ndjson#1", True),
        ("some.ndjson#3", False),
        ("some.ndjson#4", True),
    ]
    assert verdicts[1]["faults"][0]["code"] == "record.syntax"


def test_one_record_over_many_lines_is_one_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads((DATA / "records.ndjson").read_text(encoding="utf-8").splitlines()[0])
    path = tmp_path / "one.json"
    path.write_text(json.dumps(record, indent=2), encoding="utf-8")
    assert main(["audit", str(path)]) == 0
    assert capsys.readouterr().out.endswith("1 valid, 0 invalid\n")


def test_a_dash_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = io.TextIOWrapper(io.BytesIO((DATA / "records.ndjson").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert main(["audit", "-"]) == 0
    assert "stdin#28" in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_a_record_is_unusable_input(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "empty.ndjson"
    path.write_text(content, encoding="utf-8")
    assert main(["audit", str(path)]) == 2
    assert "no record" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err


def test_legal_prints_the_legal_cards(position: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["legal", position]) == 0
    assert json.loads(capsys.readouterr().out) == {"legal": ["1c"]}


@pytest.mark.parametrize(
    ("change", "text"),
    [({"hands": {}}, "/hands/B"), ({"trump": "x"}, "/trump"), ({"turn": None}, "/turn")],
)
def test_a_position_that_cannot_be_answered_is_unusable_input(
    change: dict[str, Any], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION | change), encoding="utf-8")
    assert main(["legal", str(path)]) == 2
    assert text in capsys.readouterr().err


def test_try_answers_every_token_and_a_refused_one_changes_nothing(
    position: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["try", position, "2o", "1c"]) == 0
    refused, accepted = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (refused["token"], refused["accepted"]) == ("2o", False)
    assert refused["fault"]["code"] == "play.must_follow"
    assert refused["fault"]["legal"] == ["1c"]
    assert refused["position"]["hands"] == {"B": "2o 1c 4e"}
    assert (accepted["token"], accepted["accepted"], accepted["fault"]) == ("1c", True, None)
    assert accepted["turn"] == "C"


def test_rulesets_describe_every_field_in_both_languages(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["rulesets", "parejas-online", "--json", "--lang", "es"])
    spanish = json.loads(capsys.readouterr().out)
    main(["rulesets", "parejas-online", "--json"])
    english = json.loads(capsys.readouterr().out)
    assert spanish["fields"].keys() == english["fields"].keys()
    assert spanish["fields"]["target"]["meaning"] != english["fields"]["target"]["meaning"]
    assert main(["rulesets"]) == 0
    assert "parejas-online@1" in capsys.readouterr().out


def test_an_unknown_ruleset_is_answered_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rulesets", "mus"]) == 2
    assert "parejas-online" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "answer"),
    [
        (("audit", b"\xe9.json"), 1, "\\udce9.json"),
        (
            ("play", "--ruleset", "mano-a-mano", "--bots", "simple,random", "--seed", b"\xe9"),
            2,
            "tute: '\\udce9' cannot be written in utf-8",
        ),
    ],
)
def test_an_argument_that_is_not_utf_8_leads_to_no_traceback(
    words: tuple[str | bytes, ...], code: int, answer: str, tmp_path: Path
) -> None:
    (tmp_path / os.fsdecode(b"\xe9.json")).write_text("{")
    command = "import sys; from engine.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.run(
        [sys.executable, "-c", command, *words],
        cwd=tmp_path,
        env={"PYTHONIOENCODING": "utf-8:strict", "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, "Traceback" in process.stderr) == (code, False)
    assert answer in process.stdout + process.stderr


@pytest.mark.slow
def test_an_interrupted_command_ends_without_a_traceback(tmp_path: Path) -> None:
    pipe = tmp_path / "records"
    os.mkfifo(pipe)
    # A shell lets the programs that it starts in the background ignore Ctrl-C.
    command = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from engine.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", command, "audit", str(pipe)], stderr=subprocess.PIPE, text=True
    )
    with pipe.open("wb"):  # opens once the command does
        running.send_signal(signal.SIGINT)
        _, complaints = running.communicate(timeout=20)
    assert (running.returncode, complaints) == (130, "")

"""``baza convert``, and ``baza audit`` on text (F5)."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.cli import main

NIGHT = Path("tournaments/management/commands/club_night")
RECORDS = Path("tests/records")
GAME = RECORDS / "parejas-online.tute"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, ends: int = 0) -> str:
    assert main(arguments) == ends
    return capsys.readouterr().out


@pytest.fixture
def write_file(tmp_path: Path) -> Any:
    def write(text: str | bytes, name: str = "some") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write


@pytest.mark.parametrize("name", ["records", "sampler", "disputed"])
def test_json_becomes_text_and_text_the_same_json(
    name: str, capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    source = NIGHT / f"{name}.ndjson"
    if not source.exists():
        pytest.skip("the sampler is not in the club night")
    text = printed(capsys, "convert", "--to", "tute", str(source))
    path = write_file(text)
    assert printed(capsys, "convert", "--to", "json", path) == source.read_text(encoding="utf-8")
    assert printed(capsys, "convert", "--to", "tute", path) == text


def test_converting_to_the_same_notation_changes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = NIGHT / "records.ndjson"
    printed_again = printed(capsys, "convert", "--to", "json", str(source))
    assert printed_again == source.read_text(encoding="utf-8")
    assert printed(capsys, "convert", "--to", "tute", str(GAME)) == GAME.read_text(encoding="utf-8")


def test_a_dash_converts_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = GAME.read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source)))
    line = printed(capsys, "convert", "--to", "json", "-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line.encode())))
    assert printed(capsys, "convert", "--to", "tute", "-").encode() == source


def test_what_is_no_record_is_reported_and_the_others_are_converted(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    good = GAME.read_text(encoding="utf-8")
    path = write_file(f"{good}\n{good.replace('dealer', 'dealers', 1)}\n{good}", "liga.tute")
    assert main(["convert", "--to", "json", path]) == 1
    out, err = capsys.readouterr()
    assert [json.loads(line)["ruleset"] for line in out.splitlines()] == ["parejas-online"] * 2
    assert "liga.tute#2: record.syntax: This is not .tute: no line begins with dealers" in err
    assert err.splitlines()[-2:] == ["  dealers B", "  ^"]
    assert main(["convert", "--to", "json", "--lang", "es", path]) == 1
    assert "ninguna línea empieza con dealers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('{"format": "baza/2"}', "record.format"),
        ("{}\n{broken\n", "record.syntax"),
        ("[1, 2]", "record.format"),
        ("7", "record.format"),
    ],
)
def test_json_that_is_no_record_has_no_text(
    source: str, text: str, capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    assert main(["convert", "--to", "tute", write_file(source)]) == 1
    assert text in capsys.readouterr().err


def test_json_stays_what_it_is_whatever_it_says(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    for source in ('{"hands": 7}', "{}", '{"format": "baza/2", "hands": [null]}'):
        assert printed(capsys, "convert", "--to", "json", write_file(source)) == source + "\n"


def test_a_ruleset_that_nobody_knows_goes_from_text_to_json(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    text = '[Format "baza/1"]\n[Ruleset "mus"] ; so\ndealer A\n; end\n'
    document = json.loads(printed(capsys, "convert", "--to", "json", write_file(text)))
    assert document["ruleset"] == "mus"
    assert document["tags"] == {"; after /ruleset": "so", "; above /end": "end"}
    assert main(["audit", write_file(text)]) == 1


def test_what_is_converted_is_utf_8_wherever_it_is_written() -> None:
    code = "import sys; from engine.cli import main; sys.exit(main())"
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    call = [sys.executable, "-c", code, "convert", "--to", "tute", str(GAME)]
    answer = subprocess.run(call, env=environment, stdout=subprocess.PIPE, check=True)
    assert answer.stdout == GAME.read_bytes()


def test_a_file_without_a_record_cannot_be_converted(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    for source in ("", "\n\n", "; nothing here\n"):
        assert main(["convert", "--to", "json", write_file(source)]) == 2
        assert "no record" in capsys.readouterr().err


def test_audit_shows_text_by_its_content(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    text = GAME.read_text(encoding="utf-8")
    for source in (text, f"\n\n{text}", f" \n; so\n{text}", text.partition("\n")[2]):
        out = printed(capsys, "audit", write_file(source, "game.txt"))
        assert out.endswith("1 valid, 0 invalid\n")
    games = [path for path in sorted(RECORDS.glob("*.tute")) if path.stem != "faults"]
    assert printed(capsys, "audit", *map(str, games)).endswith(f"{len(games)} valid, 0 invalid\n")


def test_broken_first_lines_do_not_hide_the_records_below(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    lines = (NIGHT / "records.ndjson").read_text(encoding="utf-8").splitlines()[:2]
    path = write_file("\n{broken\n\n" + "\n".join([*lines, "broken"]), "some.ndjson")
    out = printed(capsys, "audit", "--json", path, ends=1)
    verdicts = [json.loads(line) for line in out.splitlines()]
    assert [(verdict["source"], verdict["valid"]) for verdict in verdicts] == [
        ("some.ndjson#2", False),
        ("some.ndjson#4", True),
        ("some.ndjson#5", True),
        ("some.ndjson#6", False),
    ]


def test_lines_and_texts_longer_than_a_record_are_refused_and_not_held(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    line = (NIGHT / "records.ndjson").read_text(encoding="utf-8").splitlines()[0]
    long = line + " " * 3 * engine.MAX_BYTES
    out = printed(capsys, "audit", "--json", write_file(f"{line}\n{long}\n{line}"), ends=1)
    verdicts = [json.loads(verdict) for verdict in out.splitlines()]
    assert [verdict["valid"] for verdict in verdicts] == [True, False, True]
    assert verdicts[1]["faults"][0]["code"] == "record.limit"
    spread = "{\n" + '"a": 1,\n' * engine.MAX_BYTES
    out = printed(capsys, "audit", "--json", write_file(spread), ends=1)
    assert json.loads(out)["faults"][0]["code"] == "record.limit"


def test_a_record_over_many_lines_has_its_error_at_its_line(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    path = write_file('\n{\n\n"format": "baza/1",\n\noops}')
    (fault,) = json.loads(printed(capsys, "audit", "--json", path, ends=1))["faults"]
    assert (fault["line"], fault["column"]) == (6, 1)


def test_audit_of_text_names_line_and_column(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    good = GAME.read_text(encoding="utf-8")
    lines = good.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("A: "))
    lines[at] = lines[at].replace("A: ", "A: 8o ")
    path = write_file("\n".join(lines) + "\n\n" + good, "liga.tute")
    out = printed(capsys, "audit", "--json", path, ends=1)
    first, second = [json.loads(line) for line in out.splitlines()]
    assert (first["source"], second["source"]) == ("liga.tute#1", "liga.tute#2")
    assert second["valid"]
    fault = first["faults"][0]
    assert (fault["code"], fault["token"], fault["line"], fault["column"]) == (
        *("play.token", 8, at + 1),
        4,
    )
    assert f"line {at + 1}" in printed(capsys, "audit", path, ends=1)


def test_audit_shows_what_is_wrong_with_a_text_and_goes_on(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    source = (RECORDS / "faults.tute").read_bytes() + b"\n" + GAME.read_bytes()
    path = write_file(source, "liga.tute")
    out = printed(capsys, "audit", "--json", path, ends=1)
    verdicts = [json.loads(line) for line in out.splitlines()]
    assert [len(verdict["faults"]) for verdict in verdicts] == [1, 18, 0]
    assert [fault["line"] for fault in verdicts[1]["faults"]] == list(range(2, 20))
    assert '        "1o 2o' not in printed(capsys, "audit", path, ends=1)
    assert main(["audit", path]) == 1
    output = capsys.readouterr().out
    assert "      This is not .tute: no line begins with delar (line 14, column 1)\n" in output
    assert "        delar B\n        ^\n" in output


def test_audit_of_text_and_of_its_json_agree(
    capsys: pytest.CaptureFixture[str], write_file: Any
) -> None:
    source = NIGHT / "disputed.ndjson"
    text = printed(capsys, "convert", "--to", "tute", str(source))
    of_json = printed(capsys, "audit", "--json", str(source), ends=1)
    of_text = printed(capsys, "audit", "--json", write_file(text, "disputed.ndjson"), ends=1)
    for line, other in zip(of_json.splitlines(), of_text.splitlines(), strict=True):
        from_json, from_text = json.loads(line), json.loads(other)
        assert from_json["digest"] == from_text["digest"]
        assert [fault["message"] for fault in from_json["faults"]] == [
            fault["message"] for fault in from_text["faults"]
        ]

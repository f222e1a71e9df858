"""`baza analyse`: what it reads, prints and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from engine.analysis import Terms
from engine.cli import main
from tests.engine.analysis.table import changed, match_of_hand, played
from tournaments.environment import ROOT

WORKED = str(ROOT / "docs" / "examples" / "worked-hand.tute")
QUICK = ["analyse", "--worlds", "2"]


def file(folder: Path, *records: engine.Record) -> str:
    path = folder / "records.ndjson"
    path.write_text("\n".join(json.dumps(match_of_hand(record)) for record in records))
    return str(path)


def test_a_line_of_json_for_each_hand_holds_its_analysis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [played("cuatro", number) for number in (70, 71)]
    assert main([*QUICK, "--json", file(tmp_path, *records)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.pop("source") for line in lines] == ["records.ndjson#1", "records.ndjson#2"]
    for line, record in zip(lines, records, strict=True):
        expected = engine.analyse_hand(record, 0, Terms(worlds=2))
        assert engine.HandAnalysis.from_dict(line) == expected


@pytest.mark.slow
def test_processes_answer_the_same_in_the_same_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file(tmp_path, *(played("cuatro", number) for number in (70, 71, 72)))
    assert main([*QUICK, "--no-fair", "--json", path]) == 0
    alone = capsys.readouterr().out
    assert main([*QUICK, "--no-fair", "--json", "--jobs", "2", path]) == 0
    assert capsys.readouterr().out == alone


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["luck -6.2 ± 2.8, play +0.2", "open loss", "best play:", "mano's partner"]),
        (
            "es",
            ["suerte -6,2 ± 2,8, juego +0,2", "pérdida a la vista", "12,9 ± 0,8 (640)"],
        ),
    ],
)
def test_a_person_is_reported_in_words(
    capsys: pytest.CaptureFixture[str], language: str, words: list[str]
) -> None:
    assert main(["analyse", "--lang", language, WORKED]) == 0
    output = capsys.readouterr().out
    for word in words:
        assert word in output
    assert "Sc??" in output
    assert ("lucky card" if language == "en" else "carta afortunada") in output


@pytest.mark.parametrize(("language", "word"), [("en", "?? blunder"), ("es", "?? error grave")])
def test_words_and_signs_are_explained_last(
    capsys: pytest.CaptureFixture[str], language: str, word: str
) -> None:
    assert main([*QUICK, "--no-fair", "--lang", language, WORKED]) == 0
    assert word in capsys.readouterr().out.splitlines()[-1]


def test_nothing_is_explained_where_nothing_was_analysed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*QUICK, file(tmp_path, played("arrastrado", 1))])
    assert "??" not in capsys.readouterr().out


def test_several_records_are_summed_by_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [played("cuatro", number) for number in (70, 71)]
    assert main([*QUICK, "--no-fair", file(tmp_path, *records)]) == 0
    output = capsys.readouterr().out
    lost = sum(
        play.open_loss
        for record in records
        for play in engine.analyse_hand(record, 0, Terms(worlds=0)).plays
        if play.seat == "A"
    )
    after = output[output.index("all records") :]
    (line,) = [line for line in after.splitlines() if line.strip().startswith("player A")]
    assert line.split()[2:] == ["2", str(lost), "–", "0", "0", "0", "0"]


def test_a_match_is_summed_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "tests" / "records" / "habanero.tute"
    assert main(["analyse", str(path)]) == 0
    output = capsys.readouterr().out
    record = engine.parse_record(engine.parse_text(path.read_bytes()).document)
    first = engine.analyse(record).adjusted[0]
    scaled = first.scaled
    parts = f"luck {scaled.luck:+.1f} ± {scaled.error:.1f}, play {scaled.skill:+.1f}"
    sums = f"A {first.result:+d} = {parts}; play "
    assert f"over {first.hands} hands\n  {sums}" in output


def test_one_hand_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(ROOT / "tests" / "records" / "cuatro.tute")
    assert main([*QUICK, "--hand", "2", "--json", path]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["number"] == 2


def test_all_tricks_are_asked_when_one_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--worlds", "1", "--all-tricks", "--json", WORKED]) == 0
    plays = json.loads(capsys.readouterr().out)["plays"]
    assert all("fair_loss" in play for play in plays)


@pytest.mark.parametrize(
    ("record", "code", "text"),
    [
        (changed(played("cuatro", 1), play="1o"), 1, "a rule is broken in it"),
        (changed(played("cuatro", 1), play=None), 0, "its play is not written down"),
        (played("arrastrado", 1), 0, "only games of two sides"),
    ],
)
def test_what_is_not_analysed_says_why(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    record: engine.Record,
    code: int,
    text: str,
) -> None:
    assert main([*QUICK, file(tmp_path, record)]) == code
    assert text in capsys.readouterr().out


def test_what_is_no_record_is_reported_and_the_others_are_analysed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(file(tmp_path, played("cuatro", 70)))
    path.write_text('{"format": "baza/1"}\n' + path.read_text())
    assert main([*QUICK, "--no-fair", "--json", str(path)]) == 1
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert captured.err.startswith("records.ndjson#1: record.ruleset:")


def test_a_text_that_is_no_record_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "tests" / "records" / "faults.tute"
    assert main([*QUICK, "--no-fair", "--json", str(path)]) == 1
    assert "faults.tute#1: record.syntax" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--hand", "9"], "there is no hand 9, it has 1"),
        ([], "there is no record in it"),
    ],
)
def test_what_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], text: str
) -> None:
    path = Path(file(tmp_path, played("cuatro", 70)))
    if not arguments:
        path.write_text("")
    assert main([*QUICK, *arguments, str(path)]) == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--worlds", "0"], ["--hand", "x"], ["--lang", "fr"]])
def test_a_call_that_makes_no_sense_is_refused(
    capsys: pytest.CaptureFixture[str], wrong: list[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*QUICK, *wrong, WORKED])
    assert stopped.value.code == 2
    assert "usage:" in capsys.readouterr().err

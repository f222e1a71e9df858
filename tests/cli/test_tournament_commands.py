"""The commands on tournament files: what they print, and how they end."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.domain.test_file import CHESS
from tests.domain.test_trf import REPORT
from tests.sheets.test_spreadsheets import cells_of
from tournaments.cli import main
from tournaments.cli.pair import _named_facts
from tournaments.cli.reading import read_bundle
from tournaments.domain.file import rows_from_bytes
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.environment import ROOT

Capture = pytest.CaptureFixture[str]
CLUB = ROOT / "tournaments/management/commands/club_night"


@pytest.fixture
def chess(tmp_path: Path) -> str:
    """Three friends, a liguilla of two rounds, the last without a result."""
    path = tmp_path / "chess.json"
    path.write_text(json.dumps(CHESS), encoding="utf-8")
    return str(path)


@pytest.fixture
def swiss(tmp_path: Path) -> str:
    """Six players before the first round of a Swiss."""
    return save(
        tmp_path / "swiss.json",
        {
            "format": "baza-tournament/1",
            "name": "Suizo",
            "entrants": [{"name": name} for name in ("Ana", "Bea", "Eva", "Iris", "Olga", "Uma")],
            "stages": [{"format": "swiss", "seed": "5eed", "rules": {"rounds": 3}}],
        },
    )


def save(path: Path, document: Any) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def played(file: str) -> str:
    """The file with every open table won by its first side."""
    document = json.loads(Path(file).read_text(encoding="utf-8"))
    for stage in document["stages"]:
        for round_ in stage["rounds"]:
            for table in round_["tables"]:
                if "bye" not in table:
                    table.setdefault("hands", [2, 1])
    return save(Path(file), document)


def printed(capsys: Capture, *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_standings_have_a_column_a_criterion_and_what_decided(chess: str, capsys: Capture) -> None:
    assert main(["standings", chess]) == 0
    title, heading, first, *_ = capsys.readouterr().out.splitlines()
    assert title == "Four friends · 1. liguilla"
    assert heading.split()[:4] == ["#", "Name", "Pts", "DE"]
    assert first.split()[:3] == ["1", "Ana", "1"]


def test_standings_are_written_as_a_table(chess: str, tmp_path: Path, capsys: Capture) -> None:
    sheet, text = tmp_path / "table.xlsx", tmp_path / "table.csv"
    for path in (sheet, text):
        assert main(["standings", chess, "--lang", "en", "--output", str(path)]) == 0
    assert capsys.readouterr().out == ""
    rows = [[cell.value for cell in row] for row in cells_of(sheet.read_bytes())]
    lines = list(csv.reader(io.StringIO(text.read_bytes().decode("utf-8-sig"))))
    assert rows[0][:3] == lines[0][:3] == ["#", "Name", "Pts"]
    assert [row[1] for row in rows] == [line[1] for line in lines]
    assert [str(row[0]) for row in rows] == [line[0] for line in lines]
    assert main(["standings", chess, "--output", str(tmp_path / "table.ods")]) == 2
    assert "csv or xlsx" in capsys.readouterr().err


def test_standings_as_json_have_exact_numbers(chess: str, capsys: Capture) -> None:
    (stage,) = printed(capsys, "standings", chess)["stages"]
    (table,) = stage["tables"]
    assert stage["after"] == 2
    assert [(line["name"], line["match_points"]) for line in table["lines"]] == [
        ("Ana", 1),
        ("Bea", "1/2"),
        ("Carmen", 0),
    ]


def test_standings_can_be_those_after_an_earlier_round(chess: str, capsys: Capture) -> None:
    (stage,) = printed(capsys, "standings", chess, "--after", "1")["stages"]
    assert stage["after"] == 1
    assert stage["tables"][0]["lines"][1]["match_points"] == 0


def test_a_number_is_explained_by_its_addends(chess: str, capsys: Capture) -> None:
    assert main(["standings", chess, "--explain", "Bea", "--lang", "es"]) == 0
    assert capsys.readouterr().out.splitlines()[:4] == [
        "Bea",
        "1. Puntos: ½",
        "     R1      0 jugada · Ana",
        "     R2      ½ descanso",
    ]


def test_the_addends_add_up_to_the_number(chess: str, capsys: Capture) -> None:
    sums = printed(capsys, "standings", chess, "--explain", "2")
    points = next(sum_row for sum_row in sums if sum_row["criterion"] == "match_points")
    assert (points["number"], [term["amount"] for term in points["terms"]]) == (
        "1/2",
        ["0", "1/2"],
    )


def test_an_unknown_person_cannot_be_explained(chess: str, capsys: Capture) -> None:
    assert main(["standings", chess, "--explain", "Zoe"]) == 2
    assert "no entrant 'Zoe'" in capsys.readouterr().err


def test_a_report_is_read_by_its_contents(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "no-suffix"
    path.write_text(REPORT, encoding="utf-8")
    (stage,) = printed(capsys, "standings", str(path))["stages"]
    assert stage["tables"][0]["lines"][0]["name"] == "Alonso, Ana"


def test_a_tournament_is_read_from_stdin(
    chess: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = io.TextIOWrapper(io.BytesIO(Path(chess).read_bytes()))
    monkeypatch.setattr(sys, "stdin", source)
    assert main(["standings", "-"]) == 0
    assert "Carmen" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("path", "language", "text"),
    [
        ("entrants", "en", "/entrants: must be a list; it says 'many'"),
        ("entrants", "es", "/entrants: debe ser una lista; pone 'many'"),
        ("surprise", "en", "/surprise: there is no field 'surprise' here"),
    ],
)
def test_a_wrong_file_is_refused_with_place_and_reason(
    chess: str, capsys: Capture, path: str, language: str, text: str
) -> None:
    save(Path(chess), CHESS | {path: "many"})
    assert main(["standings", chess, "--lang", language]) == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [("utf-8", ""), ("utf-8-sig", "UTF-8 (BOM)"), ("utf-16", "UTF-16"), ("cp1252", "Windows-1252")],
)
def test_a_file_is_read_in_its_encoding_which_is_said(
    tmp_path: Path, capsys: Capture, codec: str, encoding: str
) -> None:
    document = json.dumps({**CHESS, "name": "Copa de Íñigo"}, ensure_ascii=False)
    path = tmp_path / "copa.json"
    path.write_text(document, encoding=codec)
    assert main(["standings", str(path), "--lang", "en"]) == 0
    printed = capsys.readouterr()
    assert "Copa de Íñigo" in printed.out
    assert printed.err == (f"{path}: read as {encoding}\n" if encoding else "")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "copa.xlsx"
    path.write_bytes(b"PK\x03\x04\x14\x00\xff")
    assert main(["standings", str(path), "--lang", "en"]) == 2
    assert "no text in UTF-8, UTF-16 or Windows-1252" in capsys.readouterr().err


def test_a_file_that_is_not_there_ends_with_2(capsys: Capture) -> None:
    assert main(["pair", "nowhere.json"]) == 2
    assert "nowhere.json: No such file" in capsys.readouterr().err


def test_pair_draws_the_next_round_and_says_why(swiss: str, capsys: Capture) -> None:
    draw = printed(capsys, "pair", swiss, "--why")
    assert draw["round"] == 1
    seated = sorted(actor for t in draw["tables"] for side in t["sides"] for actor in side)
    assert seated == [1, 2, 3, 4, 5, 6]
    assert {reason["table"] for reason in draw["why"]} == {1, 2, 3}
    assert all(reason["text"] for reason in draw["why"])


@pytest.mark.parametrize(
    ("language", "sum_"),
    [("en", "rematches and"), ("es", "rivales repetidos y"), ("de", "Wiederh")],
)
def test_the_sums_of_a_draw_are_named_in_the_language(
    swiss: str, capsys: Capture, language: str, sum_: str
) -> None:
    assert main(["pair", swiss, "--why", "--lang", language]) == 0
    output = capsys.readouterr().out
    assert f"\n  {sum_}" in output
    assert "clashes" not in output


def test_those_who_share_the_last_place_are_reported_by_name() -> None:
    rows = read_bundle(str(ROOT / "docs/examples/four-friends.json"), "es").rows
    error = CannotDraw("shared_place", entrants=(1, 4), tables=((1, 2), (1, 3)))
    assert _named_facts(rows, error) == {"entrants": "Ana, Dora", "tables": "1.2, 1.3"}


@pytest.mark.parametrize("format_", sorted(FORMATS))
@pytest.mark.parametrize("language", ["en", "es", "de"])
def test_pair_says_why_in_every_format(
    tmp_path: Path, capsys: Capture, format_: str, language: str
) -> None:
    document = {
        "format": "baza-tournament/1",
        "name": "Torneo",
        "entrants": [{"name": f"Jugador {number}"} for number in range(1, 10)],
        "stages": [{"format": format_, "seed": "5eed"}],
    }
    file = save(tmp_path / "event.json", document)
    assert main(["pair", file, "--why", "--lang", language]) == 0
    assert "Jugador 9" in capsys.readouterr().out


def test_pair_draws_the_same_in_another_process(swiss: str, capsys: Capture) -> None:
    draw = printed(capsys, "pair", swiss)
    probe = "import sys; from tournaments.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", probe, "pair", swiss, "--json"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(process.stdout) == draw


def test_pair_waits_for_the_results_that_the_draw_needs(swiss: str, capsys: Capture) -> None:
    document = json.loads(Path(swiss).read_text(encoding="utf-8"))
    document["stages"][0] |= {"format": "knockout", "rules": {}}
    save(Path(swiss), document)
    main(["pair", swiss, "--output", swiss])
    capsys.readouterr()
    assert main(["pair", swiss]) == 1
    assert capsys.readouterr().out.startswith("Results are missing (round.table): 1.1, 1.2")


def test_a_whole_swiss_is_drawn_played_proved_and_verified(
    swiss: str, tmp_path: Path, capsys: Capture
) -> None:
    for _ in range(3):
        assert main(["pair", swiss, "--output", swiss]) == 0
        played(swiss)
    capsys.readouterr()
    assert main(["pair", swiss, "--lang", "es"]) == 1
    assert capsys.readouterr().out == "No queda nada por sortear.\n"
    assert main(["prove", swiss]) == 0
    proof = tmp_path / "proof.json"
    proof.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["verify-tournament", str(proof)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "✓ The tournament is the one that was proved.",
        "· No signature covers this tournament: a changed file could be proved in the same way.",
        "· stage 1: The file does not say how often the stage was drawn.",
        "✓ stage 1, round 1: Drawn again, it is the same.",
        "✓ stage 1, round 2: Drawn again, it is the same.",
        "✓ stage 1, round 3: Drawn again, it is the same.",
        "✓ stage 1, round 3: The standings come out the same.",
    ]


def test_a_proof_that_was_tampered_with_ends_with_1(
    swiss: str, tmp_path: Path, capsys: Capture
) -> None:
    main(["pair", swiss, "--output", swiss])
    played(swiss)
    capsys.readouterr()
    main(["prove", swiss])
    document = json.loads(capsys.readouterr().out)
    document["stages"][0]["rounds"][0]["tables"][0]["hands"] = [0, 2]
    assert main(["verify-tournament", save(tmp_path / "proof.json", document), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert not answer["holds"]
    assert {finding["code"] for finding in answer["findings"] if not finding["holds"]} == {
        "contents_changed",
        "standing_differs",
    }


def club_record() -> tuple[bytes, dict[str, Any]]:
    line = (CLUB / "records.ndjson").read_bytes().splitlines()[0]
    import engine

    return line, engine.audit(line).as_dict()


def test_marks_are_checked_against_the_records(tmp_path: Path, capsys: Capture) -> None:
    line, verdict = club_record()
    records = tmp_path / "records.ndjson"
    records.write_bytes(line + b"\n")
    points = {
        side: sum(hand["points"][side] for hand in verdict["hands"] if hand["points"])
        for side in verdict["score"]
    }
    sides = ["BD", "AC"]
    document: dict[str, Any] = {
        "format": "baza-tournament/1",
        "name": "Acta",
        "entrants": [{}, {}],
        "stages": [
            {
                "format": "liguilla",
                "rounds": [
                    {
                        "tables": [
                            {
                                "sides": [[1], [2]],
                                "hands": [verdict["score"][side] for side in sides],
                                "points": [points[side] for side in sides],
                            }
                        ]
                    }
                ],
            }
        ],
        "proof": {
            "records": [{"round": 1, "table": 1, "digest": verdict["digest"], "sides": sides}]
        },
    }
    file = save(tmp_path / "event.json", document)
    arguments = ["verify-tournament", file, "--records", str(records), "--json"]
    main(arguments)
    findings = {
        finding["code"]: finding for finding in json.loads(capsys.readouterr().out)["findings"]
    }
    assert findings["records"]["facts"] == {"count": 1}
    document["stages"][0]["rounds"][0]["tables"][0]["points"][0] += 10
    save(Path(file), document)
    assert main(arguments) == 1
    findings = {
        finding["code"]: finding for finding in json.loads(capsys.readouterr().out)["findings"]
    }
    assert not findings["marks_differ"]["holds"]
    for wrong in (["BD"], ["BDx", "AC"], ["BD", "ACx"], ["BD", "BD"], ["A", "B"], ["A", "C", "B"]):
        document["proof"]["records"][0]["sides"] = wrong
        save(Path(file), document)
        assert main(arguments) == 1
        findings = {
            finding["code"]: finding for finding in json.loads(capsys.readouterr().out)["findings"]
        }
        assert findings["record_invalid"]["facts"]["why"] == "record.seats"
    records.write_bytes(b"")
    main(arguments)
    findings = {
        finding["code"]: finding for finding in json.loads(capsys.readouterr().out)["findings"]
    }
    assert findings["record_missing"]["holds"]


def test_a_tournament_becomes_a_report_and_what_is_lost_is_said(
    chess: str, capsys: Capture
) -> None:
    assert main(["trf", chess]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("012 Four friends")
    assert captured.err == "baza: a TRF does not hold points made\n"


def test_a_report_becomes_a_tournament(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "report.trf"
    path.write_text(REPORT, encoding="utf-8")
    assert main(["trf", str(path)]) == 0
    rows = rows_from_bytes(capsys.readouterr().out)
    assert rows.entrants[0].name == "Alonso, Ana"


def test_a_fault_of_a_report_has_line_and_column(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "report.trf"
    path.write_text(REPORT.replace("1800", "18oo"), encoding="utf-8")
    assert main(["standings", str(path)]) == 0
    assert "9:49: cannot be read: 18oo" in capsys.readouterr().err


def test_the_shell_completes_the_clubs_commands_too(capsys: Capture) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    assert "audit" in script
    assert "verify-tournament" in script


def test_the_games_commands_start_without_the_clubs() -> None:
    probe = (
        "import sys; from tournaments.cli import main; main(['rulesets', 'brisca-no']);"
        " print(sorted(name for name in sys.modules if name.startswith('tournaments')))"
    )
    process = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert process.stdout == "['tournaments', 'tournaments.cli', 'tournaments.cli.main']\n"

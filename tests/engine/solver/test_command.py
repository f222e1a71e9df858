"""`baza solve`: what it reads, prints and refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from engine.cli import main
from engine.cli.solve import jobs
from tournaments.environment import ROOT

if TYPE_CHECKING:
    from pathlib import Path

DEAL: dict[str, Any] = {
    "ruleset": "parejas-online",
    "trump": "o",
    "leader": "B",
    "hands": {"A": "1o 2c", "B": "3o 4c", "C": "7e 5c", "D": "7o 6c"},
}


def write_deals(folder: Path, *deals: dict[str, Any]) -> str:
    path = folder / "deals.json"
    path.write_text("\n".join(json.dumps(deal) for deal in deals))
    return str(path)


def test_a_deal_is_answered_with_its_value_and_best_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ace takes the three now or with the last ten; now, D's six of cups makes those."""
    assert main(["solve", "--json", write_deals(tmp_path, DEAL)]) == 0
    assert capsys.readouterr().out == '{"value": -11, "best": ["3o"]}\n'


def test_the_line_and_all_values_come_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", "--json", "--line", "--all", write_deals(tmp_path, DEAL)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {"value", "best", "line", "values"}
    assert max(answer["values"].values()) == answer["value"]
    assert answer["line"][0] in answer["best"]
    assert len(answer["line"]) == 8


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_person_is_reported_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    assert main(["solve", "--line", "--all", "--lang", language, write_deals(tmp_path, DEAL)]) == 0
    output = capsys.readouterr().out
    assert {"en": "best play:", "es": "mejor juego:"}[language] in output
    assert "BD" in output.splitlines()[0]


def test_a_list_of_deals_is_named_in_the_language_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deals.json"
    path.write_text(json.dumps([DEAL]))
    assert main(["solve", "--lang", "es", str(path)]) == 0
    assert "deals.json: leído como una lista de JSON" in capsys.readouterr().err


def test_points_made_before_are_separated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = {key: value for key, value in DEAL.items() if key != "leader"}
    position |= {"turn": "B", "points": {"AC": 40, "BD": 20}}
    assert main(["solve", write_deals(tmp_path, position)]) == 0
    assert "with AC 40 : BD 20 made before" in capsys.readouterr().out


def test_many_deals_are_answered_in_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = {**DEAL, "leader": "A"}
    deals = [DEAL, other] * 20
    assert main(["solve", "--json", "--jobs", "2", write_deals(tmp_path, *deals)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == lines[:2] * 20
    assert lines[0] != lines[1]


def test_what_came_before_a_bad_deal_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_deals(tmp_path, DEAL, {**DEAL, "leader": "X"}, DEAL)
    assert main(["solve", "--json", path]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1
    assert captured.err == f"tute: {path}#2: /leader: a seat: A, B, C, D\n"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"ruleset": "arrastrado"}, "/ruleset: arrastrado is not played by two sides"),
        ({"ruleset": "tute"}, "/ruleset: unknown ruleset"),
        ({"hands": {"A": "1o", "B": "3o 4c", "C": "7e 5c", "D": "7o 6c"}}, "/hands: the hands do"),
        ({"hands": {"A": "1o 2c"}}, "/hands/B: the hand is not known"),
        ({"dealer": "A"}, "/dealer: unknown field of a deal"),
        ({"trump": "1o"}, "/trump: a suit"),
    ],
)
def test_what_cannot_be_solved_is_named_by_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, Any], text: str
) -> None:
    path = write_deals(tmp_path, {**DEAL, **changed})
    assert main(["solve", path]) == 2
    assert f"{path}#1: {text}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", "there is no deal in it"), ("[1]", "one JSON object"), ("{", "this is not JSON")],
)
def test_what_is_no_deal_at_all_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, expected: str
) -> None:
    path = tmp_path / "deal.json"
    path.write_text(text)
    assert main(["solve", str(path)]) == 2
    assert expected in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "nowhere.json"]) == 2
    assert capsys.readouterr().err.startswith("tute: nowhere.json: ")


def test_a_number_of_jobs_is_not_negative() -> None:
    assert jobs("0") >= 1
    with pytest.raises(SystemExit):
        main(["solve", "--jobs", "-1", "deal.json"])


def test_without_numba_the_plain_search_answers_and_says_so(tmp_path: Path) -> None:
    path = write_deals(tmp_path, DEAL)
    probe = (
        "import sys; sys.modules.update(numba=None, numpy=None); from engine.cli import main;"
        f" sys.exit(main(['solve', '--json', {path!r}]))"
    )
    process = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "numba is not installed" in process.stderr
    assert main(["solve", "--json", path]) == 0
    assert json.loads(process.stdout)["best"]
